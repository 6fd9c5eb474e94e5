"""Say whether a companion runs here, where phones find it, and the host's PIN."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion status`."""
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games and boxes are kept")


def run(args: argparse.Namespace) -> int:
    """Print it; exit status 1 where nothing runs."""
    from companion.home import state_folder
    from web import running

    found = running.look(args.state or state_folder())
    if found is None:
        print("companion: not running here", file=sys.stderr)
        return 1
    print(f"running: http://127.0.0.1:{found.port}/, PIN {found.pin}")
    return 0
