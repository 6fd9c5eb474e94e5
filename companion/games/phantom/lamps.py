"""What the lamps of the hotel show: lines of devastation, the last removal, found ghosts, the damage."""

from __future__ import annotations

from companion.contract import PUBLIC, Seat, View
from companion.games.phantom import map as hunters_map
from companion.games.phantom.board import COLOURS, between, in_set
from companion.games.phantom.play import targets
from companion.games.phantom.state import State, covered
from companion.games.phantom.view import Shows
from companion.picture import STYLES, Effect, Gauge, Glow, Hue, Picture, Pointer, Sketch

GHOST_GLOW: dict[str, Hue] = {"blue": "blue", "red": "red", "green": "green", "white": "white"}


def audience(state: State, peek: Seat | None = None) -> Seat:
    """Whose view the shared lamps show.

    The public's, but for the mover's in a learning game, and a master's who holds PEEK in his own turn
    while the hunters' eyes are closed.
    """
    if state.phase != "playing" or state.movers[0] not in state.masters:
        return PUBLIC
    mover = state.movers[0]
    if state.options.privacy == "learning":
        return mover
    return mover if state.options.privacy == "eyes_closed" and peek == mover else PUBLIC


def picture(view: View, pointer: Pointer | None = None) -> Picture:
    """The lamps for the audience of a view. What is marked later outshines what was marked before."""
    shows: Shows = view.shows
    known: State = view.knows
    aims, gaps = _true_lines(shows, known)
    sketch = Sketch()
    if shows.build is not None:
        sketch.mark(shows.build.room, "next")
    _mark_map(sketch, shows, known)
    sketch.mark_all(gaps, "line")
    if pointer is not None:
        sketch.mark_all(in_set(between(pointer.room, covered(known))), "line")
    _mark_last(sketch, shows, known)
    _mark_ghosts(sketch, shows)
    if pointer is not None:
        sketch.mark_all(in_set(known.options.reaches(pointer.room, covered(known))), "reach")
    sketch.mark_all(aims, "target", STYLES["peek"] if shows.privacy == "eyes_closed" else None)
    if pointer is not None:
        sketch.mark(pointer.room, "chosen" if pointer.chosen else "cursor")
    return sketch.picture({"damage": _damage(shows)}, _turn(shows))


def _true_lines(shows: Shows, known: State) -> tuple[list[int], list[int]]:
    """What the master whose view this is may devastate in his turn, and the empty squares between."""
    if shows.seat not in shows.to_act or shows.phase != "playing" or shows.seat not in known.masters:
        return [], []
    mine = [g.room for g in shows.ghosts.values() if g.owner == shows.seat and g.room and not g.revealed]
    if not mine:
        return [], []
    gaps = 0
    for room in mine:
        gaps |= between(room, known.tiles)
    return list(in_set(targets(known, shows.seat))), list(in_set(gaps))


def _mark_map(sketch: Sketch, shows: Shows, known: State) -> None:
    """The rooms where a ghost can be, if the table plays with the map; brighter where one is likely."""
    if known.options.map == "off" or shows.phase != "playing":
        return
    odds = hunters_map.odds(known, "careful" if known.options.map == "likely" else "uniform")
    for room in odds.possible:
        level = 0.05 + 0.95 * odds.rooms[room] if known.options.map == "likely" else STYLES["possible"].level
        sketch.mark(room, "possible", Glow("ecto", level=round(level, 2)))


def _mark_last(sketch: Sketch, shows: Shows, known: State) -> None:
    """The room just emptied and, after a devastation, the rooms it can have come from."""
    if not shows.removed:
        return
    last = shows.removed[-1]
    if last.by in known.masters:
        sketch.mark_all(origins(known, last.room), "origin")
    sketch.mark(last.room, "last")


def _mark_ghosts(sketch: Sketch, shows: Shows) -> None:
    """Found ghosts in their colour, the newest pulsing; at the end all four, pulsing if the hunters won."""
    won = shows.result is not None and shows.result.winner == "hunters"
    newest = shows.removed[-1].room if shows.removed else None
    for colour in COLOURS:
        ghost = shows.ghosts[colour]
        if ghost.room is None or not (ghost.revealed or shows.result):
            continue
        lively = won or ghost.room == newest
        effect: Effect = "pulse" if lively else "steady"
        mark = "revealed" if ghost.revealed else "hidden"
        sketch.mark(ghost.room, mark, Glow(GHOST_GLOW[colour], effect, 1.0 if lively else 0.4))


def origins(known: State, room: int) -> list[int]:
    """From where an emptied room can have been reached; a found ghost's colour hides nobody. PS-52, PS-72."""
    cleared = [colour for colour in COLOURS if known.ghosts[COLOURS.index(colour)].revealed]
    seen = known.options.reaches(room, covered(known))
    return [r for r in in_set(seen) if (tile := known.laid[r]) and tile.colour not in cleared]


def _damage(shows: Shows) -> Gauge:
    """The damage total towards the objective, with what the last removal added. PS-80."""
    fresh = 0
    if shows.removed and shows.removed[-1].ghost is None and shows.asking is None:
        fresh = shows.removed[-1].value
    won = shows.result is not None and shows.result.winner == "ghosts"
    return Gauge(shows.damage, shows.objective, fresh, won)


def _turn(shows: Shows) -> dict[str, Glow]:
    """One lamp a seat: those to act pulse. While ghosts hide, nobody is pointed at."""
    return {
        seat: Glow("warm", "pulse") if seat in shows.to_act else Glow("warm", level=0.1)
        for seat in shows.roles
    }
