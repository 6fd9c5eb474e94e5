"""Pages fit: what must be seen is in sight, nothing is cut off, in the way or too wide, and nothing jumps.

One evening a game, played on; at each of its moments every page is measured in three languages, at eight
sizes of the screen, with the longest names and with the largest letters. SHOTS=folder takes pictures, and
FIT=all measures at every size what is else measured at some.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import test_castles as castles
from tests.browser.house import House
from tests.browser.people import People, Screen, kinds
from tests.browser.test_evening import layout
from tests.browser.test_manor import HAUNTED

LONGEST = (
    "Dieter-Maximilian von Au",
    "Donaudampfschifffahrtsge",
    "Marie-Antoinette du Bois",
    "Wilhelmina MacWhirter-Mo",
)
LANGUAGES = ("en", "fr", "de")
SCREENS = (
    (800, 480),
    (1024, 600),
    (1024, 768),
    (1280, 800),
    (1920, 1080),
    (3840, 2160),
    (768, 1024),
    (820, 1180),
)
PHONES = ((320, 568), (360, 640), (390, 844), (412, 915), (740, 360), (768, 1024), (820, 1180), (1280, 800))
PLACES = """css => [...document.querySelectorAll(css)].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
})"""
EVERY = os.environ.get("FIT") == "all"
"""Whether pages around a game and the largest letters are measured at all sizes, not at some of them."""
SOME = PHONES if EVERY else PHONES[::2]
MEASURE = (Path(__file__).parent / "fit.js").read_text(encoding="utf-8")
PLANS = {
    "phantom": {"game": "phantom", "players": "4"},
    "canterville": {**castles.PLAN, "option-castle": "demo"},
    "artefacts": {"game": "artefacts", "option-decks": "virtual"},
}
BOARDS = {"phantom": ".board", "canterville": ".castle", "artefacts": ".pan"}
TABLE = (".turn h1", ".turn p")


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


class Eyes:
    """Screens that look at the pages of an evening, and say what does not fit."""

    def __init__(self, browser: Browser, house: House, people: People, game: str, folder: Path) -> None:
        self._browser, self._house, self._game, self._folder = browser, house, game, folder
        self.phones = {"host": people.host, **people.phones}
        """Over whose shoulders one can look."""
        self._screens: dict[str, Screen] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self.faults: list[str] = []

    def close(self) -> None:
        for screen in self._screens.values():
            screen.close()

    def page(self, whose: str) -> Page:
        """What somebody's screen shows."""
        if whose not in self._screens:
            self._screens[whose] = Screen(self._browser, self._house, self.phones[whose])
        return self._screens[whose].page

    def table(self, moment: str, *more: str) -> None:
        """The table page: the board, whose turn it is and what is counted are in sight on every screen."""
        must = (*TABLE, BOARDS[self._game], *more)
        self._look("host", "/table", moment, SCREENS, must, whole=True)

    def phone(self, whose: str, path: str, moment: str, *must: str) -> None:
        """A page on a phone, as people play."""
        self._look(whose, path, moment, PHONES, must, whole=False)

    def around(self, whose: str, path: str, moment: str, *must: str) -> None:
        """A page before, beside or after the game."""
        self._look(whose, path, moment, SOME, must, whole=False)

    def story(self, whose: str) -> None:
        """The file that tells a game which is over, opened as a file."""
        file = self._folder / f"{self._game}-story.html"
        file.write_bytes(self.phones[whose].get("/story.html").body)
        page = self.page(whose)
        page.goto(file.resolve().as_uri())
        for width, height in SOME:
            page.set_viewport_size({"width": width, "height": height})
            self._measure(page, f"story {width}x{height}", ("h1",), False)

    def _look(
        self,
        whose: str,
        path: str,
        moment: str,
        sizes: tuple[tuple[int, int], ...],
        must: tuple[str, ...],
        whole: bool,
    ) -> None:
        page = self.page(whose)
        for language in LANGUAGES:
            assert self.phones[whose].post("/me", language=language).status == 200
            page.goto(path)
            assert page.evaluate("document.documentElement.lang") == language
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                # On a phone that lies on its side one scrolls.
                seen = must if height > 400 else must[:1]
                self._measure(page, f"{moment} {language} {width}x{height}", seen, whole and width >= 600)
                if language == "de" and "SHOTS" in os.environ:
                    name = (
                        f"{self._game}-{moment}-{whose if not whole else 'table'}-{width}x{height}".replace(
                            " ", "-"
                        )
                    )
                    (self._folder / f"{name}.png").write_bytes(page.screenshot())
        page.add_style_tag(url="/static/settings.css")
        page.evaluate("document.documentElement.dataset.text = 'huge'")
        for width, height in sizes if EVERY else sizes[1::3]:
            page.set_viewport_size({"width": width, "height": height})
            self._measure(page, f"{moment} with large letters {width}x{height}", (), False)
        page.evaluate("delete document.documentElement.dataset.text")

    def stays(self, whose: str, moment: str, css: str, change: Callable[[], None], ready: str) -> None:
        """What is at its place before a change is there after it, when the page is as `ready` asks."""
        page = self.page(whose)
        before = page.evaluate(PLACES, css)
        change()
        page.wait_for_function(ready)
        if (after := page.evaluate(PLACES, css)) != before:
            self.faults.append(f"{self._game}: {moment}: {css} jumps from {before} to {after}")

    def _measure(self, page: Page, name: str, must: tuple[str, ...], whole: bool) -> None:
        self.faults += [
            f"{self._game}: {name}: {fault}" for fault in page.evaluate(MEASURE, [list(must), whole])
        ]


Evening = tuple[People, Eyes]


def seats(*names: str) -> dict[str, str]:
    return dict(zip(names, LONGEST, strict=True))


@pytest.fixture
def eyes(browser: Browser, house: House, shots: Path) -> Iterator[Callable[[People, str], Eyes]]:
    opened: list[Eyes] = []

    def looking(people: People, game: str) -> Eyes:
        opened.append(Eyes(browser, house, people, game, shots / "fit"))
        return opened[-1]

    yield looking
    for one in opened:
        one.close()


def names_wrap(look: Eyes, seat: str) -> None:
    """On the table page, which has been looked at, nothing moves when a name becomes as long as it may be."""
    host, page = look.phones["host"], look.page("host")
    for width, height in SCREENS if EVERY else SCREENS[::3]:
        page.set_viewport_size({"width": width, "height": height})
        for name in ("Ada", LONGEST[0]):
            look.stays(
                "host",
                f"{name} {width}x{height}",
                ".house, .castle, .pan, .count, .strip",
                lambda name=name: host.post("/seat/name", seat=seat, name=name),
                f"() => document.querySelector('#live').textContent.includes('{name}')",
            )


def chooses(look: Eyes, whose: str) -> None:
    """On a phone, whose page of this moment has been looked at, nothing moves when something is chosen."""
    page = look.page(whose)
    for width, height in SOME:
        page.set_viewport_size({"width": width, "height": height})
        for at in (0, -1):
            look.stays(
                whose,
                f"chosen {width}x{height}",
                "h1, .board, .castle, .pan, .gauge",
                lambda at=at: page.evaluate(
                    "at => [...document.querySelectorAll('#live input[data-what]')].at(at).click()",
                    at,
                ),
                "() => document.querySelector('#live :checked')",
            )


def test_the_hotel_fits(house: House, eyes: Callable[[People, str], Eyes]) -> None:
    chance = random.Random(4)
    people = People(house, seats("p1", "p2", "p3", "p4"), game="phantom", players="4", privacy="learning")
    look = eyes(people, "phantom")
    people.begin(**{"option-layout": layout(chance)})
    look.phone("p2", "/play", "hiding", "h1", ".board")
    people.play_past(chance, "hide", "ready")
    people.play(chance, 3)
    look.table("playing", ".count .sum", ".count svg")
    names_wrap(look, "p1")
    mover = next(iter(people.to_act()))
    look.phone(mover, "/play", "playing", "h1", ".gauge", ".board")
    chooses(look, mover)
    look.phone("host", "/host", "playing", "h1")
    look.around("host", "/check", "checking", "h1")
    people.play(chance, 60)
    look.table("result", ".count .sum", ".count svg")
    look.phone("p1", "/play", "result", "h1")
    look.story("p1")
    assert not look.faults, "\n".join(look.faults)


def test_the_castle_fits(house: House, eyes: Callable[[People, str], Eyes]) -> None:
    chance = random.Random(2)
    plan = castles.PLAN | {"option-castle": castles.c1()}
    people = People(house, seats("max", "h1", "h2", "h3"), **plan)
    look = eyes(people, "canterville")
    people.begin()
    people.play(chance, 5)
    look.phone("max", "/play", "prowling", "h1", ".castle")
    people.play(chance, 1, kinds("move"))
    look.table("playing")
    names_wrap(look, "h1")
    hunter = next(iter(people.to_act()))
    look.phone(hunter, "/play", "playing", "h1", ".castle")
    chooses(look, hunter)
    look.around("host", "/check", "checking", "h1")
    people.play(chance, 400)
    assert not people.to_act()
    look.table("result")
    look.around("h1", "/play", "result", "h1")
    look.story("h1")
    assert not look.faults, "\n".join(look.faults)


def test_the_manor_fits(house: House, eyes: Callable[[People, str], Eyes]) -> None:
    chance = random.Random(3)
    people = People(house, seats("blue", "red", "yellow", "green"), game="artefacts")
    look = eyes(people, "artefacts")
    people.begin(**{"option-decks": "virtual", "option-box": json.dumps(HAUNTED)})
    people.play(chance, 20, lambda action: action["type"] != "teleport")
    look.table("playing", ".strip")
    names_wrap(look, "red")
    mover = next(iter(people.to_act()))
    look.phone(mover, "/play", "playing", "h1")
    look.around("host", "/check", "checking", "h1")
    people.play(chance, 400, kinds("draw", "step", "end"))
    assert not people.to_act()
    look.table("result", ".strip")
    look.around("blue", "/play", "result", "h1")
    look.story("blue")
    assert not look.faults, "\n".join(look.faults)


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("phantom", ("p1", "p2", "p3", "p4")),
        ("canterville", ("max", "h1", "h2", "h3")),
        ("artefacts", ("blue", "red", "yellow", "green")),
    ],
)
def test_the_way_to_a_game_fits(
    house: House, eyes: Callable[[People, str], Eyes], game: str, names: tuple[str, ...]
) -> None:
    """Whoever seeks a chair, waits on one, hosts, moderates or shares a phone; and the board that is laid."""
    people = People(house, dict(zip(names[1:3], LONGEST, strict=False)), **PLANS[game])
    look = eyes(people, game)
    look.phones["moderator"] = people.moderator(house, LONGEST[3])
    look.phones["guest"] = people.guest(LONGEST[2])
    look.around("guest", "/play", "seats", "h1")
    look.around(names[1], "/play", "lobby", "h1")
    look.around("host", "/host", "lobby", "h1")
    look.around("moderator", "/moderator", "lobby", "h1")
    for seat, name in ((names[0], LONGEST[2]), (names[3], LONGEST[3])):
        assert look.phones["guest"].post("/seat/take", seat=seat, name=name).status == 200
    people.begin()
    if game == "phantom":
        look.around("host", "/lay", "laying", "h1")
        assert people.host.post("/lay/now").status == 200
    look.around("moderator", "/moderator", "moderator", "h1")
    look.around("guest", "/play", "shared", "h1")
    assert not look.faults, "\n".join(look.faults)


PLAIN = (
    "/", "/my-phone", "/rules/phantom", "/rules/canterville", "/rules/artefacts", "/welcome", "/boxes",
    "/boxes/new?game=phantom", "/backup", "/castles", "/castles/nessie", "/castles/nessie/draw",
    "/castles/nessie/room/12", "/demo", "/demo/canterville", "/demo/artefacts", "/watch", "/host", "/doctor",
)  # fmt: skip
"""Pages that are not a game's own, and those of the castles; nobody plays meanwhile."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_around_a_game_fit(browser: Browser, house: House, shots: Path, language: str) -> None:
    """Nothing is wider than the screen, cut off or in the way; the languages in the menu can be tapped."""
    people = People(house, {}, game="canterville")
    people.host.post("/castles/new", name="Nessie")
    people.host.post("/me", language=language)
    screen, faults = Screen(browser, house, people.host), list[str]()
    stranger = Screen(browser, house, locale=language)
    for page, path in [
        *((screen.page, path) for path in PLAIN),
        *((stranger.page, path) for path in ("/", f"/j/{people.code}")),
    ]:
        answer = page.goto(path)
        assert answer, path
        assert answer.ok, path
        for width, height in PHONES if EVERY else PHONES[::3]:
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate(MEASURE, [[], False])
            faults += [f"{path} {language} {width}x{height}: {fault}" for fault in found]
    screen.page.goto("/host")
    screen.page.locator(".menu summary").first.click()
    for button in screen.page.locator(".drawer form[action='/me'] button").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    screen.close()
    stranger.close()
    assert not faults, "\n".join(faults)
