"""`companion`: finds the commands of every installed part and runs the one that was asked for."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points

from companion import __version__

GROUP = "companion.commands"


def commands() -> dict[str, EntryPoint]:
    """Every installed command by name."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; only its own module is imported."""
    words = list(sys.argv[1:] if argv is None else argv)
    found = commands()
    parser = argparse.ArgumentParser(prog="companion", description="A companion for board games of ghosts.")
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    choices = parser.add_subparsers(dest="command", metavar="command", required=True)
    wanted = [name for name in found if name in words[:1]] or list(found)
    for name in wanted:
        module = found[name].load()
        summary = (module.__doc__ or "").strip().splitlines()[0]
        module.arguments(choices.add_parser(name, help=summary, description=module.__doc__))
    args = parser.parse_args(words)
    return int(found[args.command].load().run(args) or 0)
