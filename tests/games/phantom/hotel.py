"""The board that most tests play on, and short ways to play on it.

Rooms go by row and column, `B3`; seats by number. The four quarters are blue, red, green and white, and each
has the values 1 2 3 / 4 5 6 / 3 2 1. These are not the values of any printed box.
"""

from __future__ import annotations

from typing import Any

from companion.contract import read, read_options
from companion.games.phantom import GAME
from companion.games.phantom.actions import Found, Hide, Pass, Remove
from companion.games.phantom.state import State

QUARTER = (1, 2, 3, 4, 5, 6, 3, 2, 1)
GHOSTS = {"blue": "B2", "red": "C4", "green": "D3", "white": "E5"}
OWNERS = {"blue": "p2", "white": "p2", "red": "p4", "green": "p4"}
OWNERS_BY_PLAYERS = {
    2: dict.fromkeys(GHOSTS, "p2"),
    3: {"blue": "p2", "white": "p2", "red": "p3", "green": "p3"},
    4: OWNERS,
}
"""p2 is the first master, p3 the hunter on his left, p4 the second master, p1 the other hunter."""


def room(name: str) -> int:
    """The number of a room from its name, `B3` is 9."""
    return 6 * "ABCDEF".index(name[0]) + int(name[1])


def name(number: int) -> str:
    """The name of a room from its number."""
    return "ABCDEF"[(number - 1) // 6] + str((number - 1) % 6 + 1)


def names(numbers: Any) -> str:
    """Several rooms by name, in order."""
    return " ".join(name(number) for number in sorted(numbers))


def _tile(number: int) -> tuple[str, int]:
    row, column = divmod(number - 1, 6)
    colour = (("blue", "red"), ("green", "white"))[row // 3][column // 3]
    return colour, QUARTER[3 * (row % 3) + column % 3]


LAYOUT = [_tile(number) for number in range(1, 37)]


def new(**options: Any) -> State:
    """A game with the board laid, unless the options say otherwise."""
    return GAME.start(read_options(GAME, {"layout": LAYOUT, **options}))


def hunt(ghosts: dict[str, str] | None = None, owners: dict[str, str] | None = None, **options: Any) -> State:
    """A game at its first ghost turn, with the ghosts where they are told to be."""
    players = options.get("players", 4)
    state = new(owners=owners or OWNERS_BY_PLAYERS[players], **options)
    return hidden(state, ghosts or GHOSTS, owners or OWNERS_BY_PLAYERS[players])


def hidden(state: State, ghosts: dict[str, str], owners: dict[str, str]) -> State:
    """The same game when all four ghosts have been hidden."""
    for colour, where in ghosts.items():
        state = after(state, owners[colour], Hide(colour, room(where)))  # type: ignore[arg-type]
    return state


def after(state: State, seat: str, action: Any) -> State:
    """The state after one action."""
    return GAME.apply(state, seat, action)[0]


def told(state: State, seat: str, action: Any) -> list[Any]:
    """What happened at an action."""
    return list(GAME.apply(state, seat, action)[1])


def play(state: State, *turns: str) -> State:
    """The state after turns such as `p2 B3`, `p4 pass` or, by honour, `p2 B3 red`."""
    for turn in turns:
        state = after(state, *_move(turn)[0])
        for seat, action in _move(turn)[1:]:
            state = after(state, seat, action)
    return state


def _move(turn: str) -> list[tuple[str, Any]]:
    seat, what, *found = turn.split()
    first = (seat, Pass() if what == "pass" else Remove(room(what)))
    return [first, *((seat, Found(None if ghost == "none" else ghost)) for ghost in found)]  # type: ignore[arg-type]


def aims(state: State, seat: str) -> str:
    """The rooms a seat may remove, or `pass` if that is all."""
    moves = GAME.legal(state, seat)
    if Pass() in moves:
        moves = [move for move in moves if move != Pass()]
        return ("pass " + names(move.room for move in moves)).strip()
    return names(move.room for move in moves)


def position(
    rooms: str = "", ghosts: dict[str, Any] | None = None, players: int = 4, **fields: Any
) -> dict[str, Any]:
    """A position as plain data: all rooms but those named, ghosts as `B2 p2` or `B2 p2 found`."""
    gone = {room(each) for each in rooms.split()}
    owners = OWNERS_BY_PLAYERS[players]
    told = {colour: f"{where} {owners[colour]}" for colour, where in GHOSTS.items()} | (ghosts or {})
    return {
        "rooms": [
            None if number in gone else {"colour": colour, "value": value}
            for number, (colour, value) in enumerate(LAYOUT, start=1)
        ],
        "ghosts": {colour: _ghost(where) for colour, where in told.items()},
        "damage": 0,
        "to_act": ["p2"],
        "objective": 45,
        "players": players,
        **fields,
    }


def _ghost(where: Any) -> Any:
    if not isinstance(where, str):
        return where
    place, owner, *found = where.split()
    return {"room": room(place), "owner": owner, "revealed": bool(found)}


def enter(position: dict[str, Any], **options: Any) -> State:
    """A game already under way."""
    return GAME.enter(read_options(GAME, options), read(position, GAME.position, "position"))


def all_but(rooms: str) -> str:
    """Every room that is not named: what is gone when only these are left."""
    return " ".join(name(number) for number in range(1, 37) if name(number) not in rooms.split())
