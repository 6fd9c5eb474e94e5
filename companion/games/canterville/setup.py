"""Before the hunt: the frames, the figures, Max's first room. GJ-11 to GJ-23."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from msgspec.structs import replace

from companion.contract import Action, Seat, Told
from companion.games.canterville import rounds
from companion.games.canterville.actions import (
    Drawn,
    Frame,
    FrameAt,
    FrameChosen,
    FramesDrawn,
    Start,
    Started,
)
from companion.games.canterville.castle import in_set
from companion.games.canterville.options import (
    FRAMES_USED,
    MAX,
    Animal,
    Figure,
    Options,
    animal_word,
    check,
    dealt,
    frame_sizes,
    settled,
)
from companion.games.canterville.state import State, known, occupied, own_figures
from companion.games.canterville.turns import unplaced
from companion.refusals import Illegal

Step = tuple[State, tuple[Told, ...]]


def start(options: Options) -> State:
    """A table with its options agreed. The frames are there, unless chance draws them. GJ-11, GJ-12."""
    options = settled(options)
    check(options)
    sizes = frame_sizes(options)
    state = with_cards(State(options))
    figures: dict[Figure, int | None] = {f: None for own in dealt(options).values() for f in own}
    state = replace(state, figures=figures)
    if len(sizes) > frames_needed(state):
        return state
    return with_frames(state, tuple(sizes))


def with_cards(state: State) -> State:
    """Deal the special cards. GJ-15, GJ-16, GJ-52."""
    options = state.options
    return replace(
        state,
        x2=options.x2,
        pause=options.pause,
        pause_open=options.pause,
        doors_left=options.door_uses if options.door else 0,
        holder=options.trap if isinstance(options.trap, str) else None,
    )


# The frames


def frames_needed(state: State) -> int:
    """How many frames are played with. GJ-11 to GJ-14."""
    return FRAMES_USED[len(state.options.hunter_seats)]


def with_frames(state: State, animals: tuple[Animal, ...]) -> State:
    """The animals of these frames stand around the castle. GJ-20."""
    sizes = frame_sizes(state.options)
    return replace(
        state, drawn=True, frames={animal: FrameAt(sizes[animal], 0) for animal in sorted(animals)}
    )


def legal_draws(state: State) -> list[Drawn]:
    """Every set of frames that can be drawn. GJ-11, GJ-13, GJ-Q11."""
    return [Drawn(frames) for frames in combinations(frame_sizes(state.options), frames_needed(state))]


def draw(state: State, chance: Random) -> Drawn:
    """Draw the frames to play with."""
    return chance.choice(legal_draws(state))


def take_frames(state: State, action: Drawn) -> Step:
    """Chance has drawn the frames. GJ-11, GJ-13."""
    if action not in legal_draws(state):
        animals = tuple(animal_word(animal) for animal in frame_sizes(state.options))
        raise Illegal("canterville.drawn", rule="GJ-11", n=frames_needed(state), animals=animals)
    return with_frames(state, action.frames), (FramesDrawn(action.frames),)


# The first rooms


def legal_starts(state: State, seat: Seat) -> Iterator[Action]:
    """Any room for a figure, any room without a figure for Max. GJ-21, GJ-22."""
    rooms = state.options.ways.rooms
    if seat == MAX:
        yield from (Start(room) for room in in_set(rooms & ~occupied(state)))
    else:
        yield from (Start(room, figure) for room in in_set(rooms) for figure in unplaced(state, seat))


def place(state: State, seat: Seat, action: Start) -> Step:
    """A figure, or Max, takes its first room. GJ-21, GJ-22, GJ-Q13, GJ-Q14."""
    room, figure = action.room, action.figure
    if not state.options.ways.has(room):
        raise Illegal("canterville.no_such_room", rule="GJ-1", room=room)
    told = (Started(seat, figure, room),)
    if seat == MAX:
        return _place_max(state, action, told)
    if figure is None:
        raise Illegal("canterville.which_figure", rule="GJ-21", figures=tuple(unplaced(state, seat)))
    if figure not in own_figures(state, seat):
        raise Illegal("canterville.not_your_figure", rule="GJ-21", figure=figure)
    if figure not in unplaced(state, seat):
        raise Illegal("canterville.placed_already", rule="GJ-21", figure=figure)
    return replace(state, figures={**state.figures, figure: room}), told


def _place_max(state: State, action: Start, told: tuple[Told, ...]) -> Step:
    room = action.room
    if action.figure is not None:
        raise Illegal("canterville.not_your_figure", rule="GJ-22", figure=action.figure)
    if occupied(state) >> room & 1:
        raise Illegal("canterville.figure_there", rule="GJ-22", room=room)
    state = replace(state, route=(room,), visited=1 << room, open=1, shown="showing")
    return rounds.framing(replace(state, facts=(known(state),)), told)


# The current frame


def open_frames(state: State) -> list[Animal]:
    """The frames that are not full yet."""
    return [animal for animal, frame in state.frames.items() if frame.taken < frame.size]


def legal_frames(state: State) -> list[Frame]:
    """Every frame that can be chosen. GJ-23."""
    return [Frame(animal) for animal in open_frames(state)]


def choose_frame(state: State, seat: Seat, action: Frame) -> Step:
    """The hunters' choice; the first word counts. GJ-23, GJ-Q10, GJ-Q11."""
    animal = action.animal
    if animal not in state.frames:
        raise Illegal("canterville.frame_not_used", rule="GJ-23", animal=animal_word(animal))
    if animal not in open_frames(state):
        raise Illegal("canterville.frame_full", rule="GJ-60", animal=animal_word(animal))
    return rounds.max_turn(replace(state, frame=animal), (FrameChosen(seat, animal),))
