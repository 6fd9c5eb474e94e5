"""Frames: scenes drawn once for each audience and version, and told to each phone by what is new to it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

import msgspec

from web.audiences import Audience
from web.scene import CSRF, MOMENT, Notice, Page, Scene
from web.sights import Sights

MOST_KEPT = 600
WRITER = msgspec.json.Encoder(enc_hook=str)
"""Writes what was drawn as the text it is."""


class Artist(Protocol):
    """Who draws scenes: `web.pages`. What is drawn has `CSRF` and `MOMENT` in place of token and version."""

    def render(self, scene: Scene, page: Page) -> str:
        """A whole HTML document."""
        ...

    def fragment(self, scene: Scene, page: Page) -> list[str]:
        """Its `<main>`, as it is pushed: what may change by itself is a piece of its own."""
        ...


class Frame(msgspec.Struct, frozen=True, eq=False):
    """A page piece by piece as it is pushed: the same for all who see it, each phone stamps its own."""

    version: int
    pieces: list[str]

    def whole(self) -> bytes:
        """The page as an event."""
        return event("page", WRITER.encode(self.pieces), self.version)

    def since(self, before: Frame | None) -> bytes:
        """The page as an event for whoever has an older one: only what is different."""
        if before is None:
            return self.whole()
        runs = [(at, gone, *fresh) for at, gone, fresh in changes(before.pieces, self.pieces)]
        return event("change", WRITER.encode(runs), self.version)

    def html(self) -> bytes:
        """The page itself."""
        return "".join(self.pieces).encode()


Run = tuple[int, int, list[str]]
"""From which piece on how many are gone, and what is there instead."""


def changes(old: list[str], new: list[str]) -> list[Run]:
    """What makes one page of another; not the least there could be, but found in a moment."""
    if len(old) == len(new):
        # Mostly a piece stands in for another one.
        return [(at, 1, [piece]) for at, piece in enumerate(new) if piece != old[at]]
    places, runs = _places(old), list[Run]()
    at, fresh = 0, list[str]()
    for piece in new:
        here = at + len(fresh)
        found = here if here < len(old) and old[here] == piece else places.get(piece, -1)
        if found < at:
            fresh.append(piece)
            continue
        if fresh or found > at:
            runs.append((at, found - at, fresh))
        at, fresh = found + 1, []
    if fresh or at < len(old):
        runs.append((at, len(old) - at, fresh))
    return runs


def _places(pieces: list[str]) -> dict[str, int]:
    """Where those are that there is only one of: by them two pages get into step again."""
    places: dict[str, int] = {}
    for at, piece in enumerate(pieces):
        places[piece] = -1 if piece in places else at
    return places


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
        frame = self._drawn(to, notices) if notices else self.pushed(to)
        return _stamped(frame.html(), token, frame.version)

    def pushed(self, to: Audience) -> Frame:
        """The same as it is pushed, still without a token."""
        kept = self._kept.get(to)
        if kept is not None and kept.version == self.sights.version(to.page):
            return kept
        frame = self._drawn(to)
        with self._lock:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[to] = frame
        return frame

    def _drawn(self, to: Audience, notices: tuple[Notice, ...] = ()) -> Frame:
        scene = self.sights.scene(to, notices)
        return Frame(scene.version, self._artist.fragment(scene, to.page))


def event(name: str, data: bytes, id: int | None = None) -> bytes:
    """A server-sent event; its data is one line."""
    number = b"" if id is None else b"id: %d\n" % id
    return b"event: %b\n%bdata: %b\n\n" % (name.encode(), number, data)


def _stamped(drawn: bytes, token: str, version: int) -> bytes:
    """What was drawn, for one phone at one moment."""
    return drawn.replace(CSRF.encode(), token.encode()).replace(MOMENT.encode(), b"%d" % version)
