"""The castles that the tests play in, and short ways to play in them.

The small castle is synthetic, like everything here; `*` are lockable doors (of rooms 12 and 51).

    42-43-44-53      Max goes through every wall; a figure has no way between
    |                2 and 13, 13 and 43, 14 and 44, 51 and 53, and none from 1 to 54.
    12*13-14*51
    |     |   |
    1--2--3--54
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion.contract import MODERATOR, PUBLIC, plain, read, read_options
from companion.games.canterville import GAME
from companion.games.canterville.state import State, room_of
from companion.refusals import Refusal

GRID = ((42, 43, 44, 53), (12, 13, 14, 51), (1, 2, 3, 54))
BESIDE = [[row[n], row[n + 1]] for row in GRID for n in range(3)]
ABOVE = [[upper[n], lower[n]] for upper, lower in pairwise(GRID) for n in range(4)]
WALKS = [
    [1, 2], [2, 3], [3, 54], [1, 12], [12, 13], [13, 14], [14, 51], [51, 54], [3, 14],
    [12, 42], [42, 43], [43, 44], [44, 53],
]  # fmt: skip
SMALL: dict[str, Any] = {
    "rooms": sorted(room for row in GRID for room in row),
    "walls": BESIDE + ABOVE,
    "walks": WALKS,
    "doors": {"12": 13, "51": 14},
}
"""The 12-room castle of the test vectors."""

FRAMES = {"cats": 4, "hedgehogs": 6, "owls": 5, "bats": 4, "mice": 5}


def new(**options: Any) -> State:
    """A game in the small castle with all frames told."""
    filled = {"castle": SMALL, "frames": FRAMES, **options}
    return GAME.start(read_options(GAME, filled))


def position(**fields: Any) -> dict[str, Any]:
    """A game under way in the small castle: Max shown on 13, figures a on 1 and b on 53, his turn."""
    room = fields.pop("room", 13)
    shown = fields.pop("shown", True)
    cards = {"x2": 2, "pause": 2, "chimney": False, "door": False, "trap": False}
    cards |= {name: fields.pop(name) for name in list(fields) if name in cards and name != "trap"}
    cards["trap"] = fields.pop("holder", False)
    filled: dict[str, Any] = {
        "phase": "max",
        "to_act": ["max"],
        "figures": {"a": 1, "b": 53},
        "max": {"room": room, "shown": shown},
        "route": [room],
        "visited": [room],
        "cards": cards,
        "frames": {"cats": {"size": 4, "taken": 0}, "hedgehogs": {"size": 6, "taken": 0}},
        "frame": "cats",
        "trap": None,
        "locked": None,
    }
    return filled | fields


def enter(options: dict[str, Any] | None = None, **fields: Any) -> State:
    """That game, entered; h1 has figure a, h2 figure b."""
    typed = read_options(GAME, {"castle": SMALL, "hunters": 4, **(options or {})})
    return GAME.enter(typed, read(position(**fields), GAME.position, "position"))


def act(state: State, seat: str, type_: str, **fields: Any) -> State:
    """The state after an action."""
    return tell(state, seat, type_, **fields)[0]


def tell(state: State, seat: str, type_: str, **fields: Any) -> tuple[State, tuple[Any, ...]]:
    """The state after an action, and everything that happened."""
    action = read({"type": type_, **fields}, GAME.action, "action")
    return GAME.apply(state, seat, action)


def play(state: State, script: str) -> State:
    """Several actions: `max 14; a 1>2; b stay; b unlock; max pause; max cheat 13; max lock 12; trap 3`."""
    for line in filter(None, (part.strip() for part in script.split(";"))):
        state = _one(state, line.split())
    return state


def _one(state: State, words: list[str]) -> State:
    match words:
        case ["max", "pause"]:
            return act(state, "max", "pause")
        case ["max", ("cheat" | "lock") as what, room]:
            return act(state, "max", what, room=int(room))
        case ["max", room]:
            return act(state, "max", "start" if state.phase == "starting" else "move", room=int(room))
        case ["trap", room]:
            return act(state, state.holder or "h1", "trap", room=int(room))
        case [figure, ("stay" | "unlock") as what]:
            return act(state, owner(state, figure), what, figure=figure)
        case [figure, way]:
            room = int(way.split(">")[-1])
            what = "start" if state.phase == "starting" else "walk"
            return act(state, owner(state, figure), what, figure=figure, room=room)
        case [animal]:
            return act(state, GAME.to_act(state)[0], "frame", animal=animal)
    raise ValueError(words)


def owner(state: State, figure: str) -> str:
    """Whose figure it is, as everybody sees."""
    return next(seat for seat, own in GAME.view(state, PUBLIC).shows.owners.items() if figure in own)


def refusal(state: State, seat: str, type_: str, **fields: Any) -> str | None:
    """The rule that refuses an action."""
    with pytest.raises(Refusal) as refused:
        act(state, seat, type_, **fields)
    assert refused.value.message()
    return refused.value.rule


def options_of(state: State, seat: str, type_: str) -> list[Any]:
    """The rooms (or whatever they choose) of a seat's legal actions of one type, in order."""
    found = [plain(action) for action in GAME.legal(state, seat)]
    names = ("room", "animal", "figure")
    return [
        next((action[name] for name in names if name in action), None)
        for action in found
        if action["type"] == type_
    ]


def max_room(state: State) -> int | None:
    """Where Max really is."""
    return room_of(state.route)


def shows(state: State, seat: str = PUBLIC) -> Any:
    """What a seat sees."""
    return GAME.view(state, seat).shows


def truth(state: State) -> Any:
    """Everything."""
    return shows(state, MODERATOR)


def possible_rooms(state: State) -> set[int]:
    """Where Max can be, for all the hunters know."""
    return {room for room, share in GAME.odds(GAME.view(state, PUBLIC)).rooms.items() if share}


# Castles nobody has thought of


def random_castle(chance: Random, size: int) -> dict[str, Any]:
    """Some rooms in a ring with walls across: always the passage, the chimney and a few red doors."""
    always = [1, 54, 42, 53, 12, 51]
    others = [room for room in range(2, 53) if room not in always]
    rooms = always + chance.sample(others, size - len(always))
    chance.shuffle(rooms)
    walks = {tuple(sorted((rooms[n - 1], rooms[n]))) for n in range(1, size)}
    walls = set()
    for _ in range(size):
        one, two = chance.sample(rooms, 2)
        (walls if chance.random() < 0.7 else walks).add((min(one, two), max(one, two)))
    doors = {}
    for room in (12, 17, 24, 30, 34, 37, 45, 51):
        beyond = [sum(walk) - room for walk in sorted(walks) if room in walk]
        if beyond and chance.random() < 0.9:
            doors[str(room)] = chance.choice(beyond)
    return {
        "rooms": sorted(rooms),
        "walls": [list(way) for way in sorted(walls)],
        "walks": [list(way) for way in sorted(walks)],
        "doors": doors,
    }


def random_options(chance: Random, size: int, largest: int = 4) -> dict[str, Any]:
    """A table with all cards in a castle of its own, and whatever else the rules leave to it."""
    hunters = chance.randint(1, 4)
    return {
        "hunters": hunters,
        "castle": random_castle(chance, size),
        "frames": {animal: chance.randint(1, largest) for animal in FRAMES},
        "chimney": True,
        "door": True,
        "trap": f"h{chance.randint(1, hunters)}",
        "x2": chance.randint(1, 2),
        "pause": chance.randint(0, 2),
        "x2_card_handling": chance.choice(["app_hidden", "app_hidden", "take_from_row"]),
        "x2_target": chance.choice(["any_visited", "any_visited", "not_previous_room"]),
        "frame_locked": chance.choice([True, True, "free_kind_each_round"]),
        "door_scope": chance.choice(["single_edge", "all_doors_of_room"]),
        "unlock_side": chance.choice(["either", "listed_room_only"]),
        "unlock_same_round_for_others": chance.random() < 0.5,
        "door_uses": chance.choice([1, 1, 2]),
        "trap_where": chance.choice(["any_room", "own_room", "own_or_adjacent"]),
        "trap_when": chance.choice(["own_turn", "own_turn", "any_time_between_turns"]),
        "trap_on_occupied": chance.choice(["no_effect", "no_effect", "reveal"]),
    }
