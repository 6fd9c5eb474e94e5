"""A second account of who knows what, written from the rules alone: no view, no world, no fact of the engine.

A game is its moves. For each seat an account says what of each move that seat gets to see at the table: a
ghost hidden while it had its eyes closed is "somebody hid a ghost". `twisted` gives other games that differ
only in what somebody keeps to himself. Where a seat's account of two games is the same, all that the
companion tells that seat must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.contract import Game, Seat, plain, read, read_options
from companion.refusals import Refusal

Data = dict[str, Any]
Move = tuple[Seat, Data]


class Played(NamedTuple):
    """A game as far as it was played: every state, as plain data too, and the moves between them."""

    states: list[Any]
    moves: list[Move]

    @property
    def data(self) -> list[Data]:
        """The states as plain data, which is all that an account may read."""
        return [plain(state) for state in self.states]


def played(game: Game[Any], options: Data, moves: list[Move]) -> Played | None:
    """These moves played, or null where one of them cannot be."""
    states = [game.start(read_options(game, options))]
    for seat, action in moves:
        try:
            states.append(game.apply(states[-1], seat, read(action, game.action, "action"))[0])
        except Refusal:
            return None
    return Played(states, moves)


# The Phantom Society


def phantom(seat: Seat, before: Data, mover: Seat, action: Data, after: Data) -> Any:
    """PS-23, PS-70, PS-71, PS-102, PS-Q15, PS-Q16: eyes closed while ghosts are hidden, bids face down."""
    masters = [chair for chair in before["masters"] if chair]
    match action["type"]:
        case "hide":
            partner = seat in masters and after["options"]["masters_see_all_ghosts"] is True
            return (mover, action) if seat == mover or partner else (mover, "hid a ghost")
        case "bid":
            together = seat == mover or {seat, mover} in ({"p1", "p3"}, {"p2", "p4"})
            told = (mover, action) if together and after["options"]["players"] == 4 else (mover, "bid")
            return told, sorted(after["bids"].items()) if after["masters"] else ()
        case "remove":
            uncovered = [
                colour for colour, ghost in enumerate(before["ghosts"]) if ghost["room"] == action["room"]
            ]
            return mover, action, uncovered
    return mover, action


def twisted_phantom(moves: list[Move], chance: Random) -> list[Move]:
    """Ghosts under other tiles of their colour, claimed by the other master; other bids."""
    rooms = {action["room"]: action["colour"] for _, action in moves if action["type"] == "place"}
    found = []
    masters = sorted({seat for seat, action in moves if action["type"] == "hide"})
    swapped = chance.random() < 0.3
    for seat, action in moves:
        if action["type"] == "hide":
            if chance.random() < 0.5:
                action = {**action, "room": chance.choice(_same_colour(rooms, action["ghost"]))}
            if swapped and len(masters) == 2:
                seat = masters[1 - masters.index(seat)]
        if action["type"] == "bid" and chance.random() < 0.5:
            action = {**action, "thousands": action["thousands"] + chance.choice((-2, 2))}
        found.append((seat, action))
    return found


def _same_colour(rooms: dict[int, str], colour: str) -> list[int]:
    return [room for room, laid in rooms.items() if laid == colour] or list(range(1, 37))


# Gespensterjagd


def canterville(seat: Seat, before: Data, mover: Seat, action: Data, after: Data) -> Any:
    """GJ-37, GJ-40, GJ-41, GJ-52, GJ-60: a card is laid face down; a trap and a full frame show him."""
    told: Any = (mover, action)
    if mover == "max" and seat != "max" and action["type"] in ("move", "pause"):
        told = "max laid a card"
    elif mover == "max" and seat != "max" and action["type"] == "cheat":
        told = "max laid an x2"
    filled = sum(frame["taken"] for frame in after["frames"].values() if frame["taken"] == frame["size"])
    full = filled != sum(f["taken"] for f in before["frames"].values() if f["taken"] == f["size"])
    on_the_board = action["type"] == "start" and mover == "max"
    trapped = after["trap"] if mover == "max" and after["trap"] and after["shown"] == "trap" else None
    return told, after["route"] if full or on_the_board else None, trapped, after["phase"] == "over"


def twisted_canterville(moves: list[Move], chance: Random) -> list[Move]:
    """Max goes, or stays, elsewhere; what the hunters did is the same."""
    found = []
    for seat, action in moves:
        if seat == "max" and action["type"] in ("move", "pause") and chance.random() < 0.6:
            near = {"type": "move", "room": chance.randint(1, 54)}
            action = near if chance.random() < 0.7 else {"type": "pause"}
        found.append((seat, action))
    return found


# Chasseurs Fantômes Artéfacts


def artefacts(seat: Seat, before: Data, mover: Seat, action: Data, after: Data) -> Any:
    """CFA-61: with private hands a card is seen by whoever draws it, until it is played or discarded.

    CFA-Q32: the cards of who dies are discarded, for all to see.
    """
    died = [colour for colour, life in after["life"].items() if not life and before["life"][colour]]
    laid_open = [(colour, sorted(before["hands"][colour])) for colour in died]
    if action["type"] == "drawn" and before["pending"]["colour"] != seat:
        return "a card was drawn", laid_open
    return mover, action, laid_open


def twisted_artefacts(moves: list[Move], chance: Random) -> list[Move]:
    """Other cards are drawn."""
    cards = ("vacuum", "crucifix", "chalice", "kit", "energy_bar", "teleportable")
    return [
        (seat, {**action, "card": chance.choice(cards)})
        if action["type"] == "drawn" and chance.random() < 0.5
        else (seat, action)
        for seat, action in moves
    ]


ACCOUNTS = {
    "phantom": (phantom, twisted_phantom),
    "canterville": (canterville, twisted_canterville),
    "artefacts": (artefacts, twisted_artefacts),
}


def account(name: str, seat: Seat, game: Played) -> list[Any]:
    """All that a seat has seen of a game."""
    tell, data = ACCOUNTS[name][0], game.data
    return [
        tell(seat, before, mover, action, after)
        for before, after, (mover, action) in zip(data, data[1:], game.moves, strict=False)
    ]


def others(
    name: str, game: Game[Any], options: Data, truth: Played, chance: Random, tries: int
) -> Iterator[Played]:
    """Games with other secrets, as far as they can be played."""
    for _ in range(tries):
        moves = ACCOUNTS[name][1](truth.moves, chance)
        if moves != truth.moves and (other := played(game, options, moves)) is not None:
            yield other


def encoded(value: Any) -> bytes:
    """Anything the companion says, so that it can be compared."""
    return msgspec.json.encode(value)
