"""Bring back what safe mode has set aside, once it is mended; what is there now is set aside in its place."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion put-back`."""
    parser.add_argument("place", nargs="?", help="such as set-aside-1/journal (default: tell what there is)")
    parser.add_argument(
        "--state", type=Path, metavar="DIR", help="the state folder (default: the user's own)"
    )


def run(args: argparse.Namespace) -> int:
    """Do it, or tell what was set aside and why; a running companion is not disturbed."""
    from companion import safe_mode
    from companion.home import state_folder
    from companion.journal import hold, lock_of
    from companion.privileges import as_owner
    from companion.refusals import Refusal
    from companion.state_files import JOURNAL
    from companion.terminal import complain, language, tell

    def put_back(folder: Path) -> bytes:
        if (folder / f"{JOURNAL}.lock").is_file():
            hold(lock_of(folder / JOURNAL)).close()
        safe_mode.put_back(folder, args.place)
        return b""

    def told(folder: Path) -> bytes:
        return "".join(saying.said(language()) + "\n" for saying in safe_mode.told(folder)).encode()

    state = args.state or state_folder()
    try:
        if args.place is None:
            print(as_owner(state, told).decode(), end="")
            return 0
        as_owner(state, put_back)
    except (Refusal, OSError) as fault:
        return complain(fault)
    tell("companion.put_back", place=args.place)
    return 0
