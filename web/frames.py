"""Frames: scenes drawn once for each audience and version, with each phone's own token put in last."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

import msgspec

from web.scene import CSRF, MOMENT, Notice, Page, Scene
from web.sights import Audience, Sights

MOST_KEPT = 600


class Artist(Protocol):
    """Who draws scenes: `web.pages`. What is drawn has `CSRF` and `MOMENT` in place of token and version."""

    def render(self, scene: Scene, page: Page) -> str:
        """A whole HTML document."""
        ...

    def fragment(self, scene: Scene, page: Page) -> str:
        """Its `<main>`, as it is pushed."""
        ...


class Frame(msgspec.Struct, frozen=True, eq=False):
    """A page as an event of a stream, cut where each phone's own token belongs; all who see it share it."""

    version: int
    parts: list[bytes]

    def for_phone(self, token: str) -> bytes:
        """The bytes for one phone."""
        return token.encode().join(self.parts)

    def html(self, token: str) -> bytes:
        """The page alone, for one phone."""
        _, _, data = self.for_phone(token).partition(b"data: ")
        return data.removesuffix(b"\n\n").replace(b"\ndata: ", b"\n")


class Frames:
    """Draws what an audience sees now, and remembers what it has drawn for as long as it is true."""

    def __init__(self, sights: Sights, artist: Artist) -> None:
        self.sights, self._artist = sights, artist
        self._kept: dict[Audience, Frame] = {}
        self._lock = threading.Lock()
        self.others_first: Callable[[], object] = lambda: None
        """Waits until everybody has been told of what changed: whoever did it knows already."""

    def document(self, to: Audience, token: str, notices: tuple[Notice, ...] = ()) -> bytes:
        """The whole page."""
        scene = self.sights.scene(to, notices)
        return _stamped(self._artist.render(scene, to.page), token, scene.version)

    def fragment(self, to: Audience, token: str, notices: tuple[Notice, ...] = ()) -> bytes:
        """The part of the page that changes: what is pushed, unless there is a word for this phone alone."""
        if notices:
            scene = self.sights.scene(to, notices)
            return _stamped(self._artist.fragment(scene, to.page), token, scene.version)
        self.others_first()
        return self.pushed(to).html(token)

    def pushed(self, to: Audience) -> Frame:
        """The same as an event of a stream, still without a token."""
        kept = self._kept.get(to)
        if kept is not None and kept.version == self.sights.version(to.page):
            return kept
        scene = self.sights.scene(to)
        drawn = self._artist.fragment(scene, to.page).encode()
        drawn = drawn.replace(MOMENT.encode(), b"%d" % scene.version)
        frame = Frame(scene.version, event("page", drawn, scene.version).split(CSRF.encode()))
        with self._lock:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[to] = frame
        return frame


def event(name: str, data: bytes, id: int | None = None) -> bytes:
    """A server-sent event."""
    number = b"" if id is None else b"id: %d\n" % id
    return b"event: %b\n%bdata: %b\n\n" % (name.encode(), number, data.replace(b"\n", b"\ndata: "))


def _stamped(drawn: str, token: str, version: int) -> bytes:
    """What was drawn, for one phone at one moment."""
    return drawn.replace(CSRF, token).replace(MOMENT, str(version)).encode()
