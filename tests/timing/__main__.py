"""`python -m tests.timing EACH`: so many turns of each kind; fails if the time tells a move from a pause."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.timing.verdict import table, tried


def main() -> int:
    """Measure and judge."""
    with tempfile.TemporaryDirectory() as folder:
        trial = tried(Path(folder), int(sys.argv[1]))
    print(table(trial.turns))
    for verdict in trial.verdicts:
        print(verdict)
    if trial.found:
        print(f"told apart, twice: {', '.join(sorted(trial.found))}")
    return 1 if trial.found else 0


if __name__ == "__main__":
    sys.exit(main())
