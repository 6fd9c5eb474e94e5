"""The benchmarks sit down at a real daemon as phones do: a page that changes must not leave them outside."""

import asyncio
import tempfile
from pathlib import Path
from random import Random

from bench.seated import around, choice
from bench.web_games import castle
from bench.web_push import abandon, begin, daemon, seated


async def _evening(phones: int) -> None:
    with daemon() as house:
        wires = await seated(house, phones)
        await begin(wires)
        await abandon(wires)
        for wire in wires:
            wire.hang_up()


def test_phones_of_the_benchmarks_take_their_seats_and_hide_their_ghosts() -> None:
    asyncio.run(_evening(6))


async def _under_way() -> tuple[int, dict[str, str]] | None:
    ready = castle()
    with tempfile.TemporaryDirectory() as folder:
        async with around(ready, Path(folder), 6) as (_, wires):
            tap = await choice(wires, ready, Random(1))
            for wire in wires:
                wire.hang_up()
    return tap


def test_phones_of_the_benchmarks_find_a_game_that_is_under_way() -> None:
    tap = asyncio.run(_under_way())
    assert tap is not None
    assert tap[1]["seat"] == "max"
