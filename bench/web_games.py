"""From a tap to every phone's page, in the hotel, the castle and the manor: what helps one game helps all.

    python -m bench.web_games [6 50 200]

The same phones, clock and daemon as in `web_peer`; the games take turns in rounds, so that whatever else the
machine does hits all. Four play, one is the host's and the others watch. Whoever is to act is asked what may
be done, and taps it as a form. The castle is the invented one with three hunters; the manor has all of its 48
tiles and eight ghosts on their way. Ratios are to the hotel.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bench.artefacts_action import ready as manor
from bench.seated import Ready, Request, around, choice
from bench.web_peer import Phones, Row, Side, installed, on, pages, rest, shared_out
from bench.web_push import HIDDEN, LAYOUT

MOVES = 120
ROUNDS = 4
WARM_UP = 3
"""Taps in each game that count, in so many rounds, and those after each start that do not."""
FRAMES = dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 8)
TARGETS = {"p50": 2.0}
"""The most that castle and manor may be, as a multiple of the hotel."""


def act(seat: str, **action: Any) -> Request:
    return {"cmd": "act", "seat": seat, "action": action}


def hotel() -> Ready:
    """The hunt, with four ghosts that nobody uncovers."""
    options = {"layout": LAYOUT, "objective": 216}
    new = {"cmd": "new", "game": "phantom", "players": 4, "options": options}
    hidden = [act(seat, type="hide", ghost=ghost, room=room) for seat, ghost, room in HIDDEN]
    return Ready([new, *hidden], spared=frozenset(room for _, _, room in HIDDEN))


def castle() -> Ready:
    """The chase, with Max far from three hunters and 40 animals to take."""
    options = {"castle": "demo", "frames": FRAMES}
    new = {"cmd": "new", "game": "canterville", "players": 4, "options": options}
    placed = [act(f"h{n}", type="start", figure="abc"[n - 1], room=n) for n in (1, 2, 3)]
    begun = [act("max", type="start", room=54), act("h1", type="frame", animal="cats")]
    return Ready([new, *placed, *begun], ("max", "h1", "h2", "h3"))


GAMES: dict[str, Callable[[], Ready]] = {"hotel": hotel, "castle": castle, "manor": manor}


async def played(
    total: Side, clients: Phones, game: Ready, phones: int, chance: Random, together: bool
) -> None:
    """A round of one game with so many phones, begun again with a fresh daemon as often as it ends."""
    enough = len(total.times) + MOVES // ROUNDS
    while len(total.times) < enough:
        with TemporaryDirectory() as folder, on(shared_out(together)[1]):
            async with around(game, Path(folder), phones) as (house, wires):
                clients.told(join="ours", port=house.port, phones=await pages(wires))
                side, taps = Side("ours", house.pid), 0
                while len(total.times) + len(side.times) < enough:
                    tap = await choice(wires, game, chance)
                    if tap is None:
                        break
                    side.play(clients, [tap], taps >= WARM_UP)
                    taps += 1
                else:
                    await rest(side)
                total.add(side)


def verdict(phones: int, rows: dict[str, Row]) -> bool:
    """Print all games side by side, and whether none is too far behind."""
    print(f"{phones} phones:")
    for name, value in rows["hotel"].items():
        print(f"  {name:14}  hotel {value:8}", end="")
        for game in ("castle", "manor"):
            ratio = f" = {rows[game][name] / value:.2f}×" if value else " " * 8
            print(f"  {game} {rows[game][name]:8}{ratio}", end="")
        print()
    checks = [
        (f"{game} {name} at most {most}× the hotel", rows[game][name] <= most * rows["hotel"][name])
        for game in ("castle", "manor")
        for name, most in TARGETS.items()
    ]
    for target, met in checks:
        print(f"  {target}: {'met' if met else 'MISSED'}", flush=True)
    return all(met for _, met in checks)


async def measured(phones: int, together: bool) -> dict[str, Row]:
    chance, totals = Random(1), {name: Side("ours", 0) for name in GAMES}
    with ExitStack() as open:
        with on(shared_out(together)[0]):
            clients = open.enter_context(closing(Phones()))
        for _ in range(ROUNDS):
            for name, game in GAMES.items():
                await played(totals[name], clients, game(), phones, chance, together)
    return {name: total.row() for name, total in totals.items()}


def main() -> int:
    """Print all of it; 1 if a target is missed or there were no phones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("phones", type=int, nargs="*", default=[6, 50, 200])
    parser.add_argument(
        "--together", action="store_true", help="phones and daemon share the processors of this machine"
    )
    given = parser.parse_args()
    if not installed():
        return 1
    verdicts = [verdict(phones, asyncio.run(measured(phones, given.together))) for phones in given.phones]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
