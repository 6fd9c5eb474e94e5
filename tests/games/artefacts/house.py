"""Tables to try things at: the corridors of the rules file as positions, and games played by chance."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.contract import TABLE, Event, heard, plain, read, read_options
from companion.games.artefacts import GAME
from companion.games.artefacts.box import INVENTED
from companion.games.artefacts.state import State
from companion.refusals import Refusal

Data = dict[str, Any]
Square = tuple[int, int]

COLOURS = ("blue", "red", "yellow", "green")
ARMS = {"blue": (0, 1), "red": (1, 0), "yellow": (0, -1), "green": (-1, 0)}
WIDE: Data = {
    "label": "many open tiles, for tests",
    "tiles": [
        {"kind": "plain", "exits": "NESW", "count": 20},
        {"kind": "plain", "exits": "NES", "count": 4},
        {"kind": "trap", "exits": "NESW", "count": 6},
        {"kind": "teleporter", "exits": "NESW", "count": 6},
        {"kind": "ghost", "exits": "NESW", "count": 8},
        *({"kind": "artefact", "colour": colour, "exits": "NESW"} for colour in COLOURS),
    ],
    "objects": {"vacuum": 12, "crucifix": 3, "chalice": 3, "kit": 5, "energy_bar": 4, "teleportable": 4},
    "traps": {"hole": 3, "wound": 3, "prankster": 3, "ghost": 3},
}
COUNTED: Data = {**plain(INVENTED), "label": "the invented box, as if somebody had counted it", "unknown": []}
CORRIDORS = [
    (x * far, y * far) for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0)) for far in (2, 3, 4)
]  # fmt: skip
"""Set-up S: straight corridors of three tiles on all four sides."""


def tile(at: Square, kind: str = "plain", exits: str = "NESW", colour: str | None = None) -> Data:
    """A tile of the manor, told without a name."""
    return {"at": at, "kind": kind, "exits": exits, "colour": colour}


def corridors(*more: Data | Square) -> list[Data]:
    """Set-up S, with more tiles; one on a square of S takes the place of the plain one."""
    extra = [each if isinstance(each, dict) else tile(each) for each in more]
    taken = {tuple(each["at"]) for each in extra}
    return [tile(at) for at in CORRIDORS if at not in taken] + extra


def ghost(colour: str, at: Square, power: int = 2, n: int = 1, heading: str | None = None) -> Data:
    """A ghost of a position."""
    return {"id": f"{colour}{n}", "colour": colour, "power": power, "at": at, "heading": heading}


def enter(options: Data | None = None, **changes: Any) -> State:
    """Set-up S in the action phase of the first turn, blue to act, but for what is named."""
    phase = changes.get("phase", "acting")
    ghosts = changes.get("ghosts", [])
    position = {
        "phase": phase,
        "to_act": ["blue"],
        "open": [],
        "manor": corridors(),
        "pawns": {},
        "ghosts": ghosts,
        "life": {},
        "hands": {},
        "artefacts": {},
        "leader": "blue",
        "points": 3 if phase == "acting" else 0,
        "escaped": sum(tuple(each["at"]) == (0, 0) for each in ghosts),
        "piles": {},
        "pending": None,
        **changes,
    }
    position["pawns"] = {**ARMS, **position["pawns"]}
    position["life"] = {**dict.fromkeys(COLOURS, 3), **position["life"]}
    told = read_options(GAME, {"box": WIDE, **(options or {})})
    return GAME.enter(told, read(plain(position), GAME.position, "position"))


def start(**options: Any) -> State:
    """A game from its beginning."""
    return GAME.start(read_options(GAME, options))


def act(state: State, seat: str, type: str, **fields: Any) -> State:
    """The state after an action."""
    return acted(state, seat, type, **fields)[0]


def acted(state: State, seat: str, type: str, **fields: Any) -> tuple[State, list[Event]]:
    """The state after an action, and what that seat heard."""
    action = read(plain({"type": type, **fields}), GAME.action, "action")
    after, told = GAME.apply(state, seat, action)
    return after, list(heard(told, seat))


def refused(state: State, seat: str, type: str, **fields: Any) -> Refusal:
    """Why an action is refused; it must not be among the legal ones either."""
    action = read(plain({"type": type, **fields}), GAME.action, "action")
    assert action not in GAME.legal(state, seat)
    with pytest.raises(Refusal) as caught:
        GAME.apply(state, seat, action)
    assert " " in caught.value.message()
    return caught.value


def legal(state: State, seat: str, type: str) -> list[Data]:
    """The legal actions of one type, as plain data without it."""
    found = [plain(action) for action in GAME.legal(state, seat)]
    return [{k: v for k, v in each.items() if k != "type"} for each in found if each["type"] == type]


def end_turn(state: State) -> State:
    """Everybody ends his turn; the ghosts go."""
    round = state.round
    while state.round == round and state.result is None and state.phase == "acting":
        state = act(state, state.active or "", "end")
    return state


def shows(state: State, seat: str = "public") -> Any:
    """What a seat is shown."""
    return GAME.view(state, seat).shows


def tags(events: list[Event]) -> list[str]:
    """The types of what happened."""
    return [plain(event)["type"] for event in events]


def where(state: State, id: str) -> Square:
    """Where a ghost is."""
    return next(ghost.at for ghost in state.ghosts if ghost.id == id)


def power(state: State) -> dict[str, int]:
    """The power of every ghost."""
    return {ghost.id: ghost.power for ghost in state.ghosts}


def playing(seed: int, **options: Any) -> Iterator[tuple[State, str, Any]]:
    """A game played by chance: each state, who acts in it, and how. The last has nobody."""
    chance = Random(seed)
    state = start(**options)
    while waiting := GAME.to_act(state):
        seat = chance.choice(waiting)
        drawn = GAME.chance(state, chance) if seat == TABLE else None
        action = drawn or chance.choice(GAME.legal(state, seat))
        yield state, seat, action
        state, _ = GAME.apply(state, seat, action)
    yield state, "", None
