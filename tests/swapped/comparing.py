"""Truth and another world side by side. A comparison is one seat, one way out, one pair of worlds.

The other worlds come from two sides that do not know each other: `Game.worlds` of what a seat sees, and games
played with other secrets by the rules' own account of who sees what (`tests.conformance.accounts`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from companion import games
from companion.contract import HOST, PUBLIC, TABLE, Game, Seat, plain, read, read_options
from companion.course import Deed
from companion.refusals import Refusal
from tests.conformance.accounts import account, others
from tests.conformance.accounts import played as replayed
from tests.conformance.tables import CANTERVILLE, PHANTOM, Options
from tests.conformance.test_knowledge import TABLES as ACCOUNTED
from tests.conformance.walks import Walk
from tests.swapped.houses import House, Move, Said, deeds_of

PRIVATE: tuple[Options, ...] = (
    {"decks": "virtual", "hands": "private"},
    {"decks": "virtual", "hands": "private", "draw_at_limit": "draw_then_discard"},
    {"decks": "virtual", "hands": "private", "players": 2},
    {"decks": "virtual", "hands": "private", "players": 3},
    {"preset": "expert"},
)
TABLES: list[tuple[str, Options]] = [
    *(("phantom", options) for options in PHANTOM),
    *(("canterville", options) for options in CANTERVILLE * 3),
    *(("artefacts", options) for options in PRIVATE * 4),
]
"""Every table at which somebody has secrets; the games take about equal turns."""
MORE: dict[str, dict[str, tuple[Any, ...]]] = {
    "phantom": {
        "map": ("off", "possible", "likely"),
        "hints": (False, True),
        "privacy": ("fair", "eyes_closed", "learning"),
        "masters_see_all_ghosts": (True, "own_only"),
        "show_ghosts_to_masters": ("always", "never_after_setup"),
        "show_removal_log": ("public", "hidden_until_end"),
    },
    "canterville": {
        "map": ("off", "possible", "likely"),
        "hints": (False, True),
        "visited_display": ("during_reveal", "always", "never"),
        "x2_target": ("any_visited", "not_previous_room"),
        "x2_card_handling": ("app_hidden", "take_from_row"),
        "illegal_max_move": ("hunters_win", "replay_round"),
    },
    "artefacts": {
        "out_of_dice": ("when_needed", "when_stock_empty"),
        "object_uses_per_turn": (1, "unlimited"),
    },
}
"""Options that decide what is shown to whom: each game takes some of them by chance."""
AIDS = ("map", "hints")
"""Of these the ones that tell nobody more: they may be added where an account judges, too."""
MOMENTS, WORLDS, OTHERS, TRIED = 5, 3, 3, 12
"""Of one game: the moments looked at, the worlds for each seat there, games beside it, actions tried."""


class Difference(NamedTuple):
    """Something that somebody could have told two worlds apart by."""

    seed: int
    game: str
    seat: Seat
    output: str
    truth: bytes
    other: bytes

    def __str__(self) -> str:
        at = next((n for n, (a, b) in enumerate(zip(self.truth, self.other, strict=False)) if a != b), 0)
        here, there = (each[max(0, at - 60) : at + 60] for each in (self.truth, self.other))
        return f"seed {self.seed}: {self.game}, {self.seat}, {self.output}\n  {here!r}\n  {there!r}"


class Found(NamedTuple):
    """What came of one game: how many comparisons of which kind, and what differed."""

    compared: Counter[tuple[str, str, Seat]]
    differences: list[Difference]


class Judge:
    """Counts comparisons of one game, and keeps what differs."""

    def __init__(self, seed: int, game: str) -> None:
        self._seed, self._game = seed, game
        self.found = Found(Counter(), [])

    def compare(self, seat: Seat, truth: Said, other: Said) -> None:
        """One seat in one pair of worlds."""
        for output, said in truth.items():
            self.found.compared[self._game, output, seat] += 1
            if said != other[output]:
                self.found.differences.append(
                    Difference(self._seed, self._game, seat, output, said, other[output])
                )


class Broken(Exception):
    """Something could not be drawn at all, in the game of this seed."""


def compared(seed: int) -> Found:
    """One game by chance; whatever fails names its seed."""
    try:
        return _by_chance(seed)
    except Exception as fault:
        raise Broken(f"seed {seed}: {fault!r}") from fault


def _by_chance(seed: int) -> Found:
    """One game, judged from one of the two sides."""
    chance = Random(f"swapped {seed}")
    if chance.random() < 0.75:
        name, options = TABLES[seed % len(TABLES)]
        return by_worlds(seed, name, _with_more(name, options, chance, MORE[name]), chance)
    name, options = ACCOUNTED[seed % len(ACCOUNTED)]
    aids = {option: values for option, values in MORE[name].items() if option in AIDS}
    return by_accounts(seed, name, _with_more(name, options, chance, aids), chance)


def _with_more(name: str, options: Options, chance: Random, more: dict[str, tuple[Any, ...]]) -> Options:
    """The same table with some further options, where they agree with those it has."""
    wished = {option: chance.choice(values) for option, values in more.items() if chance.random() < 0.5}
    wider = {**wished, **options}
    try:
        games.find(name).start(read_options(games.find(name), wider))
    except Refusal:
        return options
    return wider


def _language(chance: Random) -> str:
    return chance.choice(("en", "fr", "de"))


def _tried(walk: Walk, chance: Random) -> list[Any]:
    actions = [action for _, action in walk.moves]
    return chance.sample(actions, min(TRIED, len(actions)))


# By the worlds of the game


def by_worlds(seed: int, name: str, options: Options, chance: Random) -> Found:
    """A game in which, at some moments, another world that a seat cannot rule out takes the truth's place."""
    walk, judge = Walk(name, options, chance.getrandbits(32)), Judge(seed, name)
    moves = [Move(seat, action) for seat, action in walk.moves]
    deeds, states = deeds_of(walk.game, walk.moments[0].state, moves)
    house, attempts = House(name, options, _language(chance)), _tried(walk, chance)
    seen = settled(walk.game, states)
    secret = [step for step in pairwise(seen) if _hides(walk.game, states[step[1]])]
    for step in chance.sample(secret, min(MOMENTS, len(secret))):
        _swapped(house, judge, deeds, states, step, attempts, chance)
    return judge.found


def settled(game: Game[Any], states: list[Any]) -> list[int]:
    """The moments that anybody sees: draws by the companion belong to the move that led to them."""
    drawing = [
        game.to_act(state) == (TABLE,) and game.chance(state, Random(0)) is not None for state in states
    ]
    return [n for n, still in enumerate(drawing) if not still]


def _hides(game: Game[Any], state: Any) -> bool:
    """Whether a moment has secrets: somebody who watches has more than one world.

    In a learning game the table agreed that the lamps show what a master may do on his turn: not then.
    """
    view = game.view(state, PUBLIC)
    agreed = getattr(view.shows, "privacy", None) == "learning" and game.audience(state) != PUBLIC
    return game.result(state) is None and not agreed and len(game.worlds(view)) > 1


def _swapped(
    house: House,
    judge: Judge,
    deeds: list[Deed],
    states: list[Any],
    step: tuple[int, int],
    attempts: list[Any],
    chance: Random,
) -> None:
    """The moment after a move, in the truth and in worlds of each seat that may not know."""
    (was, n), game = step, house.game
    truth = states[n]
    seats = [chair.seat for chair in game.chairs(truth)]
    house.jump(deeds[:was], states[was])
    before, picture = {seat: house.drawn(seat) for seat in (*seats, PUBLIC, HOST)}, house.picture()
    house.jump(deeds[:n], truth)
    told = {seat: house.said(seat, before[seat], picture, attempts, False) for seat in before}
    for seat in (*seats, PUBLIC):
        for world in _worlds(game, truth, seat, chance):
            house.become(world)
            for each in dict.fromkeys((seat, PUBLIC, HOST)):
                judge.compare(each, told[each], house.said(each, before[each], picture, attempts, False))


def _worlds(game: Game[Any], truth: Any, seat: Seat, chance: Random) -> Iterator[Any]:
    """Some worlds of a seat, each once and none of them the true one."""
    worlds, seen = game.worlds(game.view(truth, seat)), [truth]
    for _ in range(WORLDS if len(worlds) > 1 else 0):
        world = worlds.sample(chance)
        if world not in seen:
            seen.append(world)
            yield world


# By the rules' own account


def by_accounts(seed: int, name: str, options: Options, chance: Random) -> Found:
    """Two games side by side that differ in secrets alone, for everybody to whom they look the same."""
    walk, judge, game = Walk(name, options, chance.getrandbits(32)), Judge(seed, name), games.find(name)
    longest = 60 if name != "artefacts" else len(walk.moves)
    moves = [(seat, plain(action)) for seat, action in walk.moves[: chance.randint(2, longest)]]
    truth = replayed(game, options, moves)
    assert truth is not None
    attempts, language = _tried(walk, chance), _language(chance)
    for number, other in enumerate(others(name, game, options, truth, chance, 40)):
        if number == OTHERS:
            break
        _side_by_side(judge, name, options, truth, other, attempts, language, chance)
    return judge.found


def _alike(name: str, seat: Seat, truth: Any, other: Any) -> int:
    """For how many moves two games look the same to a seat."""
    one, two = account(name, seat, truth), account(name, seat, other)
    return next(
        (n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two))
    )


def _side_by_side(
    judge: Judge,
    name: str,
    options: Options,
    truth: Any,
    other: Any,
    attempts: list[Any],
    language: str,
    chance: Random,
) -> None:
    game = games.find(name)
    seats = [*(chair.seat for chair in game.chairs(truth.states[0])), PUBLIC, HOST]
    until = {seat: _alike(name, seat, truth, other) for seat in seats}
    last = max(until.values())
    if game.result(truth.states[last]) is not None:
        last -= 1
    seen = settled(game, truth.states[: last + 1])
    steps = [step for step in pairwise(seen) if truth.states[step[1]] != other.states[step[1]]]
    looked_at = set(chance.sample(steps, min(MOMENTS, len(steps))))
    one = House(name, options, language)
    houses = (one, House(name, options, language, like=one))
    for house, played in zip(houses, (truth, other), strict=True):
        house.jump([], played.states[seen[0]])
    for step in pairwise(seen):
        knowing_less = [seat for seat in seats if until[seat] >= step[1]] if step in looked_at else []
        pair = [
            _moved(house, played, step, knowing_less, attempts)
            for house, played in zip(houses, (truth, other), strict=True)
        ]
        for seat in knowing_less:
            judge.compare(seat, pair[0][seat], pair[1][seat])


def _moved(
    house: House, played: Any, step: tuple[int, int], seats: list[Seat], attempts: list[Any]
) -> dict[Seat, Said]:
    """One move happens, with the draws it leads to; what leaves then for each of some seats."""
    before, picture = {each: house.drawn(each) for each in seats}, house.picture()
    house.play(
        [Move(seat, read(action, house.game.action, "action")) for seat, action in played.moves[slice(*step)]]
    )
    return {each: house.said(each, before[each], picture, attempts, True) for each in before}
