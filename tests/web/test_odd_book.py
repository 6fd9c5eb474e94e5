"""A guest book that was restored or changed by hand may say anything: every page is there all the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hardware import kits
from tests.web.conftest import Running
from tests.web.phones import Phone
from web.render import pages

Run = Callable[..., Running]
Odd = dict[str, Any]

OPEN = ("/", "/play", "/table", "/watch")
PAGES = (
    *OPEN,
    *("/host", "/backup", "/welcome", "/welcome/kit", "/lay", "/check", "/doctor", "/boxes", "/castles"),
    *("/my-phone", "/kits/make"),
)
TOLD = {"n": 1, "key": "evening.hosts", "facts": {"name": "Ada"}}
ODD: dict[str, Odd] = {
    "a line that is no number": {"told": [{**TOLD, "key": "evening.moves_lost", "facts": {"line": "x"}}]},
    "a line beyond all": {"told": [{**TOLD, "key": "evening.moves_lost", "facts": {"line": "9" * 5000}}]},
    "a line of other digits": {"told": [{**TOLD, "key": "evening.moves_lost", "facts": {"line": "²"}}]},
    "a fact that is no fact": {"told": [{**TOLD, "facts": {"key": "x", "language": "y", "name": "z"}}]},
    "an announcement nobody knows": {"told": [{**TOLD, "key": "nobody.knows"}]},
    "a sentence with numbers": {"told": [{**TOLD, "key": "evening.guessing", "facts": {"n": "many"}}]},
    "announcements without end": {"told": [TOLD] * 500, "tellings": -7},
    "an unknown game": {"plan": {"game": "chess"}},
    "no game": {"plan": {"game": ""}},
    "a game that is a path": {"plan": {"game": "../phantom"}},
    "an unknown level": {"plan": {"game": "phantom", "companion": "master", "level": "godlike"}},
    "an unknown role": {"plan": {"game": "phantom", "companion": "butler", "level": "easy"}},
    "an unknown box": {"plan": {"game": "phantom", "box": "../box"}},
    "options of other kinds": {"plan": {"game": "phantom", "options": {"players": [4], "preset": {"a": 1}}}},
    "options nobody knows": {"plan": {"game": "phantom", "options": {"speed": "high", "layout": 7}}},
    "another game's options": {"plan": {"game": "canterville", "options": {"players": 99, "castle": []}}},
    "a castle that is none": {"plan": {"game": "canterville", "options": {"castle": {"rooms": "x"}}}},
    "odd numbers": {"plan": {"game": "artefacts", "options": {"players": None, "decks": -1}}},
    "a bot nobody knows": {"seats": {"p1": {"bot": "godlike"}, "p2": {"bot": ""}, "p9": {"bot": "easy"}}},
    "a phone nobody knows": {"seats": {"p1": {"guest": "nobody", "name": "x"}}},
    "a language nobody speaks": {"language": "xx"},
    "too bright": {"brightness": 10**9},
    "an odd sketch": {"sketch": [{"room": "x"}, {"room": -1, "colour": "blue", "value": 99}, {}]},
    "odd pencil": {"pencil": {"p1": {"-5": {"says": "dragon"}}, "": {"7": {"says": "note"}}}},
    "an odd score": {"score": {"": {"won": -1, "played": 0}}},
    "a kit nobody has": {"fitted": {"kit": "../../etc/passwd", "instead_of": "none"}},
    "an odd hash": {"pin": "é ü"},
    "insiders nobody knows": {"insiders": ["nobody", ""], "entry": -(10**30)},
}


def failing(phone: Phone, paths: tuple[str, ...]) -> list[str]:
    """The pages that are not there for a phone by a fault of ours."""
    return [path for path in paths if phone.get(path).status >= 500]


def odd_book(path: Path, odd: Odd) -> None:
    """What the house wrote, with something odd in it."""
    book = msgspec.json.decode(path.read_bytes())
    if "language" in odd:
        book["guests"] = [{**guest, **odd} for guest in book["guests"]] * 2
    else:
        book |= {**odd, "seats": book["seats"] | odd.get("seats", {})}
    path.write_bytes(msgspec.json.encode(book))


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_every_page_is_there_with_an_odd_guest_book(run: Run, tmp_path: Path, odd: Odd) -> None:
    house = run(renderer=pages)
    host = house.host()
    ada = house.players("Ada", "Hamish")["p1"]
    watcher = house.moderator(phone=house.phone())
    house.start(host, players=2, board=None)
    house.close()
    odd_book(tmp_path / "state" / "guests.json", odd)
    again = run(renderer=pages)
    host.port = ada.port = watcher.port = again.port
    for phone, paths in ((host, PAGES), (ada, OPEN), (watcher, ("/moderator",)), (again.phone(), OPEN)):
        assert failing(phone, paths) == []
    assert host.post("/host/abandon").status == 200
    assert failing(host, PAGES) == []
    assert host.post("/host/plan", players="2").status == 200
    # Whoever an odd book leaves on the chairs, and whatever its page asks first.
    assert host.forge("/host/start", game="phantom", players="2", empty="easy").status == 200
    assert host.post("/host/abandon").status == 200


def test_what_can_be_used_of_an_odd_book_is_kept(run: Run, tmp_path: Path) -> None:
    house = run(renderer=pages)
    host = house.host()
    house.players("Ada", "Hamish")
    house.close()
    odd = {"plan": {"game": "chess"}, "told": [TOLD, {**TOLD, "facts": {"line": "x"}}], "brightness": 900}
    odd_book(tmp_path / "state" / "guests.json", odd | {"seats": {"p3": {"bot": "godlike"}}})
    book = run(renderer=pages).evening.book
    assert [one.facts for one in book.told] == [{"name": "Ada"}]
    assert (book.plan.game, book.brightness) == ("phantom", 100)
    assert [guest.name for guest in book.guests] == ["Mrs Kerr", "Ada", "Hamish"]
    assert {seat: bool(sitting.guest) for seat, sitting in book.seats.items()} == {
        "p1": True,
        "p2": True,
        "p3": False,
    }
    assert host


# Kits of one's own


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state" / "kits"
    folder.mkdir(parents=True)
    monkeypatch.setenv(kits.FOLDER, str(folder))
    return folder


def a_pipe(trap: Path) -> None:
    os.mkfifo(trap)


def a_device(trap: Path) -> None:
    trap.symlink_to("/dev/zero")


def a_circle(trap: Path) -> None:
    trap.symlink_to(trap)


def a_link(trap: Path) -> None:
    trap.symlink_to(kits.SHIPPED / "rows.toml")


def a_folder(trap: Path) -> None:
    trap.mkdir()


def a_flood(trap: Path) -> None:
    with open(trap, "wb") as file:
        file.truncate(1 << 32)


TRAPS = (a_pipe, a_device, a_circle, a_link, a_folder)


@pytest.mark.parametrize("lay", [*TRAPS, a_flood])
def test_a_trap_among_the_kits_is_no_choice_and_holds_nobody_up(
    run: Run, own: Path, lay: Callable[[Path], None]
) -> None:
    lay(own / "pitfall.toml")
    (own / "good.toml").write_bytes((kits.SHIPPED / "joystick.toml").read_bytes())
    house = run(renderer=pages, kit="simulated")
    host = house.host()
    for path in ("/welcome/kit", "/host", "/kits/make"):
        page = host.get(path)
        assert page.status == 200
        assert "pitfall" not in page.text
    assert 'value="good"' in host.get("/welcome/kit").text
    assert host.forge("/welcome/kit", kit="pitfall").status in (400, 409)
    assert house.evening.board_kit.name == "simulated"


@pytest.mark.parametrize("lay", TRAPS)
def test_a_trap_with_the_name_of_a_shipped_kit_does_not_hide_it(
    own: Path, lay: Callable[[Path], None]
) -> None:
    lay(own / "joystick.toml")
    assert kits.load("joystick").name == "joystick"
    assert kits.path_of("joystick").parent == kits.SHIPPED


@pytest.mark.parametrize("name", ["../rows", "/etc/passwd", ""])
def test_a_kits_name_leads_nowhere_else(own: Path, name: str) -> None:
    (own.parent / "rows.toml").write_bytes((kits.SHIPPED / "rows.toml").read_bytes())
    with pytest.raises(kits.NoSuchKit):
        kits.load(name)
