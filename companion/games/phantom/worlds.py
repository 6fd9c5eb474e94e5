"""Where the ghosts can be, from what the whole table has seen. Exact: placements × ownership.

A set of placements is one big int with a bit for each of the (at first 9⁴) ways to hide four ghosts, and
there is one such int for each way to share the ghosts between the masters. What the table sees cuts these
sets down by a few operations on big numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import combinations, product
from typing import Any

from msgspec.structs import replace

from companion.contract import MODERATOR, Odds, OneWorld, Seat, Worlds
from companion.games.phantom.board import COLOURS, REACHES, in_set
from companion.games.phantom.options import PACKS, PER_COLOUR, teams
from companion.games.phantom.state import (
    Began,
    Fact,
    Ghost,
    Seen,
    SeenLift,
    SeenPass,
    State,
    Turn,
    Unmasked,
)

Sets = tuple[int, ...]
"""For each way to share the ghosts, the set of placements that are still possible."""

Shares = tuple[tuple[Seat, ...], ...]
"""Each way to share the ghosts: the master of each colour."""


class Spots:
    """The bits of every placement in which a ghost lies in a room, made once for each start of knowledge."""

    def __init__(self, began: Began) -> None:
        self.began = began
        self.reaches = REACHES[began.reach]
        self.colour_of = {room: number for number, rooms in enumerate(began.rooms) for room in rooms}
        self.everything = (1 << self.placements) - 1
        self.shares = ways_to_share(began.masters)
        self.at: list[dict[int, int]] = []
        stride = self.placements
        for rooms in began.rooms:
            period, stride = stride, stride // len(rooms)
            repeat = self.everything // ((1 << period) - 1)
            block = (1 << stride) - 1
            self.at.append({room: (block << stride * n) * repeat for n, room in enumerate(rooms)})

    @property
    def placements(self) -> int:
        """How many ways there are to hide the four ghosts."""
        ways = 1
        for rooms in self.began.rooms:
            ways *= len(rooms)
        return ways

    def rooms_in(self, placement: int) -> tuple[int, ...]:
        """The four rooms of one placement."""
        rooms = []
        for choices in reversed(self.began.rooms):
            placement, choice = divmod(placement, len(choices))
            rooms.append(choices[choice])
        return tuple(reversed(rooms))

    def hides(self, room: int, found: int) -> int:
        """The placements with a ghost still hidden in a room."""
        number = self.colour_of.get(room)
        return 0 if number is None or found >> number & 1 else self.at[number][room]

    def reaching(self, room: int, tiles: int, numbers: Iterable[int]) -> int:
        """The placements in which one of these ghosts reaches a room. Reach works the same in both ways."""
        origins = self.reaches(room, tiles)
        placements = 0
        for number in numbers:
            for origin, bits in self.at[number].items():
                if origins >> origin & 1:
                    placements |= bits
        return placements

    def can_play(self, tiles: int, found: int, owners: tuple[Seat, ...], master: Seat) -> int:
        """The placements in which a master has a tile to devastate. PS-57, PS-Q6, PS-Q7."""
        began, playable = self.began, 0
        spares = not began.friendly_fire or began.pass_if_only_allied
        for number in hidden_of(owners, master, found):
            for origin, bits in self.at[number].items():
                if not tiles >> origin & 1:
                    continue
                reached = self.reaches(origin, tiles)
                if not spares:
                    playable |= bits if reached else 0
                    continue
                for room in in_set(reached):
                    playable |= bits & ~self.allied(room, found, owners, master)
        return playable

    def allied(self, room: int, found: int, owners: tuple[Seat, ...], master: Seat) -> int:
        """The placements in which a master knows that an allied ghost hides in a room. PS-Q16."""
        number = self.colour_of.get(room)
        if number is None or (self.began.own_only and owners[number] != master):
            return 0
        return self.hides(room, found)


spots = lru_cache(maxsize=64)(Spots)


def ways_to_share(masters: tuple[Seat, ...]) -> Shares:
    """All ways to give each master his share of the ghosts. PS-25."""
    if len(masters) < 2:
        return (masters * len(COLOURS),)
    one, two = masters
    halves = combinations(range(len(COLOURS)), len(COLOURS) // 2)
    return tuple(tuple(one if n in half else two for n in range(len(COLOURS))) for half in halves)


def hidden_of(owners: tuple[Seat, ...], master: Seat, found: int) -> list[int]:
    """The numbers of a master's ghosts that have not been found."""
    return [number for number, owner in enumerate(owners) if owner == master and not found >> number & 1]


@lru_cache(maxsize=512)
def possible(facts: tuple[Fact, ...]) -> Sets:
    """The worlds that fit everything the table has seen."""
    first = facts[0]
    assert isinstance(first, Began)
    here = spots(first)
    if len(facts) == 1:
        return (here.everything,) * len(here.shares)
    return narrowed(here, possible(facts[:-1]), facts[-1])


def narrowed(here: Spots, sets: Sets, fact: Fact) -> Sets:
    """The worlds that also fit one more fact."""
    return tuple(
        placements & fitting(here, owners, fact) if placements else 0
        for owners, placements in zip(here.shares, sets, strict=True)
    )


def fitting(here: Spots, owners: tuple[Seat, ...], fact: Fact) -> int:
    """The placements that fit a fact, if the ghosts are shared like this."""
    match fact:
        case Seen():
            return _fits_removal(here, owners, fact)
        case Turn():
            return _fits_turn(here, owners, fact)
        case SeenPass(by=by, tiles=tiles, found=found):
            if not hidden_of(owners, by, found):
                return here.everything if here.began.dead_may_pass else 0
            return here.everything & ~here.can_play(tiles, found, owners, by)
        case SeenLift(by=by, room=room, tiles=tiles, found=found, ghost=ghost):
            reached = _fits_removal(here, owners, Seen(by, room, tiles, found, ghost))
            return _fits_finding(here, room, found, ghost) & ~reached
        case Unmasked(rooms=rooms, owners=seen):
            placements = here.everything if owners == seen else 0
            for number, room in enumerate(rooms):
                placements &= here.at[number].get(room, 0)
            return placements
    return here.everything


def _fits_finding(here: Spots, room: int, found: int, ghost: int | None) -> int:
    hiding = here.hides(room, found)
    return hiding if ghost is not None else here.everything & ~hiding


def _fits_removal(here: Spots, owners: tuple[Seat, ...], fact: Seen) -> int:
    """What lay under the tile; and if a master took it, that one of his ghosts reached it. PS-50, PS-52."""
    fits = _fits_finding(here, fact.room, fact.found, fact.ghost)
    if fact.by not in here.began.masters:
        return fits
    fits &= here.reaching(fact.room, fact.tiles, hidden_of(owners, fact.by, fact.found))
    if not here.began.friendly_fire:
        fits &= ~here.allied(fact.room, fact.found, owners, fact.by)
    elif here.began.pass_if_only_allied:
        fits &= here.can_play(fact.tiles, fact.found, owners, fact.by)
    return fits


def _fits_turn(here: Spots, owners: tuple[Seat, ...], fact: Turn) -> int:
    """Who plays a ghost turn tells whether its master has ghosts left or is blocked. PS-57, PS-58."""
    dead = not hidden_of(owners, fact.due, fact.found)
    if dead or fact.mover is None:
        return here.everything if dead and fact.mover != fact.due else 0
    if not here.began.partner_for_blocked:
        return here.everything if fact.mover == fact.due else 0
    other = next(master for master in here.began.masters if master != fact.due)
    replaced = here.can_play(fact.tiles, fact.found, owners, other)
    replaced &= ~here.can_play(fact.tiles, fact.found, owners, fact.due)
    return here.everything & ~replaced if fact.mover == fact.due else replaced


def count(facts: tuple[Fact, ...]) -> int:
    """How many worlds fit what was seen."""
    return sum(placements.bit_count() for placements in possible(facts))


# Keeper `honour`: nobody told the companion anything, so it asks whether any world allows a move.


def possible_movers(facts: tuple[Fact, ...], due: Seat, tiles: int, found: int) -> tuple[Seat, ...]:
    """Who may be the one to play a ghost turn. PS-58."""
    first = facts[0]
    assert isinstance(first, Began)
    if len(first.masters) < 2 or first.dead_may_pass:
        return (due,)
    return tuple(master for master in first.masters if count((*facts, Turn(due, master, tiles, found))))


def possible_moves(
    facts: tuple[Fact, ...], seat: Seat, due: Seat, tiles: int, found: int
) -> tuple[int, bool]:
    """The rooms that a master can devastate in some world, and whether he passes in some world."""
    first = facts[0]
    assert isinstance(first, Began)
    here, sets = spots(first), possible(facts)
    if len(first.masters) > 1 and not first.dead_may_pass:
        sets = narrowed(here, sets, Turn(due, seat, tiles, found))
    rooms = 0
    for room in in_set(tiles):
        for ghost in (None, here.colour_of.get(room)):
            if any(narrowed(here, sets, Seen(seat, room, tiles, found, ghost))):
                rooms |= 1 << room
    return rooms, any(narrowed(here, sets, SeenPass(seat, tiles, found)))


# The hunters' map


def odds(known: State, covered: int) -> Odds:
    """For each room with a tile, the share of worlds with a hidden ghost there."""
    if not known.facts:
        shares = 1 if known.options.players == 2 or len(known.masters) == 1 else 6
        return Odds(PER_COLOUR ** len(COLOURS) * shares, dict.fromkeys(in_set(covered), 1 / PER_COLOUR))
    first = known.facts[0]
    assert isinstance(first, Began)
    here, sets = spots(first), possible(known.facts)
    total = sum(placements.bit_count() for placements in sets)
    if not total:
        # What was seen contradicts itself: nobody can be anywhere.
        return Odds(0, dict.fromkeys(in_set(covered), 0.0))
    found = sum(1 << number for number, ghost in enumerate(known.ghosts) if ghost.revealed)
    rooms = {}
    for room in in_set(covered):
        hiding = here.hides(room, found)
        rooms[room] = sum((placements & hiding).bit_count() for placements in sets) / total
    return Odds(total, rooms)


# The worlds of a view


def worlds(known: State, seat: Seat) -> Worlds[State]:
    """The states that fit what a seat knows."""
    if known.phase == "bidding" and sealed(known) is not None:
        return SealedBid(known)
    nothing_hidden = known.options.keeper == "honour" or known.phase in ("placing", "bidding", "over")
    if nothing_hidden or seat == MODERATOR:
        return OneWorld(known)
    if known.phase == "hiding":
        return Hiders(known, seat)
    return Hunt(known)


class Hunt(Worlds[State]):
    """The worlds during the hunt: those the table knows, as far as they fit the ghosts this seat sees."""

    def __init__(self, known: State) -> None:
        self.known = known
        first = known.facts[0]
        assert isinstance(first, Began)
        self.here = spots(first)
        sets = possible(known.facts)
        self.sets = tuple(map(self._seen, self.here.shares, sets))

    def _seen(self, owners: tuple[Seat, ...], placements: int) -> int:
        for number, ghost in enumerate(self.known.ghosts):
            if ghost.room is not None:
                placements &= self.here.at[number].get(ghost.room, 0)
            if ghost.owner not in (None, owners[number]):
                return 0
        return placements

    def __len__(self) -> int:
        return sum(placements.bit_count() for placements in self.sets)

    @cached_property
    def _indices(self) -> list[tuple[int, int]]:
        return [(share, n) for share, bits in enumerate(self.sets) for n in _bits(bits)]

    def __getitem__(self, index: Any) -> Any:
        share, placement = self._indices[index]
        rooms, owners = self.here.rooms_in(placement), self.here.shares[share]
        ghosts = tuple(map(Ghost, rooms, owners, (ghost.revealed for ghost in self.known.ghosts)))
        return replace(self.known, ghosts=ghosts)


def _bits(number: int) -> list[int]:
    """The positions of the ones in a number, lowest first."""
    return [place for place, digit in enumerate(reversed(f"{number:b}")) if digit == "1"]


class Hiders(Worlds[State]):
    """The worlds while masters hide: who has finished is known, the rest is not."""

    def __init__(self, known: State, seat: Seat) -> None:
        self.known = known
        self.rooms = [
            [room for room in in_set(known.tiles) if (tile := known.laid[room]) and tile.colour == colour]
            for colour in COLOURS
        ]
        choices = [self._choices(ghost, seat) for ghost in known.ghosts]
        self.shapes = [shape for shape in product(*choices) if self._fits(shape)]
        self.sizes = [self._size(shape) for shape in self.shapes]

    def _choices(self, ghost: Ghost, seat: Seat) -> Sequence[tuple[Seat | None, bool]]:
        """Whose a ghost can be and whether it is hidden already, as far as this seat knows."""
        masters = self.known.masters
        if ghost.room is not None:
            return [(ghost.owner, True)]
        if seat not in masters:
            waiting: tuple[Seat | None, ...] = masters if self.known.dealt else (None,)
            return [*((owner, False) for owner in waiting), *((master, True) for master in masters)]
        if ghost.owner in (None, seat) or not self.known.options.own_only:
            # He would see it: it is not hidden yet.
            return [(ghost.owner, False)]
        return [(ghost.owner, True)] + ([(ghost.owner, False)] if self.known.dealt else [])

    def _fits(self, shape: tuple[tuple[Seat | None, bool], ...]) -> bool:
        share = len(COLOURS) // len(self.known.masters)
        for master in self.known.masters:
            hidden = sum(owner == master and done for owner, done in shape)
            led = sum(owner == master for owner, _ in shape)
            if (hidden < share) != (master in self.known.movers) or led > share:
                return False
        return True

    def _size(self, shape: tuple[tuple[Seat | None, bool], ...]) -> int:
        ways = 1
        for number, (_, done) in enumerate(shape):
            ways *= len(self._open_rooms(number)) if done else 1
        return ways

    def _open_rooms(self, number: int) -> list[int]:
        room = self.known.ghosts[number].room
        return self.rooms[number] if room is None else [room]

    def __len__(self) -> int:
        return sum(self.sizes)

    def __getitem__(self, index: Any) -> Any:
        for shape, size in zip(self.shapes, self.sizes, strict=True):
            if index < size:
                return replace(self.known, ghosts=self._ghosts(shape, index))
            index -= size
        raise IndexError(index)

    def _ghosts(self, shape: tuple[tuple[Seat | None, bool], ...], index: int) -> tuple[Ghost, ...]:
        ghosts = []
        for number, (owner, done) in enumerate(shape):
            if not done:
                ghosts.append(Ghost(owner=owner))
                continue
            rooms = self._open_rooms(number)
            index, choice = divmod(index, len(rooms))
            ghosts.append(Ghost(rooms[choice], owner))
        return tuple(ghosts)


def sealed(known: State) -> Seat | None:
    """The first seat of the team whose bid lies face down, if one does."""
    if known.packs is None:
        return None
    return next((team[0] for team in teams(known.options.players) if team[0] not in known.movers), None)


class SealedBid(Worlds[State]):
    """The worlds while the other team's bid lies face down: one for each bid its pack can make."""

    def __init__(self, known: State) -> None:
        self.known = known
        captain = sealed(known)
        assert captain is not None
        assert known.packs is not None
        self.captain, self.bids = captain, PACKS[known.packs[captain]]

    def __len__(self) -> int:
        return 1 if self.captain in self.known.bids else len(self.bids)

    def __getitem__(self, index: Any) -> Any:
        if self.captain in self.known.bids:
            return (self.known,)[index]
        return replace(self.known, bids={self.captain: self.bids[index]})
