"""Where phones find this table."""

from __future__ import annotations

from collections.abc import Callable


class Addresses:
    """The addresses that phones are told: by number, and by name where the network knows one."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.base_url, self.local_url = "http://127.0.0.1", ""

    def move(self, base_url: str, local_url: str = "") -> None:
        """Tell phones these from now on."""
        if (base_url, local_url) != (self.base_url, self.local_url):
            self.base_url, self.local_url = base_url, local_url
            self._changed()
