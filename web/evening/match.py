"""The course of an evening: plan, begin, play, pause, take back, abandon, play again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.contract import MODERATOR, TABLE, Event, Seat
from companion.refusals import Forbidden, Illegal, NotYourTurn, Refusal
from web.evening import planning, seating
from web.evening.book import Book, Guest
from web.evening.evening import Evening, Stale, UndoAsk


def plan(evening: Evening, fields: Mapping[str, str]) -> None:
    """Choose what is played next."""
    with evening.lock:
        fresh = planning.changed(evening.book.plan, fields, evening.shelf)
        if fresh != evening.book.plan:
            evening.change(replace(evening.book, plan=fresh))


def start(evening: Evening, fields: Mapping[str, str], version: int | None) -> None:
    """Begin the planned game. One that is going on must be abandoned first."""
    with evening.lock:
        evening.check_same_game(version)
        if evening.under_way:
            raise Illegal("evening.game_goes_on")
        plan(evening, fields)
        chosen = evening.book.plan
        evening.table.new(chosen.game, planning.full_options(chosen, evening.shelf))
        _begun(evening, evening.book)


def rematch(evening: Evening, version: int | None) -> None:
    """The same people play again, each one seat on; in a tournament the teams stay.

    Whoever has found Max is Max next. GJ-73.
    """
    with evening.lock:
        evening.check_same_game(version)
        if evening.stage != "result":
            raise Illegal("companion.not_over")
        seats = [chair.seat for chair in evening.table.chairs()]
        shows = evening.table.view("public").shows
        stay = getattr(shows, "tournament", None) is not None
        finder = getattr(shows, "caught_by", None)
        steps = len(seats) - seats.index(finder) if finder in seats else 1
        _again(evening)
        _begun(evening, evening.book if stay else seating.moved_on(evening.book, seats, steps))


def _again(evening: Evening) -> None:
    """The next game as the game itself sees it, or the planned one where it has no opinion."""
    try:
        evening.table.rematch()
    except Illegal as refusal:
        if refusal.saying.key != "companion.no_rematch":
            raise
        chosen = evening.book.plan
        evening.table.new(chosen.game, planning.full_options(chosen, evening.shelf))


def _begun(evening: Evening, book: Book) -> None:
    """A new game: nobody has seen anything yet, but those who moderate now."""
    evening.game_version = evening.version
    evening.undone_by.clear()
    moderators = tuple(guest.id for guest in book.guests if guest.moderator)
    book = replace(book, told=(), paused=False, insiders=moderators, sketch=())
    evening.change(seating.tell_who_is_alone(book))


def abandon(evening: Evening, version: int | None) -> None:
    """Leave the running game and go back to the lobby; it stays in the record."""
    with evening.lock:
        evening.check_same_game(version)
        evening.table.leave()
        evening.game_version = evening.version
        evening.undone_by.clear()
        evening.change(replace(evening.book, told=(), paused=False, insiders=(), sketch=()))


def new_evening(evening: Evening, host: Guest) -> None:
    """A table with nobody at it but the host; every code shown so far is good no longer."""
    with evening.lock:
        if evening.under_way:
            raise Illegal("evening.game_goes_on")
        if evening.table.game is not None:
            abandon(evening, None)
        evening.codes.renew()
        book = replace(evening.book, guests=(), seats={}, told=())
        evening.change(seating.welcome(book, evening.guest(host.id) or host))


def pause(evening: Evening, paused: bool) -> None:
    """Hold the game, or go on."""
    with evening.lock:
        if evening.book.paused != paused:
            evening.change(replace(evening.book, paused=paused))


def act(
    evening: Evening, seat: Seat, action: Any, playing_for: Seat | None = None, version: int | None = None
) -> tuple[Event, ...]:
    """Do an action for a seat. Whoever asks has been shown to speak for it."""
    with evening.lock:
        if seat == TABLE and TABLE not in evening.choices:
            # Anybody may tell what a real card said; whatever else the table decides is the host's to say.
            raise NotYourTurn("companion.not_your_turn", seats=tuple(evening.choices))
        evening.check_fresh(playing_for or seat, version)
        events = evening.table.act(seat, action, playing_for)
        evening.undone_by.clear()
        return events


def undo(evening: Evening, seat: Seat, who: Guest | None = None, version: int | None = None) -> None:
    """Take back the last move, or ask those whose consent it needs. Bots never mind."""
    with evening.lock:
        evening.check_fresh_table(version)
        try:
            _take_back(evening, seat, ())
        except Forbidden as refusal:
            if not _needs_consent(refusal):
                raise
            _ask(evening, seat, _willing(evening, seat, who))


def _ask(evening: Evening, seat: Seat, willing: tuple[Seat, ...]) -> None:
    try:
        _take_back(evening, seat, willing)
    except Forbidden as refusal:
        if not _needs_consent(refusal):
            raise
        evening.undo_ask = UndoAsk(seat, willing)
        evening.bump()


def _willing(evening: Evening, seat: Seat, who: Guest | None) -> tuple[Seat, ...]:
    """Seats that agree without being asked: bots, and the others of whoever asks.

    Where all are on one side, somebody else at the table has a word in it.
    """
    playing = {evening.book.sitting(chair.seat).guest for chair in evening.chairs()}
    if evening.together and playing - {None, who.id if who else None}:
        return ()
    mine = who is not None and not evening.hands.shared(who.id)
    return tuple(
        chair.seat
        for chair in evening.chairs()
        if chair.seat != seat
        and ((sitting := evening.book.sitting(chair.seat)).bot or (mine and who and sitting.guest == who.id))
    )


def agree(evening: Evening, seat: Seat) -> None:
    """A seat agrees that the last move is taken back."""
    with evening.lock:
        ask = _asked(evening)
        agreed = (*ask.agreed, seat)
        try:
            _take_back(evening, ask.by, agreed)
        except Forbidden as refusal:
            if not _needs_consent(refusal):
                raise
            evening.undo_ask = replace(ask, agreed=agreed)
            evening.bump()


def decline(evening: Evening) -> None:
    """Somebody does not want the last move taken back: it stands."""
    with evening.lock:
        _asked(evening)
        evening.undo_ask = None
        evening.bump()


def redo(evening: Evening, seat: Seat) -> None:
    """Do again what this seat has just taken back."""
    with evening.lock:
        evening.table.redo(seat)
        if evening.undone_by:
            evening.undone_by.pop()


def _take_back(evening: Evening, seat: Seat, consent: tuple[Seat, ...]) -> None:
    evening.table.undo(seat, [other for other in consent if other != MODERATOR])
    evening.undone_by.append(seat)


def _asked(evening: Evening) -> UndoAsk:
    if evening.undo_ask is None:
        raise Stale("evening.no_undo_asked")
    return evening.undo_ask


def _needs_consent(refusal: Refusal) -> bool:
    return refusal.saying.key == "companion.needs_consent"
