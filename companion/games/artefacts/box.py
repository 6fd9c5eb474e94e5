"""What is in the box: which tiles with which exits, and how many of each card. CFA-1 to CFA-3.

The numbers were never published, only their sums. A table with a real box writes its own profile; the one
shipped here is invented, says so in its label, and makes a lively game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from companion.games.artefacts.manor import COLOURS, Colour, Exits, Kind, Side, Tile
from companion.refusals import Illegal
from companion.words import Saying

ObjectCard = Literal["vacuum", "crucifix", "chalice", "kit", "energy_bar", "teleportable"]
TrapCard = Literal["hole", "wound", "prankster", "ghost"]
Deck = Literal["tiles", "objects", "traps"]
Count = Annotated[int, msgspec.Meta(ge=0, le=48)]
Cost = Annotated[int, msgspec.Meta(ge=0, le=3)]

OBJECTS: tuple[ObjectCard, ...] = ("vacuum", "crucifix", "chalice", "kit", "energy_bar", "teleportable")
TRAPS: tuple[TrapCard, ...] = ("hole", "wound", "prankster", "ghost")
TILE_SUM, OBJECT_SUM, TRAP_SUM = 48, 31, 12
DICE_A_COLOUR = 2

USUAL_ARMS: dict[Colour, Side] = {"blue": "N", "red": "E", "yellow": "S", "green": "W"}
"""Where each colour's arm points; nobody knows how the cross is printed. CFA-10."""


class Lot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many tiles of the same kind with the same exits."""

    kind: Kind
    exits: Exits
    count: Count = 1
    colour: Colour | None = None


class Costs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Action points each object card costs. CFA-Q2."""

    vacuum: Cost = 0
    crucifix: Cost = 0
    kit: Cost = 1
    chalice: Cost = 1
    energy_bar: Cost = 0
    teleportable: Cost = 1


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A box profile: plain data, sums checked.

    `cost` is printed on the cards, `arms` on the cross, and `seating` is how the colours sit around it,
    clockwise; where the last two are empty they are the usual ones. `unknown` are the piles that nobody has
    counted: their numbers are a guess, and give way to what turns up.
    """

    label: str
    tiles: tuple[Lot, ...]
    objects: dict[ObjectCard, Count]
    traps: dict[TrapCard, Count]
    cost: Costs = Costs()
    arms: dict[Colour, Side] = {}
    seating: tuple[Colour, ...] = ()
    unknown: tuple[Deck, ...] = ()


INVENTED = Box(
    label="invented: the true numbers were never published",
    tiles=(
        Lot("plain", "NESW", 8),
        Lot("plain", "NES", 6),
        Lot("plain", "NS", 3),
        Lot("plain", "NE", 3),
        Lot("trap", "NESW", 3),
        Lot("trap", "NES", 3),
        Lot("trap", "NS", 2),
        Lot("teleporter", "NESW", 3),
        Lot("teleporter", "NES", 2),
        Lot("teleporter", "N", 1),
        Lot("ghost", "NESW", 4),
        Lot("ghost", "NES", 4),
        Lot("ghost", "NE", 2),
        *(Lot("artefact", "NES", 1, colour) for colour in COLOURS),
    ),
    objects={"vacuum": 12, "crucifix": 3, "chalice": 3, "kit": 5, "energy_bar": 4, "teleportable": 4},
    traps={"hole": 3, "wound": 3, "prankster": 3, "ghost": 3},
    unknown=("objects", "tiles", "traps"),
)


def check(box: Box) -> None:
    """Refuse a profile that is no box of this game, with every problem at once. CFA-1, CFA-2."""
    found = tuple(problems(box))
    if found:
        raise Illegal("artefacts.box", rule="CFA-1", problems=found)


def problems(box: Box) -> Iterator[Saying]:
    """Everything about a box that cannot be. CFA-1 to CFA-3, CFA-12."""
    sums = {
        "tiles": (sum(lot.count for lot in box.tiles), TILE_SUM),
        "objects": (sum(box.objects.values()), OBJECT_SUM),
        "traps": (sum(box.traps.values()), TRAP_SUM),
    }
    for what, (n, due) in sums.items():
        if n != due:
            yield Saying(f"artefacts.box_{what}", n=n, due=due)
    painted = Counter(lot.colour for lot in box.tiles for _ in range(lot.count) if lot.kind == "artefact")
    if painted != Counter(COLOURS):
        yield Saying("artefacts.box_artefacts")
    if any(lot.colour is not None for lot in box.tiles if lot.kind != "artefact"):
        yield Saying("artefacts.box_colours")
    if len(four_exits(box)) < len(COLOURS):
        yield Saying("artefacts.box_four_exits")
    if box.arms and not one_arm_each(box.arms):
        yield Saying("artefacts.arms")
    if box.seating and sorted(box.seating) != sorted(COLOURS):
        yield Saying("artefacts.seating")


def one_arm_each(arms: dict[Colour, Side]) -> bool:
    """Whether every colour has an arm of the cross to itself. CFA-10."""
    return len(arms) == len(set(arms.values())) == len(COLOURS)


@lru_cache(maxsize=8)
def _tiles(lots: tuple[Lot, ...]) -> dict[str, Tile]:
    tiles: dict[str, Tile] = {}
    number = Counter[str]()
    for lot in lots:
        name = "-".join(filter(None, (lot.kind, lot.colour, lot.exits)))
        for _ in range(lot.count):
            number[name] += 1
            id = f"{name}-{number[name]}"
            tiles[id] = Tile(id, lot.kind, lot.colour, lot.exits)
    return tiles


def tiles_of(box: Box) -> dict[str, Tile]:
    """Every tile of a box by its id, such as `plain-NESW-1`."""
    return _tiles(box.tiles)


def four_exits(box: Box) -> list[str]:
    """The tiles that can be given out at the start, plain ones first. CFA-12."""
    fitting = [t for t in tiles_of(box).values() if len(t.exits) == 4 and t.kind not in ("ghost", "artefact")]
    return [tile.id for tile in sorted(fitting, key=lambda tile: (tile.kind != "plain", tile.id))]
