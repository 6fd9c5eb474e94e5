"""Max's closed phone at every moment of whole hunts: it shows and says the same wherever he may be."""

from __future__ import annotations

import random
from html.parser import HTMLParser
from typing import Any

import pytest
from msgspec.structs import replace

from companion.contract import Seat, plain
from companion.games.canterville.options import MAX
from companion.table import Table
from tests.pages.scenes import opened, scene
from tests.pages.test_castle_looks import FRAMES, LANGUAGES, TABLES
from web.render import pages

VOID = {"input", "meta", "link", "br", "img", "hr"}
UNSEEN = {"value", "data-what", "data-note", "for"}
"""What the rooms carry for a script and a form. The button to hold opens it, and nothing else shows it."""


class Closed(HTMLParser):
    """All that a page shows, or tells a screen reader, while nobody holds the button."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []
        self.held = 0
        self._open: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        classes = (told.get("class") or "").split()
        secret = bool({"secret", "when-held"} & {*classes})
        if tag not in VOID:
            self._open.append(secret)
            self.held += secret
        if not self.held:
            told["class"] = " ".join(name for name in classes if name != "back")
            self.seen.append((tag, sorted((k, v) for k, v in told.items() if k not in UNSEEN)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.held -= self._open.pop()

    def handle_data(self, data: str) -> None:
        if not self.held and data.strip():
            self.seen.append(data.strip())


def closed(html: str) -> list[Any]:
    read = Closed()
    read.feed(html)
    assert not read._open
    return read.seen


@pytest.mark.parametrize("kind", [kind for kind in TABLES if "castle" not in TABLES[kind]] + ["own"])
def test_a_closed_phone_is_the_same_in_every_world_that_the_hunters_hold_possible(kind: str) -> None:
    """GJ-37, GJ-52: his room, his way, his cards and where he may go stand behind his button alone."""
    chance, table = random.Random(kind), Table()
    table.new("canterville", {"frames": FRAMES, **TABLES[kind]}, seed=5)
    game, compared = table.game, 0
    assert game is not None
    while seats := table.standing().to_act:
        if table.standing().phase in ("max", "hunters") and (compared < 3 or chance.random() < 0.25):
            compared += looked_at(table, game, chance)
        seat: Seat = chance.choice(seats)
        table.act(seat, chance.choice(list(table.legal(seat))))
    assert compared > 5


def looked_at(table: Table, game: Any, chance: random.Random) -> int:
    """In how many worlds Max's page was compared with the true one."""
    language, ground = chance.choice(LANGUAGES), game.ground(table.view(MAX))
    true = scene(table, "play", MAX, language, ground=ground, open=opened(table))
    shown = closed(pages.render(true, "play"))
    assert not [words for words in shown if "→" in words], "of his way nothing is said, not even at a showing"
    worlds = [game.worlds(table.view("h1")).sample(chance) for _ in range(2)]
    for world in worlds:
        legal = {MAX: tuple(map(plain, game.legal(world, MAX)))} if true.legal else {}
        other = replace(true, shows=game.view(world, MAX).shows, legal=legal)
        assert closed(pages.render(other, "play")) == shown
    return len(worlds)
