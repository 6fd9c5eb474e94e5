"""Runs in the virtual Pi: a broken and a good new version, the way `companion update` takes them.

There is no network in there, so a new version is a copy of the old one instead of what pip would build.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from companion.releases import NotUpdated, Releases, Service, update

BROKEN = "\n\ndef run(args):\n    raise SystemExit('a version that does not start')\n"


class Copies(Releases):
    """New versions by copying; what is appended to the daemon's command makes one broken."""

    def __init__(self, appended: str) -> None:
        super().__init__()
        self.appended = appended

    def build(self, source: Path, extras: str) -> Path:
        """The current version once more, under the next name."""
        before = self.current()
        assert before
        fresh = self.root / f"release-{int(before.name.rpartition('-')[2]) + 1}"
        shutil.copytree(before, fresh, symlinks=True)
        script = fresh / "bin/companion"
        script.write_text(script.read_text().replace(str(before), str(fresh)))
        with open(next(fresh.glob("lib/*/site-packages/web/commands/serve.py")), "a") as command:
            command.write(self.appended)
        return fresh


def take(appended: str, patience: float) -> str:
    """Try to take a version; how it went comes back."""
    try:
        update(
            Copies(appended), Service(patience=patience), Path(), "", Path("/var/lib/ghost-companion"), print
        )
    except NotUpdated as fault:
        return str(fault)
    return "updated"


print("WENT", take(BROKEN, 10) if sys.argv[1] == "broken" else take("", 200))
