"""Why a choice is a good one, in a sentence, from what the seat that asks may know."""

from __future__ import annotations

from typing import Any

from companion.games.canterville import ground as grounds
from companion.games.canterville.actions import (
    Cheat,
    Frame,
    Lock,
    Move,
    Pause,
    Start,
    Stay,
    Trap,
    Unlock,
    Walk,
)
from companion.games.canterville.belief import Chances
from companion.games.canterville.bots.hunters import Hunt, Weighing, prowled
from companion.games.canterville.options import animal_word
from companion.games.canterville.state import State, room_of
from companion.words import Saying

NAMED = 3
"""So many rooms are named at most."""


def only() -> Saying:
    """There is no choice."""
    return Saying("canterville.hint_only")


def because(known: State, action: Any, hunt: Hunt | None) -> Saying:
    """The reason for an action; `hunt` is what the one who asks makes of the hunt, once it has begun."""
    if not known.options.ways.mapped:
        return Saying("canterville.hint_no_map")
    match action:
        case Start(room=room, figure=figure):
            return _start(known, room, figure is None)
        case Frame(animal=animal):
            frame = known.frames[animal]
            return Saying("canterville.hint_frame", n=frame.size - frame.taken, animal=animal_word(animal))
    assert hunt is not None
    match action:
        case Walk(room=room):
            return _walk(hunt, room)
        case Stay(figure=figure):
            return _watches("canterville.hint_stay", hunt, known.figures[figure] or 0)
        case Unlock():
            return Saying("canterville.hint_unlock", room=known.locked)
        case Trap(room=room):
            return Saying("canterville.hint_trap", room=room, percent=_percent(_going(hunt).get(room, 0.0)))
        case Lock(room=room):
            return Saying("canterville.hint_lock", room=room)
        case Pause():
            return _hidden(
                hunt, room_of(known.route) or 0, "canterville.hint_pause", "canterville.hint_pause_near"
            )
        case Move(room=room):
            return _hidden(hunt, room, "canterville.hint_move", "canterville.hint_move_near")
        case Cheat(room=room):
            return _hidden(hunt, room, "canterville.hint_cheat", "canterville.hint_cheat_near")
    return only()


def _start(known: State, room: int, max_: bool) -> Saying:
    figures = tuple(each for each in known.figures.values() if each is not None)
    castle = grounds.ground(known)
    if max_:
        steps, ways = castle.nearest(figures)[room], len(castle.next[room])
        return Saying("canterville.hint_start_max", room=room, n=steps, ways=ways)
    far = castle.nearest((*figures, room))
    return Saying("canterville.hint_start", room=room, n=max(far[other] for other in castle.rooms))


def _walk(hunt: Hunt, room: int) -> Saying:
    chance, rooms = hunt.chances.get(room, 0.0), len(hunt.chances)
    if rooms == 1 and chance:
        return Saying("canterville.hint_there", room=room)
    if chance:
        return Saying("canterville.hint_look", room=room, percent=_percent(chance), n=rooms)
    return _watches("canterville.hint_watch", hunt, room)


def _watches(key: str, hunt: Hunt, room: int) -> Saying:
    """From a room a figure gets to where Max may be next; or at least nearer to where he is likely."""
    going = _going(hunt)
    beside = [other for other in hunt.castle.walks[room] if going.get(other)]
    if beside:
        return Saying(key, room=room, rooms=_likeliest(going, beside))
    return Saying("canterville.hint_nearer", room=room, rooms=_likeliest(hunt.chances, list(hunt.chances)))


def _hidden(hunt: Hunt, room: int, alone: str, near: str) -> Saying:
    """Whether a figure can walk in, and how much they expect Max there."""
    beside = any(room in hunt.castle.walks[figure] for figure in hunt.waiting)
    percent = _percent(_going(hunt).get(room, 0.0))
    return Saying(near if beside else alone, room=room, percent=percent)


def _going(hunt: Hunt) -> Chances:
    going, _ = prowled(hunt, hunt.chances, hunt.figures(hunt.waiting), Weighing())
    return going


def _likeliest(chances: Chances, rooms: list[int]) -> tuple[int, ...]:
    best = sorted(rooms, key=lambda room: -chances[room])[:NAMED]
    return tuple(sorted(best))


def _percent(chance: float) -> int:
    """For people: never 0 for what may be, never 100 for what need not."""
    return min(max(round(100 * chance), 1), 99) if 0 < chance < 1 else round(100 * chance)
