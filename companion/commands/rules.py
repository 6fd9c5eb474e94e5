"""Print the numbered rules of a game in words: all of them as a page, or one."""

from __future__ import annotations

import argparse

from companion.terminal import language
from companion.words import LANGUAGES


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion rules`."""
    parser.add_argument("game", metavar="GAME", help="phantom, canterville, artefacts …")
    parser.add_argument("number", nargs="?", metavar="NUMBER", help="one rule alone, such as PS-52")
    parser.add_argument("--language", choices=LANGUAGES, default=language(), help="default: the system's")


def run(args: argparse.Namespace) -> int:
    """Print them, or say that there is no such game or rule."""
    from companion import rules
    from companion.refusals import Refusal
    from companion.terminal import complain
    from companion.words import Saying

    try:
        if args.number:
            words = rules.rule(args.game, args.number.upper(), args.language)
        else:
            words = rules.page(args.game, args.language).rstrip()
    except Refusal as refusal:
        return complain(refusal)
    if not words:
        return complain(Saying("companion.no_such_rule", game=args.game))
    print(words)
    return 0
