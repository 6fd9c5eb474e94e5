"""Bring back the games, boxes and castles of a backup; what is there now is kept aside."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion restore`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a file that `companion backup` wrote")
    parser.add_argument(
        "--state", type=Path, metavar="DIR", help="the state folder (default: the user's own)"
    )


def run(args: argparse.Namespace) -> int:
    """Restore it, or say why nothing was changed."""
    from companion import backup
    from companion.disk import open_plain
    from companion.home import state_folder
    from companion.refusals import Refusal
    from companion.terminal import complain, tell

    state = args.state or state_folder()
    try:
        with open_plain(args.file) as file:
            data = file.read(backup.LARGEST + 1)
        state.mkdir(parents=True, exist_ok=True)
        backup.restore(data, state)
    except (Refusal, OSError) as fault:
        return complain(fault)
    tell("companion.restored", folder=state)
    return 0
