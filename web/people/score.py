"""The score of the evening: who has played how many games, and won how many of them."""

from __future__ import annotations

from collections.abc import Mapping

from web.people.guest_book import Tally

MOST = 64
"""So many names are kept; whoever has played least lately is forgotten first."""


def counted(score: Mapping[str, Tally], won: Mapping[str, bool]) -> dict[str, Tally]:
    """The score with one more game: each who played it, and whether they won."""
    fresh = {name: tally for name, tally in score.items() if name not in won}
    for name, victory in won.items():
        before = score.get(name, Tally())
        fresh[name] = Tally(before.won + victory, before.played + 1)
    return dict([*fresh.items()][-MOST:])


def ranked(score: Mapping[str, Tally]) -> list[tuple[str, Tally]]:
    """The best first; among equals whoever played fewer games."""
    return sorted(score.items(), key=lambda entry: (-entry[1].won, entry[1].played, entry[0]))
