"""A keyboard and no eyes: whole games without a mouse, and what a screen reader is told at every step.

One play-through serves both: a hand that only presses keys, and an ear that looks at the accessibility tree
after everything the hand did.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, Phone, forge
from tests.browser.test_castles import PLAN, c1
from tests.browser.test_evening import layout

Phones = Callable[..., Phone]
COLOURS = ("blue", "red", "green", "white")
OPERATED = {
    "button", "checkbox", "combobox", "DisclosureTriangle", "link", "listbox", "radio", "slider",
    "spinbutton", "textbox",
}  # fmt: skip
"""Roles of what can be operated: each of them must say what it is."""
FOCUSED = """() => {
    const one = document.activeElement;
    const words = one.ariaLabel ?? one.labels?.[0]?.innerText ?? one.innerText ?? "";
    return one === document.body ? "" : words.replace(/\\s+/g, " ").trim();
}"""
SEEN = """() => {
    const one = document.activeElement.closest("label") ?? document.activeElement;
    const { top, bottom, left, right } = one.getBoundingClientRect();
    const foot = document.querySelector(".foot, .holdbar");
    const edge = foot && !foot.contains(one) ? foot.getBoundingClientRect().top : innerHeight;
    return top < edge && bottom > 0 && right > 0 && left < innerWidth;
}"""


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


class Ear:
    """What a screen reader knows of a page."""

    def __init__(self, one: Phone) -> None:
        self.one = one
        self._line = one.context.new_cdp_session(one.page)
        self.listened = 0

    def nodes(self) -> list[dict[str, Any]]:
        """The accessibility tree, without what it leaves out."""
        return [
            node for node in self._line.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]
        ]

    def listen(self) -> list[dict[str, Any]]:
        """The tree as it is now; nothing in it may be nameless or out of order."""
        nodes = self.nodes()
        nameless = [node for node in nodes if role(node) in OPERATED and not name(node)]
        assert not nameless, nameless
        levels = [level(node) for node in nodes if role(node) == "heading"]
        assert levels.count(1) == 1, levels
        assert all(deeper <= before + 1 for before, deeper in zip([0, *levels], levels, strict=False)), levels
        self._rooms(nodes)
        self.listened += 1
        return nodes

    def _rooms(self, nodes: list[dict[str, Any]]) -> None:
        """A board is a grid of 36 rooms, each spoken by its name."""
        if not any(role(node) == "grid" for node in nodes):
            return
        cells = [node for node in nodes if role(node) == "gridcell"]
        told = [node for node in nodes if re.match(r"Room \d+, ", name(node)) and role(node) != "StaticText"]
        assert len(cells) == 36
        assert {int(re.findall(r"\d+", name(node))[0]) for node in told} == set(range(1, 37))

    def hears(self, words: str) -> bool:
        """Whether something on the page can be read aloud."""
        return any(words in name(node) for node in self.nodes())

    def told(self) -> list[str]:
        """What stands in regions that are read aloud by themselves."""
        nodes = {node["nodeId"]: node for node in self.nodes()}
        live = [node for node in nodes.values() if role(node) in ("status", "alert")]
        return [" ".join(_texts(nodes, node)).strip() for node in live]


def _texts(nodes: dict[str, dict[str, Any]], node: dict[str, Any]) -> Iterator[str]:
    for below in (nodes[id] for id in node.get("childIds", ()) if id in nodes):
        if role(below) == "StaticText":
            yield name(below)
        yield from _texts(nodes, below)


def role(node: dict[str, Any]) -> str:
    return str(node.get("role", {}).get("value", ""))


def name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()


def level(node: dict[str, Any]) -> int:
    return next(int(each["value"]["value"]) for each in node["properties"] if each["name"] == "level")


class Hand:
    """Somebody with a keyboard alone. After every key the focus is somewhere, and can be seen."""

    def __init__(self, one: Phone, ear: Ear | None = None) -> None:
        self.one, self._page, self._keys, self._ear = one, one.page, one.page.keyboard, ear

    def press(self, *keys: str) -> None:
        for key in keys:
            self._keys.press(key)

    def focused(self) -> str:
        """What the focus is on, by its words."""
        return str(self._page.evaluate(FOCUSED))

    def go_to(self, words: str, key: str = "Tab") -> None:
        """Press a key until the focus is there."""
        for _ in range(90):
            self.press(key)
            if self.focused().startswith(words):
                assert self._page.evaluate(SEEN), f"{words} is hidden"
                return
        raise AssertionError(f"{key} does not lead to {words!r}, but to {self.focused()!r}")

    def fill(self, words: str, text: str) -> None:
        self.go_to(words)
        self._keys.type(text)

    def do(self, words: str, key: str = "Enter") -> None:
        """Go to a button and press it, and the house has answered."""
        self.go_to(words)
        with self._page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            self.press(key)
        answered.value.finished()

    def walk(self, room: int) -> None:
        """Go to a room of the board by arrows, from the room that the tab key stops at."""
        while not (at := self._room()):
            self.press("Tab")
        (row, column), (down, right) = divmod(room - 1, 6), divmod(at - 1, 6)
        self.press(*["ArrowDown" if row > down else "ArrowUp"] * abs(row - down))
        self.press(*["ArrowRight" if column > right else "ArrowLeft"] * abs(column - right))
        assert self._room() == room
        assert self._page.evaluate(SEEN), f"room {room} is hidden"

    def _room(self) -> int:
        return int(self._page.evaluate("document.activeElement.closest('[role=grid] *')?.dataset.room ?? 0"))

    def take(self, room: int, words: str) -> None:
        """Choose a room, confirm, and stay on the board."""
        self.walk(room)
        self.press("Space")
        self.listen()
        self.do(words)
        expect(self._page.locator(f"input#room-{room}:checked")).to_have_count(0)
        self.settled()

    def settled(self) -> None:
        """What was done has not taken the focus away, and the tree is in order."""
        expect(self._page.locator(":focus"), "the focus is lost").to_have_count(1)
        assert self.focused(), "the focus is on something without words"
        self.listen()

    def listen(self) -> None:
        """Let the ear look at what is there now, if there is one."""
        if self._ear:
            self._ear.listen()


def comes_in(hand: Hand, code: str, called: str, seat: str) -> None:
    """From the first page to a chair, by typing."""
    page = hand.one.page
    hand.one.goto("/")
    hand.listen()
    hand.fill("Table code", code)
    hand.press("Enter")
    page.wait_for_url("**/j/**")
    hand.listen()
    hand.fill("Your name", called)
    hand.press("Enter")
    page.wait_for_url("**/play")
    hand.listen()
    while not page.evaluate("document.activeElement.name === 'seat'"):
        hand.press("Tab")
    while page.evaluate("document.activeElement.value") != seat:
        hand.press("ArrowDown")
    hand.press("Space")
    hand.do("Take this seat")
    hand.one.heading("Take your seats")
    hand.settled()


class Partner:
    """The other player, who is quick and needs no hands."""

    def __init__(self, one: Phone, code: str, seat: str) -> None:
        self.page, self.one, self._seat = one.page, one, seat
        one.join(code, "Zoé")
        assert forge(one.page, "/seat/take", "form", seat=seat)[0] == 200

    def act(self, **action: Any) -> None:
        """Do something in the game."""
        status, answer = forge(
            self.page, "/act", "form", seat=self._seat, action=json.dumps(action), version=""
        )
        assert status == 200, re.findall(r"role=.alert.*?</p>", answer) or answer[-400:]

    def hide(self) -> None:
        """Four ghosts, each in the first room of its colour."""
        self.one.heading("Your turn, Zoé")
        for colour in COLOURS:
            room = self.page.locator(f".tile.w-{colour} input").first.get_attribute("data-room")
            self.act(type="hide", ghost=colour, room=int(room or 0))

    def move(self) -> None:
        """The last room there is, or the last in reach."""
        self.one.heading("Your turn, Zoé")
        self.act(type="remove", room=(self.one.in_reach() or self.one.rooms())[-1])


def table_for_two(phone: Phones, partner: str) -> tuple[Phone, Partner, str]:
    """A host, one of two players, and the code for the other."""
    host = phone()
    code = host.host()
    assert forge(host.page, "/host/plan", "#plan", players="2")[0] == 200
    return host, Partner(phone(), code, partner), code


def begin(host: Phone, objective: int) -> None:
    """A board that lies already, and a short game on it."""
    options = {"option-layout": layout(random.Random(4)), "option-objective": str(objective)}
    assert forge(host.page, "/host/start", "#plan", **options)[0] == 200


def play(hand: Hand, words: str, partner: Partner, most: int = 30) -> None:
    """Turn after turn to the end."""
    one, page = hand.one, hand.one.page
    for _ in range(most):
        expect(page.locator(".turn.lit")).to_be_visible()
        if page.locator(".won").count():
            return
        hand.settled()
        hand.take((one.in_reach() or one.rooms())[0], words)
        if not page.locator(".won").count():
            partner.move()
    raise AssertionError("the game does not end")


def test_a_whole_game_by_keyboard_alone(phone: Phones) -> None:
    """A ghost master: joins, sits down, hides four ghosts, looks at his secrets, haunts, keeps the story."""
    host, partner, code = table_for_two(phone, "p1")
    hamish = phone()
    hand = Hand(hamish)
    comes_in(hand, code, "Hamish", "p2")
    begin(host, 14)
    hamish.heading("Your turn, Hamish")
    for colour in COLOURS:
        tiles = hamish.page.locator(f".tile.w-{colour} input")
        hand.take(int(tiles.nth(3).get_attribute("data-room") or 0), "Hide it")
    hamish.heading("Your turn, Hamish")
    hand.go_to("Hold to see")
    hand.press("Enter")
    expect(hamish.page.locator("html")).to_have_class(re.compile("held"))
    hand.press("Escape")
    expect(hamish.page.locator("html")).not_to_have_class(re.compile("held"))
    play(hand, "Wreck it", partner)
    hamish.heading(re.compile("The (ghosts|hunters) win"))
    with hamish.page.expect_download():
        hand.go_to("Save the story")
        hand.press("Enter")


def test_a_whole_game_with_the_accessibility_tree_checked_at_every_step(phone: Phones) -> None:
    """A hunter: everything has a name, the turn is told, and the focus is never lost."""
    host, partner, code = table_for_two(phone, "p2")
    ada = phone()
    ear = Ear(ada)
    hand = Hand(ada, ear)
    comes_in(hand, code, "Ada", "p1")
    begin(host, 16)
    partner.hide()
    partner.move()
    ada.heading("Your turn, Ada")
    assert "Your turn, Ada" in ear.told()
    play(hand, "Lift it", partner)
    ada.heading(re.compile("The (ghosts|hunters) win"))
    hand.settled()
    assert any("win" in told for told in ear.told())
    assert ear.listened > 10


# The other two games: a turn each


def choose(hand: Hand, id: str) -> None:
    """Go to a group of choices by the tab key, and walk in it by arrows."""
    page = hand.one.page
    group = page.locator(f"[id='{id}']").get_attribute("name")
    for _ in range(120):
        if page.evaluate("document.activeElement.id") == id:
            hand.press("Space")
            return
        there = page.evaluate("document.activeElement.name") == group
        hand.press("ArrowDown" if there else "Tab")
    raise AssertionError(f"no key leads to {id}")


def test_max_moves_by_keyboard_and_what_is_closed_is_not_read_aloud(phone: Phones) -> None:
    host = phone()
    code = host.host()
    plan = PLAN | {"players": "2", "option-castle": c1()}
    assert forge(host.page, "/host/plan", "#plan", **plan)[0] == 200
    hunter = Partner(phone(), code, "h1")
    ada = phone()
    ear = Ear(ada)
    hand = Hand(ada, ear)
    comes_in(hand, code, "Ada", "max")
    host.page.locator("button[formaction='/host/start']").press("Enter")
    hunter.page.locator(".turn.lit").wait_for()
    for figure, room in (("a", 1), ("b", 53), ("c", 54)):
        hunter.act(type="start", figure=figure, room=room)
    ada.heading("Your turn, Ada")
    choose(hand, "pick-go-13")
    hand.do("Begin here")
    hunter.page.locator(".turn.lit").wait_for()
    hunter.act(type="frame", animal="cats")
    ada.page.locator(".step-max").wait_for()
    hand.settled()
    assert "Your turn, Ada" in ear.told()
    assert not ear.hears("You are in room")
    hand.go_to("Hold to see")
    hand.press("Enter")
    ada.page.locator(".sec-key").wait_for()
    assert ear.hears("You are in room")
    choose(hand, "pick-go-14")
    hand.listen()
    hand.press("Escape")
    assert not ear.hears("To room 14")
    hand.do("Go")
    ada.page.locator(".step-wait").wait_for()
    hand.settled()


def test_a_tile_of_the_manor_is_taken_and_laid_by_keyboard(phone: Phones) -> None:
    host = phone()
    code = host.host()
    decks = {"option-decks": "virtual"}
    assert forge(host.page, "/host/plan", "#plan", game="artefacts", players="4", **decks)[0] == 200
    for colour in ("red", "yellow", "green"):
        assert forge(host.page, "/host/seat", "#plan", seat=colour, bot="random")[0] == 200
    ada = phone()
    hand = Hand(ada, Ear(ada))
    comes_in(hand, code, "Ada", "blue")
    host.page.locator("button[formaction='/host/start']").press("Enter")
    for _ in range(2):
        expect(ada.page.locator("#act [name=action]").first).to_be_attached(timeout=15_000)
        first = ada.page.locator("#act [name=action]").first.get_attribute("id") or ""
        choose(hand, first)
        hand.listen()
        version = ada.page.locator("#live").get_attribute("data-version")
        hand.do(ada.page.locator("[data-confirm] [data-go]").inner_text())
        expect(ada.page.locator(f"#live[data-version='{version}']")).to_have_count(0)
        hand.settled()
    choose(hand, "zoom-close")
    ada.page.set_viewport_size({"width": 320, "height": 256})  # a laptop, with letters four times as large
    where = "['scrollLeft', 'scrollTop'].map(way => document.querySelector('.pan')[way])"
    before = ada.page.evaluate(where)
    hand.go_to("Map left")
    hand.press("Enter", "Tab", "Enter", "Tab", "Enter")
    assert ada.page.evaluate(where) != before
