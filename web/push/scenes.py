"""Builds scenes: what each page of each phone may show now, from nothing, field by field."""

from __future__ import annotations

import logging
from typing import Any

from msgspec.structs import replace

from companion.bots import Persona
from companion.contract import HOST, MODERATOR, PUBLIC, TABLE, Seat, View, plain
from companion.refusals import Illegal
from companion.table import Table
from companion.verify import FEWEST_DIGITS
from companion.words import Saying
from web import failures, games
from web.access.credentials import CODE_SECONDS, OFFER_SECONDS
from web.evening import match, planning
from web.evening.demo import Demos
from web.evening.evening import Evening
from web.http import hotspot
from web.people.guest_book import Guest
from web.people.score import ranked
from web.push import announcements, demo
from web.push.audience import RUNNING_PAGES, Audience
from web.push.health import HealthSeen
from web.push.lamps import LampsSeen
from web.push.memo import Memo
from web.push.people import PeopleSeen
from web.render import qr
from web.scene import (
    Character,
    Hand,
    MapSeen,
    ModeratorAsked,
    Notice,
    Offer,
    Open,
    Plan,
    Says,
    Scene,
    Scored,
    Sealed,
    UndoAsked,
    Wifi,
)

log = logging.getLogger(__name__)


class SceneBuilder:
    """Builds scenes of an evening and of the demonstration games."""

    def __init__(self, evening: Evening, demos: Demos) -> None:
        self._evening, self._demos = evening, demos
        self._kept = Memo(evening.versions)
        self._people = PeopleSeen(evening, self._kept)
        self._health = HealthSeen(evening, self._kept)
        self.lamps = LampsSeen(evening, self._kept)
        self._planned: tuple[Any, Plan] | None = None

    def version(self, to: Audience) -> int:
        """The version of what a page shows."""
        return self._demos.find(to.game).version if to.page == "demo" else self._evening.versions.now

    def own_version(self, to: Audience) -> int:
        """The version of what is on this page and on nobody else's."""
        return self._evening.versions.own(MODERATOR if to.page == "moderator" else to.seat)

    def scene(self, to: Audience, notices: tuple[Notice, ...] = ()) -> Scene:
        """What an audience sees now."""
        if to.page == "demo":
            return demo.scene(self._demos, to, notices)
        with self._evening.lock:
            if to.guest and to.seat and not self._evening.shared_phones.sees(to.guest, to.seat, to.hold):
                # A shared phone was put down since this was asked for.
                to, notices = replace(to, seat=None, hold="", passing=True), ()
            fields: dict[str, Any] = {
                **self._kept.once("house", self._house),
                "page": to.page,
                "language": to.language,
                "notices": notices,
                "code": to.code,
            }
            who = self._evening.guests.find(to.guest)
            if to.page not in ("join", "gone"):
                fields |= {"faults": self._health.faults(to), "set_aside": bool(self._evening.set_aside.told)}
            if to.page in RUNNING_PAGES:
                fields |= self._building(to)
            if to.page == "doctor":
                fields |= {
                    "me": self._people.phone(who) if who else None,
                    "doctor": self._health.doctor(to.language),
                }
            elif to.passing and who is not None:
                fields |= self._handover(who)
            elif to.page not in ("front", "join", "gone"):
                fields |= self._table_for(to, who)
            elif who is not None:
                fields["me"] = self._people.phone(who)
            return Scene(**fields)

    def _house(self) -> dict[str, Any]:
        """What even a stranger may see."""
        evening = self._evening
        return {
            "version": evening.versions.now,
            "stage": evening.stage,
            "host_missing": not evening.guests.has_host,
        }

    def names(self, language: str) -> dict[Seat, str]:
        """What people call the seats."""
        with self._evening.lock:
            return self._people.names(language)

    # Everything at the table that this audience may see

    def _table_for(self, to: Audience, who: Guest | None) -> dict[str, Any]:
        evening, own = self._evening, self._in_hand(to, who)
        fields: dict[str, Any] = {
            **self._kept.settled((to, own), lambda: self._around(to, who, own)),
            "game": evening.table.game.name if evening.table.game else evening.book.plan.game,
            "places": self._people.places(who),
            "seen": evening.seen_news.of(who.id) if who else 0,
        }
        if to.page == "table":
            fields["wifi"] = _wifi() if to.joined or to.own_screen else None
            fields["lamps"] = self.lamps.in_lobby(to)
            fields["secured"] = evening.addresses.secured
        if evening.table.game is not None:
            fields |= self._game_for(to, self._eyes(to)) | self._aids(to)
            fields["undo"] = self._undo(own, to.page in ("host", "moderator"))
            fields["moderator_asked"] = self._moderator_asked(own)
        if to.page in ("host", "moderator"):
            fields["plan"] = self._plan(to.language)
        if who is not None and (who.host or who.moderator):
            fields["at_once"] = self._kept.once("at once", self._at_once)
        return fields

    def _around(self, to: Audience, who: Guest | None, own: tuple[Seat, ...]) -> dict[str, Any]:
        """What no move changes."""
        evening = self._evening
        fields: dict[str, Any] = {
            "me": self._people.phone(who) if who else None,
            "joined": to.joined,
            "says": self._says(to.language),
            "heard": who.heard if who else 0,
            "paused": evening.book.paused,
            "addresses": tuple(filter(None, (evening.addresses.base_url, evening.addresses.local_url))),
            "hold": to.hold,
        }
        if to.joined or to.own_screen:
            fields["join"] = self._people.join(evening.codes.table_code(), CODE_SECONDS / 2)
        if to.own_screen and not evening.guests.has_host:
            fields["be_host"] = self._people.join(evening.codes.host_code())
        if who is not None:
            fields["offers"] = tuple(
                Offer(ticket.seat, self._people.join(ticket, OFFER_SECONDS))
                for ticket in evening.codes.offers(who.id)
                if ticket.seat in own
            )
        if to.page in ("host", "moderator"):
            fields |= {
                "phones": tuple(self._people.phone(guest) for guest in evening.book.guests),
                "new_table": not evening.book.welcomed,
                "brightness": evening.book.brightness,
                "palette": evening.book.palette,
            }
        return fields

    def _in_hand(self, to: Audience, who: Guest | None) -> tuple[Seat, ...]:
        """The seats that speak on this page: a guest's own, of a shared phone only the one that holds it."""
        if who is None:
            return ()
        if not self._evening.shared_phones.shared(who.id):
            return self._evening.guests.seats_of(who.id)
        return (to.seat,) if to.seat else ()

    def _handover(self, who: Guest) -> dict[str, Any]:
        """A phone that nobody holds: who may take it, and nothing that only one of them may know."""
        evening = self._evening
        seats = evening.shared_phones.shared(who.id)
        asked = self._undo(seats)
        waited = (*(asked.ask if asked else ()), *(seat for seat in seats if seat in evening.choices))
        return {
            "me": self._people.phone(who),
            "game": evening.table.game.name if evening.table.game else None,
            "places": self._people.places(who),
            "paused": evening.book.paused,
            "to_act": tuple(evening.choices),
            "hand": Hand(seats, waited[0] if waited else None),
            "open": self._kept.once("game", self._game_for_all)["open"] if evening.table.game else None,
        }

    def _plan(self, language: str) -> Plan:
        """What the host chooses from; worked out again only when the plan or the shelf of boxes changes."""
        plan, shelf = self._evening.book.plan, self._evening.shelf
        names = self._people.names(language)
        now = plan, language, names, shelf.folder.stat().st_mtime_ns if shelf and shelf.folder.exists() else 0
        if self._planned is None or self._planned[0] != now:
            self._planned = now, planning.offered(plan, shelf, language, names)
        return self._planned[1]

    def _eyes(self, to: Audience) -> Seat:
        """Whose view a page shows."""
        if to.page in ("host", "lay", "check"):
            return HOST
        if to.page == "moderator":
            return MODERATOR
        return to.seat if to.page == "play" and to.seat else PUBLIC

    def _game_for(self, to: Audience, eyes: Seat) -> dict[str, Any]:
        table = self._evening.table
        opened, view = self._kept.once("game", self._game_for_all), table.view(eyes)
        assert table.game is not None
        return {
            **opened,
            "seat": eyes,
            "shows": view.shows,
            "ground": table.game.ground(view),
            "ahead": self._ahead(view),
            "legal": self._legal(eyes),
            "picture": table.game.picture(view) if eyes in opened["to_act"] else None,
            "lamps": self.lamps.on(to),
            "can_redo": table.redoable_by() == eyes,
            "seal": self._kept.once("seal", lambda: sealed(table)) if self._shows_seal(to) else None,
            **(self._over(to.language) if self._evening.stage == "result" else {}),
        }

    def _over(self, language: str) -> dict[str, Any]:
        """What is told only when a game is over."""
        evening, game = self._evening, self._evening.table.game
        assert game is not None
        board = games.find(game.name).same_board(evening.table.view(PUBLIC).shows)
        return {
            "characters": self._characters(language),
            "score": tuple(Scored(name, t.won, t.played) for name, t in ranked(evening.score())),
            "same_board": board is not None and game.name == evening.book.plan.game,
        }

    def _characters(self, language: str) -> tuple[Character, ...]:
        """What the bots were like: before the end it would tell where they hide."""
        table, sat_on = self._evening.table, self._evening.book.sitting
        levels = {chair.seat: sat_on(chair.seat).bot for chair in table.chairs()}
        drawn = {seat: _persona(table, seat, level) for seat, level in levels.items() if level}
        return tuple(
            Character(seat, persona.name.said(language), persona.line.said(language))
            for seat, persona in drawn.items()
            if persona
        )

    def _shows_seal(self, to: Audience) -> bool:
        return to.page == "table" or self._evening.stage == "result"

    def _game_for_all(self) -> dict[str, Any]:
        """What everybody may know of the game."""
        table = self._evening.table
        assert table.game is not None
        standing, history = table.standing(), table.history()
        facts: dict[str, Any] = {
            "copied": table.copying()[1],
            "errands": tuple(plain([cue.event for cue in table.errands()])),
            "phase": standing.phase,
            "to_act": standing.to_act,
            "result": standing.result,
            "history": history,
            "can_undo": any(not line.undone and line.seat != TABLE for line in history),
        }
        opened = Open(
            **facts,
            **self._kept.once("house", self._house),
            page="watch",
            language="",
            game=table.game.name,
            seat=PUBLIC,
            shows=table.view(PUBLIC).shows,
            lamps=self.lamps.shared(),
            places=self._people.places(None),
            paused=self._evening.book.paused,
        )
        return {**facts, "open": opened}

    def _aids(self, to: Audience) -> dict[str, Any]:
        """What helps the reader of a page: the map, pencil marks, a hint."""
        evening, seat = self._evening, to.seat if to.page == "play" else None
        aids, agreed = evening.aids, evening.aids.agreed()
        hunter = seat is not None and aids.hunts(seat)
        fields: dict[str, Any] = {}
        if agreed.map != "off" and (hunter or to.page in ("table", "watch", "moderator")):
            fields["map"] = self._map(to.language)
        if agreed.pencil and hunter and seat:
            fields["pencil"] = aids.marks(seat)
        if to.page == "moderator":
            fields["sheets"] = aids.sheets()
        if seat and (doubts := aids.doubts(seat)) is not None:
            fields["doubts"] = self._said(doubts, to.language)
        if agreed.hints and seat in evening.choices and seat and not evening.book.paused:
            fields["may_hint"], fields["hint"] = True, aids.hint(seat, to.language)
        return fields

    def _map(self, language: str) -> MapSeen:
        """The map, and if the record contradicts itself what would make sense of it, with names for seats."""
        aids = self._evening.aids
        seen = self._kept.once("map", aids.map)
        if seen.worlds:
            return seen
        found = self._kept.once("corrections", aids.corrections)
        return replace(seen, corrections=self._said(found, language))

    def _said(self, found: tuple[tuple[Saying, ...], ...], language: str) -> tuple[tuple[str, ...], ...]:
        names = self.names(language)
        return tuple(tuple(saying.named(names).said(language) for saying in each) for each in found)

    def _ahead(self, view: View) -> Any:
        """What can be foreseen: worked out once for all who know the same."""
        game, found = self._evening.table.game, self._kept.once("ahead", list[tuple[Any, Any]])
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

    def _says(self, language: str) -> tuple[Says, ...]:
        opened = self._kept.once("game", self._game_for_all)["open"] if self._evening.table.game else None
        return announcements.says(self._evening, opened, language)

    def _undo(self, own: tuple[Seat, ...], running: bool = False) -> UndoAsked | None:
        ask = self._evening.undo_request.pending
        if ask is None:
            return None
        own += match.host_answers_for(self._evening, ask.by) if running else ()
        roles = {chair.seat: chair.role for chair in self._evening.chairs()}
        mine = tuple(
            seat
            for seat in own
            if seat != ask.by and seat not in ask.agreed and _may_agree(roles, ask.by, seat, ask.by in own)
        )
        return UndoAsked(ask.by, self._evening.guests.name_of(ask.by), ask.agreed, mine)

    def _moderator_asked(self, own: tuple[Seat, ...]) -> ModeratorAsked | None:
        ask = self._evening.moderator_request.pending
        if ask is None:
            return None
        return ModeratorAsked(ask.name, ask.plays, tuple(seat for seat in own if seat in ask.asked))

    # Board and record

    def _building(self, to: Audience) -> dict[str, Any]:
        evening = self._evening
        game = evening.table.game
        entry = games.find(game.name).entry if game and to.page == "lay" else None
        sketch = entry.sketch(evening) if entry else None
        return {"sketch": sketch, "check": evening.check.seen(), "check_due": evening.check.due}

    def _at_once(self) -> bool:
        game = self._evening.table.game
        entry = games.find(game.name).entry if game else None
        return entry is not None and entry.at_once(self._evening)


def sealed(table: Table) -> Sealed | None:
    """The newest seal as people note it; none for a game of an earlier version."""
    try:
        seal = table.seal()
    except Illegal:
        return None
    return Sealed(seal.n, seal.seal[:FEWEST_DIGITS], tuple(table.happenings().items()))


def _wifi() -> Wifi | None:
    """The table's own Wi-Fi; none while it is not open."""
    own = hotspot.name_and_key()
    return Wifi(*own, qr.drawn(hotspot.code(*own))) if own else None


def _persona(table: Table, seat: Seat, level: str) -> Persona | None:
    """What a bot was like; nothing where one of somebody else's cannot tell."""
    try:
        return table.persona(seat, level)
    except Exception as fault:
        failures.note(log, "a bot failed", fault)
        return None


def _may_agree(roles: dict[Seat, str | None], one: Seat, other: Seat, own: bool) -> bool:
    """Whether a seat's word counts: it may be on another side, as far as roles tell, or all are on one.

    Then it is for somebody else to agree, and not for the phone that asked.
    """
    if len(set(roles.values())) == 1 and roles.get(one) is not None:
        return not own
    return roles.get(one) is None or roles.get(one) != roles.get(other)
