"""Frames: scenes drawn once for each audience and version, and told to each phone by what is new to it."""

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
    """A page line by line as it is pushed: the same bytes for all who see it, each phone stamps its own."""

    version: int
    lines: list[bytes]

    def whole(self) -> bytes:
        """The page as an event."""
        return event("page", self.lines, self.version)

    def since(self, before: Frame | None) -> bytes:
        """The page as an event for whoever has an older one: only what is different."""
        if before is None:
            return self.whole()
        told: list[bytes] = []
        for at, gone, fresh in changes(before.lines, self.lines):
            told += (b"%d %d %d" % (at, gone, len(fresh)), *fresh)
        return event("change", told, self.version)


Run = tuple[int, int, list[bytes]]
"""From which line on how many are gone, and what is there instead."""


def changes(old: list[bytes], new: list[bytes]) -> list[Run]:
    """What makes one text of another; not the least there could be, but found in a moment."""
    if len(old) == len(new):
        # Mostly a line stands in for another one.
        return [(at, 1, [line]) for at, line in enumerate(new) if line != old[at]]
    places, runs = {line: at for at, line in enumerate(old)}, list[Run]()
    at, fresh = 0, list[bytes]()
    for line in new:
        here = at + len(fresh)
        found = here if here < len(old) and old[here] == line else places.get(line, -1)
        if found < at:
            fresh.append(line)
            continue
        if fresh or found > at:
            runs.append((at, found - at, fresh))
        at, fresh = found + 1, []
    if fresh or at < len(old):
        runs.append((at, len(old) - at, fresh))
    return runs


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
        return _stamped(self._artist.render(scene, to.page).encode(), token, scene.version)

    def fragment(self, to: Audience, token: str, notices: tuple[Notice, ...] = ()) -> bytes:
        """The part of the page that changes: what is pushed, unless there is a word for this phone alone."""
        if notices:
            scene = self.sights.scene(to, notices)
            return _stamped(self._artist.fragment(scene, to.page).encode(), token, scene.version)
        self.others_first()
        frame = self.pushed(to)
        return _stamped(b"\n".join(frame.lines), token, frame.version)

    def pushed(self, to: Audience) -> Frame:
        """The same as it is pushed, still without a token."""
        kept = self._kept.get(to)
        if kept is not None and kept.version == self.sights.version(to.page):
            return kept
        scene = self.sights.scene(to)
        frame = Frame(scene.version, self._artist.fragment(scene, to.page).encode().split(b"\n"))
        with self._lock:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[to] = frame
        return frame


def event(name: str, lines: list[bytes], id: int | None = None) -> bytes:
    """A server-sent event."""
    number = b"" if id is None else b"id: %d\n" % id
    return b"event: %b\n%bdata: %b\n\n" % (name.encode(), number, b"\ndata: ".join(lines))


def _stamped(drawn: bytes, token: str, version: int) -> bytes:
    """What was drawn, for one phone at one moment."""
    return drawn.replace(CSRF.encode(), token.encode()).replace(MOMENT.encode(), b"%d" % version)
