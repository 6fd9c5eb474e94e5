"""Two companions on one Pi, each on a port of its own: a phone may sit at both tables."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.web.daemon import Daemon, port_that_stays_free


def test_a_phone_that_sits_at_both_boards_is_known_at_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Browsers keep cookies by host and show them to every port of it."""
    daemons = []
    for number, name in enumerate(("companion", "companion-second")):
        monkeypatch.setenv("COMPANION_COOKIE", name)
        daemons.append(Daemon(tmp_path / str(number), port_that_stays_free()))
    phones = [daemon.phone() for daemon in daemons]
    jar: dict[str, str] = {}
    for daemon, phone in zip(daemons, phones, strict=True):
        phone.cookie = "; ".join(f"{name}={value}" for name, value in jar.items()) or None
        phone.post("/host", pin=daemon.pin, name="Ada")
        assert phone.cookie
        name, _, value = phone.cookie.partition("=")
        jar[name] = value
    for phone in phones:
        phone.cookie = "; ".join(f"{name}={value}" for name, value in jar.items())
        assert phone.get("/host", follow=False).status == 200
        phone.close()
    for daemon in daemons:
        daemon.end(signal.SIGTERM)
