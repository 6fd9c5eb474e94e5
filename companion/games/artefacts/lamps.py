"""What the lamps show of a manor that has no fixed board: a status strip of gauges and one lamp a seat."""

from __future__ import annotations

from companion.contract import Event, View
from companion.games.artefacts.events import Escaped
from companion.games.artefacts.manor import COLOURS, Colour
from companion.games.artefacts.options import ESCAPES, POINTS, STRONGEST
from companion.games.artefacts.state import State
from companion.games.artefacts.view import Shows
from companion.picture import Gauge, Glow, Hue, Picture, Pointer

HUES: dict[Colour, Hue] = {"blue": "blue", "red": "red", "yellow": "yellow", "green": "green"}


def picture(view: View, pointer: Pointer | None = None) -> Picture:
    """Action points, life of the four, power of each ghost, escapes, artefacts at home; the leader shines."""
    shows: Shows = view.shows
    known: State = view.knows
    won = shows.result is not None and shows.result.winner == "players"
    gauges = {
        "points": Gauge(shows.points + shows.moves, POINTS),
        "escaped": Gauge(shows.escaped, ESCAPES),
        "home": Gauge(sum(each.home for each in shows.artefacts.values()), len(COLOURS), won=won),
    }
    most = known.options.max_life
    gauges |= {f"life.{each}": Gauge(shows.life[each], most, hue=HUES[each]) for each in COLOURS}
    gauges |= {
        f"power.{ghost.id}": Gauge(ghost.power, STRONGEST, hue=HUES[ghost.colour]) for ghost in shows.ghosts
    }
    return Picture(gauges=gauges, seats={colour: seat_glow(shows, colour) for colour in COLOURS})


def gauge_of(step: Event) -> str | None:
    """The gauge to look at while a step of the ghosts is copied, if it is about one of them."""
    if isinstance(step, Escaped):
        return "escaped"
    ghost = getattr(step, "ghost", None)
    return f"power.{ghost}" if ghost else None


def seat_glow(shows: Shows, colour: Colour) -> Glow:
    """A seat to act pulses; the leader is bright, the others dim, the dead dark: never the hue alone."""
    if colour in shows.to_act:
        return Glow(HUES[colour], "pulse")
    if not shows.life[colour]:
        return Glow(HUES[colour], level=0.0)
    return Glow(HUES[colour], level=0.6 if colour == shows.leader else 0.1)
