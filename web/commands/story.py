"""Tell the last game of a journal as one HTML file, on standard output."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion story`."""
    parser.add_argument(
        "journal", metavar="JOURNAL", type=Path, help="the record of a table whose game is over"
    )
    parser.add_argument("--language", choices=("en", "fr", "de"), default="en")


def run(args: argparse.Namespace) -> int:
    """Print it; exit status 1 where there is no story to tell."""
    from web.story import file, record

    try:
        scene = record.scene(args.journal, args.language)
    except OSError as fault:
        print(f"companion: {args.journal}: {fault.strerror}", file=sys.stderr)
        return 1
    if scene is None:
        print(f"companion: {args.journal}: no game in it is over", file=sys.stderr)
        return 1
    sys.stdout.buffer.write(file.draw(scene).encode())
    return 0
