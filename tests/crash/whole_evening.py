"""An evening at a daemon of its own, over HTTP; with each answer it is written down what must be so.

Facts are named as `facts` finds them in an opened house. Bots move when they like: of their moves counts what
a page showed, the seal that covers them.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

from companion import backup
from companion.contract import MODERATOR, plain
from companion.entries import Acted, AnyEntry, Left, Redone, Started, Undone, read_entries
from tests.web.conftest import LAYOUT
from tests.web.daemon import Daemon
from tests.web.phones import Answer, Phone, until
from tests.web.test_backup_page import sum_of, upload
from tests.web.test_boxes_pages import TILES
from web.access.credentials import hashed
from web.games.canterville.drafts import Castles
from web.server import server

ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}
JSON = {"Content-Type": "application/json"}
FRAMES = json.dumps(dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 2))
WITH_BOTS: tuple[tuple[str, tuple[str, str], dict[str, Any]], ...] = (
    ("canterville", ("max", "h1"), {"players": 4, "option-castle": "demo", "option-frames": FRAMES}),
    ("artefacts", ("blue", "red"), {"players": 4, "option-decks": "virtual"}),
)
DIGITS = re.compile(rb'class=\\*"digits\\*">([0-9a-f]{8})<')


class Known(NamedTuple):
    """What must be so: facts, and all that people did, in order."""

    facts: dict[str, Any]
    deeds: tuple[tuple[Any, ...], ...] = ()
    journal: int = 0
    """Which one: a backup that is brought back has another, with seals of its own."""


class Counted(Phone):
    """A phone whose requests are counted, one after the other with those of all others."""

    def __init__(self, evening: Evening, **more: str) -> None:
        super().__init__(evening.daemon.port, **more)
        self.evening = evening

    def ask(self, method: str, path: str, *more: Any, **named: Any) -> Answer:
        answer = super().ask(method, path, *more, **named)
        if method == "POST":
            self.evening.known, self.evening.coming = self.evening.coming, self.evening.coming
        self.evening.answered.append((path, self.evening.known))
        return answer

    def does(self, path: str, **fields: Any) -> Answer:
        """A form that is taken, sent at once: no page is asked for in between."""
        answer = self.forge(path, follow=False, **fields)
        assert answer.status in (200, 303), (path, answer.status, answer.text)
        return answer


class Evening:
    """The phones around a daemon."""

    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.known = self.coming = Known({})
        self.answered: list[tuple[str, Known]] = []
        """Each request that was answered, and what is so from its answer on."""
        self.people: dict[str, Counted] = {}
        """Who holds which seat, to know their entries in the journal from those of bots."""

    def phone(self) -> Counted:
        phone = Counted(self)
        self.daemon.phones.append(phone)
        return phone

    def so(self, deed: tuple[Any, ...] | None = None, /, **facts: Any) -> None:
        """What is so when the next form is answered."""
        facts = {name.replace("_", " "): fact for name, fact in facts.items()}
        deeds = (*self.known.deeds, deed) if deed else self.known.deeds
        self.coming = self.known._replace(facts={**self.known.facts, **facts}, deeds=deeds)

    def sits(self, seat: str, phone: Counted, name: str) -> None:
        """Somebody takes a seat."""
        self.people[seat] = phone
        self.so(**{f"seat_{seat}": name})
        phone.does("/seat/take", seat=seat)

    def comes(self, phone: Phone, path: str, name: str, **fields: Any) -> None:
        """Somebody comes in; the cookie that is given with the answer must open the door from then on."""
        self.so(**{f"{name}_is": path})
        phone.does(path, name=name, **fields)
        assert phone.cookie
        self.known = self.coming = self.known._replace(
            facts={**self.known.facts, f"{name} has": hashed(phone.cookie.partition("=")[2])}
        )
        self.answered[-1] = path, self.known

    def acts(self, seat: str, action: dict[str, Any], program: bool = False) -> None:
        """An action by a form, or by a program."""
        self.so(("act", seat, action))
        if program:
            body = json.dumps({"action": action, "seat": seat})
            assert self.people[seat].ask("POST", "/api/v1/act", body, JSON).status == 200
        else:
            self.people[seat].does("/act", seat=seat, action=json.dumps(action))

    def deeds(self, entries: Iterable[AnyEntry]) -> tuple[tuple[Any, ...], ...]:
        """What people did, as a journal has it."""
        people = {*self.people, MODERATOR}
        return tuple(deed(entry) for entry in entries if getattr(entry, "seat", MODERATOR) in people)

    def may_do(self, seat: str) -> list[dict[str, Any]]:
        """What whoever holds a seat may do there now."""
        legal = self.people[seat].get(f"/api/v1/legal?seat={seat}")
        return list(json.loads(legal.text)["actions"]) if legal.status == 200 else []


def lived(daemon: Daemon, rounds: int = 0) -> Evening:
    """Two players, a host, a moderator and a screen; then so many moves of each game with bots."""
    evening = Evening(daemon)
    host, moderator, ada, hamish = (evening.phone() for _ in range(4))
    evening.comes(host, "/host", "Mrs Kerr", pin=daemon.pin)
    evening.comes(moderator, "/moderator", "Isla", pin=daemon.pin)
    for seat, phone, name in (("p1", ada, "Ada"), ("p2", hamish, "Hamish")):
        evening.comes(phone, "/join", name, code=daemon.code)
        evening.sits(seat, phone, name)
    screen = evening.phone().stream("table")
    screen.page()
    _keep_house(evening, host)
    _play(evening, host, moderator)
    for game, seats, options in WITH_BOTS if rounds else ():
        _play_beside_bots(evening, host, game, seats, options, rounds)
    if rounds:
        _bring_back(evening, host)
    else:
        while 'data-turn="lobby' not in screen.page():
            pass  # until the screen has been told everything
    return evening


def _keep_house(evening: Evening, host: Counted) -> None:
    """All that is kept beside games: boxes, castles, kits, a PIN, how bright the lamps are."""
    evening.so(boxes=["Our box"])
    host.does("/boxes/save", game="phantom", name="Our box", **TILES)
    evening.so(boxes=["Box"])
    host.does("/boxes/save", game="phantom", name="Box", was="Our box", **TILES)
    evening.so(boxes=[])
    host.does("/boxes/remove", name="Box")
    for castles in (["Aird"], []):
        evening.so(castles=castles)
        host.does("/castles/new" if castles else "/castles/aird/forget", name="Aird")
    evening.so(kits=["ours.toml"])
    host.does("/kits/make", keep="1", name="ours", rooms="36", hands="rows", asked="1", buttons="ok")
    evening.so(own_pin=True)
    host.does("/welcome/pin", pin="481516")
    evening.so(brightness=40)
    host.does("/host/brightness", brightness=40)
    evening.so(palette="red_green")
    host.does("/host/lamps", palette="red_green")


def _play(evening: Evening, host: Counted, moderator: Counted) -> None:
    """The Phantom Society, with all that changes a game."""
    plan = {"players": 2, "option-layout": json.dumps(LAYOUT), "option-objective": 30}
    evening.so(("new", "phantom"), players=2)
    host.does("/host/start", **plan)
    for ghost, room in ROOMS.items():
        evening.acts("p2", {"type": "hide", "ghost": ghost, "room": room})
    for n in range(6):
        seat = next(seat for seat in ("p1", "p2") if evening.may_do(seat))
        evening.acts(seat, evening.may_do(seat)[0], program=n > 3)
    assert evening.people["p1"].forge("/act", seat="p1", type="remove", room=99).status == 409
    evening.so(("undo", "moderator"))
    moderator.does("/undo", seat="moderator")
    evening.so(("redo", "moderator"))
    moderator.does("/redo", seat="moderator")
    for path, paused in (("/host/pause", True), ("/host/resume", False)):
        evening.so(paused=paused)
        host.does(path)
    evening.so(("left",))
    host.does("/host/abandon")


def _play_beside_bots(
    evening: Evening, host: Counted, game: str, seats: tuple[str, ...], options: dict[str, Any], rounds: int
) -> None:
    chance = Random(game)
    evening.so(players=options["players"], **{f"seat_{seat}": None for seat in evening.people})
    host.does("/host/plan", game=game, **options)
    players = tuple(evening.people.values())[:2]
    for seat, phone, name in zip(seats, players, ("Ada", "Hamish"), strict=True):
        evening.sits(seat, phone, name)
    evening.so(("new", game), players=options["players"])
    host.does("/host/start", empty="easy", game=game, **options)
    end = time.monotonic() + 10 * rounds
    while rounds and time.monotonic() < end:
        seat = next((seat for seat in seats if (legal := evening.may_do(seat))), None)
        if seat is None:
            host.get("/table")
            time.sleep(0.05)
        else:
            evening.acts(seat, chance.choice(legal), program=rounds % 2 == 0)
            rounds -= 1
    evening.so(("left",))
    host.does("/host/abandon")


def _bring_back(evening: Evening, host: Counted) -> None:
    """A backup is taken, something is changed, and the backup is brought back: the games in it, no more.

    Whoever moderated sees nothing of them before they are asked to again.
    """
    copy = host.does("/backup/file").body
    entries, _ = read_entries(backup.unpack(copy)[backup.JOURNAL])
    evening.so(brightness=70)
    host.does("/host/brightness", brightness=70)
    waiting = upload(host, copy)
    now = evening.known
    evening.coming = Known({**now.facts, "Isla is": "/join"}, evening.deeds(entries), now.journal + 1)
    host.does("/backup/restore", sum=sum_of(waiting))
    until(lambda: host.get("/host").status == 200)
    host.get("/table")


def facts(house: server.Daemon) -> dict[str, Any]:
    """What an opened house knows, named as the evening names it."""
    evening, book = house.evening, house.evening.book
    assert evening.shelf is not None
    folder = evening.shelf.folder.parent
    found = {
        "players": book.plan.options.get("players"),
        "paused": book.paused,
        "brightness": book.brightness,
        "palette": book.palette,
        "own pin": bool(book.pin),
        "boxes": [profile.name for profile in evening.shelf.profiles()],
        "castles": [draft.name for draft in Castles(folder / "castles").all().values()],
        "kits": sorted(path.name for path in folder.glob("kits/*.toml")),
    }
    found |= {f"seat {seat}": evening.guests.name_of(seat) for seat in book.seats}
    for guest in book.guests:
        role = "/host" if guest.host else "/moderator" if guest.moderator else "/join"
        found |= {f"{guest.name} is": role, f"{guest.name} has": guest.key}
    return found


def deed(entry: AnyEntry) -> tuple[Any, ...]:
    """An entry of the journal, as the evening writes it down."""
    match entry:
        case Started():
            return "new", entry.game
        case Left():
            return ("left",)
        case Acted():
            return "act", entry.seat, plain(entry.action)
        case Undone():
            return "undo", entry.seat
        case Redone():
            return "redo", entry.seat
