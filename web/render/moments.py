"""Moments: what nobody may miss, on every phone until it was seen, and for a while on screens for all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import msgspec
from markupsafe import Markup, escape

from web import games
from web.games.record import News
from web.render.people import name_of, seat_words
from web.scene import Scene
from web.texts import Texts

RECENT = 8
"""Of so many of the latest lines a screen for all tells the news; for how long, it knows itself."""
AT_HAND = ("table", "host", "moderator")
"""The pages that have no foot: what hands are to do stands among their moments."""
ON_DOOR = 3
"""So many of the latest lines are told on a phone that nobody holds."""


class Moment(msgspec.Struct, frozen=True):
    """A card: what has happened."""

    id: str
    icon: str
    words: Markup


def facts(scene: Scene, t: Texts) -> dict[str, Any]:
    """What the part `moments` of a page is given."""
    if scene.page == "demo" or scene.hand is not None:
        return {"cards": (), "waited": (), "told": 0, "line": 0, "errand_here": None}
    return {
        # On a screen for all the latest comes first: whole lines of what came before give way.
        "cards": tuple(_cards(scene, t))[:: -1 if scene.page == "table" else 1],
        "waited": (*_sleepers(scene, t), *_empty(scene, t)),
        "told": scene.says[-1].n if scene.says else 0,
        "line": scene.history[-1].n if scene.history else 0,
        # On a phone it is in reach of the thumb.
        "errand_here": errand(scene, t) if scene.page in AT_HAND else None,
    }


def _cards(scene: Scene, t: Texts) -> Iterator[Moment]:
    """What was announced, and what the game has told, oldest first, as far as it was not seen here."""
    says = scene.says if scene.me else scene.says[-2:]
    yield from (Moment(f"said-{one.n}", "bell", escape(one.text)) for one in says if one.n > scene.heard)
    lines = [line for line in scene.history if line.n > scene.seen] if scene.me else scene.history[-RECENT:]
    pages = games.find(scene.game or "")
    # A page of the result is itself the news of the end; the desk only says that it is over.
    told_by_page = {"over"} if scene.stage == "result" and scene.page != "host" else set[str]()
    wanted = pages.moments - told_by_page
    for line in lines:
        if line.undone or not any(event["type"] in wanted for event in line.events):
            continue
        told = [news for news in pages.news(scene, t, line) if news.kind in wanted]
        # By its words, too: the next game has a line of the same number.
        yield from (Moment(f"line-{line.n}-{crc32(one.words.encode())}", one.icon, one.words) for one in told)


class Errand(msgspec.Struct, frozen=True):
    """What hands do now on the real board: which step of how many, and whether one may say here: done."""

    n: int
    of: int
    words: Markup
    may: bool


def errand(scene: Scene, t: Texts) -> Errand | None:
    """What the companion has decided and nobody has yet done on the real board, while it matters."""
    if scene.copied >= len(scene.errands) or scene.stage == "result":
        return None
    words = games.find(scene.game or "").errand(scene, t, scene.errands[scene.copied])
    return Errand(scene.copied + 1, len(scene.errands), words, scene.joined)


def latest(scene: Scene, t: Texts) -> tuple[News, ...]:
    """What has just happened, newest first, in words that everybody may read."""
    tell, standing = games.find(scene.game or "").news, [line for line in scene.history if not line.undone]
    told = (news for line in reversed(standing) for news in tell(scene, t, line))
    return tuple(news for _, news in zip(range(ON_DOOR), told, strict=False))


def _empty(scene: Scene, t: Texts) -> Iterator[tuple[str, Markup]]:
    """The chairs that are waited for while nobody sits there: told to the host, unless they play for all."""
    me, under_way = scene.me, scene.stage in ("setup", "playing") and not scene.paused
    if not (under_way and me and me.host) or me.moderator or scene.page not in ("play", "host"):
        return
    for place in scene.places:
        if place.to_act and not (place.phone or place.bot):
            yield "chair", t.rich("moment_empty", seat=seat_words(scene, t, place.seat))


def _sleepers(scene: Scene, t: Texts) -> Iterator[tuple[str, Markup]]:
    """Whose phone sleeps while they are waited for."""
    # While secrets are hidden nobody is pointed at.
    if scene.stage != "playing" or scene.paused:
        return
    for place in scene.places:
        if place.to_act and not place.mine and place.presence in ("asleep", "away"):
            yield "zzz", t.rich(f"moment_{place.presence}", name=name_of(scene, t, place.seat))
