"""The real board on the phones: entered whole, dealt and built, compared with the record and put right."""

from __future__ import annotations

import re
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.contract import MODERATOR, PUBLIC
from companion.journal import Journal
from companion.table import Table
from companion.words import LANGUAGES
from tests.web.conftest import LAYOUT, Running, _json, hide
from tests.web.phones import PATIENCE, Answer, Phone
from web.board import check as checking
from web.games.phantom.layout import Entry, entered, sketch
from web.people.guest_book import BookFile
from web.render import pages

ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}
OWNERS = dict.fromkeys(ROOMS, "p2")
BOX = {colour: [1, 1, 2, 2, 3, 3, 4, 5, 6] for colour in ROOMS}
WEB = Path(pages.__file__).parents[1]


def laying(house: Running, **options: Any) -> tuple[Phone, dict[str, Phone]]:
    """A host, two players, and an empty board."""
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2, board=None, **options)
    return host, phones


def hunting(
    house: Running, rooms: dict[str, int] | None = None, **options: Any
) -> tuple[Phone, dict[str, Phone]]:
    """A host, two players, and a hunt that has begun."""
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2, **options)
    hide(phones, rooms or ROOMS, OWNERS)
    return host, phones


def enter(host: Phone, room: int, colour: str, value: int, page: Answer | None = None) -> Answer:
    return host.post("/lay/tile", page=page, next="/lay", room=room, colour=colour, value=value)


def shows(house: Running) -> Any:
    return house.evening.table.view(PUBLIC).shows


# Entering a whole board


def test_a_whole_board_is_entered_and_laid_by_everybody_in_turn(house: Running) -> None:
    """PS-22: the record has 36 ordinary layings, each by the seat whose turn it was."""
    host, _ = laying(house)
    for room, (colour, value) in enumerate(LAYOUT, start=1):
        assert enter(host, room, colour, value).status == 200
    assert not any(shows(house).rooms)
    assert host.get("/lay").scene["sketch"]["at"] == 36
    assert host.post("/lay/done", next="/lay").status == 200
    assert [[tile.colour, tile.value] for tile in shows(house).rooms] == LAYOUT
    lines = house.evening.table.history()
    assert [line.seat for line in lines] == ["p1", "p2"] * 18
    assert {line.action["type"] for line in lines} == {"place"}
    assert house.evening.table.standing().phase == "hiding"
    assert house.evening.book.sketch == ()
    assert host.get("/host").scene["check_due"] is False


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("tiles_3p", ["hunter_two_colours", "shared_fourth_colour"])
def test_any_number_of_players_has_its_board_entered(house: Running, players: int, tiles_3p: str) -> None:
    """PS-93, PS-Q3."""
    host = house.host()
    house.start(host, players=players, board=None, **({"option-tiles_3p": tiles_3p} if players == 3 else {}))
    for room, (colour, value) in enumerate(LAYOUT, start=1):
        enter(host, room, colour, value)
    host.post("/lay/done", next="/lay")
    assert [[tile.colour, tile.value] for tile in shows(house).rooms] == LAYOUT


def test_what_was_entered_outlives_a_restart_and_is_seen_on_another_phone(
    run: Callable[..., Running],
) -> None:
    house = run("same")
    host, _ = laying(house)
    enter(host, 1, "blue", 3)
    enter(host, 2, "red", 5)
    house.close()
    again = run("same")
    moderator = again.moderator()
    seen = moderator.get("/lay").scene["sketch"]
    assert [tile and (tile["colour"], tile["value"]) for tile in seen["tiles"][:3]] == [
        ("blue", 3), ("red", 5), None
    ]  # fmt: skip
    assert (seen["at"], seen["colour"], seen["counts"]["red"]) == (3, "red", 1)


def test_the_last_entry_is_taken_back_and_a_square_can_be_entered_anew(house: Running) -> None:
    host, _ = laying(house)
    enter(host, 7, "blue", 3)
    enter(host, 8, "blue", 4)
    enter(host, 7, "white", 1)
    seen = host.get("/lay").scene["sketch"]
    assert [(each["room"], each["colour"]) for each in seen["entries"]] == [(8, "blue"), (7, "white")]
    seen = host.post("/lay/erase", next="/lay").scene["sketch"]
    assert (seen["at"], [each["room"] for each in seen["entries"]]) == (9, [8])
    host.post("/lay/erase", next="/lay")
    assert host.forge("/lay/erase", next="/lay").errors == ["illegal"]


def test_a_tenth_tile_of_a_colour_is_told_and_not_laid(house: Running) -> None:
    """PS-2: the ten squares are framed; one of them is another colour."""
    host, _ = laying(house)
    tiles = [*LAYOUT]
    tiles[9] = ["blue", 1]
    for room, (colour, value) in enumerate(tiles, start=1):
        enter(host, room, colour, value)
    seen = host.get("/lay").scene
    assert seen["sketch"]["problems"] == [{"colour": "blue", "n": 10, "has": 9, "value": None}]
    assert seen["sketch"]["doubtful"] == list(range(1, 11))
    assert host.forge("/lay/done", next="/lay").errors == ["illegal"]
    assert not any(shows(house).rooms)
    enter(host, 10, "red", 1)
    assert host.post("/lay/done", next="/lay").status == 200
    assert all(shows(house).rooms)


def test_values_are_checked_against_the_box(house: Running) -> None:
    """PS-2: this box has two blue threes."""
    host, _ = laying(house, **{"option-tiles": BOX})
    for room in (1, 2, 3):
        enter(host, room, "blue", 3)
    seen = host.get("/lay").scene
    assert seen["sketch"]["problems"] == [{"colour": "blue", "n": 3, "has": 2, "value": 3}]
    assert seen["sketch"]["doubtful"] == [1, 2, 3]


def test_a_square_that_somebody_laid_on_their_phone_stays(house: Running) -> None:
    host, phones = laying(house)
    enter(host, 5, "green", 2)
    old = host.get("/lay")
    laid = {"type": "place", "room": 5, "colour": "blue", "value": 6}
    assert phones["p1"].post("/act", seat="p1", **laid).status == 200
    assert enter(host, 5, "red", 1, page=old).errors == ["illegal"]
    seen = host.get("/lay").scene["sketch"]
    assert (seen["fixed"], seen["tiles"][4]["colour"], seen["entries"]) == ([5], "blue", [])


def test_nonsense_is_refused_and_nothing_is_lost(house: Running) -> None:
    host, _ = laying(house)
    enter(host, 1, "blue", 3)
    for bad in ((0, "blue", 3), (37, "blue", 3), (2, "mauve", 3), (2, "blue", 7), (2, "blue", "x")):
        forged = dict(zip(("room", "colour", "value"), bad, strict=True))
        assert host.forge("/lay/tile", next="/lay", **forged).status in (400, 409)
    assert house.evening.book.sketch == ({"room": 1, "colour": "blue", "value": 3},)


def test_only_whoever_runs_the_evening_has_these_pages(house: Running) -> None:
    _, phones = laying(house)
    for path in ("/lay", "/check"):
        assert phones["p1"].get(path).status == 403
    for path in ("/lay/tile", "/lay/erase", "/lay/done", "/lay/deal", "/check/marked", "/check/board"):
        assert phones["p1"].forge(path, follow=False, room=1, colour="blue", value=1, key="1").status == 403
    assert house.evening.book.sketch == ()


def test_another_game_begins_with_an_empty_sheet(house: Running) -> None:
    host, _ = laying(house)
    enter(host, 1, "blue", 3)
    host.post("/host/abandon")
    host.post("/host/start", players=2)
    assert host.get("/lay").scene["sketch"]["entries"] == []


def test_next_square_is_asked_around_the_board() -> None:
    entries = entered((), Entry(36, "blue", 1))
    assert sketch([None] * 36, entries, None).at == 1
    assert sketch([None] * 36, entered(entries, Entry(1, "red", 1)), None).at == 2


# Dealing and building


def test_a_board_is_dealt_and_built_with_every_step_told_by_whoever_is_near(house: Running) -> None:
    """PS-22: by the host or by a player; the whole table sees what is next."""
    host, phones = laying(house, **{"option-tiles": BOX})
    host.post("/lay/deal", next="/lay")
    assert "Mrs Kerr let chance deal the board" in host.get("/host").scene["says"][-1]["text"]
    for number in range(1, 37):
        phone, page = (host, "/lay") if number % 2 else (phones["p1"], "/play")
        scene = phone.get(page).scene
        assert scene["shows"]["build"]["room"] == number
        assert scene["lamps"]["marks"] == {str(number): ["next"]}
        (action,) = scene["legal"]["table"]
        answer = phone.post("/act", next=page, seat="table", action=_json(action))
        assert answer.status == 200, answer.text
    tiles = Counter((tile.colour, tile.value) for tile in shows(house).rooms)
    assert tiles == Counter((colour, value) for colour, values in BOX.items() for value in values)
    assert house.evening.table.standing().phase == "hiding"


def test_a_second_tap_on_laid_lays_nothing_twice(house: Running) -> None:
    host, _ = laying(house, **{"option-tiles": BOX})
    page = host.post("/lay/deal", next="/lay")
    (action,) = page.scene["legal"]["table"]
    for expected in (200, 409):
        answer = host.post("/act", page=page, seat="table", action=_json(action))
        assert answer.status == expected
    assert sum(tile is not None for tile in shows(house).rooms) == 1


def test_building_goes_one_step_back_without_asking_anybody(house: Running) -> None:
    host, phones = laying(house, **{"option-tiles": BOX})
    first = host.post("/lay/deal", next="/lay").scene["legal"]["table"][0]
    host.post("/act", next="/lay", seat="table", action=_json(first))
    assert phones["p2"].post("/undo", seat="p2").status == 200
    scene = host.get("/lay").scene
    assert scene["undo"] is None
    assert scene["legal"]["table"] == [first]
    host.post("/act", next="/lay", seat="table", action=_json(first))
    assert host.post("/undo", next="/lay", seat="host").scene["shows"]["build"]["room"] == 1


def test_of_an_unknown_box_the_value_is_tapped(run: Callable[..., Running]) -> None:
    house = run(renderer=pages)
    host, _ = laying(house)
    drawn = host.post("/lay/deal", next="/lay").text
    assert re.search(r"<h1>Room 1: any \w+ \w+", drawn)
    values = re.findall(r'name="action" value="([^"]*)" aria-label="([\d,]+) pounds"', drawn)
    assert [value for _, value in values] == [f"{number},000" for number in range(1, 7)]


# Board and record


def remove(phones: dict[str, Phone], *rooms: int) -> None:
    """Tiles leave the record, p2 first."""
    for number, room in enumerate(rooms):
        seat = ("p2", "p1")[number % 2]
        assert phones[seat].post("/act", seat=seat, type="remove", room=room).status == 200


def question(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = answer.scene["check"]["question"]
    return found


def asks(house: Running) -> set[int]:
    """The rooms whose lamp asks, by what the table page shows."""
    marks = house.phone().get("/table").scene["lamps"]["marks"]
    return {int(room) for room, names in marks.items() if "differs" in names}


def test_three_differences_are_led_through_and_put_right_in_both_directions(house: Running) -> None:
    """PS-71: one tile is put back, one is gone for good, one never left."""
    host, phones = hunting(house)
    remove(phones, 2, 20)
    assert shows(house).damage == 2
    answer = host.post("/check/marked", next="/check", **{"differs-5": 1, "differs-9": 1, "differs-20": 1})
    # The record is right about room 5: somebody lays the tile back.
    assert question(answer)["kind"] == "what"
    assert answer.scene["check"]["left"] == 3
    assert asks(house) == {5}
    answer = host.post("/check/really", next="/check", key="5", lies="nothing")
    assert question(answer)["kind"] == "gone"
    before = house.evening.table.history()
    answer = host.post("/check/put", next="/check", key="5")
    assert house.evening.table.history() == before
    # The board is right about room 9: its tile is gone.
    assert asks(house) == {9}
    host.post("/check/really", next="/check", key="9", lies="nothing")
    answer = host.post("/check/board", next="/check", key="9")
    assert shows(house).rooms[8] is None
    assert shows(house).damage == 8
    # And about room 20: its tile lies there, so its removal did not count.
    assert asks(house) == {20}
    assert question(answer)["kind"] == "extra"
    assert question(answer)["lies"] == {"colour": "green", "value": 1}
    answer = host.post("/check/board", next="/check", key="20")
    assert answer.scene["check"] == {**answer.scene["check"], "step": "agreed", "mended": 3}
    assert shows(house).rooms[19] is not None
    assert shows(house).damage == 7
    assert asks(house) == set()
    told = [says["text"] for says in phones["p1"].get("/play").scene["says"]]
    assert told == [
        "Mrs Kerr corrected the record: the tile of room 9 is gone",
        "Mrs Kerr corrected the record: the tile of room 20 lies there after all",
    ]


def test_corrections_are_in_the_journal_and_can_be_taken_back(run: Callable[..., Running]) -> None:
    house = run("kept")
    host, _ = hunting(house)
    host.post("/check/marked", next="/check", **{"differs-9": 1})
    host.post("/check/really", next="/check", key="9", lies="value", value=2)
    host.post("/check/board", next="/check", key="9")
    assert shows(house).rooms[8].value == 2
    moderator = house.moderator()
    moderator.post("/undo", seat="moderator")
    assert shows(house).rooms[8].value == 6
    moderator.post("/redo", seat="moderator")
    folder = house.house.table.journal.path if house.house.table.journal else None
    house.close()
    assert folder is not None
    kept = Table(Journal(folder))
    assert kept.view(PUBLIC).shows.rooms[8].value == 2
    kept.close()


def test_last_move_that_was_never_made_is_taken_back_with_consent(house: Running) -> None:
    host, phones = hunting(house)
    remove(phones, 2, 20)
    answer = host.post("/check/marked", next="/check", **{"differs-20": 1, "differs-30": 1})
    assert question(answer)["last"] is True
    host.post("/undo", next="/check", seat="host")
    for seat in ("p1", "p2"):
        phones[seat].post("/undo/agree", seat=seat)
    answer = host.get("/check")
    assert shows(house).rooms[19] is not None
    assert question(answer)["room"] == 30


def test_a_misread_value_is_corrected_before_the_hunt_and_a_colour_is_not(house: Running) -> None:
    """PS-2, PS-24: a ghost may count on a colour, so the board follows the record."""
    host = house.host()
    house.players("Ada", "Hamish")
    house.start(host, players=2)
    assert host.get("/host").scene["check_due"] is True
    answer = host.post("/check/marked", next="/check", **{"differs-1": 1, "differs-2": 1, "differs-3": 1})
    host.post("/check/really", next="/check", key="1", lies="value", value=5)
    host.post("/check/board", next="/check", key="1")
    assert shows(house).rooms[0].value == 5
    for key, lies in (("2", "colour"), ("3", "nothing")):
        answer = host.post("/check/really", next="/check", key=key, lies=lies)
        assert question(answer)["correctable"] is False
        assert host.forge("/check/board", next="/check", key=key).errors == ["illegal"]
        answer = host.post("/check/put", next="/check", key=key)
    assert answer.scene["check"]["step"] == "agreed"
    assert host.get("/host").scene["check_due"] is False


def test_a_glance_at_a_board_that_is_as_recorded_is_one_tap(house: Running) -> None:
    host = house.host()
    house.players("Ada", "Hamish")
    house.start(host, players=2)
    answer = host.post("/check/marked", next="/check", same=1)
    assert (answer.scene["check"]["step"], answer.scene["check_due"]) == ("agreed", False)
    assert answer.scene["check"]["mended"] == 0
    assert host.post("/check/end", next="/check").status == 200
    assert host.get("/check").scene["check"]["step"] == "look"


def test_a_tile_that_nobody_remembers_is_told(house: Running) -> None:
    """PS-Q17: by memory the record shows nobody what was removed."""
    host, phones = hunting(house, **{"option-show_removal_log": "hidden_until_end"})
    remove(phones, 2)
    host.post("/check/marked", next="/check", **{"differs-2": 1})
    assert host.forge("/check/board", next="/check", key="2").errors == ["malformed"]
    assert host.post("/check/board", next="/check", key="2", colour="blue", value=1).status == 200
    assert shows(house).rooms[1].value == 1


def test_an_answer_to_another_question_is_refused(house: Running) -> None:
    host, _ = hunting(house)
    host.post("/check/marked", next="/check", **{"differs-5": 1, "differs-9": 1})
    for path in ("/check/board", "/check/put", "/check/really"):
        assert host.forge(path, next="/check", key="9", lies="nothing").errors == ["illegal"]
    host.post("/check/end", next="/check")
    assert host.forge("/check/put", next="/check", key="5").errors == ["illegal"]
    assert asks(house) == set()


def test_a_check_that_nobody_goes_on_with_ends_by_itself(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "PATIENCE", 0.0)
    house = run(kit="simulated")
    host, _ = hunting(house)
    stream = host.stream("check")
    host.post("/check/marked", next="/check", **{"differs-5": 1})
    stream.until(lambda scene: scene["check"]["step"] == "look")


# A board that feels


def sensing(run: Callable[..., Running]) -> tuple[Running, Any, Phone, dict[str, Phone]]:
    house = run(kit="sensing")
    host, phones = hunting(house)
    board: Any = house.house.board
    for room in range(1, 37):
        board.press(f"room{room}")
    return house, board, host, phones


def felt(stream: Any, *rooms: str) -> None:
    """Wait until the board's scan has felt exactly these differences."""
    stream.until(lambda scene: scene["check"]["step"] == "ask" and scene["check"]["left"] == len(rooms))


def test_what_the_sensors_feel_is_led_through_one_at_a_time_with_its_lamp(
    run: Callable[..., Running],
) -> None:
    """PS-71: p2 takes 2 on his phone, but 3 from the board, and 30 fell off the table."""
    house, board, host, phones = sensing(run)
    remove(phones, 2, 20)
    for room in (3, 20, 30):
        board.release(f"room{room}")
    stream = host.stream("check")
    stream.until(lambda scene: scene["check"]["marked"] == ["2", "3", "30"])
    assert host.get("/check").scene["check"]["feels"] is True
    answer = host.post("/check/marked", next="/check")
    assert (question(answer)["kind"], question(answer)["room"], question(answer)["felt"]) == (
        "extra",
        2,
        True,
    )
    assert lamp_of(board) == {2}
    # It is not done before it is felt; then the page goes on by itself.
    assert host.forge("/check/put", next="/check", key="2").errors == ["illegal"]
    board.release("room2")
    felt(stream, "3", "30")
    assert question(host.get("/check"))["kind"] == "gone"
    assert lamp_of(board) == {3}
    board.press("room3")
    felt(stream, "30")
    assert lamp_of(board) == {30}
    answer = host.post("/check/board", next="/check", key="30")
    assert answer.scene["check"]["step"] == "agreed"
    assert shows(house).rooms[29] is None
    assert lamp_of(board) == set()


def lamp_of(board: Any) -> set[int]:
    """The rooms about which the board asks now."""
    asked = board._asked(board.clock.now() - 100)
    return {asked} if asked else set()


def test_a_board_that_feels_nothing_is_compared_by_eye(run: Callable[..., Running]) -> None:
    house = run(kit="joystick")
    host, _ = hunting(house)
    answer = host.get("/check")
    assert answer.scene["check"]["feels"] is False
    assert answer.scene["check"]["marked"] == []


# Secrecy

TWO_WORLDS = (ROOMS, {"blue": 5, "red": 14, "green": 19, "white": 30})


def test_ghosts_change_nothing_on_the_page_or_the_lamps_of_a_check(run: Callable[..., Running]) -> None:
    """Two tables that differ only in where the ghosts hide: the same bytes at every step of a check."""
    seen: list[list[str]] = []
    told: list[str] = []
    for number, rooms in enumerate(TWO_WORLDS):
        house = run(f"world{number}", renderer=pages, kit="simulated")
        host, phones = hunting(house, rooms)
        remove(phones, 6, 20)
        seen.append(checked(house, host))
        house.moderator(phone=host)
        told.append(plainly(host.get("/moderator")))
    one, other = seen
    assert told[0] != told[1]
    assert len(one) == len(other) > 10
    for step, (here, there) in enumerate(zip(one, other, strict=True)):
        assert here == there, step


def checked(house: Running, host: Phone) -> list[str]:
    """Everything that a host sees in a check of rooms with and without ghosts, up to the answer of each."""
    steps: list[tuple[str, dict[str, Any]]] = [
        ("/check/marked", {"differs-1": 1, "differs-5": 1, "differs-8": 1, "differs-14": 1, "differs-20": 1}),
        ("/check/really", {"key": "1", "lies": "nothing"}),
        ("/check/put", {"key": "1"}),
        ("/check/really", {"key": "5", "lies": "value", "value": 2}),
        ("/check/board", {"key": "5"}),
        ("/check/really", {"key": "8", "lies": "nothing"}),
        ("/check/board", {"key": "8"}),
        ("/check/really", {"key": "14", "lies": "colour"}),
        ("/check/board", {"key": "14"}),
        ("/check/put", {"key": "14"}),
        ("/check/board", {"key": "20"}),
        ("/check/end", {}),
    ]
    seen = [plainly(host.get("/check"))]
    for path, fields in steps:
        # That a colour is another one than recorded, nobody may say: no page offers it.
        send = host.forge if (path, fields.get("key")) == ("/check/board", "14") else host.post
        answer = send(path, next="/check", follow=False, **fields)
        seen += [str(answer.status), plainly(host.get("/check"))]
        asked = house.evening.check.asked()
        seen.append(str(sorted(lit(house, {asked} if asked else set()))))
        # Not before the lamps are there: the table's page shows them as they are at that moment.
        seen.append(plainly(house.phone().get("/table")))
    return seen


def lit(house: Running, asked: set[int]) -> set[int]:
    """The lamps of the real board that are not dark, once the one that asks shines."""
    assert house.house.board is not None
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        colours = house.house.board.strips()["board"]
        shining = {room for room, colour in enumerate(colours, start=1) if colour != "000000"}
        if asked <= shining and not ({1, 5, 14} - asked) & shining:
            return shining
    raise AssertionError(f"{asked} does not shine")


def plainly(answer: Answer) -> str:
    """A page without this phone's own token, the counters of its evening, and what a lamp does just now."""
    text = re.sub(r'(name="csrf" value=|name="version" value=|data-version=)"[^"]*"', "", answer.text)
    text = re.sub(r'<svg class="code".*?</svg>|<span class="tiny url">.*?</span>', "", text, flags=re.S)
    text = re.sub(r'<div class="bigcode">.*?</div>|127\.0\.0\.1:\d+', "", text)
    text = re.sub(r'(?<=class="tile)([^"]*) lit"', r'\1"', text)
    # A seal is drawn by chance (`companion.seals`); that it tells nothing has tests of its own.
    text = re.sub(r'<b class="digits">[0-9a-f]*</b>', "", text)
    return re.sub(r'(?<=class="bulb) on|data-led="[^"]*"( fill="[^"]*")?', "", text)


# The castle


def haunted(house: Running) -> Phone:
    """A host, and Max about to move in the castle."""
    host = house.host()
    frames = {"bats": 5, "cats": 4, "hedgehogs": 6, "mice": 5, "owls": 5}
    house.start(host, "canterville", players=2, **{"option-frames": frames})
    table = house.evening.table
    while table.standing().phase in ("starting", "framing"):
        seat = table.standing().to_act[0]
        table.act(seat, table.legal(seat)[0])
    return host


def test_a_host_has_a_figure_put_back_and_may_not_correct_where_it_stands(house: Running) -> None:
    """GJ-33: that a figure may stand there tells whether Max does."""
    host, table = haunted(house), house.evening.table
    figures = table.view(PUBLIC).shows.figures
    room = figures["a"]
    answer = host.post("/check/marked", next="/check", **{"differs-a": 1})
    assert (question(answer)["kind"], question(answer)["room"]) == ("figure", room)
    assert asks(house) == {room}
    assert host.forge("/check/board", next="/check", key="a", stands=room + 1).errors == ["forbidden"]
    assert table.view(PUBLIC).shows.figures == figures
    assert host.post("/check/put", next="/check", key="a").scene["check"]["step"] == "agreed"


def test_the_moderator_corrects_where_a_figure_stands(house: Running) -> None:
    """GJ-31: the record follows the board, and the table is told."""
    host, table = haunted(house), house.evening.table
    house.moderator(phone=host)
    seen = table.view(MODERATOR).shows
    free = next(room for room in range(1, 55) if room not in (seen.max.room, *seen.figures.values()))
    host.post("/check/marked", next="/check", **{"differs-a": 1})
    assert host.post("/check/board", next="/check", key="a", stands="x").errors == ["malformed"]
    answer = host.post("/check/board", next="/check", key="a", stands=free)
    assert answer.scene["check"]["step"] == "agreed"
    assert table.view(PUBLIC).shows.figures["a"] == free
    assert answer.scene["says"][-1]["text"] == "Mrs Kerr corrected the record: where figure a stands"


# Words and looks


def words(language: str) -> dict[str, Any]:
    return tomllib.loads((WEB / "board" / "words" / f"{language}.toml").read_text(encoding="utf-8"))


def test_a_guest_book_with_a_board_half_entered_is_read_whoever_wrote_it(tmp_path: Path) -> None:
    book = b'{"book":1,"plan":{"game":"phantom"},"sketch":[{"room":3,"colour":"red","value":2}]}'
    (tmp_path / "guests.json").write_bytes(book)
    read = BookFile(tmp_path / "guests.json").load()
    assert read is not None
    assert read.sketch == ({"room": 3, "colour": "red", "value": 2},)


def test_every_word_of_these_pages_is_said_and_none_is_missing() -> None:
    sources = [
        *(WEB / "templates" / "board").glob("*.html"),
        *(WEB / "games").rglob("*.html"),
        WEB / "templates" / "desk.html",
        WEB / "templates" / "parts.html",
        *(WEB / "board").glob("*.py"),
        WEB / "render" / "board.py",
        *(WEB / "games").rglob("*.py"),
    ]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    said = set(re.findall(r"""\bb\(\s*["'](\w+)["']""", text))
    said |= set(re.findall(r'"board\.(?!toml)(\w+)"', text))
    said |= set(re.findall(r'"board"\)\(\s*["\'](\w+)["\']', text)) | {"check_title", "lay_title"}
    known = set(words("en"))
    assert said <= known
    assert known == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_can_be_drawn_in_every_language(run: Callable[..., Running], language: str) -> None:
    house = run(renderer=pages)
    host, phones = hunting(house)
    remove(phones, 2)
    host.post("/me", language=language)
    drawn = [host.get("/lay"), host.get("/check"), host.get("/host")]
    drawn.append(host.post("/check/marked", next="/check", **{f"differs-{room}": 1 for room in (2, 3, 4, 5)}))
    drawn.append(host.post("/check/put", next="/check", key="2"))
    drawn += [
        host.post("/check/really", next="/check", key="3", lies="nothing"),
        host.post("/check/put", key="3"),
    ]
    drawn.append(host.post("/check/really", next="/check", key="4", lies="value", value=1))
    drawn.append(host.post("/check/put", next="/check", key="4"))
    drawn.append(host.post("/check/really", next="/check", key="5", lies="colour"))
    drawn.append(host.post("/check/put", next="/check", key="5"))
    for answer in drawn:
        assert answer.status == 200
        assert f'<html lang="{language}">' in answer.text
        assert not re.search(r"\bbuilding\.(?!css)[a-z_]+|\{[a-z_]+\}", answer.text)
