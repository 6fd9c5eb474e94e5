"""Boxes on the phone: written down, copied, learned from the table, passed on and taken in."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from msgspec.structs import replace

from companion import boxes
from companion.boxes import Profile
from companion.games.artefacts.box import INVENTED
from companion.games.phantom.box import Box
from tests.web.conftest import LAYOUT, Running
from tests.web.phones import Answer, Phone
from web import games
from web.admin import sharing
from web.admin.boxes.pages import MARK, to_text
from web.admin.boxes.routes import from_text
from web.games.artefacts import box
from web.render import pages

Run = Callable[..., Running]
WEB = Path(pages.__file__).parents[1]
COLOURS = ("blue", "red", "green", "white")
TILES = {f"tiles-{colour}": "112233456" for colour in COLOURS}
NAMES = {f"name-{room}": str(100 + room) for room in range(1, 37)}
ARTEFACTS = box.FORM.written(INVENTED)
ANIMALS = {"bats": 5, "cats": 4, "hedgehogs": 6, "mice": 4, "owls": 5}


@pytest.fixture
def house(run: Run) -> Running:
    return run(renderer=pages)


@pytest.fixture
def host(house: Running) -> Phone:
    return house.host()


def phantom(name: str = "Our box", **fields: Any) -> Profile:
    tiles = {colour: [1, 1, 2, 2, 3, 3, 4, 5, 6] for colour in COLOURS}
    return Profile(name, "phantom", Box(**{"tiles": tiles, **fields}))


def save(host: Phone, game: str = "phantom", late: bool = False, **fields: Any) -> Answer:
    """Write a box down; `late` with what the page of now would not send."""
    told = {"game": game, "name": "Our box", **(TILES if game == "phantom" else {}), **fields}
    if late:
        return host.forge("/boxes/save", **told)
    # From the page of a new box, or of the one that it was: the page of another would rename that.
    page = f"box?name={quote(told['was'])}" if told.get("was") else f"new?game={game}"
    return host.post("/boxes/save", page=host.get(f"/boxes/{page}"), **told)


def shown(answer: Answer) -> list[str]:
    """What the page says is wrong."""
    return [
        unescape(text) for text in re.findall(r'role="alert">.*?<span>(.*?)</span>', answer.text, re.DOTALL)
    ]


def test_only_whoever_runs_the_evening_enters_the_boxroom(house: Running) -> None:
    guest = house.guest("Ada")
    for path in ("/boxes", "/boxes/new?game=phantom", "/boxes/box?name=x", "/boxes/file?name=x"):
        assert guest.get(path).status == 403
    assert guest.forge("/boxes/save", game="phantom", name="Ours", **TILES).status == 403
    assert not house.evening.shelf.folder.exists()


def test_a_box_is_written_down_and_outlasts_the_night(run: Run, house: Running, host: Phone) -> None:
    """PS-1, PS-2: values, printed names, how the board lies, which colour is which room."""
    answer = save(host, turn="90", **NAMES, **{"type-blue": "library"})
    assert answer.status == 200
    house.close()
    kept = run(renderer=pages).evening.shelf.find("Our box").box
    assert kept.tiles["red"] == [1, 1, 2, 2, 3, 3, 4, 5, 6]
    assert (kept.names[0], kept.turn, kept.types) == ("101", 90, {"blue": "library"})


@pytest.mark.parametrize("game", ["artefacts", "canterville", "phantom"])
def test_what_a_sheet_shows_saves_the_same_box(house: Running, host: Phone, game: str) -> None:
    fields = {"artefacts": ARTEFACTS, "canterville": ANIMALS, "phantom": {**NAMES, "turn": "180"}}[game]
    assert save(host, game, **fields).status == 200
    before = house.evening.shelf.find("Our box")
    assert host.post("/boxes/save", page=host.get("/boxes/box?name=Our%20box")).status == 200
    assert house.evening.shelf.find("Our box") == before


def test_everything_wrong_is_told_at_once_and_nothing_typed_is_lost(house: Running, host: Phone) -> None:
    typed = {"name": "", "tiles-blue": "11x", "name-1": "Attic", "type-red": "library"}
    answer = save(host, late=True, **typed)
    assert answer.status == 409
    assert shown(answer) == [
        "35 rooms have no name: fill in all 36, or leave them all empty "
        f"({', '.join(map(str, range(2, 37)))})",
        "The name of a box has 1 to 40 letters on one line, with no blank at either end",
        "There must be nine blue tiles, not 3",
        "A blue tile is worth 0; tiles are worth 1 to 6",
    ]
    for typed in ('value="11x"', 'value="Attic"', 'value="112233456"', 'value="library" selected'):
        assert typed in answer.text
    assert house.evening.shelf.profiles() == ()


PRINTED = {
    **{"cost-vacuum": "1", "cost-kit": "0", "cost-chalice": "3"},
    **{"arm-blue": "S", "arm-red": "W", "arm-yellow": "N", "arm-green": "E"},
    **{"seat-1": "green", "seat-2": "blue", "seat-3": "red", "seat-4": "yellow"},
}
"""A box whose cards cost something else, whose cross is painted and whose colours sit otherwise."""
USUAL = {"vacuum": "0", "crucifix": "0", "chalice": "1", "kit": "1", "energy_bar": "0", "teleportable": "1"}
"""CFA-Q2: what cards cost unless somebody says otherwise."""


def test_cards_cross_and_seats_of_a_manor_are_written_on_its_sheet(house: Running, host: Phone) -> None:
    """CFA-10, CFA-Q2: the page has a field for each, what was said is chosen in it, and a game has it."""
    blank = host.get("/boxes/new?game=artefacts").text
    assert {f'<select name="{name}">' in blank for name in PRINTED} == {True}
    assert re.findall(r'name="cost-(\w+)">.*?selected>(\d)', blank) == list(USUAL.items())
    assert save(host, "artefacts", **{**ARTEFACTS, **PRINTED}).status == 200
    page = host.get("/boxes/box?name=Our%20box").text
    drawn = dict(re.findall(r'<select name="([^"]+)">(.*?)</select>', page))
    for name, value in PRINTED.items():
        assert re.search(rf'(value="{value}" selected|selected>{value})', drawn[name]), name
    host.post("/boxes/choose", name="Our box")
    assert house.evening.book.plan.game == "artefacts"
    assert host.post("/host/start", box="Our box").status == 200
    shows = house.evening.table.view("public").shows
    assert [chair.seat for chair in house.evening.table.chairs()] == ["green", "blue", "red", "yellow"]
    assert shows.pawns == {"blue": (0, -1), "red": (-1, 0), "yellow": (0, 1), "green": (1, 0)}
    told = house.evening.shelf.find("Our box").box
    assert (told.cost.vacuum, told.cost.kit, told.cost.chalice, told.cost.teleportable) == (1, 0, 3, 1)


def test_an_arm_or_a_seat_given_twice_or_left_out_is_told(host: Phone) -> None:
    wrong = {**PRINTED, "arm-blue": "N", "seat-4": ""}
    answer = save(host, "artefacts", **{**ARTEFACTS, **wrong})
    assert answer.status == 409
    assert len(shown(answer)) == 2


def test_the_sums_of_a_manor_are_checked(host: Phone) -> None:
    """CFA-1 to CFA-3: 48 tiles, 31 objects, 12 traps."""
    wrong = {"plain-NESW": "7", "object-kit": "6", "trapcard-hole": "99", "artefact-blue": ""}
    answer = save(host, "artefacts", **{**ARTEFACTS, **wrong})
    assert shown(answer) == [
        "“99” is no number from 0 to 48",
        "46 tiles in place of 48",
        "32 object cards in place of 31",
        "9 trap cards in place of 12",
        "It needs one artefact tile of each colour",
    ]
    for due in (48, 31, 12):
        assert f'data-words="{{n}} of {due}"' in answer.text


def test_a_castle_that_came_with_a_box_stays_in_it(house: Running, host: Phone) -> None:
    castle = {"name": "C", "rooms": [1, 2], "walks": [[1, 2]]}
    file = {
        "box_profile": 1,
        "name": "Ours",
        "game": "canterville",
        "box": {"frames": ANIMALS, "castle": castle},
    }
    host.post("/boxes/import", text=json.dumps(file))
    assert host.post("/boxes/keep", name="Ours").status == 200
    host.post("/boxes/save", game="canterville", was="Ours", name="Ours", **{**ANIMALS, "bats": 3})
    kept = house.evening.shelf.find("Ours").box
    assert (kept.frames["bats"], kept.castle.name) == (3, "C")


def test_what_happens_to_another_box_leaves_tonights_alone(house: Running, host: Phone) -> None:
    """Renamed, taken off the shelf: the plan has the box that was chosen."""
    save(host)
    save(host, name="Aunt’s")
    host.post("/boxes/choose", page=host.get("/boxes/box?name=Our%20box"))
    host.post("/boxes/save", page=host.get("/boxes/box?name=Aunt%E2%80%99s"), name="Uncle’s")
    assert house.evening.book.plan.box == "Our box"
    host.post("/boxes/remove", page=host.get("/boxes/box?name=Uncle%E2%80%99s"))
    assert [box.name for box in house.evening.shelf.profiles()] == ["Our box"]
    assert house.evening.book.plan.box == "Our box"


def test_another_name_is_the_same_box_and_the_plan_follows(house: Running, host: Phone) -> None:
    save(host)
    host.post("/boxes/choose", name="Our box")
    assert save(host, was="Our box", name="Grandma’s").status == 200
    assert [box.name for box in house.evening.shelf.profiles()] == ["Grandma’s"]
    assert house.evening.book.plan.box == "Grandma’s"
    save(host, name="Attic")
    clash = save(host, was="Attic", name="grandma’s")
    assert (clash.status, len(house.evening.shelf.profiles())) == (409, 2)


def test_a_box_that_is_gone_by_now_is_saved_as_a_new_one(house: Running, host: Phone) -> None:
    assert save(host, late=True, was="Our box").status == 409
    again = save(host, late=True, was="Our box")
    assert 'name="was" value=""' in again.text
    assert 'value="112233456"' in again.text


def test_a_copy_has_a_name_of_its_own(house: Running, host: Phone) -> None:
    save(host, name="Attic")
    for _ in range(2):
        assert host.post("/boxes/copy", name="Attic").status == 200
    assert [box.name for box in house.evening.shelf.profiles()] == ["Attic", "Attic 2", "Attic 3"]


def test_a_running_game_keeps_its_box_whatever_happens_to_it(run: Run, house: Running, host: Phone) -> None:
    save(host, **NAMES)
    host.post("/boxes/choose", name="Our box")
    host.post("/host/start", players=4)
    shows = house.evening.table.view("public").shows
    save(host, was="Our box", **{"tiles-blue": "666666666"})
    host.post("/boxes/remove", name="Our box")
    assert house.evening.table.view("public").shows == shows
    assert house.evening.book.plan.box == ""
    house.close()
    assert run(renderer=pages).evening.table.view("public").shows == shows


# From the table


def test_the_box_is_learned_from_the_board_that_lies_there(house: Running, host: Phone) -> None:
    assert "/boxes/learn" not in host.get("/boxes").text
    assert host.forge("/boxes/learn", name="Ours").status == 409
    house.start(host)
    assert "/boxes/learn" in host.get("/boxes").text
    assert host.post("/boxes/learn", name="Ours").status == 200
    laid = sorted(value for colour, value in LAYOUT if colour == "green")
    assert house.evening.shelf.find("Ours").box.tiles["green"] == laid


# To another table


@pytest.mark.parametrize("game", ["artefacts", "canterville", "phantom"])
def test_a_box_goes_out_as_file_text_and_link_and_comes_back(run: Run, host: Phone, game: str) -> None:
    fields = {"artefacts": ARTEFACTS, "canterville": ANIMALS, "phantom": NAMES}[game]
    save(host, game, **fields)
    page = host.get("/boxes/box?name=Our%20box").text
    file = host.get("/boxes/file?name=Our%20box")
    assert f'filename="{game}.box.json"' in file.headers["content-disposition"]
    text = unescape(re.search(r"<textarea rows=\"3\" readonly>(.*?)</textarea>", page)[1])
    assert 'class="bigqr"' in page
    other = run("other", renderer=pages)
    guest = other.host("Jürgen")
    for n, brought in enumerate((file.text, text, sharing.link("/boxes/import", text)), start=1):
        looked = guest.post("/boxes/import", text=brought)
        assert (looked.status, len(other.evening.shelf.profiles())) == (200, n - 1), "looked at, not kept"
        assert guest.post("/boxes/keep", name=f"From Ada {n}").status == 200
    assert other.evening.shelf.find("From Ada 3").box == from_text(text).box


def test_a_link_from_a_camera_is_looked_at_first(house: Running, host: Phone) -> None:
    link = sharing.link("/boxes/import", to_text(phantom(names=list(NAMES.values()))))
    path = link.removeprefix(sharing.HOUSE)
    assert len(link) < sharing.LONGEST_LINK
    page = host.get(path)
    assert (page.status, house.evening.shelf.profiles()) == (200, ())
    assert "1 1 2 2 3 3 4 5 6" in page.text
    assert house.guest("Ada").get(path).status == 403


def test_a_phone_that_came_by_the_tables_name_is_sent_where_it_is_known(house: Running, host: Phone) -> None:
    path = sharing.link("/boxes/import", to_text(phantom())).removeprefix(sharing.HOUSE)
    stranger = house.phone().ask("GET", path, headers={"Host": f"localhost:{house.port}"})
    assert (stranger.status, stranger.headers["location"]) == (303, house.evening.addresses.base_url + path)
    assert house.phone().get(path, follow=False).status == 403, "by a number it stays"
    assert host.get(path).status == 200


def test_a_castle_travels_by_such_a_link_too(host: Phone) -> None:
    host.post("/castles/import", text=json.dumps({"name": "Ours", "rooms": [1, 2], "walks": [[1, 2]]}))
    page = host.get("/castles/ours").text
    assert 'class="bigqr"' in page
    text = unescape(re.search(r"<textarea rows=\"3\" readonly>(.*?)</textarea>", page)[1])
    brought = host.get(sharing.link("/castles", text).removeprefix(sharing.HOUSE)).text
    assert f">{text}</textarea>" in brought
    assert "/castles/ours-2" not in brought, "looked at, not kept"
    host.post("/castles/import", text=sharing.link("/castles", text))
    assert "/castles/ours-2" in host.get("/castles").text


def test_a_short_text_that_unpacks_to_very_much_is_cut_off() -> None:
    """What a QR code brings may not fill the memory."""
    text = sharing.packed(MARK, bytes(1 << 22))
    assert len(text) < 10_000
    assert sharing.opened(MARK, text, 1 << 10) == bytes(1 << 10)


def test_a_name_that_is_there_gives_way_only_if_told_so(house: Running, host: Phone) -> None:
    save(host)
    text = to_text(phantom(turn=180))
    host.post("/boxes/import", text=text)
    refused = host.post("/boxes/keep", name="OUR BOX")
    assert (refused.status, 'name="replace"' in refused.text) == (409, True)
    assert house.evening.shelf.find("Our box").box.turn == 0
    assert host.post("/boxes/keep", name="Our box", replace="1").status == 200
    assert house.evening.shelf.find("Our box").box.turn == 180


def test_a_file_is_chosen_without_any_script(house: Running, host: Phone) -> None:
    data = boxes.to_file(phantom())
    answer = host.post("/boxes/import", file=data)
    assert answer.status == 200
    assert "/boxes/keep" in answer.text


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 400),
        ("no box", 400),
        (MARK + "AAAA", 400),
        (MARK + "ü", 400),
        (to_text(phantom())[:-9], 400),
        ('{"box_profile":99}', 400),
        ('{"box_profile":1,"name":"x","game":"chess","box":{}}', 409),
        (json.dumps({"box_profile": 1, "name": "", "game": "phantom", "box": {"tiles": {"pink": [9]}}}), 409),
    ],
)
def test_what_is_no_box_is_refused_with_every_reason(
    house: Running, host: Phone, text: str, status: int
) -> None:
    for answer in (host.post("/boxes/import", text=text), host.get(f"/boxes/import?text={quote(text)}")):
        assert answer.status == status
        assert shown(answer)
        assert 'action="/boxes/import"' in answer.text
    if "pink" in text:
        assert len(shown(answer)) == 6
    assert house.evening.shelf.profiles() == ()


def test_a_box_too_long_for_a_camera_says_so(host: Phone) -> None:
    names = {
        f"name-{room}": "".join(chr(0x4E00 + 37 * room + i * 991) for i in range(12)) for room in range(1, 37)
    }
    save(host, **names)
    page = host.get("/boxes/box?name=Our%20box").text
    assert 'class="bigqr"' not in page
    assert "too much for a QR code" in page


def test_a_box_of_a_game_without_a_sheet_is_kept_and_passed_on_as_it_is(
    house: Running, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(host)
    sealed, find = replace(games.find("phantom"), box=None), games.find
    monkeypatch.setattr(games, "find", lambda name: sealed if name == "phantom" else find(name))
    page = host.get("/boxes/box?name=Our%20box").text
    assert "/boxes/save" not in page
    assert "/boxes/file?name=Our%20box" in page
    assert save(host, late=True, was="Our box").status == 409
    assert house.evening.shelf.find("Our box")


def test_a_broken_file_on_the_shelf_is_shown_and_harms_no_other(house: Running, host: Phone) -> None:
    save(host)
    (house.evening.shelf.folder / "torn.json").write_text('{"box_')
    page = host.get("/boxes").text
    assert "torn.json" in page
    assert "Our box" in page


# Words


NAMED_BY_DATA: dict[str, set[str]] = {"boxes": set(), "backup": {"games", "boxes"}}
"""Words whose names come from what is shown."""


@pytest.mark.parametrize("room", NAMED_BY_DATA)
def test_nothing_is_said_here_that_has_no_words_and_no_words_are_left_over(room: str) -> None:
    home = WEB / "admin" / {"backup": "backup"}.get(room, room)
    words = set(tomllib.loads((home / "words" / "en.toml").read_text(encoding="utf-8")))
    sources = [*(WEB / "templates" / room).glob("*.html"), *home.glob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in sources]
    spoken = re.compile(rf"""\b[bk]\(["'](\w+)["'](?! ~)|"{room}\.(\w+)\"""")
    said = {found[1] or found[2] for text in texts for found in spoken.finditer(text)} | NAMED_BY_DATA[room]
    stems = tuple(
        stem for text in texts for stem in re.findall(r"""\b[bk]\(f?["'](\w+_)(?:\{|["'] ~)""", text)
    )
    assert said - words == set()
    assert {word for word in words - said if not word.startswith(stems)} == set()
