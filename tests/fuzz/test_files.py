"""Kits, castles, boxes and guest books changed at random: a refusal in words, or something that works."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion import boxes, games
from companion.clock import VirtualClock
from companion.contract import plain, read_options
from companion.games.artefacts.box import INVENTED
from companion.games.canterville.castle import demo
from companion.refusals import Refusal
from companion.table import Table
from hardware import kits
from hardware.boards import LiveBoard
from hardware.schematic import schematic
from hardware.simulated import MockWires
from hardware.wiring import sheet
from tests.fuzz.test_core import ODD, ROUNDS, flipped, mutated, seeds
from web.evening.demo import Demos
from web.evening.evening import open_evening
from web.people.guest_book import Book, BookFile, Guest, Planned, Sitting, Told
from web.push.audience import Audience
from web.push.scenes import SceneBuilder
from web.render import pages

KITS = [kits.path_of(name).read_text(encoding="utf-8") for name in kits.names()]


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setattr(os, "fdatasync", lambda handle: None, raising=False)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def said(refusal: Refusal) -> None:
    """Its words, in every language."""
    assert all(refusal.message(language) for language in ("en", "fr", "de"))


# Kits


def written(value: Any) -> str:
    """A value of TOML, for those that there are in a kit, and for odd ones."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(k))} = {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return "0" if value is None else json.dumps(value) if isinstance(value, str) else str(value)


def odd_kit(chance: Random) -> str:
    """A kit with other words in it, or with another value somewhere."""
    text = chance.choice(KITS)
    if chance.random() < 0.4:
        return flipped(text.encode(), chance).decode(errors="replace")
    changed = tomllib.loads(text)
    for _ in range(chance.randrange(1, 4)):
        changed = mutated(changed, chance)
        if not isinstance(changed, dict):
            return written(changed)
    return "\n".join(f"{json.dumps(str(name))} = {written(value)}" for name, value in changed.items())


def test_any_kit_is_refused_in_words_or_can_be_wired_and_lit() -> None:
    taken = 0
    for chance in seeds():
        text = odd_kit(chance)
        try:
            kit = kits.parse(text, "odd.toml")
        except Refusal as refusal:
            said(refusal)
            continue
        taken += 1
        assert sheet(kit, "odd.svg", "en")
        schematic(kit)
        clock, table = VirtualClock(), Table()
        try:
            board = LiveBoard(kit, table, clock, MockWires(kit))
        except Refusal as refusal:
            said(refusal)
            continue
        clock.tick(1.0)
        board.close()
    assert taken


# Castles


def castles() -> Iterator[tuple[Random, Any]]:
    whole = plain(demo())
    for chance in seeds():
        changed = whole
        for _ in range(chance.randrange(1, 4)):
            changed = mutated(changed, chance)
        yield chance, changed


def test_any_castle_is_refused_in_words_or_can_be_played_in() -> None:
    game = games.find("canterville")
    frames = dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 2)
    for chance, castle in castles():
        try:
            options = read_options(game, {"hunters": 2, "frames": frames, "castle": castle})
            state = game.start(options)
        except Refusal as refusal:
            said(refusal)
            continue
        for _ in range(12):
            seats = game.to_act(state)
            choices = game.legal(state, seats[0]) if seats else ()
            if not choices:
                break
            state, _ = game.apply(state, seats[0], chance.choice(choices))
            for seat in ("public", *seats):
                game.picture(game.view(state, seat))


# Boxes


COLOURS = ("blue", "red", "green", "white")
BOXES: dict[str, Any] = {
    "phantom": {"tiles": {c: [1, 1, 2, 2, 3, 4, 5, 6, 6] for c in COLOURS}, "names": [], "turn": 90},
    "canterville": {
        "frames": {"bats": 3, "cats": 4, "hedgehogs": 5, "mice": 2, "owls": 3},
        "castle": plain(demo()),
    },
    "artefacts": plain(INVENTED),
}


def some_boxes() -> list[bytes]:
    """A profile of each game."""
    return [
        json.dumps({"box_profile": 1, "name": "Ours", "game": game, "box": box}).encode()
        for game, box in BOXES.items()
    ]


def test_any_box_is_refused_in_words_or_can_be_kept_and_planned_with(tmp_path: Path) -> None:
    whole, shelf = some_boxes(), boxes.Shelf(tmp_path / "boxes")
    assert all(boxes.from_file(data) for data in whole)
    for chance in seeds():
        data = chance.choice(whole)
        if chance.random() < 0.3:
            data = flipped(data, chance)
        else:
            data = json.dumps(mutated(mutated(json.loads(data), chance), chance)).encode()
        try:
            profile = boxes.from_file(data)
            shelf.add(profile, replace=True)
        except Refusal as refusal:
            said(refusal)
        else:
            assert boxes.options(shelf.find(profile.name)) is not None
        if chance.random() < 0.2:
            # Somebody wrote into the folder by hand.
            shelf.folder.mkdir(exist_ok=True)
            (shelf.folder / "odd.json").write_bytes(data)
            assert isinstance(shelf.profiles(), tuple)
            assert isinstance(shelf.faults(), tuple)


# Guest books


def whole_book() -> dict[str, Any]:
    guests = tuple(Guest(f"g{n}", f"Guest {n}", "0" * 64, host=n == 0, moderator=n == 1) for n in range(4))
    book = Book(
        plan=Planned("phantom", {"players": 4}, companion="master", level="normal"),
        guests=guests,
        seats={"p1": Sitting(guest="g0"), "p2": Sitting(bot="easy"), "p3": Sitting(guest="g2", name="Zoé")},
        told=(Told(1, "evening.guessing", {"n": "5"}),),
        tellings=1,
    )
    plain_book: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(book))
    return plain_book


def test_any_guest_book_is_put_aside_or_the_evening_can_be_shown_and_opens_again(tmp_path: Path) -> None:
    whole, taken = whole_book(), 0
    for n, chance in enumerate(seeds()):
        if n >= max(60, ROUNDS // 5):
            break
        folder = tmp_path / str(n)
        folder.mkdir()
        data = json.dumps(mutated(whole, chance)).encode()
        (folder / "guests.json").write_bytes(flipped(data, chance) if chance.random() < 0.3 else data)
        for _ in range(2):
            table = Table()
            evening = open_evening(folder, table)
            taken += bool(evening.book.guests)
            _shown(evening)
            evening.change(
                msgspec.structs.replace(evening.book, brightness=50 if evening.book.brightness != 50 else 60)
            )
            evening.close()
            table.close()
        assert BookFile(folder / "guests.json").load() is not None
    assert taken


def _shown(evening: Any) -> None:
    """The pages of everybody in the book, as far as there is anything to show."""
    scenes = SceneBuilder(evening, Demos())
    for guest in evening.book.guests[:2]:
        for page in ("host", "play", "table"):
            to = Audience(page, "en", guest.id, joined=True)  # type: ignore[arg-type]
            assert pages.fragment(scenes.scene(to), page)  # type: ignore[arg-type]


def test_odd_values_reach_these_files() -> None:
    assert len({written(value) for value in ODD}) > 20
