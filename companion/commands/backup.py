"""Put the games, boxes and castles of a table into one file."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion backup`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to write; it must not exist yet")
    parser.add_argument(
        "--state", type=Path, metavar="DIR", help="the state folder (default: the user's own)"
    )


def run(args: argparse.Namespace) -> int:
    """Write it, or say why not."""
    from companion import backup
    from companion.home import state_folder
    from companion.refusals import Refusal
    from companion.terminal import complain, tell
    from companion.words import Saying

    state = args.state or state_folder()
    if not state.is_dir():
        return complain(Saying("companion.backup_nothing", folder=state))
    try:
        backup.save(state, args.file)
    except (Refusal, OSError) as fault:
        return complain(fault)
    tell("companion.backup_done", file=args.file, size=f"{args.file.stat().st_size / 1000:.0f}")
    return 0
