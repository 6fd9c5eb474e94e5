"""What is chosen in secret stays secret: where Max goes, where a ghost hides, which card is played.

Closed, neither the page nor a screen reader tells it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, expect

from companion.contract import MODERATOR, plain
from companion.journal import Journal
from companion.table import Table
from tests.browser.house import House, Phone
from tests.browser.test_castles import c1, clean, placed, turn
from tests.browser.test_castles import seated as hunted
from tests.browser.test_evening import begin, layout, seated
from tests.browser.test_keyboard import Ear, Hand, name, role
from tests.games.artefacts.house import corridors, enter, ghost, shows, tile

Phones = Callable[..., Phone]
Close = Callable[[Phone], None]
MOBILE = {"width": 390, "height": 844}


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


def state(node: dict[str, Any], of: str) -> Any:
    """One property of a node in the accessibility tree."""
    return next((each["value"]["value"] for each in node.get("properties", ()) if each["name"] == of), None)


def heard(ear: Ear) -> list[tuple[Any, ...]]:
    """Everything that a screen reader can say of a page, in its order."""
    return [(role(node), name(node), state(node, "checked"), state(node, "focused")) for node in ear.nodes()]


def chosen(ear: Ear) -> list[str]:
    """The rooms that are told to be chosen, or that the focus is on."""
    told = [(kind, words) for kind, words, *states in heard(ear) if {"true", True} & set(states)]
    return [words for kind, words in told if kind == "radio"]


def named(ear: Ear, words: str) -> bool:
    """Whether these very words can be read aloud: a room on the board tells more of itself than its name."""
    return any(words == told for _, told, *_ in heard(ear))


def opened(one: Phone) -> None:
    """A tap on the button: ten seconds."""
    one.page.locator(".hold").click()
    expect(one.page.locator(".hold")).to_have_attribute("aria-pressed", "true")


def by_key(one: Phone) -> None:
    one.page.keyboard.press("Escape")


def by_a_lost_line(one: Phone) -> None:
    """The line is picked up again, and the whole page is pushed anew."""
    one.page.evaluate("dispatchEvent(new Event('offline'))")
    expect(one.page.locator("#lost")).to_be_visible()
    with one.page.expect_request("**/events*"):
        one.page.evaluate("dispatchEvent(new Event('online'))")
    expect(one.page.locator("#lost")).to_be_hidden()
    one.page.wait_for_timeout(300)


def told_behind(one: Phone, ear: Ear, room: str, close: Close) -> list[tuple[Any, ...]]:
    """Look, choose, close: what is told then. Nothing of it is the room."""
    opened(one)
    one.page.locator(room).check(force=True)
    words = one.page.locator(room).get_attribute("data-what") or ""
    expect(one.page.locator("[data-confirm]").get_by_text(words)).to_be_visible()
    assert len(chosen(ear)) == 1
    assert named(ear, words)
    close(one)
    expect(one.page.locator(".hold")).to_have_attribute("aria-pressed", "false")
    expect(one.page.locator("[data-confirm]").get_by_text(words)).to_be_hidden()
    expect(one.page.locator("[data-confirm] .btn.primary")).to_be_visible()
    assert chosen(ear) == []
    assert not named(ear, words)
    return heard(ear)


def let_go(one: Phone) -> None:
    """Not this room."""
    one.page.locator("[data-confirm] [type=reset]").click()
    expect(one.page.locator("[data-confirm]")).to_be_hidden()


# Max in his castle


def haunted(phone: Phones) -> tuple[Phone, dict[str, Phone]]:
    """Max is to move from room 13; 2, 12, 14 and 43 are open to him."""
    _, phones = hunted(lambda: phone(viewport=MOBILE), c1())
    placed(phones, {"h1": ("a", 1), "h2": ("b", 53), "h3": ("c", 53)}, start=13)
    return phones["max"], phones


@pytest.mark.parametrize("close", [by_key, pytest.param(by_a_lost_line, marks=pytest.mark.slow)])
def test_what_max_chose_is_closed_with_his_secrets(phone: Phones, shots: Path, close: Close) -> None:
    ghost, phones = haunted(phone)
    ear = Ear(ghost)
    one = told_behind(ghost, ear, "#pick-go-14", close)
    let_go(ghost)
    other = told_behind(ghost, ear, "#pick-go-2", close)
    assert one == other
    clean(ghost)
    (shots / "castle-max-chosen-closed.png").write_bytes(ghost.page.screenshot())

    # Whoever looks again need not choose again, nor need he look to confirm.
    opened(ghost)
    expect(ghost.page.locator("#pick-go-2")).to_be_checked()
    expect(ghost.page.locator("[data-confirm] [data-what]")).to_have_text("To room 2")
    close(ghost)
    assert chosen(ear) == []
    ghost.page.locator("[data-confirm] .btn.primary").click()
    turn(phones["h1"], "hunters")
    opened(ghost)
    expect(ghost.page.locator(".sec-key")).to_contain_text("You are in room 2.")


@pytest.mark.slow
def test_max_chooses_behind_closed_secrets(phone: Phones) -> None:
    ghost, phones = haunted(phone)
    ear, told = Ear(ghost), []
    for room in (14, 2):
        ghost.page.locator(f"#pick-go-{room}").click(force=True)
        expect(ghost.page.locator("[data-confirm] .btn.primary")).to_be_visible()
        assert chosen(ear) == []
        assert not ear.hears(f"To room {room}")
        told.append(heard(ear))
    assert told[0] == told[1]
    clean(ghost)
    opened(ghost)
    expect(ghost.page.locator("#pick-go-2")).to_be_checked()
    assert ear.hears("To room 2")
    by_key(ghost)
    ghost.page.locator("#pick-go-14").click(force=True)
    by_a_lost_line(ghost)
    assert chosen(ear) == []
    let_go(ghost)

    # With nothing chosen his rooms can be walked through again.
    expect(ghost.page.get_by_role("radio", name="Room 14", exact=True)).to_have_count(1)
    assert ("radio", "Room 14") in [told[:2] for told in heard(ear)]
    Hand(ghost).go_to("Room")
    ghost.page.locator("#pick-go-14").click(force=True)
    ghost.page.locator("[data-confirm] .btn.primary").click()
    turn(phones["h1"], "hunters")
    opened(ghost)
    expect(ghost.page.locator(".sec-key")).to_contain_text("You are in room 14.")


@pytest.mark.slow
def test_max_walks_by_keys_behind_closed_secrets(phone: Phones) -> None:
    """Arrows choose each room on the way; when he goes on to confirm, nothing tells where he stopped."""
    ghost, _ = haunted(phone)
    ear, hand, told = Ear(ghost), Hand(ghost), []
    for steps in (1, 4):
        hand.go_to("Room")
        hand.press(*["ArrowDown"] * steps)
        room = ghost.page.evaluate("document.activeElement.dataset.room")
        hand.press("Tab")
        assert chosen(ear) == []
        hand.go_to("Go")
        assert not ear.hears(f"To room {room}")
        told.append(heard(ear))
    assert told[0] == told[1]
    clean(ghost)
    opened(ghost)
    expect(ghost.page.locator(f"#pick-go-{room}")).to_be_checked()
    action = ghost.page.locator(f"#pick-go-{room}").input_value()
    hand.press("Escape")
    with ghost.page.expect_request("**/act") as sent:
        hand.do("Go")
    assert parse_qs(sent.value.post_data or "")["action"] == [action]


@pytest.mark.slow
def test_what_is_chosen_anew_counts(phone: Phones) -> None:
    """Closed over one room, he taps another: that one is sent."""
    ghost, phones = haunted(phone)
    told_behind(ghost, Ear(ghost), "#pick-go-14", by_key)
    ghost.page.locator("#pick-go-12").click(force=True)
    ghost.page.locator("[data-confirm] .btn.primary").click()
    turn(phones["h1"], "hunters")
    opened(ghost)
    expect(ghost.page.locator(".sec-key")).to_contain_text("You are in room 12.")


# A master who hides his ghosts


def hiding(phone: Phones) -> Phone:
    """Hamish leads all four ghosts, and has hidden none of them."""
    host, phones = seated(phone, 2)
    begin(host, **{"option-layout": layout(random.Random(7))})
    phones["p2"].heading("Your turn, Hamish")
    return phones["p2"]


@pytest.mark.parametrize("close", [by_key, pytest.param(by_a_lost_line, marks=pytest.mark.slow)])
def test_where_a_ghost_is_to_hide_is_closed_with_the_secrets(
    phone: Phones, shots: Path, close: Close
) -> None:
    master = hiding(phone)
    ear, told = Ear(master), []
    for room in ("#room-8", "#room-22"):
        told.append(told_behind(master, ear, room, close))
        (shots / f"hotel-hiding-chosen-closed{room}.png").write_bytes(master.page.screenshot())
        assert master.page.locator(".tile:has(:checked)").count() == 0
        let_go(master)
    assert told[0] == told[1]


def test_a_master_hides_behind_closed_secrets(phone: Phones) -> None:
    """Which tile it is can be seen on no tile and heard nowhere, and it is hidden there all the same."""
    master = hiding(phone)
    ear, told, looks = Ear(master), [], []
    for room in (8, 22):
        master.choose(room)
        expect(master.page.locator("[data-confirm] .btn.primary")).to_be_visible()
        assert chosen(ear) == []
        told.append(heard(ear))
        looks.append(master.page.locator(".board").screenshot())
    assert told[0] == told[1]
    assert looks[0] == looks[1]
    master.page.locator("[data-confirm] .btn.primary").click()
    expect(master.page.locator("h1 + .swap .when-hidden")).to_contain_text("Hidden: 1 of 4.")
    assert not any("22" in words and "yours" in words for _, words, *_ in heard(ear))
    opened(master)
    expect(master.page.locator(".sec-key")).to_contain_text("Blue: yours, room 22.")


# Cards that are nobody else's business


@pytest.fixture
def cards(browser: Browser, tmp_path: Path) -> Iterator[tuple[House, Phone]]:
    """Blue acts, with three cards in a private hand."""
    table = Table(Journal(tmp_path / "journal"))
    options = {"decks": "virtual", "hands": "private"}
    blue = enter(
        options,
        phase="acting",
        active="blue",
        to_act=["blue"],
        points=3,
        hands={"blue": ["kit", "teleportable", "vacuum"], "red": ["kit"]},
        manor=corridors((1, 2), tile((2, 2), "teleporter")),
        pawns={"blue": (0, 3), "red": (3, 0), "yellow": (0, -3), "green": (-3, 0)},
        ghosts=[ghost("red", (0, 3), 3)],
    )
    table.new("artefacts", options, plain(shows(blue, MODERATOR)))
    table.close()
    opened_house = House(tmp_path)
    one = Phone(browser, opened_house, viewport=MOBILE)
    host = Phone(browser, opened_house)
    host.host()
    one.join(host.page.locator(".bigcode").first.text_content() or "", "Ada")
    host.goto("/host")
    form = host.page.locator("form[action='/host/seat']:has([value=blue])", has_text="to Ada")
    host.page.evaluate("form => form.requestSubmit()", form.element_handle())
    expect(form).to_have_count(0)
    one.goto("/play")
    one.button("Got it").click()
    expect(one.page.locator(".moments")).to_have_count(0)
    yield opened_house, one
    for each in (one, host):
        each.close()
    opened_house.stop()


def test_a_private_hand_is_seen_while_it_is_held(cards: tuple[House, Phone], shots: Path) -> None:
    """CFA-61: closed, the page names no card, and nothing that only a card allows."""
    _, ada = cards
    ear = Ear(ada)
    words = ("kit", "tele-portable", "vacuum", "Vacuum")
    (shots / "manor-hand-closed.png").write_bytes(ada.page.screenshot())
    assert not any(word in told for word in words for _, told, *_ in heard(ear))
    places = """() => [...document.querySelectorAll("h1, .pan, .dock, .holdbar, .foot")].map(
        (one) => JSON.stringify(one.getBoundingClientRect()))"""
    before, button = ada.page.evaluate(places), ada.page.locator(".hold").bounding_box()
    assert button
    ada.page.mouse.click(button["x"] + 20, button["y"] + 20)
    expect(ada.page.locator(".own-hand")).to_be_visible()
    assert ada.page.evaluate(places) == before
    (shots / "manor-hand-held.png").write_bytes(ada.page.screenshot())
    for word in words[:2]:
        assert any(word in told for _, told, *_ in heard(ear)), word


def test_a_card_that_was_chosen_is_closed_with_the_hand(cards: tuple[House, Phone], shots: Path) -> None:
    _, ada = cards
    ear, told = Ear(ada), []
    for pick in ("#use-kit-None", "[id^=fight-red1-1-0]"):
        opened(ada)
        ada.page.locator(pick).check(force=True)
        expect(ada.page.locator("[data-confirm] [data-what]")).not_to_have_text("Chosen")
        by_key(ada)
        expect(ada.page.locator(".own-hand")).to_be_hidden()
        expect(ada.page.locator("[data-confirm] .btn.primary")).to_be_visible()
        told.append(heard(ear))
        (shots / "manor-card-chosen-closed.png").write_bytes(ada.page.screenshot())
        let_go(ada)
    assert told[0] == told[1]


def test_where_a_card_would_lead_is_drawn_no_longer_when_it_closes(
    cards: tuple[House, Phone], shots: Path
) -> None:
    _, ada = cards
    by_card, on_foot = ada.page.locator(".lies.secret-choice"), ada.page.locator(".lies-0").first
    expect(by_card.first).to_be_hidden()
    opened(ada)
    ada.page.locator("#tile-1").check(force=True)
    expect(by_card.first.locator("input").first).to_be_visible()
    (shots / "manor-by-card.png").write_bytes(ada.page.screenshot())
    by_key(ada)
    expect(by_card.first.locator("input").first).to_be_hidden()
    expect(on_foot.locator("input").first).to_be_visible()
