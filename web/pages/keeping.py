"""The pages of the strongroom: take a copy along, bring one back."""

from __future__ import annotations

from typing import Any

import msgspec

from web.pages.backroom import paper
from web.pages.voice import voice
from web.scene import Notice


class Desk(msgspec.Struct, frozen=True):
    """What whoever stands here may do."""

    language: str
    token: str
    playing: bool
    """A game is under way: nothing can be put in its place."""
    sealed: bool
    """A copy leaves that game out."""
    most: int
    """How large a file may be that comes in."""
    notices: tuple[Notice, ...]


def _page(desk: Desk, page: str, **facts: Any) -> str:
    k = voice(desk.language, "keeping")
    common = {"k": k, "title": k("backup"), "desk": desk}
    return paper(f"keeping/{page}.html", desk.language, desk.token, desk.notices, **common, **facts)


def hall(desk: Desk) -> str:
    """Out and in."""
    return _page(desk, "hall")


def offered(desk: Desk, contents: dict[str, int], sum: str) -> str:
    """What is in a file that came in, before it is put in the place of what is there."""
    return _page(desk, "offered", contents=contents, sum=sum)


def opening(desk: Desk) -> str:
    """It is done; the house opens again."""
    return _page(desk, "opening")
