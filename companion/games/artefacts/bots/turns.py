"""A colour's turn thought through to its end: every way to spend its points, and what that leaves. CFA-22.

A card that is drawn, and a trap that springs, are taken for what they are worth on average; when it is known
what it was, the rest of the turn is thought through anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from companion.games.artefacts import hunters
from companion.games.artefacts.actions import Draw, End, Fight, Step
from companion.games.artefacts.bots.worth import WON
from companion.games.artefacts.manor import Colour
from companion.games.artefacts.state import UNSEEN, State

SPRUNG = 2.2
"""What it costs to spring a trap, measured by a vacuum."""

Rate = Callable[[State], float]


def rate(
    state: State, colour: Colour, sprung: float, worth: Rate, most: int, in_time: Callable[[], bool]
) -> dict[Any, float]:
    """For each first action the worth of the best end of the turn that it can lead to.

    `sprung` is what a trap costs; at most so many moments are thought through, the near ones first. A way to
    win ends it.
    """
    rates: dict[Any, float] = {}
    seen: dict[Any, int] = {}
    edge: list[tuple[State, Any, float]] = [(state, None, 0.0)]
    for here, first, paid in edge:
        value = worth(hunters.end(here)) - paid
        begun = End() if first is None else first
        rates[begun] = max(value, rates.get(begun, value))
        if value > WON - 1:
            return {begun: value}
        if len(seen) > most or not (first is None or in_time()):
            continue
        for action in _sensible(here, colour):
            after = hunters.act(here, colour, action, [])
            cost = paid
            if after.pending is not None:
                trap = isinstance(action, Step)
                cost += sprung if trap else 0.0
                after = replace(after, pending=None) if trap else _with_card(after, colour)
            key, left = _key(after, colour), after.points + after.moves
            if seen.get(key, -1) >= left:
                continue
            seen[key] = left
            edge.append((after, action if first is None else first, cost))
    return rates


def _sensible(state: State, colour: Colour) -> Iterator[Any]:
    """What a colour may do, without fights that kill it and without the many ways to do the same."""
    for action in hunters.legal_acts(state, colour):
        match action:
            case End():
                continue
            case Fight(crucifix=False, vacuums=vacuums, life=life, ghost=id):
                power = next(ghost.power for ghost in state.ghosts if ghost.id == id)
                most = min(state.hands[colour].count("vacuum"), power)
                if vacuums < most or life >= state.life[colour]:
                    continue
            case Draw() if state.options.draw_at_limit != "refuse" and len(state.hands[colour]) > 2:
                continue
        yield action


def _with_card(state: State, colour: Colour) -> State:
    """A card was drawn, whatever it is."""
    hand = (*state.hands[colour], UNSEEN)
    return replace(state, pending=None, hands={**state.hands, colour: hand})


def _key(state: State, colour: Colour) -> Any:
    """What makes two moments of a turn the same, but for the points that are left."""
    return (
        state.pawns[colour],
        state.spent,
        state.hands[colour],
        tuple(state.life.values()),
        state.ghosts,
        tuple(state.artefacts.values()),
    )
