"""The people around the table, as a page shows them: phones, places, and the codes by which more may come."""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import Seat
from web.access.credentials import Ticket
from web.evening.evening import Evening
from web.people.guest_book import Guest
from web.push.memo import Memo
from web.render import qr
from web.render.people import called
from web.scene import Join, Phone, Place, Presence
from web.texts import texts


class PeopleSeen:
    """Who is here and who sits where."""

    def __init__(self, evening: Evening, kept: Memo) -> None:
        self._evening, self._kept = evening, kept

    def phone(self, guest: Guest) -> Phone:
        """A guest with the seats of their phone."""
        evening = self._evening
        chairs, own = evening.chairs(), evening.guests.seats_of(guest.id)
        return Phone(
            guest.id,
            guest.name,
            tuple(chair.seat for chair in chairs if chair.seat in own),
            guest.host,
            guest.moderator,
            evening.presences.of(guest.id),
            guest.language or "",
            guest.alone,
        )

    def places(self, who: Guest | None) -> tuple[Place, ...]:
        """The chairs around the table, and which of them are theirs who looks."""
        places = self._kept.once("places", self._places_now)
        if who is None:
            return places
        return tuple(replace(place, mine=True) if place.phone == who.id else place for place in places)

    def _places_now(self) -> tuple[Place, ...]:
        chairs, choosing = self._evening.chairs(), self._evening.choices
        sat_on = self._kept.settled(chairs, lambda: [self._place(chair.seat, chair.role) for chair in chairs])
        return tuple([replace(place, to_act=True) if place.seat in choosing else place for place in sat_on])

    def _place(self, seat: Seat, role: str | None) -> Place:
        evening = self._evening
        sitting = evening.book.sitting(seat)
        guest = evening.guests.find(sitting.guest)
        presence: Presence = "bot" if sitting.bot else "nobody"
        return Place(
            seat=seat,
            role=role,
            name=evening.guests.name_of(seat) if guest else "",
            phone=guest.id if guest else None,
            bot=sitting.bot,
            left_by=sitting.left_by,
            presence=evening.presences.of(guest.id) if guest else presence,
        )

    def join(self, ticket: Ticket, seconds: float = 0.0) -> Join:
        """A code that lets somebody in, as link and picture."""
        url = f"{self._evening.addresses.base_url}/j/{ticket.code}"
        return Join(ticket.code, url, qr.drawn(url), int(seconds / 60))

    def names(self, language: str) -> dict[Seat, str]:
        """What people call the seats."""
        places, game = self.places(None), self._evening.table.game
        name, t = game.name if game else self._evening.book.plan.game, texts(language)
        return {place.seat: called(places, place, name, t) for place in places}
