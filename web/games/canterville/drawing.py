"""A castle drawn: rooms as a doll's house, doors, ladders and dotted ways, on a sheet as wide as a phone.

A castle's own rectangles say who touches whom; here they are squeezed so that the narrowest room can still
be tapped; where that does not fit, the sheet grows. Borders keep their order, so rooms that touch go on
touching. Without a map it is a number pad, with the rooms where the lamps of the board have them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import msgspec

from companion.games.canterville.castle import ROOMS, Castle, Room, Way

WIDTH = 352.0
THUMB = 44.0
"""How wide and high a room must be at least."""
MARGIN = 2.0
SLIVER = 0.15
"""How much of a narrowest room's width at least lies between two borders."""
ROOF = 40.0
GRASS = 20.0
TALLEST, SHEET = 72.0, 400.0
"""How high a floor is drawn at most, and how high all of them together should be."""
PAD_COLUMNS = 6
FURNITURE = (
    "clock", "bed", "books", "table", "fire", "armour", "bath", "portrait", "plant", "barrel", "chest", "web"
)  # fmt: skip


class Chamber(msgspec.Struct, frozen=True):
    """A room as it is drawn."""

    room: int
    x: float
    y: float
    w: float
    h: float
    name: dict[str, str] = {}

    def __hash__(self) -> int:
        # Enough to tell rooms apart in a cache; equality looks at the name too.
        return hash((self.room, self.x, self.y, self.w, self.h))

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return round(self.x + self.w / 2, 1), round(self.y + self.h / 2, 1)

    @property
    def into(self) -> str:
        """The way of a drawing's origin to its centre: what stands upright in a turned room turns there."""
        return "translate({:g} {:g})".format(*self.middle)

    @property
    def left(self) -> float:
        """Its left wall, seen from its centre."""
        return round(self.x - self.middle[0], 1)

    @property
    def top(self) -> float:
        """Its ceiling, seen from its centre."""
        return round(self.y - self.middle[1], 1)

    def further(self, right: int, down: int) -> str:
        """How much further that corner is once it is turned by a quarter, and as high as it was wide."""
        longer = (self.w - self.h) / 2
        return f"translate({-right * longer:g} {down * longer:g})"

    @property
    def wallpaper(self) -> int:
        """One of five."""
        return self.room * 7 % 5 + 1

    @property
    def furniture(self) -> str:
        """What stands in it."""
        return FURNITURE[self.room * 5 % len(FURNITURE)]


class Drawing(msgspec.Struct, frozen=True):
    """A castle ready to be drawn; the paths are those of an SVG."""

    width: float
    height: float
    chambers: dict[int, Chamber]
    mapped: bool
    roofs: tuple[tuple[float, float, float], ...] = ()
    """Left, foot and width of each tower's roof."""
    battlements: str = ""
    doors: str = ""
    ladders: str = ""
    ways: str = ""

    @property
    def roomy(self) -> bool:
        """Whether it is wider than a phone."""
        return self.width > WIDTH


@lru_cache(maxsize=16)
def drawing(castle: Castle | None) -> Drawing:
    """How a castle is drawn; null is the number pad of a table without a map."""
    placed = _placed(castle)
    across, down = _squeezed(placed, across=True), _squeezed(placed, across=False)
    wide, high = max(across.values()), max(down.values())
    width = max(WIDTH, round(2 * MARGIN + wide * THUMB, 1))
    unit, floor = (width - 2 * MARGIN) / wide, min(TALLEST, max(THUMB, SHEET / high))
    roof = ROOF if castle else 4.0
    chambers = {
        room.room: Chamber(
            room.room,
            round(MARGIN + across[room.x] * unit, 1),
            round(roof + down[room.y] * floor, 1),
            round((across[room.x + room.w] - across[room.x]) * unit, 1),
            round((down[room.y + room.h] - down[room.y]) * floor, 1),
            room.name,
        )
        for room in sorted(placed, key=lambda room: room.room)
    }
    height = round(roof + high * floor + (GRASS if castle else 4.0), 1)
    if castle is None:
        return Drawing(width, height, chambers, False)
    return Drawing(
        width,
        height,
        chambers,
        True,
        _roofs(chambers),
        _battlements(chambers),
        "".join(_door(chambers, way) for way in castle.walks),
        "".join(_ladder(chambers, way) for way in castle.walks),
        "".join(_dotted(chambers, way) for way in castle.walks),
    )


def _placed(castle: Castle | None) -> list[Room]:
    """Every room with a place: its own, or one in rows below the others."""
    rooms = [Room(n) if isinstance(n, int) else n for n in (castle.rooms if castle else ROOMS)]
    placed = [room for room in rooms if room.w > 0 and room.h > 0]
    below = max((room.y + room.h for room in placed), default=0)
    lost = [room for room in rooms if room not in placed]
    return placed + [
        Room(room.room, n % PAD_COLUMNS, below + n // PAD_COLUMNS, 1, 1, room.name)
        for n, room in enumerate(lost)
    ]


def _squeezed(rooms: list[Room], across: bool) -> dict[float, float]:
    """Where each border comes to lie, as near to the first as leaves every room a width of one."""
    spans = [(r.x, r.x + r.w) if across else (r.y, r.y + r.h) for r in rooms]
    borders = sorted({border for span in spans for border in span})
    at = {borders[0]: 0.0}
    for before, border in pairwise(borders):
        needed = [at[start] + 1 for start, end in spans if end == border]
        at[border] = round(max([*needed, at[before] + SLIVER]), 4)
    return at


def _touching(one: Chamber, two: Chamber) -> tuple[str, float, float] | None:
    """Whether two rooms share a wall or a floor, and where the way between them goes."""
    left, right = max(one.x, two.x), min(one.x + one.w, two.x + two.w)
    top, bottom = max(one.y, two.y), min(one.y + one.h, two.y + two.h)
    if abs(right - left) < 0.3 and bottom - top > 1:
        return "wall", round(left, 1), round(bottom, 1)
    if abs(bottom - top) < 0.3 and right - left > 1:
        return "floor", round(left + (right - left) * 0.68, 1), round(top, 1)
    return None


def _door(chambers: dict[int, Chamber], way: Way) -> str:
    match _touching(chambers[way[0]], chambers[way[1]]):
        case "wall", x, y:
            return f"M{x - 3:g} {y - 2:g}v-15a3 3 0 0 1 6 0v15z"
    return ""


def _ladder(chambers: dict[int, Chamber], way: Way) -> str:
    match _touching(chambers[way[0]], chambers[way[1]]):
        case "floor", x, y:
            rungs = "".join(f"M{x - 4:g} {y + step:g}h8" for step in (-15, -9, -3, 3))
            return f"M{x - 4:g} {y - 20:g}v28M{x + 4:g} {y - 20:g}v28{rungs}"
    return ""


def _dotted(chambers: dict[int, Chamber], way: Way) -> str:
    """The white dots of a walking way; where the rooms do not touch, from middle to middle."""
    one, two = chambers[way[0]], chambers[way[1]]
    match _touching(one, two):
        case "wall", x, y:
            return f"M{x - 8:g} {y - 8:g}h16"
        case "floor", x, y:
            return f"M{x:g} {y - 11:g}v16"
    return "M{} {}L{} {}".format(*one.middle, *two.middle)


def threshold(sheet: Drawing, one: int, two: int) -> tuple[float, float]:
    """Where the way between two rooms crosses from one into the other."""
    match _touching(sheet.chambers[one], sheet.chambers[two]):
        case "wall", x, y:
            return x, y - 10
        case "floor", x, y:
            return x, y
    (x1, y1), (x2, y2) = sheet.chambers[one].middle, sheet.chambers[two].middle
    return (x1 + x2) / 2, (y1 + y2) / 2


def _bare_tops(chambers: dict[int, Chamber]) -> list[tuple[float, float, float]]:
    """Left, right and height of every stretch of wall with nothing but sky above it, left to right."""
    edges = sorted({x for c in chambers.values() for x in (c.x, round(c.x + c.w, 1))})
    tops: list[tuple[float, float, float]] = []
    for left, right in pairwise(edges):
        over = [c.y for c in chambers.values() if c.x < right - 0.3 and c.x + c.w > left + 0.3]
        if not over:
            continue
        if tops and tops[-1][1] == left and tops[-1][2] == min(over):
            tops[-1] = (tops[-1][0], right, tops[-1][2])
        else:
            tops.append((left, right, min(over)))
    return tops


def _roofs(chambers: dict[int, Chamber]) -> tuple[tuple[float, float, float], ...]:
    """A pointed roof on the outer rooms of the highest stretch, and on every tower that stands out."""
    tops = _bare_tops(chambers)
    peak = min(y for *_, y in tops)
    ground = max(y for *_, y in tops) + 1
    beside = [ground, *(y for *_, y in tops), ground]
    roofs = [
        (left, y, right - left)
        for n, (left, right, y) in enumerate(tops)
        if right - left < 60 and y < min(beside[n], beside[n + 2])
    ]
    for left, right, y in tops:
        if y == peak and right - left >= 60:
            row = sorted(
                (c for c in chambers.values() if c.y == y and left <= c.x < right), key=lambda c: c.x
            )
            roofs += {(c.x, y, c.w) for c in (row[0], row[len(row) // 2], row[-1])}
    return tuple(sorted((x, y, round(w, 1)) for x, y, w in roofs))


def _battlements(chambers: dict[int, Chamber]) -> str:
    path = ""
    for left, right, y in _bare_tops(chambers):
        teeth = int((right - left) // 12)
        path += f"M{left:g} {y:g}v-9" + "h6v4h6v-4" * teeth + f"H{right:g}V{y:g}z"
    return path
