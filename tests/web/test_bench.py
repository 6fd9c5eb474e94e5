"""The benchmarks sit down at a real daemon as phones do: a page that changes must not leave them outside."""

import asyncio

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
