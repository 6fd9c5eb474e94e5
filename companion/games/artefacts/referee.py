"""Setting things straight: a game entered midway, everything wrong with a table, the moderator's repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from companion.contract import TABLE, Told
from companion.games.artefacts import fate
from companion.games.artefacts.actions import Entered, Fixes, Piles, Position, Repair, Repaired
from companion.games.artefacts.box import DICE_A_COLOUR, Box, tile_type, tiles_of
from companion.games.artefacts.cards import card_word
from companion.games.artefacts.course import OPEN, SETUP_TILES, go_on
from companion.games.artefacts.laying import colour_word, pool, tile_word
from companion.games.artefacts.manor import COLOURS, OPPOSITE, Colour, Manor, Placed, Tile, quadrant
from companion.games.artefacts.options import HAND, POINTS, STRONGEST, Options, check
from companion.games.artefacts.state import Artefact, Pending, State, escaped, to_act
from companion.games.artefacts.view import piles
from companion.refusals import Illegal
from companion.words import Saying

# A position


def enter(options: Options, position: Position) -> State:
    """A game already under way: its end is judged at once, or the turn goes on."""
    if position.phase != "over":
        return resume(options, position, [])
    state = checked(options, position)
    result = fate.judge(state) or position.result
    if result is None:
        raise Illegal("artefacts.not_over")
    return replace(state, result=result)


def resume(options: Options, position: Position, told: list[Told], check_turn: bool = True) -> State:
    """Go on from a table as it lies."""
    state = go_on(checked(options, position), told)
    if check_turn and state.result is None and set(position.to_act) != set(to_act(state)):
        raise Illegal("artefacts.whose_turn", seats=to_act(state))
    return state


def checked(options: Options, position: Position) -> State:
    """The state a position tells of, or a refusal that names every problem."""
    check(options)
    state = as_entered(options, position)
    found = faults(state)
    if position.escaped != escaped(state):
        found.append(Saying("artefacts.wrong_escaped", told=position.escaped, n=escaped(state)))
    if found:
        raise Illegal("artefacts.cannot_be", problems=tuple(found))
    return state


def as_entered(options: Options, position: Position) -> State:
    """The state a position tells of, its tiles found in the box."""
    shelf = Shelf(options.box)
    manor = tuple(shelf.placed(tile) for tile in position.manor)
    opened = tuple(shelf.tile(tile) for tile in position.open)
    held = {c: tuple(shelf.tile(tile) for tile in position.held.get(c, ())) for c in COLOURS}
    beside = position.piles
    shelf.take(*beside.discarded, *beside.aside)
    if shelf.faults:
        raise Illegal("artefacts.cannot_be", problems=tuple(shelf.faults))
    missing = [colour for colour in COLOURS if not {colour} <= position.pawns.keys() & position.life.keys()]
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
        aside=beside.aside,
        discarded=beside.discarded,
        open=opened,
        held=held,
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
        pending=position.pending,
    )
    return _with_turn(_with_piles(state, beside), position)


def _artefact(position: Position, manor: tuple[Placed, ...], colour: Colour) -> Artefact:
    """As told; where nothing is told it lies on its tile, if that is in the manor. CFA-43."""
    if colour in position.artefacts:
        return position.artefacts[colour]
    tiles = (tile for tile in manor if tile.kind == "artefact" and tile.colour == colour)
    return next((Artefact(at=tile.at) for tile in tiles), Artefact())


def _with_piles(state: State, beside: Piles) -> State:
    """What is left in the piles: the box without what lies elsewhere. An empty pile is believed."""
    box = state.options.box
    elsewhere = Counter[str](beside.used) + Counter[str](beside.gone)
    for hand in state.hands.values():
        elsewhere.update(hand)
    objects, traps = _rest(box.objects, elsewhere), _rest(box.traps, beside.sprung)
    gone, sprung, discarded = Counter[str](beside.gone), Counter[str](beside.sprung), state.discarded
    if beside.objects == 0:
        gone, objects = gone + Counter(objects), {}
    if beside.traps == 0:
        sprung, traps = sprung + Counter(traps), {}
    if beside.tiles == 0:
        state = replace(state, pile=(), discarded=(*discarded, *state.pile))
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
    order = state.options.clockwise(state.leader)
    named = position.active or next((seat for seat in position.to_act if seat in COLOURS), None)
    if state.phase in ("building", "laying", "acting") and named is not None:
        state = replace(state, turn=order.index(named))
    if state.phase != "laying" or state.open:
        return state
    if state.pending is None and position.to_act == (TABLE,) and state.pile:
        return replace(state, pending=Pending("reveal", n=min(OPEN, len(state.pile))))
    return state if position.active or state.pending is None else replace(state, turn=_waiting(state))


def _waiting(state: State) -> int:
    return 0 if state.pending is not None and state.pending.what == "reveal" else len(COLOURS)


class Shelf:
    """The tiles of a box while a position is read: each can be taken once."""

    def __init__(self, box: Box) -> None:
        self.tiles = tiles_of(box)
        self.left = set(self.tiles)
        self.faults: list[Saying] = []

    def take(self, *ids: str) -> None:
        """Take tiles by their ids."""
        for id in ids:
            if id not in self.left:
                known = id in self.tiles
                self.faults.append(Saying(f"artefacts.tile_{'twice' if known else 'unknown'}", tile=id))
            self.left.discard(id)

    def tile(self, told: Entered) -> Tile:
        """The tile that was told: by its id, or any that looks like it."""
        tile = Tile(told.id or "", told.kind, told.colour, told.exits)
        id = told.id or next((each for each in sorted(self.left) if self._like(tile, each)), None)
        if id is None or (id in self.tiles and not self._like(tile, id)):
            self.faults.append(Saying("artefacts.tile_not_left", tile=tile_word(tile), exits=told.exits))
            return tile
        self.take(id)
        return replace(tile, id=id)

    def _like(self, tile: Tile, id: str) -> bool:
        return tile_type(tile) == tile_type(self.tiles[id])

    def placed(self, told: Entered) -> Placed:
        """A tile of the manor."""
        if told.at is None:
            self.faults.append(Saying("artefacts.tile_nowhere", exits=told.exits))
        tile = self.tile(told)
        return Placed(tile.id, tile.kind, tile.colour, told.exits, told.at or (0, 0), told.turn)


# Everything that is wrong


def problems(state: State) -> tuple[Saying, ...]:
    """Everything about a table that cannot be, at once."""
    return (*faults(state), *oddities(state))


def faults(state: State) -> list[Saying]:
    """What the game could not go on with."""
    wrong = [*_misplaced(state), *_ghost_faults(state), *_hunter_faults(state), *_artefact_faults(state)]
    for deck, left in (("card", state.objects), ("trap", state.traps)):
        over = [(card, -n) for card, n in left.items() if n < 0]
        wrong += [Saying("artefacts.too_many", card=card_word(card, deck), n=n) for card, n in over]
    return [*wrong, *_course_faults(state), *(_pending_faults(state, state.pending) if state.pending else ())]


def _misplaced(state: State) -> Iterator[Saying]:
    """Tiles and pawns where none can be."""
    cross, squares = Manor(()).exits, state.plan.exits
    for at, n in Counter(tile.at for tile in state.manor).items():
        if n > 1:
            yield Saying("artefacts.two_tiles", at=at)
        if at in cross:
            yield Saying("artefacts.on_cross", at=at)
    for colour, at in state.pawns.items():
        if at not in squares:
            yield Saying("artefacts.pawn_nowhere", colour=colour_word(colour), at=at)


def _ghost_faults(state: State) -> Iterator[Saying]:
    """A ghost is one of the eight dice, shows 1 to 6 and stands on a tile. CFA-1, CFA-51, CFA-53."""
    dice = {f"{colour}{n}": colour for colour in COLOURS for n in range(1, DICE_A_COLOUR + 1)}
    for id, n in Counter(ghost.id for ghost in state.ghosts).items():
        if n > 1:
            yield Saying("artefacts.ghost_twice", ghost=id)
    for ghost in state.ghosts:
        if dice.get(ghost.id) != ghost.colour:
            yield Saying("artefacts.no_such_die", ghost=ghost.id, colour=colour_word(ghost.colour))
        if not 1 <= ghost.power <= STRONGEST:
            yield Saying("artefacts.wrong_power", ghost=ghost.id, power=ghost.power)
        if ghost.at not in state.plan.exits:
            yield Saying("artefacts.ghost_nowhere", ghost=ghost.id, at=ghost.at)


def _hunter_faults(state: State) -> Iterator[Saying]:
    """Life and hands. CFA-4, CFA-61, CFA-Q32."""
    limit = HAND + (state.pending is not None and state.pending.what == "give")
    for colour in COLOURS:
        life, hand, name = state.life[colour], state.hands[colour], colour_word(colour)
        if not 0 <= life <= state.options.max_life:
            yield Saying("artefacts.wrong_life", colour=name, life=life, most=state.options.max_life)
        if len(hand) > limit:
            yield Saying("artefacts.wrong_hand", colour=name, n=len(hand), most=HAND)
        if life == 0 and hand:
            yield Saying("artefacts.dead_hand", colour=name)


def _artefact_faults(state: State) -> Iterator[Saying]:
    """An artefact comes with its tile, and is then in one place. CFA-43, CFA-44, CFA-Q32."""
    laid = {tile.colour for tile in state.manor if tile.kind == "artefact"}
    for colour in COLOURS:
        each, name = state.artefacts[colour], colour_word(colour)
        places = (each.at is not None) + (each.by is not None) + each.home
        if places != (colour in laid):
            yield Saying("artefacts.artefact_places", colour=name, n=places)
        if each.at is not None and each.at not in state.plan.exits:
            yield Saying("artefacts.artefact_nowhere", colour=name, at=each.at)
        if (each.by is not None or each.home) and not each.picked:
            yield Saying("artefacts.never_picked", colour=name)
        if each.by is not None and state.life[each.by] == 0:
            yield Saying("artefacts.dead_carrier", colour=name, by=colour_word(each.by))


def _course_faults(state: State) -> Iterator[Saying]:
    """What is wrong about the turn. CFA-13, CFA-20, CFA-22."""
    if not 0 <= state.points <= POINTS or state.moves < 0:
        yield Saying("artefacts.wrong_points", points=state.points, most=POINTS)
    if len(state.open) > OPEN or (state.phase == "laying" and len(state.open) + state.turn > OPEN):
        yield Saying("artefacts.wrong_open", n=len(state.open))
    if state.phase == "drafting":
        yield from _draft_faults(state)
    elif state.phase != "building" and any(state.held.values()):
        yield Saying("artefacts.still_held")
    on_the_way = () if state.stepping is None else (state.stepping.ghost,)
    for id in sorted({*state.moved, *on_the_way} - {ghost.id for ghost in state.ghosts}):
        yield Saying("artefacts.no_such_ghost", ghost=id)


def _draft_faults(state: State) -> Iterator[Saying]:
    sizes = [len(tiles) for tiles in state.held.values()]
    behind = sum(size == min(sizes) for size in sizes)
    revealing = state.pending.n if state.pending is not None else 0
    if not 1 <= min(sizes) <= max(sizes) <= SETUP_TILES or max(sizes) - min(sizes) > 1:
        yield Saying("artefacts.wrong_draft")
    elif min(sizes) < SETUP_TILES and len(state.open) + revealing not in (behind, 0):
        yield Saying("artefacts.wrong_open", n=len(state.open))


def _pending_faults(state: State, pending: Pending) -> Iterator[Saying]:
    colour, squares = pending.colour, state.plan.exits
    fits = {
        "reveal": state.phase in ("drafting", "laying") and 1 <= pending.n <= min(OPEN, len(pool(state))),
        "drawn": state.phase == "acting" and colour is not None and any(state.objects.values()),
        "trap": state.phase in ("acting", "ending") and colour is not None,
        "give": colour is not None and bool(state.hands[colour]),
        "fork": state.stepping is not None and pending.ghost == state.stepping.ghost,
        "haunt": colour is not None,
    }
    choice = pending.what in ("fork", "haunt")
    if not fits[pending.what] or (choice and not (pending.options and {*pending.options} <= squares.keys())):
        yield Saying("artefacts.wrong_pending", what=Saying(f"artefacts.pending_{pending.what}"))


def oddities(state: State) -> Iterator[Saying]:
    """What the rules do not allow but a table may have done: the game can go on with it. CFA-31, CFA-33."""
    for at, tile in state.plan.tiles.items():
        for side, there in state.plan.around(at):
            counts = there in state.plan.tiles and at < there
            if counts and (side in tile.exits) != (OPPOSITE[side] in state.plan.exits[there]):
                yield Saying("artefacts.exit_meets_wall", at=at, there=there)
    where = [quadrant(tile.at) for tile in state.manor if tile.kind == "artefact"]
    if None in where:
        yield Saying("artefacts.artefact_on_axis")
    if len(set(where)) < len(where):
        yield Saying("artefacts.artefact_quadrant")


# Repairs by the moderator


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
        artefacts=state.artefacts,
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
        result=state.result,
    )


def _told(tile: Tile | Placed) -> Entered:
    at, turn = (tile.at, tile.turn) if isinstance(tile, Placed) else (None, 0)
    return Entered(tile.kind, tile.exits, tile.colour, tile.id, at, turn)


def repair(state: State, action: Repair, told: list[Told]) -> State:
    """Set facts straight; what is not named stays as it is. The table learns that it happened."""
    fixes = action.set
    if state.phase == "over" and fixes.phase is UNSET:
        raise Illegal("artefacts.repair_phase")
    options = state.options if fixes.box is UNSET else replace(state.options, box=fixes.box)
    position = _mended(position_of(state), fixes)
    told.append(Repaired())
    return resume(options, position, told, check_turn=fixes.to_act is not UNSET)


def _mended(position: Position, fixes: Fixes) -> Position:
    """The position with what the moderator names; of a colour only what is named changes."""
    named: dict[str, Any] = {name: fix for name, fix in asdict(fixes).items() if fix is not UNSET}
    named.pop("box", None)
    for name in ("pawns", "life", "hands", "artefacts", "held"):
        if name in named:
            named[name] = {**getattr(position, name), **named[name]}
    if "to_act" in named:
        named["active"] = next((seat for seat in named["to_act"] if seat in COLOURS), None)
    mended = replace(position, **{**named, "result": None})
    counted = sum(ghost.escaped for ghost in mended.ghosts)
    return mended if "escaped" in named else replace(mended, escaped=counted)
