"""How an evening starts: the host's own code, who sits where, who plays the empty chairs, what is planned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import Running
from tests.web.phones import Phone
from web.evening import planning
from web.render import pages

ELSEWHERE = "127.0.0.9"


@pytest.fixture
def drawn(run: Callable[..., Running]) -> Running:
    """A house with the real pages and a simulated board."""
    return run(renderer=pages, kit="simulated")


def bots_of(house: Running) -> dict[str, str | None]:
    """The level of the bot on each chair."""
    return {chair.seat: house.evening.book.sitting(chair.seat).bot for chair in house.evening.chairs()}


# The host's own code


def test_the_host_s_code_makes_one_phone_host_and_then_nobody(house: Running) -> None:
    code = house.evening.codes.host_code().code
    anna, ben = house.phone(), house.phone()
    assert anna.post("/join", code=code, name="Anna").scene["page"] == "host"
    assert house.evening.guests.has_host
    assert ben.post("/join", code=code, name="Ben").status == 403
    assert house.evening.codes.host_code().code != code


def test_a_guest_who_uses_the_host_s_code_is_host_under_the_same_name(house: Running) -> None:
    anna = house.guest("Anna")
    assert anna.post("/join", code=house.evening.codes.host_code().code).scene["me"]["host"]
    assert [guest.name for guest in house.evening.book.guests] == ["Anna"]


def test_the_host_s_code_is_on_the_table_s_own_screen_until_there_is_a_host(house: Running) -> None:
    code = house.evening.codes.host_code().code
    screen, stranger = house.phone(), house.phone(source=ELSEWHERE)
    guest = house.guest("Ada", source=ELSEWHERE)
    assert screen.get("/table").scene["be_host"]["code"] == code
    for one in (stranger, guest):
        for page in ("/table", "/watch", "/play", "/"):
            assert code not in one.get(page).text
    house.host()
    assert screen.get("/table").scene["be_host"] is None


# Who sits where


def test_seats_of_one_game_do_not_survive_the_change_to_another(house: Running) -> None:
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    host.post("/host/plan", players="2")
    assert phones["p1"].get("/play").scene["me"]["seats"] == ["p1"]
    assert phones["p4"].get("/play").scene["me"]["seats"] == []
    host.post("/host/plan", game="artefacts")
    assert phones["p1"].get("/play").scene["me"]["seats"] == []
    host.post("/host/plan", game="phantom")
    assert phones["p1"].get("/play").scene["me"]["seats"] == []


def test_seats_say_who_is_opposite_and_which_colour_they_are(drawn: Running) -> None:
    host = drawn.host()
    drawn.players("Ada")
    zoe = drawn.guest("Zoé", language="fr")
    assert "en face\N{NARROW NO-BREAK SPACE}: Ada" in zoe.get("/play").text
    host.post("/host/plan", game="artefacts")
    page = zoe.get("/play").text
    for colour in ("bleu", "rouge", "jaune", "vert"):
        assert f"pion {colour}" in page


# Empty chairs, and the companion's side


def test_begin_asks_who_plays_the_empty_chairs(drawn: Running) -> None:
    host = drawn.host()
    drawn.players("Ada", "Hamish")
    assert "2 seats are empty" in host.get("/host").text
    drawn.start(host, empty="strong")
    assert bots_of(drawn) == {"p1": None, "p2": None, "p3": "strong", "p4": "strong"}


def test_where_all_play_together_whoever_sits_may_run_the_empty_chairs_too(drawn: Running) -> None:
    host, phones = drawn.host(), drawn.players("Ada", "Hamish")
    assert 'value="shared"' not in host.get("/host").text, "in this game they would play against themselves"
    assert host.forge("/host/start", empty="shared").status == 409
    host.post("/host/plan", game="artefacts")
    phones["p1"].post("/seat/take", seat="blue")
    phones["p2"].post("/seat/take", seat="yellow")
    assert "We share them among us" in host.get("/host").text
    assert host.post("/host/start", empty="shared").status == 200
    guests = {seat: drawn.evening.book.sitting(seat).guest for seat in ("blue", "red", "yellow", "green")}
    assert guests["blue"] == guests["red"] != guests["yellow"] == guests["green"]


def test_chairs_left_to_somebody_later_stay_empty_and_full_ones_are_not_asked_about(drawn: Running) -> None:
    host, phones = drawn.host(), drawn.players("Ada", "Hamish", "Zoe", "Ian")
    assert "seats are empty" not in host.get("/host").text
    phones["p4"].post("/seat/leave", seat="p4")
    drawn.start(host)
    assert set(bots_of(drawn).values()) == {None}


def test_the_companion_plays_the_ghosts_however_many_there_are(house: Running) -> None:
    host, phones = house.host(), house.players("Ada", "Hamish")
    house.plan(host, companion="master", level="easy")
    assert bots_of(house) == {"p1": None, "p2": "easy", "p3": None, "p4": "easy"}
    assert phones["p2"].get("/play").scene["me"]["seats"] == []
    host.post("/host/plan", players="2")
    host.post("/host/plan", level="strong")
    assert bots_of(house) == {"p1": None, "p2": "strong"}
    host.post("/host/plan", companion="hunter")
    assert bots_of(house) == {"p1": "strong", "p2": None}
    host.post("/host/plan", companion="")
    assert set(bots_of(house).values()) == {None}


def test_whom_the_host_seats_on_the_companion_s_side_stays_there(house: Running) -> None:
    host, phones = house.host(), house.players("Ada")
    host.post("/host/plan", companion="master")
    phones["p1"].post("/seat/take", seat="p4")
    host.post("/host/plan", players="4", level="easy")
    assert bots_of(house)["p4"] is None


def test_one_person_alone_plays_against_the_companion_and_again_on_the_same_side(house: Running) -> None:
    host, phones = house.host(), house.players("Ada")
    host.post("/host/plan", players="2", companion="master")
    house.start(host, players=2, **{"option-objective": 1})
    end = phones["p1"].stream("play")
    end.until(lambda scene: scene["stage"] == "playing")
    end.until(lambda scene: scene["stage"] == "result")
    host.post("/host/rematch")
    assert bots_of(house) == {"p1": None, "p2": "normal"}


def test_the_companion_plays_the_colours_that_nobody_takes(house: Running) -> None:
    host = house.host()
    host.post("/host/plan", game="artefacts")
    ada = house.guest("Ada")
    ada.post("/seat/take", seat="red")
    host.post("/host/plan", companion="hunter")
    level = planning.usual_level("artefacts")
    assert bots_of(house) == {"blue": level, "red": None, "yellow": level, "green": level}
    ben = house.guest("Ben")
    assert ben.post("/seat/take", seat="blue").scene["me"]["seats"] == ["blue"]


# The host who plays


def test_begin_opens_the_own_seat_of_a_host_who_plays(house: Running) -> None:
    host = house.host("Anna")
    assert host.post("/host/start", follow=False, next="/host").headers["location"] == "/host"
    host.post("/host/abandon")
    host.post("/seat/take", seat="p1")
    assert host.post("/host/start", follow=False, next="/host").headers["location"] == "/play"


def test_the_desk_tells_nobody_to_wait_for_themself(drawn: Running) -> None:
    host = drawn.host("Anna")
    host.post("/seat/take", seat="p1")
    host.post("/host/start")
    desk = host.get("/host").text
    assert "Your turn, Anna" in desk
    assert "We wait for Anna" not in desk


# What is planned


def plan(host: Phone, **options: Any) -> None:
    host.post("/host/plan", **{f"option-{name}": value for name, value in options.items()})


def options_of(host: Phone) -> set[str]:
    return {option["name"] for option in host.get("/host").scene["plan"]["options"]}


def test_an_option_is_offered_only_beside_what_it_needs_and_is_forgotten_without_it(house: Running) -> None:
    host = house.host()
    assert not {"first_seat", "bid_timing", "tiles_3p"} & options_of(host)
    plan(host, first_master="chosen")
    assert "first_seat" in options_of(host)
    plan(host, first_seat="p4")
    plan(host, first_master="")
    assert "first_seat" not in house.evening.book.plan.options
    host.post("/host/plan", players="3")
    assert "tiles_3p" in options_of(host)


def test_sets_of_rules_say_what_they_do_and_do_it(house: Running) -> None:
    host = house.host()
    host.post("/me", language="fr")
    for game in ("phantom", "canterville", "artefacts"):
        host.post("/host/plan", game=game)
        for preset in host.get("/host").scene["plan"]["presets"]:
            assert preset["does"]
            assert "_" not in str([preset["label"], *preset["does"]])
    house.plan(host, game="phantom", privacy="learning")
    host.post("/host/plan", preset="family", privacy="fair")
    assert host.get("/host").scene["plan"]["upfront"][0]["value"] == "learning"
    host.post("/host/plan", preset="expert", privacy="learning")
    assert host.get("/host").scene["plan"]["upfront"][0]["value"] == "fair"


def test_a_refusal_calls_seats_by_name(house: Running) -> None:
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe")
    house.start(host)
    answer = phones["p1"].forge("/act", seat="p1", type="remove", room=1)
    (notice,) = answer.scene["notices"]
    assert "Hamish, Seat 4" in notice["text"]


# A player as moderator


def test_a_player_becomes_moderator_in_a_game_only_if_the_other_side_agrees(house: Running) -> None:
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    ada, pin = phones["p1"], house.evening.pin.shown
    assert ada.post("/moderator", pin=pin).scene["page"] == "play"
    assert ada.get("/moderator").status == 403
    for phone in (*phones.values(), host):
        assert phone.get("/play").scene["moderator_asked"]["name"] == "Ada"
    # The partner is on the same side, and the one who asks does not answer.
    asked = {seat: phone.get("/play").scene["moderator_asked"]["ask"] for seat, phone in phones.items()}
    assert asked == {"p1": [], "p2": ["p2"], "p3": [], "p4": ["p4"]}
    for seat in ("p1", "p3"):
        assert phones[seat].forge("/moderator/agree", seat=seat).status == 403
    assert phones["p2"].post("/moderator/decline", seat="p2").status == 200
    assert ada.get("/moderator").status == 403
    assert phones["p4"].post("/moderator/agree", seat="p4").status == 409
    # The host's word does not go round it.
    me = ada.get("/play").scene["me"]["id"]
    host.post("/host/phone", phone=me, moderator="1")
    assert ada.get("/moderator").status == 403
    assert phones["p4"].post("/moderator/agree", seat="p4").status == 200
    assert ada.get("/moderator").status == 200


def test_whoever_plays_against_bots_asks_nobody_but_somebody_else_asks_them(house: Running) -> None:
    host, phones = house.host(), house.players("Ada")
    house.start(host, empty="normal")
    pin = house.evening.pin.shown
    assert host.post("/moderator", pin=pin).scene["page"] == "play"
    assert phones["p1"].post("/moderator", pin=pin).scene["page"] == "moderator"


def test_a_second_browser_with_the_pin_is_no_way_round_the_others(house: Running) -> None:
    """Who it is that does not play, nobody can tell: one of every side agrees first."""
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    second = house.phone()
    assert second.post("/moderator", pin=house.evening.pin.shown, name="Somebody").scene["page"] == "play"
    for phone, path in [
        *((one, "/play") for one in (*phones.values(), second)),
        (host, "/host"),
        (host, "/table"),
    ]:
        asked = phone.get(path).scene["moderator_asked"]
        assert (asked["name"], asked["plays"]) == ("Somebody", False), "everybody reads who asks"
    assert phones["p1"].get("/play").scene["moderator_asked"] == {
        "name": "Somebody", "plays": False, "ask": ["p1"],
    }  # fmt: skip
    # It may be Ada's: her side alone opens nothing, nor does she answer for the masters.
    assert phones["p1"].post("/moderator/agree", seat="p1").status == 200
    assert phones["p3"].post("/moderator/agree", seat="p3").status == 403, "her side has answered"
    assert phones["p1"].forge("/moderator/agree", seat="p2").status == 403
    assert second.forge("/moderator/agree", seat="p2").status == 403
    assert second.get("/moderator").status == second.stream("moderator").status == 403
    assert phones["p4"].post("/moderator/decline", seat="p4").status == 200
    for phone in (*phones.values(), second):
        assert "does not become moderator" in phone.get("/play").scene["says"][-1]["text"]
    assert second.get("/moderator").status == 403
    # Nor does it help if the host gives the role away.
    id = second.get("/play").scene["me"]["id"]
    assert host.post("/host/phone", phone=id, moderator="1").status == 200
    assert second.get("/moderator").status == 403
    phones["p3"].post("/moderator/agree", seat="p3")
    phones["p2"].post("/moderator/agree", seat="p2")
    assert second.get("/moderator").status == 200
    for phone in phones.values():
        assert "Somebody is the moderator now" in phone.get("/play").scene["says"][-1]["text"]
    # Having seen everything they may go and come back, as long as they do not play.
    second.post("/moderator/resign")
    assert second.post("/moderator", pin=house.evening.pin.shown).scene["page"] == "moderator"


def test_where_all_are_on_one_side_everybody_agrees_to_a_moderator_who_does_not_play(house: Running) -> None:
    host = house.host()
    options = {"option-decks": "virtual", "option-hands": "private", "players": 2}
    house.plan(host, game="artefacts", **options)
    phones = {"blue": house.guest("Ada"), "red": house.guest("Ben")}
    for seat, phone in phones.items():
        assert phone.post("/seat/take", seat=seat).status == 200
    assert host.post("/host/start", empty="normal").status == 200
    second = house.phone()
    second.post("/moderator", pin=house.evening.pin.shown, name="Somebody")
    for seat, phone in phones.items():
        assert second.get("/moderator").status == 403
        assert phone.post("/moderator/agree", seat=seat).status == 200
    assert second.get("/moderator").status == 200


def test_a_question_ends_with_its_game(house: Running) -> None:
    host, phones = house.host(), house.players("Ada", "Hamish")
    house.start(host, players=2)
    phones["p1"].post("/moderator", pin=house.evening.pin.shown)
    host.post("/host/abandon")
    house.start(host, players=2)
    assert phones["p2"].get("/play").scene["moderator_asked"] is None
    assert phones["p2"].forge("/moderator/agree", seat="p2").status == 409


# The board, at once


def test_everything_is_dealt_by_one_tap_where_the_board_is_simulated(drawn: Running) -> None:
    host = drawn.host("Anna")
    host.post("/seat/take", seat="p1")
    host.post("/host/start", empty="normal")
    assert "Deal everything now" in host.get("/play").text
    guest = drawn.guest("Ben")
    assert guest.forge("/lay/now").status == 403
    assert host.post("/lay/now").status == 200
    table = drawn.evening.table
    assert table.standing().phase != "placing"
    rooms = table.view("public").shows.rooms
    assert sum(tile.value for tile in rooms) == 108
    assert host.forge("/lay/now").status == 409


def test_real_tiles_of_an_unknown_box_are_told_one_by_one(run: Callable[..., Running]) -> None:
    house = run(renderer=pages)
    host = house.host()
    host.post("/host/start")
    assert "Deal everything now" not in host.get("/host").text
    assert host.forge("/lay/now").status == 409
