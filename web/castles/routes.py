"""The pages where a family chooses its castle, counts its animals, and enters the castle of its own box."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request

from companion.games.canterville.castle import ROOMS
from companion.games.canterville.options import KNOWN_SIZES
from companion.refusals import Forbidden, Malformed
from web import parcels
from web.backroom import Backroom, language_of
from web.callers import Caller
from web.castles import drafts, referee
from web.castles.drafts import Answer, Castles
from web.castles.referee import GAME, number
from web.evening import match, roles
from web.evening.evening import Evening
from web.pages import castles as pages
from web.scene import Notice


class Study(Backroom[pages.Desk]):
    """Where castles are drawn up: the host's own room in the house."""

    def __init__(self, evening: Evening, caller: Callable[[], Caller], check: Callable[..., None]) -> None:
        super().__init__(evening, caller, check)
        self.castles = Castles(evening.shelf.folder.parent / "castles") if evening.shelf else None

    def desk(self, caller: Caller, notices: tuple[Notice, ...] = ()) -> pages.Desk:
        """Tonight's castle, the castles of the house, and the animals as they were counted."""
        roles.check_runs(caller.guest)
        if self.castles is None:
            raise Forbidden("castle.no_folder")
        sizes: dict[str, int] = dict(KNOWN_SIZES.items()) | self._counted()
        language, chosen = language_of(caller), self._tonight()
        return pages.Desk(language, caller.token, self.castles.all(), chosen, sizes, notices)

    def _tonight(self) -> str:
        """The castle of the plan, by name."""
        plan = self.evening.book.plan
        castle = plan.options.get("castle", "demo") if plan.game == GAME else ""
        return castle if isinstance(castle, str) else str(castle.get("name", ""))

    def _counted(self) -> dict[str, int]:
        """The animals this table has counted. GJ-3."""
        profiles = self.evening.shelf.profiles() if self.evening.shelf else ()
        return next((profile.box.frames for profile in profiles if profile.game == GAME), {})

    # What the forms do; each says where to go next

    def choose(self, fields: dict[str, str]) -> str:
        """Play in this castle."""
        chosen = fields.get("castle", "")
        value = chosen if chosen in ("demo", "none") else drafts.option(self._shelf().find(chosen))
        match.plan(self.evening, {"game": GAME, "option-castle": value})
        return "/castles"

    def count(self, fields: dict[str, str]) -> str:
        """Keep how many animals each frame holds. GJ-3."""
        referee.count(self.evening, fields)
        return "/castles"

    def begin(self, fields: dict[str, str]) -> str:
        """A new castle."""
        return f"/castles/{self._shelf().add(drafts.begun(fields.get('name', '')))}/room/1"

    def bring(self, fields: dict[str, str]) -> str:
        """A castle from a file or from the text of a QR code."""
        return f"/castles/{self._shelf().add(drafts.from_text(fields.get('text', '')))}"

    def answer(self, key: str, room: int, fields: dict[str, str]) -> str:
        """What somebody said about a room; then the next one."""
        shelf = self._shelf()
        draft = drafts.answered(shelf.find(key), room, _answer(fields))
        shelf.save(key, draft)
        if "checkup" in fields:
            return f"/castles/{key}/checkup?after={room}"
        follows = drafts.next_room(draft)
        if "enough" in fields or follows is None:
            return f"/castles/{key}"
        return f"/castles/{key}/room/{follows}"

    def forget(self, key: str) -> str:
        """Throw a castle away."""
        self._shelf().remove(key)
        return "/castles"

    def _shelf(self) -> Castles:
        assert self.castles is not None
        return self.castles

    def hall(self) -> Any:
        """The first page; what a link brought along waits there until the host takes it in."""
        caller, brought = self.caller(), request.args.get(parcels.FIELD, "")
        if brought and (home := parcels.sent_home(caller, self.evening.base_url)):
            return home
        return self.show(lambda desk: pages.hall(desk, brought), pages.hall)

    def download(self, key: str) -> Any:
        """A castle as a file."""

        def file(desk: pages.Desk) -> Any:
            named = {"Content-Disposition": f'attachment; filename="{key}.castle.json"'}
            return Response(drafts.to_file(desk.castle(key)), mimetype="application/json", headers=named)

        return self.show(file, pages.hall)


def _answer(fields: dict[str, str]) -> Answer:
    """An answer as its form sends it."""
    cell = fields.get("cell", "")
    place = None
    if cell:
        column, _, row = cell.partition("-")
        spot = {"column": column, "row": row, "w": fields.get("w", "1"), "h": fields.get("h", "1")}
        x, y, w, h = (number(spot, name) or 0 for name in spot)
        place = (x, y, w, h)
    return Answer(_rooms(fields, "walk"), _rooms(fields, "wall"), number(fields, "door"), place)


def _after() -> int:
    """The room that a check-up has already asked about."""
    return request.args.get("after", 0, type=int)


def _rooms(fields: dict[str, str], name: str) -> tuple[int, ...]:
    texts = [text for text in fields.get(name, "").split(",") if text]
    if not all(text.isdecimal() and int(text[:3]) in ROOMS for text in texts):
        raise Malformed("evening.bad_number", field=name)
    return tuple(int(text) for text in texts)


def add_routes(
    app: Flask, evening: Evening, caller: Callable[[], Caller], check: Callable[..., None]
) -> None:
    """Open the study in the house."""
    study = Study(evening, caller, check)

    def page(path: str, name: str, draw: Callable[..., str]) -> None:
        app.add_url_rule(
            path, f"castle {name}", lambda **of: study.show(lambda desk: draw(desk, **of), pages.hall)
        )

    def form(path: str, name: str, do: Callable[..., str], draw: Callable[..., str]) -> None:
        def taken(**of: Any) -> Any:
            return study.take(lambda fields: do(**of, fields=fields), lambda desk: draw(desk, **of))

        app.add_url_rule(path, f"castle {name}", taken, methods=["POST"])

    app.add_url_rule("/castles", "castle hall", study.hall)
    page("/castles/<key>", "one", pages.one)
    page("/castles/<key>/checkup", "checkup", lambda desk, key: pages.checkup(desk, key, _after()))
    page("/castles/<key>/room/<int:room>", "room", pages.room)
    app.add_url_rule("/castles/<key>/file", "castle file", study.download)
    form("/castles/choose", "choose", study.choose, pages.hall)
    form("/castles/animals", "animals", study.count, pages.hall)
    form("/castles/new", "new", study.begin, pages.hall)
    form("/castles/import", "import", study.bring, pages.hall)
    form("/castles/<key>/room/<int:room>", "answer", study.answer, pages.room)
    form("/castles/<key>/forget", "forget", lambda key, fields: study.forget(key), pages.one)
