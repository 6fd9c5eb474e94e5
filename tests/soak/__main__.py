"""`python -m tests.soak SECONDS`: fails, and says why, if anything was lost, leaked, slow or left behind."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.soak.soaking import Soak


def main() -> int:
    """Soak for so many seconds."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        soak = Soak(Path(folder))
        try:
            faults = soak.run(float(sys.argv[1]))
        finally:
            soak.close()
        print(soak.told())
        for fault in faults[:20]:
            print(fault)
        return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
