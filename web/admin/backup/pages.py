"""The pages of the strongroom: take a copy along, bring one back."""

from __future__ import annotations

from typing import Any

import msgspec

from web.admin.layout import paper
from web.push.scene import Notice
from web.render.texts import texts


class BackupView(msgspec.Struct, frozen=True):
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


def _page(desk: BackupView, page: str, **facts: Any) -> str:
    k = texts(desk.language, "backup")
    common = {"k": k, "title": k("backup"), "desk": desk}
    return paper(f"backup/{page}.html", desk.language, desk.token, desk.notices, **common, **facts)


def overview(desk: BackupView) -> str:
    """Out and in."""
    return _page(desk, "overview")


def offered(desk: BackupView, contents: dict[str, int], sum: str) -> str:
    """What is in a file that came in, before it is put in the place of what is there."""
    return _page(desk, "offered", contents=contents, sum=sum)


def opening(desk: BackupView) -> str:
    """It is done; the daemon starts again."""
    return _page(desk, "opening")
