"""A real box that nobody has counted: its numbers are a guess, and give way to what turns up. CFA-2, CFA-3.

Only the sums are known, so whatever is told of a real pile is right. What the guess has none left of comes in
place of something it has most of, and the table hears that there is more of it than we thought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, count
from typing import Any

from msgspec.structs import replace

from companion.contract import Told
from companion.games.artefacts.box import Box, Deck, Lot, tiles_of
from companion.games.artefacts.events import Surprise
from companion.games.artefacts.manor import ROUND, Colour, Kind, Tile, rotations, shape
from companion.games.artefacts.options import Options
from companion.games.artefacts.state import State
from companion.games.artefacts.stock import more

KINDS: tuple[Kind, ...] = ("ghost", "plain", "teleporter", "trap")
"""The kinds of which nobody knows how many there are; of artefacts there is one in each colour. CFA-2."""
EXITS = tuple("".join(sides) for n in range(1, 5) for sides in combinations(ROUND, n))


def counted(state: State, deck: Deck) -> State:
    """A real pile that has been gone through is known from now on."""
    if not state.options.uncounted(deck):
        return state
    box = state.options.box
    return _with_box(state, replace(box, unknown=tuple(each for each in box.unknown if each != deck)))


def _with_box(state: State, box: Box) -> State:
    return replace(state, options=replace(state.options, box=box))


# Cards


def make_room(state: State, deck: Deck, card: str, told: list[Told]) -> State:
    """A pile in which this card can be: where nobody has counted, one that it has most of makes room."""
    left: dict[str, int] = getattr(state, deck)
    if left.get(card) or not left or not state.options.uncounted(deck):
        return state
    most = max(sorted(left), key=lambda each: left[each])
    told.append(Surprise(deck, card))
    box = state.options.box
    numbers = more(more(getattr(box, deck), card), most, -1)
    state = _with_box(state, replace(box, **{deck: numbers}))
    return replace(state, **{deck: more(more(left, card), most, -1)})


def holding(options: Options, objects: Mapping[Any, int], traps: Mapping[Any, int]) -> Options:
    """Options whose box has at least these cards, where nobody has counted it and the sum allows it."""
    box = options.box
    seen: tuple[tuple[Deck, Mapping[Any, int]], ...] = (("objects", objects), ("traps", traps))
    for deck, cards in seen:
        if options.uncounted(deck):
            box = replace(box, **{deck: _stretched(getattr(box, deck), cards)})
    return replace(options, box=box)


def _stretched(numbers: dict[str, int], seen: Mapping[str, int]) -> dict[str, int]:
    """The numbers with at least what was seen; whatever is unseen most often gives way."""
    found = Counter(numbers)
    for card in sorted(seen):
        while found[card] < seen[card]:
            most = max(sorted(found), key=lambda each: found[each] - seen.get(each, 0))
            if found[most] <= seen.get(most, 0):
                return numbers
            found[card] += 1
            found[most] -= 1
    return dict(found)


# Tiles

Sort = tuple[str, str | None, str]
"""What makes two tiles the same: kind, colour, and exits, as far as turning does not change them."""


def sort_of(options: Options, tile: Tile | Lot) -> Sort:
    """The sort of a tile."""
    return tile.kind, tile.colour, shape(tile.exits) if options.rotation else tile.exits


def strangers(state: State, pool: list[str], known: Mapping[Sort, Tile]) -> Iterator[Tile]:
    """One tile of each sort that the guess has none left of, and that may turn up all the same."""
    tiles = tiles_of(state.options.box)
    colours = {colour for id in pool if (colour := tiles[id].colour) is not None}
    kinds = KINDS if state.phase != "drafting" else tuple(kind for kind in KINDS if kind != "ghost")
    plain = kinds if any(tiles[id].kind != "artefact" for id in pool) else ()
    looks = EXITS if not state.options.rotation else tuple(each for each in EXITS if each == shape(each))
    for kind, colour in [
        *((kind, None) for kind in plain),
        *(("artefact", each) for each in sorted(colours)),
    ]:
        for exits in looks:
            tile = Tile("", kind, colour, exits)
            if sort_of(state.options, tile) not in known:
                yield replace(tile, id=_free_name(state, tile))


def _free_name(state: State, tile: Tile) -> str:
    """A name for one more tile of a sort, as its box would call it."""
    lot = _lot_like(state.options, tile)
    kind, colour, exits = sort_of(state.options, tile)
    name = "-".join(filter(None, (kind, colour, lot.exits if lot else exits)))
    taken = {*state.pile, *state.discarded, *state.aside}
    taken |= {each.id for each in state.manor} | {each.id for each in state.open}
    taken |= {each.id for tiles in state.held.values() for each in tiles}
    return next(id for n in count(1) if (id := f"{name}-{n}") not in taken)


def with_first_tiles(options: Options) -> Options:
    """Options whose box has the four-exit tiles that hunters say they begin with, in place of plain ones."""
    lots = Counter[tuple[Kind, str, Colour | None]]()
    for lot in options.box.tiles:
        lots[lot.kind, lot.exits, lot.colour] += lot.count
    for kind, n in Counter(options.first_tiles.values()).items():
        short = max(0, n - lots[kind, ROUND, None])
        if kind != "plain" and options.uncounted("tiles") and short <= lots["plain", ROUND, None]:
            lots[kind, ROUND, None] += short
            lots["plain", ROUND, None] -= short
    tiles = tuple(Lot(kind, exits, n, colour) for (kind, exits, colour), n in lots.items())
    return replace(options, box=replace(options.box, tiles=tiles)) if options.first_tiles else options


def _lot_like(options: Options, tile: Tile) -> Lot | None:
    sort = sort_of(options, tile)
    return next((lot for lot in options.box.tiles if sort_of(options, lot) == sort), None)


def take_in(state: State, pool: list[str], tile: Tile, told: list[Told]) -> State:
    """A pile with one such tile in it: the guess has one fewer of the tile that stood for it."""
    options, tiles = state.options, tiles_of(state.options.box)
    told.append(Surprise("tiles", tile.kind))
    often = Counter(sort_of(options, tiles[id]) for id in pool)

    def likeness(id: str) -> tuple[bool, bool, int]:
        other = tiles[id]
        same = other.kind == tile.kind and other.colour == tile.colour
        return same, other.kind != "artefact", often[sort_of(options, other)]

    out = tiles[max(pool, key=likeness)]
    lots = list(options.box.tiles)
    given = next(lot for lot in reversed(lots) if _named_alike(lot, out) and lot.count)
    lots[lots.index(given)] = replace(given, count=given.count - 1)
    last = f"{out.id.rpartition('-')[0]}-{sum(lot.count for lot in lots if _named_alike(lot, out)) + 1}"
    like = _lot_like(options, tile)
    if like is None:
        lots.append(Lot(tile.kind, sort_of(options, tile)[2], 1, tile.colour))
    else:
        found = next(lot for lot in lots if sort_of(options, lot) == sort_of(options, tile))
        lots[lots.index(found)] = replace(found, count=found.count + 1)
    gone = last if last in state.pile else out.id
    pile = sorted((*(id for id in state.pile if id != gone), _free_name(state, tile)))
    return replace(_with_box(state, replace(options.box, tiles=tuple(lots))), pile=tuple(pile))


def _named_alike(lot: Lot, tile: Tile) -> bool:
    return (lot.kind, lot.colour, lot.exits) == (tile.kind, tile.colour, tile.exits)


def all_ways(tile: Tile, options: Options) -> tuple[str, ...]:
    """The exits of a tile in every way it can be held when it is told. CFA-Q12."""
    return rotations(tile.exits) if options.rotation else (tile.exits,)
