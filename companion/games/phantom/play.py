"""The hunt: whose turn it is, what a ghost reaches, what a removal does, and when it ends. PS-40 to PS-92."""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import Result, Seat, Told
from companion.games.phantom import worlds
from companion.games.phantom.actions import Found, Over, Pass, Passed, Remove, Removed, Revealed, removals
from companion.games.phantom.board import COLOURS, ROOMS, as_set, in_set
from companion.games.phantom.state import (
    Began,
    Fact,
    Ghost,
    Removal,
    Seen,
    SeenPass,
    State,
    Step,
    Turn,
    Unmasked,
    found,
    ghost_under,
    hidden_under,
    not_now,
    partner,
)
from companion.refusals import Illegal

ALL_FOUND = (1 << len(COLOURS)) - 1


def begin_hunt(state: State) -> State:
    """Hunters open their eyes; from here on everybody's knowledge grows. PS-26."""
    return give_turn(replace(state, phase="playing", facts=(knowledge(state),)), state.turn)


def knowledge(state: State) -> Began:
    """What is known of the ghosts to somebody who sees this board for the first time."""
    options = state.options
    before = state.facts[0] if state.facts else None
    return Began(
        chapter=before.chapter + 1 if isinstance(before, Began) else 1,
        rooms=_possible_rooms(state),
        masters=state.masters,
        reach=options.reach,
        friendly_fire=options.friendly_fire == "legal",
        pass_if_only_allied=options.pass_if_only_allied_tiles,
        partner_for_blocked=options.blocked_master == "partner_plays",
        own_only=options.own_only,
        dead_may_pass=options.keeper == "honour" and options.master_without_ghosts == "skip_turn",
    )


def _possible_rooms(state: State) -> tuple[tuple[int, ...], ...]:
    """For each ghost the room it was found in, or every room of its colour. PS-24, PS-72."""
    under: dict[str, list[int]] = {colour: [] for colour in COLOURS}
    for room in in_set(state.tiles):
        tile = state.laid[room]
        assert tile is not None
        under[tile.colour].append(room)
    return tuple(
        (ghost.room,) if ghost.revealed and ghost.room is not None else tuple(under[colour])
        for colour, ghost in zip(COLOURS, state.ghosts, strict=True)
    )


# Turns


def give_turn(state: State, turn: int) -> State:
    """Give the turn to whoever plays it: the partner of a master without ghosts, or nobody. PS-57, PS-58."""
    order, facts = state.order, state.facts
    due = order[turn % len(order)]
    if due not in state.masters:
        return replace(state, turn=turn, movers=(due,))
    if state.options.keeper == "honour":
        return replace(state, turn=turn, movers=worlds.possible_movers(facts, due, state.tiles, found(state)))
    mover = _mover(state, due)
    if len(state.masters) > 1 and _turn_tells(state):
        facts = (*facts, Turn(due, mover, state.tiles, found(state)))
    if mover is None:
        return give_turn(replace(state, facts=facts), turn + 1)
    return replace(state, turn=turn, facts=facts, movers=(mover,))


def _mover(state: State, due: Seat) -> Seat | None:
    other = partner(state, due)
    if other is None:
        return due
    if not leads_hidden(state, due):
        return other if state.options.master_without_ghosts == "partner_plays" else None
    if state.options.blocked_master == "partner_plays" and not targets(state, due) and targets(state, other):
        return other
    return due


def _turn_tells(state: State) -> bool:
    """Whether who plays this turn can tell the table anything it did not know."""
    return state.options.blocked_master == "partner_plays" or found(state).bit_count() >= 2


def leads_hidden(state: State, master: Seat) -> bool:
    """Whether a master still has a ghost under a tile."""
    return master in [ghost.owner for ghost in state.ghosts if not ghost.revealed]


# Ghost turns


def targets(state: State, master: Seat) -> int:
    """The tiles a master may devastate now, as a set of rooms. PS-50 to PS-55, PS-Q6, PS-Q7."""
    options, reached = state.options, 0
    reaches = options.reaches
    for ghost in state.ghosts:
        if ghost.owner == master and not ghost.revealed and ghost.room is not None:
            reached |= reaches(ghost.room, state.tiles)
    if options.friendly_fire == "forbidden":
        return reached & ~_allied(state, master)
    if options.pass_if_only_allied_tiles and not reached & ~_allied(state, master):
        return 0
    return reached


def _allied(state: State, master: Seat) -> int:
    """The rooms where a master knows a hidden ghost of his side. PS-Q6, PS-Q16."""
    known = [ghost for ghost in state.ghosts if ghost.owner == master or not state.options.own_only]
    return as_set(ghost.room for ghost in known if ghost.room is not None and not ghost.revealed)


def legal_moves(state: State, seat: Seat) -> list[Remove | Pass]:
    """A hunter's or a master's choices in his turn. PS-42, PS-50, PS-57, PS-60."""
    if seat not in state.masters:
        passing = [Pass()] if state.options.hunter_may_pass else []
        return [*passing, *removals(state.tiles)]
    if state.options.keeper == "honour":
        rooms, may_pass = worlds.possible_moves(state.facts, seat, state.due, state.tiles, found(state))
        return [*([Pass()] if may_pass else []), *removals(rooms)]
    return list(removals(targets(state, seat))) or [Pass()]


def remove(state: State, seat: Seat, action: Remove) -> Step:
    """Take a tile away. PS-50, PS-60."""
    room = action.room
    if state.asking:
        raise not_now(state)
    if room not in ROOMS:
        raise Illegal("phantom.no_such_room", rule="PS-1", room=room)
    if not state.tiles >> room & 1:
        raise Illegal("phantom.room_empty", rule="PS-56", room=room)
    if seat in state.masters:
        _check_devastation(state, seat, room)
    if state.options.keeper == "honour":
        return _ask(state, seat, room)
    return take_away(state, seat, room, ghost_under(state, room))


def _check_devastation(state: State, seat: Seat, room: int) -> None:
    """One of the master's own hidden ghosts must reach the tile. PS-50, PS-52, PS-Q9."""
    if state.options.keeper == "honour":
        rooms, _ = worlds.possible_moves(state.facts, seat, state.due, state.tiles, found(state))
        if not rooms >> room & 1:
            raise Illegal("phantom.no_ghost_could", rule="PS-52", room=room)
    elif not targets(state, seat) >> room & 1:
        spared = state.options.friendly_fire == "forbidden" and hidden_under(state) >> room & 1
        if spared and not state.options.own_only:
            raise Illegal("phantom.allied_tile", rule="PS-Q6", room=room)
        raise Illegal("phantom.not_reached", rule="PS-52", room=room)


def pass_turn(state: State, seat: Seat, action: Pass) -> Step:
    """Remove nothing. PS-42, PS-57, PS-Q21."""
    if state.asking:
        raise not_now(state)
    if not any(isinstance(move, Pass) for move in legal_moves(state, seat)):
        if seat in state.masters:
            raise Illegal("phantom.must_devastate", rule="PS-57")
        raise Illegal("phantom.hunter_must_remove", rule="PS-42")
    facts = state.facts
    if seat in state.masters:
        facts = (*facts, *_who_played(state, seat), SeenPass(seat, state.tiles, found(state)))
    return give_turn(replace(state, facts=facts), state.turn + 1), (Passed(seat),)


def _who_played(state: State, seat: Seat) -> tuple[Fact, ...]:
    """With keeper `honour` only the deed itself tells who plays for whom. PS-58."""
    if state.options.keeper != "honour" or seat not in state.masters or len(state.masters) < 2:
        return ()
    if state.options.master_without_ghosts == "skip_turn":
        return ()
    return (Turn(state.due, seat, state.tiles, found(state)),)


# What a removal does


def take_away(state: State, by: Seat, room: int, ghost: int | None, seen: Fact | None = None) -> Step:
    """The tile leaves the board, and the turn is over."""
    after, told = lift(state, by, room, ghost, seen)
    return finish(after, told, state.turn + 1)


def lift(state: State, by: Seat, room: int, ghost: int | None, seen: Fact | None = None) -> Step:
    """What a removal does: either a ghost is found or its value is damage. PS-70, PS-71, PS-73."""
    tile = state.laid[room]
    assert tile is not None
    added = tile.value if ghost is None else 0
    name = None if ghost is None else COLOURS[ghost]
    seen = seen or Seen(by, room, state.tiles, found(state), ghost)
    after = replace(
        state,
        tiles=state.tiles & ~(1 << room),
        damage=state.damage + added,
        removed=(*state.removed, Removal(room, tile.colour, tile.value, by, name)),
        ghosts=state.ghosts if ghost is None else reveal(state.ghosts, ghost, room),
        facts=(*state.facts, *_who_played(state, by), seen),
        asking=False,
    )
    told: tuple[Told, ...] = (Removed(by, room, tile.colour, tile.value, added, after.damage),)
    if name is not None:
        told = (*told, Revealed(name, room))
    return after, told


def reveal(ghosts: tuple[Ghost, ...], number: int, room: int) -> tuple[Ghost, ...]:
    """The ghosts with one of them found in a room."""
    return (*ghosts[:number], Ghost(room, ghosts[number].owner, True), *ghosts[number + 1 :])


def finish(state: State, told: tuple[Told, ...], turn: int) -> Step:
    """End the game if it is decided, or give the next turn. PS-80, PS-81."""
    result = judge(state)
    if result is None:
        return give_turn(state, turn), told
    # The turn moves on at the end too: after a repair that undoes the end, the next player goes on.
    over = end(replace(state, turn=turn), result)
    return over, (*told, Over(result.winner, result.reason))  # type: ignore[arg-type]


def judge(state: State) -> Result | None:
    """Who has won on the board as it is. PS-80, PS-81, PS-Q8, PS-Q11."""
    if state.objective is not None and state.damage >= state.objective:
        return Result("ghosts", "damage")
    if found(state) == ALL_FOUND:
        return Result("hunters", "all_revealed")
    return None


def end(state: State, result: Result) -> State:
    """The game stops, and what was secret is seen by all."""
    facts = state.facts
    if state.options.keeper != "honour":
        rooms = tuple(ghost.room or 0 for ghost in state.ghosts)
        owners = tuple(ghost.owner or "" for ghost in state.ghosts)
        facts = (*facts, Unmasked(rooms, owners))
    return replace(state, phase="over", result=result, movers=(), facts=facts)


# Keeper `honour`: the tokens lie on the table alone, so the table tells what it found.


def _ask(state: State, seat: Seat, room: int) -> Step:
    """The tile is off; now the remover says what lay under it."""
    tile = state.laid[room]
    assert tile is not None
    taken = Removal(room, tile.colour, tile.value, seat, None)
    return replace(state, asking=True, movers=(seat,), removed=(*state.removed, taken)), ()


def legal_findings(state: State) -> list[int | None]:
    """What can have lain under the tile just removed, by colour number. PS-70, PS-72."""
    taken = state.removed[-1]
    own = COLOURS.index(taken.colour)
    facts = (*state.facts, *_who_played(state, taken.by))
    possible = []
    for ghost in (None, own):
        seen = Seen(taken.by, taken.room, state.tiles, found(state), ghost)
        if not (ghost is not None and state.ghosts[ghost].revealed) and worlds.count((*facts, seen)):
            possible.append(ghost)
    return possible


def answer(state: State, seat: Seat, action: Found) -> Step:
    """The remover tells what lay there. PS-70, PS-71."""
    if not state.asking:
        raise not_now(state)
    number = None if action.ghost is None else COLOURS.index(action.ghost)
    taken = state.removed[-1]
    if number not in legal_findings(state):
        key = "phantom.must_hide_here" if number is None else "phantom.cannot_hide_here"
        raise Illegal(key, rule="PS-72", room=taken.room)
    asked = replace(state, removed=state.removed[:-1])
    return take_away(asked, seat, taken.room, number)
