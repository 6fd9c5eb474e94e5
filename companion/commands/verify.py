"""Check the sealed record of a game: its chain of seals, and every move by the rules."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion verify`."""
    parser.add_argument("record", metavar="RECORD", type=Path, help="a file that `companion record` wrote")
    parser.add_argument(
        "--seal",
        metavar="DIGITS@N",
        action="append",
        default=[],
        help="a seal that was noted during play: eight digits or more, and its number; may be said again",
    )


def run(args: argparse.Namespace) -> int:
    """Say what was checked; with exit status 1 every fault."""
    from companion import verify
    from companion.disk import open_plain
    from companion.refusals import Refusal
    from companion.terminal import complain, language

    try:
        seals = [verify.noted(seal) for seal in args.seal]
        with open_plain(args.record) as file:
            record = verify.read_record(file.read(verify.LARGEST + 1))
    except (Refusal, OSError) as fault:
        return complain(fault)
    verdict = verify.verify(record, seals)
    for found in verdict.faults:
        complain(found)
    if verdict.checked is None:
        return 1
    print(verdict.checked.said(language()), flush=True)
    return 0
