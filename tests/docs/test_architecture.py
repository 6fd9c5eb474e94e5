"""The walk of one tap that `docs/architecture.md` lists is the walk that a real one takes."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.web.conftest import Running, hide
from tests.web.conftest import run as run
from tests.web.phones import Answer, Phone
from web.render import pages
from web.server import server

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
OURS = tuple(str(ROOT / name) + "/" for name in ("companion", "hardware", "web"))
ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}
OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}


class Tracer:
    """Notes which of our files run, in every thread begun while it is there, in the order of first calls."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}
        self.on = False

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if self.on and event == "call" and name.startswith(OURS) and name.endswith(".py"):
            self.files.setdefault(Path(name).relative_to(ROOT).as_posix())


@pytest.fixture
def tracer() -> Iterator[Tracer]:
    tracer = Tracer()
    threading.setprofile(tracer)
    yield tracer
    threading.setprofile(None)  # type: ignore[arg-type]


def walked() -> list[str]:
    """The files of the walk as the page lists them: the street, and what is asked on the way."""
    walk = PAGE.read_text(encoding="utf-8").partition("## A tap")[2].partition("\n## ")[0]
    street, _, asked = walk.partition("On the way they ask:")
    return re.findall(r"^\d+\. `([^`]+)`", street, re.M) + re.findall(r"`([^`]+)`", asked)


def test_a_tap_goes_through_the_files_that_the_page_lists(
    tracer: Tracer, run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the daemon looks at from time to time is no part of a tap.
    monkeypatch.setattr(server, "BETWEEN_LOOKS", 3600.0)
    house = run(renderer=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    stream = phones["p1"].stream("play")
    stream.page()
    # The first moves draw and compile what later ones find ready.
    for _ in range(4):
        tap(*form(house, phones))
        stream.page()
    tapped = form(house, phones)
    tracer.on = True
    tap(*tapped)
    stream.page()
    tracer.on = False
    assert sorted(tracer.files) == sorted(walked()), "\n".join(tracer.files)


def form(house: Running, phones: Any) -> tuple[Phone, Answer, dict[str, str]]:
    """Whose turn it is, the page they look at, and a first choice on it."""
    seat, choices = next(iter(house.evening.choices.items()))
    return (
        phones[seat],
        phones[seat].get("/play"),
        {"seat": seat, "type": "remove", "room": str(choices[0].room)},
    )


def tap(phone: Phone, page: Answer, fields: dict[str, str]) -> None:
    answer = phone.post("/act", page=page, wants="pushed", **fields)
    assert answer.status == 204, answer.text
