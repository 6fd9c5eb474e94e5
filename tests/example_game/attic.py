"""The ghost in the attic, the smallest game with a secret: one hides in nine rooms, one opens four doors."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion import words
from companion.contract import MODERATOR, Action, Chair, Event, Game, Listed, Odds, Result, View
from companion.picture import Glow, Picture, Pointer, Sketch
from companion.refusals import Illegal, NotYourTurn

words.register("attic", Path(__file__).parent / "words")
ROOMS, DOORS = range(1, 10), 4
MOVERS = {"hiding": ("ghost",), "seeking": ("seeker",), "over": ()}
GLOWS = {"far": Glow("white", level=0.1), "near": Glow("ecto", "pulse"), "found": Glow("ecto", "blink")}
Hint = Literal["far", "near", "found"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the table may choose: nothing."""

    players: Literal[2] = 2


class Hide(Action, frozen=True, tag="hide"):
    """The ghost chooses its room."""

    room: int


class Open(Action, frozen=True, tag="open"):
    """The seeker opens a door."""

    room: int


class Door(Event, frozen=True, tag="door"):
    """What was behind a door: the ghost (`found`), its cold breath (`near`), or dust (`far`)."""

    room: int
    hint: Hint


class State(msgspec.Struct, frozen=True):
    """The whole truth. `known` is what the seeker ever saw: an undo closes a door, but nobody forgets."""

    phase: Literal["hiding", "seeking", "over"] = "hiding"
    ghost: int | None = None
    doors: tuple[Door, ...] = ()
    known: tuple[Door, ...] = ()


class Shows(msgspec.Struct, frozen=True):
    """What one seat sees; `ghost` is null where it may not know."""

    phase: str
    to_act: tuple[str, ...]
    ghost: int | None
    doors: tuple[Door, ...]
    result: Result | None


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game under way: where the ghost is, and the doors opened so far."""

    ghost: int
    opened: list[int]


def hint(ghost: int, room: int) -> Hint:
    """What a door tells: the attic is three by three, and near is any neighbour."""
    (row, column), (y, x) = divmod(ghost - 1, 3), divmod(room - 1, 3)
    return "found" if ghost == room else "near" if max(abs(row - y), abs(column - x)) == 1 else "far"


class Attic(Game[State]):
    """Hide once, then four doors."""

    name, grid, options, position, action, shows = "attic", (3, 3), Options, Position, Hide | Open, Shows

    def start(self, options: Options) -> State:
        """An attic with nobody in it yet."""
        return State()

    def enter(self, options: Options, position: Position) -> State:
        """A game under way, by playing it until there."""
        state, _ = self.apply(State(), "ghost", Hide(position.ghost))
        for room in position.opened:
            state, _ = self.apply(state, "seeker", Open(room))
        return state

    def chairs(self, state: State) -> tuple[Chair, ...]:
        """Two seats."""
        return Chair("ghost", "ghost"), Chair("seeker", "hunter")

    def phase(self, state: State) -> str:
        """`hiding`, `seeking` or `over`."""
        return state.phase

    def to_act(self, state: State) -> tuple[str, ...]:
        """One of the two, until it is over."""
        return MOVERS[state.phase]

    def legal(self, state: State, seat: str) -> list[Hide] | list[Open]:
        """Any room to hide in; any door that is still closed."""
        if seat not in self.to_act(state):
            return []
        opened = {door.room for door in state.doors}
        return [Hide(r) for r in ROOMS] if seat == "ghost" else [Open(r) for r in ROOMS if r not in opened]

    def apply(self, state: State, seat: str, action: Any) -> tuple[State, tuple[Event, ...]]:
        """Hide, or open a door."""
        if state.phase == "over":
            raise Illegal("companion.game_over")
        if seat not in self.to_act(state):
            raise NotYourTurn("companion.not_your_turn", seats=self.to_act(state))
        if action not in self.legal(state, seat):
            raise Illegal("attic.not_now", room=action.room)
        if isinstance(action, Hide):
            return State("seeking", action.room), ()
        assert state.ghost
        door = Door(action.room, hint(state.ghost, action.room))
        after = replace(state, doors=(*state.doors, door), known=(*state.known, door))
        if self.result(after):
            after = replace(after, phase="over", known=(*after.known, Door(state.ghost, "found")))
        return after, (door,)

    def result(self, state: State) -> Result | None:
        """Found, or four doors in vain."""
        if state.doors and state.doors[-1].hint == "found":
            return Result("seeker", "found")
        return Result("ghost", "four_doors") if len(state.doors) == DOORS else None

    def view(self, state: State, seat: str) -> View:
        """The ghost's room is for the ghost and the moderator, and for all when it is over."""
        sees = seat in ("ghost", MODERATOR) or state.phase == "over"
        known = state if sees else replace(state, ghost=None)
        shows = Shows(known.phase, self.to_act(known), known.ghost, known.doors, self.result(known))
        return View(seat, shows, known)

    def worlds(self, view: View) -> Listed[State]:
        """Every attic that fits what somebody knows: one for each room the ghost can be in."""
        known = view.knows
        if known.phase != "seeking" or known.ghost:
            return Listed([known])
        fits = [room for room in ROOMS if all(hint(room, door.room) == door.hint for door in known.known)]
        return Listed([replace(known, ghost=room) for room in fits])

    def odds(self, view: View) -> Odds:
        """The seeker's map, from what everybody saw."""
        rooms = [world.ghost for world in self.worlds(view)]
        return Odds(len(rooms), {room: rooms.count(room) / len(rooms) for room in ROOMS})

    def picture(self, view: View, pointer: Pointer | None = None) -> Picture:
        """Open doors glow by what they told."""
        sketch = Sketch()
        for door in view.shows.doors:
            sketch.mark(door.room, door.hint, GLOWS[door.hint])
        return sketch.picture(gauges={}, seats={seat: Glow("warm", "pulse") for seat in view.shows.to_act})

    def pointed(self, view: View, room: int) -> tuple[tuple[str, Open], ...]:
        """A button of the board opens a door; hiding goes by phone, where nobody sees it."""
        opened = {door.room for door in view.shows.doors}
        return (("seeker", Open(room)),) if view.shows.phase == "seeking" and room not in opened else ()

    def side(self, state: State, seat: str) -> str:
        """Each on their own."""
        return seat

    def told_nothing(self, before: State, action: Any, after: State) -> bool:
        """Hiding told the ghost nothing new; a door always tells."""
        return isinstance(action, Hide)

    def seen(self, earlier: State, later: State) -> State:
        """An undo takes no knowledge away, unless the ghost is to hide anew."""
        return earlier if earlier.phase == "hiding" else replace(earlier, known=later.known)

    def recorded(self, state: State, action: Any, events: Any) -> Any:
        """The open record does not say where the ghost hid."""
        return {"type": "hide"} if isinstance(action, Hide) else {"type": "open", "room": action.room}, events


GAME = Attic()
