"""Of the rooms that the likely map calls 20 to 30 % likely, how often was Max there? Under each model.

Games are played by bots; before each hunter's turn, while Max is out of sight, shares are compared with
the truth. `python -m bench.canterville_calibration [GAMES] [SEED] [MAX'S LEVEL]`
"""

from __future__ import annotations

import sys
from random import Random

from companion import bots
from companion.bots import Moment
from companion.contract import PUBLIC, Model, read_options
from companion.games.canterville import GAME
from companion.games.canterville.options import MAX
from companion.games.canterville.state import room_of
from companion.league import options_of

MODELS: tuple[Model, ...] = ("uniform", "careful", "human")
BINS = 10
Counts = dict[tuple[Model, int], tuple[int, int, float]]
"""For each model and tenth: rooms, those with Max in them, the sum of what was said."""


def play(seed: int, number: int, level: str, counts: Counts) -> None:
    """One game, and what the map said in it."""
    state = GAME.start(read_options(GAME, options_of("canterville", {})))
    chance = Random(f"{seed} {number}")
    fates = {chair.seat: chance.getrandbits(64) for chair in GAME.chairs(state)}
    while state.result is None:
        seat = GAME.to_act(state)[0]
        if state.phase == "hunters" and not state.shown:
            view = GAME.view(state, PUBLIC)
            for model in MODELS:
                odds = GAME.odds(view, model)
                for room in odds.possible:
                    share = odds.rooms[room]
                    key = model, min(BINS - 1, int(share * BINS))
                    rooms, there, said = counts.get(key, (0, 0, 0.0))
                    counts[key] = rooms + 1, there + (room == room_of(state.route)), said + share
        bot = bots.load("canterville", level if seat == MAX else "normal")
        moment = Moment(GAME, GAME.view(state, seat), GAME.legal(state, seat), chance, fates[seat])
        state, _ = GAME.apply(state, seat, bot.choose(moment))


def main() -> int:
    """Play, and print a table for each model."""
    games, seed = (int(word) for word in (*sys.argv[1:3], *("50", "1")[len(sys.argv[1:3]) :]))
    level = sys.argv[3] if len(sys.argv) > 3 else "strong"
    counts: Counts = {}
    for number in range(games):
        play(seed, number, level, counts)
    for model in MODELS:
        print(f"{model}: said, rooms, Max there ({level} Max, normal hunters, {games} games, seed {seed})")
        for tenth in range(BINS):
            rooms, there, said = counts.get((model, tenth), (0, 0, 0.0))
            if rooms:
                print(f"  {10 * tenth:3d} to {10 * tenth + 10:3d} %  {rooms:7d}  {there / rooms:6.1%}"
                      f"  (said on average {said / rooms:.1%})")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
