"""`python -m tests.fuzz.api ST EXAMPLES`: schemathesis asks the API of a running daemon, as three callers.

None of its requests may be answered by an error of ours; afterwards the daemon is killed, and opens again
with the game that it had.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from companion.journal import Journal
from companion.table import Table
from tests.web.daemon import Daemon, port_that_stays_free
from tests.web.phones import Phone

CHECKS = "not_a_server_error"


def headers_of_callers(daemon: Daemon) -> dict[str, list[str]]:
    """A stranger, a program in a player's seat, and the host, at a game that has begun."""
    host, ada = Phone(daemon.port), Phone(daemon.port)
    assert host.post("/host", pin=daemon.pin, name="Mrs Kerr").status == 200
    ada.join(daemon.code, "Ada")
    assert ada.post("/seat/take", seat="p1").status == 200
    assert host.post("/host/plan", players=2).status == 200
    assert host.post("/host/start", empty="easy").status == 200
    found = re.search(r"[\w-]{43}", ada.post("/seat/key", seat="p1").text)
    assert found
    return {
        "stranger": [],
        "player": ["--header", f"Authorization: Bearer {found[0]}"],
        "host": ["--header", f"Cookie: {host.cookie}"],
    }


def asked(st: str, port: int, caller: list[str], examples: str) -> int:
    """One run of schemathesis; its verdict."""
    url = f"http://127.0.0.1:{port}"
    command = [st, "run", f"{url}/api/v1/openapi.json", "--url", url, *caller, "--checks", CHECKS]
    command += ["--max-examples", examples, "--exclude-path", "/api/v1/events", "--request-timeout", "10"]
    command += ["--generation-database", "none", "--warnings", "off", "--no-color"]
    return subprocess.run(command, check=False).returncode


def main() -> int:
    """All callers, one after the other, then a kill and a start."""
    st, examples = sys.argv[1:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        state = Path(folder) / "state"
        daemon = Daemon(state, port_that_stays_free())
        try:
            verdicts = {
                name: asked(st, daemon.port, caller, examples)
                for name, caller in headers_of_callers(daemon).items()
            }
        finally:
            daemon.end(signal.SIGKILL)
        faults = [
            f"{name}: schemathesis ends with {verdict}" for name, verdict in verdicts.items() if verdict
        ]
        if "Traceback" in daemon.said:
            faults.append(daemon.said)
        faults += reopened(state)
    print("\n".join(faults) or "no error of ours, and it opens again")
    return 1 if faults else 0


def reopened(state: Path) -> list[str]:
    """Whether all of the game is there, and the daemon starts with it."""
    table = Table(Journal(state / "journal"))
    faults = [str(notice) for notice in table.notices]
    begun = table.game is not None
    table.close()
    again = Daemon(state, port_that_stays_free())
    if Phone(again.port).get("/watch").status != 200 or not begun:
        faults.append("it does not open again")
    again.end(signal.SIGINT)
    return faults


if __name__ == "__main__":
    sys.exit(main())
