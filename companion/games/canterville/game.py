"""Gespensterjagd as a game of the companion: which phase does what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion import words
from companion.contract import (
    MODERATOR,
    TABLE,
    Action,
    Aids,
    Chair,
    Clue,
    Cue,
    Event,
    Game,
    Model,
    Odds,
    Result,
    Seat,
    Told,
    View,
    Worlds,
    open_fields,
    plain,
)
from companion.games.canterville import box as boxes
from companion.games.canterville import hunt, judging, lamps, pieces, prowl, repairs, setup, worlds
from companion.games.canterville import map as hunters_map
from companion.games.canterville.actions import (
    JUDGING,
    AnyAction,
    Cheat,
    Doubt,
    Drawn,
    Foul,
    Frame,
    Guess,
    Lock,
    Locked,
    Move,
    Opened,
    Pause,
    Position,
    Repair,
    SentBack,
    Shown,
    Stands,
    Start,
    Started,
    Stay,
    Taken,
    Trap,
    TrapLaid,
    Trapped,
    Unlock,
    Walk,
    Walked,
)
from companion.games.canterville.box import Box
from companion.games.canterville.castle import Castle, find, read_file
from companion.games.canterville.options import (
    ELSEWHERE,
    MAX,
    MEASURED_FRAMES,
    NEEDED,
    PRESETS,
    Options,
    sensible,
)
from companion.games.canterville.state import Fact, Known, Once, Prowl, State, known
from companion.games.canterville.turns import awaited, movers
from companion.games.canterville.view import Shows, sees_max, view
from companion.picture import Picture, Pointer
from companion.refusals import Forbidden, Illegal, NotYourTurn

words.register("canterville", Path(__file__).parent / "words")

SECRET_FIXES = ("max", "route", "visited", "cards")
"""What the open record does not tell of a repair."""


class Canterville(Game[State]):
    """Max, an invisible ghost, flees through walls; one to four hunters try to step into his room."""

    name = "canterville"
    rules = Path(__file__).parent / "rules"
    options = Options
    position = Position
    action = AnyAction
    asides = (Guess, *JUDGING)
    shows = Shows
    presets = PRESETS
    elsewhere = ELSEWHERE
    needed = NEEDED
    grid = (9, 6)
    league: ClassVar[dict[str, Any]] = {"hunters": 3, "castle": "demo", "frames": MEASURED_FRAMES}
    box = Box

    def sensible(self, option: str, values: tuple[str, ...], options: Options) -> tuple[str, ...]:
        """The trap with a hunter who plays."""
        return sensible(option, values, options)

    def resolve(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options with a castle file read in, so that a record never needs the file again."""
        castle = options.get("castle")
        if not isinstance(castle, str) or castle in ("demo", "none"):
            return options
        return {**options, "castle": read_file(castle)}

    def start(self, options: Options) -> State:
        """A table with its options agreed."""
        return setup.start(options)

    def enter(self, options: Options, position: Position) -> State:
        """A game already under way."""
        return repairs.enter(options, position)

    def chairs(self, state: State) -> tuple[Chair, ...]:
        """Max, and the hunters clockwise from his left."""
        return (Chair(MAX, MAX), *(Chair(seat, "hunter") for seat in state.options.hunter_seats))

    def phase(self, state: State) -> str:
        """`starting`, `framing`, `max`, `hunters` or `over`."""
        return state.phase

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Who may act now."""
        return movers(state)

    def awaited(self, state: State) -> tuple[Seat, ...]:
        """Who has to act now: nobody waits for a trap."""
        return awaited(state)

    def result(self, state: State) -> Result | None:
        """How it ended."""
        return state.result

    def legal(self, state: State, seat: Seat) -> list[Any]:
        """Everything a seat may do now."""
        if seat not in movers(state):
            return []
        if state.doubt is not None:
            return list(self.asked(state, seat))
        match state.phase:
            case "starting":
                return setup.legal_draws(state) if seat == TABLE else list(setup.legal_starts(state, seat))
            case "framing":
                return list(setup.legal_frames(state))
        return list(prowl.legal(state) if seat == MAX else hunt.legal(state, seat))

    def apply(self, state: State, seat: Seat, action: Any) -> tuple[State, tuple[Told, ...]]:
        """The state after an action, and what happened."""
        if isinstance(action, Repair):
            return self._repair(state, seat, action)
        if isinstance(action, JUDGING):
            return judging.apply(state, seat, action)
        if isinstance(action, Guess):
            return hunt.guess(state, seat, action)
        to_act = movers(state)
        if not to_act:
            raise Illegal("companion.game_over")
        if seat not in to_act:
            raise NotYourTurn("companion.not_your_turn", seats=to_act)
        judging.check_settled(state)
        if state.phase in ("max", "hunters"):
            return self._max(state, action) if seat == MAX else self._hunter(state, seat, action)
        match state.phase, action:
            case "starting", Drawn() if seat == TABLE:
                return setup.take_frames(state, action)
            case "starting", Start() if seat != TABLE:
                return setup.place(state, seat, action)
            case "framing", Frame():
                return setup.choose_frame(state, seat, action)
        raise self._not_now(state)

    def _max(self, state: State, action: Any) -> tuple[State, tuple[Told, ...]]:
        match action:
            case Move():
                return prowl.move(state, action)
            case Cheat():
                return prowl.cheat(state, action)
            case Pause():
                return prowl.pause(state)
            case Lock():
                return prowl.lock(state, action)
        raise self._not_now(state)

    def _hunter(self, state: State, seat: Seat, action: Any) -> tuple[State, tuple[Told, ...]]:
        match action:
            case Walk():
                return hunt.walk(state, seat, action)
            case Stay():
                return hunt.stay(state, seat, action)
            case Unlock():
                return hunt.unlock(state, seat, action)
            case Trap():
                return hunt.lay_trap(state, seat, action)
        raise self._not_now(state)

    def _not_now(self, state: State) -> Illegal:
        return Illegal("canterville.not_now", phase=words.Saying(f"canterville.phase_{state.phase}"))

    def _repair(self, state: State, seat: Seat, action: Repair) -> tuple[State, tuple[Told, ...]]:
        if seat != MODERATOR:
            raise Forbidden("companion.moderator_only")
        return repairs.repair(state, action)

    def view(self, state: State, seat: Seat) -> View:
        """What a seat may know."""
        return view(state, seat)

    def worlds(self, view: View) -> Worlds[State]:
        """The states that fit a view."""
        return worlds.worlds(view.knows, hidden=not sees_max(view.seat))

    def aids(self, view: View) -> Aids:
        """What the table agreed on; map and pencil are for the hunt."""
        known: State = view.knows
        options, hunting = known.options, bool(known.facts) and known.phase != "over"
        shown = options.map if hunters_map.drawn(known) else "off"
        return Aids(shown, hunting and options.pencil, options.hints)

    def odds(self, view: View, model: Model = "uniform") -> Odds:
        """The hunters' map. Everybody's knowledge alone goes into it, whoever asks."""
        return hunters_map.odds(view.knows, model)

    def clue(self, view: View) -> Clue | None:
        """What the last action told everybody."""
        return hunters_map.clue(view.knows)

    def corrections(self, view: View, said: Any = None) -> tuple[tuple[words.Saying, ...], ...]:
        """If the record contradicts itself: what could have been told wrongly."""
        return hunters_map.corrections(view.knows)

    def asked(self, state: State, seat: Seat) -> Sequence[Action]:
        """Max is asked about a step that a hunter doubts. GJ-Q22."""
        doubt = state.doubt
        return (Foul(doubt.start, doubt.end), Stands()) if doubt is not None and seat == MAX else ()

    def picture(self, view: View, pointer: Pointer | None = None) -> Picture:
        """What the lamps show."""
        return lamps.picture(view, pointer)

    def ground(self, view: View) -> Castle | None:
        """The castle that is played in; null where there is no map of it."""
        return find(view.knows.options.castle)

    def pointed(self, view: View, room: int) -> tuple[tuple[Seat, Action], ...]:
        """A hunter's figure walks or stays; Max never goes by public buttons."""
        return pieces.pointed(view, room)

    def told_apart(self, view: View, room: int) -> dict[int, tuple[Seat, Action]]:
        """Two figures may walk to the same room: the board asks which."""
        return pieces.told_apart(view, room)

    def felt(self, view: View, taken: int | None, put: int | None) -> tuple[tuple[Seat, Action], ...]:
        """A hunter's figure was moved."""
        return pieces.felt(view, taken, put)

    def errand(self, event: Event, seat: Seat, companion: frozenset[Seat]) -> Cue | None:
        """An animal that goes, Max where he shows himself, and whatever the companion moves. GJ-30, GJ-60."""
        match event:
            case Taken():
                return Cue(event, gauge="frame")
            case Shown() | Trapped() | SentBack():
                return Cue(event, room=event.room) if MAX in companion else None
            case Started() | Walked() | TrapLaid() | Locked() | Opened():
                return Cue(event, room=event.room) if seat in companion else None
        return None

    def side(self, state: State, seat: Seat) -> str | None:
        """Max against all hunters."""
        if seat == MAX:
            return MAX
        return "hunters" if seat in state.options.hunter_seats else None

    def apart(self, state: State, one: Seat, other: Seat) -> bool:
        """Max has secrets, the hunters none."""
        return MAX in (one, other) and state.phase != "over"

    def told_nothing(self, before: State, action: Any, after: State) -> bool:
        """A first room, a frame and a guess tell their own seat nothing, unless Max turns out stuck."""
        return isinstance(action, Start | Frame | Guess) and after.result is None

    def seen(self, earlier: State, later: State) -> State:
        """What the table saw stays known: the facts grow through an undo, everything else goes back."""
        if not earlier.facts or not later.facts or _first(earlier).chapter != _first(later).chapter:
            return earlier
        if _first(earlier) != _first(later):
            # A showing has been taken back: everybody has seen the route that led there.
            return replace(earlier, facts=(known(earlier),))
        fresh = later.facts[len(earlier.facts) :]
        prowls = next((n for n, fact in enumerate(fresh) if isinstance(fact, Prowl)), len(fresh))
        taken_back = (Once(fresh[prowls:]),) if fresh[prowls:] else ()
        return replace(earlier, facts=(*earlier.facts, *fresh[:prowls], *taken_back))

    def recorded(
        self, state: State, action: Action, events: tuple[Event, ...]
    ) -> tuple[dict[str, Any], tuple[Event, ...]]:
        """For the open record: no room of Max's, and no difference between a move and a pause."""
        match action:
            case Move() | Pause():
                return {"type": "move"}, events
            case Cheat():
                return {"type": "cheat"}, events
            case Repair():
                fixes = {name: fix for name, fix in plain(action)["set"].items() if name not in SECRET_FIXES}
                return {"type": "repair", "set": fixes}, events
        if state.options.visited_display == "always" or state.result is not None:
            return open_fields(action), events
        judged = ("from", "to") if isinstance(action, Doubt | Foul) else ()
        return open_fields(action, *judged), tuple(map(_without_route, events))

    def chance(self, state: State, chance: Random) -> Drawn:
        """Draw the frames."""
        return setup.draw(state, chance)

    def problems(self, state: State) -> tuple[words.Saying, ...]:
        """Everything about the table that cannot be, and what is odd about its castle."""
        return (*repairs.problems(state), *repairs.warnings(state))

    def rematch(self, state: State) -> dict[str, Any]:
        """The next game with everybody where they sit; `caught_by` may want to be Max now. GJ-73."""
        if state.result is None:
            raise Illegal("companion.not_over")
        default = Options()
        given = msgspec.structs.asdict(state.options).items()
        changed: dict[str, Any] = plain(
            {name: value for name, value in given if value != getattr(default, name)}
        )
        return changed

    def box_problems(self, box: Box) -> tuple[words.Saying, ...]:
        """Everything about a box that cannot be."""
        return boxes.problems(box)

    def box_options(self, box: Box) -> dict[str, Any]:
        """The options that a game with this box is played with."""
        return boxes.options(box)

    def learn_box(self, view: View) -> Box | None:
        """The box of a table that was told everything about it."""
        return boxes.learn(view)


def _without_route(event: Event) -> Event:
    """A showing as it is told later: cards that have been turned down again stay down. GJ-Q9."""
    return replace(event, route=(), unchecked=()) if isinstance(event, Shown) else event


def _first(state: State) -> Known:
    first: Fact = state.facts[0]
    assert isinstance(first, Known)
    return first


GAME = Canterville()
