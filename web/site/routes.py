"""Routes: what is done when somebody asks for a path. One function a form or a page, registered here.

It is called when a request is recognised and no forgery (`web.site.dispatch`), and looks at nothing
but its call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

import msgspec

from companion.contract import Seat
from companion.refusals import Forbidden, Malformed
from web.evening import roles
from web.evening.demo import Demos
from web.evening.evening import Evening
from web.people.guest_book import Guest
from web.people.identity import Caller
from web.push.page_cache import PageCache
from web.scene import Notice


class Call(msgspec.Struct, frozen=True):
    """A request as its function sees it: who sent it, and its fields."""

    evening: Evening
    demos: Demos
    pages: PageCache
    caller: Caller
    fields: Mapping[str, str] = {}
    """Of a form; of one sent twice, the first."""
    repeated: Mapping[str, list[str]] = {}
    """The same with everything that was sent more than once."""
    wants: Literal["page", "fragment", "nothing"] = "page"
    """What a form's answer is: a page to go to; for a script the new `<main>`, or nothing if it is pushed."""

    @property
    def language(self) -> str:
        """The language that whoever sent it reads."""
        return (self.caller.guest.language if self.caller.guest else None) or self.caller.language

    def guest(self) -> Guest:
        """Whoever sent it; strangers are refused."""
        if self.caller.guest is None:
            raise Forbidden("evening.join_first")
        return self.caller.guest

    def runs(self) -> Guest:
        """Whoever sent it, if they run the evening."""
        return roles.check_runs(self.caller.guest)

    def field(self, name: str) -> str:
        """A field that must be there."""
        if not self.fields.get(name):
            raise Malformed("evening.which_field", field=name)
        return self.fields[name]

    def number(self, name: str) -> int | None:
        """A field that is a whole number, if it is there."""
        text = self.fields.get(name, "")
        if not text:
            return None
        try:
            return int(text[:20])
        except ValueError:
            raise Malformed("evening.bad_number", field=name) from None

    def own_seat(self) -> Seat:
        """The seat named in the form, if it is the sender's."""
        seat = self.field("seat")
        self.evening.guests.check_may_speak(self.guest(), seat)
        self.evening.shared_phones.check(self.guest().id, seat, self.fields.get("hold", ""))
        return seat


class Reply(msgspec.Struct, frozen=True):
    """What follows a form: a page to go to (null: the one it came from), a key to keep or give up."""

    go: str | None = None
    key: str | None = None
    forget: bool = False
    language: str | None = None
    """What a stranger wants to read from now on."""
    notice: Notice | None = None
    hold: str = ""
    """The token of whoever has just taken a phone that several share."""


BACK = Reply()
Form = Callable[[Call], Reply]
Refused = Callable[..., Any]
"""Answers a call that was refused: (call, refusal, and what its path names)."""


class Route(msgspec.Struct, frozen=True):
    """What is done when somebody asks for a path."""

    path: str
    method: str
    view: Callable[..., Any]
    """Gets the call, and what the path names. Its answer is a page or a response; of a form a `Reply`, the
    path to go to, or nothing: back to where it came from."""
    refused: Refused | None
    """Null for a form on a pushed page: that page says why."""
    guarded: bool
    """Whether the token of the caller's own pages must come with it."""
    for_host: bool = False
    """Whether it is only for whoever runs the evening."""


ROUTES: list[Route] = []
"""Every path of the site, but for the pushed pages (`web.site.dispatch.PUSHED`) and the streams."""
View = TypeVar("View", bound=Callable[..., Any])


def page(path: str, refused: Refused | None = None) -> Callable[[View], View]:
    """Register what a path shows. Where that is refused, a page that everybody may see says why."""
    return route(path, "GET", refused)


def form(path: str, refused: Refused | None = None) -> Callable[[View], View]:
    """Register what is done when a form is posted to a path; `refused` draws the page it stands on."""
    return route(path, "POST", refused)


def host_form(path: str, refused: Refused | None = None) -> Callable[[View], View]:
    """The same for whoever runs the evening: others are refused."""
    return route(path, "POST", refused, for_host=True)


def route(
    path: str, method: str, refused: Refused | None, guarded: bool = True, for_host: bool = False
) -> Callable[[View], View]:
    """Register what is done at a path."""

    def registered(view: View) -> View:
        ROUTES.append(Route(path, method, view, refused, guarded and method == "POST", for_host))
        return view

    return registered


def local_path(path: str) -> str | None:
    """A path of this site, and nothing that leads elsewhere."""
    leads_away = path.startswith(("//", "/\\")) or not path.isprintable() or len(path) >= 100
    return path if path.startswith("/") and not leads_away else None
