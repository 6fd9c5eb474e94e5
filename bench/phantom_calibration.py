"""Of the rooms that the likely map calls 20 to 30 % likely, how many had somebody? Under each model.

Games are played by strong bots; before each hunter's turn each tile's share is compared with the truth.
`python -m bench.phantom_calibration [GAMES] [SEED] [GHOSTS]`
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from random import Random

from companion import bots
from companion.bots import Moment
from companion.contract import PUBLIC, Model, read_options
from companion.games.phantom import GAME
from companion.league import options_of

MODELS: tuple[Model, ...] = ("uniform", "careful", "human")
BINS = 10
Counts = dict[tuple[Model, int], tuple[int, int, float]]
"""For each model and tenth: rooms, those with somebody, the sum of what was said."""


def play(job: tuple[int, int, str]) -> Counts:
    """One game, and what the map said in it."""
    seed, number, ghosts = job
    state = GAME.start(read_options(GAME, options_of("phantom", {"objective": 50})))
    chance, counts = Random(f"{seed} {number}"), Counts()
    fates = {seat: chance.getrandbits(64) for seat in ("p1", "p2", "p3", "p4")}
    while state.result is None:
        seat = GAME.to_act(state)[0]
        if state.phase == "playing" and seat in state.hunters:
            hidden = {ghost.room for ghost in state.ghosts if not ghost.revealed}
            view = GAME.view(state, PUBLIC)
            for model in MODELS:
                for room, share in GAME.odds(view, model).rooms.items():
                    key = model, min(BINS - 1, int(share * BINS))
                    rooms, there, said = counts.get(key, (0, 0, 0.0))
                    counts[key] = rooms + 1, there + (room in hidden), said + share
        level = "strong" if seat in state.hunters else ghosts
        moment = Moment(GAME, GAME.view(state, seat), GAME.legal(state, seat), chance, fates[seat])
        state, _ = GAME.apply(state, seat, bots.load("phantom", level).choose(moment))
    return counts


def main() -> int:
    """Play, and print a table for each model."""
    games, seed = (int(word) for word in (*sys.argv[1:3], *("100", "1")[len(sys.argv[1:3]) :]))
    ghosts = sys.argv[3] if len(sys.argv) > 3 else "strong"
    sums: Counts = {}
    with ProcessPoolExecutor(2) as pool:
        for counts in pool.map(play, [(seed, number, ghosts) for number in range(games)]):
            for key, (rooms, there, said) in counts.items():
                before = sums.get(key, (0, 0, 0.0))
                sums[key] = before[0] + rooms, before[1] + there, before[2] + said
    for model in MODELS:
        print(f"{model}: said, rooms, somebody there ({ghosts} ghosts, {games} games, seed {seed})")
        for tenth in range(BINS):
            rooms, there, said = sums.get((model, tenth), (0, 0, 0.0))
            if rooms:
                print(f"  {10 * tenth:3d} to {10 * tenth + 10:3d} %  {rooms:7d}  {there / rooms:6.1%}"
                      f"  (said on average {said / rooms:.1%})")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
