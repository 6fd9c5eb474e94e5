"""Take a new version on an installed table; the game goes on, and a version that fails is not kept."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion update`."""
    parser.add_argument(
        "source", nargs="?", type=Path, help="a wheel, or a folder with the source (default: as last time)"
    )
    parser.add_argument("--state", type=Path, metavar="DIR", help="the state folder (default: the service's)")


def run(args: argparse.Namespace) -> int:
    """Update, telling each step."""
    import subprocess

    from companion import releases
    from companion.home import state_folder

    if not releases.ROOT.exists():
        return _refused("this computer has no installed table; with pip, `pip install --upgrade` updates it")
    if not os.access(releases.ROOT, os.W_OK):
        return _refused("only root may change what is installed: sudo companion update")
    found = releases.Releases()
    origin = found.origin()
    source = (args.source or origin.source).absolute()
    if not source.exists():
        return _refused(f"there is nothing at {source}: say where the new version is")
    try:
        releases.update(found, releases.Service(), source, origin.extras, args.state or state_folder(), _step)
    except (releases.NotUpdated, subprocess.CalledProcessError) as fault:
        return _refused(str(fault))
    print("updated")
    return 0


def _step(text: str) -> None:
    print(f"- {text}", flush=True)


def _refused(why: str) -> int:
    print(f"companion: {why}", file=sys.stderr)
    return 1
