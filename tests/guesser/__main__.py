"""`python -m tests.guesser RATE SECONDS`: fails if anything opened, or if anybody honest had to wait."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.guesser.house import besieged
from tests.web.daemon import port_that_stays_free


def main() -> int:
    """Guess, and tell."""
    with tempfile.TemporaryDirectory() as folder:
        siege = besieged(Path(folder), port_that_stays_free(), float(sys.argv[1]), float(sys.argv[2]))
    print(siege.told())
    for fault in siege.faults[:20]:
        print(fault)
    return 1 if siege.faults else 0


if __name__ == "__main__":
    sys.exit(main())
