"""The counted positions as data files, and the command that makes them.

python -m tests.games.phantom.perft.counted    counts them anew with the second, brute-force implementation
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from tests.games.phantom import brute
from tests.games.phantom.hotel import GHOSTS, LAYOUT, OWNERS_BY_PLAYERS, all_but, position

FOLDER = Path(__file__).parent
MOST = 20_000
"""Counting goes on while the next count cannot be much more than this: it keeps the check quick."""

BLOCKED = position(all_but("B2 C4 D3 F5"), {"white": "E5 p2 found"})
DEAD = {"blue": "B2 p2 found", "white": "E5 p2 found"}
ONE_LEFT = {"blue": "B2 p2", "red": "C4 p4 found", "green": "D3 p4 found", "white": "E5 p2 found"}

FIXED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("full-board-4", position(), {}),
    ("full-board-3", position(players=3), {}),
    ("full-board-2", position(players=2), {}),
    ("blocked-master", BLOCKED, {}),
    ("blocked-master-partner-plays", BLOCKED, {"blocked_master": "partner_plays"}),
    ("only-allied-tiles", position(all_but("B2 C4 D3 F5"), {"white": "E5 p2 found"}, to_act=["p4"]), {}),
    (
        "only-allied-tiles-pass",
        position(all_but("B2 C4 D3 F5"), {"white": "E5 p2 found"}, to_act=["p4"]),
        {"pass_if_only_allied_tiles": True},
    ),
    ("master-without-ghosts", position("B2 E5 A1 A2 F6", DEAD), {}),
    (
        "master-without-ghosts-skip",
        position("C4 D3 E5 A1 A2 F6", {**ONE_LEFT, "white": "F4 p2"}, to_act=["p4"]),
        {"master_without_ghosts": "skip_turn"},
    ),
    ("last-ghost", position(all_but("A1 A2 B2 C2 C3 F1 F6"), ONE_LEFT), {}),
    ("nearly-won", position("A1 A2 A3", damage=43), {}),
    ("flood-fill", position("C3 C4 D3 E2", {"red": "B5 p4", "green": "F1 p4"}), {"reach": "flood_fill"}),
    ("hunter-may-pass", position(all_but("B2 C2 C4 D3 E5 E6"), to_act=["p1"]), {"hunter_may_pass": True}),
]

MIDWAY: list[tuple[str, int, int, dict[str, Any]]] = [
    ("midway-4-a", 4, 12, {}),
    ("midway-4-b", 4, 20, {"friendly_fire": "forbidden"}),
    ("midway-4-c", 4, 26, {"masters_see_all_ghosts": "own_only", "friendly_fire": "forbidden"}),
    ("midway-3-a", 3, 15, {}),
    ("midway-3-b", 3, 24, {"blocked_master": "partner_plays"}),
    ("midway-2-a", 2, 10, {}),
    ("midway-2-b", 2, 22, {"reach": "flood_fill"}),
]
"""Name, players, how many turns were played by chance before, and options."""


def positions() -> list[dict[str, Any]]:
    """Every counted position: its name, the options, the position, and the counts from one action on."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]


def played(players: int, turns: int, options: dict[str, Any]) -> dict[str, Any]:
    """A position that chance has led to."""
    owners = OWNERS_BY_PLAYERS[players]
    chance = Random(f"{players} {turns}")
    begun = position(
        ghosts={colour: f"{where} {owners[colour]}" for colour, where in GHOSTS.items()}, players=players
    )
    game = brute.enter({**begun, "objective": 216}, options)
    for _ in range(turns):
        ((seat, allowed),) = brute.moves(game).items()
        hidden = [brute.number(ghost["room"]) for ghost in game["ghosts"].values() if not ghost["found"]]
        careful = [action for action in allowed if action.get("room") not in hidden]
        game = brute.play(game, seat, chance.choice(careful or allowed))
    seats = brute.order(game)
    return {
        "rooms": [
            {"colour": colour, "value": value} if brute.room(number) in game["board"] else None
            for number, (colour, value) in enumerate(LAYOUT, start=1)
        ],
        "ghosts": {
            colour: {"room": brute.number(ghost["room"]), "owner": ghost["owner"], "revealed": ghost["found"]}
            for colour, ghost in game["ghosts"].items()
        },
        "damage": game["damage"],
        "to_act": [seats[game["turn"] % len(seats)]],
        "objective": 216,
        "players": players,
    }


def counts(entered: dict[str, Any], options: dict[str, Any]) -> list[int]:
    """The counts from one action on, as far as they stay countable."""
    game = brute.enter(entered, options)
    found = [brute.perft(game, 1), brute.perft(game, 2)]
    while 0 < found[-1] * found[-1] // found[-2] < MOST and len(found) < 8:
        found.append(brute.perft(game, len(found) + 1))
    return found


def main() -> None:
    """Write every file anew."""
    made = [*FIXED, *((name, played(n, turns, options), options) for name, n, turns, options in MIDWAY)]
    for name, entered, options in made:
        data = {"name": name, "options": options, "position": entered, "counts": counts(entered, options)}
        (FOLDER / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        print(name, data["counts"])


if __name__ == "__main__":
    main()
