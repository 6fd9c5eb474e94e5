"""Chasseurs Fantômes Artéfacts as a game of the companion: which phase does what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from msgspec.structs import replace

from companion import words
from companion.contract import (
    MODERATOR,
    TABLE,
    Action,
    Aids,
    Chair,
    Cue,
    Event,
    Game,
    Result,
    Seat,
    Told,
    View,
    Worlds,
    open_fields,
    plain,
)
from companion.games.artefacts import box as boxes
from companion.games.artefacts import (
    cards,
    course,
    foresight,
    hunters,
    lamps,
    laying,
    problems,
    repairs,
    worlds,
)
from companion.games.artefacts.actions import (
    AnyAction,
    Choose,
    Discard,
    Draw,
    Drawn,
    End,
    Fight,
    Give,
    Lay,
    Pick,
    Position,
    Repair,
    Reveal,
    Step,
    Take,
    Teleport,
    Trap,
    Use,
)
from companion.games.artefacts.box import Box
from companion.games.artefacts.events import IN_HAND
from companion.games.artefacts.manor import COLOURS, Colour
from companion.games.artefacts.options import (
    ELSEWHERE,
    NEEDED,
    PRESETS,
    VOCABULARY,
    Options,
    changed,
    sensible,
)
from companion.games.artefacts.state import State, to_act
from companion.games.artefacts.view import Shows, view
from companion.picture import Picture, Pointer
from companion.refusals import Forbidden, Illegal, NotYourTurn

words.register("artefacts", Path(__file__).parent / "words")


class Artefacts(Game[State]):
    """Four hunters bring four artefacts home before three ghosts get out of the manor."""

    name = "artefacts"
    rules = Path(__file__).parent / "rules"
    options = Options
    position = Position
    action = AnyAction
    shows = Shows
    box = Box
    presets = PRESETS
    elsewhere = ELSEWHERE
    needed = NEEDED
    vocabulary = VOCABULARY
    league: ClassVar[dict[str, Any]] = {"decks": "virtual"}

    def sensible(self, option: str, values: tuple[str, ...], options: Options) -> tuple[str, ...]:
        """The same choice once."""
        return sensible(option, values, options)

    def start(self, options: Options) -> State:
        """The cross, the pawns and full piles."""
        return course.start(options)

    def enter(self, options: Options, position: Position) -> State:
        """A game already under way."""
        return repairs.enter(options, position)

    def chairs(self, state: State) -> tuple[Chair, ...]:
        """The four colours clockwise: all of them hunt, however few people run them. CFA-Q1."""
        return tuple(Chair(colour, "hunter") for colour in state.options.seats)

    def phase(self, state: State) -> str:
        """`drafting`, `building`, `laying`, `acting`, `ending` or `over`."""
        return state.phase

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Who may act now."""
        return to_act(state)

    def result(self, state: State) -> Result | None:
        """How it ended."""
        return state.result

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Everything a seat may do now."""
        if seat not in to_act(state):
            return []
        match state.pending.what if state.pending else state.phase:
            case "reveal":
                return laying.legal_reveals(state)
            case "drawn":
                return cards.legal_drawn(state)
            case "trap":
                return cards.legal_traps(state)
            case "give":
                return cards.legal_gives(state)
            case "drafting":
                return laying.legal_takes(state)
            case "building" | "laying":
                return laying.legal_lays(state, _active(state))
            case "acting":
                return hunters.legal_acts(state, _active(state))
        assert state.pending is not None
        return [Choose(option) for option in range(len(state.pending.options))]

    def apply(self, state: State, seat: Seat, action: Any) -> tuple[State, tuple[Told, ...]]:
        """The state after an action and all that followed from it, and what happened."""
        told: list[Told] = []
        if isinstance(action, Repair):
            if seat != MODERATOR:
                raise Forbidden("companion.moderator_only")
            return repairs.repair(state, action, told), tuple(told)
        movers = to_act(state)
        if not movers:
            raise Illegal("companion.game_over")
        if seat not in movers:
            raise NotYourTurn("companion.not_your_turn", seats=movers)
        after = _answer(state, action, told) if state.pending else _play(state, seat, action, told)
        after = course.go_on(after, told)
        return replace(after, steps=course.to_copy(state, action, told)), tuple(told)

    def as_listed(self, state: State, action: Any) -> Any:
        """A tile may be told by the name of any that looks the same."""
        return laying.as_listed(state, action) if isinstance(action, Reveal) else action

    def view(self, state: State, seat: Seat) -> View:
        """What a seat may know."""
        return view(state, seat)

    def worlds(self, view: View) -> Worlds[State]:
        """The states that fit a view."""
        return worlds.worlds(view.knows)

    def aids(self, view: View) -> Aids:
        """Nobody hides here, so there is no map; a hint, if the table agreed on hints."""
        return Aids(hints=view.knows.options.hints)

    def ahead(self, view: View) -> foresight.Ahead:
        """Players cooperate, so they are told what is coming. CFA-5."""
        return foresight.ahead(view)

    def ground(self, view: View) -> Box:
        """What is in the box, as far as the table knows it: every copy may be printed otherwise. CFA-3."""
        box: Box = view.knows.options.box
        return box

    def picture(self, view: View, pointer: Pointer | None = None) -> Picture:
        """What the lamps show."""
        return lamps.picture(view, pointer)

    def to_copy(self, view: View) -> tuple[Cue, ...]:
        """What the ghosts did at the end of the turn; the lamps point to each ghost in its turn. CFA-23."""
        return tuple(Cue(step, lamps.gauge_of(step)) for step in view.shows.steps)

    def errand(self, event: Event, seat: Seat, companion: frozenset[Seat]) -> Cue | None:
        """Tiles, pawns, artefacts and dice that the companion moves for a colour."""
        return Cue(event) if seat in companion and isinstance(event, IN_HAND) else None

    def side(self, state: State, seat: Seat) -> str | None:
        """All win or lose together. CFA-5."""
        return "players" if seat in COLOURS else None

    def apart(self, state: State, one: Seat, other: Seat) -> bool:
        """Only where hands are private, and never between the colours that one person runs. CFA-61."""
        people = state.options.people()
        return state.options.hands == "private" and state.phase != "over" and people[one] != people[other]

    def told_nothing(self, before: State, action: Any, after: State) -> bool:
        """Taking and laying tell nothing, unless a ghost came of it or something was turned up."""
        quiet = isinstance(action, Take | Lay) and len(after.ghosts) == len(before.ghosts)
        return quiet and after.result is None

    def recorded(
        self, state: State, action: Action, events: tuple[Event, ...]
    ) -> tuple[dict[str, Any], tuple[Event, ...]]:
        """For the open record: no drawn card where hands are private and the game goes on."""
        if isinstance(action, Drawn) and state.options.hands == "private" and state.result is None:
            return open_fields(action, "card"), events
        if isinstance(action, Repair) and state.options.hands == "private" and state.result is None:
            return {"type": "repair"}, events
        return open_fields(action), events

    def chance(self, state: State, chance: Random) -> Action | None:
        """Draw from what is left, where there are no real piles. No order exists before this moment."""
        if state.options.decks == "real" or to_act(state) != (TABLE,):
            return None
        assert state.pending is not None
        match state.pending.what:
            case "reveal":
                return laying.draw_tile(state, chance)
            case "drawn":
                return Drawn(cards.draw_one(state.objects, chance))  # type: ignore[arg-type]
        return Trap(cards.draw_one(state.traps, chance))  # type: ignore[arg-type]

    def problems(self, state: State) -> tuple[words.Saying, ...]:
        """Everything about the table that cannot be."""
        return problems.problems(state)

    def rematch(self, state: State) -> dict[str, Any]:
        """The same options; the marker goes to whoever would have led next."""
        if state.result is None:
            raise Illegal("companion.not_over")
        kept = {name: value for name, value in changed(state.options).items() if name != "first_tiles"}
        return {**kept, "leader": state.options.clockwise(state.leader)[1]}

    def box_problems(self, box: Box) -> tuple[words.Saying, ...]:
        """Everything about a box that cannot be. CFA-1 to CFA-3."""
        return tuple(boxes.problems(box))

    def box_options(self, box: Box) -> dict[str, Any]:
        """A game with this box."""
        return {"box": plain(box)}

    def learn_box(self, view: View) -> Box | None:
        """The box of a table that has gone through all its piles."""
        box: Box = view.knows.options.box
        return None if box.unknown else box


def _active(state: State) -> Colour:
    """The colour whose go it is; the leader may be acting for a dead one. CFA-Q32."""
    assert state.active is not None
    return state.active


def _answer(state: State, action: Any, told: list[Told]) -> State:
    """What was pending is answered."""
    assert state.pending is not None
    match state.pending.what, action:
        case "reveal", Reveal():
            return laying.reveal(state, action, told)
        case "drawn", Drawn():
            return cards.drawn(state, action, told)
        case "trap", Trap():
            return cards.trap(state, action, told)
        case "give", Give():
            return cards.give(state, action, told)
        case (("fork" | "haunt" | "order"), Choose()):
            return course.choose(state, action, told)
    raise Illegal("artefacts.pending_first", what=words.Saying(f"artefacts.pending_{state.pending.what}"))


def _play(state: State, seat: Seat, action: Any, told: list[Told]) -> State:
    """A colour has its go."""
    match state.phase, action:
        case "drafting", Take():
            return laying.take(state, seat, action, told)  # type: ignore[arg-type]
        case (("building" | "laying"), Lay()):
            return laying.lay(state, _active(state), action, told)
        case (("building" | "laying"), Discard()):
            return laying.discard(state, _active(state), action, told)
        case "acting", Step() | Teleport() | Fight() | Use() | Draw() | Pick() | End():
            return hunters.act(state, _active(state), action, told)
    raise Illegal("artefacts.not_now", phase=words.Saying(f"artefacts.phase_{state.phase}"))


GAME = Artefacts()
