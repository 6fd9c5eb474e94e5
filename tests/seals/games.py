"""Finished games to check: played by anybody doing anything, at a real table."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

from companion.contract import MODERATOR
from companion.journal import Journal
from companion.table import Table

GAMES: dict[str, dict[str, Any]] = {
    "phantom": {"players": 4},
    "canterville": {"hunters": 2, "frames": {"cats": 3, "bats": 3, "mice": 3, "owls": 3}},
    "artefacts": {"decks": "virtual", "preset": "family"},
}


def finish(table: Table, chance: Random, most: int = 5000) -> None:
    """Let everybody do anything until the game is over."""
    for _ in range(most):
        if table.standing().result is not None:
            return
        seat = chance.choice(table.standing().to_act)
        table.act(seat, chance.choice(table.legal(seat)))
    raise AssertionError("no end")


def finished(game: str, seed: int | None = 3, journal: Path | None = None, undos: int = 2) -> Table:
    """A game that is over, with a few moves taken back and done again on the way."""
    table, chance = Table(Journal(journal) if journal else None), Random(seed)
    table.new(game, GAMES[game], seed=seed)
    for n in range(undos):
        for _ in range(5):
            seat = chance.choice(table.standing().to_act)
            table.act(seat, chance.choice(table.legal(seat)))
        table.undo(MODERATOR)
        if n % 2:
            table.redo(MODERATOR)
    finish(table, chance)
    return table


def by_hand(record: dict[str, Any]) -> list[str]:
    """The seals of a record as somebody else would compute them, with nothing of ours."""

    def canonical(value: Any) -> bytes:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    opening = {"game": record["game"], "options": record["options"], "protocol": 1}
    if (secret := record["secret"]) is not None:
        hidden = canonical({"options": secret["options"], "position": secret["position"]})
        opening["secret"] = hashlib.sha256(hidden + bytes.fromhex(secret["random"])).hexdigest()
    seals = [hashlib.sha256(canonical(opening)).hexdigest()]
    for link in record["entries"]:
        sealed = bytes.fromhex(seals[-1]) + canonical(link["entry"]) + bytes.fromhex(link["random"])
        seals.append(hashlib.sha256(sealed).hexdigest())
    return seals


def sealed_anew(record: dict[str, Any]) -> dict[str, Any]:
    """A changed record whose seals were all computed again, as a clever forger would."""
    seals = by_hand(record)
    entries = [
        {**link, "n": n, "seal": seals[n]} for n, link in enumerate(record["entries"], start=1)
    ]  # fmt: skip
    return {**record, "first": seals[0], "entries": entries, "seal": seals[-1]}
