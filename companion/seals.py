"""The sealed record: a chain that shows afterwards whether anything was changed.

Each accepted action extends the chain: `seal = SHA-256(previous seal ‖ canonical JSON of the entry ‖ 16
random bytes)`. The newest seal is public. It tells nothing, because the random bytes stay secret until the
end; then the record hands them out, and whoever noted a seal during play can check that nothing before it was
changed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Collection, Iterable
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.contract import Result, plain
from companion.journal import AnyEntry, Left, Started
from companion.refusals import Illegal

PROTOCOL = 1
"""The version of the table protocol, which the first seal names."""
VERSION = 1
"""The version of the record's own format."""
RANDOM_BYTES = 16
UNSEALED = ("n", "at", "salt", "seal", "over")
"""What a line of the journal says besides the entry itself."""

_encoder = msgspec.json.Encoder(order="sorted")


class Seal(msgspec.Struct, frozen=True):
    """The newest seal: how many entries it covers, and its 64 hexadecimal digits."""

    n: int
    seal: str


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry in the chain, the random bytes that hide it during play, and its seal."""

    n: int
    entry: dict[str, Any]
    random: str
    seal: str


class Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game was begun with that not everybody may know; the first seal covers it by a hash."""

    options: dict[str, Any]
    position: dict[str, Any] | None
    random: str


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended."""

    winner: str
    reason: str


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finished game that anybody can check. Nothing in it stands outside the chain or the rules."""

    record: int
    protocol: int
    game: str
    options: dict[str, Any]
    secret: Secret | None
    first: str
    """The seal before the first entry."""
    entries: tuple[Link, ...]
    result: Ending
    seal: str
    """The last one."""


def canonical(value: Any) -> bytes:
    """JSON in the one form that is sealed: keys sorted, no blanks, UTF-8."""
    return _encoder.encode(value)


def first_seal(game: str, options: dict[str, Any], secret: Secret | None, protocol: int = PROTOCOL) -> str:
    """The seal of a game that is about to begin. What is secret in it is covered by a hash of its own."""
    opening: dict[str, Any] = {"game": game, "options": options, "protocol": protocol}
    if secret is not None:
        hidden = canonical({"options": secret.options, "position": secret.position})
        opening["secret"] = hashlib.sha256(hidden + bytes.fromhex(secret.random)).hexdigest()
    return hashlib.sha256(canonical(opening)).hexdigest()


def next_seal(before: str, entry: dict[str, Any], random: str) -> str:
    """The seal of an entry that follows another seal."""
    return hashlib.sha256(bytes.fromhex(before) + canonical(entry) + bytes.fromhex(random)).hexdigest()


class Chain:
    """The seals of one game as it is played. `secret` names the options that not everybody may know."""

    def __init__(self, begun: Started, secret: Collection[str] = ()) -> None:
        self.game = begun.game
        self.options = {name: value for name, value in begun.options.items() if name not in secret}
        hidden = {name: value for name, value in begun.options.items() if name in secret}
        self.secret: Secret | None = None
        self._seed = begun.seed
        random = begun.salt or self._random(0)
        if hidden or begun.position is not None:
            self.secret = Secret(hidden, begun.position, random)
        seal = first_seal(self.game, self.options, self.secret)
        self.broken = 0 if begun.seal not in ("", seal) else None
        """The first entry that does not fit its seal, where a journal was changed by hand."""
        self.first = begun.seal or seal
        self.begun = replace(begun, salt=random if self.secret else "", seal=self.first)
        """The first entry of the game, with its seal."""
        self.links: list[Link] = []

    def newest(self) -> Seal:
        """The public seal. A game of an earlier version has none until its next entry: it would tell."""
        if self.links and not self.links[-1].random:
            raise Illegal("companion.not_sealed")
        return Seal(len(self.links), self._last())

    def sealed(self, entries: Iterable[AnyEntry]) -> list[AnyEntry]:
        """The same entries with random bytes and seals, as they would follow. Nothing has changed yet."""
        before, n, found = self._last(), len(self.links), []
        for entry in entries:
            if isinstance(entry, Started):
                entry = self.begun
            elif not isinstance(entry, Left):
                n += 1
                salt = self._random(n)
                before = next_seal(before, sealed_part(entry), salt)
                entry = replace(entry, salt=salt, seal=before)
            found.append(entry)
        return found

    def follow(self, entry: AnyEntry) -> None:
        """Take up an entry that is durable. One of an earlier version has no random bytes."""
        if isinstance(entry, Left | Started):
            return
        n, part = len(self.links) + 1, sealed_part(entry)
        seal = next_seal(self._last(), part, entry.salt)
        if entry.seal and entry.seal != seal and self.broken is None:
            self.broken = n
        self.links.append(Link(n, part, entry.salt, entry.seal or seal))

    def record(self, result: Result) -> Record:
        """Everything, once the game is over."""
        return Record(
            VERSION,
            PROTOCOL,
            self.game,
            self.options,
            self.secret,
            self.first,
            tuple(self.links),
            Ending(result.winner, result.reason),
            self._last(),
        )

    def _last(self) -> str:
        return self.links[-1].seal if self.links else self.first

    def _random(self, n: int) -> str:
        """Random bytes: the system's, or what a seed gives for this place in the chain."""
        if self._seed is None:
            return secrets.token_hex(RANDOM_BYTES)
        return Random(f"{self._seed} seal {n}").randbytes(RANDOM_BYTES).hex()


def sealed_part(entry: AnyEntry) -> dict[str, Any]:
    """What of a journal's entry is sealed."""
    fields: dict[str, Any] = plain(entry)
    return {name: field for name, field in fields.items() if name not in UNSEALED}


def happenings(links: Iterable[Link], since: Iterable[str] = ()) -> dict[str, int]:
    """How often something out of the ordinary happened to a game, by name; nothing is the normal case."""
    found = Counter(since)
    for link in links:
        found.update(link.entry.get("after", ()))
        found["undone"] += link.entry.get("do") == "undo"
        found["repaired"] += link.entry.get("action", {}).get("type") == "repair"
    return {name: number for name, number in sorted(found.items()) if number}
