"""Whose turn it is. GJ-21, GJ-22, GJ-30."""

from __future__ import annotations

from companion.contract import TABLE, Seat
from companion.games.canterville.options import MAX, Figure
from companion.games.canterville.state import State, hunter_to_act, own_figures


def unplaced(state: State, seat: Seat) -> list[Figure]:
    """The figures that a hunter has yet to put on the board."""
    return [figure for figure in own_figures(state, seat) if state.figures[figure] is None]


def movers(state: State) -> tuple[Seat, ...]:
    """Who may act now. The trap's holder may join in, if the table agreed to that. GJ-30, GJ-Q18."""
    mover = awaited(state)
    if state.phase not in ("max", "hunters") or state.doubt is not None:
        return mover
    holder = state.holder if state.options.trap_when == "any_time_between_turns" else None
    return (*mover, holder) if holder is not None and holder not in mover else mover


def awaited(state: State) -> tuple[Seat, ...]:
    """Whom the game waits for; while a step is in doubt that is Max alone. GJ-30, GJ-Q22."""
    if state.doubt is not None and state.phase != "over":
        return (MAX,)
    match state.phase:
        case "starting":
            return _placing(state) if state.drawn else (TABLE,)
        case "framing":
            return state.options.hunter_seats
        case "over":
            return ()
    mover = MAX if state.phase == "max" else hunter_to_act(state)
    assert mover is not None
    return (mover,)


def _placing(state: State) -> tuple[Seat, ...]:
    """All hunters with figures left to place, and then Max. GJ-21, GJ-22."""
    return tuple(seat for seat in state.options.hunter_seats if unplaced(state, seat)) or (MAX,)
