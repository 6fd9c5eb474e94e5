"""Up to which line of the running game its news were seen on each phone."""

from __future__ import annotations

from collections.abc import Container


class SeenNews:
    """A finger in the record for each guest. After a restart everybody has seen everything."""

    def __init__(self, lines: int) -> None:
        self._since = lines
        self._lines: dict[str, int] = {}

    def of(self, guest: str) -> int:
        """The last line that a guest has seen."""
        return self._lines.get(guest, self._since)

    def up_to(self, guest: str, line: int) -> None:
        """A guest has seen everything up to a line."""
        self._lines[guest] = max(line, self.of(guest))

    def forget_all_but(self, guests: Container[str]) -> None:
        """Those who have left the table for good."""
        for gone in [guest for guest in self._lines if guest not in guests]:
            del self._lines[gone]

    def begin(self) -> None:
        """A new game: there is nothing to be seen yet."""
        self._lines, self._since = {}, 0
