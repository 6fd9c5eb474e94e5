"""Audiences: who looks at which page, if they may."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.contract import Seat
from companion.refusals import Forbidden
from web import games
from web.evening.evening import Evening
from web.people.guest_book import Guest
from web.scene import Page

OPEN_PAGES: tuple[Page, ...] = ("front", "join", "table", "watch", "demo", "gone")
"""Pages that need no seat: they show what lies on the table for all."""
SHARED_PAGES: tuple[Page, ...] = ("table", "watch", "demo")
"""Pages that look the same to everybody, so that they are drawn once."""

RUNNING_PAGES: tuple[Page, ...] = ("host", "moderator", "lay", "check")
"""Pages of whoever runs the evening, where board and record are put right."""


class Audience(msgspec.Struct, frozen=True):
    """Who looks at which page: all that a scene depends on besides the evening itself."""

    page: Page
    language: str
    guest: str | None = None
    seat: Seat | None = None
    """On the page `play`: the seat whose eyes it has."""
    joined: bool = False
    own_screen: bool = False
    """The table page on this machine's own screen, which may show the way in though nobody joined there."""
    code: str = ""
    game: str = ""
    """On the page `demo`: the game that is shown; empty for the first one."""
    hold: str = ""
    """On a phone that several share: the token of whoever has it in hand."""
    passing: bool = False
    """Nobody has it in hand: there is nothing of any seat to see."""


def audience(
    evening: Evening,
    who: Guest | None,
    page: Page,
    seat: Seat | None,
    language: str,
    code: str = "",
    hold: str = "",
    game: str = "",
) -> Audience:
    """The audience of a page, if this guest may see it."""
    spoken = who.language if who and who.language else language
    if game and game not in games.demonstrated():
        raise Forbidden("evening.no_such_page")
    if page in SHARED_PAGES:
        return Audience(page, spoken, joined=who is not None, game=game)
    if page in OPEN_PAGES:
        return Audience(page, spoken, who.id if who else None, joined=who is not None, code=code)
    if who is None:
        raise Forbidden("evening.join_first")
    if page == "play":
        own = _own_seat(evening, who, seat)
        if not evening.shared_phones.shared(who.id):
            return Audience(page, spoken, who.id, own, joined=True)
        if (held := evening.shared_phones.seat(who.id, hold)) is None:
            return Audience(page, spoken, who.id, joined=True, passing=True)
        return Audience(page, spoken, who.id, held, joined=True, hold=hold)
    if not (who.host or who.moderator) or (page == "moderator" and not who.moderator):
        raise Forbidden("evening.not_your_page")
    return Audience(page, spoken, who.id, joined=True)


def on_screen(to: Audience, own_screen: bool) -> Audience:
    """The same audience on the screen it really has."""
    return replace(to, own_screen=True) if own_screen and to.page == "table" else to


def _own_seat(evening: Evening, who: Guest, seat: Seat | None) -> Seat | None:
    """The seat asked for, if it is theirs; without one, that of theirs which is to act, or the first."""
    with evening.lock:
        playing = [chair.seat for chair in evening.chairs()]
        own = [each for each in evening.guests.seats_of(who.id) if each in playing]
        if seat is None:
            return next((each for each in own if each in evening.choices), own[0] if own else None)
        if seat not in own:
            raise Forbidden("evening.not_your_seat", seat=seat)
        return seat
