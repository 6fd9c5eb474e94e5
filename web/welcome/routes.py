"""The way through the first steps. Each can be skipped, and each is a plain form or a link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask
from msgspec.structs import replace

from companion.board import kits
from companion.refusals import Malformed
from companion.words import LANGUAGES
from web.backroom import Backroom, language_of
from web.callers import Caller
from web.doors import checked_pin, kept_pin
from web.evening import roles
from web.evening.evening import Evening
from web.pages import welcome as pages
from web.scene import Notice


class Porch(Backroom[pages.Desk]):
    """Where a new table is made one's own."""

    def desk(self, caller: Caller, notices: tuple[Notice, ...] = ()) -> pages.Desk:
        """What has been decided so far."""
        roles.check_runs(caller.guest)
        language, evening = language_of(caller), self.evening
        return pages.Desk(
            language,
            caller.token,
            own_pin=bool(evening.book.pin),
            kits=kits(language),
            kit=evening.kit,
            has_board=evening.board is not None,
            faults=tuple(fault.said(language) for fault in evening.surgery.faults()),
            notices=notices,
        )

    # What the forms do; each says where to go next

    def speak(self, fields: dict[str, str]) -> str:
        """Another language for this phone."""
        if fields.get("language") not in LANGUAGES:
            raise Malformed("evening.which_field", field="language")
        guest = roles.check_runs(self.caller().guest)
        self.evening.introduce(guest, None, fields["language"])
        return pages.path("pin")

    def keep_pin(self, fields: dict[str, str]) -> str:
        """A PIN that outlasts restarts: the one that was shown, or one's own."""
        shown = self.evening.pin.shown if fields.get("keep") else checked_pin(fields.get("pin", ""))
        self._note(pin=kept_pin(shown))
        return pages.path("kit")

    def forget_pin(self, fields: dict[str, str]) -> str:
        """Only the one that is shown at each start."""
        self._note(pin="")
        return pages.path("pin")

    def fit(self, fields: dict[str, str]) -> str:
        """The kit that is wired."""
        if fields.get("kit") not in {offer.name for offer in kits()}:
            raise Malformed("evening.which_field", field="kit")
        self.evening.on_kit(fields["kit"])
        return pages.path("kit")

    def done(self, fields: dict[str, str]) -> str:
        """Enough: nobody is led here again by themselves."""
        self._note(welcomed=True)
        return "/host"

    def _note(self, **facts: Any) -> None:
        with self.evening.lock:
            self.evening.change(replace(self.evening.book, **facts))


def add_routes(
    app: Flask, evening: Evening, caller: Callable[[], Caller], check: Callable[..., None]
) -> None:
    """Open the porch of the house."""
    porch = Porch(evening, caller, check)

    def page(step: str = pages.STEPS[0]) -> Any:
        return porch.show(lambda desk: pages.step(desk, step), lambda desk: pages.step(desk, pages.STEPS[0]))

    app.add_url_rule("/welcome", "welcome", page)
    app.add_url_rule("/welcome/<step>", "welcome step", page)
    forms = {
        "language": (porch.speak, "language"),
        "pin": (porch.keep_pin, "pin"),
        "pin/forget": (porch.forget_pin, "pin"),
        "kit": (porch.fit, "kit"),
        "done": (porch.done, "castle"),
    }
    for path, (do, step) in forms.items():

        def taken(do: Callable[..., str] = do, step: str = step) -> Any:
            return porch.take(do, lambda desk: pages.step(desk, step))

        app.add_url_rule(f"/welcome/{path}", f"welcome form {path}", taken, methods=["POST"])
