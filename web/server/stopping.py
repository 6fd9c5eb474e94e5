"""How the daemon is told to end: by the host, a long press on the board, a restored backup, or a signal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

End = Literal["stopped", "rest", "again"]
"""How serving ended: somebody stopped it; the power may be cut; everything opens again with another state."""


class Stopping:
    """Whether the daemon was told to end, and how. It may be told from any thread."""

    def __init__(self) -> None:
        self.end: End = "stopped"
        self._asked = False
        self._watcher: Callable[[], None] | None = None

    def stop(self) -> None:
        """End; a wish that came before still counts."""
        self._asked = True
        if self._watcher is not None:
            self._watcher()

    def rest(self) -> None:
        """End, and the power may be cut."""
        self.end = "rest"
        self.stop()

    def again(self) -> None:
        """End, so that everything is opened anew."""
        self.end = "again"
        self.stop()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Be told, in whatever thread, when it is time; at once where it is already."""
        self._watcher = watcher
        if self._asked:
            watcher()
