"""Castles over real sockets: what hunters see of Max, and the study where castles are entered and kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.contract import Seat, plain
from companion.games.canterville.castle import demo
from companion.refusals import Refusal
from tests.web.conftest import Running
from tests.web.phones import Phone, Stream
from web.games.canterville import drafts
from web.games.canterville.drafts import Castles, RoomAnswer
from web.games.canterville.max_phone import alike
from web.render import pages

Run = Callable[..., Running]
WEB = Path(pages.__file__).parents[1]
FRAMES = '{"bats":2,"cats":4,"hedgehogs":6,"mice":2,"owls":2}'
SEATS = ("max", "h1", "h2", "h3")
NEVER_THE_SAME = re.compile(r'name="csrf" value="[^"]*"')
"""Every phone has a token of its own."""


def evening(run: Run, folder: str, **plan: str) -> tuple[Running, dict[Seat, Phone]]:
    """Max and three hunters in their places, the first frame chosen."""
    house = run(folder, renderer=pages)
    house.evening.addresses.move("http://table.example")
    host = house.host()
    phones = {seat: house.guest(seat.title()) for seat in SEATS}
    house.plan(host, "canterville", **{"players": "4", "option-frames": FRAMES, **plan})
    for seat, phone in phones.items():
        assert phone.post("/seat/take", seat=seat).status == 200
    assert host.post("/host/start").status == 200
    for seat, figure, room in (("h1", "a", 1), ("h2", "b", 50), ("h3", "c", 47)):
        act(phones[seat], seat, {"type": "start", "figure": figure, "room": room})
    act(phones["max"], "max", {"type": "start", "room": 36})
    act(phones["h1"], "h1", {"type": "frame", "animal": "cats"})
    return house, phones


def act(phone: Phone, seat: Seat, action: dict[str, object]) -> None:
    answer = phone.post("/act", seat=seat, action=json.dumps(action))
    assert answer.status == 200, answer.text[-600:]


def seen(phone: Phone, path: str) -> str:
    answer = phone.get(path)
    assert answer.status == 200
    return NEVER_THE_SAME.sub("", answer.text)


def test_hunters_see_the_same_page_whether_max_moved_or_paused(
    run: Run, same_luck: Callable[[], None]
) -> None:
    """GJ-37, GJ-41: byte for byte, on every page that is not his own."""
    pages_of: list[list[str]] = []
    for folder, action in (("moves", {"type": "move", "room": 37}), ("pauses", {"type": "pause"})):
        same_luck()
        _, phones = evening(run, folder)
        act(phones["max"], "max", action)
        watched = [seen(phones[seat], "/play") for seat in SEATS[1:]]
        watched += [seen(phones["h1"], path) for path in ("/table", "/watch")]
        pages_of.append(watched)
    for moved, paused in zip(*pages_of, strict=True):
        assert moved == paused
    assert 'class="secret"' not in "".join(pages_of[0])


def test_the_wire_is_the_same_too(run: Run, same_luck: Callable[[], None]) -> None:
    """GJ-37: what every stream carries, frame by frame and byte by byte, and one entry kept."""
    told: list[list[list[tuple[str, str]]]] = []
    for folder, action in (("moves", {"type": "move", "room": 37}), ("pauses", {"type": "pause"})):
        same_luck()
        house, phones = evening(run, folder)
        streams = [phones[seat].stream("play") for seat in SEATS[1:]]
        streams += [phones["h1"].stream("table"), phones["h2"].stream("watch")]
        for stream in streams:
            stream.page()
        kept = house.evening.table.journal.count
        act(phones["max"], "max", action)
        assert house.evening.table.journal.count == kept + 1
        told.append([until(stream, "playing hunters h1") for stream in streams])
        act(phones["h1"], "h1", {"type": "stay", "figure": "a"})
        told.append([until(stream, "playing hunters h2") for stream in streams])
    assert told[:2] == told[2:]


def until(stream: Stream, words: str) -> list[tuple[str, str]]:
    """Every frame of a stream up to the one that says this."""
    frames = []
    for name, data in stream.events():
        frames.append((name, NEVER_THE_SAME.sub("", data)))
        if words in data:
            return frames
    raise AssertionError("it never came")


def test_a_move_and_a_pause_take_equally_long(run: Run) -> None:
    """GJ-41: from Max's second tap to the hunters' phones; each is taken back, and the other comes next."""
    house, phones = evening(run, "state")
    table, stream = house.evening.table, phones["h2"].stream("play")
    stream.page()
    offered = dict(re.findall(r'id="pick-go-(\d+)"[^>]* value="([^"]*)"', seen(phones["max"], "/play")))
    taken: dict[str, list[float]] = {"36": [], "37": []}
    for _ in range(12):
        for room, times in taken.items():
            # The form is filled in before: the request alone is timed.
            filled = phones["max"].form("/play", "/act").filled({"action": unescape(offered[room])})
            begun = perf_counter()
            answer = phones["max"].forge("/act", follow=False, **filled)
            assert (answer.status, answer.headers["location"]) == (303, "/play")
            until(stream, "Max has moved, or not.")
            times.append(perf_counter() - begun)
            table.undo("moderator")
            stream.page()
    assert {table.view("moderator").shows.cards.pause, len(table.history())} == {2, 5 + 24}
    # The quickest of each: everything else on a busy machine is noise.
    pause, move = (min(times) for times in taken.values())
    assert 0.5 < pause / move < 2, (pause, move)


def test_a_pause_weighs_what_a_move_weighs() -> None:
    """GJ-41: a form with a pause is as long as one with a move to any room."""
    actions = [{"type": "pause"}, {"type": "move", "room": 7}, {"type": "cheat", "room": 42}]
    texts = alike(actions)
    assert [json.loads(text) for text in texts] == actions
    assert len({len(urlencode({"action": text})) for text in texts}) == 1


def test_max_alone_reads_where_he_is(run: Run) -> None:
    _, phones = evening(run, "state")
    assert 'class="secret"' in seen(phones["max"], "/play")
    for seat in SEATS[1:]:
        assert 'class="secret"' not in seen(phones[seat], "/play")


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_without_a_map_rooms_are_a_number_pad(run: Run, language: str) -> None:
    """GJ-T21: the steps nobody could check are told at the showing."""
    frames = '{"bats":1,"cats":1,"hedgehogs":1,"mice":1,"owls":1}'
    _, phones = evening(run, "state", **{"option-castle": "none", "option-frames": frames})
    page = seen(phones["max"], "/play")
    assert page.count('class="pickroom"') == 54
    act(phones["max"], "max", {"type": "move", "room": 3})
    for seat, figure in (("h1", "a"), ("h2", "b"), ("h3", "c")):
        act(phones[seat], seat, {"type": "stay", "figure": figure})
    phones["h1"].post("/me", language=language)
    assert "36 → 3" in seen(phones["h1"], "/play")


def test_whoever_found_max_is_max_next(run: Run) -> None:
    """GJ-73: everybody else moves on around the table."""
    house, phones = evening(run, "state")
    act(phones["max"], "max", {"type": "pause"})
    act(phones["h1"], "h1", {"type": "stay", "figure": "a"})
    house.evening.table.act("moderator", {"type": "repair", "set": {"figures": {"b": 37}}})
    act(phones["h2"], "h2", {"type": "walk", "figure": "b", "room": 36})
    assert "is Max in the rematch" in seen(phones["h3"], "/play")
    assert house.phones[0].post("/host/rematch").status == 200
    names = [house.evening.guests.name_of(seat) for seat in SEATS]
    assert names == ["H2", "H3", "Max", "H1"]


# The moderator


def moderated(house: Running) -> Phone:
    return house.moderator()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"figure-b": "49"}, lambda shows: shows.figures["b"] == 49),
        ({"max-room": "38"}, lambda shows: shows.max.room == 38),
        ({"max-shown": "true"}, lambda shows: shows.max.shown),
        ({"taken-owls": "1"}, lambda shows: shows.frames["owls"].taken == 1),
        ({"frame": "owls"}, lambda shows: shows.frame == "owls"),
        ({"card-x2": "1", "card-pause": "0"}, lambda shows: (shows.cards.x2, shows.cards.pause) == (1, 0)),
        (
            {"card-door": "true", "card-chimney": "true"},
            lambda shows: shows.cards.door and shows.cards.chimney,
        ),
        ({"trap": "h2"}, lambda shows: (shows.cards.trap, shows.trap) == ("h2", None)),
        ({"trap": "room-9"}, lambda shows: (shows.cards.trap, shows.trap) == (False, 9)),
        ({"locked": "12"}, lambda shows: shows.locked == 12),
        ({"turn": "h3"}, lambda shows: shows.to_act == ("h3",)),
        ({"turn": "framing"}, lambda shows: (shows.phase, shows.frame) == ("framing", None)),
    ],
)
def test_the_moderator_sets_straight_what_is_wrong(run: Run, fields: dict[str, str], told: Any) -> None:
    """From the form as the page fills it in, with one thing changed; nothing else moves, and it lasts."""
    house, phones = evening(run, "state")
    moderator = moderated(house)
    act(phones["max"], "max", {"type": "move", "room": 37})
    page = seen(moderator, "/moderator")
    form = as_shown(page)
    assert {*fields} <= {*form}
    answer = moderator.post("/castles/repair", **{**form, **fields})
    assert answer.status == 200, answer.text[-800:]
    shows = house.evening.table.view("moderator").shows
    assert told(shows)
    assert "The moderator put something right" in seen(phones["h1"], "/play")
    assert moderator.post("/castles/repair", **as_shown(seen(moderator, "/moderator"))).status == 409
    house.close()
    assert run("state", renderer=pages).evening.table.view("moderator").shows == shows


def test_a_game_that_ended_by_mistake_goes_on(run: Run) -> None:
    """The moderator says where the figure really stands, and whose turn it is."""
    house, phones = evening(run, "state")
    moderator = moderated(house)
    act(phones["max"], "max", {"type": "pause"})
    house.evening.table.act("moderator", {"type": "repair", "set": {"figures": {"a": 37}}})
    act(phones["h1"], "h1", {"type": "walk", "figure": "a", "room": 36})
    form = as_shown(seen(moderator, "/moderator"))
    del form["version"]  # somebody may fall asleep before it is sent again
    assert form["turn"] == ""
    assert (
        "it cannot be that player’s turn"
        in moderator.post("/castles/repair", **{**form, "figure-a": "37"}).text
    )
    assert moderator.post("/castles/repair", **{**form, "figure-a": "37", "turn": "h2"}).status == 200
    assert house.evening.table.standing().to_act == ("h2",)
    assert house.phones[0].forge("/castles/judge", action='{"type":"stands"}').status == 403


def as_shown(page: str) -> dict[str, str]:
    """The repair form as the page has filled it in."""
    (form,) = re.findall(r'action="/castles/repair".*?</form>', page, re.DOTALL)
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    lists = re.findall(r'<select name="([\w-]+)">(.*?)</select>', form, re.DOTALL)
    chosen = {name: re.findall(r'value="([^"]*)" selected', text) for name, text in lists}
    return fields | {name: values[0] if values else "" for name, values in chosen.items()}


def test_only_the_moderator_repairs_and_only_what_he_sees(run: Run) -> None:
    house, phones = evening(run, "state")
    moderator = moderated(house)
    form = as_shown(seen(moderator, "/moderator"))
    wrong = {**form, "figure-a": "2"}
    for phone in (*phones.values(), house.phones[0]):
        assert phone.forge("/castles/repair", **wrong).status == 403
    act(phones["max"], "max", {"type": "move", "room": 37})
    assert moderator.forge("/castles/repair", **wrong).status == 409
    fresh = as_shown(seen(moderator, "/moderator"))
    answer = moderator.post("/castles/repair", **{**fresh, "figure-a": "37"})
    assert "Max and a hunter are both in room 37" in answer.text
    assert house.evening.table.view("public").shows.figures["a"] == 1


def test_a_moderator_sees_max_and_may_move_for_everybody(run: Run) -> None:
    house, phones = evening(run, "state")
    moderator = house.moderator()
    act(phones["max"], "max", {"type": "move", "room": 37})
    page = seen(moderator, "/moderator")
    assert "36 → 37" in page
    assert "Stay with figure a" in page


def test_the_table_says_which_figure_the_board_asks_about(run: Run) -> None:
    """GJ-50: two figures of one hunter can walk to room 2; the lamps ask, and the screen says what."""
    house = run(renderer=pages, kit="simulated")
    host = house.host()
    house.plan(host, game="canterville", players="2", **{"option-frames": FRAMES})
    host.post("/host/start")
    table, board = house.evening.table, house.evening.board
    for figure, room in (("a", 1), ("b", 3), ("c", 49)):
        table.act("h1", {"type": "start", "figure": figure, "room": room})
    table.act("max", {"type": "start", "room": 36})
    table.act("h1", {"type": "frame", "animal": "cats"})
    table.act("max", {"type": "pause"})
    board.press("right")
    with pytest.raises(Refusal, match="which of them goes to room 2"):
        board.press("ok")
    page = seen(host, "/table")
    assert "Which figure goes to room 2?" in page
    assert "The one in room 1 blinks" in page


# The study


def test_only_whoever_runs_the_evening_may_enter_castles(run: Run) -> None:
    house = run(renderer=pages)
    guest = house.guest("Ada")
    assert guest.get("/castles").status == 403
    assert guest.forge("/castles/new", name="Ours").status == 403
    assert not (house.evening.shelf.folder.parent / "castles").exists()


def test_animals_are_asked_for_once_and_kept(run: Run) -> None:
    """GJ-3: nobody guesses, the host's page asks, and the next evening does not ask again."""
    house = run(renderer=pages)
    host = house.host()
    page = host.post("/host/plan", game="canterville").text
    assert page.index('action="/host/animals"') < page.index("<h2>Seats</h2>"), "there are no chairs before"
    assert re.findall(r'name="(\w+)" value="(\d?)" inputmode', page) == [
        ("bats", ""), ("cats", "4"), ("hedgehogs", "6"), ("mice", ""), ("owls", "")
    ]  # fmt: skip
    assert host.forge("/host/start").status == 409
    counts = {"bats": 5, "cats": 4, "hedgehogs": 6, "mice": 4, "owls": 5}
    assert host.forge("/host/animals", **{**counts, "bats": ""}).status == 409
    page = host.post("/host/animals", **counts).text
    assert "The animals are counted." in page
    assert 'action="/host/animals"' not in page
    assert [chair.seat for chair in house.evening.chairs()] == list(SEATS)
    house.close()
    again = run(renderer=pages)
    host = again.host()
    host.post("/host/plan", game="phantom")
    page = host.post("/host/plan", game="canterville").text
    assert 'action="/host/animals"' not in page
    assert again.evening.book.plan.box == "Gespensterjagd"
    assert host.post("/host/start").status == 200
    frames = again.evening.table.view("public").shows.frames
    assert {animal: frame.size for animal, frame in frames.items()} == counts


def test_the_host_is_offered_only_what_the_game_takes(run: Run) -> None:
    """GJ-52: a trap lies before one of the hunters there are, or stays in the box."""
    house = run(renderer=pages)
    host = house.host()
    house.plan(host, game="canterville", players="3", **{"option-frames": FRAMES})
    for option, values in offers(host.get("/host").text).items():
        for value in values:
            page = host.post("/host/plan", **{f"option-{option}": value}).text
            assert house.evening.chairs(), (option, value)
            assert "notice problem" not in page, (option, value)
        host.post("/host/plan", **{f"option-{option}": ""})
    assert offers(host.get("/host").text)["trap"] == ["false", "h1", "h2"]
    host.post("/host/plan", **{"option-trap": "h2"})
    assert "notice problem" not in host.post("/host/plan", players="2").text
    assert offers(host.get("/host").text)["trap"] == ["false", "h1"]
    assert "trap" not in house.evening.book.plan.options


def offers(page: str) -> dict[str, list[str]]:
    """The choices of every option on the host's page, the empty one left out."""
    lists = re.findall(r'<select name="option-(\w+)">(.*?)</select>', page, re.DOTALL)
    return {name: [value for value in re.findall(r'value="(\w*)"', text) if value] for name, text in lists}


def test_a_count_that_cannot_be_is_refused_on_the_same_page(run: Run) -> None:
    host = run(renderer=pages).host()
    answer = host.forge("/castles/animals", bats=9, cats=4, hedgehogs=6, mice=4, owls=5)
    assert answer.status == 400
    assert 'role="alert"' in answer.text
    assert 'action="/castles/animals"' in answer.text


def test_a_castle_is_entered_and_outlasts_the_night(run: Run) -> None:
    house = run(renderer=pages)
    host = house.host()
    host.post("/castles/new", name="Château d’Ô")
    answer = host.post("/castles/chateau-do/room/12", walk="13", wall="1", cell="0-1", door="13", then="next")
    assert answer.status == 200
    house.close()
    kept = Castles(house.evening.shelf.folder.parent / "castles").find("chateau-do")
    assert (kept.castle.walks, kept.castle.walls) == (((12, 13),), ((1, 12),))
    assert kept.castle.doors == {"12": 13}
    assert kept.done == (12,)


def test_a_room_drawn_over_another_is_refused_and_nothing_is_lost(run: Run) -> None:
    host = run(renderer=pages).host()
    host.post("/castles/new", name="Ours")
    host.post("/castles/ours/room/1", walk="2", cell="0-0", w="2", then="next")
    answer = host.forge("/castles/ours/room/2", cell="1-0")
    assert answer.status == 409 or answer.status == 400
    assert 'role="alert"' in answer.text
    assert "Room 2" in answer.text


def test_a_castle_goes_out_as_a_file_and_comes_back(run: Run) -> None:
    host = run(renderer=pages).host()
    given = json.dumps({"name": "Ours", "rooms": [1, 2], "walks": [[1, 2]]})
    host.post("/castles/import", text=given)
    file = host.get("/castles/ours/file")
    assert "attachment" in file.headers["content-disposition"]
    host.post("/castles/import", text=file.text)
    assert host.get("/castles/ours-2").status == 200
    broken = host.post("/castles/import", text="no castle")
    assert broken.status == 400
    assert 'role="alert"' in broken.text


# Entering a castle


@pytest.mark.parametrize(
    "told",
    [
        "",
        "[]",
        "[" * 5000,
        '{"rooms": [[55, 0, 0, 1, 1]]}',
        '{"rooms": [[1, 11, 0, 2, 1]]}',
        '{"rooms": [[1, 0, 0, 2, 1], [2, 1, 0, 1, 1]]}',
        '{"rooms": [[1, 0, 0, 0, 1]]}',
    ],
)
def test_a_drawing_that_cannot_be_is_refused_and_nothing_is_lost(run: Run, told: str) -> None:
    house = run(renderer=pages)
    host = house.host()
    host.post("/castles/new", name="Ours")
    assert host.post("/castles/ours/draw", drawn='{"rooms": [[1, 0, 0, 2, 1]]}').status == 200
    answer = host.post("/castles/ours/draw", drawn=told)
    assert answer.status in (400, 409)
    assert 'role="alert"' in answer.text
    assert house.guest("Ada").forge("/castles/ours/draw", drawn='{"rooms": []}').status == 403
    kept = Castles(house.evening.shelf.folder.parent / "castles").find("ours")
    assert [(room.room, room.w) for room in kept.rooms.values()] == [(1, 2)]


def test_a_drawing_keeps_what_was_only_told_and_what_lies_beyond_the_sheet() -> None:
    begun = drafts.answered(drafts.begun("Ours"), 1, RoomAnswer((2,), (), None, (0, 0, 1, 1)))
    far = drafts.from_text('{"rooms": [{"room": 1, "x": 20, "y": 0.5, "w": 1, "h": 1}], "name": "Far"}')
    told = '{"rooms": [[1, 3, 0, 1, 1]], "walks": [[2, 1], [1, 9], [1, 1]], "doors": {"12": 1}}'
    castle = drafts.drawn(told, begun).castle
    assert (castle.numbers, castle.walks, castle.doors) == ((1, 2), ((1, 2),), {})
    assert drafts.drawn('{"rooms": [[1, 20, 0.5, 1, 1]]}', far).castle.rooms == far.castle.rooms


def test_ways_are_said_once_and_count_twice() -> None:
    draft = drafts.answered(drafts.begun("Ours"), 1, RoomAnswer(walks=(2, 12), walls=(54,)))
    assert drafts.around(draft.castle.walks, 2) == (1,)
    assert drafts.around(draft.castle.walls, 54) == (1,)
    assert drafts.next_room(draft) == 2
    anew = drafts.answered(draft, 2, RoomAnswer(walls=(1,)))
    assert drafts.around(anew.castle.walks, 1) == (12,)
    assert drafts.around(anew.castle.walls, 1) == (2, 54)


def test_a_door_goes_with_its_way() -> None:
    draft = drafts.answered(drafts.begun("Ours"), 12, RoomAnswer(walks=(13,), door=13))
    assert draft.castle.doors == {"12": 13}
    assert drafts.answered(draft, 13, RoomAnswer(walls=(12,))).castle.doors == {}


def test_a_check_up_asks_only_for_what_is_missing() -> None:
    draft = drafts.answered(drafts.begun("Ours"), 12, RoomAnswer(walks=(13,)))
    assert drafts.missing(draft) == [(12, "ask_place"), (13, "ask_room")]
    draft = drafts.answered(draft, 12, RoomAnswer(walks=(13,), place=(0, 0, 1, 1)))
    draft = drafts.answered(draft, 13, RoomAnswer(walks=(12,), place=(1, 0, 1, 1)))
    assert drafts.missing(draft) == [(12, "ask_door")]
    assert drafts.missing(drafts.answered(draft, 12, RoomAnswer(walks=(13,), door=13))) == []


def test_a_check_up_shows_one_question_after_the_other(run: Run) -> None:
    """A short mode: only what is missing is on the page, and what was said before stays said."""
    host = run(renderer=pages).host()
    host.post("/castles/new", name="Ours")
    host.post("/castles/ours/room/12", walk="13", wall="1", cell="0-0", then="next")
    host.post("/castles/ours/room/13", walk="12", then="next")
    host.post("/castles/ours/room/1", wall="12", cell="0-1", then="next")
    page = host.get("/castles/ours/checkup").text
    assert "Room 12: where does its red door lead?" in page
    assert "2 questions left" in page
    assert ('name="cell"' in page, 'type="checkbox"' in page, '<select name="door"' in page) == (
        False, False, True,
    )  # fmt: skip
    answer = host.post("/castles/ours/room/12", **dict(re.findall(HIDDEN, page)), door="13")
    assert "Room 13 is not drawn yet" in answer.text
    assert ('name="cell"' in answer.text, 'type="checkbox"' in answer.text) == (True, False)
    ended = host.post("/castles/ours/room/13", **dict(re.findall(HIDDEN, answer.text)), cell="1-0")
    assert "It can be played in." in ended.text
    file = json.loads(host.get("/castles/ours/file").text)["castle"]
    assert (file["walks"], file["walls"], file["doors"]) == ([[12, 13]], [[1, 12]], {"12": 13})


HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')


def test_the_largest_castle_fits_behind_a_qr_code() -> None:
    text = drafts.to_text(drafts.from_text(drafts.option(drafts.Draft(demo()))))
    assert len(text) < 2900
    assert drafts.from_text(text).castle.walks == demo().walks


@pytest.mark.parametrize("text", ["", "castle1:!!", "castle1:AAAA", "[]", '{"rooms":"x"}', "{" * 5000])
def test_what_is_no_castle_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        drafts.from_text(text)


def test_a_damaged_file_harms_no_other_castle(tmp_path: Path) -> None:
    castles = Castles(tmp_path)
    key = castles.add(drafts.answered(drafts.begun("Ours"), 1, RoomAnswer(walks=(2,))))
    (tmp_path / "torn.json").write_bytes(b'{"castle": {')
    assert list(castles.all()) == [key]


# Words


def round_of(house: Running, step: int, trap: int | None = None) -> None:
    """Max moves, the trap is laid if there is one, and every figure stays."""
    table = house.evening.table
    table.act("max", {"type": "move", "room": step})
    if trap is not None:
        table.act("h1", {"type": "trap", "room": trap})
    while table.standing().phase == "hunters":
        (seat,) = table.standing().to_act
        table.act(seat, next(plain(a) for a in table.legal(seat) if plain(a)["type"] == "stay"))


def test_a_sprung_trap_shows_max_and_not_his_way_even_on_his_own_closed_phone(run: Run) -> None:
    """GJ-52: everybody sees where he is; how he came there stays behind his button."""
    probe, _ = evening(run, "probe")
    round_of(probe, 37)
    room = next(a["room"] for a in map(plain, probe.evening.table.legal("max")) if a["type"] == "move")
    house, phones = evening(run, "state", **{"option-trap": "h1"})
    round_of(house, 37, trap=room)
    act(phones["max"], "max", {"type": "move", "room": room})
    page = seen(phones["max"], "/play")
    (closed,) = re.findall(r'role="status" class="when-hidden">(.*?)</div>', page, re.S)
    assert str(room) in closed
    assert "→" not in closed
