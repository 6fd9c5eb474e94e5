"""The league: bots of one level against bots of another, over games that a seed makes the same again."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

import msgspec

from companion import bots, games
from companion.bots import Moment
from companion.contract import TABLE, Game, Seat, read_options

MOST_ACTIONS = 10_000
"""More than any game takes: one that goes on after this would go on for ever."""

Pair = dict[str, str]
"""The level of each side, by the game's own names: `{"ghosts": "strong", "hunters": "normal"}`."""


class Job(msgspec.Struct, frozen=True):
    """One game of a league: which, with what, by whom. The same job is the same game in every process."""

    game: str
    options: dict[str, Any]
    pair: Pair
    seed: int
    number: int


class Played(msgspec.Struct, frozen=True):
    """One game that came to its end: the side that won it, and what each side's thinking took."""

    winner: str
    actions: int
    seconds: dict[str, tuple[float, ...]]


class Milliseconds(msgspec.Struct, frozen=True):
    """How long decisions took, in processor time: what else the machine does is not counted."""

    mean: float
    p99: float
    worst: float


class Score(msgspec.Struct, frozen=True):
    """What a pair of levels came to: wins by side, and the share of the first side with its 95 % interval."""

    levels: Pair
    games: int
    wins: dict[str, int]
    share: float
    low: float
    high: float
    actions: float
    milliseconds: Milliseconds
    thinking: dict[str, Milliseconds]
    """The same by side."""


class Standings(msgspec.Struct, frozen=True):
    """A whole league."""

    game: str
    options: dict[str, Any]
    seed: int
    pairs: tuple[Score, ...]


def options_of(game: str, given: dict[str, Any]) -> dict[str, Any]:
    """What is played with: what is given, on top of what the game is measured with."""
    return {**games.find(game).league, **given}


def sides(game: str, options: dict[str, Any]) -> tuple[str, ...]:
    """The sides that bots can play, in the order of their first seats."""
    found = games.find(game)
    state = _begun(found, options)
    named = [found.camp(state, chair.seat) for chair in found.chairs(state)]
    return tuple(dict.fromkeys(name for name in named if name is not None))


def every_pair(game: str, names: Sequence[str]) -> tuple[Pair, ...]:
    """Each level of the first side against each of the second; or each alone, where all play together."""
    ladder = bots.levels(game)
    if len(names) == 1:
        return tuple({names[0]: level} for level in ladder)
    return tuple({names[0]: one, names[1]: two} for one in ladder for two in ladder)


def check(game: str, pair: Pair, names: Sequence[str]) -> None:
    """Refuse a pair that names a side or a level that there is not."""
    from companion.refusals import Illegal

    if set(pair) != set(names):
        raise Illegal("companion.no_such_sides", sides=tuple(names))
    for level in pair.values():
        bots.load(game, level)


def _begun(game: Game[Any], options: dict[str, Any]) -> Any:
    return game.start(read_options(game, game.resolve(options)))


def play(job: Job) -> Played:
    """One game from the set-up to the end."""
    game = games.find(job.game)
    state = _begun(game, job.options)
    at_first = {chair.seat: game.camp(state, chair.seat) for chair in game.chairs(state)}
    table = Random(f"{job.seed} {job.number}")
    fates = {seat: table.getrandbits(64) for seat in sorted(at_first)}
    seconds: dict[str, list[float]] = {name: [] for name in job.pair}
    actions = 0
    while to_act := game.to_act(state):
        seat = to_act[0]
        if seat == TABLE:
            action = game.chance(state, table) or table.choice(game.legal(state, seat))
        else:
            side = at_first[seat]
            assert side is not None
            chance = Random(f"{job.seed} {job.number} {seat} {actions}")
            moment = Moment(game, game.view(state, seat), game.legal(state, seat), chance, fates[seat])
            bot = bots.load(job.game, job.pair[side])
            began = time.process_time()
            action = bot.choose(moment)
            seconds[side].append(time.process_time() - began)
        state, _ = game.apply(state, seat, action)
        actions += 1
        if actions > MOST_ACTIONS:
            raise RuntimeError(f"{job.game}: no end after {MOST_ACTIONS} actions")
    return Played(_winner(game, state, at_first), actions, {side: tuple(s) for side, s in seconds.items()})


def _winner(game: Game[Any], state: Any, at_first: dict[Seat, str | None]) -> str:
    """The side that won, by the name it had at first; the game's own where no seat played it."""
    result = game.result(state)
    assert result is not None
    for seat, name in at_first.items():
        if game.camp(state, seat) == result.winner and name is not None:
            return name
    return result.winner


def played(jobs: Sequence[Job], processes: int) -> Iterator[Played]:
    """The games of a league as they come to their ends, in the order of the jobs."""
    if processes == 1:
        yield from map(play, jobs)
        return
    with ProcessPoolExecutor(processes) as pool:
        try:
            yield from pool.map(play, jobs, chunksize=2)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def score(pair: Pair, games_played: Sequence[Played]) -> Score:
    """What the games of a pair came to."""
    number = len(games_played)
    wins = Counter(each.winner for each in games_played)
    first = next(iter(pair))
    low, high = interval(wins[first], number)
    taken = {side: sorted(s for each in games_played for s in each.seconds[side]) for side in pair}
    return Score(
        levels=pair,
        games=number,
        wins={side: wins[side] for side in sorted({*pair, *wins})},
        share=wins[first] / number,
        low=low,
        high=high,
        actions=sum(each.actions for each in games_played) / number,
        milliseconds=_milliseconds(sorted(s for spread in taken.values() for s in spread)),
        thinking={side: _milliseconds(spread) for side, spread in taken.items()},
    )


def interval(wins: int, number: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score."""
    z, p = 1.959964, wins / number
    middle, spread = p + z * z / (2 * number), z * math.sqrt(p * (1 - p) / number + (z / (2 * number)) ** 2)
    scale = 1 + z * z / number
    return max(0.0, min(p, (middle - spread) / scale)), min(1.0, max(p, (middle + spread) / scale))


def _milliseconds(spread: Sequence[float]) -> Milliseconds:
    """Of decision times in rising order."""
    if not spread:
        return Milliseconds(0, 0, 0)
    at_99 = spread[min(len(spread) - 1, math.ceil(len(spread) * 0.99) - 1)]
    mean, p99, worst = (round(1000 * each, 3) for each in (sum(spread) / len(spread), at_99, spread[-1]))
    return Milliseconds(mean, p99, worst)
