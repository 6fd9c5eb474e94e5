"""The page cache: what an audience sees is drawn once a version, and told to each phone by what is new."""

from __future__ import annotations

import threading
from typing import Protocol
from weakref import WeakKeyDictionary

import msgspec

from web.push.audience import Audience
from web.push.changes import changes
from web.push.scenes import SceneBuilder
from web.scene import CSRF, MOMENT, Notice, Page, Scene

MOST_KEPT = 96
"""Pages that are remembered: those of a full house. A guest who joins again and again fills no memory."""


class Renderer(Protocol):
    """Who draws scenes: `web.render.pages`, with `CSRF` and `MOMENT` in place of token and version."""

    def render(self, scene: Scene, page: Page) -> str:
        """A whole HTML document."""
        ...

    def fragment(self, scene: Scene, page: Page) -> str:
        """Its `<main>`, as it is pushed: what may change by itself stands on a line of its own."""
        ...


class DrawnPage:
    """A page line by line as it is pushed: the same for all who see it, each phone stamps its own."""

    def __init__(self, version: int, html: str, own: int = 0) -> None:
        self.version, self.lines, self.own = version, html.split("\n"), own
        self._since: WeakKeyDictionary[DrawnPage, bytes] = WeakKeyDictionary()

    def whole(self) -> bytes:
        """The page as an event."""
        return event("page", msgspec.json.encode(self.lines), self.version)

    def since(self, before: DrawnPage | None) -> bytes:
        """The page as an event for whoever has an older one: only what is different."""
        if before is None:
            return self.whole()
        if before not in self._since:
            runs = [(at, gone, *fresh) for at, gone, fresh in changes(before.lines, self.lines)]
            self._since[before] = event("change", msgspec.json.encode(runs), self.version)
        return self._since[before]

    def html(self) -> bytes:
        """The page itself."""
        return "\n".join(self.lines).encode()


class PageCache:
    """Draws what an audience sees now, and remembers what it has drawn for as long as it is true."""

    def __init__(self, scenes: SceneBuilder, renderer: Renderer) -> None:
        self.scenes, self._renderer = scenes, renderer
        self._kept: dict[Audience, DrawnPage] = {}
        self._lock = threading.Lock()

    def document(self, to: Audience, token: str, notices: tuple[Notice, ...] = ()) -> bytes:
        """The whole page."""
        scene = self.scenes.scene(to, notices)
        return _stamped(self._renderer.render(scene, to.page).encode(), token, scene.version)

    def fragment(self, to: Audience, token: str, notices: tuple[Notice, ...] = ()) -> bytes:
        """The part of the page that changes: what is pushed, unless there is a word for this phone alone."""
        page = self._drawn(to, notices) if notices else self.pushed(to)
        return _stamped(page.html(), token, page.version)

    def pushed(self, to: Audience) -> DrawnPage:
        """The same as it is pushed, still without a token."""
        kept = self._kept.get(to)
        now = self.scenes.version(to), self.scenes.own_version(to)
        if kept is not None and (kept.version, kept.own) == now:
            return kept
        page = self._drawn(to)
        with self._lock:
            self._kept.pop(to, None)
            self._kept[to] = page
            if len(self._kept) > MOST_KEPT:
                # Whoever looks at it still is drawn it anew with the next change anyway.
                del self._kept[next(iter(self._kept))]
        return page

    def _drawn(self, to: Audience, notices: tuple[Notice, ...] = ()) -> DrawnPage:
        own, scene = self.scenes.own_version(to), self.scenes.scene(to, notices)
        return DrawnPage(scene.version, self._renderer.fragment(scene, to.page), own)


def event(name: str, data: bytes, id: int | None = None) -> bytes:
    """A server-sent event; its data is one line."""
    number = b"" if id is None else b"id: %d\n" % id
    return b"event: %b\n%bdata: %b\n\n" % (name.encode(), number, data)


def _stamped(drawn: bytes, token: str, version: int) -> bytes:
    """What was drawn, for one phone at one moment."""
    return drawn.replace(CSRF.encode(), token.encode()).replace(MOMENT.encode(), b"%d" % version)
