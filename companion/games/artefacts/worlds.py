"""The hidden states that fit a view: only hands can be hidden, and only if the table keeps them private."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import combinations_with_replacement
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.contract import OneWorld, Worlds
from companion.games.artefacts.box import OBJECTS
from companion.games.artefacts.manor import Colour
from companion.games.artefacts.state import UNSEEN, State


def worlds(known: State) -> Worlds[State]:
    """Everything on the table is public and a pile has no order, so mostly there is one world. CFA-61."""
    hidden = [colour for colour, hand in known.hands.items() if UNSEEN in hand]
    return Deals(known, hidden) if hidden else OneWorld(known)


Hand = tuple[str, ...]


class Deals(Worlds[State]):
    """The worlds with private hands: every way to deal the unseen cards to the hands of known size."""

    def __init__(self, known: State, hidden: list[Colour]) -> None:
        self.known, self.hidden = known, hidden
        self.sizes = [len(known.hands[colour]) for colour in hidden]

    @cached_property
    def deals(self) -> list[tuple[Hand, ...]]:
        """All deals; each hand is sorted, since its order means nothing."""
        return _deals(Counter(self.known.objects), self.sizes)

    def __len__(self) -> int:
        return len(self.deals)

    def __getitem__(self, index: Any) -> Any:
        return self._world(self.deals[index])

    def sample(self, chance: Random) -> State:
        """A deal as cards fall: each card is as likely as any other, so common hands come more often."""
        cards = list(Counter(self.known.objects).elements())
        drawn = chance.sample(cards, sum(self.sizes))
        hands = [tuple(sorted(drawn.pop() for _ in range(size))) for size in self.sizes]
        return self._world(tuple(hands))

    def _world(self, hands: tuple[Hand, ...]) -> State:
        left = Counter(self.known.objects)
        for hand in hands:
            left.subtract(hand)
        objects = {card: n for card, n in sorted(left.items()) if n}
        dealt = dict(zip(self.hidden, hands, strict=True))
        return replace(self.known, hands={**self.known.hands, **dealt}, objects=objects)


def _deals(left: Counter[str], sizes: list[int]) -> list[tuple[Hand, ...]]:
    if not sizes:
        return [()]
    found = []
    for hand in combinations_with_replacement(sorted(OBJECTS), sizes[0]):
        rest = left - Counter(hand)
        if rest.total() == left.total() - sizes[0]:
            found += [(hand, *others) for others in _deals(rest, sizes[1:])]
    return found
