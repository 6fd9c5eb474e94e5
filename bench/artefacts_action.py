"""How long one action takes in a manor of 48 tiles with eight ghosts: rules, views, legal actions, foresight.

What a phone waits for is timed as one: the action applied, the view for its seat, what that seat may do next,
the preview of the end of the turn and the warnings. The manor is full: 48 tiles in a square, every way a tie.
Cold, the manor and the ways of its ghosts are worked out anew for each action, as after laying a tile.

Then the same from a phone: the form of a real page sent to a real daemon, until the new page is there, with
journal and access checks, and while the pages of the four players and of the host follow.
Run it with `python -m bench.artefacts_action [actions]`; it fails if the worst of the rules is above the
target, or the mean of the phones.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any
from urllib.parse import urlencode

from bench.seated import Ready, around, choice
from bench.web_push import Wire, at
from companion.contract import read, read_options
from companion.games.artefacts import GAME
from companion.games.artefacts.foresight import preview, warnings
from companion.games.artefacts.manor import manor_of
from companion.games.artefacts.routes import ways
from companion.games.artefacts.state import State

TARGET_MS = 20.0
PHONE_ACTIONS = 24
WARM_UP = 3
"""Actions from a phone, and those in each game that are not counted: pages are compiled when first shown."""
FORM = "application/x-www-form-urlencoded"
COLOURS = ("blue", "red", "yellow", "green")
CROSS = {(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)}
SQUARES = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if (x, y) not in CROSS]
CORNERS = {"blue": (3, 3), "red": (3, -3), "yellow": (-3, -3), "green": (-3, 3)}


def full_manor(chance: Random) -> State:
    """48 tiles with open sides, two ghosts of each colour far out, everybody somewhere."""
    return GAME.enter(read_options(GAME, {}), read(position(chance), GAME.position, "position"))


def position(chance: Random) -> dict[str, Any]:
    """The same as plain data."""
    squares = [*SQUARES, (0, 4), (4, 0), (0, -4), (-4, 0)]
    return {
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


# From a phone


def ready() -> Ready:
    """Such a manor for phones to sit around."""
    new = {"cmd": "new", "game": "artefacts", "players": 4, "position": position(Random(1))}
    return Ready([new], COLOURS)


async def tapped(actions: int) -> list[float]:
    """The milliseconds from a tap to the new page, over so many actions or until the game is over."""
    chance, spent = Random(1), list[float]()
    with TemporaryDirectory() as folder:
        async with around(ready(), Path(folder), len(COLOURS) + 1) as (_, phones):
            for phone in phones:
                await phone.live()
            while len(spent) < actions and (move := await choice(phones, ready(), chance)):
                spent.append(await tap(phones[move[0]], move[1]))
            for phone in phones:
                phone.following.cancel()
    return spent


async def tap(phone: Wire, fields: dict[str, str]) -> float:
    """Send a form as its page would; how many milliseconds its answer took comes back."""
    form = {"csrf": await phone.token("/play"), "version": phone.version, "next": "/play", **fields}
    begun = perf_counter()
    status, page = await phone.ask(
        "POST", "/act", urlencode(form).encode(), FORM + "\r\nX-Companion: fragment"
    )
    spent = (perf_counter() - begun) * 1000
    assert status == 200, status
    assert "data-version" in page
    return spent


def from_phones(actions: int) -> bool:
    """Print how long phones wait; whether that is short enough comes back."""
    spent: list[float] = []
    while len(spent) < actions:
        spent += asyncio.run(tapped(WARM_UP + actions - len(spent)))[WARM_UP:]
    met = fmean(spent) <= TARGET_MS
    print(f"from a phone, page included: mean {fmean(spent):.2f} ms, median {at(spent, 0.5):.2f} ms,", end="")
    print(f" worst {max(spent):.2f} ms (target {TARGET_MS:g} ms mean: {'met' if met else 'MISSED'})")
    return met


def main(actions: int) -> int:
    """Print both, and whether they are quick enough."""
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
    return 0 if from_phones(PHONE_ACTIONS) and met else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
