"""Keep the profiles of your own boxes: what is printed on your copy of a game."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.boxes import Profile, Shelf


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion box`."""
    parser.add_argument(
        "--state", type=Path, metavar="DIR", help="the state folder (default: the user's own)"
    )
    verbs = parser.add_subparsers(dest="verb", metavar="what", required=True)
    verbs.add_parser("list", help="every box on the shelf")
    _verb(verbs.add_parser("show", help="one box as a file would have it"), "name")
    _verb(verbs.add_parser("check", help="everything that is wrong with a file"), "file")
    add = _verb(verbs.add_parser("add", help="put the box in a file on the shelf"), "file")
    add.add_argument("--name", help="give it another name")
    add.add_argument("--replace", action="store_true", help="in place of a box of the same name")
    _verb(verbs.add_parser("export", help="write a box to a file, to share it"), "name", "file")
    _verb(verbs.add_parser("remove", help="take a box off the shelf"), "name")


def _verb(parser: argparse.ArgumentParser, *words: str) -> argparse.ArgumentParser:
    for word in words:
        parser.add_argument(word, metavar=word.upper(), type=Path if word == "file" else str)
    return parser


def run(args: argparse.Namespace) -> int:
    """Do it, or say everything that is wrong."""
    from companion.boxes import BoxProblems, Shelf, load
    from companion.home import state_folder
    from companion.privileges import as_owner
    from companion.refusals import Refusal
    from companion.terminal import complain

    state = args.state or state_folder()
    try:
        # A file from anywhere is read before: what root does on the shelf it does as the shelf's owner.
        args.profile = load(args.file) if args.verb in ("add", "check") else None
        said = as_owner(state, lambda folder: VERBS[args.verb](Shelf(folder / "boxes"), args).encode())
        if args.verb == "export":
            # Never over somebody's file: "x" refuses one that is there.
            with open(args.file, "xb") as file:
                file.write(said)
        else:
            sys.stdout.write(said.decode())
        return 1 if args.verb == "list" and as_owner(state, _complained) else 0
    except BoxProblems as refusal:
        for problem in refusal.problems:
            complain(problem)
    except (Refusal, OSError) as fault:
        complain(fault)
    return 1


def _complained(state: Path) -> bytes:
    """Say which files on a shelf cannot be read; something if there are any."""
    from companion.boxes import Shelf
    from companion.terminal import complain, language

    faults = Shelf(state / "boxes").faults()
    for name, fault in faults:
        complain(f"{name}: {fault.message(language())}")
    return b"some" if faults else b""


def _list(shelf: Shelf, args: argparse.Namespace) -> str:
    return "".join(f"{profile.name} ({profile.game})\n" for profile in shelf.profiles())


def _show(shelf: Shelf, args: argparse.Namespace) -> str:
    from companion.boxes import to_file

    return to_file(shelf.find(args.name)).decode()


def _check(shelf: Shelf, args: argparse.Namespace) -> str:
    return _told("companion.box_fine", args.profile)


def _add(shelf: Shelf, args: argparse.Namespace) -> str:
    from companion.boxes import Profile

    profile = Profile(args.name or args.profile.name, args.profile.game, args.profile.box)
    shelf.add(profile, args.replace)
    return _told("companion.box_shelved", profile)


def _remove(shelf: Shelf, args: argparse.Namespace) -> str:
    shelf.remove(args.name)
    return ""


def _told(key: str, profile: Profile) -> str:
    from companion.terminal import language
    from companion.words import say

    return say(key, language(), name=profile.name, game=profile.game) + "\n"


VERBS: dict[str, Callable[[Shelf, argparse.Namespace], str]] = {
    "list": _list,
    "show": _show,
    "check": _check,
    "add": _add,
    "export": _show,
    "remove": _remove,
}
