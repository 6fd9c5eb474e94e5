"""The Phantom Society as a game of the companion: which phase does what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    Clue,
    Cue,
    Event,
    Game,
    Model,
    Move,
    Odds,
    Result,
    Seat,
    Told,
    View,
    Worlds,
    open_fields,
    plain,
)
from companion.games.phantom import box as boxes
from companion.games.phantom import lamps, play, playout, repairs, setup, tournament, worlds
from companion.games.phantom import map as hunters_map
from companion.games.phantom.actions import (
    REPAIRS,
    AnyAction,
    Bid,
    Correct,
    Deal,
    Dealt,
    Drawn,
    Found,
    Hide,
    Laid,
    Lifted,
    Pass,
    Place,
    Position,
    Ready,
    Remove,
    Removed,
    Repair,
    Token,
    removal,
)
from companion.games.phantom.board import COLOURS, SIZE, in_set
from companion.games.phantom.box import Box
from companion.games.phantom.options import (
    DEFAULT_TILES,
    ELSEWHERE,
    NEEDED,
    PRESETS,
    VOCABULARY,
    Options,
    seats,
    sensible,
    teams,
)
from companion.games.phantom.state import State, Step, covered, next_room, not_now
from companion.games.phantom.view import Shows, role, view
from companion.picture import Picture, Pointer
from companion.refusals import Forbidden, Illegal, NotYourTurn

words.register("phantom", Path(__file__).parent / "words")

RULES: dict[tuple[str, type[Action]], Callable[[State, Seat, Any], Step]] = {
    ("placing", Place): setup.place,
    ("placing", Dealt): setup.take_dealt,
    ("bidding", Drawn): setup.take_packs,
    ("bidding", Bid): setup.bid,
    ("hiding", Hide): setup.hide,
    ("hiding", Ready): setup.ready,
    ("playing", Remove): play.remove,
    ("playing", Pass): play.pass_turn,
    ("playing", Found): play.answer,
}
"""What the seats to act do in each phase."""


class Phantom(Game[State]):
    """Four ghosts hide in a hotel of 36 rooms and wreck it; hunters lift the tiles to find them."""

    name = "phantom"
    rules = Path(__file__).parent / "rules"
    options = Options
    position = Position
    action = AnyAction
    shows = Shows
    presets = PRESETS
    elsewhere = ELSEWHERE
    needed = NEEDED
    vocabulary = VOCABULARY
    grid = (SIZE, SIZE)
    secret_options = frozenset({"owners"})
    league: ClassVar[dict[str, Any]] = {"tiles": DEFAULT_TILES}
    box = Box

    def sensible(self, option: str, values: tuple[str, ...], options: Options) -> tuple[str, ...]:
        """Seats that play, and masters where a master is asked for."""
        return sensible(option, values, options)

    def start(self, options: Options) -> State:
        """A table with its options agreed."""
        return setup.start(options)

    def enter(self, options: Options, position: Position) -> State:
        """A game already under way."""
        return repairs.enter(options, position)

    def chairs(self, state: State) -> tuple[Chair, ...]:
        """The seats clockwise with their roles."""
        return tuple(Chair(seat, role(state, seat)) for seat in seats(state.options.players))

    def phase(self, state: State) -> str:
        """`placing`, `bidding`, `hiding`, `playing` or `over`."""
        return state.phase

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Who may act now."""
        return state.movers

    def result(self, state: State) -> Result | None:
        """How it ended."""
        return state.result

    def legal(self, state: State, seat: Seat) -> Sequence[Any]:
        """Everything a seat may do now."""
        if seat not in state.movers:
            return []
        match state.phase:
            case "placing" if state.dealing:
                return setup.built(state) or setup.legal_deals(state)
            case "placing":
                return setup.legal_places(state, seat)
            case "bidding" if seat == TABLE:
                return setup.legal_draws()
            case "bidding":
                return [Bid(thousands) for thousands in setup.pack_of(state, seat)]
            case "hiding":
                return [Ready()] if state.options.keeper == "honour" else setup.legal_hides(state, seat)
        if state.asking:
            return [Found(g if g is None else COLOURS[g]) for g in play.legal_findings(state)]
        return play.legal_moves(state, seat)

    def apply(self, state: State, seat: Seat, action: Any) -> tuple[State, tuple[Told, ...]]:
        """The state after an action, and what happened."""
        if type(action) in REPAIRS:
            return self._repair(state, seat, action)
        if not state.movers:
            raise Illegal("companion.game_over")
        if seat not in state.movers:
            raise NotYourTurn("companion.not_your_turn", seats=state.movers)
        rule = RULES.get((state.phase, type(action)))
        if rule is None:
            raise not_now(state)
        return rule(state, seat, action)

    def _repair(self, state: State, seat: Seat, action: Any) -> tuple[State, tuple[Told, ...]]:
        if seat != MODERATOR:
            raise Forbidden("companion.moderator_only")
        match action:
            case Deal():
                return setup.deal(state)
            case Repair():
                return repairs.repair(state, action)
            case Lifted():
                return repairs.lifted(state, action)
            case Correct():
                return repairs.correct(state, action)
        return repairs.token(state, action)

    def view(self, state: State, seat: Seat) -> View:
        """What a seat may know."""
        return view(state, seat)

    def worlds(self, view: View) -> Worlds[State]:
        """The states that fit a view."""
        return worlds.worlds(view.knows, view.seat)

    def aids(self, view: View) -> Aids:
        """What the table agreed on; map and pencil are for the hunt."""
        options, hunting = view.knows.options, view.knows.phase == "playing"
        return Aids(options.map if hunting else "off", hunting and options.pencil, options.hints)

    def odds(self, view: View, model: Model = "uniform") -> Odds:
        """The hunters' map. Everybody's knowledge alone goes into it, whoever asks."""
        return hunters_map.odds(view.knows, model)

    def clue(self, view: View) -> Clue | None:
        """The rooms that the last action ruled out, for everybody."""
        return hunters_map.clue(view.knows) if view.knows.facts else None

    def corrections(self, view: View, said: Any = None) -> tuple[tuple[words.Saying, ...], ...]:
        """What may have been told wrong, where the record contradicts itself."""
        return hunters_map.corrections(view.knows, said) if view.knows.facts else ()

    def audience(self, state: State, peek: Seat | None = None) -> Seat:
        """Whose view the shared lamps show."""
        return lamps.audience(state, peek)

    def picture(self, view: View, pointer: Pointer | None = None) -> Picture:
        """What the lamps show."""
        return lamps.picture(view, pointer)

    def pointed(self, view: View, room: int) -> tuple[Move, ...]:
        """A tile to remove: for a hunter, and for a master only where the table agreed to public buttons."""
        known: State = view.knows
        if known.to_build is not None:
            return self._built(known, room)
        if known.phase != "playing" or known.asking or not known.tiles >> room & 1:
            return ()
        hunts = known.movers[0] not in known.masters
        if len(known.movers) > 1 or not (hunts or known.options.buttons_for_masters):
            return ()
        return ((known.movers[0], removal(room)),)

    def _built(self, known: State, room: int) -> tuple[Move, ...]:
        """The next tile of a dealt board; one of unknown value is told on a phone."""
        due = setup.built(known)
        return ((TABLE, due[0]),) if len(due) == 1 and due[0].room == room else ()

    def errand(self, event: Event, seat: Seat, companion: frozenset[Seat]) -> Cue | None:
        """A tile that the companion laid or removed."""
        if seat in companion and isinstance(event, Laid | Removed):
            return Cue(event, room=event.room)
        return None

    def confirmed(self, view: View) -> tuple[Move, ...]:
        """The next tile of a dealt board lies on its square."""
        known: State = view.knows
        return self._built(known, next_room(known)) if known.to_build is not None else ()

    def felt(self, view: View, taken: int | None, put: int | None) -> tuple[Move, ...]:
        """Lifting a tile is removing it; putting the one that is due on its square is laying it."""
        if put is not None and view.knows.to_build is not None:
            return self._built(view.knows, put)
        return self.pointed(view, taken) if taken is not None and put is None else ()

    def lying(self, view: View) -> frozenset[int] | None:
        """The rooms with a tile, once all of them have been laid."""
        known: State = view.knows
        return None if known.phase == "placing" else frozenset(in_set(covered(known)))

    def may_return(self, view: View, room: int) -> bool:
        """A tile lifted by mistake goes back if no ghost lay there: what was uncovered stays so. PS-Q18."""
        known: State = view.knows
        last = known.removed[-1] if known.removed else None
        return last is not None and last.room == room and last.ghost is None and known.phase == "playing"

    def side(self, state: State, seat: Seat) -> str | None:
        """The first seat of a seat's team."""
        return next((team[0] for team in teams(state.options.players) if seat in team), None)

    def camp(self, state: State, seat: Seat) -> str | None:
        """Ghosts or hunters; before the bids have decided, the team."""
        named = {"master": "ghosts", "hunter": "hunters"}
        return named.get(role(state, seat) or "", self.side(state, seat))

    def apart(self, state: State, one: Seat, other: Seat) -> bool:
        """Bids are sealed from the other team, ghosts from hunters, and by agreement from one's partner."""
        if state.phase == "over" or (state.phase == "placing" and not state.dealt):
            return False
        if not state.masters:
            return self.side(state, one) != self.side(state, other)
        hiding = sum(seat in state.masters for seat in (one, other))
        return hiding == 1 or (hiding == 2 and state.options.own_only)

    def told_nothing(self, before: State, action: Any, after: State) -> bool:
        """Laying, hiding and a sealed bid tell their own seat nothing new; the bid that opens both does."""
        return isinstance(action, Place | Hide | Ready) or (isinstance(action, Bid) and not after.masters)

    def seen(self, earlier: State, later: State) -> State:
        """What the table saw stays known: the facts grow through an undo, everything else goes back."""
        # Facts of another chapter speak of ghosts that were elsewhere: before the hunt, or before a repair.
        if not earlier.facts or earlier.facts[0] != later.facts[0]:
            return earlier
        if earlier.options.keeper == "honour":
            # By honour a fact is what somebody told; taking it back means that it was told wrong.
            return earlier
        fresh = [fact for fact in later.facts if fact not in earlier.facts]
        return replace(earlier, facts=(*earlier.facts, *fresh))

    def recorded(
        self, state: State, action: Action, events: tuple[Event, ...]
    ) -> tuple[dict[str, Any], tuple[Event, ...]]:
        """For the open record: no ghost's room, no sealed bid, no log where the table plays by memory."""
        match action:
            case Hide() | Bid():
                return open_fields(action, "ghost", "room", "thousands"), events
            case Token():
                return open_fields(action, "hides"), events
            case Repair():
                fixes = {name: fix for name, fix in plain(action)["set"].items() if name != "ghosts"}
                return {"type": "repair", "set": fixes}, events
            case Remove() | Found() if state.options.show_removal_log != "public" and not state.result:
                return open_fields(action, "room", "ghost"), ()
        return open_fields(action), events

    def chance(self, state: State, chance: Random) -> Action | None:
        """Deal the two packs, or the next tile of the board; that it lies there, people tell."""
        if state.phase == "bidding":
            return setup.draw_packs(state, chance)
        return None if state.to_build is not None else setup.draw_tile(state, chance)

    def problems(self, state: State) -> tuple[words.Saying, ...]:
        """Everything about the table that cannot be."""
        return repairs.problems(state)

    def rematch(self, state: State) -> dict[str, Any]:
        """The next game: a tournament goes on, the board is laid anew."""
        return tournament.next_game(state)

    def playout(self, state: State, chance: Random) -> Result:
        """How it ends at random: a hunt in plain numbers, anything else by the rules as they are."""
        if playout.can_play_out(state):
            return playout.play_out(state, chance.random)
        return super().playout(state, chance)

    def box_problems(self, box: Box) -> tuple[words.Saying, ...]:
        """Everything about a box that cannot be."""
        return boxes.problems(box)

    def box_options(self, box: Box) -> dict[str, Any]:
        """The tiles and the names of the rooms."""
        return boxes.options(box)

    def learn_box(self, view: View) -> Box | None:
        """The box of a board that has been laid in full."""
        return boxes.learn(view)


GAME = Phantom()
