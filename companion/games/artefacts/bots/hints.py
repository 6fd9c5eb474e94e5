"""Why a choice is a good one, in a sentence, from what the seat that asks may know."""

from __future__ import annotations

from typing import Any

from companion.games.artefacts.actions import (
    Choose,
    Discard,
    Draw,
    End,
    Fight,
    Give,
    Lay,
    Pick,
    Step,
    Take,
    Teleport,
    Use,
)
from companion.games.artefacts.bots.ground import FAR, stops, walks, way
from companion.games.artefacts.bots.worth import home
from companion.games.artefacts.cards import card_word
from companion.games.artefacts.fate import carried
from companion.games.artefacts.laying import colour_word
from companion.games.artefacts.manor import Colour, Square
from companion.games.artefacts.state import Ghost, State, ghost_of
from companion.words import Saying


def only() -> Saying:
    """There is no choice."""
    return Saying("artefacts.hint_only")


def because(known: State, action: Any, after: State) -> Saying:
    """The reason for an action, seen from what comes of it."""
    match action:
        case Take():
            return Saying("artefacts.hint_take")
        case Lay(at=at):
            return _lay(known, after, at)
        case Discard():
            return Saying("artefacts.hint_discard")
        case Give(card=card):
            return Saying("artefacts.hint_give", card=card_word(card))
        case Choose(option=option):
            assert known.pending is not None
            return Saying(f"artefacts.hint_{known.pending.what}", at=known.pending.options[option])
    colour = known.active
    assert colour is not None
    match action:
        case Fight(ghost=id):
            return _fight(known, after, id)
        case Use(card=card):
            return Saying(f"artefacts.hint_use_{card}")
        case Draw():
            return Saying("artefacts.hint_draw")
        case Pick():
            return Saying("artefacts.hint_pick", n=_home(known, colour, known.pawns[colour]))
        case Step(to=at) | Teleport(to=at):
            return _go(known, colour, at)
        case End():
            return Saying("artefacts.hint_end")
    return only()


def _lay(known: State, after: State, at: Square) -> Saying:
    tile = next(tile for tile in after.manor if tile.at == at)
    if tile.kind == "artefact" and tile.colour is not None:
        steps, colour = _home(after, tile.colour, at), colour_word(tile.colour)
        return Saying("artefacts.hint_lay_artefact", at=at, n=steps, colour=colour)
    new = [ghost for ghost in after.ghosts if ghost not in known.ghosts]
    if tile.kind == "ghost" and new:
        turns = len(stops(way(after, new[0]), new[0].power))
        key = "artefacts.hint_lay_ghost" if turns else "artefacts.hint_lay_ghost_stays"
        return Saying(key, at=at, n=turns, ghost=_ghost_word(new[0]))
    return Saying("artefacts.hint_lay", at=at)


def _fight(known: State, after: State, id: str) -> Saying:
    foe = ghost_of(known, id)
    gone = all(ghost.id != id for ghost in after.ghosts)
    key = "artefacts.hint_fight" if gone else "artefacts.hint_weaken"
    return Saying(key, ghost=_ghost_word(foe), n=foe.power)


def _go(known: State, colour: Colour, at: Square) -> Saying:
    """What a hunter comes nearer to: the cross with an artefact, its artefact, or a ghost."""
    now, then = walks(known, colour, known.pawns[colour]), walks(known, colour, at)
    if carried(known, colour) and home(known, colour, then) < home(known, colour, now):
        return Saying("artefacts.hint_go_home", at=at, n=home(known, colour, then))
    lies = known.artefacts[colour].at
    if lies is not None and then.get(lies, FAR) < now.get(lies, FAR):
        return Saying("artefacts.hint_go_fetch", at=at, n=then[lies])
    nearer = [g for g in known.ghosts if not g.escaped and then.get(g.at, FAR) < now.get(g.at, FAR)]
    if nearer:
        foe = min(nearer, key=lambda ghost: then[ghost.at])
        return Saying("artefacts.hint_go_fight", at=at, ghost=_ghost_word(foe), n=then[foe.at])
    return Saying("artefacts.hint_go", at=at)


def _home(known: State, colour: Colour, at: Square) -> int:
    return home(known, colour, walks(known, colour, at))


def _ghost_word(ghost: Ghost) -> Saying:
    return Saying(f"artefacts.ghost_{ghost.id}")
