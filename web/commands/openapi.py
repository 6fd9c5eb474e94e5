"""Print the OpenAPI document of the HTTP API."""

from __future__ import annotations

import argparse
import sys


def arguments(parser: argparse.ArgumentParser) -> None:
    """`companion openapi` takes nothing."""


def run(args: argparse.Namespace) -> int:
    """Print it."""
    import msgspec

    from web.api.openapi import document

    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(document()), indent=2) + b"\n")
    return 0
