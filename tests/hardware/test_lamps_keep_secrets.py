"""Two worlds with the same public history give the very same frames at the very same times.

A game is played with ghosts in one set of rooms, with idle and illegal presses on the masters' turns. Then
another world is drawn from all those that fit what the public saw, the same hands do the same things at the
same times in it, and the whole record of the lamps is compared.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

import pytest

from companion.contract import PUBLIC
from companion.games.canterville.actions import Move as Max
from companion.games.canterville.actions import Pause
from companion.games.canterville.state import PAUSE
from tests.games.phantom.hotel import LAYOUT
from tests.hardware.evening import Evening

Step = Callable[[Evening], object]
Homes = dict[str, tuple[str, int]]
"""For each ghost its master and the room where it hides."""

FRAMES = {"bats": 6, "cats": 6, "hedgehogs": 6, "mice": 6, "owls": 6}
KITS = ("simulated", "rows", "sensing")
TURNS = 6
IN_CI, BY_COMMAND = 40, 300


def hidden_in(evening: Evening, homes: Homes, privacy: str) -> None:
    """A game in one world: the masters hide one after the other, a second apart."""
    owners = {ghost: seat for ghost, (seat, _) in homes.items()}
    evening.table.new("phantom", _options(owners, privacy), seed=1)
    for ghost, (seat, room) in sorted(homes.items(), key=lambda home: home[1]):
        evening.table.act(seat, {"type": "hide", "ghost": ghost, "room": room})
        evening.wait(1)
    evening.lay_tiles()


def _options(owners: dict[str, str], privacy: str) -> dict[str, Any]:
    return {"players": 4, "layout": LAYOUT, "owners": owners, "objective": 216, "privacy": privacy}


def random_homes(chance: Random) -> Homes:
    ghosts = ["blue", "red", "green", "white"]
    chance.shuffle(ghosts)
    seats = ["p2", "p2", "p4", "p4"]
    rooms = {g: [n for n, (colour, _) in enumerate(LAYOUT, 1) if colour == g] for g in ghosts}
    return {ghost: (seat, chance.choice(rooms[ghost])) for ghost, seat in zip(ghosts, seats, strict=True)}


def idle_presses(evening: Evening, chance: Random) -> list[Step]:
    """What restless hands do on a master's turn: point anywhere, press OK, lift a tile and put it back."""
    if evening.kit.senses_tiles:
        room = chance.choice([n for n, tile in enumerate(evening.shows().rooms, 1) if tile])
        stay = chance.choice((0.2, 4.0))
        return [lambda e: e.lift(room), lambda e: e.wait(stay), lambda e: e.put(room), lambda e: e.tap("ok")]
    room = chance.randint(1, 36)
    # PEEK is meant to show a master's lines where the hunters' eyes are closed.
    buttons = ("ok", "back", "peek") if evening.shows().privacy == "fair" else ("ok", "back")
    return [lambda e: e.point(room), *[_tap(button) for button in chance.choices(buttons, k=3)]]


def _tap(button: str) -> Step:
    return lambda evening: evening.tap(button)


def masters_turn(evening: Evening, seat: str, chance: Random) -> list[Step]:
    action = chance.choice(evening.table.legal(seat))
    steps: list[Step] = [*idle_presses(evening, chance), lambda e: e.table.act(seat, action)]
    room = getattr(action, "room", None)
    if evening.kit.senses_tiles and room is not None:
        steps.append(lambda e: e.lift(room))
    return steps


def hunters_turn(evening: Evening, seat: str, chance: Random) -> list[Step]:
    action: Any = chance.choice(evening.table.legal(seat))
    return [lambda e: e.remove(action.room)]


def played(evening: Evening, chance: Random) -> list[Step]:
    """A few turns by chance; every step that was done."""
    done: list[Step] = []
    for _ in range(TURNS):
        if not evening.table.standing().to_act:
            break
        seat = evening.table.standing().to_act[0]
        turn = masters_turn if seat in ("p2", "p4") else hunters_turn
        pause = chance.choice((0.3, 1.0))
        for step in (*turn(evening, seat, chance), lambda e, pause=pause: e.wait(pause)):  # type: ignore[misc]
            done.append(step)
            step(evening)
    return done


def another_world(evening: Evening, homes: Homes, chance: Random) -> Homes | None:
    """Other homes that fit everything the public saw, or none if the ghosts have been pinned down."""
    game = evening.table.game
    assert game is not None
    worlds = game.worlds(evening.table.view(PUBLIC))
    for _ in range(20):
        ghosts = worlds.sample(chance).ghosts
        other = {
            colour: (ghost.owner, ghost.room)
            for colour, ghost in zip(("blue", "red", "green", "white"), ghosts, strict=True)
        }
        if other != homes:
            return other
    return None


def compare_hotel(seed: int) -> bool:
    """Play a game in two worlds; whether there were two."""
    chance = Random(seed)
    kit, privacy = KITS[seed % len(KITS)], chance.choice(("fair", "fair", "eyes_closed"))
    homes = random_homes(chance)
    with Evening(kit) as one:
        hidden_in(one, homes, privacy)
        steps = played(one, chance)
        other = another_world(one, homes, chance) if one.table.standing().to_act else None
    if other is None:
        return False
    with Evening(kit) as two:
        hidden_in(two, other, privacy)
        for step in steps:
            step(two)
        assert two.table.view(PUBLIC).shows == one.table.view(PUBLIC).shows
    assert len(one.frames) > TURNS
    assert list(two.frames) == list(one.frames), f"game {seed}: the lamps tell {homes} from {other}"
    return True


# The castle: Max walks unseen, so his whole route is the secret


def castle(evening: Evening) -> None:
    """The figures and Max stand where they begin."""
    evening.table.new("canterville", {"hunters": 3, "castle": "demo", "frames": FRAMES}, seed=1)
    for seat, figure, room in (("h1", "a", 1), ("h2", "b", 20), ("h3", "c", 40)):
        evening.table.act(seat, {"type": "start", "figure": figure, "room": room})
    evening.table.act("max", {"type": "start", "room": 27})
    evening.table.act("h1", {"type": "frame", "animal": "cats"})


def prowled(evening: Evening, chance: Random) -> tuple[list[Step | None], list[Any]]:
    """Some rounds by chance: every step, with none where Max went his secret way; and his actions."""
    done: list[Step | None] = []
    secret: list[Any] = []
    for _ in range(2 * TURNS):
        standing = evening.table.standing()
        if standing.phase not in ("max", "hunters"):
            break
        seat = standing.to_act[0]
        legal = evening.table.legal(seat)
        if seat == "max":
            room = chance.randint(1, 54)
            idle: list[Step] = [lambda e, room=room: e.point(room), _tap("ok"), _tap("ok")]  # type: ignore[misc]
            action: Any = chance.choice([a for a in legal if type(a).__name__ in ("Move", "Pause")])
            secret.append(action)
            steps: list[Step | None] = [*idle, None]
        else:
            walk: Any = chance.choice([a for a in legal if type(a).__name__ == "Walk"])
            steps = [lambda e, room=walk.room: e.remove(room), lambda e: e.wait(0.4)]  # type: ignore[misc]
        for step in steps:
            done.append(step)
            step(evening) if step else evening.table.act("max", action)
    return done, secret


def another_route(evening: Evening, secret: list[Any], chance: Random) -> list[Any] | None:
    """Other ways of Max that fit everything the hunters saw."""
    game = evening.table.game
    assert game is not None
    worlds = game.worlds(evening.table.view(PUBLIC))
    for _ in range(20):
        route = worlds.sample(chance).route[-len(secret) :]
        other = [Pause() if room == PAUSE else Max(room) for room in route]
        if other != secret:
            return other
    return None


def compare_castle(seed: int) -> bool:
    """Play a game in the castle in two worlds; whether there were two."""
    chance = Random(seed)
    kit = ("simulated", "castle-rows")[seed % 2]
    with Evening(kit) as one:
        castle(one)
        steps, secret = prowled(one, chance)
        going_on = one.table.standing().phase in ("max", "hunters")
        other = another_route(one, secret, chance) if going_on else None
    if other is None:
        return False
    with Evening(kit) as two:
        castle(two)
        ways = iter(other)
        for step in steps:
            step(two) if step else two.table.act("max", next(ways))
        assert two.table.view(PUBLIC).shows == one.table.view(PUBLIC).shows
    assert list(two.frames) == list(one.frames), f"game {seed}: the lamps tell {secret} from {other}"
    return True


def compare_games(wanted: int, compare: Callable[[int], bool]) -> None:
    seeds = count()
    compared = 0
    while compared < wanted:
        compared += compare(next(seeds))


def test_lamps_cannot_tell_two_worlds_apart() -> None:
    compare_games(IN_CI, compare_hotel)


def test_lamps_do_not_tell_where_max_is() -> None:
    compare_games(IN_CI // 4, compare_castle)


@pytest.mark.slow
def test_lamps_cannot_tell_two_worlds_apart_over_many_games() -> None:
    compare_games(BY_COMMAND, compare_hotel)
    compare_games(BY_COMMAND // 4, compare_castle)
