"""Keep the profiles of your own boxes: what is printed on your copy of a game."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.boxes import Shelf


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
    from companion.boxes import BoxProblems, Shelf
    from companion.home import state_folder
    from companion.refusals import Refusal
    from companion.terminal import complain

    shelf = Shelf((args.state or state_folder()) / "boxes")
    try:
        return VERBS[args.verb](shelf, args)
    except BoxProblems as refusal:
        for problem in refusal.problems:
            complain(problem)
    except (Refusal, OSError) as fault:
        complain(fault)
    return 1


def _list(shelf: Shelf, args: argparse.Namespace) -> int:
    from companion.terminal import complain, language

    for profile in shelf.profiles():
        print(f"{profile.name} ({profile.game})")
    for name, fault in shelf.faults():
        complain(f"{name}: {fault.message(language())}")
    return 1 if shelf.faults() else 0


def _show(shelf: Shelf, args: argparse.Namespace) -> int:
    from companion.boxes import to_file

    sys.stdout.write(to_file(shelf.find(args.name)).decode())
    return 0


def _check(shelf: Shelf, args: argparse.Namespace) -> int:
    from companion.boxes import load
    from companion.terminal import tell

    profile = load(args.file)
    tell("companion.box_fine", name=profile.name, game=profile.game)
    return 0


def _add(shelf: Shelf, args: argparse.Namespace) -> int:
    from companion.boxes import Profile, load
    from companion.terminal import tell

    profile = load(args.file)
    profile = Profile(args.name or profile.name, profile.game, profile.box)
    shelf.add(profile, args.replace)
    tell("companion.box_shelved", name=profile.name, game=profile.game)
    return 0


def _export(shelf: Shelf, args: argparse.Namespace) -> int:
    from companion.boxes import to_file

    content = to_file(shelf.find(args.name))
    # Never over somebody's file: "x" refuses one that is there.
    with open(args.file, "xb") as file:
        file.write(content)
    return 0


def _remove(shelf: Shelf, args: argparse.Namespace) -> int:
    shelf.remove(args.name)
    return 0


VERBS: dict[str, Callable[[Shelf, argparse.Namespace], int]] = {
    "list": _list,
    "show": _show,
    "check": _check,
    "add": _add,
    "export": _export,
    "remove": _remove,
}
