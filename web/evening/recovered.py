"""What was not recovered when the daemon started, told to the whole table."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.table import Table
from web.evening.evening import Evening
from web.people import book_changes


def tell(evening: Evening) -> None:
    """Announce what the record lost, or what else happened to it; once, however often it starts."""
    with evening.lock:
        book, journal = evening.book, evening.table.journal
        evening.table.miss(book.entry)
        for key, facts in _happened(evening.table):
            if not any((one.key, one.facts) == (key, facts) for one in book.told):
                book = book_changes.tell(book, key, **facts)
        if journal is not None and book.entry > journal.count:
            # It is told; the entries that follow have those numbers anew.
            book = replace(book, entry=journal.count)
        evening.change(book)


def _happened(table: Table) -> Iterator[tuple[str, dict[str, str]]]:
    since = table.journal.since if table.journal else ()
    if (lost := table.lost()) is not None and lost.last is not None:
        yield "evening.moves_lost", {"line": str(lost.last.n)}
    elif lost is not None:
        yield "evening.moves_lost_all", {}
    elif table.journal and table.journal.gone:
        yield "evening.games_gone", {}
    elif "mended" in since:
        yield "evening.game_lost", {}
    if "restored" in since:
        yield "evening.game_restored", {}
    if table.broken() is not None:
        yield "evening.record_changed", {}
