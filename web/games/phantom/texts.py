"""What the pages of The Phantom Society say."""

from __future__ import annotations

from functools import cache

from companion import words
from web.texts import Texts


class PhantomTexts(Texts):
    """The sentences of this game's pages, and sums as each language writes them."""

    def __init__(self, language: str) -> None:
        super().__init__(language, "phantom_pages")

    def money(self, thousands: int) -> str:
        """Thousands of pounds."""
        return words.money(thousands, self.language)

    def pounds(self, thousands: int) -> str:
        """The same as it is spoken: 3,000 pounds."""
        sum = self.money(thousands).strip("£\N{NO-BREAK SPACE}")
        return words.say("phantom_pages.pounds", self.language, sum=sum)


@cache
def phantom_texts(language: str) -> PhantomTexts:
    """The sentences in a language."""
    return PhantomTexts(language)


def own(t: Texts) -> PhantomTexts:
    """The sentences of this game's pages, in the language of those of every page."""
    return phantom_texts(t.language)
