"""What nobody may miss: cards on every phone until seen, on the door of a shared phone, after a loss."""

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from tests.web.conftest import Running, hide
from tests.web.phones import Phone
from web.evening.seen_news import SeenNews
from web.people import book_changes
from web.render import pages

Run = Callable[..., Running]
OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
ROOMS = {"blue": 1, "red": 10, "green": 19, "white": 28}


@pytest.fixture
def house(run: Run) -> Running:
    return run(renderer=pages)


def cards(phone: Phone, path: str = "/play") -> list[str]:
    """The moments on a page, in words."""
    found = re.findall(r'<p class="moment" id="[^"]*">.*?<span>(.*?)</span></p>', phone.get(path).text)
    return [unescape(re.sub("<[^>]*>", "", words)) for words in found]


def got_it(phone: Phone, path: str = "/play") -> None:
    """Tap the card away."""
    assert phone.post("/seen", page=phone.get(path)).status == 200


def hunt(house: Running) -> tuple[Phone, dict[str, Phone]]:
    """Four people, the ghosts are hidden, p2 has wrecked room 2 and p3 is to lift."""
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoé", "Jürgen")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    assert phones["p2"].post("/act", seat="p2", type="remove", room=2).status == 200
    return host, phones


def test_a_ghost_found_comes_to_every_phone_and_stays_until_it_was_seen(house: Running) -> None:
    host, phones = hunt(house)
    assert cards(phones["p1"]) == []
    assert phones["p3"].post("/act", seat="p3", type="remove", room=1).status == 200
    told = ["Zoé lifted the tile of room 1 and found the blue ghost"]
    for phone, path in [*((phone, "/play") for phone in phones.values()), (host, "/host"), (host, "/table")]:
        assert cards(phone, path) == told
    assert cards(house.phone(), "/watch") == cards(house.phone(), "/table") == told
    got_it(phones["p1"])
    assert cards(phones["p1"]) == []
    assert phones["p4"].post("/act", seat="p4", type="remove", room=20).status == 200
    assert cards(phones["p4"]) == [], "whoever goes on has seen it"
    assert cards(phones["p2"]) == told, "it is still there for the others, whatever follows"
    assert cards(house.guest("Inès"), "/watch") == told


def test_the_page_of_the_result_tells_the_end_itself(house: Running) -> None:
    host, phones = hunt(house)
    lifts = iter(ROOMS[ghost] for ghost in ("blue", "green", "red", "white"))
    for seat in ("p3", "p4", "p1", "p2", "p3", "p4", "p1"):
        legal = json.loads(phones[seat].get(f"/api/v1/legal?seat={seat}").text)["actions"]
        room = next(lifts) if seat in ("p1", "p3") else next(one["room"] for one in legal if "room" in one)
        assert phones[seat].post("/act", seat=seat, type="remove", room=room).status == 200
    assert "The hunters win" in phones["p1"].get("/play").text
    for phone, path in ((phones["p2"], "/play"), (host, "/table"), (house.phone(), "/watch")):
        told = cards(phone, path)
        assert told, "what else has happened is told as ever"
        assert not [words for words in told if "win" in words]
    assert [words for words in cards(host, "/host") if "hunters win" in words], "the desk shows no result"


def test_a_move_that_was_taken_back_is_no_moment(house: Running) -> None:
    _, phones = hunt(house)
    phones["p3"].post("/act", seat="p3", type="remove", room=1)
    phones["p3"].post("/undo", seat="p3")
    phones["p4"].post("/undo/decline", seat="p4")
    assert cards(phones["p1"])[0] == "Jürgen does not agree: the last move stands."
    phones["p3"].post("/undo", seat="p3")
    phones["p4"].post("/undo/agree", seat="p4")
    assert not any("ghost" in words for words in cards(phones["p1"]))


def test_a_repair_says_what_was_changed(house: Running) -> None:
    _, phones = hunt(house)
    moderator = house.moderator()
    fix = '{"type":"repair","set":{"damage":9,"ghosts":{"blue":{"room":3,"revealed":false}}}}'
    # A program's repair, of two things at once: the page offers them one by one.
    assert moderator.forge("/act", seat="moderator", action=fix).status == 200
    told = cards(phones["p1"])
    assert told == [
        "Isla is the moderator now and sees everything.",
        "The moderator put something right. The damage is £9,000.",
    ]


def test_bids_are_told_with_their_amounts(house: Running) -> None:
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoé", "Jürgen")
    house.start(host, **{"option-master_game": "true"})
    bids = {}
    for seat in ("p1", "p2"):
        legal = phones[seat].get(f"/api/v1/legal?seat={seat}").text
        bids[seat] = max(map(int, re.findall(r'"thousands":(\d+)', legal)))
        assert phones[seat].post("/act", seat=seat, type="bid", thousands=bids[seat]).status == 200
    told = " ".join(cards(phones["p3"]))
    assert "Ada and Zoé" in told
    assert all(f"£{bid},000" in told for bid in bids.values())


def test_announcements_wait_for_every_phone_from_the_lobby_into_the_game(house: Running) -> None:
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoé", "Jürgen")
    house.moderator()
    other = house.guest("Inès")
    house.start(host)
    for seat in ("p1", "p2") * 12:
        house.bot(seat)
    first = "Isla is the moderator now and sees everything."
    assert cards(phones["p3"])[0] == first
    assert len(cards(phones["p3"])) == 25
    assert "The companion plays seat 2 now." in cards(phones["p3"])
    got_it(phones["p3"])
    assert cards(phones["p3"]) == []
    assert first in cards(phones["p4"])
    assert first not in cards(other, "/play"), "who came later was not there"
    host.post("/host/abandon")
    house.start(host)
    assert first in cards(phones["p4"])
    assert cards(phones["p3"]) == []


def test_no_flood_of_announcements_washes_another_away(house: Running) -> None:
    house.guest("Ada")
    book = book_changes.tell(house.evening.book, "evening.moderates", name="Isla")
    for n in range(3 * book_changes.MOST_TOLD):
        book = book_changes.tell(book, "evening.left", name=f"Puppet {n}")
    assert len(book.told) == book_changes.MOST_TOLD
    assert book.told[0].key == "evening.moderates"
    assert book.told[-1].facts == {"name": f"Puppet {3 * book_changes.MOST_TOLD - 1}"}
    seen = book_changes.has_seen(book, book.guests[0], book.told[0].n)
    assert book_changes.tell(seen, "evening.left", name="One more").told[0].key == "evening.left"


def test_a_new_host_is_told(house: Running) -> None:
    host = house.host()
    phone = house.guest("Ada")
    other = house.guest("Zoé")
    ada = next(guest.id for guest in house.evening.book.guests if guest.name == "Ada")
    assert host.post("/host/phone", phone=ada, host="1").status == 200
    assert cards(other, "/play") == ["Ada is the host now."] == cards(phone, "/play")


def test_the_outcome_is_on_the_door_of_a_shared_phone(house: Running) -> None:
    host, phone = house.host(), house.guest("Ada")
    assert phone.post("/seat/take", seat="p1").status == 200
    assert phone.post("/seat/take", seat="p2", name="Hamish").status == 200
    house.start(host, players=2)
    for ghost, room in ROOMS.items():
        hold = re.findall(r'data-hold="([^"]+)"', phone.post("/hand/take", seat="p2").text)[0]
        phone.post("/act", seat="p2", type="hide", ghost=ghost, room=room, hold=hold)
    hold = re.findall(r'data-hold="([^"]+)"', phone.post("/hand/take", seat="p2").text)[0]
    assert phone.post("/act", seat="p2", type="remove", room=2, hold=hold).status == 200
    door = phone.get("/play").text
    assert "data-passing" in door
    latest = unescape(re.sub("<[^>]*>", "", door.split('class="says latest"')[1].split("</ul>")[0]))
    assert "Hamish wrecked room 2 (blue bedroom) +£1,000" in latest


def test_what_was_not_recovered_is_said_with_the_last_known_move(run: Run, tmp_path: Path) -> None:
    house = run(renderer=pages)
    host, phones = hunt(house)
    phones["p3"].post("/act", seat="p3", type="remove", room=3)
    house.close()
    journal = tmp_path / "state" / "journal"
    whole = journal.read_bytes()
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    journal.write_bytes(whole[: last + 20])
    again = run(renderer=pages)
    host.port = phones["p1"].port = again.port
    told = "The last one that is known is number 5: Hamish wrecked room 2 (blue bedroom) +£1,000."
    for phone, path in ((host, "/host"), (phones["p1"], "/play"), (again.phone(), "/table")):
        assert told in " ".join(cards(phone, path))
    again.close()
    assert len([one for one in run(renderer=pages).evening.book.told if "lost" in one.key]) == 1


@pytest.mark.parametrize(("cut", "lock"), [(1, True), (3, True), (1, False)])
def test_whole_lines_that_are_gone_are_said_with_the_last_known_move(
    run: Run, tmp_path: Path, cut: int, lock: bool
) -> None:
    """Nothing in the journal itself is wrong then; its lock knows, or has been taken away with them."""
    house = run(renderer=pages)
    host, phones = hunt(house)
    table = house.evening.table
    for _ in range(3):
        seat = table.standing().to_act[0]
        table.act(seat, table.legal(seat)[0])
    house.close()
    journal = tmp_path / "state" / "journal"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-cut]))
    if not lock:
        (tmp_path / "state" / "journal.lock").unlink()
    again = run(renderer=pages)
    host.port = phones["p1"].port = again.port
    known = len(again.evening.table.history())
    for phone, path in ((host, "/host"), (phones["p1"], "/play"), (again.phone(), "/table")):
        assert f"The last one that is known is number {known}:" in " ".join(cards(phone, path))
    again.close()
    assert len([one for one in run(renderer=pages).evening.book.told if "lost" in one.key]) == 1


def test_a_journal_that_is_gone_with_its_lock_is_told_of_by_the_guest_book(run: Run, tmp_path: Path) -> None:
    house = run(renderer=pages)
    host, _ = hunt(house)
    house.close()
    for name in ("journal", "journal.lock"):
        (tmp_path / "state" / name).unlink()
    for _ in range(2):
        again = run(renderer=pages)
        host.port = again.port
        assert sum("empty or missing" in words for words in cards(host, "/host")) == 1
        again.close()
    again = run(renderer=pages)
    host.port = again.port
    again.start(host)
    again.close()
    quiet = run(renderer=pages)
    assert quiet.evening.table.status() == ()
    assert quiet.evening.table.lost() is None


def test_a_journal_cut_before_this_game_began_is_told_of_by_the_guest_book_alone(
    run: Run, tmp_path: Path
) -> None:
    """The lock is gone, and the journal ends with the game before; that is told once, not at each start."""
    house = run(renderer=pages)
    host, _ = hunt(house)
    host.post("/host/abandon")
    house.start(host)
    house.close()
    journal = tmp_path / "state" / "journal"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-3]))
    (tmp_path / "state" / "journal.lock").unlink()
    for _ in range(2):
        again = run(renderer=pages)
        assert sum("lost" in one.key for one in again.evening.book.told) == 1
        again.close()


def test_an_emptied_journal_is_told_of(run: Run, tmp_path: Path) -> None:
    house = run(renderer=pages)
    host, _ = hunt(house)
    house.close()
    (tmp_path / "state" / "journal").write_bytes(b"")
    host.port = run(renderer=pages).port
    assert any("empty or missing" in words for words in cards(host, "/host"))


def test_a_phone_that_sleeps_while_it_is_waited_for_is_told(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, phones = hunt(house)
    monkeypatch.setattr("web.people.presence.GRACE", 0.0)
    phones["p1"].stream("play")
    assert "It is <b>Zoé</b>’s turn, but that phone is asleep." in phones["p1"].get("/play").text
    phones["p3"].stream("play")
    assert "phone is asleep" not in phones["p1"].get("/play").text


def test_everybody_hears_what_became_of_a_move_that_somebody_wanted_back(house: Running) -> None:
    host, phones = hunt(house)
    assert phones["p3"].post("/act", seat="p3", type="remove", room=1).status == 200
    for phone in phones.values():
        got_it(phone)
    phones["p3"].post("/undo", seat="p3")
    asked = "asks to take back the last move"
    assert "You asked to take back the last move" in phones["p3"].get("/play").text
    for phone, path in ((phones["p1"], "/play"), (phones["p2"], "/play"), (host, "/host"), (host, "/table")):
        assert f"<b>Zoé</b> {asked}" in phone.get(path).text
    phones["p2"].post("/undo/agree", seat="p2")
    others = [(phone, "/play") for seat, phone in phones.items() if seat != "p2"]
    for phone, path in [*others, (house.phone(), "/table")]:
        assert cards(phone, path)[-1] == "Hamish agrees: the last move is taken back."
        assert asked not in phone.get(path).text
    # Whoever agreed knows.
    assert cards(phones["p2"]) == []


def test_what_somebody_did_does_not_hide_what_others_told_them_before(house: Running) -> None:
    _, phones = hunt(house)
    assert phones["p3"].post("/act", seat="p3", type="remove", room=1).status == 200
    house.evening.guests.tell("evening.guessing", n="3")
    phones["p3"].post("/undo", seat="p3")
    phones["p2"].post("/undo/agree", seat="p2")
    assert cards(phones["p2"])[-1] == "Hamish agrees: the last move is taken back."


def test_the_host_is_told_that_all_wait_for_a_chair_where_nobody_sits(house: Running) -> None:
    host, phones = hunt(house)
    nobody = "where nobody sits"
    assert host.post("/host/seat", seat="p3", empty="1").status == 200
    for path in ("/host", "/play"):
        assert "All wait for <b>seat 3, hunter</b>, where nobody sits" in host.get(path).text
    assert not any(nobody in phone.get("/play").text for phone in phones.values())
    assert nobody not in host.get("/table").text
    assert host.post("/host/seat", seat="p3", bot="easy").status == 200
    assert nobody not in host.get("/host").text


def test_whoever_plays_for_all_waits_for_no_chair(house: Running) -> None:
    host = house.moderator(phone=house.host())
    house.start(host)
    assert "where nobody sits" not in host.get("/host").text


def test_news_that_were_seen_stay_seen_whatever_an_older_page_says() -> None:
    news = SeenNews(0)
    news.up_to("ada", 5)
    news.up_to("ada", 3)
    assert (news.of("ada"), news.of("ben")) == (5, 0)


def test_after_a_restart_everything_was_seen_and_in_the_next_game_nothing() -> None:
    news = SeenNews(12)
    assert news.of("ada") == 12
    news.begin()
    assert news.of("ada") == 0
