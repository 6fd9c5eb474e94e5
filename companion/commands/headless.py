"""Play over standard input and output, one JSON line each way."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion headless`."""
    parser.add_argument("--kit", default="simulated", help="the simulated hardware kit (default: simulated)")
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="make it durable, and resume what is there"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until the input ends."""
    from companion import headless

    return headless.run(args.kit, args.journal, sys.stdin.buffer, sys.stdout.buffer)
