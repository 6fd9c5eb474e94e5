"""Take a new version on an installed table; the game goes on, and a version that fails is not kept."""

from __future__ import annotations

import argparse
import os
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
    from companion.terminal import complain, tell
    from companion.words import Saying

    if not releases.ROOT.exists():
        return complain(Saying("companion.update_no_table"))
    if not os.access(releases.ROOT, os.W_OK):
        return complain(Saying("companion.update_only_root"))
    found = releases.Releases()
    origin = found.origin()
    source = (args.source or origin.source).absolute()
    if not source.exists():
        return complain(Saying("companion.update_no_source", source=source))
    try:
        releases.update(found, releases.Service(), source, origin.extras, args.state or state_folder(), _step)
    except (releases.NotUpdated, subprocess.CalledProcessError) as fault:
        return complain(fault)
    tell("companion.update_done")
    return 0


def _step(key: str) -> None:
    from companion.terminal import language
    from companion.words import say

    print(f"- {say(key, language())}", flush=True)
