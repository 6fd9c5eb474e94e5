"""The cards: what is left, drawing, discarding, reshuffling, and what the trap cards do. CFA-61 to CFA-64."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from companion.contract import Told, Whisper
from companion.games.artefacts.actions import Drawn, Give, Trap
from companion.games.artefacts.box import OBJECTS, TRAPS
from companion.games.artefacts.events import Drew, Got, Reshuffled, Robbed, SentHome, Sprung
from companion.games.artefacts.fate import drop_all, hurt, stand
from companion.games.artefacts.ghosts import haunt
from companion.games.artefacts.manor import Colour
from companion.games.artefacts.options import HAND
from companion.games.artefacts.state import Pending, State, alive
from companion.games.artefacts.stock import more, put, take_card
from companion.games.artefacts.uncounted import counted, make_room
from companion.refusals import Illegal
from companion.words import Saying


def whose(state: State) -> Colour:
    """The colour a pending card is for."""
    assert state.pending is not None
    assert state.pending.colour is not None
    return state.pending.colour


# Object cards


def can_draw(state: State) -> bool:
    """Whether a card can be drawn at all: none is left when pile and discard are empty. CFA-Q30."""
    return bool(sum(state.objects.values()) or sum(state.used.values()))


def ask_for_object(state: State, colour: Colour, told: list[Told]) -> State:
    """Chance, or a person with the real pile, must say what a colour draws. CFA-22, CFA-63."""
    told.append(Drew(colour))
    if not sum(state.objects.values()):
        told.append(Reshuffled("objects"))
        state = counted(replace(state, objects=state.used, used={}), "objects")
    return replace(state, pending=Pending("drawn", colour=colour))


def legal_drawn(state: State) -> list[Drawn]:
    """The object cards that can come now."""
    anything = state.options.uncounted("objects")
    return [Drawn(card) for card in sorted(OBJECTS) if anything or state.objects.get(card)]


def drawn(state: State, action: Drawn, told: list[Told]) -> State:
    """A colour gets the card that was drawn. CFA-22, CFA-61."""
    state = make_room(state, "objects", action.card, told)
    if not state.objects.get(action.card):
        raise Illegal("artefacts.card_not_left", rule="CFA-3", card=card_word(action.card))
    colour = whose(state)
    got = Got(colour, action.card)
    told.append(got if state.options.hands == "open" else Whisper((colour,), got))
    hand = tuple(sorted((*state.hands[colour], action.card)))
    state = replace(
        state, objects=more(state.objects, action.card, -1), hands={**state.hands, colour: hand}, pending=None
    )
    return replace(state, pending=Pending("give", colour=colour)) if len(hand) > HAND else state


def legal_gives(state: State) -> list[Give]:
    """The cards that can be given away."""
    return [Give(card) for card in sorted(OBJECTS) if card in state.hands[whose(state)]]


def give(state: State, action: Give, told: list[Told]) -> State:
    """Discard one object card. CFA-61, CFA-64."""
    colour = whose(state)
    if action.card not in state.hands[colour]:
        raise Illegal("artefacts.not_in_hand", rule="CFA-64", card=card_word(action.card))
    told.append(Robbed(colour, action.card))
    return put(take_card(replace(state, pending=None), colour, action.card), action.card)


# Trap cards


def fill_traps(state: State, told: list[Told]) -> State:
    """Before a trap card is drawn: an empty pile is made anew from the discard. CFA-Q29."""
    if sum(state.traps.values()):
        return state
    told.append(Reshuffled("traps"))
    return counted(replace(state, traps=state.sprung, sprung={}), "traps")


def legal_traps(state: State) -> list[Trap]:
    """The trap cards that can come now."""
    anything = state.options.uncounted("traps")
    return [Trap(card) for card in sorted(TRAPS) if anything or state.traps.get(card)]


def trap(state: State, action: Trap, told: list[Told]) -> State:
    """A trap card befalls the colour whose pawn or ghost set it off. CFA-41, CFA-64, CFA-Q27."""
    state = make_room(state, "traps", action.card, told)
    if not state.traps.get(action.card):
        raise Illegal("artefacts.card_not_left", rule="CFA-3", card=card_word(action.card, "trap"))
    colour = whose(state)
    told.append(Sprung(colour, action.card))
    state = replace(
        state, traps=more(state.traps, action.card, -1), sprung=more(state.sprung, action.card), pending=None
    )
    if action.card == "ghost":
        return haunt(state, colour, told)
    return befall(state, colour, action.card, told) if alive(state, colour) else state


def befall(state: State, colour: Colour, card: str, told: list[Told]) -> State:
    """What hole, wound and prankster do to a living colour. CFA-64, CFA-Q24."""
    match card:
        case "hole":
            arm = state.options.arm(colour)
            if state.options.hole_delivers is not True:
                state = drop_all(state, colour, told)
            told.append(SentHome(colour, arm))
            return stand(state, colour, arm, told)
        case "wound":
            return hurt(state, colour, 1, told)
    return replace(state, pending=Pending("give", colour=colour)) if state.hands[colour] else state


# Chance


def draw_one(left: dict[str, int], chance: Random) -> str:
    """A card from what is left, each as likely as any other."""
    cards = [card for card, n in sorted(left.items()) for _ in range(n)]
    return chance.choice(cards)


def card_word(card: str, deck: str = "card") -> Saying:
    """A card, to be said in the language of the sentence around it."""
    return Saying(f"artefacts.{deck}_{card}")
