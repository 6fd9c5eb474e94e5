"""Write the wiring sheet of a kit: pin table, drawing, parts list, current budget."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.terminal import language
from companion.words import LANGUAGES


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion wiring`."""
    parser.add_argument(
        "kits", nargs="*", metavar="KIT", help="kits or their files (default: all with wires)"
    )
    parser.add_argument(
        "--into", type=Path, default=Path(), metavar="DIR", help="the folder to write to (default: here)"
    )
    parser.add_argument("--language", choices=LANGUAGES, default=language(), help="default: the system's")


def run(args: argparse.Namespace) -> int:
    """Write `wiring.md` and its drawings."""
    from companion.refusals import Refusal
    from hardware import kits
    from hardware.drawing import drawing
    from hardware.wiring import DRAWINGS, document

    try:
        wanted = [kits.load(name) for name in args.kits] or kits.wired()
    except Refusal as refusal:
        print(refusal.message(args.language), file=sys.stderr)
        return 1
    folder = args.into / DRAWINGS
    folder.mkdir(parents=True, exist_ok=True)
    for kit in wanted:
        (folder / f"{kit.name}.svg").write_text(drawing(kit), encoding="utf-8")
    page = args.into / "wiring.md"
    page.write_text(document(wanted, args.language), encoding="utf-8")
    print(page)
    return 0
