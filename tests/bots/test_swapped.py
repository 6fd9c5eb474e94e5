"""Bots read nothing but their view: in another world that looks the same they do, and advise, the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from companion import bots, games
from companion.bots import Hint, Moment
from companion.contract import TABLE, Game, read_options
from companion.refusals import Illegal
from tests.games.canterville.castles import FRAMES, SMALL
from tests.games.phantom.hotel import LAYOUT

FATE = 5
WORLDS = 2
"""So many other worlds are tried at each moment."""
POSITIONS = 4
"""So many moments of each seat, of those at which something is hidden from it."""


class Kind(NamedTuple):
    """A kind of table, and the seats there from whom something is hidden."""

    game: str
    options: dict[str, Any]
    blind: tuple[str, ...]


PHANTOM: dict[str, Any] = {"layout": LAYOUT, "objective": 60}
FEW = dict.fromkeys(FRAMES, 2)
EVERYTHING: dict[str, Any] = {"chimney": True, "door": True, "trap": "h1", "frames": FEW}
KINDS = {
    "four": Kind("phantom", PHANTOM, ("p1", "p3")),
    "three": Kind("phantom", {**PHANTOM, "players": 3}, ("p1",)),
    "two": Kind("phantom", {**PHANTOM, "players": 2}, ("p1",)),
    "own ghosts only": Kind(
        "phantom", {**PHANTOM, "masters_see_all_ghosts": "own_only"}, ("p1", "p2", "p3", "p4")
    ),
    "allied tiles": Kind(
        "phantom", {**PHANTOM, "friendly_fire": "forbidden", "pass_if_only_allied_tiles": True}, ("p1", "p3")
    ),
    "honour": Kind("phantom", {**PHANTOM, "keeper": "honour"}, ()),
    "castle": Kind("canterville", {"castle": "demo", **EVERYTHING}, ("h1", "h2", "h3")),
    "free castle": Kind(
        "canterville", {"castle": SMALL, "frames": FEW, "frame_locked": False}, ("h1", "h2", "h3")
    ),
    "manor": Kind("artefacts", {"preset": "expert"}, ("blue", "red", "yellow", "green")),
}
"""Of games with tokens alone nothing lies in the companion: there it is the facts that a world must fit."""
SPARRING = {"phantom": ("greedy",)}


def cases() -> list[tuple[str, str]]:
    """Every level at every kind of table."""
    return [
        (kind, level)
        for kind, (game, _, _) in KINDS.items()
        for level in (*bots.levels(game), *SPARRING.get(game, ()))
    ]


def moments(kind: str) -> list[tuple[Any, str]]:
    """Moments of games at random, a few of each seat, at which another world looks the same to it."""
    found: dict[str, list[Any]] = {}
    for chance in (Random(f"{kind} 4"), Random(f"{kind} 5")):
        for state, seat in wandered(KINDS[kind], chance):
            found.setdefault(seat, []).append(state)
    return [(each, seat) for seat, seen in sorted(found.items()) for each in spread(seen)]


def wandered(kind: Kind, chance: Random, most: int = 240) -> Iterator[tuple[Any, str]]:
    """The moments of one game at which a seat has a choice and does not see everything."""
    game = games.find(kind.game)
    state = game.start(read_options(game, game.resolve(kind.options)))
    for _ in range(most):
        if not (seats := game.to_act(state)):
            return
        seat = chance.choice(seats)
        choices = game.legal(state, seat)
        action = game.chance(state, chance) if seat == TABLE else None
        if seat != TABLE and len(choices) > 1 and (not kind.blind or is_blind(game, state, seat)):
            yield state, seat
        state, _ = game.apply(state, seat, action or chance.choice(choices))


def is_blind(game: Game[Any], state: Any, seat: str) -> bool:
    """Whether something is hidden from a seat."""
    return bool(game.worlds(game.view(state, seat)).sample(Random(1)) != state)


def spread(seen: list[Any]) -> list[Any]:
    """A few of them, from first to last."""
    return [seen[len(seen) * n // POSITIONS] for n in range(min(POSITIONS, len(seen)))]


def advice(game: Game[Any], level: str, state: Any, seat: str) -> tuple[Any, str, Any]:
    """What a bot does, and what it would advise, where it can."""

    def moment() -> Moment:
        return Moment(game, game.view(state, seat), game.legal(state, seat), Random(3), FATE)

    bot = bots.load(game.name, level)
    try:
        hint: Hint | None = bot.hint(moment())
    except Illegal:
        hint = None
    return bot.choose(moment()), hint.because.said() if hint else "", hint.action if hint else None


@pytest.mark.parametrize(("kind", "level"), cases())
def test_another_world_never_changes_what_a_bot_does_or_advises(kind: str, level: str) -> None:
    game, compared = games.find(KINDS[kind].game), Counter[str]()
    for number, (state, seat) in enumerate(moments(kind)):
        expected = advice(game, level, state, seat)
        assert expected[0] in game.legal(state, seat)
        worlds = game.worlds(game.view(state, seat))
        for draw in range(WORLDS):
            other = worlds.sample(Random(f"{number} {draw}"))
            assert advice(game, level, other, seat) == expected
            compared[seat] += other != state
    for seat in KINDS[kind].blind:
        assert compared[seat] >= 2, f"{seat}: {compared}"
