"""What the pages of The Phantom Society say."""

from __future__ import annotations

from web.render.texts import Texts, game_texts


def own(t: Texts) -> Texts:
    """The sentences of this game's pages, in the language of those of every page."""
    return game_texts(t.language, "phantom")
