"""A table told as a position, and a position read as a table: what a view shows can be sent back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from companion.contract import TABLE
from companion.games.artefacts.actions import Entered, Piles, Position
from companion.games.artefacts.box import Box, tiles_of
from companion.games.artefacts.course import OPEN
from companion.games.artefacts.manor import COLOURS, ROUND, Colour, Placed, Tile, shape
from companion.games.artefacts.options import Options
from companion.games.artefacts.state import Artefact, Pending, State, escaped, to_act
from companion.games.artefacts.uncounted import holding
from companion.games.artefacts.view import piles
from companion.refusals import Illegal
from companion.words import Saying

# Reading


def as_entered(options: Options, position: Position) -> State:
    """The state a position tells of, its tiles found in the box."""
    beside, shelf = position.piles, Shelf(options.box)
    held = {colour: position.held.get(colour, ()) for colour in COLOURS}
    seen = [*position.manor, *position.open, *(tile for tiles in held.values() for tile in tiles)]
    shelf.take(*beside.discarded, *beside.aside, *(tile.id for tile in seen if tile.id))
    discarded, aside = (shelf.known(*ids) for ids in (beside.discarded, beside.aside))
    names = shelf.name(seen)
    if shelf.faults:
        raise Illegal("artefacts.cannot_be", problems=tuple(shelf.faults))
    manor = tuple(_placed(tile, next(names)) for tile in position.manor)
    missing = [each for each in COLOURS if each not in position.pawns.keys() & position.life.keys()]
    if missing:
        raise Illegal("artefacts.colours_missing", colours=tuple(missing))
    hands: dict[Colour, tuple[str, ...]] = {
        colour: tuple(sorted(position.hands.get(colour, ()))) for colour in COLOURS
    }
    state = State(
        options=options,
        phase=position.phase,
        round=position.round if position.round is not None else 1,
        leader=position.leader,
        pile=tuple(sorted(shelf.left)),
        aside=aside,
        discarded=discarded,
        open=tuple(_tile(tile, next(names)) for tile in position.open),
        held={c: tuple(_tile(tile, next(names)) for tile in tiles) for c, tiles in held.items()},
        manor=manor,
        pawns={colour: position.pawns[colour] for colour in COLOURS},
        life={colour: position.life[colour] for colour in COLOURS},
        hands=hands,
        ghosts=tuple(sorted(position.ghosts, key=lambda ghost: ghost.id)),
        artefacts={colour: _artefact(position, manor, colour) for colour in COLOURS},
        points=position.points,
        moves=position.moves,
        spent=tuple(sorted(position.spent)),
        moved=position.moved,
        stepping=position.stepping,
        steps=position.steps,
        pending=position.pending,
    )
    return _with_turn(_with_piles(state, beside), position)


def _artefact(position: Position, manor: tuple[Placed, ...], colour: Colour) -> Artefact:
    """As told; where nothing is told it lies on its tile, if that is in the manor. CFA-43, CFA-44."""
    told = position.artefacts.get(colour) or Artefact()
    if told.by is not None or told.home:
        return replace(told, picked=True)
    tiles = (tile.at for tile in manor if tile.kind == "artefact" and tile.colour == colour)
    return told if told.at is not None else Artefact(at=next(tiles, None))


def _with_piles(state: State, beside: Piles) -> State:
    """What is left in the piles: the box without what lies elsewhere. An empty pile is believed."""
    elsewhere = Counter[str](beside.used) + Counter[str](beside.gone)
    for hand in state.hands.values():
        elsewhere.update(hand)
    state = replace(state, options=holding(state.options, elsewhere, beside.sprung))
    box = state.options.box
    objects, traps = _rest(box.objects, elsewhere), _rest(box.traps, beside.sprung)
    gone, sprung = Counter[str](beside.gone), Counter[str](beside.sprung)
    if beside.objects == 0:
        gone, objects = gone + Counter(objects), {}
    if beside.traps == 0:
        sprung, traps = sprung + Counter(traps), {}
    if beside.tiles == 0:
        state = replace(state, pile=(), discarded=(*state.discarded, *state.pile))
    return replace(
        state,
        objects=objects,
        traps=traps,
        used=_counted(beside.used),
        gone=_counted(gone),
        sprung=_counted(sprung),
    )


def _rest(box: Mapping[Any, int], elsewhere: Mapping[Any, int]) -> dict[str, int]:
    """Signed on purpose: fewer than none is a fault, and is reported as one."""
    return _counted({card: n - elsewhere.get(card, 0) for card, n in box.items()})


def _counted(cards: Mapping[Any, int]) -> dict[str, int]:
    return {card: n for card, n in sorted(cards.items()) if n}


def _with_turn(state: State, position: Position) -> State:
    """Whose go it is, and the four tiles to turn up where only that is missing."""
    named = position.active or next((seat for seat in position.to_act if seat in COLOURS), None)
    if state.phase in ("building", "laying", "acting") and named is not None:
        state = replace(state, turn=state.options.clockwise(state.leader).index(named))
    if state.phase != "laying" or state.open:
        return state
    if state.pending is None and position.to_act == (TABLE,) and state.pile:
        return replace(state, pending=Pending("reveal", n=min(OPEN, len(state.pile))))
    # The last tile has been laid, and only the ghost that came of it is still to be put somewhere.
    done = state.pending is not None and state.pending.what == "haunt" and position.active is None
    return replace(state, turn=len(COLOURS)) if done else state


class Shelf:
    """The tiles of a box while a position is read: what lies on the table is not in the pile.

    The table is right. A tile that the profile lacks takes the place of the one most like it.
    """

    def __init__(self, box: Box) -> None:
        self.tiles = tiles_of(box)
        self.left = sorted(self.tiles)
        self.taken = Counter[str]()
        self.faults: list[Saying] = []

    def take(self, *ids: str) -> None:
        """Take tiles that are called by name; each is there once."""
        for id in ids:
            self.taken[id] += 1
            if self.taken[id] == 2:
                self.faults.append(Saying("artefacts.tile_twice", tile=id))
        self.left = [id for id in self.left if id not in self.taken]

    def known(self, *ids: str) -> tuple[str, ...]:
        """The same names where the box has them; one that only another box has stands for one of this."""
        return tuple(id if id in self.tiles else self._stand_in(_by_its_name(id)) for id in ids)

    def name(self, seen: list[Entered]) -> Iterator[str]:
        """The names of tiles: as told, or of one that looks the same. Strangers stand for one of the box."""
        stand_ins = [told.id if told.id in self.tiles else self._stand_in(told) for told in seen]
        return iter([told.id or stand_in or "" for told, stand_in in zip(seen, stand_ins, strict=True)])

    def _stand_in(self, told: Entered) -> str:
        if not self.left:
            self.faults.append(Saying("artefacts.too_many_tiles", n=len(self.tiles)))
            return ""
        found = max(self.left, key=lambda name: _likeness(self.tiles[name], told))
        self.left.remove(found)
        return found


def _by_its_name(id: str) -> Entered:
    """A tile as its name tells it: `trap-NS-2`, `artefact-blue-NES-1`."""
    kind, *rest = id.split("-")
    colour = next((each for each in COLOURS if each in rest), None)
    exits = next((part for part in rest if part and {*part} <= {*ROUND}), ROUND)
    return Entered(kind, exits, colour)  # type: ignore[arg-type]


def _likeness(tile: Tile, told: Entered) -> tuple[bool, bool, bool]:
    """How like a tile of the box is to one that was told: its kind and colour first, then its exits."""
    same = tile.kind == told.kind and tile.colour == told.colour
    # An artefact of the box is given up for nothing else: the game could not be won without it.
    return same, tile.kind != "artefact", shape(tile.exits) == shape(told.exits)


def _tile(told: Entered, name: str) -> Tile:
    return Tile(name, told.kind, told.colour, told.exits)


def _placed(told: Entered, name: str) -> Placed:
    if told.at is None:
        raise Illegal("artefacts.tile_nowhere", tile=name)
    return Placed(name, told.kind, told.colour, told.exits, told.at, told.turn)


# Telling


def position_of(state: State) -> Position:
    """A state told as a position. Full piles are left to be counted from the box."""
    beside = piles(state)
    counts = {name: None if getattr(beside, name) else 0 for name in ("tiles", "objects", "traps")}
    return Position(
        phase=state.phase,  # type: ignore[arg-type]
        to_act=to_act(state),
        open=tuple(map(_told, state.open)),
        manor=tuple(map(_told, state.manor)),
        pawns=state.pawns,
        ghosts=state.ghosts,
        life=state.life,
        hands=state.hands,  # type: ignore[arg-type]
        artefacts={**state.artefacts},
        leader=state.leader,
        points=state.points,
        escaped=escaped(state),
        piles=replace(beside, **counts),
        pending=state.pending,
        active=state.active,
        round=state.round,
        held={colour: tuple(map(_told, tiles)) for colour, tiles in state.held.items()},
        moves=state.moves,
        spent=state.spent,
        moved=state.moved,
        stepping=state.stepping,
        steps=state.steps,
        result=state.result,
    )


def _told(tile: Tile | Placed) -> Entered:
    at, turn = (tile.at, tile.turn) if isinstance(tile, Placed) else (None, 0)
    return Entered(tile.kind, tile.exits, tile.colour, tile.id, at, turn)
