"""A copy of everything to a phone, and back: no secret goes out, nothing wrong comes in, nothing is lost."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import backup
from companion.journal import Journal
from companion.table import Table
from tests.web.conftest import Running, hide
from tests.web.phones import PATIENCE, Answer, Phone, until
from tests.web.test_boxes_pages import TILES
from web.access.credentials import hashed
from web.admin import backup as keeping
from web.render import pages
from web.server import asgi as gate

Run = Callable[..., Running]
ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}
OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}


@pytest.fixture
def house(run: Run) -> Running:
    return run(renderer=pages)


@pytest.fixture
def host(house: Running) -> Phone:
    host = house.host()
    host.post("/boxes/save", game="phantom", name="Our box", **TILES)
    return host


def state(house: Running) -> Path:
    folder: Path = house.evening.shelf.folder.parent
    return folder


def upload(phone: Phone, data: bytes) -> Answer:
    """Choose a file in the form and send it."""
    return phone.post("/backup/upload", file=data)


def told(answer: Answer) -> str:
    found = re.search(r'role="alert">.*?<span>(.*?)</span>', answer.text, re.DOTALL)
    assert found
    return found[1]


def sum_of(answer: Answer) -> str:
    found = re.search(r'name="sum" value="(\w+)"', answer.text)
    assert found
    return found[1]


def a_game_with_ghosts(house: Running, host: Phone) -> dict[str, Phone]:
    """Four players, and the ghosts hidden."""
    phones = house.players("Ada", "Hamish", "Zoé", "Inès")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    return phones


def journal_of(answer: Answer) -> str:
    return backup.unpack(answer.body)["journal"].decode()


# Out


def test_only_whoever_runs_the_evening_gets_a_copy(house: Running) -> None:
    guest = house.guest("Ada")
    assert guest.get("/backup").status == 403
    assert guest.forge("/backup/file").status == 403
    assert guest.forge("/backup/upload", file=b"x").status == 403
    assert guest.forge("/backup/restore", sum="").status == 403


def test_a_forged_request_gets_no_copy(host: Phone) -> None:
    assert host.forge("/backup/file", csrf="guessed").status == 403


def test_between_games_the_copy_holds_all_but_who_sits_where(house: Running, host: Phone) -> None:
    answer = host.post("/backup/file")
    assert answer.headers["content-type"] == "application/zip"
    assert "attachment" in answer.headers["content-disposition"]
    assert set(backup.unpack(answer.body)) == {"journal", "boxes/phantom-our-box.json"}


def test_a_host_takes_no_secret_of_the_running_game_along(house: Running, host: Phone) -> None:
    """The host may be a player: everything is in the copy but the game under way."""
    house.start(host)
    host.post("/host/abandon")
    a_game_with_ghosts(house, host)
    (state(house) / "journal.damaged-1").write_bytes((state(house) / "journal").read_bytes())
    assert "stay at the table" in host.get("/backup").text
    files = backup.unpack(host.post("/backup/file").body)
    assert set(files) == {"journal", "boxes/phantom-our-box.json"}
    assert b'"hide"' in (state(house) / "journal").read_bytes()
    assert b'"hide"' not in b"".join(files.values())
    assert files["journal"].count(b'"do":"new"') == 1, "the game before it is there"


def test_the_moderator_takes_the_running_game_along(house: Running, host: Phone) -> None:
    a_game_with_ghosts(house, host)
    moderator = house.moderator()
    assert '"hide"' in journal_of(moderator.post("/backup/file"))


def test_a_game_that_is_over_has_no_secrets(house: Running, host: Phone) -> None:
    house.bot("p1")
    house.bot("p2")
    house.start(host, players=2)
    until(lambda: house.evening.stage == "result")
    assert '"hide"' in journal_of(host.post("/backup/file"))


def test_a_game_that_was_left_keeps_its_secrets_whoever_plays(house: Running, host: Phone) -> None:
    """Abandon, back up, cut a line, restore: that would let a player read on in a game that goes on."""
    hamish = a_game_with_ghosts(house, host)["p2"]
    host.post("/host/abandon")
    hamish.post("/moderator", pin=house.evening.pin.shown)
    for phone in (host, hamish):
        assert '"hide"' not in journal_of(phone.post("/backup/file"))
        assert "stay at the table" in phone.get("/backup").text


def test_a_second_browser_that_moderates_after_a_game_was_left_gets_none_of_its_secrets(
    house: Running, host: Phone
) -> None:
    """Nobody is asked once no game is under way, so nothing is to be had by it."""
    a_game_with_ghosts(house, host)
    host.post("/host/abandon")
    second = house.phone()
    assert second.post("/moderator", pin=house.evening.pin.shown, name="Watcher").status == 200
    assert house.evening.guests.seats_of(house.evening.book.guests[-1].id) == ()
    copy = backup.unpack(second.post("/backup/file").body)
    assert b'"hide"' not in b"".join(copy.values())
    house.start(host)
    copy = backup.unpack(second.post("/backup/file").body)
    assert b'"hide"' not in b"".join(copy.values()), "the next game is theirs to see, the one before is not"


def test_a_moderators_copy_of_the_running_game_has_no_secret_of_the_one_that_was_left(
    house: Running, host: Phone
) -> None:
    phones = a_game_with_ghosts(house, host)
    host.post("/host/abandon")
    house.start(host)
    hide(phones, {"blue": 2}, OWNERS)
    moderator = house.moderator()
    assert journal_of(moderator.post("/backup/file")).count('"hide"') == 1


def test_a_moderator_who_sits_down_gets_a_sealed_copy(house: Running, host: Phone) -> None:
    a_game_with_ghosts(house, host)
    moderator = house.moderator()
    guest = next(each for each in house.evening.book.guests if each.moderator)
    host.post("/host/seat", seat="p1", phone=guest.id)
    assert '"hide"' not in journal_of(moderator.post("/backup/file"))


# In


def test_a_new_card_gets_everything_and_the_evening_goes_on(run: Run, house: Running, host: Phone) -> None:
    """Games, boxes and castles; whoever had a seat finds it, and whoever restored is host."""
    phones = a_game_with_ghosts(house, host)
    moderator = house.moderator()
    copy = moderator.post("/backup/file").body
    house.close()
    new = run("new card", renderer=pages)
    owner = new.host("Jürgen")
    owner.post("/boxes/save", game="phantom", name="Another", **TILES)
    looked = upload(owner, copy)
    assert looked.status == 200
    assert [box.name for box in new.evening.shelf.profiles()] == ["Another"], "looked at, not restored"
    done = owner.post("/backup/restore", sum=sum_of(looked))
    assert "starts again" in done.text
    new.close()
    opened = run("new card", renderer=pages)
    assert [box.name for box in opened.evening.shelf.profiles()] == ["Our box"]
    assert (state(opened) / "before-restore-1/boxes/phantom-another.json").exists()
    assert opened.evening.stage == "playing"
    for phone in (owner, phones["p1"]):
        phone.port = opened.port
    assert owner.get("/host").status == 200
    assert owner.get("/moderator").status == 403
    assert phones["p1"].get("/play").status == 200
    assert phones["p1"].get("/host").status == 403
    assert not list(state(opened).glob(".restored*"))


def test_a_moderator_who_restores_a_game_sees_nothing_of_it(run: Run, house: Running, host: Phone) -> None:
    a_game_with_ghosts(house, host)
    house.moderator(phone=host)
    copy = host.post("/backup/file").body
    host.post("/host/abandon")
    host.post("/backup/restore", sum=sum_of(upload(host, copy)))
    house.close()
    opened = run(renderer=pages)
    host.port = opened.port
    assert (host.get("/host").status, host.get("/moderator").status) == (200, 403)
    assert opened.evening.under_way
    assert "Mrs Kerr has restored a backup" in host.get("/host").text
    assert "restored" in opened.evening.table.happenings()


def test_a_backup_written_by_a_player_opens_no_eyes_and_shuts_no_mouth(
    run: Run, house: Running, host: Phone
) -> None:
    """A guest book with a program's key, a moderator, another's key, and news that all have seen."""
    phones = a_game_with_ghosts(house, host)
    moderator = house.moderator()
    copy = backup.unpack(moderator.post("/backup/file").body)
    host.post("/host/abandon")
    book = json.loads(copy["guests.json"])
    seats, ada = book["seats"], next(guest for guest in book["guests"] if guest["name"] == "Ada")
    seats["p4"] |= {"keys": [hashed("a program")], "name": "Hamish"}
    seats["p2"]["name"] = "the companion"
    puppet = {"id": "puppet", "name": "Ada", "key": hashed("a phone"), "moderator": True}
    ada["key"] = hashed("another phone")
    book["guests"] = [{**guest, "heard": 2**62} for guest in (*book["guests"], puppet)]
    book |= {
        "insiders": ["puppet"],
        "tellings": 2**62,
        "told": [{"n": 1, "key": "evening.game_restored", "facts": {}}],
    }
    copy["guests.json"] = json.dumps(book).encode()
    done = host.post("/backup/restore", sum=sum_of(upload(host, backup.packed(copy))))
    assert "starts again" in done.text
    house.close()
    opened = run(renderer=pages)
    assert opened.evening.under_way
    for phone in (*phones.values(), host, moderator):
        phone.port = opened.port
    program = opened.phone().ask("GET", "/api/v1/view", headers={"Authorization": "Bearer a program"})
    assert program.status in (401, 403)
    assert moderator.get("/moderator").status == 403
    spy, thief = opened.phone(), opened.phone()
    spy.cookie, thief.cookie = "companion=a phone", "companion=another phone"
    assert spy.get("/moderator").status == 403
    assert spy.post("/moderator", pin=opened.evening.pin.shown).status == 200
    assert spy.get("/moderator").status == 403, "whoever plays is asked first"
    assert thief.get("/play").status == 403
    assert [guest.name for guest in opened.evening.book.guests if guest.id == "puppet"] == ["Ada 2"]
    assert [opened.evening.guests.name_of(seat) for seat in ("p2", "p4")] == ["Hamish", "Hamish 2"]
    for phone in phones.values():
        page = phone.get("/play")
        assert page.status == 200
        assert "Mrs Kerr has restored a backup" in page.text
        assert "restored from a backup" in page.text


def test_a_seed_in_a_backup_says_nothing_of_what_comes(run: Run, tmp_path: Path) -> None:
    """With it one would know the draws to come, and could try out what a seal hides."""
    journal = tmp_path / "journal"
    table = Table(Journal(journal))
    table.new("artefacts", {"decks": "virtual", "players": 2}, seed=7)
    table.close()
    seals, draws = set(), set()
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        shutil.copy(journal, tmp_path / name)
        evening = run(name).evening
        for _ in range(12):
            seat = evening.table.standing().to_act[0]
            evening.table.act(seat, evening.table.legal(seat)[0])
        seals.add(evening.table.seal().seal)
        draws.add(str([line.action for line in evening.table.history() if line.seat == "table"]))
    assert len(seals) == 3
    assert len(draws) > 1


def test_a_copy_without_a_guest_book_leaves_the_phones_where_they_are(
    run: Run, house: Running, host: Phone
) -> None:
    ada = house.players("Ada")["p1"]
    host.post("/backup/restore", sum=sum_of(upload(host, host.post("/backup/file").body)))
    house.close()
    ada.port = run(renderer=pages).port
    assert ada.get("/play").status == 200


def test_nobody_waits_while_a_file_is_gathered_checked_or_written(
    house: Running, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large one takes longer than the watchdog would wait for the table's lock."""
    looked = upload(host, host.post("/backup/file").body)

    def watched(name: str) -> None:
        real = getattr(backup, name)

        def meanwhile(*args: Any, **named: Any) -> Any:
            somebody = threading.Thread(target=lambda: house.guest("Ada"))
            somebody.start()
            somebody.join(PATIENCE)
            assert not somebody.is_alive(), "the table was held"
            return real(*args, **named)

        monkeypatch.setattr(backup, name, meanwhile)

    for slow in ("gathered", "unpack", "_write"):
        watched(slow)
    assert host.post("/backup/file").status == 200
    assert "starts again" in host.post("/backup/restore", page=looked).text


def test_during_a_game_nothing_is_put_in_its_place(house: Running, host: Phone) -> None:
    copy = host.post("/backup/file").body
    waiting = sum_of(upload(host, copy))
    house.start(host)
    assert host.forge("/backup/upload", file=copy).status == 409
    assert host.forge("/backup/restore", sum=waiting).status == 409
    assert not (state(house) / ".restored").exists()
    assert house.evening.under_way


@pytest.mark.parametrize("data", [b"", b"no backup", b"PK\x03\x04" + bytes(500)])
def test_what_is_no_backup_is_refused_and_nothing_changes(house: Running, host: Phone, data: bytes) -> None:
    answer = host.post("/backup/upload", file=data)
    assert answer.status == 400
    assert told(answer)
    assert host.forge("/backup/restore", sum="").status == 409
    assert house.evening.shelf.find("Our box")


def test_what_was_looked_at_is_what_is_restored(house: Running, host: Phone) -> None:
    looked = upload(host, host.post("/backup/file").body)
    (state(house) / ".restored.upload").write_bytes(b"something else")
    assert host.post("/backup/restore", page=looked).status == 409
    assert host.post("/backup/forget", page=looked).status == 200
    assert not (state(house) / ".restored.upload").exists()


def test_only_here_and_only_for_the_host_may_a_file_be_large(house: Running, host: Phone) -> None:
    large = bytes(gate.LARGEST_BODY + 1)
    assert upload(host, large).status == 400, "read, and no backup"
    assert host.ask("POST", "/boxes/import", large).status == 413
    for phone in (house.guest("Ada"), house.phone()):
        assert phone.forge("/backup/upload", file=large).status == 413
    sent = {"Content-Length": str(keeping.LARGEST_UPLOAD + 1)}
    assert host.ask("POST", "/backup/upload", b"", sent).status == 413


def test_a_full_disk_is_told_and_nothing_changes(
    house: Running, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = host.post("/backup/file").body
    looked = upload(host, copy)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("companion.backup.sync", full)
        answer = host.post("/backup/restore", page=looked)
    assert (answer.status, "No space left" in told(answer)) == (507, True)
    assert not list(state(house).glob(".restored.new")) + list(state(house).glob(".restored"))
    with monkeypatch.context() as patch:
        patch.setattr(tempfile.SpooledTemporaryFile, "rollover", full)
        large = upload(host, bytes(gate.LARGEST_BODY + 1))
    assert large.status == 507
    assert json.loads(large.text)["error"]["code"] == "not_saved"
    assert house.evening.shelf.find("Our box")


def test_systemd_hears_of_the_end_but_not_of_an_interval(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit that says that it stops is stopped; one that opens again with other games has not stopped."""
    heard: list[str] = []
    monkeypatch.setattr("web.server.server.notify.stopping", lambda: heard.append("stopping"))
    again = run("again")
    again.evening.reopen()
    again._thread.join(PATIENCE)
    again.close()
    assert heard == []
    run("for good").close()
    assert heard == ["stopping"]
