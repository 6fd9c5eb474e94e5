"""What the lamps of the castle show: figures, Max when he stands there, his trail, reach, trap and door."""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import View
from companion.games.canterville import map as hunters_map
from companion.games.canterville.castle import in_set
from companion.games.canterville.hunt import waiting
from companion.games.canterville.options import MAX
from companion.games.canterville.reach import behind_door, reach
from companion.games.canterville.state import State, animals_left, hunter_to_act
from companion.games.canterville.view import Shows
from companion.picture import STYLES, Gauge, Glow, Picture, Pointer, Sketch

# A figure stands still and bright, one that is to move pulses; what is lit at half lies there; Max blinks,
# for he asks for an answer, unless a choice on the board does: only one thing blinks. The closed door lights
# both its rooms, the trap only one.
FIGURE = Glow("white")
TO_MOVE = Glow("white", "pulse")
TRAIL = Glow("warm", level=0.2)
TRAP = Glow("red", level=0.5)
DOOR = Glow("yellow", level=0.5)
GUESS = Glow("ecto", level=0.5)
LIKELIEST = 0.5
"""How bright the likeliest room is, with the map on `likely`; every possible room is lit at least."""
GHOST = Glow("ecto", "blink")
FOUND = Glow("ecto", "pulse")


def picture(view: View, pointer: Pointer | None = None) -> Picture:
    """The lamps for the audience of a view. A later mark on a room outshines an earlier one."""
    shows: Shows = view.shows
    known: State = view.knows
    sketch = Sketch()
    _mark_reach(sketch, known, pointer)
    _mark_possible(sketch, known)
    _mark_trail(sketch, shows)
    if known.locked is not None:
        sketch.mark_all([known.locked, *in_set(behind_door(known))], "locked", DOOR)
    if known.trap is not None:
        sketch.mark(known.trap, "trap", TRAP)
    if shows.guess is not None:
        sketch.mark(shows.guess, "guess", GUESS)
    _mark_figures(sketch, known)
    if shows.max.shown and shows.max.room is not None:
        asking = pointer is not None and pointer.chosen
        sketch.mark(shows.max.room, "max", FOUND if shows.result or asking else GHOST)
    if pointer is not None:
        if pointer.towards is not None:
            sketch.mark(pointer.towards, "cursor")
        sketch.mark(pointer.room, "chosen" if pointer.chosen else "cursor")
    return sketch.picture(_gauges(shows, known), _turn(shows))


def _mark_possible(sketch: Sketch, known: State) -> None:
    """The hunters' map, if the table plays with it: where Max can be, and the brighter the likelier."""
    if known.options.map == "off" or not hunters_map.drawn(known):
        return
    odds = hunters_map.odds(known, "careful") if known.options.map == "likely" else hunters_map.odds(known)
    least = STYLES["possible"]
    most = max(odds.rooms.values(), default=0.0) or 1.0
    for room in odds.possible:
        share = odds.rooms[room] / most if known.options.map == "likely" else 0.0
        level = least.level + share * (LIKELIEST - least.level)
        sketch.mark(room, "possible", replace(least, level=round(level, 2)))


def _mark_reach(sketch: Sketch, known: State, pointer: Pointer | None) -> None:
    """Where the figures to move can walk, and where one could from the room pointed at. GJ-50."""
    ways = known.options.ways
    if not ways.mapped:
        return
    seat = hunter_to_act(known)
    starts = [known.figures[figure] for figure in waiting(known, seat)] if seat else []
    if pointer is not None and ways.has(pointer.room):
        starts.append(pointer.room)
    for room in starts:
        if room is not None:
            sketch.mark_all(in_set(reach(known, room)), "reach")


def _mark_trail(sketch: Sketch, shows: Shows) -> None:
    """The route that this audience sees."""
    sketch.mark_all([room for room in shows.route if room != "pause"], "trail", TRAIL)


def _mark_figures(sketch: Sketch, known: State) -> None:
    seat = hunter_to_act(known)
    moving = waiting(known, seat) if seat else []
    standing = sorted(known.figures, key=lambda figure: figure in moving)
    for figure in standing:
        room = known.figures[figure]
        if room is not None:
            sketch.mark(room, "figure", TO_MOVE if figure in moving else FIGURE)


def _gauges(shows: Shows, known: State) -> dict[str, Gauge]:
    """The animals left on the board, and those left of the kind that is taken now. GJ-30."""
    every = sum(frame.size for frame in known.frames.values())
    won = shows.result is not None and shows.result.winner == MAX
    gauges = {"animals": Gauge(animals_left(known), every, won=won)}
    if known.frame is not None:
        frame = known.frames[known.frame]
        gauges["frame"] = Gauge(frame.size - frame.taken, frame.size)
    return gauges


def _turn(shows: Shows) -> dict[str, Glow]:
    """One lamp a seat: those to act pulse."""
    return {
        seat: Glow("warm", "pulse") if seat in shows.to_act else Glow("warm", level=0.1)
        for seat in (MAX, *shows.owners)
    }
