"""Pages about boxes: every one that is kept, the form of one, and one that somebody brought."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion import boxes, games
from companion.boxes import Profile
from companion.refusals import Illegal, Refusal
from web import games as game_pages
from web.admin import sharing
from web.admin.layout import paper
from web.scene import Notice
from web.site.routes import Call
from web.texts import game_texts, game_word, texts

MARK = "box1:"
"""How the text of a box begins, behind a QR code or pasted."""


class BoxesView(msgspec.Struct, frozen=True):
    """What these pages show."""

    call: Call
    boxes: Mapping[str, Profile]
    faults: tuple[tuple[str, Refusal], ...]
    """Files that cannot be read, and why."""
    chosen: str
    """The box of the next game."""
    lies_there: str
    """The game whose whole box lies on the table for all to see."""
    notices: tuple[Notice, ...]

    @property
    def language(self) -> str:
        """What whoever looks reads."""
        return self.call.language

    def box(self, name: str) -> Profile:
        """One of the boxes."""
        if name not in self.boxes:
            raise Illegal("companion.box_missing", name=name, names=tuple(self.boxes))
        return self.boxes[name]


def to_text(profile: Profile) -> str:
    """A box as a short text."""
    return sharing.packed(MARK, msgspec.json.encode(msgspec.json.decode(boxes.to_file(profile))))


def _page(desk: BoxesView, page: str, title: str, **facts: Any) -> str:
    facts |= {"b": texts(desk.language, "boxes"), "title": title}
    facts |= {"game_word": lambda game: game_word(desk.language, game)}
    return paper(page, desk.call, desk.notices, **facts)


def overview(desk: BoxesView) -> str:
    """Every box, by game; how to begin one, learn one and bring one."""
    by_game = {game: [box for box in desk.boxes.values() if box.game == game] for game in _games()}
    faults = [(file, fault.message(desk.language)) for file, fault in desk.faults]
    b = texts(desk.language, "boxes")
    return _page(
        desk,
        "boxes/overview.html",
        b("boxes"),
        by_game=by_game,
        forms={game: game_pages.find(game).box for game in by_game},
        game_texts=lambda game: game_texts(desk.language, game),
        chosen=desk.chosen,
        faults=faults,
        lies_there=desk.lies_there,
    )


def _games() -> list[str]:
    """The games that a box says something about."""
    return [game for game in games.names() if games.find(game).box is not None]


def one(desk: BoxesView, name: str) -> str:
    """A box: its sheet, and everything else that can be done with it."""
    profile = desk.box(name)
    if form := game_pages.find(profile.game).box:
        return sheet(desk, profile.game, form.written(profile.box), name)
    return _page(desk, "boxes/sealed.html", name, **_shared(desk, profile))


def sheet(desk: BoxesView, game: str, fields: Mapping[str, str], was: str = "") -> str:
    """The form of a box, filled with what is known or was typed."""
    form = game_pages.find(game).box
    if form is None:
        raise Illegal("boxes.no_sheet", game=games.find(game).name)
    b = texts(desk.language, "boxes")
    shared = _shared(desk, desk.boxes[was]) if was in desk.boxes else {"profile": None}
    name = fields.get("name", was)
    facts = {"game": game, "was": was, "name": name, "said": fields, **shared, **form.facts(desk.language)}
    return _page(desk, form.template, name or b("new"), g=game_texts(desk.language, game), **facts)


def offered(desk: BoxesView, profile: Profile, name: str | None = None) -> str:
    """A box that somebody brought, before it is kept."""
    b, shown = texts(desk.language, "boxes"), profile.name if name is None else name
    return _page(
        desk,
        "boxes/offered.html",
        b("offered"),
        profile=profile,
        name=shown,
        there=boxes.key(shown) in map(boxes.key, desk.boxes),
        lines=list(summary(profile, desk.language)),
        text=to_text(profile),
    )


def _shared(desk: BoxesView, profile: Profile) -> dict[str, Any]:
    """How a box is passed on."""
    text = to_text(profile)
    return {
        "profile": profile,
        "chosen": desk.chosen == profile.name,
        "text": text,
        "code": sharing.code("/boxes/import", text),
    }


def summary(profile: Profile, language: str) -> Iterator[tuple[str, str]]:
    """A box in a few lines, for whoever decides about it."""
    b = texts(language, "boxes")
    yield b("game"), game_word(language, profile.game)
    if form := game_pages.find(profile.game).box:
        yield from form.summary(profile.box, language)
