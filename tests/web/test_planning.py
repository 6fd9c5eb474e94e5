"""What the host plans: each game its own rules, the host's word over the box's, and who answers for whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import boxes
from companion.boxes import Profile, Shelf
from companion.contract import TABLE, plain
from companion.games.phantom.box import Box
from tests.internal import internal
from tests.web.conftest import Running
from web.evening import match, planning
from web.people.guest_book import Planned


def test_another_game_begins_with_its_own_rules() -> None:
    """What was chosen for the one would be refused by the other, or mean something else there."""
    hotel = planning.changed(Planned("phantom"), {"option-objective": "60", "companion": "master"}, None)
    assert (hotel.options, hotel.companion) == ({"objective": 60}, "master")
    manor = planning.changed(hotel, {"game": "artefacts"}, None)
    assert (manor.game, manor.options, manor.companion) == ("artefacts", {}, "")


def test_what_the_host_says_goes_over_what_the_box_says(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    tiles = {colour: [1, 1, 2, 2, 3, 3, 4, 5, 6] for colour in ("blue", "red", "green", "white")}
    shelf.add(Profile("Ours", "phantom", Box(tiles=tiles)))
    told = boxes.options(shelf.find("Ours"))
    option = next(iter(told))
    plan = Planned("phantom", options={option: "said"}, box="Ours")
    assert planning.full_options(plan, shelf) == {**told, option: "said"}


def test_nobody_answers_for_bots_while_a_person_sits_on_their_side(house: Running) -> None:
    """Whether a move is taken back is that person's to say, and not the host's."""
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe")
    assert host.post("/host/seat", seat="p4", bot="easy").status == 200
    house.start(host)
    assert match.host_answers_for(house.evening, "p1") == ()
    phones["p2"].post("/leave")
    host.post("/host/seat", seat="p2", bot="easy")
    assert match.host_answers_for(house.evening, "p1") == ("p2", "p4")


def test_whoever_moderates_when_a_game_begins_has_seen_it_and_the_host_has_not(house: Running) -> None:
    host, moderator = house.host(), house.phone()
    assert moderator.post("/moderator", pin=house.evening.pin.shown, name="Isla").status == 200
    house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    by_name = {guest.name: guest.id for guest in house.evening.book.guests}
    assert house.evening.book.insiders == (by_name["Isla"],)


def test_a_stranger_is_offered_no_card_to_tell(house: Running) -> None:
    """What was drawn from a real pile is told by those who play or run the evening."""
    host, stranger = house.host(), house.phone()
    assert host.post("/host/plan", game="artefacts").status == 200
    assert host.post("/host/start").status == 200
    assert TABLE in host.get("/host").scene["legal"]
    for page in ("/watch", "/table"):
        assert stranger.get(page).scene["legal"] == {}


def test_what_one_seat_foresees_is_not_shown_to_another(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is worked out once for all who know the same: a game may foresee more for who knows more."""
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    monkeypatch.setattr(type(house.evening.table.game), "ahead", lambda _, view: dict(view.shows.ghosts))
    table = house.evening.table
    master = table.standing().to_act[0]
    table.act(master, table.legal(master)[0])
    known = {seat: phone.get("/play").scene["ahead"] for seat, phone in phones.items()}
    assert known == {seat: plain(table.view(seat).shows.ghosts) for seat in phones}
    assert any(known[seat] != known[master] for seat in phones)


def test_a_trap_is_not_left_before_a_hunter_who_is_no_more() -> None:
    """GJ-52: what was chosen for three hunters falls away with the third."""
    fields = {"game": "canterville", "players": "4", "option-trap": "h3"}
    three = planning.changed(Planned("canterville"), fields, None)
    assert three.options["trap"] == "h3"
    two = planning.changed(three, {"players": "3"}, None)
    assert "trap" not in two.options
    assert planning.changed(two, {"option-trap": "h2"}, None).options["trap"] == "h2"


UNPLAYABLE: dict[str, tuple[dict[str, Any], ...]] = {
    "phantom": (
        {"players": 9},
        {"owners": {"red": "p2"}},
        {"players": 2, "owners": {}},
        {"first_seat": "p1"},
        {"first_seat": "p1", "first_master": "chosen"},
        {"first_seat": "p4", "first_master": "chosen", "players": 3},
        {"packs": {"p1": "sun"}},
        {"tournament": {"games": 3}},
        {"trays": {"red": "p1"}},
        {"layout": [["red", 1]]},
    ),
    "canterville": (
        {"players": 9},
        {"players": 3, "hunters": 4},
        {"trap": "h4"},
        {"players": 3, "trap": "h3"},
        {"frames": {"bats": 2}, "players": 5},
    ),
    "artefacts": (
        {"players": 9},
        {"hands": "private", "decks": "real"},
        {"seating": ["red"]},
        {"revive_life": 9},
    ),
}
"""Plans that cannot be played, by programs or in the course of being told."""


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize(("game", "told"), [(game, told) for game in UNPLAYABLE for told in UNPLAYABLE[game]])
def test_what_is_missing_is_said_without_internal_names(
    house: Running, game: str, told: dict[str, object], language: str
) -> None:
    """Seats are called as people call them, even of a game that cannot begin."""
    host = house.host()
    host.post("/me", language=language)
    book = house.evening.book
    house.evening.change(replace(book, plan=Planned(game, options=told)))
    problem = host.get("/host").scene["plan"]["problem"]
    assert problem
    assert not internal(problem, language), problem
