"""What hands on the shared board mean: only the hunters' figures stand there for all to see."""

from __future__ import annotations

from companion import contract
from companion.contract import View
from companion.games.canterville.actions import Stay, Walk
from companion.games.canterville.hunt import waiting
from companion.games.canterville.options import Figure
from companion.games.canterville.reach import reach
from companion.games.canterville.state import State, hunter_to_act


def pointed(view: View, room: int) -> tuple[contract.Move, ...]:
    """The figures to move that can walk to a room, or stand there and stay. GJ-50."""
    return tuple(told_apart(view, room).values())


def told_apart(view: View, room: int) -> dict[int, contract.Move]:
    """The same by the room where each of them stands; figures that stand together are alike."""
    moves: dict[int, contract.Move] = {}
    for seat, figure, here in _to_move(view):
        if here == room or reach(view.knows, here) >> room & 1:
            moves.setdefault(here, (seat, Stay(figure) if here == room else Walk(figure, room)))
    return moves


def felt(view: View, taken: int | None, put: int | None) -> tuple[contract.Move, ...]:
    """A figure that left a room has walked to where one came to stand. GJ-50.

    Where one stands already by the record, hands only follow what a phone told.
    """
    if put is None or put in view.knows.figures.values():
        return ()
    moves = told_apart(view, put)
    return tuple(move for here, move in moves.items() if taken in (None, here))


def _to_move(view: View) -> list[tuple[str, Figure, int]]:
    known: State = view.knows
    seat = hunter_to_act(known)
    if seat is None:
        return []
    return [(seat, figure, here) for figure in waiting(known, seat) if (here := known.figures[figure])]
