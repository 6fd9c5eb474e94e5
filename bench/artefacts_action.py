"""How long one action takes in a manor of 48 tiles with eight ghosts: rules, views, legal actions, foresight.

What a phone waits for is timed as one: the action applied, the view for its seat, what that seat may do next,
the preview of the end of the turn and the warnings. The manor is full: 48 tiles in a square, every way a tie.
Cold, the manor and the ways of its ghosts are worked out anew for each action, as after laying a tile.
Run it with `python -m bench.artefacts_action [actions]`; it fails if the worst is above the target.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import fmean
from time import process_time

from companion.contract import read, read_options
from companion.games.artefacts import GAME
from companion.games.artefacts.foresight import preview, warnings
from companion.games.artefacts.manor import manor_of
from companion.games.artefacts.routes import ways
from companion.games.artefacts.state import State

TARGET_MS = 20.0
COLOURS = ("blue", "red", "yellow", "green")
CROSS = {(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)}
SQUARES = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if (x, y) not in CROSS]
CORNERS = {"blue": (3, 3), "red": (3, -3), "yellow": (-3, -3), "green": (-3, 3)}


def full_manor(chance: Random) -> State:
    """48 tiles with open sides, two ghosts of each colour far out, everybody somewhere."""
    squares = [*SQUARES, (0, 4), (4, 0), (0, -4), (-4, 0)]
    position = {
        "phase": "acting",
        "to_act": ["blue"],
        "open": [],
        "manor": [{"kind": "plain", "exits": "NESW", "at": at} for at in squares],
        "pawns": {colour: chance.choice(SQUARES) for colour in COLOURS},
        "ghosts": [
            {"id": f"{colour}{n}", "colour": colour, "power": chance.randint(2, 6), "at": at}
            for colour, (x, y) in CORNERS.items()
            for n, at in ((1, (x, y)), (2, (x, y // 3)))
        ],
        "life": dict.fromkeys(COLOURS, 3),
        "hands": {colour: ["vacuum", "kit", "teleportable"] for colour in COLOURS},
        "artefacts": {},
        "leader": "blue",
        "points": 3,
        "escaped": 0,
        "piles": {"tiles": 0},
        "pending": None,
    }
    return GAME.enter(read_options(GAME, {}), read(position, GAME.position, "position"))


def timed(state: State, chance: Random, cold: bool) -> tuple[State, str, float]:
    """One action by whoever is to act, and the milliseconds until its phone can show everything."""
    seat = GAME.to_act(state)[0]
    action = chance.choice(GAME.legal(state, seat))
    if cold:
        manor_of.cache_clear()
        ways.cache_clear()
    begin = process_time()
    state, _ = GAME.apply(state, seat, action)
    view = GAME.view(state, seat)
    GAME.legal(state, seat)
    preview(view)
    warnings(view)
    return state, type(action).__name__, (process_time() - begin) * 1000


def measured(actions: int, cold: bool) -> dict[str, list[float]]:
    """The times of so many actions, by their type."""
    chance, spent = Random(1), dict[str, list[float]]()
    state = full_manor(chance)
    for _ in range(actions):
        if state.result is not None:
            state = full_manor(chance)
        state, kind, ms = timed(state, chance, cold)
        spent.setdefault(kind.lower(), []).append(ms)
    return spent


def main(actions: int) -> int:
    warm, cold = measured(actions, cold=False), measured(actions, cold=True)
    print("action     times   warm: mean  worst   cold: mean  worst   (ms)")
    for kind in sorted(warm):
        one, two = warm[kind], cold[kind]
        print(f"{kind:9}  {len(one):5}  {fmean(one):10.2f}  {max(one):5.2f}", end="")
        print(f"  {fmean(two):10.2f}  {max(two):5.2f}")
    every = [ms for times in cold.values() for ms in times]
    met = max(every) <= TARGET_MS
    print(f"cold, 48 tiles, 8 ghosts: mean {fmean(every):.2f} ms, worst {max(every):.2f} ms", end="")
    print(f" (target {TARGET_MS:g} ms: {'met' if met else 'MISSED'})")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
