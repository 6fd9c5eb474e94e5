"""The hunt played to its end at random, as fast as plain numbers allow: what bots do thousands of times.

One world in (a state in which every ghost has its room), one result out, exactly as likely as if everybody
chose at random among the legal moves of the contract. No state is made on the way.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.contract import Result, Seat
from companion.games.phantom.board import as_set, in_set
from companion.games.phantom.state import State, partner

GHOSTS, HUNTERS = Result("ghosts", "damage"), Result("hunters", "all_revealed")

Draw = Callable[[], float]
"""A number from 0 up to, but not including, 1."""


def can_play_out(state: State) -> bool:
    """Whether this is a hunt whose ghosts all have their rooms; anything else is played by the contract."""
    return state.phase == "playing" and state.options.keeper != "honour"


def play_out(state: State, draw: Draw) -> Result:
    """How a hunt ends if every choice is drawn. PS-40 to PS-92."""
    masters, order, turn = Masters(state), state.order, state.turn
    values = [tile.value if tile else 0 for tile in state.laid]
    lying, tiles = list(in_set(state.tiles)), state.tiles
    missing = (state.objective or 0) - state.damage
    may_pass = state.options.hunter_may_pass
    while True:
        due = order[turn % len(order)]
        turn += 1
        if due in masters.led:
            aims = masters.aims(due, tiles)
            if not aims:
                continue
            room = _drawn(aims, draw)
            lying.remove(room)
        else:
            # Where hunters may pass, that is the first of their choices. PS-Q21
            choice = int(draw() * (len(lying) + may_pass)) - may_pass
            if choice < 0:
                continue
            room = lying.pop(choice)
        tiles ^= 1 << room
        if room in masters.hidden:
            masters.lose(room)
            if not masters.hidden:
                return HUNTERS
        else:
            missing -= values[room]
            if missing <= 0:
                return GHOSTS


def _drawn(rooms: int, draw: Draw) -> int:
    """One room of a set."""
    for _ in range(int(draw() * rooms.bit_count())):
        rooms &= rooms - 1
    return (rooms & -rooms).bit_length() - 1


class Masters:
    """The hidden ghosts in the course of a playout, and what their masters can do with them."""

    def __init__(self, state: State) -> None:
        options = state.options
        ghosts = [ghost for ghost in state.ghosts if not ghost.revealed]
        self.hidden = {ghost.room: ghost.owner for ghost in ghosts if ghost.room and ghost.owner}
        self.led = {
            seat: [room for room in self.hidden if self.hidden[room] == seat] for seat in state.masters
        }
        self.partner = {master: partner(state, master) for master in state.masters}
        self.reaches = options.reaches
        self.stands_in = options.master_without_ghosts == "partner_plays"
        self.helps = options.blocked_master == "partner_plays"
        self.forbidden = options.friendly_fire == "forbidden"
        self.spares = self.forbidden or options.pass_if_only_allied_tiles
        self.own_only = options.own_only

    def aims(self, due: Seat, tiles: int) -> int:
        """What can be devastated in a ghost turn; nothing if it is passed or skipped. PS-57, PS-58."""
        other = self.partner[due]
        if not self.led[due]:
            return self.targets(other, tiles) if other and self.stands_in else 0
        aims = self.targets(due, tiles)
        return self.targets(other, tiles) if self.helps and other and not aims else aims

    def targets(self, master: Seat, tiles: int) -> int:
        """The tiles that one master may devastate. PS-50 to PS-55, PS-Q6, PS-Q7."""
        reached = 0
        for room in self.led[master]:
            reached |= self.reaches(room, tiles)
        if not self.spares:
            return reached
        strangers = reached & ~as_set(self.led[master] if self.own_only else self.hidden)
        return strangers if self.forbidden or not strangers else reached

    def lose(self, room: int) -> None:
        """A ghost was found."""
        self.led[self.hidden.pop(room)].remove(room)
