"""Write the wiring sheet of a kit: schematic, pin table, parts list, current, and a template in true size."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.terminal import language
from companion.words import LANGUAGES

if TYPE_CHECKING:
    from hardware.kits import Kit


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion wiring`."""
    parser.add_argument(
        "kits", nargs="*", metavar="KIT", help="kits or their files (default: all with wires)"
    )
    parser.add_argument(
        "--into", type=Path, default=Path(), metavar="DIR", help="the folder to write to (default: here)"
    )
    parser.add_argument("--parts", choices=["csv"], help="only the shopping list, to the screen")
    parser.add_argument(
        "--template",
        type=float,
        metavar="MM",
        help="only templates to print, for a real board so many mm wide",
    )
    parser.add_argument("--language", choices=LANGUAGES, default=language(), help="default: the system's")


def run(args: argparse.Namespace) -> int:
    """Write what was asked for; without a wish `wiring.md` and its drawings."""
    from companion.refusals import Refusal
    from hardware import kits, shopping

    try:
        wanted = [kits.load(name) for name in args.kits] or kits.wired()
        if args.parts:
            print(shopping.table(wanted, args.language), end="")
        elif args.template:
            _templates(wanted, args.template, args.into, args.language)
        else:
            _sheets(wanted, args.into, args.language)
    except Refusal as refusal:
        print(refusal.message(args.language), file=sys.stderr)
        return 1
    return 0


def _sheets(wanted: list[Kit], into: Path, language: str) -> None:
    from hardware.breadboard import breadboard
    from hardware.schematic import schematic
    from hardware.wiring import BREADBOARDS, DRAWINGS, document

    folder = into / DRAWINGS
    folder.mkdir(parents=True, exist_ok=True)
    for kit in wanted:
        (folder / f"{kit.name}.svg").write_text(schematic(kit, language), encoding="utf-8")
        if kit.name in BREADBOARDS:
            (folder / f"{kit.name}-breadboard.svg").write_text(breadboard(kit, language), encoding="utf-8")
    page = into / "wiring.md"
    page.write_text(document(wanted, language), encoding="utf-8")
    print(page)


def _templates(wanted: list[Kit], width: float, into: Path, language: str) -> None:
    from hardware import paper
    from hardware.template import template

    into.mkdir(parents=True, exist_ok=True)
    for kit in wanted:
        drawing = template(kit, width, language)
        made = {
            f"{kit.name}-template.svg": paper.svg(drawing, kit.name).encode(),
            f"{kit.name}-template.pdf": paper.sheet(drawing),
            f"{kit.name}-template-a4.pdf": paper.tiles(drawing, language),
        }
        for name, content in made.items():
            (into / name).write_bytes(content)
            print(into / name)
