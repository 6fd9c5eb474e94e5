"""Before the hunt: laying the board, sealed bids, hiding the ghosts. PS-20 to PS-26, PS-93, PS-100 on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.contract import TABLE, Seat, Told, Whisper
from companion.games.phantom.actions import (
    Bid,
    BidsOpened,
    Dealt,
    Drawn,
    Hidden,
    Hide,
    HuntBegan,
    Laid,
    NextTile,
    PacksDrawn,
    Place,
    Ready,
    Sealed,
    Tile,
    hiding,
    laying,
)
from companion.games.phantom.board import COLOURS, EVERY_ROOM, ROOMS, Colour, in_set
from companion.games.phantom.options import (
    PACKS,
    PER_COLOUR,
    Options,
    check,
    laying_order,
    packs_of_teams,
    seats,
    teams,
    trays_of,
)
from companion.games.phantom.play import begin_hunt
from companion.games.phantom.state import Ghost, State, Step, colour_number, next_room, not_now
from companion.refusals import Illegal
from companion.words import Saying

ANY_VALUE = (1, 2, 3, 4, 5, 6)
BY_NAME = sorted(range(len(COLOURS)), key=COLOURS.__getitem__)
"""The numbers of the colours, in the order in which legal actions list them."""


def start(options: Options) -> State:
    """A table with its options agreed, and the board empty or as it lies."""
    check(options)
    state = State(options, dealing=options.deal)
    if options.layout is not None:
        tiles = [Tile(colour, value) for colour, value in options.layout]
        state = replace(state, laid=(None, *tiles), tiles=EVERY_ROOM)
    state = fill_trays(state)
    if options.owners is not None:
        ghosts = tuple(Ghost(owner=options.owners[colour]) for colour in COLOURS)
        # Whose they are is secret, so it lives with the ghosts alone and not in the options.
        state = replace(state, ghosts=ghosts, dealt=True, options=replace(options, owners=None))
    if options.master_game:
        return settle(replace(state, packs=packs_of_teams(options)))
    hunters, masters = teams(options.players)
    objective = options.objective or (50 if options.players == 2 else 45)
    return settle(with_roles(state, masters, hunters, objective))


def with_roles(state: State, masters: tuple[Seat, ...], hunters: tuple[Seat, ...], objective: int) -> State:
    """Who the ghosts are, who hunts them, what they must wreck, and in which order they play."""
    order = turn_order(state.options, masters, hunters)
    return replace(state, masters=masters, hunters=hunters, objective=objective, order=order)


def turn_order(options: Options, masters: tuple[Seat, ...], hunters: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Ghost and hunter turns alternate, from the first master on. PS-40, PS-41, PS-91, PS-Q4, PS-Q14."""
    first = options.first_seat if options.first_seat in masters else masters[0]
    around = seats(options.players)
    clockwise = around[around.index(first) :] + around[: around.index(first)]
    ghosts = [seat for seat in clockwise if seat in masters]
    hunt = [seat for seat in clockwise if seat in hunters]
    rounds = max(len(ghosts), len(hunt))
    turns = [(ghosts[r % len(ghosts)], hunt[r % len(hunt)]) for r in range(rounds)]
    return tuple(seat for turn in turns for seat in turn)


def settle(state: State) -> State:
    """Move on to the phase that the table as it lies calls for, and say who acts in it."""
    options = state.options
    bids_missing = options.master_game and not state.masters
    if bids_missing and options.bid_timing == "before_board":
        return _bidding(state)
    if state.tiles != EVERY_ROOM:
        return replace(state, phase="placing", movers=next_to_lay(state, state.tiles))
    if bids_missing:
        return _bidding(state)
    still_hiding = masters_still_hiding(state)
    if still_hiding:
        return replace(state, phase="hiding", movers=still_hiding)
    return begin_hunt(state)


def _bidding(state: State) -> State:
    """Teams that have not bid are to act; before that, chance deals the packs. PS-101, PS-102."""
    if state.packs is None:
        return replace(state, phase="bidding", movers=(TABLE,))
    waiting = [team for team in teams(state.options.players) if team[0] not in state.bids]
    return replace(state, phase="bidding", movers=tuple(sorted(seat for team in waiting for seat in team)))


# Placing


def legal_places(state: State, seat: Seat) -> Layings:
    """Every tile left in this seat's tray on every empty square. PS-22, PS-93."""
    tiles: tuple[LaidAnywhere, ...] = ()
    for colour in open_trays(state, seat):
        tiles += tiles_in(colour, state.trays[colour_number(colour)])
    return Layings(in_set(EVERY_ROOM & ~state.tiles), tiles)


LaidAnywhere = tuple[Place, ...]
"""One tile laid on each room, by the room's number."""


@lru_cache(maxsize=1024)
def tiles_in(colour: Colour, tray: tuple[int, ...]) -> tuple[LaidAnywhere, ...]:
    """The different tiles that can come out of a tray."""
    values = sorted(set(ANY_VALUE if 0 in tray else tray))
    return tuple(tuple(laying(room, colour, value) for room in (0, *ROOMS)) for value in values)


class Layings(Sequence[Place]):
    """Some tiles on some rooms, each on each: hundreds of actions, listed only if somebody looks at all."""

    __slots__ = ("rooms", "tiles")

    def __init__(self, rooms: tuple[int, ...], tiles: tuple[LaidAnywhere, ...]) -> None:
        self.rooms = rooms
        self.tiles = tiles

    def __len__(self) -> int:
        return len(self.rooms) * len(self.tiles)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        room, tile = divmod(index, len(self.tiles) or 1)
        return self.tiles[tile][self.rooms[room]]

    def __iter__(self) -> Iterator[Place]:
        return (tile[room] for room in self.rooms for tile in self.tiles)


def next_to_lay(state: State, tiles: int) -> tuple[Seat]:
    """Whose turn it is to lay, with so many rooms covered; a dealt board is everybody's. PS-22, PS-93."""
    if state.dealing:
        return (TABLE,)
    order = laying_order(state.options)
    return (order[tiles.bit_count() % len(order)],)


def open_trays(state: State, seat: Seat) -> tuple[Colour, ...]:
    """The colours this seat may lay from now, sorted."""
    mine = trays_of(state.options, seat)
    if state.options.tiles_3p == "shared_fourth_colour" and _shared_left(state, seat, mine):
        return tuple(sorted(mine + trays_of(state.options, None)))
    return mine


def _shared_left(state: State, seat: Seat, mine: tuple[Colour, ...]) -> bool:
    """Whether a seat has not laid its third of the fourth colour yet. PS-Q3."""
    order = laying_order(state.options)
    lays = sum(order[number % len(order)] == seat for number in range(state.tiles.bit_count()))
    own = sum(tile is not None and tile.colour in mine for tile in state.laid)
    return lays - own < PER_COLOUR // len(order)


def fill_trays(state: State) -> State:
    """Put every tile that is not on the board into its tray. PS-2, PS-21."""
    known = state.options.tiles or {}
    trays = []
    lying = [tile for tile in state.laid if tile is not None]
    for colour in COLOURS:
        tray = sorted(known.get(colour, [0] * PER_COLOUR))
        for tile in lying:
            if tile.colour == colour and tray:
                # A repair may have laid a tile that is not in the box; then any other is in its place.
                tray.remove(tile.value if tile.value in tray else tray[0])
        trays.append(tuple(tray))
    return replace(state, trays=tuple(trays))


def place(state: State, seat: Seat, action: Place) -> Step:
    """Lay a tile. PS-22."""
    room, colour, value = action.room, action.colour, action.value
    if room not in ROOMS:
        raise Illegal("phantom.no_such_room", rule="PS-1", room=room)
    if state.tiles >> room & 1:
        raise Illegal("phantom.room_taken", rule="PS-22", room=room)
    if state.dealing:
        _check_built(state, action)
    elif colour not in open_trays(state, seat):
        raise Illegal("phantom.not_your_tile", rule="PS-21", colour=colour_word(colour))
    number = colour_number(colour)
    tray = state.trays[number]
    if value not in (ANY_VALUE if 0 in tray else tray):
        raise Illegal("phantom.no_such_tile", rule="PS-2", colour=colour_word(colour), value=value)
    at = 0 if 0 in tray else tray.index(value)
    laid, tiles = list(state.laid), state.tiles | 1 << room
    laid[room] = Tile(colour, value)
    after = replace(
        state,
        trays=(*state.trays[:number], tray[:at] + tray[at + 1 :], *state.trays[number + 1 :]),
        laid=tuple(laid),
        tiles=tiles,
        to_build=None,
        movers=next_to_lay(state, tiles),
    )
    return settle(after) if tiles == EVERY_ROOM else after, (Laid(seat, room, colour, value),)


# Dealing


def deal(state: State) -> Step:
    """Let chance lay the rest of the board: the table builds it, one square after another. PS-22."""
    if state.phase != "placing" or state.dealing:
        raise not_now(state)
    return settle(replace(state, dealing=True)), ()


def legal_deals(state: State) -> list[Dealt]:
    """Every different tile that is still to be laid; a box that nobody has told has tiles of any value."""
    return [
        Dealt(COLOURS[number], value or None)
        for number in BY_NAME
        for value in sorted(set(state.trays[number]))
    ]


def draw_tile(state: State, chance: Random) -> Dealt:
    """One of the tiles that are still to be laid, each as likely as any other. PS-22."""
    left = [Dealt(COLOURS[number], value or None) for number in BY_NAME for value in state.trays[number]]
    return chance.choice(left)


def take_dealt(state: State, seat: Seat, action: Dealt) -> Step:
    """Chance has said what goes on the next square. PS-22."""
    if not state.dealing or state.to_build is not None:
        raise not_now(state)
    if action not in legal_deals(state):
        raise Illegal(
            "phantom.no_such_tile", rule="PS-2", colour=colour_word(action.colour), value=action.value
        )
    after = replace(state, to_build=Tile(action.colour, action.value or 0))
    return after, (NextTile(next_room(state), action.colour, action.value),)


def built(state: State) -> tuple[Place, ...]:
    """The one tile that is to be laid now on a dealt board, or one of each value where any will do. PS-22."""
    tile = state.to_build
    if tile is None:
        return ()
    return tuple(
        laying(next_room(state), tile.colour, v) for v in ((tile.value,) if tile.value else ANY_VALUE)
    )


def _check_built(state: State, action: Place) -> None:
    """Refuse another tile or square than the one that is due. PS-22."""
    tile = state.to_build
    if tile is None:
        raise not_now(state)
    if action not in built(state):
        raise Illegal(
            "phantom.build_this", rule="PS-22", room=next_room(state), colour=colour_word(tile.colour)
        )


# Bidding


def draw_packs(state: State, chance: Random) -> Drawn:
    """Give each team one of the two packs at random. PS-101."""
    return Drawn({"p1": chance.choice(("A", "B"))})


def take_packs(state: State, seat: Seat, action: Drawn) -> Step:
    """Chance has dealt the packs. PS-101."""
    if seat != TABLE:
        raise not_now(state)
    if action not in legal_draws():
        raise Illegal("phantom.packs", rule="PS-101")
    packs = packs_of_teams(replace(state.options, packs=action.packs))
    assert packs is not None
    return settle(replace(state, packs=packs)), (PacksDrawn(packs),)


def legal_draws() -> list[Drawn]:
    """Both ways to deal two packs to two teams."""
    return [Drawn({"p1": "A"}), Drawn({"p1": "B"})]


def team_of(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The team a seat belongs to."""
    return next(team for team in teams(state.options.players) if seat in team)


def pack_of(state: State, seat: Seat) -> range:
    """The bids that the pack of this seat's team can make. PS-102."""
    assert state.packs is not None
    return PACKS[state.packs[team_of(state, seat)[0]]]


def bid(state: State, seat: Seat, action: Bid) -> Step:
    """Lay a sealed bid; the second one opens both. PS-102, PS-103."""
    if seat == TABLE:
        raise not_now(state)
    if action.thousands not in pack_of(state, seat):
        raise Illegal("phantom.not_in_pack", rule="PS-102", thousands=action.thousands)
    team = team_of(state, seat)
    bids = dict(sorted({**state.bids, team[0]: action.thousands}.items()))
    sealed = Whisper(team, Sealed(seat, action.thousands))
    state = replace(state, bids=bids)
    if len(bids) < 2:
        return settle(state), (sealed,)
    high, low = sorted(bids, key=lambda captain: -bids[captain])
    masters, hunters = team_of(state, high), team_of(state, low)
    opened = BidsOpened(bids, masters, bids[low])
    return settle(with_roles(state, masters, hunters, bids[low])), (sealed, opened)


# Hiding


def share(state: State) -> int:
    """How many ghosts each master leads. PS-25, PS-92."""
    return len(COLOURS) // len(state.masters)


def masters_still_hiding(state: State) -> tuple[Seat, ...]:
    """Every master with a ghost still to hide, in seat order."""
    if state.options.keeper == "honour":
        return tuple(master for master in state.masters if master not in state.ready)
    placed, due = [ghost.owner for ghost in state.ghosts if ghost.room is not None], share(state)
    return tuple([master for master in state.masters if placed.count(master) < due])


def may_lead(state: State, seat: Seat, number: int) -> bool:
    """Whether a ghost is this master's, or free for him to claim. PS-Q15."""
    owner = state.ghosts[number].owner
    if owner is not None:
        return owner == seat
    return [ghost.owner for ghost in state.ghosts].count(seat) < share(state)


def legal_hides(state: State, seat: Seat) -> list[Hide]:
    """Every room of every ghost this master leads or may still claim. PS-24."""
    hides = _hides_on(state.laid)
    return [hide for number in BY_NAME if may_lead(state, seat, number) for hide in hides[number]]


@lru_cache(maxsize=16)
def _hides_on(laid: tuple[Tile | None, ...]) -> list[list[Hide]]:
    """Every way to hide each ghost on a board: it does not change while they hide."""
    hides: dict[Colour, list[Hide]] = {ghost: [] for ghost in COLOURS}
    for room, tile in enumerate(laid):
        if tile is not None:
            hides[tile.colour].append(hiding(tile.colour, room))
    return list(hides.values())


def hide(state: State, seat: Seat, action: Hide) -> Step:
    """Hide a ghost under a tile of its colour; hiding a free one claims it. PS-24, PS-25, PS-Q15."""
    colour, room = action.ghost, action.room
    if state.options.keeper == "honour":
        raise not_now(state)
    if room not in ROOMS:
        raise Illegal("phantom.no_such_room", rule="PS-1", room=room)
    number = colour_number(colour)
    if not may_lead(state, seat, number):
        raise Illegal("phantom.not_your_ghost", rule="PS-25", ghost=colour_word(colour))
    tile = state.laid[room]
    if tile is None or tile.colour != colour:
        raise Illegal("phantom.wrong_colour", rule="PS-24", ghost=colour_word(colour), room=room)
    ghosts = (*state.ghosts[:number], Ghost(room, seat), *state.ghosts[number + 1 :])
    after = settle(replace(state, ghosts=ghosts))
    knowing = (seat,) if state.options.own_only else state.masters
    return after, (Whisper(knowing, Hidden(seat, colour, room)), *_began(after))


def ready(state: State, seat: Seat, action: Ready) -> Step:
    """A master has hidden his tokens under the tiles (keeper `honour`). PS-23, PS-26."""
    if state.options.keeper != "honour":
        raise not_now(state)
    after = settle(replace(state, ready=tuple(sorted((*state.ready, seat)))))
    return after, _began(after)


def _began(after: State) -> tuple[Told, ...]:
    return (HuntBegan(after.due),) if after.phase == "playing" else ()


def colour_word(colour: str) -> Saying:
    """A colour, to be said in the language of the sentence around it."""
    return Saying(f"phantom.colour_{colour}")
