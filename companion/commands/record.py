"""Write the sealed record of a finished game: everything, with the random bytes that hid it until now."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion record`."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--journal", type=Path, metavar="FILE", help="the journal of the game")
    where.add_argument("--state", type=Path, metavar="DIR", help="the state folder (default: the user's own)")
    parser.add_argument(
        "--game", type=int, metavar="N", help="the Nth game of the journal (default: the last)"
    )
    parser.add_argument("file", metavar="OUT.json", type=Path, help="the file to write")


def run(args: argparse.Namespace) -> int:
    """Write it, or say why there is none; a running companion is not disturbed."""
    from companion import records
    from companion.disk import read_own
    from companion.home import state_folder
    from companion.privileges import as_owner
    from companion.refusals import Refusal
    from companion.state_files import JOURNAL, LARGEST_JOURNAL
    from companion.terminal import complain, tell

    journal = args.journal or (args.state or state_folder()) / JOURNAL
    try:
        data = as_owner(journal.parent, lambda folder: read_own(folder / journal.name, LARGEST_JOURNAL))
        record = records.of_journal(data, args.game, journal.name)
        records.save(record, args.file)
    except (Refusal, OSError) as fault:
        return complain(fault)
    tell("companion.record_written", file=args.file, entries=len(record.entries), seal=record.seal)
    return 0
