"""Looking ahead, for players who help each other: what the end of the turn would bring, and what to fear.

Pure functions of a view. What they return is data, and `telling.tell` says it in a person's language.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.contract import Event, View
from companion.games.artefacts import ghosts
from companion.games.artefacts.box import ObjectCard
from companion.games.artefacts.cards import ask_for_object, legal_drawn
from companion.games.artefacts.hunters import why_no_draw
from companion.games.artefacts.manor import COLOURS, Colour, Square
from companion.games.artefacts.options import ESCAPES
from companion.games.artefacts.paths import reached, ways
from companion.games.artefacts.routes import heading_of, next_steps, to_centre
from companion.games.artefacts.state import Ghost, State, Stepping, escaped, free_dice
from companion.games.artefacts.stock import chalices


class Fork(Event, frozen=True, tag="fork"):
    """A ghost stands where the leader will choose its way. CFA-Q4."""

    ghost: str
    options: tuple[Square, ...]


class TrapAhead(Event, frozen=True, tag="trap_ahead"):
    """A ghost will set off a trap that befalls its colour; what it does nobody knows. CFA-41."""

    ghost: str
    colour: Colour


class Fear(msgspec.Struct, frozen=True):
    """Something to fear: `lost` if it would end the game."""

    what: Literal["escape", "last_escape", "dice", "no_dice", "chalice"]
    ghost: str | None = None
    n: int = 0
    lost: bool = False


class Ahead(msgspec.Struct, frozen=True):
    """Everything that can be foreseen from a view, for the pages that help."""

    preview: tuple[Event, ...]
    warnings: tuple[Fear, ...]
    routes: dict[str, tuple[Square, ...]]
    reach: dict[Colour, tuple[Square, ...]]
    walks: tuple[tuple[Square, ...], ...] = ()
    """The shortest way to each square that whoever acts can walk to now."""
    draws: tuple[ObjectCard, ...] = ()
    """What whoever acts may draw now from a real pile."""


def ahead(view: View) -> Ahead:
    """What the end of the turn would bring, what to fear, and who can go where."""
    return Ahead(preview(view), warnings(view), routes(view), reach(view), walks(view), draws(view))


def preview(view: View) -> tuple[Event, ...]:
    """What would happen if the turn ended now, in the order of the table. CFA-23, CFA-50 to CFA-53."""
    known: State = view.knows
    if known.result is not None:
        return ()
    state, told = _at_the_end(known), list[Event]()
    while (after := ghosts.move_on(state, told)) is not None:  # type: ignore[arg-type]
        if after.result is not None:
            return tuple(told)
        state = _past_the_unknown(after, told)
    ghosts.grow(state, told)  # type: ignore[arg-type]
    return tuple(told)


def _at_the_end(known: State) -> State:
    if known.phase == "ending":
        return _past_the_unknown(known, [])
    return replace(known, phase="ending", pending=None, moved=(), stepping=None)


def _past_the_unknown(state: State, told: list[Event]) -> State:
    """Note what cannot be foreseen, and look on as if it did nothing: a ghost at a fork stays."""
    pending = state.pending
    if pending is None:
        return state
    state = replace(state, pending=None)
    if pending.what == "fork" and pending.ghost is not None:
        told.append(Fork(pending.ghost, pending.options))
        return replace(state, stepping=Stepping(pending.ghost, 0))
    if pending.what == "order":
        return ghosts.set_off(state, pending.ghosts[0])
    if pending.what == "trap" and pending.ghost is not None and pending.colour is not None:
        told.append(TrapAhead(pending.ghost, pending.colour))
    return state


# For the map


def routes(view: View) -> dict[str, tuple[Square, ...]]:
    """The squares each ghost will pass as things are: to the centre, or to where the leader chooses."""
    known: State = view.knows
    return {ghost.id: _route(known, ghost) for ghost in known.ghosts}


def _route(known: State, ghost: Ghost) -> tuple[Square, ...]:
    passed: list[Square] = []
    while not ghost.escaped and len(ways := next_steps(known, ghost)) == 1:
        passed.append(ways[0])
        ghost = replace(ghost, at=ways[0], heading=heading_of(ghost.at, ways[0]))
    return tuple(passed)


def reach(view: View) -> dict[Colour, tuple[Square, ...]]:
    """The squares that a path connects to each pawn: from there it may lay a tile. CFA-30, CFA-Q14."""
    known: State = view.knows
    return {colour: tuple(sorted(reached(known, colour))) for colour in COLOURS}


# For whoever acts


def walks(view: View) -> tuple[tuple[Square, ...], ...]:
    """The shortest way to each square that the points of whoever acts suffice for. CFA-22."""
    known: State = view.knows
    colour = _acting(known)
    return tuple(ways(known, colour, known.points + known.moves).values()) if colour else ()


def draws(view: View) -> tuple[ObjectCard, ...]:
    """The cards that whoever acts may draw now, where a person draws and tells. CFA-22."""
    known: State = view.knows
    colour = _acting(known)
    if colour is None or known.options.decks == "virtual" or why_no_draw(known, colour):
        return ()
    return tuple(drawn.card for drawn in legal_drawn(ask_for_object(known, colour, [])))


def _acting(known: State) -> Colour | None:
    return known.active if known.phase == "acting" and not (known.pending or known.result) else None


# Fears


def warnings(view: View) -> tuple[Fear, ...]:
    """What the table should fear: a ghost about to escape, dice running out, no chalice left."""
    known: State = view.knows
    if known.result is not None:
        return ()
    return (*_escapes(known), *_dice(known), *_chalice(known))


def _escapes(known: State) -> list[Fear]:
    """The ghosts that reach the centre at this turn's end, however the leader chooses. CFA-50, CFA-71."""
    found: list[Fear] = []
    for ghost in known.ghosts:
        away = to_centre(known, ghost) if not ghost.escaped and ghost.id not in known.moved else None
        if away is not None and away <= ghosts.speed(ghost):
            n = escaped(known) + len(found) + 1
            what: Literal["escape", "last_escape"] = "last_escape" if n >= ESCAPES else "escape"
            found.append(Fear(what, ghost.id, n, lost=n >= ESCAPES))
    return found


def _dice(known: State) -> list[Fear]:
    """One die left, or none: the next ghost may be the end. CFA-71, CFA-Q10."""
    free = sum(free_dice(known).values())
    last = 0 if known.options.out_of_dice == "when_needed" else 1
    if free <= last:
        return [Fear("no_dice", n=free, lost=True)]
    return [Fear("dice", n=free)] if free == last + 1 else []


def _chalice(known: State) -> list[Fear]:
    """No chalice is left: who dies without his artefact loses the game for all. CFA-71, CFA-Q34."""
    waiting = any(not artefact.picked for artefact in known.artefacts.values())
    return [Fear("chalice")] if waiting and not chalices(known) else []
