"""Setting things straight: a game entered midway, and a repair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from companion.contract import Result, Seat, Told
from companion.games.canterville import castle as castles
from companion.games.canterville import rounds
from companion.games.canterville.actions import (
    CardsLeft,
    Fixes,
    Position,
    Repair,
    Repaired,
    RouteStep,
)
from companion.games.canterville.castle import LOCKABLE, ROOMS, as_set, in_set
from companion.games.canterville.options import (
    FIGURES,
    MAX,
    Figure,
    Options,
    animal_word,
    check,
    dealt,
    settled,
)
from companion.games.canterville.state import (
    PAUSE,
    Empty,
    Fact,
    Known,
    State,
    animals_left,
    hunter_to_act,
    known,
    occupied,
    own_figures,
    room_of,
)
from companion.refusals import Illegal
from companion.words import Saying

Step = tuple[State, tuple[Told, ...]]


# A position


def enter(options: Options, position: Position) -> State:
    """A game already under way. Knowledge starts here, and its end is judged at once."""
    options = settled(options, otherwise=4 if "d" in position.figures else 3)
    cards, sizes = position.cards, {animal: frame.size for animal, frame in position.frames.items()}
    options = replace(options, chimney=cards.chimney, frames=sizes, trap=cards.trap or options.trap)
    check(options)
    guess = () if position.guess is None else (position.guess,)
    _check_rooms([position.max.room, *position.figures.values(), *position.visited, *position.route, *guess])
    state = State(
        options=options,
        drawn=True,
        frames=dict(sorted(position.frames.items())),
        frame=position.frame,
        figures={figure: position.figures[figure] for figure in FIGURES if figure in position.figures},
        shown="showing" if position.max.shown else "",
        x2=cards.x2,
        pause=cards.pause,
        doors_left=options.door_uses if cards.door else 0,
        locked=position.locked,
        holder=cards.trap if isinstance(cards.trap, str) else None,
        trap=position.trap,
        guess=position.guess,
    )
    state = _with_max(state, position.max.room, position.route, as_set(position.visited))
    state = replace(state, acted=_acted_before(state, position.to_act))
    return resume(state, position.phase, position.to_act)[0]


def _check_rooms(rooms: Iterable[RouteStep]) -> None:
    """No number that no castle has; whether this castle has it is a question for later."""
    strange = tuple(sorted({room for room in rooms if room != "pause" and room not in ROOMS}))
    if strange:
        raise Illegal("canterville.no_such_room", rule="GJ-1", room=strange)


def _with_max(state: State, room: int, route: list[RouteStep], visited: int) -> State:
    """Max as he is told to be. A route is known to all if his figure stands on the board, or to nobody."""
    steps = tuple(PAUSE if step == "pause" else int(step) for step in route)
    if not state.shown or room_of(steps) != room:
        steps = (room,)
    opened = len(steps) if state.shown else 0
    return replace(state, route=steps, visited=visited, open=opened, news=0, pause_open=state.pause)


def resume(state: State, phase: str, to_act: list[Seat]) -> Step:
    """Go on from a table as it stands: all its problems at once, or its end, or the turn that is due."""
    acted = state.acted if phase == "hunters" else ()
    state = replace(state, phase=phase, acted=acted, result=None, caught_by=None, doubt=None)
    wrong = (*problems(state), *_turn_problems(state, phase, to_act))
    if wrong:
        raise Illegal("canterville.cannot_be", problems=wrong)
    state = replace(state, facts=_facts(state))
    if not animals_left(state):
        return rounds.end(state, Result("max", "last_animal"))
    match phase:
        case "framing":
            return rounds.framing(state)
        case "max":
            return rounds.max_turn(state)
    return rounds.hunters_turn(state)


def _facts(state: State) -> tuple[Fact, ...]:
    """Where knowledge starts: everything told is known, but for the room of a Max out of sight."""
    before = state.facts[0] if state.facts else None
    first = known(state, before.chapter + 1 if isinstance(before, Known) else 1)
    if state.shown:
        return (first,)
    rooms = tuple(in_set(state.visited & state.options.ways.rooms & ~occupied(state)))
    return (replace(first, route=(), rooms=rooms),)


def _acted_before(state: State, to_act: list[Seat]) -> tuple[Figure, ...]:
    """The figures whose turn in this round is over, if it is the turn of the hunter named."""
    seats = state.options.hunter_seats
    earlier = seats[: seats.index(to_act[0])] if to_act and to_act[0] in seats else ()
    return tuple(figure for seat in earlier for figure in own_figures(state, seat))


def _turn_problems(state: State, phase: str, to_act: list[Seat]) -> Iterator[Saying]:
    """The seat to act must fit the phase, and the frame too."""
    hunters = state.options.hunter_seats
    fitting: dict[str, tuple[Seat, ...]] = {"max": (MAX,), "framing": hunters, "hunters": hunters, "over": ()}
    if animals_left(state) == 0:
        return
    alone = phase != "framing"
    if phase == "over" or not to_act or not set(to_act) <= set(fitting[phase]) or (alone and len(to_act) > 1):
        yield Saying("canterville.whose_turn", seats=fitting[phase] or (MAX, *hunters))
    elif phase == "hunters" and hunter_to_act(state) is None:
        yield Saying("canterville.nobody_left", seat=to_act[0])
    full = state.frame in state.frames and state.frames[state.frame].taken >= state.frames[state.frame].size
    if phase in ("max", "hunters") and (state.frame is None or full):
        yield Saying("canterville.frame_needed")


# What cannot be


def problems(state: State) -> tuple[Saying, ...]:
    """Everything about a table that cannot be, at once."""
    return (*_figure_problems(state), *_max_problems(state), *_frame_problems(state), *_card_problems(state))


def warnings(state: State) -> tuple[Saying, ...]:
    """What is odd about the castle, though it can be played in."""
    castle = castles.find(state.options.castle)
    return castles.check(castle).warnings if castle else ()


def _figure_problems(state: State) -> Iterator[Saying]:
    owned = {figure for figures in dealt(state.options).values() for figure in figures}
    if not state.figures:
        yield Saying("canterville.no_figures")
    for figure, room in state.figures.items():
        if figure not in owned:
            yield Saying("canterville.figure_of_nobody", figure=figure)
        if room is not None and not _in_castle(state, room):
            yield Saying("canterville.no_such_room", room=room)


def _in_castle(state: State, room: int) -> bool:
    return room > 0 and bool(state.options.ways.rooms >> room & 1)


def _max_problems(state: State) -> Iterator[Saying]:
    """Max stands in a room he has visited, and in none with a figure. GJ-22, GJ-33, GJ-34."""
    room = room_of(state.route)
    for stray in in_set(state.visited & ~state.options.ways.rooms):
        yield Saying("canterville.no_such_room", room=stray)
    if room is None:
        return
    if not _in_castle(state, room):
        yield Saying("canterville.no_such_room", room=room)
    elif not state.visited >> room & 1:
        yield Saying("canterville.max_not_visited", room=room)
    if state.result is None and room in state.figures.values():
        yield Saying("canterville.max_with_figure", room=room)
    if as_set(step for step in state.route if step != PAUSE) & ~state.visited:
        yield Saying("canterville.route_not_visited")


def _frame_problems(state: State) -> Iterator[Saying]:
    """A frame holds 1 to 8 animals, and no more are taken than it holds. GJ-3."""
    if state.drawn and not state.frames:
        yield Saying("canterville.no_frames")
    for animal, frame in state.frames.items():
        if not 1 <= frame.size <= 8:
            yield Saying("canterville.frame_size", animal=animal_word(animal), n=frame.size)
        if not 0 <= frame.taken <= frame.size:
            yield Saying(
                "canterville.frame_taken", animal=animal_word(animal), n=frame.taken, size=frame.size
            )
    if state.frame is not None and state.frame not in state.frames:
        yield Saying("canterville.frame_not_used", animal=animal_word(state.frame))


def _card_problems(state: State) -> Iterator[Saying]:
    """At most two x2 and two pauses; a door that has a lock; a trap that lies or is held, not both. GJ-4."""
    if not 0 <= state.x2 <= 2 or not 0 <= state.pause <= 2:
        yield Saying("canterville.too_many_cards")
    if state.locked is not None and state.locked not in state.options.ways.lockable:
        yield Saying("canterville.no_red_door", room=state.locked, rooms=LOCKABLE)
    if state.trap is not None and not _in_castle(state, state.trap):
        yield Saying("canterville.no_such_room", room=state.trap)
    if state.trap is not None and state.holder is not None:
        yield Saying("canterville.trap_twice")


# Repairs by the moderator


def repair(state: State, action: Repair) -> Step:
    """Set facts straight. What was known stays known, unless it is Max's own things that were wrong."""
    if state.phase == "starting":
        raise Illegal("canterville.repair_later", rule="GJ-20")
    fixes = action.set
    _check_rooms(_rooms_in(fixes))
    mended, own = _mended(state, fixes)
    phase = state.phase if fixes.phase is UNSET else fixes.phase
    if fixes.to_act is UNSET:
        to_act = _due(mended, phase)
    else:
        to_act = fixes.to_act
        mended = replace(mended, acted=_acted_before(mended, to_act))
    after, told = resume(mended, phase, to_act)
    if not own and after.result is None:
        after = replace(
            after, facts=(*state.facts, *_looks(state, mended), *after.facts[1:]), news=state.news
        )
    return after, (Repaired(), *told)


def _rooms_in(fixes: Fixes) -> Iterator[RouteStep]:
    yield from _given(fixes.visited, [])
    yield from _given(fixes.route, [])
    yield from _given(fixes.figures, {}).values()
    if fixes.max is not UNSET and fixes.max.room is not UNSET:
        yield fixes.max.room


def _due(state: State, phase: str) -> list[Seat]:
    hunters = list(state.options.hunter_seats)
    due = hunter_to_act(state) if phase == "hunters" else None
    return {"max": [MAX], "framing": hunters, "hunters": [due] if due else hunters[:1]}.get(phase, [])


def _mended(state: State, fixes: Fixes) -> tuple[State, bool]:
    """The state with the fixes in it, and whether they touch what Max keeps to himself."""
    cards, trap = _fixed(_cards(state), fixes.cards), _given(fixes.trap, state.trap)
    options = replace(state.options, chimney=cards.chimney, trap=cards.trap or state.options.trap)
    check(options)
    mended = replace(
        state,
        options=options,
        figures={**state.figures, **_given(fixes.figures, {})},
        frames=dict(sorted({**state.frames, **_given(fixes.frames, {})}.items())),
        frame=_given(fixes.frame, state.frame),
        trap=trap,
        # A trap that lay elsewhere has not shown him.
        shown="" if state.shown == "trap" and trap != state.trap else state.shown,
        locked=_given(fixes.locked, state.locked),
        opening=False,
        x2=cards.x2,
        doors_left=(state.doors_left or 1) if cards.door else 0,
        holder=cards.trap if isinstance(cards.trap, str) else None,
    )
    told = any(fix is not UNSET for fix in (fixes.max, fixes.route, fixes.visited))
    if told or (cards.pause, cards.chimney) != (state.pause, state.options.chimney):
        return _mended_max(replace(mended, pause=cards.pause), fixes), True
    return mended, False


def _mended_max(state: State, fixes: Fixes) -> State:
    """Max's own things set straight."""
    room, shown = room_of(state.route), bool(state.shown)
    if fixes.max is not UNSET:
        room, shown = _given(fixes.max.room, room), _given(fixes.max.shown, shown)
    assert room is not None
    route = _given(fixes.route, list(rounds.spelled(state.route)))
    visited = state.visited | 1 << room if fixes.visited is UNSET else as_set(fixes.visited)
    return _with_max(replace(state, shown="showing" if shown else ""), room, route, visited)


def _cards(state: State) -> CardsLeft:
    return CardsLeft(
        state.x2, state.pause, state.options.chimney, state.doors_left > 0, state.holder or False
    )


def _given(fix: Any, otherwise: Any) -> Any:
    return otherwise if fix is UNSET else fix


def _fixed(cards: CardsLeft, fixes: Any) -> CardsLeft:
    named = {} if fixes is UNSET else {name: fix for name, fix in asdict(fixes).items() if fix is not UNSET}
    return replace(cards, **named)


def _looks(before: State, after: State) -> tuple[Empty, ...]:
    """A figure put in another room tells that Max is not there."""
    moved = in_set(occupied(after) & ~occupied(before))
    return tuple(Empty(room) for room in moved)
