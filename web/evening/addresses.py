"""Where phones find this table."""

from __future__ import annotations

from collections.abc import Callable

from web.scene import Secured


class Addresses:
    """The addresses that phones are told: by number, and by name where the network knows one."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.base_url, self.local_url = "http://127.0.0.1", ""
        self.secured: Secured | None = None
        """The same over HTTPS, where it is switched on."""

    def move(self, base_url: str, local_url: str = "") -> None:
        """Tell phones these from now on."""
        if (base_url, local_url) != (self.base_url, self.local_url):
            self.base_url, self.local_url = base_url, local_url
            self._changed()

    def secure(self, secured: Secured | None) -> None:
        """Tell phones of HTTPS, or of it no more."""
        if secured != self.secured:
            self.secured = secured
            self._changed()
