"""How phones are told: from parts that are kept, and over a stream that is a plain request."""

import asyncio
import sys
from collections.abc import Callable
from itertools import islice
from typing import Any

from companion.contract import plain
from tests.web.conftest import Running, hide
from web.evening import joining, match
from web.people.guest_book import Guest
from web.people.identity import Caller
from web.push.audience import audience
from web.push.scenes import SceneBuilder
from web.push.streams import Streams
from web.render import pages
from web.scene import Page

OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}


def forget_every_part() -> None:
    """As if nothing had been drawn yet: every function that keeps what it made forgets it."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("web.render", "web.games")):
            for kept in vars(module).values():
                if type(kept).__name__ == "_lru_cache_wrapper" and kept.__module__ == name:
                    kept.cache_clear()


def all_pages(house: Running, scenes: SceneBuilder) -> list[str]:
    """What everybody sees now, in two languages."""
    guests: list[tuple[Guest | None, Page]] = [(guest, "play") for guest in house.evening.book.guests[1:]]
    guests += [(house.evening.book.guests[0], "host"), (None, "watch"), (None, "table")]
    seen = [
        (scenes.scene(audience(house.evening, guest, page, None, tongue)), page)
        for guest, page in guests
        for tongue in ("en", "fr")
    ]
    return [pages.fragment(scene, page) for scene, page in seen]


def test_page_made_of_kept_parts_is_the_page_drawn_anew(
    run: Callable[..., Running], same_luck: Callable[[], None]
) -> None:
    same_luck()
    house = run(renderer=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    for turn in range(8):
        seat, choices = next(iter(house.evening.choices.items()))
        match.act(house.evening, seat, plain(next(islice(choices, turn % len(choices), None))))
        assert_drawn_anew_is_the_same(house)
        if turn == 3:
            joining.introduce(house.evening, house.evening.book.guests[1], "Somebody else", None)
            assert_drawn_anew_is_the_same(house)
        if turn == 4:
            match.pause(house.evening, True)
            assert_drawn_anew_is_the_same(house)
            match.pause(house.evening, False)
        if turn == 5:
            match.undo(house.evening, seat)
            assert_drawn_anew_is_the_same(house)


def assert_drawn_anew_is_the_same(house: Running) -> None:
    made_of_kept = all_pages(house, house.house.page_cache.scenes)
    forget_every_part()
    assert made_of_kept == all_pages(house, SceneBuilder(house.evening, house.house.demos))


def test_a_stream_needs_no_socket(run: Callable[..., Running]) -> None:
    """It is a plain ASGI request: what it sends after a change, and how it ends, can be looked at alone."""
    house = run(renderer=pages)
    house.host()
    sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def follow() -> tuple[list[bytes], dict[str, Any]]:
        streams = Streams(house.evening, house.house.demos, house.house.page_cache)
        gone = asyncio.Event()

        async def receive() -> dict[str, str]:
            await gone.wait()
            return {"type": "http.disconnect"}

        streams.begin()
        caller = Caller(address="127.0.0.1", language="en", token="t")
        stream = streams.page_stream(caller, "watch", None, "")
        serving = asyncio.create_task(streams.serve(stream, receive, sent.put))
        start, *first = [await sent.get() for _ in range(3)]
        assert start["type"] == "http.response.start"
        await asyncio.to_thread(house.evening.versions.bump)
        change = await sent.get()
        gone.set()
        last = await sent.get()
        await serving
        streams.end()
        return [each["body"] for each in (*first, change)], last

    (greeting, page, change), last = asyncio.run(follow())
    assert b"event: token" in greeting
    assert page.startswith(b"event: page")
    assert change.startswith(b"event: change")
    assert last == {"type": "http.response.body", "body": b""}
