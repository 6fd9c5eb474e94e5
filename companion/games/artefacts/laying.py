"""Tiles: turning them up, sharing them, laying them where a path leads. CFA-12 to CFA-20, CFA-30 on."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from companion.contract import Told
from companion.games.artefacts import ghosts
from companion.games.artefacts.actions import Discard, Lay, Reveal, Take
from companion.games.artefacts.box import tiles_of
from companion.games.artefacts.events import Laid, Revealed, Took, Unlayable
from companion.games.artefacts.manor import (
    COLOURS,
    OPPOSITE,
    SIDES,
    Colour,
    Placed,
    Square,
    Tile,
    quadrant,
    turned,
)
from companion.games.artefacts.paths import corridor, reached
from companion.games.artefacts.state import Artefact, State
from companion.games.artefacts.uncounted import Sort, all_ways, counted, sort_of, strangers, take_in
from companion.refusals import Illegal
from companion.words import Saying

# Turning up


def pool(state: State) -> list[str]:
    """The tiles that can be turned up now: before the game neither ghosts nor artefacts. CFA-12, CFA-14."""
    tiles = tiles_of(state.options.box)
    drafting = state.phase == "drafting"
    return [id for id in state.pile if not (drafting and tiles[id].kind in ("ghost", "artefact"))]


def sorts(state: State) -> dict[Sort, Tile]:
    """One tile of each sort that can be turned up; it stands for all that look the same."""
    tiles, ids = tiles_of(state.options.box), pool(state)
    found: dict[Sort, Tile] = {}
    for id in ids:
        found.setdefault(sort_of(state.options, tiles[id]), tiles[id])
    if state.options.uncounted("tiles"):
        more = list(strangers(state, ids, found))
        found |= {sort_of(state.options, tile): tile for tile in more}
    return found


def legal_reveals(state: State) -> list[Reveal]:
    """Every sort of tile that is left, in every way it can be held: one tile an action.

    Four at once would be thousands of combinations; one at a time it is a few dozen, and exact. `reveal`
    takes as many at once as are awaited, if each of them can be told.
    """
    return [
        Reveal((replace(tile, exits=exits),))
        for tile in sorted(sorts(state).values(), key=lambda tile: tile.id)
        for exits in all_ways(tile, state.options)
    ]


def as_listed(state: State, action: Reveal) -> Reveal:
    """A telling with its tiles by the names that `legal_reveals` has for them."""
    found = sorts(state)
    named = (found.get(sort_of(state.options, tile), tile).id for tile in action.tiles)
    return Reveal(tuple(replace(tile, id=id) for tile, id in zip(action.tiles, named, strict=True)))


def reveal(state: State, action: Reveal, told: list[Told]) -> State:
    """Tiles lie open: all that are awaited, or some of them first. CFA-13, CFA-20."""
    assert state.pending is not None
    if not 1 <= len(action.tiles) <= state.pending.n:
        raise Illegal("artefacts.so_many_tiles", rule="CFA-20", n=len(action.tiles), most=state.pending.n)
    for tile in action.tiles:
        state = _turn_up(state, tile, told)
    return state if state.pile else counted(state, "tiles")


def _turn_up(state: State, told_tile: Tile, told: list[Told]) -> State:
    """One tile lies open: the one that was named if it is free, else one that looks the same."""
    sort = sort_of(state.options, told_tile)
    if sort not in sorts(state):
        raise _not_there(state, told_tile)
    tiles = tiles_of(state.options.box)
    if not any(sort_of(state.options, tiles[id]) == sort for id in pool(state)):
        state = take_in(state, pool(state), told_tile, told)
        tiles = tiles_of(state.options.box)
    alike = [id for id, tile in tiles.items() if sort_of(state.options, tile) == sort]
    free = [id for id in pool(state) if id in alike]
    if told_tile.id not in (*alike, *free):
        raise Illegal("artefacts.tile_name", rule="CFA-20", tile=told_tile.id, tiles=tuple(free))
    tile = told_tile if told_tile.id in free else replace(told_tile, id=free[0])
    assert state.pending is not None
    told.append(Revealed(tile))
    left = state.pending.n - 1
    return replace(
        state,
        pile=tuple(id for id in state.pile if id != tile.id),
        open=(*state.open, tile),
        pending=replace(state.pending, n=left) if left else None,
    )


def _not_there(state: State, tile: Tile) -> Illegal:
    """Why a tile cannot be turned up: it is put aside before the game, or the box has none left."""
    if state.phase == "drafting" and tile.kind in ("ghost", "artefact"):
        return Illegal("artefacts.put_aside", rule="CFA-12", tile=tile_word(tile))
    return Illegal("artefacts.tile_not_left", rule="CFA-2", tile=tile_word(tile), exits=tile.exits)


def draw_tile(state: State, chance: Random) -> Reveal:
    """A tile from what is left, each as likely as any other."""
    tile = tiles_of(state.options.box)[chance.choice(pool(state))]
    return Reveal((sorts(state)[sort_of(state.options, tile)],))


# Sharing


def legal_takes(state: State) -> list[Take]:
    """Any of the open tiles. CFA-13."""
    return [Take(tile.id) for tile in sorted(state.open, key=lambda tile: tile.id)]


def take(state: State, colour: Colour, action: Take, told: list[Told]) -> State:
    """A colour takes one of the open tiles. CFA-13."""
    tile = _among(state.open, action.tile)
    told.append(Took(colour, tile.id))
    held = {**state.held, colour: (*state.held[colour], tile)}
    return replace(state, held=held, open=_without(state.open, tile))


def _among(tiles: tuple[Tile, ...], id: str) -> Tile:
    for tile in tiles:
        if tile.id == id:
            return tile
    raise Illegal("artefacts.no_such_tile", rule="CFA-20", tile=id, tiles=tuple(tile.id for tile in tiles))


def _without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    return tuple(other for other in tiles if other.id != tile.id)


# Where a tile may lie


def choices(state: State, colour: Colour) -> tuple[Tile, ...]:
    """What a colour chooses from: its own tiles before the game, then the open ones. CFA-15, CFA-Q20."""
    return state.held[colour] if state.phase == "building" else state.open


def openings(state: State, colour: Colour) -> dict[Square, set[str]]:
    """The empty squares a colour's path leads to, with the sides it comes from. CFA-30, CFA-Q14, CFA-Q15."""
    building = state.phase == "building"
    found: dict[Square, set[str]] = {}
    for at in corridor(state, colour) if building else reached(state, colour):
        for side, there in state.plan.gaps(at):
            found.setdefault(there, set()).add(OPPOSITE[side])
    if building and state.options.setup_straight:
        x, y = SIDES[state.options.sides[colour]]
        found = {
            at: sides for at, sides in found.items() if at[0] * y == at[1] * x and at[0] * x + at[1] * y > 0
        }
    return dict(sorted(found.items()))


def fits(state: State, exits: str, at: Square) -> bool:
    """Whether a tile matches all its neighbours, exit to exit and wall to wall. CFA-31, CFA-Q13."""
    needed, walled = state.plan.demands(at, state.options.cross_sides == "wall")
    return needed.issubset(exits) and walled.isdisjoint(exits)


def spots(state: State, found: dict[Square, set[str]], tile: Tile) -> Iterator[tuple[Square, int]]:
    """Every one of these openings, and turn, in which a tile may lie. CFA-30, CFA-31, CFA-33, CFA-Q12."""
    ways = [(turn, turned(tile.exits, turn)) for turn in (range(4) if state.options.rotation else (0,))]
    for at, sides in found.items():
        if tile.kind == "artefact" and not artefact_may_lie(state, at):
            continue
        fitting = {exits for _, exits in ways if not sides.isdisjoint(exits) and fits(state, exits, at)}
        yield from ((at, turn) for turn, exits in ways if exits in fitting)


def artefact_may_lie(state: State, at: Square) -> bool:
    """Not on the prolongation of the cross, and one in each quadrant at most. CFA-33."""
    taken = {quadrant(tile.at) for tile in state.manor if tile.kind == "artefact"}
    return quadrant(at) not in {None, *taken}


def legal_lays(state: State, colour: Colour) -> list[Lay | Discard]:
    """Every tile in every spot, and the giving up of those that have none. CFA-32."""
    found = openings(state, colour)
    lays: list[Lay | Discard] = []
    discards: list[Lay | Discard] = []
    for tile in sorted(choices(state, colour), key=lambda tile: tile.id):
        places = [Lay(tile.id, at, turn) for at, turn in spots(state, found, tile)]
        lays += places
        discards += [] if places else [Discard(tile.id)]
    return discards + lays


def check_lay(state: State, colour: Colour, tile: Tile, action: Lay) -> str:
    """The exits of a tile as it would lie; refuses a spot that breaks a rule, naming the rule."""
    at, turn = action.at, action.turn
    if turn not in (range(4) if state.options.rotation else (0,)):
        raise Illegal("artefacts.turn" if state.options.rotation else "artefacts.no_rotation", rule="CFA-Q12")
    if at in state.plan.exits:
        raise Illegal("artefacts.square_taken", rule="CFA-30", at=at)
    exits = turned(tile.exits, turn)
    if openings(state, colour).get(at, set()).isdisjoint(exits):
        raise Illegal("artefacts.no_path", rule="CFA-30", colour=colour_word(colour), at=at)
    if not fits(state, exits, at):
        raise Illegal("artefacts.wall", rule="CFA-31", at=at)
    if tile.kind == "artefact" and quadrant(at) is None:
        raise Illegal("artefacts.on_axis", rule="CFA-33", at=at)
    if tile.kind == "artefact" and not artefact_may_lie(state, at):
        raise Illegal("artefacts.quadrant", rule="CFA-33", at=at)
    return exits


# Laying


def lay(state: State, colour: Colour, action: Lay, told: list[Told]) -> State:
    """A tile comes to lie in the manor, with its ghost or its artefact. CFA-15, CFA-20, CFA-40, CFA-43."""
    tile = _among(choices(state, colour), action.tile)
    exits = check_lay(state, colour, tile, action)
    placed = Placed(tile.id, tile.kind, tile.colour, exits, action.at, action.turn)
    told.append(Laid(colour, placed))
    state = _played(state, colour, tile)
    state = replace(state, manor=(*state.manor, placed))
    if tile.colour is not None and state.artefacts[tile.colour] == Artefact():
        return replace(state, artefacts={**state.artefacts, tile.colour: Artefact(at=action.at)})
    return ghosts.appear(state, colour, action.at, told) if tile.kind == "ghost" else state


def discard(state: State, colour: Colour, action: Discard, told: list[Told]) -> State:
    """A tile without a spot is out, and a ghost appears at the end of the path. CFA-32, CFA-Q17."""
    tile = _among(choices(state, colour), action.tile)
    if next(spots(state, openings(state, colour), tile), None) is not None:
        raise Illegal("artefacts.has_spot", rule="CFA-32", tile=tile_word(tile))
    kept = tile.kind == "artefact" and state.options.unlayable_artefact == "return"
    told.append(Unlayable(colour, tile.id, kept))
    state = _played(state, colour, tile)
    if not kept:
        state = replace(state, discarded=(*state.discarded, tile.id))
    elif state.pile:
        state = replace(state, pile=tuple(sorted((*state.pile, _boxed(state, tile)))))
    else:
        state = replace(state, aside=(*state.aside, _boxed(state, tile)))
    return ghosts.haunt(state, colour, told)


def _boxed(state: State, artefact: Tile) -> str:
    """The name in the box of an artefact tile, which a position may have called otherwise."""
    tiles = tiles_of(state.options.box).values()
    return next(tile.id for tile in tiles if tile.kind == "artefact" and tile.colour == artefact.colour)


def _played(state: State, colour: Colour, tile: Tile) -> State:
    """The tile has left the hand or the open row, and the next colour has its go."""
    if state.phase == "building":
        held = {**state.held, colour: _without(state.held[colour], tile)}
        return replace(state, held=held, turn=(state.turn + 1) % len(COLOURS))
    return replace(state, open=_without(state.open, tile), turn=state.turn + 1)


def tile_word(tile: Tile) -> Saying:
    """A kind of tile, to be said in the language of the sentence around it."""
    return Saying(f"artefacts.kind_{tile.kind}")


def colour_word(colour: str) -> Saying:
    """A colour, to be said in the language of the sentence around it."""
    return Saying(f"artefacts.colour_{colour}")
