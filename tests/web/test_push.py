"""How phones are told: from parts that are kept, the others before whoever acted, and over old lines too."""

import json
import socket
from collections.abc import Callable
from itertools import islice

import pytest

from companion.contract import plain
from tests.web.conftest import Running, hide
from tests.web.phones import Phone
from web import pages, streams
from web.audiences import audience
from web.evening import match
from web.evening.book import Guest
from web.pages import floor, hall, paper, phantom
from web.scene import Page

OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}


def forget_every_part(house: Running) -> None:
    sights = house.house.frames.sights
    sights._shared = sights._lasting = (-1, {})
    for kept in (
        hall.parts,
        hall.desk_parts,
        paper.kept,
        hall.stencils,
        phantom.opened,
        phantom.hideouts,
        floor.drawn_lines,
        floor.drawn_squares,
        floor.drawn_plain,
        floor.drawn_square,
    ):
        kept.cache_clear()


def all_pages(house: Running) -> list[str]:
    """What everybody sees now, in two languages."""
    guests: list[tuple[Guest | None, Page]] = [(guest, "play") for guest in house.evening.book.guests[1:]]
    guests += [(house.evening.book.guests[0], "host"), (None, "watch"), (None, "table")]
    seen = [
        (house.house.frames.sights.scene(audience(house.evening, guest, page, None, tongue)), page)
        for guest, page in guests
        for tongue in ("en", "fr")
    ]
    return ["".join(pages.fragment(scene, page)) for scene, page in seen]


def test_page_made_of_kept_parts_is_the_page_drawn_anew(run: Callable[..., Running]) -> None:
    house = run(artist=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    for turn in range(8):
        seat, choices = next(iter(house.evening.choices.items()))
        match.act(house.evening, seat, plain(next(islice(choices, turn % len(choices), None))))
        assert_drawn_anew_is_the_same(house)
        if turn == 3:
            house.evening.introduce(house.evening.book.guests[1], "Somebody else", None)
            assert_drawn_anew_is_the_same(house)
        if turn == 4:
            match.pause(house.evening, True)
            assert_drawn_anew_is_the_same(house)
            match.pause(house.evening, False)
        if turn == 5:
            match.undo(house.evening, seat)
            assert_drawn_anew_is_the_same(house)


def assert_drawn_anew_is_the_same(house: Running) -> None:
    made_of_kept = all_pages(house)
    forget_every_part(house)
    assert made_of_kept == all_pages(house)


def test_others_are_told_before_whoever_acted_is_answered(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "PATIENCE", 5.0)
    house = run(artist=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    for phone in phones.values():
        phone.stream("play").page()
    seat, choices = next(iter(house.evening.choices.items()))
    form = {
        "csrf": phones[seat].token(),
        "seat": seat,
        "action": json.dumps(plain(choices[0])),
        "next": "/play",
    }
    answer = phones[seat].send("/act", form, **{"X-Companion": "fragment"})
    told = [stream.last.version for stream in house.house.streams._open]
    assert answer.status == 200
    assert f'data-version="{house.evening.version}"' in answer.text
    assert told == [house.evening.version] * 4


def test_whose_page_is_soon_drawn_is_told_first_and_nothing_secret_decides(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = run(artist=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    for phone in (*phones.values(), host, house.phone()):
        page = "play" if phone in phones.values() else "host" if phone is host else "watch"
        phone.stream(page).page()
    told: list[tuple[Page, str | None]] = []
    monkeypatch.setattr(streams, "PATIENCE", 5.0)
    show = streams.Streams._show
    monkeypatch.setattr(
        streams.Streams,
        "_show",
        lambda self, to, them: (told.append((to.page, to.seat)), show(self, to, them)),
    )
    acted, choices = next(iter(house.evening.choices.items()))
    form = {"csrf": phones[acted].token(), "seat": acted, "action": json.dumps(plain(choices[0]))}
    phones[acted].send("/act", {**form, "next": "/play"}, **{"X-Companion": "fragment"})
    (chooses,) = house.evening.choices
    waiting = [("play", seat) for seat in phones if seat not in (acted, chooses)]
    first, *players, last = told[:6]
    assert first == ("watch", None)
    assert sorted(players[:2]) == waiting
    assert players[2:] == [("play", acted), ("play", chooses)]
    assert last == ("host", None)


def test_line_of_an_old_proxy_gets_the_same_events_without_chunks(house: Running) -> None:
    ada: Phone = house.guest("Ada")
    with socket.create_connection(("127.0.0.1", house.port), 5) as wire:
        asked = (
            f"GET /events?page=play HTTP/1.0\r\nHost: 127.0.0.1:{house.port}\r\nCookie: {ada.cookie}\r\n\r\n"
        )
        wire.sendall(asked.encode())
        with wire.makefile("rb") as answer:
            lines = [line.decode().rstrip() for line in iter(answer.readline, b"event: page\n")]
    token = ["event: token", f"data: {ada.token()}", ""]
    assert lines[lines.index("") + 1 :] == ["retry: 1000", "", *token]
