"""Runs in the virtual Pi: a broken and a good new version, the way `companion update` takes them.

There is no network in there, so a new version is a copy of the old one instead of what pip would build.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from companion.releases import NotUpdated, Releases, Service, update

LONG = 200.0
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


class Patient(Service):
    """Soon done with a version that cannot start, and patient with the old one after it."""

    def healthy(self) -> bool:
        """Whether the daemon is well; a busy host's emulated Pi may take minutes for a start."""
        well = super().healthy()
        self.patience = LONG
        return well


def take(appended: str, patience: float) -> str:
    """Try to take a version; how it went comes back."""
    service = Patient(patience=patience)
    try:
        update(Copies(appended), service, Path(), "", Path("/var/lib/ghost-companion"), print)
    except NotUpdated as fault:
        return str(fault)
    return "updated"


print("WENT", take(BROKEN, 10) if sys.argv[1] == "broken" else take("", LONG))
