"""A template in true size for the base board: lamp centres, reeds and magnets, walls to cut, the chain's way.

The size comes from the real board: its width divided by its columns is the side of a room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from companion.refusals import Illegal
from companion.words import say
from hardware import names
from hardware.arrangement import lamp_of_room
from hardware.kits import Kit, Strip
from hardware.paper import Circle, Drawing, Line, Shape, Words

EDGE = 5.0
"""Millimetres around everything, for the title and for cutting."""
LAMP_RADIUS, MAGNET_RADIUS = 5.0, 4.0
"""A WS2812B on its round board or strip is 10 mm wide; the magnets are discs of 8 mm."""
REED, REED_HIGH, BESIDE = 14.0, 2.5, 7.0
"""The glass of a reed is 14 mm long. A disc whose poles are its faces closes it from beside its middle, not
from over it: so the magnet lies over one end of the glass."""
HALL, HALL_HIGH = 4.0, 3.2
"""A hall switch (TO-92) is 4 × 3.2 mm, and wants the magnet right above it."""
GAUGE_PITCH = 1000 / 60
"""Millimetres from lamp to lamp on a strip of sixty a metre."""
STRIPS = 180.0
"""Strips without a board are no wider than one page."""
PAST = 8.0
"""How far beside the sensor's middle the chain passes it."""
LEGEND_STEP, SAMPLE = 13.0, 24.0
"""Millimetres from one line of the legend to the next, and what each sample has for itself."""
SMALLEST = 30.0
"""Millimetres: lamp, reed and magnet need so much of a room."""


def template(kit: Kit, width: float, language: str = "en") -> Drawing:
    """The template of a kit for a real board of this width in millimetres."""
    kit = kit.fitted(kit.grid)
    pitch = width / kit.grid.columns
    if kit.has_rooms and pitch < SMALLEST:
        raise Illegal("hardware.too_small", pitch=round(pitch, 1), least=SMALLEST)
    if not kit.has_rooms:
        width = min(width, STRIPS)
    shapes: list[Shape] = []
    bottom = EDGE
    if kit.has_rooms:
        shapes += _rooms(kit, pitch)
        bottom += kit.grid.rows * pitch
    for strip in kit.strips:
        if strip.shows != "rooms":
            row = list(_row(strip, width, bottom + 16, language))
            shapes += row
            bottom = max(shape.y for shape in row if isinstance(shape, Circle)) + LAMP_RADIUS
    shapes += _data_in(kit, shapes, language)
    shapes += _rule(bottom + 16, language)
    legend = list(_legend(kit, bottom + 30, language))
    shapes += legend
    facts = {"kit": kit.name, "width": width, "pitch": round(pitch, 2)}
    title = say("hardware.template_title", language, **facts) if kit.has_rooms else kit.name
    shapes.append(Words(EDGE, EDGE / 2, 3.5, title, begins=True))
    foot = max(shape.y for shape in legend if isinstance(shape, Words)) + LEGEND_STEP
    return Drawing(width + 2 * EDGE, foot, shapes)


def lamp_place(kit: Kit, room: int, pitch: float) -> tuple[float, float]:
    """The centre of a room's lamp: the room's own, or below it where a reed lies above."""
    row, column = divmod(room - 1, kit.grid.columns)
    below = 0.2 * pitch if kit.senses_tiles else 0.0
    return EDGE + (column + 0.5) * pitch, EDGE + (row + 0.5) * pitch + below


def _rooms(kit: Kit, pitch: float) -> Iterator[Shape]:
    wide, high = kit.grid.columns * pitch, kit.grid.rows * pitch
    for column in range(kit.grid.columns + 1):
        x, outer = EDGE + column * pitch, column in (0, kit.grid.columns)
        yield Line(x, EDGE, x, EDGE + high, "cut" if outer else "fold")
    for row in range(kit.grid.rows + 1):
        y, outer = EDGE + row * pitch, row in (0, kit.grid.rows)
        yield Line(EDGE, y, EDGE + wide, y, "cut" if outer else "fold")
    lamps = lamp_of_room(kit)
    for room in kit.grid.rooms:
        yield from _room(kit, room, lamps[room], pitch)
    along = sorted(lamps, key=lambda room: lamps[room])
    for room, following in pairwise(along):
        start, end = lamp_place(kit, room, pitch), lamp_place(kit, following, pitch)
        if kit.senses_tiles and start[0] == end[0]:
            yield from _past_the_sensor(*start, end[1])
        else:
            yield from _arrow(*start, *end)


def _room(kit: Kit, room: int, lamp: int, pitch: float) -> Iterator[Shape]:
    row, column = divmod(room - 1, kit.grid.columns)
    left, top = EDGE + column * pitch, EDGE + row * pitch
    yield Words(left + 3.5, top + 4.5, 4, str(room))
    x, y = lamp_place(kit, room, pitch)
    yield from _lamp(x, y, lamp)
    if kit.senses_tiles:
        middle, level = left + pitch / 2, top + 0.28 * pitch
        yield Circle(middle, level, MAGNET_RADIUS, "magnet", f"magnet {room}")
        if kit.expander and kit.expander.sensor == "hall":
            yield from _body(middle, level, HALL, HALL_HIGH, f"hall {room}")
        else:
            yield from _body(middle + BESIDE, level, REED, REED_HIGH, f"reed {room}")


def _body(x: float, y: float, wide: float, high: float, name: str) -> Iterator[Shape]:
    """The outline of a sensor, with its middle marked."""
    left, right, upper, lower = x - wide / 2, x + wide / 2, y - high / 2, y + high / 2
    for level in (upper, lower):
        yield Line(left, level, right, level, "reed")
    for side in (left, right):
        yield Line(side, upper, side, lower, "reed")
    yield Circle(x, y, 0.4, "reed", name)


def _lamp(x: float, y: float, number: int) -> Iterator[Shape]:
    yield Circle(x, y, LAMP_RADIUS, "lamp", f"lamp {number}")
    yield Line(x - 2, y, x + 2, y, "lamp")
    yield Line(x, y - 2, x, y + 2, "lamp")
    # Below at the right: neither the way along the row nor the one to the next row passes there.
    yield Words(x + LAMP_RADIUS + 1, y + LAMP_RADIUS, 2.6, str(number))


def _arrow(x: float, y: float, to_x: float, to_y: float) -> Iterator[Shape]:
    """From the edge of one lamp to the edge of the next, with a head."""
    long = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    if long <= 2 * LAMP_RADIUS:
        return
    along, across = (to_x - x) / long, (to_y - y) / long
    start = (x + along * LAMP_RADIUS, y + across * LAMP_RADIUS)
    end = (to_x - along * LAMP_RADIUS, to_y - across * LAMP_RADIUS)
    yield Line(*start, *end, "chain")
    for side in (1, -1):
        yield Line(
            *end,
            end[0] - 2.5 * along - side * 1.2 * across,
            end[1] - 2.5 * across + side * 1.2 * along,
            "chain",
        )


def _past_the_sensor(x: float, y: float, to_y: float) -> Iterator[Shape]:
    """To the lamp of the next row, at the left of magnet and sensor."""
    aside, down, edge = x - PAST, 1 if to_y > y else -1, LAMP_RADIUS * 2**-0.5
    yield Line(x - edge, y + down * edge, aside, y + down * PAST, "chain")
    yield Line(aside, y + down * PAST, aside, to_y - down * PAST, "chain")
    yield from _arrow(aside - edge, to_y - down * (PAST + edge), x, to_y)


def _row(strip: Strip, width: float, top: float, language: str) -> Iterator[Shape]:
    """A gauge or the seats, from a strip of sixty a metre, in as many lines as it takes."""
    line = max(1, int(width / GAUGE_PITCH))
    facts = {"strip": names.strip(strip), "first": strip.first, "last": strip.end - 1}
    yield Words(EDGE + 3, top - 9.5, 3.5, say("hardware.template_strip", language, **facts), begins=True)
    for number in range(strip.lamps or 0):
        row, column = divmod(number, line)
        x, y = EDGE + GAUGE_PITCH / 2 + column * GAUGE_PITCH, top + row * GAUGE_PITCH
        yield from _lamp(x, y, (strip.first or 0) + number)


def _rule(y: float, language: str) -> Iterator[Shape]:
    """A hundred millimetres, to see whether the printer kept to them."""
    yield Line(EDGE, y, EDGE + 100, y, "mark")
    for x in (EDGE, EDGE + 100):
        yield Line(x, y - 2, x, y + 2, "mark")
    yield Words(EDGE + 50, y + 5, 3, say("hardware.template_rule", language))


def _data_in(kit: Kit, shapes: Sequence[Shape], language: str) -> Iterator[Shape]:
    """An arrow to the lamp at which each chain begins, on the side where the chain does not go on."""
    places = {shape.name: (shape.x, shape.y) for shape in shapes if isinstance(shape, Circle)}
    for first in (0, *([kit.second_chain.first] if kit.second_chain else [])):
        here, following = places.get(f"lamp {first}"), places.get(f"lamp {first + 1}")
        if here is None:
            continue
        goes_left = following is not None and following[0] < here[0]
        # Where it goes on downwards it passes at the left.
        below = following is not None and abs(following[0] - here[0]) < 1
        yield from _data_arrow(*here, 1 if goes_left or below else -1, language)


def _data_arrow(x: float, y: float, side: int, language: str) -> Iterator[Shape]:
    yield from _arrow(x + side * (2 * LAMP_RADIUS + 6), y, x, y)
    # Above the lamp's circle; at the left of a strip there is little paper left.
    middle = max(x + side * (LAMP_RADIUS + 4), 6.5)
    yield Words(middle, y - LAMP_RADIUS - 1.2, 2.6, say("hardware.template_data", language))


def _legend(kit: Kit, top: float, language: str) -> Iterator[Shape]:
    """What each sign stands for, each with a sample of it; only those that this template has."""
    for number, sign in enumerate(_signs(kit)):
        y = top + number * LEGEND_STEP
        yield from _sample(sign, EDGE + SAMPLE / 2, y, language)
        yield Words(EDGE + SAMPLE + 3, y, 3.5, say(f"hardware.legend_{sign}", language), begins=True)


def _signs(kit: Kit) -> Iterator[str]:
    yield from ("lamp", "data")
    if kit.has_rooms:
        yield from ("chain", "cut", "fold")
    if kit.has_rooms and kit.senses_tiles:
        halls = kit.expander is not None and kit.expander.sensor == "hall"
        yield from ("magnet", "hall" if halls else "reed")


def _sample(sign: str, x: float, y: float, language: str) -> Iterator[Shape]:
    """One sign around a point, without a name: it is no part of the board."""
    match sign:
        case "lamp":
            yield Circle(x, y, LAMP_RADIUS, "lamp")
            yield Line(x - 2, y, x + 2, y, "lamp")
            yield Line(x, y - 2, x, y + 2, "lamp")
        case "data":
            yield from _data_arrow(x + LAMP_RADIUS + 2, y, -1, language)
        case "chain":
            yield from _arrow(x - 12, y, x + 12, y)
        case "magnet":
            yield Circle(x, y, MAGNET_RADIUS, "magnet")
        case "reed":
            yield from _body(x, y, REED, REED_HIGH, "")
        case "hall":
            yield from _body(x, y, HALL, HALL_HIGH, "")
        case "cut" | "fold":
            yield Line(x - 8, y, x + 8, y, "cut" if sign == "cut" else "fold")
