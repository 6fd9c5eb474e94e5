"""What each seat may know of Chasseurs Fantômes Artéfacts, built up field by field from nothing."""

from __future__ import annotations

from collections import Counter

import msgspec

from companion.contract import MODERATOR, Result, Seat, View
from companion.games.artefacts.actions import Piles
from companion.games.artefacts.events import AnyStep
from companion.games.artefacts.manor import COLOURS, Placed, Square, Tile
from companion.games.artefacts.state import (
    UNSEEN,
    Artefact,
    Ghost,
    Pending,
    State,
    Stepping,
    escaped,
    free_dice,
    to_act,
)


class Shows(msgspec.Struct, frozen=True):
    """A view as it goes out; the same fields for every seat, null where it may not know.

    `cards` are the numbers of cards in each hand, `dice` the free dice of each colour, `people` who runs
    which colour, `arms` where each colour's door is. `steps` are what the ghosts did at the last end of a
    turn, in order, until the hunters act again: people copy it on the table.
    """

    seat: Seat
    phase: str
    to_act: tuple[Seat, ...]
    round: int
    active: str | None
    players: int
    people: dict[str, int]
    arms: dict[str, Square]
    decks: str
    open: tuple[Tile, ...]
    held: dict[str, tuple[Tile, ...]]
    manor: tuple[Placed, ...]
    pawns: dict[str, Square]
    ghosts: tuple[Ghost, ...]
    life: dict[str, int]
    hands: dict[str, tuple[str, ...] | None]
    cards: dict[str, int]
    artefacts: dict[str, Artefact]
    leader: str
    points: int
    moves: int
    spent: tuple[str, ...]
    escaped: int
    dice: dict[str, int]
    piles: Piles
    moved: tuple[str, ...]
    stepping: Stepping | None
    steps: tuple[AnyStep, ...]
    pending: Pending | None
    result: Result | None


def view(state: State, seat: Seat) -> View:
    """All that a seat may know: `knows` for reasoning, and what of it is shown."""
    known = knowledge(state, seat)
    return View(seat, shown(known, seat), known)


def sees_hand(state: State, seat: Seat, colour: str) -> bool:
    """Hands lie open, unless the table keeps them private until the end. CFA-61."""
    return state.options.hands == "open" or seat in (colour, MODERATOR) or state.phase == "over"


def knowledge(state: State, seat: Seat) -> State:
    """The state as far as a seat can know it. Cards it does not see are counted among those left."""
    hands, objects = {}, Counter(state.objects)
    for colour in COLOURS:
        hand = state.hands[colour]
        seen = sees_hand(state, seat, colour)
        hands[colour] = hand if seen else (UNSEEN,) * len(hand)
        objects.update(() if seen else hand)
    return State(
        options=state.options,
        phase=state.phase,
        round=state.round,
        leader=state.leader,
        turn=state.turn,
        pile=state.pile,
        aside=state.aside,
        discarded=state.discarded,
        open=state.open,
        held=state.held,
        manor=state.manor,
        pawns=state.pawns,
        life=state.life,
        hands=hands,
        objects=dict(sorted(objects.items())),
        used=state.used,
        gone=state.gone,
        traps=state.traps,
        sprung=state.sprung,
        ghosts=state.ghosts,
        artefacts=state.artefacts,
        points=state.points,
        moves=state.moves,
        spent=state.spent,
        moved=state.moved,
        stepping=state.stepping,
        steps=state.steps,
        pending=state.pending,
        result=state.result,
    )


def shown(known: State, seat: Seat) -> Shows:
    """What a page shows of what a seat knows."""
    options = known.options
    return Shows(
        seat=seat,
        phase=known.phase,
        to_act=to_act(known),
        round=known.round,
        active=known.active,
        players=options.players,
        people=options.people(),
        arms={colour: options.arm(colour) for colour in COLOURS},
        decks=options.decks,
        open=known.open,
        held={colour: known.held[colour] for colour in COLOURS},
        manor=known.manor,
        pawns={colour: known.pawns[colour] for colour in COLOURS},
        ghosts=known.ghosts,
        life={colour: known.life[colour] for colour in COLOURS},
        hands={c: known.hands[c] if sees_hand(known, seat, c) else None for c in COLOURS},
        cards={colour: len(known.hands[colour]) for colour in COLOURS},
        artefacts={colour: known.artefacts[colour] for colour in COLOURS},
        leader=known.leader,
        points=known.points,
        moves=known.moves,
        spent=known.spent,
        escaped=escaped(known),
        dice=dict(free_dice(known).items()),
        piles=piles(known),
        moved=known.moved,
        stepping=known.stepping,
        steps=known.steps,
        pending=known.pending,
        result=known.result,
    )


def piles(known: State) -> Piles:
    """How much is left, and what lies beside the piles. Cards in unseen hands are not in the pile."""
    unseen = sum(hand.count(UNSEEN) for hand in known.hands.values())
    return Piles(
        tiles=len(known.pile),
        objects=sum(known.objects.values()) - unseen,
        traps=sum(known.traps.values()),
        discarded=known.discarded,
        aside=known.aside,
        used=known.used,  # type: ignore[arg-type]
        gone=known.gone,  # type: ignore[arg-type]
        sprung=known.sprung,  # type: ignore[arg-type]
    )
