"""Tell the last game of a journal as one HTML file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.terminal import language
from companion.words import LANGUAGES


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion story`."""
    parser.add_argument(
        "journal", metavar="JOURNAL", type=Path, help="the record of a table whose game is over"
    )
    parser.add_argument(
        "file", metavar="FILE", type=Path, nargs="?", help="the file to write; it must not exist yet"
    )
    parser.add_argument("--language", choices=LANGUAGES, default=language(), help="default: the system's")


def run(args: argparse.Namespace) -> int:
    """Write it, or print it where no file is named; exit status 1 where there is no story to tell."""
    from companion.refusals import Refusal
    from companion.terminal import complain
    from companion.words import Saying
    from web.story import file, record

    try:
        scene = record.scene(args.journal, args.language)
        if scene is None:
            return complain(Saying("evening.terminal_no_story", file=args.journal))
        told = file.draw(scene).encode()
        if args.file is None:
            sys.stdout.buffer.write(told)
        else:
            # Never over somebody's file: "x" refuses one that is there.
            with open(args.file, "xb") as kept:
                kept.write(told)
    except (Refusal, OSError) as fault:
        return complain(fault)
    return 0
