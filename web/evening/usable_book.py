"""A guest book as it can be used: one that was restored, or changed by hand, may name what is not here."""

from __future__ import annotations

import logging

from msgspec.structs import replace

from companion import bots, boxes, games
from companion.contract import read_options
from companion.refusals import Refusal
from companion.words import LANGUAGES, say
from web import failures
from web.evening import planning
from web.people.guest_book import NOBODY, Book, Guest, Planned, Sitting, Told

log = logging.getLogger(__name__)
LINE_DIGITS = 9
"""No record has more lines than a number of so many digits can say."""


def usable(book: Book, playing: str | None, shelf: boxes.Shelf | None) -> Book:
    """The same book without what no page could show; `playing` is the game on the table, if there is one."""
    guests = {guest.id: guest for guest in reversed(book.guests)}
    plan = _plan(book.plan, shelf)
    levels = bots.levels(playing or plan.game)
    return replace(
        book,
        plan=plan,
        guests=tuple(_guest(guest) for guest in book.guests if guests[guest.id] is guest),
        seats={seat: _sitting(sitting, guests, levels) for seat, sitting in book.seats.items()},
        told=tuple(told for told in book.told if _can_be_said(told)),
        brightness=min(max(book.brightness, 0), 100),
    )


def _plan(plan: Planned, shelf: boxes.Shelf | None) -> Planned:
    """The plan, or the default where the host's page could not even say what is wrong with it."""
    if plan.game not in games.names():
        return planning.default()
    if plan.level not in ("", *bots.levels(plan.game)):
        plan = replace(plan, level="", companion="")
    try:
        plan = replace(plan, box=plan.box if _has(shelf, plan.box) else "")
        read_options(games.find(plan.game), plan.options)
        planning.offered(plan, shelf, LANGUAGES[0])
    except Refusal:
        # Whatever is chosen is read before it is kept; what cannot be would stand in the way of every choice.
        return replace(plan, options={})
    except Exception as fault:
        failures.note(log, "the plan of the next game cannot be read", fault)
        return Planned(plan.game)
    return plan


def _has(shelf: boxes.Shelf | None, box: str) -> bool:
    return shelf is not None and box in [profile.name for profile in shelf.profiles()]


def _guest(guest: Guest) -> Guest:
    return guest if guest.language in (None, *LANGUAGES) else replace(guest, language=None)


def _sitting(sitting: Sitting, guests: dict[str, Guest], levels: tuple[str, ...]) -> Sitting:
    """Who sits there, if they can; a seat of somebody unknown is free for the host to give away."""
    if sitting.guest is not None and sitting.guest not in guests:
        return NOBODY
    return replace(sitting, bot=None) if sitting.bot not in (None, *levels) else sitting


def _can_be_said(told: Told) -> bool:
    """Whether an announcement makes a sentence in every language."""
    line = told.facts.get("line", "0")
    if not (line.isascii() and line.isdecimal() and len(line) <= LINE_DIGITS):
        return False
    try:
        return all(say(told.key, language, **told.facts) for language in LANGUAGES)
    except Exception as fault:
        failures.note(log, "an announcement cannot be said", fault)
        return False
