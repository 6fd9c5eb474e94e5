"""Every contact of a kit by name, debounced, with an eye on those that are stuck or rattle."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.words import Saying
from hardware import names
from hardware.debounce import Contact

STUCK = 60.0
"""Seconds after which a button that is still held is taken for a stuck one."""

Changed = Callable[[str, bool, float], None]
"""Told of every change that is believed: the contact, whether it is closed now, and when."""


class Contacts:
    """The contacts on pins of their own: edges go in, believed changes come out."""

    def __init__(self, changed: Changed) -> None:
        self._changed = changed
        self._contacts: dict[str, Contact] = {}

    def add(self, name: str, closed: bool, now: float) -> None:
        """Know a contact, as it is at the start: what is held then is no press."""
        self._contacts[name] = Contact(closed)
        self._contacts[name].since = now

    def edge(self, name: str, closed: bool, now: float) -> None:
        """The wire of a contact changed."""
        contact = self._contacts[name]
        if contact.settle(now):
            self._changed(name, contact.closed, now)
        if contact.edge(closed, now):
            self._changed(name, closed, now)

    def advance(self, now: float) -> None:
        """Believe what has been quiet for long enough."""
        for name, contact in self._contacts.items():
            if contact.settle(now):
                self._changed(name, contact.closed, now)

    def due(self) -> float | None:
        """When `advance` has something to do."""
        waiting = (contact.due() for contact in self._contacts.values())
        return min((due for due in waiting if due is not None), default=None)

    def faults(self, now: float) -> list[Saying]:
        """What seems to be broken."""
        found = []
        for name, contact in self._contacts.items():
            if contact.rattles(now):
                found.append(Saying("hardware.rattles", button=name, wire=names.wire(name)))
            elif contact.closed and now - contact.since >= STUCK:
                found.append(Saying("hardware.stuck", button=name, wire=names.wire(name)))
        return found

    def held(self) -> Iterable[str]:
        """The contacts that are closed now."""
        return [name for name, contact in self._contacts.items() if contact.closed]
