"""Put the games, boxes and castles of a table into one file."""

from __future__ import annotations

import argparse
import sys
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

    state = args.state or state_folder()
    try:
        if not state.is_dir():
            raise NotADirectoryError(20, "there is nothing to back up", str(state))
        backup.save(state, args.file)
    except Refusal as refusal:
        print(f"companion: {refusal}", file=sys.stderr)
        return 1
    except OSError as fault:
        print(f"companion: {fault.filename}: {fault.strerror}", file=sys.stderr)
        return 1
    print(
        f"{args.file}: {args.file.stat().st_size / 1000:.0f} kB. It holds the secrets of a game in progress."
    )
    return 0
