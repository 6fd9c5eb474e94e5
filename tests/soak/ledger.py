"""What people were told has happened; whatever became of the daemon, it must be on the disk."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from companion.contract import plain
from companion.journal import Acted, read_entries


class Ledger:
    """Acknowledged actions of each player, seals that a page showed, names that were taken."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, threading.Lock()
        self._acted: dict[str, list[tuple[str, Any]]] = {}
        self._shown: list[str] = []
        self._names: dict[str, tuple[str, ...]] = {}
        self._found: dict[str, int] = {}
        self.checked = self.seals = 0

    def acted(self, who: str, seat: str, action: Any) -> None:
        """Somebody's action was acknowledged."""
        with self._lock:
            self._acted.setdefault(who, []).append((seat, action))

    def showed(self, digits: str) -> None:
        """A page showed the beginning of a seal."""
        with self._lock:
            self._shown.append(digits)

    def asked_name(self, who: str, name: str) -> None:
        """A name was sent: from now on it may be this one, or any since the last that was acknowledged."""
        with self._lock:
            self._names[who] = (*self._names.get(who, ()), name)

    def named(self, who: str, name: str) -> None:
        """It was acknowledged."""
        with self._lock:
            self._names[who] = (name,)

    def missing(self) -> list[str]:
        """What is not on the disk though it was acknowledged; nothing is the normal case."""
        with self._lock:
            acted, self._acted = self._acted, {}
            shown, self._shown = self._shown, []
            names = dict(self._names)
        entries = read_entries((self._folder / "journal").read_bytes())[0]
        lost = [each for who, told in acted.items() for each in self._not_in(entries, who, told)]
        seals = {getattr(entry, "seal", "") for entry in entries}
        lost += [f"seal {digits}" for digits in shown if not any(s.startswith(digits) for s in seals)]
        self.seals += len(shown)
        book = json.loads((self._folder / "guests.json").read_bytes())
        known = {guest["name"] for guest in book["guests"]}
        return lost + [f"name {those}" for those in names.values() if known.isdisjoint(those)]

    def _not_in(self, entries: Any, who: str, told: list[tuple[str, Any]]) -> list[str]:
        """Actions of one player that do not follow, in their order, what was found of theirs before."""
        at = self._found.get(who, 0)
        for seat, action in told:
            while at < len(entries) and not _is(entries[at], seat, action):
                at += 1
            if at == len(entries):
                return [f"{seat}: {action}"]
            at += 1
            self.checked += 1
        self._found[who] = at
        return []


def _is(entry: Any, seat: str, action: Any) -> bool:
    """Whether an entry is this action; it may have fields that nobody named."""
    if not isinstance(entry, Acted) or entry.seat != seat:
        return False
    written = plain(entry.action)
    return all(written.get(name) == value for name, value in action.items())
