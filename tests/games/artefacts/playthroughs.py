"""Recorded games: one that is won and one for each way to lose, as text.

Each is played by people of one character, with real decks or virtual ones. To record them anew after a
change of the rules, and only then:

    python -m tests.games.artefacts.playthroughs
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from companion.contract import PUBLIC, TABLE, heard, plain, read, read_options
from companion.games.artefacts import GAME
from companion.games.artefacts.paths import walk
from companion.games.artefacts.state import State

FOLDER = Path(__file__).parent / "records"
Chooser = Callable[[State, str, list[Any], Random], Any]
Move = tuple[str, Any]


def kind(action: Any) -> str:
    return str(plain(action)["type"])


def of(legal: list[Any], *types: str) -> list[Any]:
    """The legal actions of the first of these types that has any."""
    return next(found for type in types if (found := [a for a in legal if kind(a) == type]))


# Characters


def careful(state: State, seat: str, legal: list[Any], chance: Random) -> Any:
    """A kind pile, and hunters who fetch their artefacts by the shortest walk."""
    if seat == TABLE:
        wanted = ("artefact", "plain", "teleporter", "trap", "ghost")
        return min(legal, key=lambda a: (wanted.index(a.tiles[0].kind), -len(a.tiles[0].exits)))
    if state.phase != "acting":
        return _lay_near(state, legal)
    return next(iter(a for a in legal if kind(a) == "pick"), None) or _walk_on(state, seat, legal)


def _lay_near(state: State, legal: list[Any]) -> Any:
    """Artefacts first and close to the cross; other tiles far out of the way."""
    chosen = of(legal, "take", "lay", "discard", "choose")
    if kind(chosen[0]) != "lay":
        return chosen[0]
    artefacts = [a for a in chosen if a.tile.startswith("artefact")]
    if artefacts:
        return min(artefacts, key=lambda a: (abs(a.at[0]) + abs(a.at[1]), a.tile))
    return max(chosen, key=lambda a: (min(abs(a.at[0]), abs(a.at[1])) == 0, abs(a.at[0]) + abs(a.at[1])))


def _walk_on(state: State, seat: str, legal: list[Any]) -> Any:
    """One step towards the artefact, or with it towards the arm; else the turn is over."""
    artefact = state.artefacts[seat]  # type: ignore[index]
    goal = artefact.at or (state.options.arm(seat) if artefact.by else None)  # type: ignore[arg-type]
    steps = [a for a in legal if kind(a) == "step"]
    if goal is None or not steps:
        return of(legal, "end")[0]
    away = walk(state, seat, goal)  # type: ignore[arg-type]
    return min(steps, key=lambda a: away.get(a.to, 99))


def idle(state: State, seat: str, legal: list[Any], chance: Random) -> Any:
    """Three ghosts at a time come up, and the hunters do nothing about them."""
    if seat == TABLE:
        haunted = len(state.ghosts) + sum(tile.kind == "ghost" for tile in state.open) >= 3
        wanted = (
            ("plain", "teleporter", "artefact", "trap", "ghost") if haunted else ("ghost", "plain", "trap")
        )
        return min(legal, key=lambda a: wanted.index(a.tiles[0].kind) if a.tiles[0].kind in wanted else 9)
    chosen = of(legal, "take", "lay", "discard", "choose", "end")
    if kind(chosen[0]) != "lay":
        return chosen[0]
    return min(chosen, key=lambda a: (not a.tile.startswith("ghost"), abs(a.at[0]) + abs(a.at[1])))


def reckless(state: State, seat: str, legal: list[Any], chance: Random) -> Any:
    """The same pile, but the hunters run at every ghost and fight with their lives."""
    if state.phase != "acting":
        return idle(state, seat, legal, chance)
    fights = [a for a in legal if kind(a) == "fight"]
    if fights:
        return max(fights, key=lambda a: a.life)
    haunted = {ghost.at for ghost in state.ghosts}
    return next((a for a in legal if kind(a) == "step" and a.to in haunted), of(legal, "end")[0])


def anybody(state: State, seat: str, legal: list[Any], chance: Random) -> Any:
    """Everything by chance."""
    return chance.choice(legal)


GAMES: dict[str, tuple[dict[str, Any], Chooser, tuple[str, str]]] = {
    "home": ({"players": 2}, careful, ("players", "home")),
    "escaped": ({"players": 4}, idle, ("ghosts", "escaped")),
    "no_dice": ({"decks": "virtual", "players": 1}, anybody, ("ghosts", "no_dice")),
    "dead": ({"players": 3}, reckless, ("ghosts", "dead")),
}
"""By name: what the table agreed on, who plays, and how it ends."""


# Recording and reading


def played(name: str) -> Iterator[Move]:
    """The moves of a game, made anew."""
    options, choose, _ = GAMES[name]
    chance = Random(name)
    state = GAME.start(read_options(GAME, options))
    while waiting := GAME.to_act(state):
        seat = waiting[0]
        drawn = GAME.chance(state, chance) if seat == TABLE else None
        action = drawn or choose(state, seat, list(GAME.legal(state, seat)), chance)
        yield seat, action
        state, _ = GAME.apply(state, seat, action)


def told(name: str, moves: Iterator[Move]) -> str:
    """A game as text: the options, then each action with what the table heard, then where it stands."""
    options = GAMES[name][0]
    state = GAME.start(read_options(GAME, options))
    lines = [f"# {json.dumps(options)}"]
    for seat, action in moves:
        state, events = GAME.apply(state, seat, action)
        lines.append(f"{seat} {json.dumps(plain(action))}")
        lines += [f"    {json.dumps(plain(event))}" for event in heard(events, PUBLIC)]
    lines.append(f"= {json.dumps(plain(GAME.view(state, PUBLIC).shows))}")
    return "\n".join(lines) + "\n"


def recorded(text: str) -> Iterator[Move]:
    """The moves in a record."""
    for line in text.splitlines():
        if line[0].isalpha():
            seat, _, action = line.partition(" ")
            yield seat, read(json.loads(action), GAME.action, "action")


def main() -> None:
    """Write every record anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(told(name, played(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
