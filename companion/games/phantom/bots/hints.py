"""Why a strong player would do something, in words."""

from __future__ import annotations

from typing import Any

from companion.bots import Hint
from companion.contract import Seat
from companion.games.phantom import worlds
from companion.games.phantom.actions import Bid, Hide, Place, Remove
from companion.games.phantom.belief import Opinion
from companion.games.phantom.board import COLOURS, in_set
from companion.games.phantom.bots.hunters import Hunt, room_chances
from companion.games.phantom.setup import colour_word
from companion.games.phantom.state import Seen, State
from companion.games.phantom.view import role
from companion.words import Saying

CERTAIN, FEW, LIKELY = 0.999, 3, 0.12


def before_the_hunt(known: State, seat: Seat, action: Any) -> Hint:
    """Why to lay, bid or hide like this."""
    match action:
        case Place(room=room) if role(known, seat):
            return Hint(action, Saying(f"phantom.hint_lay_{role(known, seat)}", room=room))
        case Bid(thousands=thousands):
            return Hint(action, Saying("phantom.hint_bid", thousands=thousands))
        case Hide(room=room):
            return Hint(action, Saying("phantom.hint_hide", room=room))
    return Hint(action, Saying("phantom.hint_nothing_else"))


def of_hunter(hunt: Hunt, opinion: Opinion, action: Remove) -> Hint:
    """Why to lift this tile: who is likely there, or how little it costs to know."""
    room, number = action.room, opinion.here.colour_of.get(action.room)
    chance = room_chances(hunt, opinion)[room]
    if number is None or chance < LIKELY:
        return Hint(action, Saying("phantom.hint_cheap", room=room))
    ghost = colour_word(COLOURS[number])
    others = sorted(opinion.chances(hunt.found)[number])
    if chance >= CERTAIN or len(others) == 1:
        return Hint(action, Saying("phantom.hint_certain", room=room, ghost=ghost))
    if len(others) <= FEW:
        return Hint(action, Saying("phantom.hint_two", room=room, ghost=ghost, rooms=tuple(others)))
    likely = Saying(
        "phantom.hint_likely", room=room, ghost=ghost, percent=round(100 * chance), value=hunt.values[room]
    )
    return Hint(action, likely)


def of_master(known: State, seat: Seat, hunt: Hunt, action: Remove) -> Hint:
    """Why to devastate this tile: it wins, or it leaves many rooms in doubt."""
    room, value = action.room, hunt.values[action.room]
    if value >= hunt.left:
        return Hint(action, Saying("phantom.hint_wins", room=room, value=value))
    facts = (*known.facts, Seen(seat, room, hunt.tiles, hunt.found, None))
    sets, here = worlds.possible(facts), worlds.spots(known.facts[0])
    left = [r for r in in_set(hunt.tiles) if any(bits & here.hides(r, hunt.found) for bits in sets)]
    return Hint(action, Saying("phantom.hint_quiet", room=room, value=value, n=len(left)))
