"""The way to the boxroom: boxes are written down, copied, learned from the table, passed on and taken in."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Flask, Response, request
from msgspec.structs import replace

from companion import boxes, games
from companion.boxes import LARGEST_FILE, LONGEST_NAME, BoxProblems, Profile, Shelf
from companion.contract import PUBLIC
from companion.refusals import Forbidden, Illegal, Malformed, Refusal
from web import parcels
from web.backroom import Backroom, language_of
from web.boxes.sheets import LAID_OPEN, SHEETS
from web.callers import Caller
from web.evening import match, roles
from web.pages import boxes as pages
from web.scene import Notice


class Boxroom(Backroom[pages.Desk]):
    """Where the boxes of the house stand."""

    @property
    def shelf(self) -> Shelf:
        """Where they are kept."""
        if self.evening.shelf is None:
            raise Forbidden("boxes.no_folder")
        return self.evening.shelf

    def desk(self, caller: Caller, notices: tuple[Notice, ...] = ()) -> pages.Desk:
        """Every box, tonight's, and whether the board on the table could be learned."""
        roles.check_runs(caller.guest)
        return pages.Desk(
            language_of(caller),
            caller.token,
            {profile.name: profile for profile in self.shelf.profiles()},
            self.shelf.faults(),
            self.evening.book.plan.box,
            self._lies_there(),
            notices,
        )

    def _lies_there(self) -> str:
        """The game whose whole box everybody has seen on the table; empty where there is none."""
        table = self.evening.table
        with table.lock:
            game = table.game
            if game is None or game.name not in LAID_OPEN or game.learn_box(table.view(PUBLIC)) is None:
                return ""
            return game.name

    # Pages

    def hall(self) -> Any:
        """Every box of the house."""
        return self.show(pages.hall, pages.hall)

    def blank(self) -> Any:
        """An empty sheet."""
        return self.show(lambda desk: pages.sheet(desk, request.args.get("game", ""), {}), pages.hall)

    def one(self) -> Any:
        """A box as it was written down."""
        return self.show(lambda desk: pages.one(desk, request.args.get("name", "")), pages.hall)

    def file(self) -> Any:
        """A box as a file."""

        def download(desk: pages.Desk) -> Any:
            profile = desk.box(request.args.get("name", ""))
            name = (
                f"filename=\"{profile.game}.box.json\"; filename*=UTF-8''{quote(profile.name, '')}.box.json"
            )
            named = {"Content-Disposition": f"attachment; {name}"}
            return Response(boxes.to_file(profile), mimetype="application/json", headers=named)

        return self.show(download, pages.hall)

    def opened(self) -> Any:
        """A box that came by a link: looked at first, kept when the host says so."""
        caller, text = self.caller(), request.args.get(parcels.FIELD, "")
        home = parcels.sent_home(caller, self.evening.base_url)
        return home or self.show(lambda desk: pages.offered(desk, from_text(text)), pages.hall)

    # What the forms do; each says where to go next

    def save(self, fields: dict[str, str]) -> str:
        """Write a box down; under another name it is the same box."""
        before = self.shelf.find(fields["was"]) if fields.get("was") else None
        profile = written(fields, before)
        was = before.name if before is not None else ""
        renamed = boxes.key(was) != boxes.key(profile.name)
        self.shelf.add(profile, replace=not renamed)
        if was and renamed:
            self.shelf.remove(was)
        self._settle(was, profile.name)
        return _page_of(profile.name)

    def copy(self, fields: dict[str, str]) -> str:
        """The same box once more, to be changed."""
        profile = self.shelf.find(fields.get("name", ""))
        taken = {boxes.key(each.name) for each in self.shelf.profiles()}
        stem = profile.name[: LONGEST_NAME - 4].rstrip()
        name = next(name for n in count(2) if boxes.key(name := f"{stem} {n}") not in taken)
        self.shelf.add(Profile(name, profile.game, profile.box))
        return _page_of(name)

    def remove(self, fields: dict[str, str]) -> str:
        """Take a box off the shelf. A game that was begun with it goes on: its record has what it needs."""
        name = self.shelf.find(fields.get("name", "")).name
        self.shelf.remove(name)
        self._settle(name, "")
        return "/boxes"

    def choose(self, fields: dict[str, str]) -> str:
        """Play the next game with this box."""
        profile = self.shelf.find(fields.get("name", ""))
        match.plan(self.evening, {"game": profile.game, "box": profile.name})
        return "/host"

    def learn(self, fields: dict[str, str]) -> str:
        """Keep the box whose tiles lie on the table."""
        with self.evening.lock:
            game = self._lies_there()
            if not game:
                raise Illegal("companion.box_not_seen")
            name = " ".join(fields.get("name", "").split())
            profile = boxes.learned(name, game, self.evening.table.view(PUBLIC))
        self.shelf.add(profile)
        self._settle(profile.name, profile.name)
        return _page_of(profile.name)

    def bring(self, fields: dict[str, str]) -> Response:
        """Look into what was pasted or chosen; nothing is kept yet."""
        profile = from_text(_file() or fields.get("text", ""))
        return Response(pages.offered(self.desk(self.caller()), profile))

    def keep(self, fields: dict[str, str]) -> str:
        """The host has looked at it: put it on the shelf."""
        profile = from_text(fields.get("text", ""))
        profile = replace(profile, name=" ".join(fields.get("name", profile.name).split()))
        self.shelf.add(profile, replace="replace" in fields)
        self._settle(profile.name, profile.name)
        return _page_of(profile.name)

    def _settle(self, was: str, now: str) -> None:
        """Let the host's page and the plan know what has changed on the shelf."""
        with self.evening.lock:
            book = self.evening.book
            if was and book.plan.box == was:
                self.evening.change(replace(book, plan=replace(book.plan, box=now)))
            else:
                self.evening.bump()


def written(fields: dict[str, str], before: Profile | None) -> Profile:
    """The box that a sheet says, with everything that is wrong with it at once."""
    game, name = fields.get("game", ""), " ".join(fields.get("name", "").split())
    if game not in SHEETS:
        raise Illegal("boxes.no_sheet", game=games.find(game).name)
    data, problems = SHEETS[game].read(fields, before.box if before is not None else None)
    file = {"box_profile": boxes.VERSION, "name": name, "game": game, "box": data}
    try:
        profile = boxes.from_file(msgspec.json.encode(file))
    except BoxProblems as refusal:
        raise BoxProblems((*problems, *refusal.problems)) from None
    if problems:
        raise BoxProblems(tuple(problems))
    return profile


def from_text(text: str) -> Profile:
    """The box in a file, in a text or in the link of a QR code."""
    try:
        data = parcels.opened(pages.MARK, text, LARGEST_FILE)
    except ValueError:
        raise Malformed("boxes.no_box") from None
    if not data:
        raise Malformed("boxes.nothing")
    return boxes.from_file(data)


def _file() -> str:
    """The file that was chosen in a form, as text."""
    file = request.files.get("file")
    return file.read(LARGEST_FILE + 1).decode("utf-8", "replace") if file else ""


def _page_of(name: str) -> str:
    return f"/boxes/box?name={quote(name, safe='')}"


def _sheet_again(desk: pages.Desk) -> str:
    """What was typed is never lost, even if the box itself is gone by now."""
    was = request.form.get("was", "")
    return pages.sheet(desk, request.form.get("game", ""), request.form, was if was in desk.boxes else "")


def _offered_again(desk: pages.Desk) -> str:
    """The box that was looked at, if it is one."""
    try:
        return pages.offered(desk, from_text(request.form.get("text", "")), request.form.get("name"))
    except Refusal:
        return pages.hall(desk)


def add_routes(app: Flask, *house: Any) -> None:
    """Open the boxroom in the house."""
    room = Boxroom(*house)
    shown: dict[str, Callable[[], Any]] = {
        "/boxes": room.hall,
        "/boxes/new": room.blank,
        "/boxes/box": room.one,
        "/boxes/file": room.file,
        "/boxes/import": room.opened,
    }
    taken: dict[str, tuple[Callable[[dict[str, str]], Any], Callable[[pages.Desk], str]]] = {
        "/boxes/save": (room.save, _sheet_again),
        "/boxes/copy": (room.copy, pages.hall),
        "/boxes/remove": (room.remove, pages.hall),
        "/boxes/choose": (room.choose, pages.hall),
        "/boxes/learn": (room.learn, pages.hall),
        "/boxes/import": (room.bring, pages.hall),
        "/boxes/keep": (room.keep, _offered_again),
    }
    for path, show in shown.items():
        app.add_url_rule(path, f"show {path}", show)
    for path, (do, page) in taken.items():
        app.add_url_rule(path, f"take {path}", lambda do=do, page=page: room.take(do, page), methods=["POST"])
