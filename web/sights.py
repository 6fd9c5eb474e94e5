"""Sights: what each page of each phone may show now. Scenes are built up from nothing, field by field."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.contract import HOST, MODERATOR, PUBLIC, TABLE, Seat, View, plain
from companion.picture import STYLES
from companion.table import Table
from companion.words import say
from web import hotspot, qr
from web.audiences import RUNNING_PAGES, Audience
from web.building import laying
from web.doors import CODE_SECONDS, OFFER_SECONDS, Ticket
from web.evening import demo, planning
from web.evening.book import Guest
from web.evening.demo import Demo
from web.evening.evening import Evening
from web.scene import (
    Consultation,
    Hand,
    Join,
    Lamps,
    Notice,
    Offer,
    Open,
    Page,
    Phone,
    Place,
    Plan,
    Presence,
    Says,
    Scene,
    UndoAsked,
)

T = TypeVar("T")

LAMPS_OUT, NOTHING_SAVED = "hardware.lamps_out", "companion.nothing_saved"
"""The faults that everybody notices, and should not have to wonder about."""


class Sights:
    """Builds scenes of an evening and of the demonstration game."""

    def __init__(self, evening: Evening, shown: Demo) -> None:
        self._evening, self._demo = evening, shown
        self._shared: tuple[int, dict[Hashable, Any]] = (0, {})
        self._lasting: tuple[int, dict[Hashable, Any]] = (0, {})
        self._planned: tuple[Any, Plan] | None = None

    def version(self, page: Page) -> int:
        """The version of what a page shows."""
        return self._demo.version if page == "demo" else self._evening.version

    def scene(self, to: Audience, notices: tuple[Notice, ...] = ()) -> Scene:
        """What an audience sees now."""
        if to.page == "demo":
            return self._demo_scene(to, notices)
        with self._evening.lock:
            if to.guest and to.seat and not self._evening.hands.sees(to.guest, to.seat, to.hold):
                # A shared phone was put down since this was asked for.
                to, notices = replace(to, seat=None, hold="", passing=True), ()
            fields: dict[str, Any] = {
                **self._once("house", self._house),
                "page": to.page,
                "language": to.language,
                "notices": notices,
                "code": to.code,
            }
            who = self._evening.guest(to.guest)
            if to.page not in ("front", "join", "gone"):
                fields["faults"] = self._faults(to)
            if to.page in RUNNING_PAGES:
                fields |= self._building(to)
            if to.page == "doctor":
                fields |= {"me": self._phone(who) if who else None, "doctor": self._doctor(to.language)}
            elif to.passing and who is not None:
                fields |= self._handover(who)
            elif to.page not in ("front", "join", "gone"):
                fields |= self._table_for(to, who)
            elif who is not None:
                fields["me"] = self._phone(who)
            return Scene(**fields)

    def _house(self) -> dict[str, Any]:
        """What even a stranger may see."""
        evening = self._evening
        return {
            "version": evening.version,
            "stage": evening.stage,
            "host_missing": not any(guest.host for guest in evening.book.guests),
        }

    # Everything at the table that this audience may see

    def _table_for(self, to: Audience, who: Guest | None) -> dict[str, Any]:
        evening, own = self._evening, self._in_hand(to, who)
        fields: dict[str, Any] = {
            **self._settled((to, own), lambda: self._around(to, who, own)),
            "game": evening.table.game.name if evening.table.game else evening.book.plan.game,
            "places": self._places(who),
        }
        if to.page == "table":
            fields["wifi"] = hotspot.wifi() if to.joined or to.own_screen else None
            fields["lamps"] = self._lobby_lamps(to)
        if evening.table.game is not None:
            fields |= self._game_for(to, self._eyes(to))
            fields["undo"] = self._undo(own)
        if to.page in ("host", "moderator"):
            fields["plan"] = self._plan(to.language)
        return fields

    def _around(self, to: Audience, who: Guest | None, own: tuple[Seat, ...]) -> dict[str, Any]:
        """What no move changes."""
        evening = self._evening
        fields: dict[str, Any] = {
            "me": self._phone(who) if who else None,
            "joined": to.joined,
            "says": self._says(to.language),
            "paused": evening.book.paused,
            "addresses": tuple(filter(None, (evening.base_url, evening.local_url))),
            "hold": to.hold,
        }
        if to.joined or to.own_screen:
            fields["join"] = self._join(evening.codes.table_code(), CODE_SECONDS / 2)
        if who is not None:
            fields["offers"] = tuple(
                Offer(ticket.seat, self._join(ticket, OFFER_SECONDS))
                for ticket in evening.codes.offers(who.id)
                if ticket.seat in own
            )
        if to.page in ("host", "moderator"):
            fields |= {
                "phones": tuple(self._phone(guest) for guest in evening.book.guests),
                "brightness": evening.book.brightness,
                "palette": evening.book.palette,
            }
        return fields

    def _in_hand(self, to: Audience, who: Guest | None) -> tuple[Seat, ...]:
        """The seats that speak on this page: a guest's own, of a shared phone only the one that holds it."""
        if who is None:
            return ()
        if not self._evening.hands.shared(who.id):
            return self._evening.seats_of(who.id)
        return (to.seat,) if to.seat else ()

    def _handover(self, who: Guest) -> dict[str, Any]:
        """A phone that nobody holds: who may take it, and nothing that only one of them may know."""
        evening = self._evening
        seats = evening.hands.shared(who.id)
        asked = self._undo(seats)
        waited = (*(asked.ask if asked else ()), *(seat for seat in seats if seat in evening.choices))
        return {
            "me": self._phone(who),
            "game": evening.table.game.name if evening.table.game else None,
            "places": self._places(who),
            "paused": evening.book.paused,
            "to_act": tuple(evening.choices),
            "hand": Hand(seats, waited[0] if waited else None),
        }

    def _plan(self, language: str) -> Plan:
        """What the host chooses from; worked out again only when the plan or the shelf of boxes changes."""
        plan, shelf = self._evening.book.plan, self._evening.shelf
        now = plan, language, shelf.folder.stat().st_mtime_ns if shelf and shelf.folder.exists() else 0
        if self._planned is None or self._planned[0] != now:
            self._planned = now, planning.offered(plan, shelf, language)
        return self._planned[1]

    def _eyes(self, to: Audience) -> Seat:
        """Whose view a page shows."""
        if to.page in ("host", "lay", "check"):
            return HOST
        if to.page == "moderator":
            return MODERATOR
        return to.seat if to.page == "play" and to.seat else PUBLIC

    def _game_for(self, to: Audience, eyes: Seat) -> dict[str, Any]:
        evening, table = self._evening, self._evening.table
        opened, view = self._once("game", self._game_for_all), table.view(eyes)
        assert table.game is not None
        return {
            **opened,
            "seat": eyes,
            "shows": view.shows,
            "ground": table.game.ground(view),
            "ahead": self._ahead(view),
            "legal": self._legal(eyes),
            "picture": table.game.picture(view) if eyes in opened["to_act"] else None,
            "lamps": self._lamps(to),
            "can_redo": bool(evening.undone_by) and evening.undone_by[-1] == eyes,
        }

    def _game_for_all(self) -> dict[str, Any]:
        """What everybody may know of the game."""
        table = self._evening.table
        assert table.game is not None
        standing, history = table.standing(), table.history()
        facts: dict[str, Any] = {
            "copied": table.copying()[1],
            "phase": standing.phase,
            "to_act": standing.to_act,
            "history": history,
            "can_undo": any(not line.undone and line.seat != TABLE for line in history),
        }
        opened = Open(
            **facts,
            **self._once("house", self._house),
            page="watch",
            language="",
            game=table.game.name,
            seat=PUBLIC,
            shows=table.view(PUBLIC).shows,
            lamps=self._shared_lamps(),
            places=self._places(None),
            paused=self._evening.book.paused,
        )
        return {**facts, "open": opened}

    def _ahead(self, view: View) -> Any:
        """What can be foreseen: worked out once for all who know the same."""
        game, found = self._evening.table.game, self._once("ahead", list[tuple[Any, Any]])
        assert game is not None
        for knows, ahead in found:
            if knows == view.knows:
                return ahead
        found.append((view.knows, game.ahead(view)))
        return found[-1][1]

    def _legal(self, eyes: Seat) -> dict[Seat, tuple[dict[str, Any], ...]]:
        """What may be done from a page: for its own seat, for the moderator for every seat.

        What `table` does, a real card drawn, may be told by anybody who plays or runs the evening.
        """
        return {
            seat: tuple(plain(actions))
            for seat, actions in self._evening.choices.items()
            if eyes in (seat, MODERATOR) or (seat == TABLE and eyes != PUBLIC)
        }

    def _undo(self, own: tuple[Seat, ...]) -> UndoAsked | None:
        ask = self._evening.undo_ask
        if ask is None:
            return None
        roles = {chair.seat: chair.role for chair in self._evening.chairs()}
        mine = tuple(
            seat
            for seat in own
            if seat != ask.by and seat not in ask.agreed and _may_agree(roles, ask.by, seat, ask.by in own)
        )
        return UndoAsked(ask.by, self._evening.name_of(ask.by), ask.agreed, mine)

    # People

    def _phone(self, guest: Guest) -> Phone:
        evening = self._evening
        return Phone(
            guest.id,
            guest.name,
            evening.seats_of(guest.id),
            guest.host,
            guest.moderator,
            evening.presences.of(guest.id),
            guest.language or "",
            guest.alone,
        )

    def _places(self, who: Guest | None) -> tuple[Place, ...]:
        """The chairs around the table, and which of them are theirs who looks."""
        places = self._once("places", self._places_now)
        if who is None:
            return places
        return tuple(replace(place, mine=True) if place.phone == who.id else place for place in places)

    def _places_now(self) -> tuple[Place, ...]:
        chairs, choosing = self._evening.chairs(), self._evening.choices
        sat_on = self._settled(chairs, lambda: [self._place(chair.seat, chair.role) for chair in chairs])
        return tuple([replace(place, to_act=True) if place.seat in choosing else place for place in sat_on])

    def _place(self, seat: Seat, role: str | None) -> Place:
        evening = self._evening
        sitting = evening.book.sitting(seat)
        guest = evening.guest(sitting.guest)
        presence: Presence = "bot" if sitting.bot else "nobody"
        return Place(
            seat=seat,
            role=role,
            name=evening.name_of(seat) if guest else "",
            phone=guest.id if guest else None,
            bot=sitting.bot,
            presence=evening.presences.of(guest.id) if guest else presence,
        )

    def _says(self, language: str) -> tuple[Says, ...]:
        return tuple(Says(t.n, say(t.key, language, **t.facts)) for t in self._evening.book.told)

    def _join(self, ticket: Ticket, seconds: float) -> Join:
        url = f"{self._evening.base_url}/j/{ticket.code}"
        return Join(ticket.code, url, qr.drawn(url), int(seconds / 60))

    # The board's health

    def _faults(self, to: Audience) -> tuple[str, ...]:
        """All that is broken for whoever can mend it; the others only hear why it is dark."""
        # Somebody follows the board and says when its faults change; otherwise there is only the disk's.
        keep = self._settled if self._evening.board else self._once
        found = keep("faults", self._evening.surgery.faults)
        if to.page in ("host", "moderator", "doctor"):
            return tuple(fault.said(to.language) for fault in found)
        out = any(fault.key == LAMPS_OUT for fault in found)
        lost = tuple(fault.said(to.language) for fault in found if fault.key == NOTHING_SAVED)
        return (*lost, *((say("evening.lamps_out", to.language),) if out else ()))

    def _doctor(self, language: str) -> Consultation | None:
        board, surgery = self._evening.board, self._evening.surgery
        if board is None:
            return None
        if (visit := surgery.visit) is None:
            return Consultation()
        findings = tuple(found.said(language) for found in (*surgery.unready, *visit.findings))
        question = visit.question
        if question is None:
            return Consultation(findings=findings, over=True)
        return Consultation(
            question=question.saying.said(language),
            answers=tuple((word, say(f"hardware.answer_{word}", language)) for word in question.answers),
            wants_number=question.wants_number,
            findings=findings,
            contacts=tuple(board.buttons) if board.simulated else (),
            strips=visit.strips() if board.simulated else {},
        )

    # Board and record

    def _building(self, to: Audience) -> dict[str, Any]:
        evening = self._evening
        sketch = laying.sketch(evening) if to.page == "lay" else None
        return {"sketch": sketch, "check": evening.check.seen(), "check_due": evening.check.due}

    # Lamps

    def _lamps(self, to: Audience) -> Lamps:
        """The shared lamps; dark while a master looks at the board with everybody's eyes closed."""
        board = self._evening.board
        if to.page != "table":
            return self._shared_lamps()
        clickable = board is not None and board.simulated and to.joined
        return self._lit(self.strips(), tuple(board.buttons) if board and clickable else ())

    def _shared_lamps(self) -> Lamps:
        return self._once("lamps", lambda: self._lit({}, ()))

    def _lobby_lamps(self, to: Audience) -> Lamps | None:
        """A simulated board says how the table is before there is a game, as a real one does."""
        board = self._evening.board
        if board is None or not board.simulated or self._evening.table.game is not None:
            return None
        return Lamps(
            strips=board.strips(), buttons=tuple(board.buttons) if to.joined else (), sign=board.sign or ""
        )

    def _lit(self, strips: dict[str, list[str]], buttons: tuple[str, ...]) -> Lamps:
        board = self._evening.board
        if board is not None and board.peek is not None:
            return Lamps(dark=True, buttons=buttons)
        shown = lit(self._evening.table, board.pointer if board else None, strips, buttons)
        return _asking(replace(shown, palette=self._evening.book.palette), self._evening.check.asked())

    def strips(self) -> dict[str, list[str]]:
        """The colours of the real lamps, but not where a master may be looking at his own lines."""
        with self._evening.lock:
            board, game = self._evening.board, self._evening.table.game
            if board is None or (game is None and not board.simulated):
                return {}
            if game is None:
                return board.strips()
            privacy = getattr(self._evening.table.view(PUBLIC).shows, "privacy", None)
            return {} if privacy == "eyes_closed" else board.strips()

    # The demonstration

    def _demo_scene(self, to: Audience, notices: tuple[Notice, ...]) -> Scene:
        table = self._demo.table
        with table.lock:
            if table.game is None:
                self._demo.begin()
            assert table.game is not None
            standing, view = table.standing(), table.view(demo.SEAT)
            mine = tuple(plain(action) for action in table.legal(demo.SEAT))
            return Scene(
                page="demo",
                language=to.language,
                version=self._demo.version,
                stage="result" if standing.phase == "over" else "playing",
                game=table.game.name,
                seat=demo.SEAT,
                shows=view.shows,
                phase=standing.phase,
                to_act=standing.to_act,
                legal={demo.SEAT: mine} if mine else {},
                picture=table.game.picture(view),
                lamps=lit(table, None, {}, ()),
                places=tuple(
                    Place(
                        seat=chair.seat,
                        role=chair.role,
                        name="",
                        phone=None,
                        bot=None if chair.seat == demo.SEAT else "random",
                        presence="here" if chair.seat == demo.SEAT else "bot",
                        to_act=chair.seat in standing.to_act,
                        mine=chair.seat == demo.SEAT,
                    )
                    for chair in table.chairs()
                ),
                history=table.history(),
                notices=notices,
            )

    def _once(self, name: Hashable, make: Callable[[], T]) -> T:
        """Something that is the same for every audience, made once a version."""
        if self._shared[0] != self._evening.version:
            self._shared = self._evening.version, {}
        return _kept(self._shared[1], name, make)

    def _settled(self, name: Hashable, make: Callable[[], T]) -> T:
        """Something that no move changes, made again when anything else does."""
        if self._lasting[0] != self._evening.settled:
            self._lasting = self._evening.settled, {}
        return _kept(self._lasting[1], name, make)


def _kept(made: dict[Hashable, Any], name: Hashable, make: Callable[[], T]) -> T:
    if name not in made:
        made[name] = make()
    found: T = made[name]
    return found


def lit(table: Table, pointer: Any, strips: dict[str, list[str]], buttons: tuple[str, ...]) -> Lamps:
    """The shared lamps of a table."""
    picture = table.picture(pointer)
    return Lamps(picture.rooms, picture.marks, picture.gauges, picture.seats, strips, False, buttons)


def _asking(lamps: Lamps, room: int | None) -> Lamps:
    """The same lamps with the one that asks whether board and record agree."""
    if room is None:
        return lamps
    marks = {*lamps.marks.get(room, ()), "differs"}
    return replace(
        lamps,
        rooms={**lamps.rooms, room: STYLES["differs"]},
        marks={**lamps.marks, room: tuple(sorted(marks))},
    )


def _may_agree(roles: dict[Seat, str | None], one: Seat, other: Seat, own: bool) -> bool:
    """Whether a seat's word counts: it may be on another side, as far as roles tell, or all are on one.

    Then it is for somebody else to agree, and not for the phone that asked.
    """
    if len(set(roles.values())) == 1 and roles.get(one) is not None:
        return not own
    return roles.get(one) is None or roles.get(one) != roles.get(other)
