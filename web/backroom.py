"""Rooms behind the host's desk: pages for whoever runs the evening, drawn when asked for and never pushed.

Each room says what lies on its desk; here its pages are shown, its forms taken and its refusals told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from flask import Response, redirect, request

from companion.refusals import Refusal
from web.callers import Caller
from web.evening.evening import Evening
from web.pages.backroom import closed
from web.scene import Notice
from web.statuses import status_of

Desk = TypeVar("Desk")
Drawn = Callable[[Desk], str]


class Backroom(Generic[Desk]):
    """A room of the house that only the host and the moderator enter."""

    def __init__(self, evening: Evening, caller: Callable[[], Caller], check: Callable[..., None]) -> None:
        self.evening, self.caller, self._check = evening, caller, check

    def desk(self, caller: Caller, notices: tuple[Notice, ...] = ()) -> Desk:
        """What lies on the desk for this caller; a refusal for whoever has no business here."""
        raise NotImplementedError

    def show(self, page: Drawn[Desk], otherwise: Drawn[Desk]) -> Any:
        """A page of this room; where it cannot be shown, the other one says why."""
        caller = self.caller()
        try:
            return page(self.desk(caller))
        except Refusal as refusal:
            return self.refused(caller, otherwise, refusal)

    def take(self, do: Callable[[dict[str, str]], str | Response], page: Drawn[Desk]) -> Any:
        """Take a form and go where it says; a refusal is told on the page that it came from."""
        caller = self.caller()
        try:
            fields = request.form.to_dict(flat=False)
            self._check(caller, {name: values[-1] for name, values in fields.items()})
            self.desk(caller)
            answer = do({name: ",".join(values) for name, values in fields.items()})
            return redirect(answer, 303) if isinstance(answer, str) else answer
        except Refusal as refusal:
            return self.refused(caller, page, refusal)

    def refused(self, caller: Caller, page: Drawn[Desk], refusal: Refusal) -> Any:
        """The page with everything that is wrong; for everybody else a closed door."""
        notices = told(refusal, language_of(caller))
        try:
            return page(self.desk(caller, notices)), status_of(refusal)
        except Refusal:
            return closed(language_of(caller), notices), status_of(refusal)


def language_of(caller: Caller) -> str:
    """The language that a caller reads."""
    return (caller.guest.language if caller.guest else None) or caller.language


def told(refusal: Refusal, language: str) -> tuple[Notice, ...]:
    """A refusal as notices: one for each problem, where it has several."""
    problems = getattr(refusal, "problems", ()) or (refusal.saying,)
    return tuple(Notice("error", each.said(language), refusal.code, refusal.rule) for each in problems)
