"""The shortest siege by a guesser; `make test-guesser` for a minute. And one that is let in is noticed."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.guesser import house
from tests.guesser.house import Siege, besieged
from tests.web.daemon import port_that_stays_free
from tests.web.phones import Phone
from web.server.wsgi import Threads

SECONDS, LONGEST = 6.0, 1.5
"""Other tests run beside this one: here an honest phone has that many seconds."""


def test_guessing_opens_nothing_and_honest_phones_are_answered(tmp_path: Path) -> None:
    siege = besieged(tmp_path / "state", port_that_stays_free(), 1000, SECONDS, LONGEST)
    assert not siege.faults, f"{siege.told()}\n" + "\n".join(siege.faults[:10])
    assert siege.tries > 100


def test_a_crowd_of_strangers_leaves_threads_to_joined_phones() -> None:
    """From however many addresses they call: what they wait for, joined phones do not wait for."""
    held = threading.Event()

    def application(environ: dict[str, Any], start: Any) -> list[bytes]:
        if environ["crowd"]:
            held.wait(10)
        start("200 OK", [])
        return [b"here"]

    async def ask() -> bytes:
        threads = Threads(application)
        crowd = [
            asyncio.create_task(threads.answer({"crowd": True}, f"s{n}", f"s{n}", known=False))
            for n in range(40)
        ]
        await asyncio.sleep(0.1)
        async with asyncio.timeout(5):
            answer = await threads.answer({"crowd": False}, "Ada", "home", known=True)
        held.set()
        assert {(await each).status for each in crowd} == {200}
        threads.close()
        return answer.body

    assert asyncio.run(ask()) == b"here"


def test_somebody_who_gets_in_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guesser here has looked at the code."""

    def knows(siege: Siege, rate: float, seconds: float) -> None:
        daemon: Any = siege._daemon
        Phone(daemon.port, source="127.9.7.1").join(daemon.code, "Eve")
        siege.found = {"answers": {"code: 303": 1}, "opened": ["code"], "seconds": 1.0}

    monkeypatch.setattr(house.Siege, "_guess", knows)
    siege = besieged(tmp_path / "state", port_that_stays_free(), 1000, 1.0, LONGEST)
    assert siege.faults[:3] == ["opened by guessing: code", "4 guests", "the host was not told"]
