"""The shortest siege by a guesser; `make test-guesser` for a minute. And one that is let in is noticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.guesser import house
from tests.guesser.house import Siege, besieged
from tests.web.daemon import port_that_stays_free
from tests.web.phones import Phone

SECONDS, LONGEST = 6.0, 1.5
"""Other tests run beside this one: here an honest phone has that many seconds."""


def test_guessing_opens_nothing_and_honest_phones_are_answered(tmp_path: Path) -> None:
    siege = besieged(tmp_path / "state", port_that_stays_free(), 1000, SECONDS, LONGEST)
    assert not siege.faults, f"{siege.told()}\n" + "\n".join(siege.faults[:10])
    assert siege.tries > 100


def test_somebody_who_gets_in_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guesser here has looked at the code."""

    def knows(siege: Siege, rate: float, seconds: float) -> None:
        daemon: Any = siege._daemon
        Phone(daemon.port, source="127.9.7.1").join(daemon.code, "Eve")
        siege.found = {"answers": {"code: 303": 1}, "opened": ["code"], "seconds": 1.0}

    monkeypatch.setattr(house.Siege, "_guess", knows)
    siege = besieged(tmp_path / "state", port_that_stays_free(), 1000, 1.0, LONGEST)
    assert siege.faults[:3] == ["opened by guessing: code", "4 guests", "the host was not told"]
