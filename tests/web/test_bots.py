"""Bots at the table: their levels, and that their consent tells nobody anything."""

import json
import re
from collections.abc import Callable
from html import unescape

import pytest

from companion.contract import plain
from companion.refusals import NotSaved
from tests.web.conftest import Running, hide
from tests.web.phones import until
from web.render import pages

OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}


def against_bots(house: Running) -> tuple:
    """Two hunters who are people, two masters who are bots, and the hunters to move."""
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    room = house.evening.choices["p2"][0].room
    assert phones["p2"].post("/act", seat="p2", type="remove", room=room).status == 200
    for seat in ("p2", "p4"):
        assert host.post("/host/seat", seat=seat, bot="normal").status == 200
    return host, phones


def test_the_host_chooses_how_well_a_bot_plays(house: Running) -> None:
    host = house.host()
    assert host.get("/host").scene["plan"]["levels"][:4] == ["random", "easy", "normal", "strong"]
    assert host.post("/host/seat", seat="p2", bot="strong").status == 200
    assert house.evening.book.sitting("p2").bot == "strong"
    assert host.forge("/host/seat", seat="p2", bot="brilliant").status == 409


@pytest.mark.parametrize(
    ("language", "max_is", "masters"),
    [
        ("en", "Max · the companion", ("Master 1 · the companion", "Master 2 · the companion")),
        ("fr", "Max · le compagnon", ("Maître 1 · le compagnon", "Maître 2 · le compagnon")),
        ("de", "Max · der Begleiter", ("Meister 1 · der Begleiter", "Meister 2 · der Begleiter")),
    ],
)
def test_the_companion_is_called_by_what_it_plays(
    run: Callable[..., Running], language: str, max_is: str, masters: tuple[str, str]
) -> None:
    house = run(moment=60.0, renderer=pages)
    host, ada = house.host(), house.guest("Ada", language=language)
    frames = json.dumps(dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 1))
    castle = {"players": 2, "option-castle": "demo", "option-frames": frames}
    house.plan(host, "canterville", companion="max", level="normal", **castle)
    assert ada.post("/seat/take", seat="h1").status == 200
    assert host.post("/host/start").status == 200
    for figure, room in (("a", 1), ("b", 4), ("c", 31)):
        ada.post("/act", seat="h1", type="start", figure=figure, room=room)
    # Everywhere: whose turn it is, who sits where, and what a refusal says.
    for page in ("/play", "/watch", "/table"):
        assert max_is in unescape(ada.get(page).text)
    refused = ada.forge("/act", seat="h1", type="walk", figure="a", room=2)
    assert refused.status == 409
    assert max_is in unescape(refused.text)
    assert host.post("/host/abandon").status == 200
    house.plan(host, game="phantom", companion="master", level="normal")
    house.start(host)
    page = unescape(ada.get("/table").text)
    assert all(master in page for master in masters)
    assert not re.search("Bot \\d|Robot \\d", page)


@pytest.mark.parametrize("answer", ["agree", "decline"])
def test_a_bot_never_agrees_to_what_told_somebody_something_so_the_host_decides_and_all_are_told(
    run: Callable[..., Running], answer: str
) -> None:
    house = run(moment=60.0)
    host, phones = against_bots(house)
    (hunter,) = house.evening.choices
    room = next(a.room for a in house.evening.choices[hunter] if a.room not in ROOMS.values())
    assert phones[hunter].post("/act", seat=hunter, type="remove", room=room).status == 200
    assert phones[hunter].post("/undo", seat=hunter).status == 200
    history = house.evening.table.history()
    assert not history[-1].undone
    asked = host.get("/host").scene["undo"]["ask"]
    assert asked == ["p2", "p4"]
    assert phones[hunter].forge("/undo/agree", seat="p2").status == 403
    assert host.post(f"/undo/{answer}", seat="p2").status == 200
    assert house.evening.table.history()[-1].undone == (answer == "agree")
    told = [say["text"] for say in phones[hunter].get("/play").scene["says"]]
    assert any("Mrs Kerr agreed in place of the companion" in text for text in told) == (answer == "agree")


def test_a_consent_that_cannot_be_kept_is_told_to_nobody(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = run(moment=60.0)
    host, phones = against_bots(house)
    (hunter,) = house.evening.choices
    room = next(a.room for a in house.evening.choices[hunter] if a.room not in ROOMS.values())
    phones[hunter].post("/act", seat=hunter, type="remove", room=room)
    phones[hunter].post("/undo", seat=hunter)

    def full(*entries: object) -> None:
        raise NotSaved("companion.not_saved", fault="No space left on device")

    monkeypatch.setattr(house.evening.table.journal, "append", full)
    assert host.post("/undo/agree", seat="p2").status == 507
    assert not any(one.key == "evening.undo_by_host" for one in house.evening.book.told)
    monkeypatch.undo()
    assert host.post("/undo/agree", seat="p2").status == 200
    assert [one.key for one in house.evening.book.told].count("evening.undo_by_host") == 1


def test_all_are_told_when_the_moderator_takes_back_what_told_somebody_something(
    run: Callable[..., Running],
) -> None:
    house = run(moment=60.0)
    _, phones = against_bots(house)
    moderator = house.moderator()
    (hunter,) = house.evening.choices
    room = next(a.room for a in house.evening.choices[hunter] if a.room not in ROOMS.values())
    phones[hunter].post("/act", seat=hunter, type="remove", room=room)
    assert moderator.post("/undo", seat="moderator").status == 200
    assert house.evening.table.history()[-1].undone
    told = [say["text"] for say in phones[hunter].get("/play").scene["says"]]
    assert any("Isla, the moderator, has taken back a move" in text for text in told)
    moderator.post("/undo", seat="moderator")
    assert house.evening.stage == "playing"
    # A ghost that hides tells nobody anything.
    before = house.evening.book.tellings
    assert moderator.post("/undo", seat="moderator").status == 200
    assert (house.evening.stage, house.evening.book.tellings) == ("setup", before)


def test_one_person_among_bots_on_one_side_asks_whoever_runs_the_evening(run: Callable[..., Running]) -> None:
    """A card that was drawn has told something: there must be somebody who can say yes or no."""
    house = run(moment=60.0)
    host, ada = house.host(), house.guest("Ada")
    host.post("/host/plan", game="artefacts")
    assert ada.post("/seat/take", seat="blue").status == 200
    house.start(host, empty="easy", **{"option-decks": "virtual"})
    table = house.evening.table
    while not any(plain(choice)["type"] == "draw" for choice in house.evening.choices.get("blue", ())):
        seat, choices = next(iter(house.evening.choices.items()))
        table.act(seat, choices[0])
    assert ada.post("/manor/act", seat="blue", type="draw").status == 200
    ada.post("/undo", seat="blue")
    asked = host.get("/host").scene["undo"]["ask"]
    assert asked == ["red", "yellow", "green"]
    assert host.post("/undo/agree", seat="red").status == 200
    assert [line for line in table.history() if line.seat == "blue"][-1].undone
    assert any(one.key == "evening.undo_by_host" for one in house.evening.book.told)


def test_what_bots_were_like_is_told_when_the_game_is_over_and_not_before(
    run: Callable[..., Running],
) -> None:
    house = run(moment=60.0)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host, **{"option-objective": 2})
    hide(phones, ROOMS, OWNERS)
    host.post("/host/pause")
    for seat, level in (("p1", "strong"), ("p2", "strong"), ("p4", "easy")):
        assert host.post("/host/seat", seat=seat, bot=level).status == 200
    pages = [(phones["p3"], "/play"), (host, "/host"), (phones["p3"], "/table"), (phones["p3"], "/watch")]
    for phone, page in pages:
        assert phone.get(page).scene["characters"] == []
    host.post("/host/resume")
    while house.evening.table.standing().result is None:
        (seat,) = house.evening.table.standing().to_act
        house.evening.table.act(seat, house.evening.table.legal(seat)[-1])
    for phone, page in pages:
        # Hunters have no character, masters do.
        assert [one["seat"] for one in phone.get(page).scene["characters"]] == ["p2", "p4"]
    one = phones["p3"].get("/play").scene["characters"][0]
    assert one["name"] in phones["p3"].get("/play").text
    assert one["line"] in phones["p3"].get("/play").text


def test_whoever_a_bot_plays_for_takes_the_seat_back_and_nobody_else_does(
    run: Callable[..., Running],
) -> None:
    house = run(moment=60.0)
    host, phones = against_bots(house)
    assert phones["p1"].forge("/seat/take", seat="p2").status == 403
    assert house.evening.book.sitting("p2").bot == "normal"
    # Another level is still for the same person.
    assert host.post("/host/seat", seat="p2", bot="strong").status == 200
    assert phones["p2"].post("/seat/take", seat="p2").status == 200
    assert house.evening.book.sitting("p2").bot is None
    assert phones["p2"].get("/play").scene["seat"] == "p2"
    told = [say["text"] for say in phones["p1"].get("/play").scene["says"]]
    assert any("Hamish has seat 2 now" in text for text in told)
    # A seat that the host freed is the host's to give.
    assert host.post("/host/seat", seat="p4", empty="1").status == 200
    assert phones["p4"].forge("/seat/take", seat="p4").status == 403


@pytest.mark.parametrize("bot", ["normal", None])
def test_whoever_gets_up_in_a_running_game_takes_the_seat_back_with_or_without_a_bot_on_it(
    run: Callable[..., Running], bot: str | None
) -> None:
    house = run(moment=60.0)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    assert phones["p2"].post("/seat/leave", seat="p2").status == 200
    assert phones["p1"].forge("/seat/take", seat="p2").status == 403
    if bot:
        assert host.post("/host/seat", seat="p2", bot=bot).status == 200
        assert house.evening.book.sitting("p2").bot == bot
    (place,) = [one for one in phones["p2"].get("/play").scene["places"] if one["seat"] == "p2"]
    assert place["left_by"] == house.evening.book.sitting("p2").left_by
    assert phones["p2"].post("/seat/take", seat="p2").status == 200
    assert phones["p2"].get("/play").scene["seat"] == "p2"
    assert house.evening.choices["p2"]
    # Whoever the host gives the seat to meanwhile, has it.
    assert phones["p2"].post("/seat/leave", seat="p2").status == 200
    other = house.guest("Eve")
    (eve,) = [guest.id for guest in house.evening.book.guests if guest.name == "Eve"]
    assert host.post("/host/seat", seat="p2", phone=eve).status == 200
    assert phones["p2"].forge("/seat/take", seat="p2").status == 403
    assert other.get("/play").scene["seat"] == "p2"


def test_in_the_next_game_a_seat_waits_no_more_for_whoever_left_it_in_the_last(
    run: Callable[..., Running],
) -> None:
    house = run(moment=60.0)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    assert phones["p2"].post("/seat/leave", seat="p2").status == 200
    house.bot("p2")
    assert house.evening.book.sitting("p2").left_by
    assert host.post("/host/abandon").status == 200
    house.start(host)
    assert house.evening.book.sitting("p2").bot == "random"
    assert phones["p2"].forge("/seat/take", seat="p2").status == 403


def test_a_seat_that_somebody_gets_up_from_before_a_game_waits_for_nobody(house: Running) -> None:
    house.host()
    phones = house.players("Ada")
    assert phones["p1"].post("/seat/leave", seat="p1").status == 200
    assert house.evening.book.sitting("p1").left_by is None


@pytest.mark.parametrize(
    ("language", "one", "both"),
    [
        ("en", "Master 1 · the companion is thinking", "Master 2 · the companion are thinking"),
        ("fr", "Maître 1 · le compagnon réfléchit", "Maître 2 · le compagnon réfléchissent"),
        ("de", "Meister 1 · der Begleiter denkt nach", "Meister 2 · der Begleiter denken nach"),
    ],
)
def test_it_is_said_that_the_companion_thinks_for_as_long_as_it_is_its_turn(
    run: Callable[..., Running], language: str, one: str, both: str
) -> None:
    house = run(moment=60.0, renderer=pages)
    host, ada = house.host(), house.guest("Ada", language=language)
    house.plan(host, game="phantom", companion="master", level="easy")
    assert ada.post("/seat/take", seat="p1").status == 200
    assert house.guest("Zoe").post("/seat/take", seat="p3").status == 200
    house.start(host)
    # Which of them has hidden ghosts already is not told.
    for hidden in (("p2", "blue", 1), ("p2", "red", 12), ("p4", "green", 25), ("p4", "white", 36)):
        for path in ("/play", "/table", "/watch"):
            assert both in unescape(ada.get(path).text)
        seat, ghost, room = hidden
        house.evening.table.act(seat, {"type": "hide", "ghost": ghost, "room": room})
    for path in ("/play", "/table", "/watch"):
        assert one in unescape(ada.get(path).text)
    assert "Master 1 · the companion is thinking" in unescape(host.get("/host").text)
    assert host.post("/host/pause").status == 200
    assert one not in unescape(ada.get("/table").text)
    assert host.post("/host/resume").status == 200
    house.evening.table.act("p2", house.evening.choices["p2"][0])
    assert one not in unescape(ada.get("/table").text)


@pytest.mark.parametrize(
    ("game", "seat", "words"),
    [
        ("canterville", "max", "Max · the companion is thinking"),
        ("artefacts", "red", "Red pawn · the companion is thinking"),
    ],
)
def test_the_same_in_every_game(run: Callable[..., Running], game: str, seat: str, words: str) -> None:
    house = run(moment=60.0, renderer=pages)
    host, ada = house.host(), house.guest("Ada")
    frames = json.dumps(dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 1))
    castle = {"players": 2, "option-castle": "demo", "option-frames": frames}
    house.plan(host, game=game, **(castle if game == "canterville" else {}))
    mine = "h1" if game == "canterville" else "blue"
    for chair in house.evening.chairs():
        if chair.seat == mine:
            assert ada.post("/seat/take", seat=mine).status == 200
        else:
            house.bot(chair.seat)
    assert host.post("/host/start").status == 200
    table = house.evening.table
    for _ in range(60):
        if table.standing().to_act == (seat,):
            break
        mover = table.standing().to_act[0]
        table.act(mover, table.legal(mover)[0])
    else:
        raise AssertionError("it never was its turn")
    for path in ("/play", "/table", "/watch"):
        page = unescape(ada.get(path).text)
        assert words in page, re.findall("<h1>.*?</h1>", page)


NO_TOKEN = "The companion’s ghosts have no tokens"


@pytest.mark.parametrize("preset", ["as_printed", ""])
def test_with_tokens_on_the_board_it_is_told_that_the_companions_ghosts_have_none(
    run: Callable[..., Running], preset: str
) -> None:
    house = run(moment=60.0, renderer=pages)
    host, judge = house.host(), house.moderator()
    both = {"preset": preset} if preset else {"option-keeper": "both"}
    for told, plan in (
        (False, both),
        (True, {"companion": "master", "level": "easy"}),
        (False, {"preset": "", "option-keeper": "companion"}),
        (True, both),
    ):
        house.plan(host, **plan)
        assert (NO_TOKEN in host.get("/host").text) == told
    ada = house.guest("Ada")
    assert ada.post("/seat/take", seat="p1").status == 200
    assert house.guest("Zoe").post("/seat/take", seat="p3").status == 200
    house.start(host)
    for reader, path in ((ada, "/play"), (ada, "/table")):
        assert NO_TOKEN in reader.get(path).text
    for seat, ghost, room in (("p2", "blue", 1), ("p2", "red", 12), ("p4", "green", 25), ("p4", "white", 36)):
        house.evening.table.act(seat, {"type": "hide", "ghost": ghost, "room": room})
    # Where the moderator sets ghosts straight by what lies on the board.
    assert NO_TOKEN in judge.get("/moderator").text
    assert NO_TOKEN in ada.get("/table").text


def test_whose_ghosts_lay_there_before_the_companion_took_over_has_tokens(
    run: Callable[..., Running],
) -> None:
    house = run(moment=60.0, renderer=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host, **{"option-keeper": "both"})
    hide(phones, ROOMS, OWNERS)
    assert host.post("/host/seat", seat="p2", bot="normal").status == 200
    assert NO_TOKEN not in phones["p1"].get("/table").text


def test_what_a_side_bids_is_left_to_the_person_on_it(run: Callable[..., Running]) -> None:
    """Zoe and the bot of place 1 are a team, and it would be its turn first. PS-102."""
    house = run()
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    for seat in ("p1", "p2", "p4"):
        assert host.post("/host/seat", seat=seat, bot="easy").status == 200
    house.start(host, **{"option-master_game": "true"})

    def bidders() -> list[str]:
        return [line.seat for line in house.evening.table.history() if plain(line.action)["type"] == "bid"]

    until(lambda: bidders() == ["p2"])
    assert {"p1", "p3"} <= set(house.evening.choices)
    bid = plain(house.evening.choices["p3"][0])
    assert phones["p3"].post("/act", seat="p3", **bid).status == 200
    assert bidders() == ["p2", "p3"]


def test_a_bot_bids_where_no_person_is_on_its_side(run: Callable[..., Running]) -> None:
    house = run()
    host, _ = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    for seat in ("p2", "p4"):
        assert host.post("/host/seat", seat=seat, bot="easy").status == 200
    house.start(host, **{"option-master_game": "true"})
    until(lambda: set(house.evening.choices) == {"p1", "p3"})
