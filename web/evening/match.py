"""The course of an evening: plan, begin, play, pause, take back, abandon, play again."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion import bots
from companion.contract import MODERATOR, TABLE, Event, Seat
from companion.refusals import Forbidden, Illegal, NotSaved, NotYourTurn
from web import failures, games
from web.evening import planning
from web.evening.evening import Evening
from web.evening.undo import needs_consent
from web.people import book_changes
from web.people.guest_book import Book, Guest

log = logging.getLogger(__name__)
SHARED = "shared"
"""In place of a level of bots: whoever sits runs the empty chairs."""


def plan(evening: Evening, fields: Mapping[str, str]) -> None:
    """Choose what is played next."""
    with evening.lock:
        fresh = planning.changed(evening.book.plan, fields, evening.shelf)
        if fresh != evening.book.plan:
            evening.change(
                book_changes.with_plan(evening.book, fresh, planning.known_chairs(fresh, evening.shelf))
            )


def start(evening: Evening, fields: Mapping[str, str], version: int | None) -> None:
    """Begin the planned game; `empty` is the level of bots on chairs that nobody took.

    Where all play together it may be `shared`: whoever sits runs them too. A game that is going on must be
    abandoned first.
    """
    with evening.lock:
        evening.versions.check_game(version)
        if evening.under_way:
            raise Illegal("evening.game_goes_on")
        plan(evening, fields)
        chosen, level, book = evening.book.plan, fields.get("empty", ""), evening.book
        seats = [chair.seat for chair in planning.known_chairs(chosen, evening.shelf)] if level else []
        if level == SHARED and evening.together:
            book = book_changes.share(book, seats)
        elif level:
            bots.find(level, chosen.game)
            book = book_changes.fill(book, seats, level)
        evening.change_game(_begun(_scored(evening, book)), lambda: _new(evening))


def rematch(evening: Evening, version: int | None, same_board: bool = False) -> None:
    """The same people play again, each so many seats on as the game wants it; on the same board if asked."""
    with evening.lock:
        evening.versions.check_game(version)
        if evening.stage != "result":
            raise Illegal("companion.not_over")
        seats = [chair.seat for chair in evening.table.chairs()]
        shows = evening.table.view("public").shows
        steps = games.find(evening.table.game.name if evening.table.game else "").seats_on(shows, seats)
        if evening.book.plan.companion and not evening.together:
            # Who plays with whom against the companion was decided for the evening.
            steps = 0
        book = book_changes.rotate(evening.book, seats, steps) if steps else evening.book
        board = _same_board(evening, shows) if same_board else None
        deed = (lambda: _new(evening, board)) if board else (lambda: _again(evening))
        evening.change_game(_begun(_scored(evening, book)), deed)


def _same_board(evening: Evening, shows: Any) -> dict[str, Any]:
    """The options by which the next game has the board of the last one."""
    game = evening.table.game
    board = games.find(game.name).same_board(shows) if game and game.name == evening.book.plan.game else None
    if board is None:
        raise Illegal("evening.no_same_board")
    return board


def _scored(evening: Evening, book: Book) -> Book:
    """The book with the game that is over counted: it leaves the table."""
    return replace(book, score=evening.score())


def _again(evening: Evening) -> None:
    """The next game as the game itself sees it, or the planned one where it has no opinion."""
    try:
        evening.table.rematch()
    except Illegal as refusal:
        if refusal.saying.key != "companion.no_rematch":
            raise
        _new(evening)


def _new(evening: Evening, besides: dict[str, Any] | None = None) -> None:
    chosen = evening.book.plan
    evening.table.new(chosen.game, planning.full_options(chosen, evening.shelf) | (besides or {}))


def _begun(book: Book) -> Book:
    """The book of a new game: nobody has seen anything yet, but those who moderate now; no seat waits."""
    moderators = tuple(guest.id for guest in book.guests if guest.moderator)
    book = replace(book, seats={seat: replace(each, left_by=None) for seat, each in book.seats.items()})
    return book_changes.tell_who_is_alone(replace(_left(book), insiders=moderators))


def abandon(evening: Evening, version: int | None) -> None:
    """Leave the running game and go back to the lobby; it stays in the record."""
    with evening.lock:
        evening.versions.check_game(version)
        evening.change_game(_left(_scored(evening, evening.book)), evening.table.leave)


def _left(book: Book) -> Book:
    """The book of a table without a game."""
    return replace(
        book, told=book_changes.still_to_see(book), paused=False, insiders=(), sketch=(), pencil={}
    )


def new_evening(evening: Evening, host: Guest) -> None:
    """A table with nobody at it but the host; every code shown so far is good no longer."""
    with evening.lock:
        if evening.under_way:
            raise Illegal("evening.game_goes_on")
        book = replace(_left(evening.book), guests=(), seats={}, score={})
        book = book_changes.add_guest(book, evening.guests.find(host.id) or host)
        if evening.table.game is not None:
            evening.change_game(book, evening.table.leave)
        else:
            evening.change(book)
        evening.codes.renew()


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
        if playing_for is not None and seat != MODERATOR:
            # Before the version: nobody finds out here whether somebody else's choices have changed.
            raise Forbidden("companion.moderator_only")
        evening.versions.check_choices(playing_for or seat, version)
        return evening.table.act(seat, action, playing_for)


def undo(evening: Evening, seat: Seat, who: Guest | None = None, version: int | None = None) -> None:
    """Take back the last move, or ask those whose consent it needs."""
    with evening.lock:
        evening.versions.check_last_move(version)
        untells = seat == MODERATOR and evening.table.last_told()
        try:
            evening.table.undo(seat)
        except Forbidden as refusal:
            if not needs_consent(refusal):
                raise
            evening.undo_request.ask(seat, _willing(evening, seat, who))
        if untells and who is not None:
            tell_of_undo(evening, "evening.undo_by_moderator", who)


def tell_of_undo(evening: Evening, key: str, who: Guest) -> None:
    """Tell everybody by whom the last move was taken back. It was: a full disk makes it no refusal."""
    with contextlib.suppress(NotSaved):
        evening.guests.tell_of(who, key)


def _willing(evening: Evening, seat: Seat, who: Guest | None) -> tuple[Seat, ...]:
    """Seats that agree without being asked: the others of whoever asks, and bots, if it told nobody anything.

    Where all are on one side, somebody else at the table has a word in it.
    """
    playing = {evening.book.sitting(chair.seat).guest for chair in evening.chairs()}
    if evening.together and playing - {None, who.id if who else None}:
        return ()
    mine = who is not None and not evening.shared_phones.shared(who.id)
    chairs = [chair for chair in evening.chairs() if chair.seat != seat]
    sat_on = {chair.seat: evening.book.sitting(chair.seat) for chair in chairs}
    return tuple(
        each
        for each, sitting in sat_on.items()
        if (mine and who and sitting.guest == who.id)
        or (sitting.bot and _bot_agrees(evening, each, sitting.bot))
    )


def _bot_agrees(evening: Evening, seat: Seat, level: str) -> bool:
    """Whether a bot agrees; for one of somebody else's that cannot say the host answers."""
    try:
        return evening.table.bot_consents(seat, level)
    except Exception as fault:
        failures.note(log, "a bot failed", fault)
        return False


def host_answers_for(evening: Evening, asker: Seat) -> tuple[Seat, ...]:
    """The bots in whose place whoever runs the evening says whether a move is taken back.

    None where a person sits on the other side: then it is theirs to say. Where all are on one side, that is
    everybody else.
    """
    roles = {chair.seat: chair.role for chair in evening.chairs()}
    asked = [s for s, role in roles.items() if (s != asker if evening.together else role != roles.get(asker))]
    others = {seat: evening.book.sitting(seat) for seat in asked}
    if any(sitting.guest for sitting in others.values()):
        return ()
    return tuple(seat for seat, sitting in others.items() if sitting.bot)
