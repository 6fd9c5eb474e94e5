"""How long the hunters' map of the castle takes to follow Max: mean and worst update, by hidden moves.

An update is what one of Max's moves or a hunter's step costs: the new view, the routes that fit it, the map.
Run it with `python bench/canterville_worlds.py [games]`.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import fmean
from time import perf_counter

from companion.contract import PUBLIC, read_options
from companion.games.canterville import GAME
from companion.games.canterville.state import Prowl

BUDGET_MS = 20.0
FRAMES = {"cats": 8, "hedgehogs": 8, "owls": 8, "bats": 8}


def hunt(seed: int, times: dict[int, list[float]], most: dict[int, int]) -> None:
    """Play a game by chance until the first frame is full, and time every update on the way."""
    chance = Random(seed)
    state = GAME.start(read_options(GAME, {"hunters": 4, "frames": FRAMES, "chimney": True, "trap": "h1"}))
    while GAME.result(state) is None and state.filled is None:
        seat = chance.choice(GAME.to_act(state))
        state, _ = GAME.apply(state, seat, chance.choice(GAME.legal(state, seat)))
        hidden = sum(isinstance(fact, Prowl) for fact in state.facts)
        begin = perf_counter()
        odds = GAME.odds(GAME.view(state, PUBLIC))
        times.setdefault(hidden, []).append((perf_counter() - begin) * 1000)
        most[hidden] = max(most.get(hidden, 0), odds.worlds)


def main(games: int) -> None:
    times: dict[int, list[float]] = {}
    most: dict[int, int] = {}
    for seed in range(games):
        hunt(seed, times, most)
    print("hidden moves  updates  mean ms  worst ms  most routes")
    for hidden, spent in sorted(times.items()):
        print(f"{hidden:12}  {len(spent):7}  {fmean(spent):7.2f}  {max(spent):8.2f}  {most[hidden]:11,}")
    up_to_six = [ms for hidden, spent in times.items() if 1 <= hidden <= 6 for ms in spent]
    print(f"1 to 6 hidden moves: mean {fmean(up_to_six):.2f} ms, worst {max(up_to_six):.2f} ms")
    print(f"6 hidden moves: {fmean(times[6]) / BUDGET_MS:.2f} of the {BUDGET_MS:.0f} ms budget")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
