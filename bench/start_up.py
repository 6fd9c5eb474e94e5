"""From nothing to the first answer: `import companion`, and `companion headless` until a game has begun.

Beside both, what Python itself takes to start. Time is the best of some starts, memory the most that the
process ever held. On a busy machine look at the processor's time: that is what the start costs.
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


def first_answer(command: list[str], ask: bytes) -> tuple[float, float, float]:
    """Seconds until the first line comes back, those of the processor, and megabytes held by then."""
    start = perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(ask)
        process.stdin.flush()
        answer = process.stdout.readline()
        seconds = perf_counter() - start
        assert answer.strip(), f"{command} said nothing"
        worked, megabytes = processor_time(process.pid), most_memory(process.pid)
        process.stdin.close()
        process.stdout.read()
    return seconds, worked, megabytes


def processor_time(pid: int) -> float:
    """How many seconds a running process has had of the processor (Linux)."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def most_memory(pid: int) -> float:
    """The most memory a running process has held, in megabytes (Linux)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    held = dict(line.split(":", 1) for line in lines)
    return int(held["VmHWM"].split()[0]) / 1024


def best(command: list[str], ask: bytes = b"") -> list[float]:
    """The least of each in some starts."""
    starts = [first_answer(command, ask) for _ in range(STARTS)]
    return [min(column) for column in zip(*starts, strict=True)]


def main() -> int:
    """Print all three, and whether it is quick and small enough."""
    enough, bare = True, 0.0
    for what, command, ask in [
        ("python itself", script(""), b""),
        ("import companion", script("import companion"), b""),
        ("companion headless, first answer", HEADLESS, NEW),
    ]:
        seconds, worked, megabytes = best(command, ask)
        bare = bare or worked
        met = seconds <= SECONDS and megabytes <= MEGABYTES
        enough &= met
        print(f"{what}: {seconds:.3f} s ({worked:.3f} s of the processor), {megabytes:.1f} MB", end="")
        print(f" = {worked / bare:.1f}× python", end="")
        print(f" (target {SECONDS} s, {MEGABYTES:g} MB: {'met' if met else 'MISSED'})")
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
