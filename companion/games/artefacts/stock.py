"""Counting cards: how many of each are where. A hand, a pile and a discard are numbers by kind."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.artefacts.manor import Colour
from companion.games.artefacts.state import State

HOLY = ("crucifix", "chalice")
"""Once used, these leave the game. CFA-62, CFA-63."""


def more(cards: dict[str, int], card: str, n: int = 1) -> dict[str, int]:
    """The numbers with n more of one card; a kind with none is left out."""
    counted = {**cards, card: cards.get(card, 0) + n}
    return {kind: count for kind, count in sorted(counted.items()) if count}


def take_card(state: State, colour: Colour, card: str, n: int = 1) -> State:
    """A hand without n of its cards."""
    hand = list(state.hands[colour])
    for _ in range(n):
        hand.remove(card)
    return replace(state, hands={**state.hands, colour: tuple(hand)})


def put(state: State, card: str, n: int = 1) -> State:
    """Lay n cards on the discard. CFA-63."""
    return replace(state, used=more(state.used, card, n)) if n else state


def spend(state: State, colour: Colour, card: str, n: int = 1) -> State:
    """Use n cards of a hand: to the discard, or out of the game. CFA-63."""
    state = take_card(state, colour, card, n)
    return replace(state, gone=more(state.gone, card, n)) if card in HOLY and n else put(state, card, n)


def chalices(state: State) -> int:
    """The chalices that can still bring somebody back: in pile, discard and hands. CFA-Q34.

    In a pile that nobody has counted, every card may be one.
    """
    held = sum(hand.count("chalice") for hand in state.hands.values())
    uncounted = state.options.uncounted("objects")
    piled = sum(state.objects.values()) if uncounted else state.objects.get("chalice", 0)
    return piled + state.used.get("chalice", 0) + held
