"""What each seat may know of a game of The Phantom Society, built up field by field from nothing."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from companion.contract import MODERATOR, Result, Seat, View
from companion.games.phantom.actions import Tile
from companion.games.phantom.board import COLOURS, ROOMS
from companion.games.phantom.options import Tournament, seats, teams
from companion.games.phantom.state import Ghost, Removal, State, covered, next_room
from companion.games.phantom.tournament import standing


class GhostSeen(msgspec.Struct, frozen=True):
    """What a seat sees of a ghost; null is what it may not know."""

    revealed: bool
    room: int | None
    owner: Seat | None


class Build(msgspec.Struct, frozen=True):
    """The next step of building a dealt board: this tile on this square; null is any of its colour."""

    room: int
    colour: str
    value: int | None


class Shows(msgspec.Struct, frozen=True):
    """A view as it goes out; the same fields for every seat, null where it may not know."""

    seat: Seat
    phase: str
    to_act: tuple[Seat, ...]
    players: int
    roles: dict[str, str | None]
    objective: int | None
    damage: int
    rooms: tuple[Tile | None, ...]
    build: Build | None
    removed: tuple[Removal, ...] | None
    ghosts: dict[str, GhostSeen]
    asking: int | None
    packs: dict[str, str] | None
    bids: dict[str, int | None] | None
    keeper: str
    privacy: str
    names: dict[str, str] | None
    tournament: Tournament | None
    result: Result | None


def view(state: State, seat: Seat) -> View:
    """All that a seat may know: `knows` for reasoning, and what of it is shown."""
    known = knowledge(state, seat)
    return View(seat, shown(known, seat), known)


def knowledge(state: State, seat: Seat) -> State:
    """The state as far as a seat can know it: the open table, its own secrets, blanks for the rest."""
    return State(
        options=state.options,
        phase=state.phase,
        trays=state.trays,
        laid=state.laid,
        tiles=state.tiles,
        dealing=state.dealing,
        to_build=state.to_build,
        packs=state.packs,
        bids=_bids_known(state, seat),
        masters=state.masters,
        hunters=state.hunters,
        objective=state.objective,
        ghosts=tuple(_ghost_known(state, ghost, seat) for ghost in state.ghosts),
        dealt=state.dealt,
        ready=state.ready,
        order=state.order,
        turn=state.turn,
        movers=state.movers,
        damage=state.damage,
        removed=state.removed,
        asking=state.asking,
        result=state.result,
        facts=state.facts,
    )


def _bids_known(state: State, seat: Seat) -> dict[Seat, int]:
    """Bids are sealed until both are in; a team knows its own. PS-102, PS-103."""
    if state.masters or seat == MODERATOR:
        return state.bids
    mine = [team[0] for team in teams(state.options.players) if seat in team]
    return {captain: state.bids[captain] for captain in mine if captain in state.bids}


def _ghost_known(state: State, ghost: Ghost, seat: Seat) -> Ghost:
    """A found ghost's room is known to all, its master to the masters, until the end shows everything."""
    if state.phase == "over" or seat == MODERATOR:
        return ghost
    if seat not in state.masters:
        return Ghost(ghost.room if ghost.revealed else None, None, ghost.revealed)
    knows_room = ghost.revealed or ghost.owner == seat or not state.options.own_only
    return Ghost(ghost.room if knows_room else None, ghost.owner, ghost.revealed)


def shown(known: State, seat: Seat) -> Shows:
    """What a page shows of what a seat knows: what the table plays by memory is left out. PS-Q17."""
    options, lying = known.options, covered(known)
    over = known.phase == "over" or seat == MODERATOR
    return Shows(
        seat=seat,
        phase=known.phase,
        to_act=known.movers,
        players=options.players,
        roles=_roles(options.players, known.masters, known.hunters),
        objective=known.objective,
        damage=known.damage,
        rooms=_lying(known.laid, lying),
        build=_build(known),
        removed=known.removed if over or options.show_removal_log == "public" else None,
        ghosts=_ghosts_shown(known.ghosts, not over and _by_memory(known)),
        asking=known.removed[-1].room if known.asking else None,
        packs=known.packs,
        bids=_bids_shown(known),
        keeper=options.keeper,
        privacy=options.privacy,
        names=options.names,
        tournament=standing(known),
        result=known.result,
    )


@lru_cache(8)
def _lying(laid: tuple[Tile | None, ...], rooms: int) -> tuple[Tile | None, ...]:
    """The tile of each room where one lies: the same for whoever looks."""
    return tuple(laid[room] if rooms >> room & 1 else None for room in ROOMS)


def _build(known: State) -> Build | None:
    tile = known.to_build
    return Build(next_room(known), tile.colour, tile.value or None) if tile else None


def role(state: State, seat: Seat) -> str | None:
    """Hunter or master, or null before the bids have decided. PS-10, PS-103."""
    if seat in state.masters:
        return "master"
    return "hunter" if seat in state.hunters else None


@lru_cache(8)
def _roles(players: int, masters: tuple[Seat, ...], hunters: tuple[Seat, ...]) -> dict[str, str | None]:
    named = dict.fromkeys(masters, "master") | dict.fromkeys(hunters, "hunter")
    return {seat: named.get(seat) for seat in seats(players)}


def _by_memory(known: State) -> bool:
    return known.options.show_ghosts_to_masters == "never_after_setup" and known.phase == "playing"


@lru_cache(32)
def _ghosts_shown(ghosts: tuple[Ghost, ...], by_memory: bool) -> dict[str, GhostSeen]:
    seen = [
        GhostSeen(ghost.revealed, None if by_memory and not ghost.revealed else ghost.room, ghost.owner)
        for ghost in ghosts
    ]
    return dict(zip(COLOURS, seen, strict=True))


def _bids_shown(known: State) -> dict[str, int | None] | None:
    if not known.options.master_game:
        return None
    return {team[0]: known.bids.get(team[0]) for team in teams(known.options.players)}
