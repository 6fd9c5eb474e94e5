"""From nothing to the first answer: `import companion`, and `companion headless` until a game has begun.

Beside both, what Python itself takes to start. Time is the best of some starts, memory the most that the
process ever held.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

STARTS = 10
SECONDS, MEGABYTES = 0.25, 25.0
NEW = b'{"cmd":"new","game":"phantom","players":4,"seed":1}\n'

HEADLESS = [sys.executable, "-m", "companion", "headless"]


def script(code: str) -> list[str]:
    """Python that does something, says so, and waits."""
    return [sys.executable, "-c", f"import sys\n{code}\nprint(1, flush=True)\nsys.stdin.read()"]


def first_answer(command: list[str], ask: bytes) -> tuple[float, float]:
    """Seconds until the first line comes back, and megabytes held by then."""
    start = perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(ask)
        process.stdin.flush()
        answer = process.stdout.readline()
        seconds = perf_counter() - start
        assert answer.strip(), f"{command} said nothing"
        megabytes = most_memory(process.pid)
        process.stdin.close()
        process.stdout.read()
    return seconds, megabytes


def most_memory(pid: int) -> float:
    """The most memory a running process has held, in megabytes (Linux)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    held = dict(line.split(":", 1) for line in lines)
    return int(held["VmHWM"].split()[0]) / 1024


def best(command: list[str], ask: bytes = b"") -> tuple[float, float]:
    """The quickest start, and the memory of the leanest."""
    starts = [first_answer(command, ask) for _ in range(STARTS)]
    return min(seconds for seconds, _ in starts), min(megabytes for _, megabytes in starts)


def main() -> int:
    """Print all three, and whether it is quick and small enough."""
    bare = best(script(""))
    enough = True
    for what, command, ask in [
        ("python itself", script(""), b""),
        ("import companion", script("import companion"), b""),
        ("companion headless, first answer", HEADLESS, NEW),
    ]:
        seconds, megabytes = best(command, ask)
        met = seconds <= SECONDS and megabytes <= MEGABYTES
        enough &= met
        print(f"{what}: {seconds:.3f} s, {megabytes:.1f} MB = {seconds / bare[0]:.1f}× python's time", end="")
        print(f" (target {SECONDS} s, {MEGABYTES:g} MB: {'met' if met else 'MISSED'})")
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
