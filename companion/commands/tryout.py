"""Try this version out: a page, an action and a stream, on a port and in a folder of their own."""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """`companion tryout` takes nothing."""


def run(args: argparse.Namespace) -> int:
    """Exit status 0 where all three worked; else 1, and what did not."""
    from companion.terminal import complain, tell
    from companion.tryout import Unfit, try_out

    try:
        try_out()
    except Unfit as fault:
        return complain(fault)
    tell("companion.tried_out")
    return 0
