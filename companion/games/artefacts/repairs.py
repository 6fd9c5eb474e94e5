"""Setting things straight: a game entered midway, and the moderator's repair."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from companion.contract import Told
from companion.games.artefacts import fate
from companion.games.artefacts.actions import Fixes, Position, Repair
from companion.games.artefacts.course import go_on
from companion.games.artefacts.events import Repaired
from companion.games.artefacts.manor import COLOURS
from companion.games.artefacts.options import Options, check
from companion.games.artefacts.position import as_entered, position_of
from companion.games.artefacts.problems import faults
from companion.games.artefacts.state import State, escaped, to_act
from companion.refusals import Illegal
from companion.words import Saying


def enter(options: Options, position: Position) -> State:
    """A game already under way: its end is judged at once, or the turn goes on."""
    if position.phase != "over":
        return resume(options, position, [])
    state = checked(options, position)
    result = fate.judge(state) or position.result
    if result is None:
        raise Illegal("artefacts.not_over")
    return replace(state, result=result)


def resume(options: Options, position: Position, told: list[Told], check_turn: bool = True) -> State:
    """Go on from a table as it lies."""
    state = go_on(checked(options, position), told)
    if check_turn and state.result is None and set(position.to_act) != set(to_act(state)):
        raise Illegal("artefacts.whose_turn", seats=to_act(state))
    return state


def checked(options: Options, position: Position) -> State:
    """The state a position tells of, or a refusal that names every problem."""
    check(options)
    state = as_entered(options, position)
    found = faults(state)
    for pile, n in (("tiles", len(state.pile)), ("objects", state.objects), ("traps", state.traps)):
        left, said = n if isinstance(n, int) else sum(n.values()), getattr(position.piles, pile)
        if said not in (None, left):
            found.append(Saying(f"artefacts.wrong_{pile}", told=said, n=left))
    if position.escaped != escaped(state):
        found.append(Saying("artefacts.wrong_escaped", told=position.escaped, n=escaped(state)))
    if found:
        raise Illegal("artefacts.cannot_be", problems=tuple(found))
    return state


def repair(state: State, action: Repair, told: list[Told]) -> State:
    """Set facts straight; what is not named stays as it is. The table learns that it happened."""
    fixes = action.set
    if state.phase == "over" and fixes.phase is UNSET:
        raise Illegal("artefacts.repair_phase")
    options = state.options if fixes.box is UNSET else replace(state.options, box=fixes.box)
    position = _mended(position_of(state), fixes)
    told.append(Repaired())
    return resume(options, position, told, check_turn=fixes.to_act is not UNSET)


def _without_the_gone(position: Position, ids: set[str]) -> dict[str, Any]:
    """A ghost that is not there has not moved, and nobody is asked where it goes."""
    kept: dict[str, Any] = {"moved": tuple(id for id in position.moved if id in ids)}
    if position.stepping is not None and position.stepping.ghost not in ids:
        kept["stepping"] = None
    waiting = position.pending
    if waiting is not None and (waiting.ghost not in (None, *ids) or not {*waiting.ghosts} <= ids):
        kept["pending"] = None
    return kept


def _mended(position: Position, fixes: Fixes) -> Position:
    """The position with what the moderator names; of a colour only what is named changes."""
    named: dict[str, Any] = {name: fix for name, fix in asdict(fixes).items() if fix is not UNSET}
    named.pop("box", None)
    for name in ("pawns", "life", "hands", "artefacts", "held"):
        if name in named:
            named[name] = {**getattr(position, name), **named[name]}
    if "ghosts" in named:
        named |= _without_the_gone(position, {ghost.id for ghost in named["ghosts"]})
    if "to_act" in named:
        named["active"] = next((seat for seat in named["to_act"] if seat in COLOURS), None)
    mended = replace(position, **{**named, "result": None})
    counted = sum(ghost.escaped for ghost in mended.ghosts)
    return mended if "escaped" in named else replace(mended, escaped=counted)
