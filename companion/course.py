"""The course of a game: what was done, what follows by chance, and what is known after a loss."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random, SystemRandom
from typing import Any

import msgspec

from companion.contract import TABLE, Game, Seat, Told, read, read_options
from companion.refusals import Forbidden, Illegal
from companion.words import Saying


class Deed(msgspec.Struct):
    """An accepted action as the table remembers it, with the state it was done in."""

    n: int
    seat: Seat
    action: Any
    told: tuple[Told, ...]
    before: Any
    at: float
    undone: bool = False
    lines: dict[tuple[bool, bool], Line] = {}
    """What the open record shows of it: while the game goes on and when it is over, standing and undone."""


class Step(msgspec.Struct, frozen=True):
    """An action that the rules allow, and what it leads to; nothing of it has happened yet."""

    seat: Seat
    action: Any
    after: Any
    told: tuple[Told, ...]


class Line(msgspec.Struct, frozen=True):
    """A deed as the open record shows it."""

    n: int
    seat: Seat
    action: dict[str, Any]
    events: tuple[Any, ...]
    undone: bool


class Lost(msgspec.Struct, frozen=True):
    """Moves were lost with a damaged journal; `last` is the last one before them, or null."""

    last: Line | None


def opened(game: Game[Any], options: dict[str, Any], position: dict[str, Any] | None) -> Any:
    """The first state of a game, from plain data."""
    if position is None:
        return game.start(read_options(game, options))
    if "players" in options and position.get("players", options["players"]) != options["players"]:
        raise Illegal("companion.players_differ")
    return game.enter(read_options(game, options), read(position, game.position, "position"))


def draws(game: Game[Any], state: Any, seed: int | None, done: int, on_top: Sequence[Any]) -> list[Step]:
    """What chance does as long as it is its turn; people tell it what real cards said.

    `done` is how many actions there were before, `on_top` what lies on top of the piles.
    """
    steps: list[Step] = []
    left = list(on_top)
    while game.to_act(state) == (TABLE,):
        action = game.chance(state, luck(seed, "table", done + len(steps)))
        if action is None:
            break
        possible = game.legal(state, TABLE) if left else ()
        again = next((each for each in left if each in possible), None)
        if again is not None:
            left.remove(again)
            action = again
        state, told = game.apply(state, TABLE, action)
        steps.append(Step(TABLE, action, state, told))
    return steps


def was_drawn(game: Game[Any], deed: Deed) -> bool:
    """Whether the companion drew it, so that it goes back with what led to it; people tell real cards."""
    return deed.seat == TABLE and game.chance(deed.before, Random(0)) is not None


def last_deeds(game: Game[Any], done: Sequence[Deed]) -> list[Deed]:
    """The last action still standing, and the draws that it led to."""
    standing = [deed for deed in done if not deed.undone]
    deeds: list[Deed] = []
    while standing and not (deeds and not was_drawn(game, deeds[0])):
        deeds.insert(0, standing.pop())
    if not deeds or was_drawn(game, deeds[0]):
        raise Illegal("companion.nothing_to_undo")
    return deeds


def check_consent(
    game: Game[Any], state: Any, deeds: Sequence[Deed], seat: Seat, agreed: Sequence[Seat]
) -> None:
    """Its own seat takes an action back, if it told that seat nothing; else both sides have to agree."""
    deed, seats = deeds[0], [chair.seat for chair in game.chairs(state)]
    after = deeds[1].before if len(deeds) > 1 else state
    # What the whole table did together, anybody takes back.
    own = deed.seat == TABLE or (seat == deed.seat and len(deeds) == 1)
    if own and game.told_nothing(deed.before, deed.action, after):
        return
    sides = {game.side(state, each) for each in seats}
    # Where all are on one side, one seat alone may not untell what chance, or a real pile, has told.
    drawn = any(deed.seat == TABLE for deed in deeds)
    alone = drawn and len({seat, *agreed}) < 2 <= len(seats)
    if {game.side(state, each) for each in agreed} != sides or alone:
        raise Forbidden("companion.needs_consent")


def luck(seed: int | None, purpose: str, done: int) -> Random:
    """Randomness: the system's, or what a seed gives for this purpose after so many actions."""
    return SystemRandom() if seed is None else Random(f"{seed} {purpose} {done}")


def last_known(lost: Lost) -> Saying:
    """What was lost, in words."""
    if lost.last is None:
        return Saying("companion.moves_lost_all")
    return Saying("companion.moves_lost", n=lost.last.n, seat=lost.last.seat)
