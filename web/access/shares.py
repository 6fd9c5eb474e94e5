"""Shares: how much of something each may have. Where there is too much, whoever has the most gives way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

Thing = TypeVar("Thing", bound=Hashable)


class Shares(Generic[Thing]):
    """Lines or streams that are open, oldest first, by who holds them and from which household."""

    def __init__(self, each: int, household: int, all: int) -> None:
        """How many one holder may have, those of one household together, and all of them."""
        self._each, self._household, self._all = each, household, all
        self._things: dict[Thing, tuple[str, str]] = {}
        self._holders: Counter[str] = Counter()
        self._households: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._things)

    def __iter__(self) -> Iterator[Thing]:
        return iter(self._things)

    def full(self, holder: str) -> bool:
        """Whether this one has as many as anybody may have."""
        return self._holders[holder] >= self._each

    def add(self, thing: Thing, holder: str, household: str) -> Thing | None:
        """Count one more; what has to give way for it comes back, and is counted no more."""
        leaving = self._too_many(holder, household)
        if leaving is not None:
            self.remove(leaving)
        self._things[thing] = holder, household
        self._holders[holder] += 1
        self._households[household] += 1
        return leaving

    def remove(self, thing: Thing) -> bool:
        """It is gone; whether it was counted here."""
        found = self._things.pop(thing, None)
        if found is not None:
            for counter, name in zip((self._holders, self._households), found, strict=True):
                counter[name] -= 1
                if not counter[name]:
                    del counter[name]
        return found is not None

    def _too_many(self, holder: str, household: str) -> Thing | None:
        if self.full(holder):
            return self._oldest(holder, household)
        if self._households[household] >= self._household:
            return self._oldest(None, household)
        return self._oldest(None, None) if len(self._things) >= self._all else None

    def _oldest(self, holder: str | None, household: str | None) -> Thing | None:
        """The oldest of a holder; without one, of whoever has most in a household, or in the largest one."""
        if holder is None:
            home = household or self._households.most_common(1)[0][0]
            there = Counter(h for h, near in self._things.values() if near == home)
            holder = there.most_common(1)[0][0]
        return next((thing for thing, (theirs, _) in self._things.items() if theirs == holder), None)
