"""Changes of the guest book: who sits where, what was told. Plain functions from one book to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import cycle

from msgspec.structs import replace

from companion.contract import Chair, Seat
from companion.refusals import Forbidden, Illegal
from web.people import names
from web.people.guest_book import NOBODY, Book, Guest, Planned, Sitting, Told

MOST_GUESTS, A_HOUSEHOLD = 256, 64
"""Guests in all, and of one address."""
MOST_TOLD = 100


def name_for(book: Book, name: str, guest: str = "") -> str:
    """A name for a guest, or for somebody who shares their phone, as nobody else at the table is called."""
    others = [each.name for each in book.guests if each.id != guest]
    others += [sitting.name for sitting in book.seats.values() if sitting.name and sitting.guest != guest]
    return names.distinct(name, others)


def add_guest(book: Book, guest: Guest, here: Container[str] = (), runs: bool = False) -> Book:
    """Let somebody in. Where there is no room, one who has had no part this evening and is not here has left.

    That is whoever came first from the newcomer's address, if it has its share, else from where most come
    from: who joins again and again, sits down and gets up, drives out nobody else. For whoever comes to run
    the evening there is always room.
    """
    crowds = Counter(each.home for each in book.guests)
    if crowds[guest.home] >= A_HOUSEHOLD:
        among = [each for each in book.guests if each.home == guest.home]
        full = Illegal("evening.full_there", most=A_HOUSEHOLD)
    elif len(book.guests) >= MOST_GUESTS:
        among = sorted(book.guests, key=lambda each: -crowds[each.home])
        full = Illegal("evening.full", most=MOST_GUESTS)
    else:
        return replace(book, guests=(*book.guests, guest))
    seated = {sitting.guest for sitting in book.seats.values()}
    free = [each for each in among if not (each.host or each.moderator or each.id in seated)]
    idle = [each for each in free if not (each.sat or each.id in here)]
    if not idle and runs:
        # The last one: who fills the table comes after whoever plays at it.
        idle = [each for each in free if each.home == free[0].home][-1:]
    if not idle:
        raise full
    book = remove_guest(book, idle[0].id)
    return replace(book, guests=(*book.guests, guest))


def update_guest(book: Book, guest: Guest) -> Book:
    """The same guest, with something different about them."""
    return replace(book, guests=tuple(guest if each.id == guest.id else each for each in book.guests))


def remove_guest(book: Book, guest: str) -> Book:
    """Somebody leaves; their seats are free."""
    for seat in book.seats_of(guest):
        book = put_on_seat(book, seat, NOBODY)
    return replace(book, guests=tuple(each for each in book.guests if each.id != guest))


def put_on_seat(book: Book, seat: Seat, sitting: Sitting) -> Book:
    """Put a guest, a bot or nobody on a chair. Keys that programs had for it open it no more."""
    if (guest := book.guest(sitting.guest)) is not None and not guest.sat:
        book = update_guest(book, replace(guest, sat=True))
    return replace(book, seats={**book.seats, seat: replace(sitting, keys=())})


def take_seat(book: Book, guest: Guest, seat: Seat, name: str = "") -> Book:
    """Sit down on a chair that no other guest holds."""
    holder = book.sitting(seat).guest
    if holder not in (None, guest.id):
        raise Forbidden("evening.seat_taken", seat=seat)
    return book if holder else put_on_seat(book, seat, Sitting(guest=guest.id, name=name))


def with_plan(book: Book, plan: Planned, chairs: Sequence[Chair]) -> Book:
    """Another plan: nobody keeps a chair that it has not, and the companion sits on those of its role.

    It takes them from people only at the moment it is given a side against others.
    """
    before = book.plan
    seats = book.seats if plan.game == before.game else {}
    takes = plan.companion != before.companion and len({chair.role for chair in chairs}) > 1

    def sitting(chair: Chair) -> Sitting:
        now = seats.get(chair.seat, NOBODY)
        if chair.role and chair.role == plan.companion and (takes or not now.guest):
            return Sitting(bot=plan.level)
        return NOBODY if now.bot and chair.role == before.companion else now

    if chairs:
        seats = {chair.seat: sitting(chair) for chair in chairs}
    return replace(book, plan=plan, seats=seats)


def fill(book: Book, seats: Iterable[Seat], level: str) -> Book:
    """Bots on every chair where nobody sits."""
    for seat in seats:
        sitting = book.sitting(seat)
        if not (sitting.guest or sitting.bot):
            book = put_on_seat(book, seat, Sitting(bot=level))
    return book


def share(book: Book, seats: Sequence[Seat]) -> Book:
    """The people who sit run the empty chairs too, in turn."""
    sat_on = [book.sitting(seat) for seat in seats]
    people = dict.fromkeys(sitting.guest for sitting in sat_on if sitting.guest)
    empty = (seat for seat, one in zip(seats, sat_on, strict=True) if not (one.guest or one.bot))
    for seat, guest in zip(empty, cycle(people), strict=False):
        book = put_on_seat(book, seat, Sitting(guest=guest))
    return book


def rotate(book: Book, seats: Sequence[Seat], steps: int = 1) -> Book:
    """Everybody so many seats on."""
    around = dict(zip(seats, (*seats[steps:], *seats[:steps]), strict=True))
    moved = {around[seat]: replace(book.sitting(seat), keys=()) for seat in seats}
    return replace(book, seats={**book.seats, **moved})


def tell_who_is_alone(book: Book) -> Book:
    """Tell the whole table on which phones one person plays, and sees, several seats."""
    for guest in book.guests:
        if guest.alone and len(book.seats_of(guest.id)) > 1:
            book = tell(book, "handover.told_alone", name=guest.name)
    return book


def tell(book: Book, key: str, **facts: str) -> Book:
    """Tell the whole table something: it comes to every phone and stays there until it was seen."""
    n = max(book.tellings, *(one.n for one in book.told[-1:]), 0) + 1
    told = (*book.told, Told(n, key, facts))
    if len(told) > MOST_TOLD:
        told = _without_one(book, told)
    return replace(book, told=told, tellings=n)


def tell_of(book: Book, who: Guest, key: str, **facts: str) -> Book:
    """Tell the whole table what somebody did. On their own phone it is no news, if the rest was seen."""
    knows = [guest for guest in book.guests if guest.id == who.id and guest.heard >= book.tellings]
    book = tell(book, key, name=who.name, **facts)
    return has_seen(book, knows[0], book.tellings) if knows else book


def _without_one(book: Book, told: tuple[Told, ...]) -> tuple[Told, ...]:
    """One fewer: what all have seen, else the oldest of the kind told most; so none washes others away."""
    unseen = still_to_see(book)
    often = Counter(one.key for one in told).most_common(1)[0][0]
    leaves = next((one for one in book.told if one not in unseen), None) or next(
        one for one in told if one.key == often
    )
    return tuple(one for one in told if one is not leaves)


def still_to_see(book: Book) -> tuple[Told, ...]:
    """What was told and not yet seen on every phone."""
    return tuple(one for one in book.told if any(guest.heard < one.n for guest in book.guests))


def has_seen(book: Book, guest: Guest, told: int) -> Book:
    """A guest has seen the announcements up to a number."""
    told = min(told, book.tellings)
    return update_guest(book, replace(guest, heard=told)) if told > guest.heard else book
