"""Beginning, leaving and playing again are one durable step or none, wherever the disk is full."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.disk import write_file
from tests.web.conftest import Running
from tests.web.phones import Phone, until

Run = Callable[..., Running]
FULL = OSError(28, "No space left on device")


def as_it_is(house: Running) -> tuple[Any, ...]:
    book = house.evening.book
    sat_on = {seat: sitting.guest or sitting.bot for seat, sitting in book.seats.items()}
    return house.evening.stage, house.evening.table.game is not None, book.insiders, sat_on


def the_game_is_over(house: Running, host: Phone) -> None:
    for seat in ("p1", "p2"):
        house.bot(seat)
    house.start(host, players=2)
    until(lambda: house.evening.stage == "result")
    for seat in ("p1", "p2"):
        host.post("/host/seat", seat=seat, empty="1")
    ada = next(guest for guest in house.evening.book.guests if guest.name == "Ada")
    host.post("/host/seat", seat="p1", phone=ada.id)


BEFORE: dict[str, Callable[[Running, Phone], object]] = {
    "start": lambda house, host: host.post("/host/plan", players=2),
    "abandon": lambda house, host: house.start(host, players=2),
    "rematch": the_game_is_over,
}


@pytest.mark.parametrize("form", BEFORE)
@pytest.mark.parametrize("full", ["before", "between", "after"])
def test_what_was_refused_did_not_happen_and_what_was_not_did(
    run: Run, monkeypatch: pytest.MonkeyPatch, form: str, full: str
) -> None:
    """The disk is full when the book is prepared, when the game is noted, or when the book is finished."""
    house = run()
    host = house.host()
    house.guest("Ada").post("/moderator", pin=house.evening.pin.shown)
    BEFORE[form](house, host)
    page = host.get("/host")
    was = as_it_is(house)
    saved: list[Path] = []

    def book(path: Path, data: bytes) -> None:
        saved.append(path)
        if full == "before" or (full == "after" and len(saved) > 1):
            raise FULL
        write_file(path, data)

    def journal(*_: Any) -> None:
        raise FULL

    with monkeypatch.context() as patch:
        patch.setattr("web.people.guest_book.write_file", book)
        if full == "between":
            patch.setattr("companion.journal._write_whole", journal)
        answer = host.post(f"/host/{form}", page=page)
    now = as_it_is(house)
    assert (answer.status, now != was) == ((200, True) if full == "after" else (507, False))
    house.close()
    assert as_it_is(run()) == now
