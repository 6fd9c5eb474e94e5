"""Print the JSON Schema of every message of the line protocol."""

from __future__ import annotations

import argparse
import sys


def arguments(parser: argparse.ArgumentParser) -> None:
    """`companion schema` takes nothing."""


def run(args: argparse.Namespace) -> int:
    """Print it."""
    import msgspec

    from companion.schema import schema

    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(schema()), indent=2) + b"\n")
    return 0
