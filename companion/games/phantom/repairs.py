"""Setting things straight: a game entered midway, a repair, a tile lifted by mistake, a stray token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from companion.contract import TABLE, Seat, Told
from companion.games.phantom.actions import (
    Correct,
    Fixes,
    GhostAt,
    Lifted,
    Over,
    Position,
    PutBack,
    Repair,
    Repaired,
    Revealed,
    Tile,
    Token,
)
from companion.games.phantom.board import COLOURS, EVERY_ROOM, ROOMS, SIZE, as_set
from companion.games.phantom.options import EVERY_TILE_WORTH, PER_COLOUR, Options, check, teams
from companion.games.phantom.play import end, finish, give_turn, judge, knowledge, lift, take_away, targets
from companion.games.phantom.setup import colour_word, fill_trays, settle, share, with_roles
from companion.games.phantom.state import (
    Ghost,
    Removal,
    SeenLift,
    State,
    found,
    ghost_under,
)
from companion.refusals import Illegal
from companion.words import Saying

Step = tuple[State, tuple[Told, ...]]


# A position


def enter(options: Options, position: Position) -> State:
    """A game already under way. Knowledge starts here, and its end is judged at once."""
    options = replace(options, players=position.players, objective=None, layout=None, owners=None)
    check(options)
    if len(position.rooms) != SIZE * SIZE:
        raise Illegal("phantom.rooms_count", rule="PS-1", n=len(position.rooms))
    hunters, masters = teams(options.players)
    if options.master_game and any(ghost.owner in hunters for ghost in position.ghosts.values()):
        hunters, masters = masters, hunters
    missing = [colour for colour in COLOURS if colour not in position.ghosts]
    if missing:
        raise Illegal("phantom.ghosts_missing", rule="PS-3", ghosts=tuple(missing))
    state = State(
        options=options,
        laid=(None, *position.rooms),
        tiles=as_set(room for room, tile in zip(ROOMS, position.rooms, strict=True) if tile),
        ghosts=tuple(_as_entered(position.ghosts[colour]) for colour in COLOURS),
        damage=position.damage,
    )
    state = with_roles(state, masters, hunters, position.objective)
    return resume(state, position.to_act)


def _as_entered(ghost: GhostAt) -> Ghost:
    return Ghost(ghost.room, ghost.owner, ghost.revealed)


def resume(state: State, to_act: list[Seat]) -> State:
    """Go on from a board as it lies: all its problems at once, or its end, or the next turn."""
    decided = judge(state)
    # On a decided board it is nobody's turn, and a view of one says so.
    due = state.due if decided and not to_act else _the_one(state, to_act)
    found_problems = problems(replace(state, phase="playing"))
    if found_problems:
        raise Illegal("phantom.cannot_be", problems=found_problems)
    removed = state.removed[:-1] if state.asking else state.removed
    state = replace(state, phase="playing", facts=(knowledge(state),), asking=False, result=None)
    state = replace(state, removed=removed)
    turn = _turn_of(state, due)
    return give_turn(state, turn) if decided is None else end(replace(state, turn=turn), decided)


def _the_one(state: State, to_act: list[Seat]) -> Seat:
    if len(to_act) != 1 or to_act[0] not in state.order:
        raise Illegal("phantom.whose_turn", rule="PS-40", seats=state.order)
    return to_act[0]


def _turn_of(state: State, seat: Seat) -> int:
    """The turn to go on with; the present one if it is that seat's."""
    return state.turn if state.due == seat else state.order.index(seat)


def problems(state: State) -> tuple[Saying, ...]:
    """Everything about a board that cannot be, at once."""
    lying = {room: tile for room in ROOMS if state.tiles >> room & 1 and (tile := state.laid[room])}
    found_wrong = [*_tile_problems(lying), *_number_problems(state)]
    for colour, ghost in zip(COLOURS, state.ghosts, strict=True):
        if ghost.room is not None or state.phase in ("playing", "over"):
            found_wrong += _ghost_problems(state, colour, ghost, lying.get(ghost.room or 0))
    return (*found_wrong, *_group_problems(state))


def _tile_problems(lying: dict[int, Tile]) -> Iterator[Saying]:
    """Nine tiles a colour, each worth 1 to 6. PS-2."""
    for room, tile in lying.items():
        if not 1 <= tile.value <= 6:
            yield Saying("phantom.wrong_value", room=room, value=tile.value)
    for colour, n in Counter(tile.colour for tile in lying.values()).items():
        if n > PER_COLOUR:
            yield Saying("phantom.too_many_tiles", colour=colour_word(colour), n=n)


def _number_problems(state: State) -> Iterator[Saying]:
    if not 0 <= state.damage <= EVERY_TILE_WORTH:
        yield Saying("phantom.wrong_damage", damage=state.damage, most=EVERY_TILE_WORTH)
    if state.objective is not None and not 1 <= state.objective <= EVERY_TILE_WORTH:
        yield Saying("phantom.objective", objective=state.objective, most=EVERY_TILE_WORTH)


def _ghost_problems(state: State, colour: str, ghost: Ghost, tile: Tile | None) -> Iterator[Saying]:
    """A hidden ghost lies under a tile of its colour, a found one under none. PS-24, PS-70."""
    honour, name = state.options.keeper == "honour", colour_word(colour)
    if not honour and ghost.owner not in state.masters:
        yield Saying("phantom.needs_master", ghost=name, seats=state.masters)
    if ghost.room is None:
        if ghost.revealed or not honour:
            yield Saying("phantom.ghost_nowhere", ghost=name)
    elif ghost.room not in ROOMS:
        yield Saying("phantom.no_such_room", room=ghost.room)
    elif ghost.revealed and tile is not None:
        yield Saying("phantom.found_under_tile", ghost=name, room=ghost.room)
    elif not ghost.revealed and (tile is None or tile.colour != colour):
        yield Saying("phantom.wrong_colour", ghost=name, room=ghost.room)


def _group_problems(state: State) -> Iterator[Saying]:
    """What can be wrong about the ghosts together. PS-24, PS-25, PS-73."""
    rooms = [ghost.room for ghost in state.ghosts if ghost.room is not None]
    if len(set(rooms)) < len(rooms):
        yield Saying("phantom.share_a_room")
    if not _shared_fairly(state):
        yield Saying("phantom.owners", seats=state.masters, n=share(state))
    all_found = all(ghost.revealed for ghost in state.ghosts)
    if all_found and state.objective is not None and state.damage >= state.objective:
        yield Saying("phantom.ended_twice")


def _shared_fairly(state: State) -> bool:
    led = Counter(ghost.owner for ghost in state.ghosts)
    if state.phase in ("playing", "over") and state.options.keeper != "honour":
        return all(led[master] == share(state) for master in state.masters)
    return all(led[master] <= share(state) for master in state.masters)


# Repairs by the moderator


def repair(state: State, action: Repair) -> Step:
    """Set facts straight. The table learns that it happened; knowledge starts anew."""
    fixes = action.set
    if fixes.players not in (UNSET, state.options.players):
        raise Illegal("phantom.players_stay", rule="PS-5")
    fixed = _fixed(state, fixes)
    if state.phase in ("playing", "over"):
        to_act = [state.due] if fixes.to_act is UNSET else fixes.to_act
        after = resume(fixed, to_act)
    else:
        if fixes.to_act is not UNSET:
            raise Illegal("phantom.turn_before_hunt", rule="PS-26")
        found_problems = problems(fixed)
        if found_problems:
            raise Illegal("phantom.cannot_be", problems=found_problems)
        # What chance had for the next square may lie elsewhere by now: it draws anew.
        after = settle(fill_trays(replace(fixed, to_build=None)))
    told: tuple[Told, ...] = (Repaired(),)
    return after, (*told, *_ended(after))


def _ended(after: State) -> tuple[Told, ...]:
    if after.result is None:
        return ()
    return (Over(after.result.winner, after.result.reason),)  # type: ignore[arg-type]


def _fixed(state: State, fixes: Fixes) -> State:
    laid = _fixed_rooms(state, fixes)
    ghosts = list(state.ghosts)
    for colour, fix in ({} if fixes.ghosts is UNSET else fixes.ghosts).items():
        number = COLOURS.index(colour)
        named = {name: value for name in fix.__struct_fields__ if (value := getattr(fix, name)) is not UNSET}
        ghosts[number] = replace(ghosts[number], **named)
    plain = {name: value for name in ("damage", "objective") if (value := getattr(fixes, name)) is not UNSET}
    if laid is not None:
        # A tile that left the board in the hunt is remembered; one that was never laid is not.
        gone = state.laid if state.phase in ("playing", "over") else (None,) * 37
        plain["tiles"] = as_set(room for room in ROOMS if laid[room])
        plain["laid"] = tuple(laid[room] or gone[room] for room in range(37))
    return replace(state, ghosts=tuple(ghosts), **plain)


def _fixed_rooms(state: State, fixes: Fixes) -> dict[int, Tile | None] | None:
    """The rooms after a repair: a whole list of 36, or only those that are named."""
    if isinstance(fixes.rooms, list):
        if len(fixes.rooms) != SIZE * SIZE:
            raise Illegal("phantom.rooms_count", rule="PS-1", n=len(fixes.rooms))
        return {0: None, **dict(zip(ROOMS, fixes.rooms, strict=True))}
    if not isinstance(fixes.rooms, dict):
        return None
    rooms = {room: state.laid[room] if state.tiles >> room & 1 else None for room in range(37)}
    for name, tile in fixes.rooms.items():
        if not name.isdecimal() or int(name) not in ROOMS:
            raise Illegal("phantom.no_such_room", rule="PS-1", room=name)
        rooms[int(name)] = tile
    return rooms


# The board is right, the record is wrong


def correct(state: State, action: Correct) -> Step:
    """One room as it really is. What this tells the table does not depend on what hides there."""
    room, tile = action.room, action.tile
    misread = tile is not None and state.phase in ("bidding", "hiding") and state.tiles == EVERY_ROOM
    if (state.phase != "playing" or state.asking) and not misread:
        raise Illegal("phantom.not_in_hunt", rule="PS-26")
    if room not in ROOMS:
        raise Illegal("phantom.no_such_room", rule="PS-1", room=room)
    recorded = state.laid[room] if state.tiles >> room & 1 else None
    if tile == recorded:
        raise Illegal("phantom.as_recorded", room=room)
    if tile is None:
        if state.options.keeper == "honour":
            raise Illegal("phantom.honour_repair", rule="PS-70", room=room)
        after, told = lift(state, TABLE, room, ghost_under(state, room))
        return finish(after, told, state.turn)
    if recorded is not None and tile.colour != recorded.colour:
        raise Illegal("phantom.colour_differs", rule="PS-2", room=room)
    after = replace(state, laid=(*state.laid[:room], tile, *state.laid[room + 1 :]))
    if recorded is None:
        after = _put_back(after, room)
    wrong = problems(after)
    if wrong:
        raise Illegal("phantom.cannot_be", problems=wrong)
    return (after, (Repaired(),)) if misread else finish(after, (Repaired(),), state.turn)


def _put_back(state: State, room: int) -> State:
    """The tile never left its room: what its removal counted or showed is taken back."""
    state = replace(state, tiles=state.tiles | 1 << room)
    taken = next((removal for removal in reversed(state.removed) if removal.room == room), None)
    if taken is None:
        return state
    ghosts = tuple(replace(g, revealed=g.revealed and g.room != room) for g in state.ghosts)
    return replace(
        state,
        removed=tuple(removal for removal in state.removed if removal is not taken),
        damage=state.damage - (taken.value if taken.ghost is None else 0),
        ghosts=ghosts,
    )


# A tile lifted by mistake


def lifted(state: State, action: Lifted) -> Step:
    """The master to play lifted a tile he does not reach: put back, let stand, or lose the turn. PS-Q18."""
    room, keeper = action.room, state.options.keeper
    if state.phase != "playing" or keeper == "honour" or state.movers[0] not in state.masters:
        raise Illegal("phantom.nobody_lifted", rule="PS-Q18")
    master = state.movers[0]
    if room not in ROOMS or not state.tiles >> room & 1:
        raise Illegal("phantom.room_empty", rule="PS-Q18", room=room)
    if targets(state, master) >> room & 1:
        raise Illegal("phantom.legal_after_all", rule="PS-Q18", room=room)
    ghost = ghost_under(state, room)
    seen = SeenLift(master, room, state.tiles, found(state), ghost)
    if state.options.illegal_removal == "stands" or ghost is not None:
        return take_away(state, master, room, ghost, seen)
    back = replace(state, facts=(*state.facts, seen))
    told = (PutBack(master, room),)
    if state.options.illegal_removal == "forfeit":
        return give_turn(back, state.turn + 1), told
    return back, told


# A token that lies elsewhere than recorded


def token(state: State, action: Token) -> Step:
    """What really lay under the last tile (keeper `both`): the board is right, the record is mended."""
    if state.options.keeper != "both" or not state.removed:
        raise Illegal("phantom.no_tokens", rule="PS-70")
    last = state.removed[-1]
    if action.ghost == last.ghost:
        raise Illegal("phantom.as_recorded", rule="PS-70", room=last.room)
    if action.ghost is not None:
        return _mend(state, last, action.ghost, Ghost(last.room, revealed=True), -last.value)
    assert last.ghost is not None
    if action.hides is None:
        raise Illegal("phantom.where_then", rule="PS-24")
    return _mend(state, last, None, Ghost(action.hides), last.value)


def _mend(state: State, last: Removal, now: str | None, ghost: Ghost, change: int) -> Step:
    colour = now or last.ghost
    assert colour is not None
    if colour != last.colour:
        raise Illegal("phantom.cannot_hide_here", rule="PS-24", room=last.room)
    number = COLOURS.index(colour)
    if now is not None and state.ghosts[number].revealed:
        raise Illegal("phantom.cannot_hide_here", rule="PS-72", room=last.room)
    ghosts = list(state.ghosts)
    ghosts[number] = replace(ghost, owner=state.ghosts[number].owner)
    mended = replace(
        state,
        ghosts=tuple(ghosts),
        damage=state.damage + change,
        removed=(*state.removed[:-1], replace(last, ghost=now)),
    )
    after = resume(mended, [state.due])
    told: tuple[Told, ...] = (Repaired(),)
    if now is not None:
        told = (*told, Revealed(now, last.room))
    return after, (*told, *_ended(after))
