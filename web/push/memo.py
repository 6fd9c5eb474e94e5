"""Memo: what is the same for every phone is made once, and kept as long as it is true."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from web.versions import Versions

T = TypeVar("T")


class Memo:
    """Keeps what was made until the version moves on."""

    def __init__(self, versions: Versions) -> None:
        self._versions = versions
        self._shared: tuple[int, dict[Hashable, Any]] = (0, {})
        self._lasting: tuple[int, dict[Hashable, Any]] = (0, {})

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """Something that is the same for every audience, made once a version."""
        if self._shared[0] != self._versions.now:
            self._shared = self._versions.now, {}
        return _kept(self._shared[1], name, make)

    def settled(self, name: Hashable, make: Callable[[], T]) -> T:
        """Something that no move changes, made again when anything else does."""
        if self._lasting[0] != self._versions.besides_moves:
            self._lasting = self._versions.besides_moves, {}
        return _kept(self._lasting[1], name, make)


def _kept(made: dict[Hashable, Any], name: Hashable, make: Callable[[], T]) -> T:
    if name not in made:
        made[name] = make()
    found: T = made[name]
    return found
