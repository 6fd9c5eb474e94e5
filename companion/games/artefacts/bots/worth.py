"""What a moment of the game is worth to all four hunters, who win and lose together. CFA-5, CFA-70, CFA-71.

Everything is measured by an artefact that is home. What counts: how long the artefacts still take, which
ghosts will get out before somebody can stop them and what stopping them costs, dice, life and cards.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from companion.games.artefacts.bots.ground import FAR, stops, walks, way
from companion.games.artefacts.box import tiles_of
from companion.games.artefacts.fate import CROSS, judge
from companion.games.artefacts.manor import COLOURS, Colour, Square
from companion.games.artefacts.options import POINTS, STRONGEST
from companion.games.artefacts.state import Ghost, State, alive, escaped, free_dice

WON = 20.0
HORIZON = 6
"""So many turns ahead somebody is taken to stop a ghost."""
ESCAPED = (0.0, 0.35, 1.0, 4.0)
"""What so many ghosts in the centre cost. CFA-71."""
CARDS = {
    "vacuum": 1.0,
    "crucifix": 3.5,
    "kit": 1.0,
    "energy_bar": 0.6,
    "teleportable": 0.5,
    "chalice": 0.5,
    "?": 1.1,
}
"""What each card is worth, measured by a vacuum."""
LIFE = (-12.0, 0.0, 1.6, 2.8)
"""What so much life is worth, measured by a vacuum; more is worth as much as the last point."""


class Weighing(NamedTuple):
    """What a player makes of a moment."""

    vacuum: float = 0.05
    """What a card is worth that takes one power from a ghost."""
    turn: float = 0.06
    """What each turn costs that an artefact still takes."""
    carried: float = 0.5
    lying: float = 0.3
    """What an artefact is worth in a hand, and in the manor, before the way that is still to go."""
    dice: float = 1.5
    """What it costs to run out of dice."""
    link: float = 0.15
    """What it costs if ghosts find a way from one corridor to the door of another."""
    fears: int = 99
    """Ghosts that take more turns than this to get out are no worry yet."""
    foresees: bool = True
    """Whether it counts what is still in the piles."""


class Hunter:
    """A living colour: where it can be, and with what it can fight."""

    def __init__(self, state: State, colour: Colour) -> None:
        hand = state.hands[colour]
        self.walks = walks(state, colour, state.pawns[colour])
        self.vacuums, self.crucifixes = hand.count("vacuum"), hand.count("crucifix")
        self.spare = state.life[colour] - 1
        order = state.options.clockwise(state.leader)
        self.waits = state.phase != "acting" or order.index(colour) >= state.turn

    def reaches(self, at: Square, turns: int) -> bool:
        """Whether it can be on a square before so many ends of turns have passed."""
        return self.walks.get(at, FAR) <= POINTS * (turns + self.waits)


def worth(state: State, weighing: Weighing, overlooked: frozenset[str] = frozenset()) -> float:
    """What a moment is worth; some ghosts may be overlooked."""
    if (result := judge(state)) is not None:
        return WON if result.winner == "players" else -WON
    hunters = {colour: Hunter(state, colour) for colour in COLOURS if alive(state, colour)}
    found = treasures(state, hunters, weighing) + supplies(state, weighing)
    ghosts = [ghost for ghost in state.ghosts if not ghost.escaped and ghost.id not in overlooked]
    return found - menace(state, ghosts, list(hunters.values()), weighing) - _dice(state, weighing)


# Artefacts


def treasures(state: State, hunters: dict[Colour, Hunter], weighing: Weighing) -> float:
    """How far the artefacts have come. CFA-43, CFA-44, CFA-70."""
    total = 0.0
    for colour in COLOURS:
        each = state.artefacts[colour]
        if each.home:
            total += 1.0
        elif each.by is not None:
            total += weighing.carried - weighing.turn * _turns(home(state, each.by, hunters[each.by].walks))
        elif each.at is not None:
            total += weighing.lying - weighing.turn * _fetched(state, colour, each.at, hunters)
    return total


def _fetched(state: State, colour: Colour, at: Square, hunters: dict[Colour, Hunter]) -> float:
    """The turns until somebody who may has fetched an artefact from a square."""
    able = COLOURS if state.artefacts[colour].picked else (colour,)
    there = {each: hunters[each].walks.get(at, FAR) for each in able if each in hunters}
    if not there:
        return 2 * _turns(FAR)
    nearest = min(there, key=lambda each: there[each])
    return _turns(there[nearest]) + _turns(home(state, nearest, walks(state, nearest, at)))


def home(state: State, colour: Colour, walked: dict[Square, int]) -> int:
    """The steps to where a colour delivers. CFA-Q23."""
    own = state.options.delivery_cell == "own_arm"
    return min(walked.get(at, FAR) for at in ((state.options.arm(colour),) if own else CROSS))


def _turns(steps: int) -> float:
    return steps / POINTS


# Cards and life


def supplies(state: State, weighing: Weighing) -> float:
    """What life and cards are worth."""
    total = 0.0
    for colour in COLOURS:
        life = state.life[colour]
        total += LIFE[min(life, len(LIFE) - 1)]
        total += sum(CARDS[card] for card in state.hands[colour])
        if not life and not state.artefacts[colour].picked:
            total += LIFE[0]
    return weighing.vacuum * total


# Ghosts


def menace(state: State, ghosts: list[Ghost], hunters: list[Hunter], weighing: Weighing) -> float:
    """What ghosts cost: those that get out, and what it takes to stop the others in time."""
    out, spent = float(escaped(state)), 0.0
    ways = sorted(((stops(way(state, ghost), ghost.power), ghost) for ghost in ghosts), key=_soonest)
    for passed, ghost in ways:
        if not passed or len(passed) > weighing.fears:
            continue
        price = _stopped(ghost, passed, hunters)
        if price is None:
            out += max(0.1, 0.95 - 0.09 * (len(passed) - 1))
        else:
            out += 0.03
            spent += price
    return _lost(out) + weighing.vacuum * spent


def _soonest(each: tuple[list[Square], Ghost]) -> tuple[int, str]:
    return len(each[0]), each[1].id


def _lost(out: float) -> float:
    whole = min(int(out), 2)
    return ESCAPED[whole] + (out - whole) * (ESCAPED[whole + 1] - ESCAPED[whole])


def _stopped(ghost: Ghost, passed: list[Square], hunters: list[Hunter]) -> float | None:
    """What it costs to stop a ghost as soon as it can be, measured by vacuums; null if nobody can."""
    for turns, at in enumerate((ghost.at, *passed[:-1])[:HORIZON]):
        power = min(STRONGEST, ghost.power + turns)
        able = [each for each in hunters if each.reaches(at, turns)]
        for each in able:
            if each.crucifixes and power > 3:
                each.crucifixes -= 1
                return CARDS["crucifix"]
        if sum(each.vacuums + each.spare for each in able) >= power:
            return _spend(able, power)
    return None


def _spend(able: list[Hunter], power: int) -> float:
    """Vacuums first, then life."""
    price = 0.0
    for each in able:
        used = min(each.vacuums, power)
        each.vacuums -= used
        power -= used
        price += used
    for each in able:
        used = min(each.spare, power)
        each.spare -= used
        power -= used
        price += 1.5 * used
    return price


# Dice


def _dice(state: State, weighing: Weighing) -> float:
    """How near the dice are to running out. CFA-71."""
    free = sum(free_dice(state).values()) - to_come(state, weighing)
    return weighing.dice / (1 + math.exp(free))


def to_come(state: State, weighing: Weighing) -> float:
    """How many ghosts are likely to appear before the game can be won."""
    if not weighing.foresees:
        return 1.5
    tiles = tiles_of(state.options.box)
    piled = sum(tiles[id].kind == "ghost" for id in state.pile)
    unlaid = sum(each.at is None and each.by is None and not each.home for each in state.artefacts.values())
    # The last of n artefact tiles lies n in n + 1 of the way down the pile.
    return piled * unlaid / (unlaid + 1) + 1.0 + sum(tile.kind == "ghost" for tile in state.open)
