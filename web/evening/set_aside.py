"""What safe mode has set aside (`companion.safe_mode`), until whoever runs the evening has read it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion import safe_mode
from companion.words import Saying


class SetAsideNotice:
    """What could not be opened, in words; nothing is the normal case."""

    def __init__(self, folder: Path | None, changed: Callable[[], None]) -> None:
        self._folder, self._changed = folder, changed
        self.told: tuple[Saying, ...] = safe_mode.told(folder) if folder else ()

    def dismiss(self) -> None:
        """Somebody has read it. What was set aside stays where it is."""
        if self._folder and self.told:
            safe_mode.dismiss(self._folder)
            self.told = ()
            self._changed()
