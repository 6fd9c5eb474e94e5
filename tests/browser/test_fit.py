"""Pages fit: what must be seen is in sight, nothing is cut off, in the way or too wide, and nothing jumps.

Some evenings a game, played on; at each of their moments the table page and phones are measured with the
longest names, in three languages, at eight sizes of the screen, and with the largest letters. What must be in
sight is said where the moment is played. FIT=all measures at every size in every language what is else
measured at some, each moment in another language; SHOTS=folder then takes pictures in its readers' language.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as NotInTime

from tests.browser import test_castles as castles
from tests.browser.house import House
from tests.browser.people import People, Screen, kinds
from tests.browser.test_evening import layout
from tests.browser.test_manor import HAUNTED
from tests.games.artefacts.house import ghost
from web.server.app import make_app

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
SOME = PHONES if EVERY else PHONES[::4]
SHOTS = EVERY and "SHOTS" in os.environ
READS = {"phantom": "fr", "canterville": "de", "artefacts": "fr"}
"""In which language pictures are taken: that of the booklet in which a game is read."""
NARROWEST = {True: (800, 480), False: (320, 568)}
"""The size at which most goes wrong is measured always: of a screen, and of a phone."""
MEASURE = (Path(__file__).parent / "fit.js").read_text(encoding="utf-8")
PLANS = {
    "phantom": {"game": "phantom", "players": "4"},
    "canterville": {**castles.PLAN, "option-castle": "demo"},
    "artefacts": {"game": "artefacts", "option-decks": "virtual"},
}
BOARDS = {"phantom": ".board", "canterville": ".castle", "artefacts": ".pan"}
COUNTED = {
    "phantom": (".count .sum", ".count svg"),
    "canterville": (".count .frame",),
    "artefacts": (".strip",),
}
TABLE = (".turn h1", ".turn p")
LAST = (".ticker.now li",)
"""What happened last."""


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
        self._looked = 0
        self._reads = READS[game]

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
        must = (*TABLE, BOARDS[self._game], *COUNTED[self._game], *more)
        self._look("host", "/table", moment, SCREENS, must, whole=True)

    def phone(self, whose: str, moment: str, *must: str, path: str = "/play") -> None:
        """A page on a phone, as people play."""
        self._look(whose, path, moment, PHONES, must, whole=False)

    def around(self, whose: str, path: str, moment: str, *must: str) -> None:
        """A page before, beside or after the game."""
        self._look(whose, path, moment, PHONES[::2], must, whole=False)

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
        """Some sizes in some language, others the next time; or all of them in all."""
        self._looked += 1
        turn, page = self._looked, self.page(whose)
        for language in LANGUAGES if EVERY else (LANGUAGES[turn % 3],):
            assert self.phones[whose].post("/me", language=language).status == 200
            page.goto(path)
            assert page.evaluate("document.documentElement.lang") == language
            for width, height in sizes if EVERY else (NARROWEST[whole], *sizes[turn % 2 :: 3]):
                page.set_viewport_size({"width": width, "height": height})
                self._ready(page, moment)
                # On a phone that lies on its side one scrolls.
                seen = must if height > 400 else must[:1]
                self._measure(page, f"{moment} {language} {width}x{height}", seen, whole and width >= 600)
                if language == self._reads and SHOTS:
                    name = f"{self._game} {moment} {'table' if whole else whose} {width}x{height}"
                    (self._folder / f"{name.replace(' ', '-')}.png").write_bytes(page.screenshot())
        page.add_style_tag(url="/static/settings.css")
        page.evaluate("document.documentElement.dataset.text = 'huge'")
        for width, height in sizes if EVERY else sizes[1 + turn % 2 :: 4]:
            page.set_viewport_size({"width": width, "height": height})
            self._ready(page, moment)
            self._measure(page, f"{moment} with large letters {width}x{height}", must, False, scroll=True)
        page.evaluate("delete document.documentElement.dataset.text")

    def _ready(self, page: Page, moment: str) -> None:
        """What a finger does before one looks: it holds the secrets open, or PEEK for its ten seconds."""
        if moment.endswith("held"):
            page.evaluate("document.documentElement.classList.add('held')")
        if moment == "eyes closed":
            closed = page.locator(".closed-eyes")
            for _ in range(5):
                # On a busy machine the ten seconds of the last time may end between the press and the look.
                assert self.phones["host"].post("/table/press", button="peek").status == 200
                with suppress(NotInTime):
                    closed.wait_for(timeout=5000)
                    return
            raise AssertionError("eyes stay open")

    def stays(self, whose: str, moment: str, css: str, change: Callable[[], None], ready: str) -> None:
        """What is at its place before a change is there after it, when the page is as `ready` asks."""
        page = self.page(whose)
        before = page.evaluate(PLACES, css)
        change()
        page.wait_for_function(ready)
        if (after := page.evaluate(PLACES, css)) != before:
            self.faults.append(f"{self._game}: {moment}: {css} jumps from {before} to {after}")

    def _measure(
        self, page: Page, name: str, must: tuple[str, ...], whole: bool, scroll: bool = False
    ) -> None:
        found = page.evaluate(MEASURE, [list(must), whole, scroll])
        self.faults += [f"{self._game}: {name}: {fault}" for fault in found]


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


def fits(look: Eyes) -> None:
    assert not look.faults, "\n".join(look.faults)


def until(people: People, chance: random.Random, kind: str, most: int = 300) -> str:
    """Play until somebody may do such a thing; gives who."""
    for _ in range(most):
        for seat, legal in people.to_act().items():
            if any(action["type"] == kind for action in legal):
                return seat
        people.play(chance)
    raise AssertionError(f"nobody may {kind}")


HOTEL = ("p1", "p2", "p3", "p4")
BOARD = ("h1", ".board")


def test_the_hotel_fits(house: House, eyes: Callable[[People, str], Eyes]) -> None:
    chance = random.Random(4)
    people = People(house, seats(*HOTEL), game="phantom", players="4", privacy="learning")
    look = eyes(people, "phantom")
    people.begin(**{"option-layout": layout(chance)})
    look.table("hiding")
    look.phone("p2", "hiding", *BOARD)
    look.phone("p1", "waiting for ghosts", "h1")
    people.play_past(chance, "hide", "ready")
    people.play(chance, 3)
    look.table("playing", *LAST)
    names_wrap(look, "p1")
    mover = next(iter(people.to_act()))
    look.phone(mover, "playing", "h1", ".gauge", ".board")
    chooses(look, mover)
    look.phone("p4", "waiting held", *BOARD)
    look.phone("host", "playing", "h1", path="/host")
    look.around("host", "/check", "checking", "h1")
    people.phones[HOTEL[0]].post("/undo", seat="p1")
    look.table("undo asked")
    look.phone("p2", "undo asked", "h1", ".asked button")
    people.phones["p2"].post("/undo/decline", seat="p2")
    people.seen()
    people.host.post("/host/pause")
    look.table("paused", *LAST)
    look.phone("p1", "paused", *BOARD)
    people.host.post("/host/resume")
    people.play(chance, 60)
    look.table("result")
    look.phone("p1", "result", "h1", ".next")
    look.story("p1")
    fits(look)


def test_the_hotel_fits_with_bids_and_real_tiles(house: House, eyes: Callable[[People, str], Eyes]) -> None:
    """What other tables agree on: tiles laid by hand, bids, eyes closed, ghosts that masters alone know."""
    chance = random.Random(5)
    people = People(house, seats(*HOTEL), game="phantom", players="4")
    look = eyes(people, "phantom")
    people.begin()
    people.play(chance, 9, kinds("place"))
    look.table("placing")
    look.phone(next(iter(people.to_act())), "placing", "h1")
    people.host.post("/host/abandon")
    bids = {"option-master_game": "true", "option-layout": layout(chance)}
    people.begin(**bids)
    until(people, chance, "bid")
    look.table("bidding")
    look.phone("p1", "bidding", "h1", ".pad")
    people.host.post("/host/abandon")
    told = {"option-master_game": "false", "option-keeper": "honour", "privacy": "eyes_closed"}
    people.begin(**told, **{"option-layout": layout(chance)})
    people.play_past(chance, "hide")
    if ready := [seat for seat, legal in people.to_act().items() if legal[0]["type"] == "ready"]:
        look.phone(ready[0], "ready", *BOARD, ".foot .primary")
    people.play_past(chance, "ready")
    people.play(chance, 1)
    mover = until(people, chance, "found")
    look.table("found")
    look.phone(mover, "found", "h1", ".foot button")
    people.host.post("/host/abandon")
    people.begin(**{"option-keeper": "companion", "privacy": "eyes_closed", "option-layout": layout(chance)})
    people.play_past(chance, "hide", "ready")
    look.table("eyes closed", ".closed-eyes")
    fits(look)


CASTLE = ("max", "h1", "h2", "h3")
ROOMS = ("h1", ".castle")


def test_the_castle_fits(house: House, eyes: Callable[[People, str], Eyes]) -> None:
    chance = random.Random(2)
    plan = castles.PLAN | {"option-castle": "demo", "preset": "as_printed"}
    people = People(house, seats(*CASTLE), **plan)
    look = eyes(people, "canterville")
    people.begin()
    look.table("starting")
    look.phone("h1", "starting", *ROOMS)
    framer = until(people, chance, "frame")
    look.table("framing")
    look.phone(framer, "framing", "h1", ".panel button")
    until(people, chance, "move")
    look.phone("max", "prowling", *ROOMS)
    look.phone("max", "prowling held", *ROOMS)
    look.phone("h2", "waiting", *ROOMS)
    hunter = until(people, chance, "walk")
    look.table("playing", *LAST)
    names_wrap(look, "h1")
    look.phone(hunter, "playing", *ROOMS)
    chooses(look, hunter)
    look.around("host", "/check", "checking", "h1")
    people.host.post("/host/pause")
    look.table("paused", *LAST)
    people.host.post("/host/resume")
    shown(people, chance)
    look.table("Max shown")
    look.phone("h1", "Max shown", ".moment")
    people.seen()
    look.phone("h2", "Max seen", "h1")
    people.play(chance, 400)
    assert not people.to_act()
    look.table("result")
    look.around("h1", "/play", "result", "h1")
    look.story("h1")
    fits(look)


def seen_of(people: People, what: str) -> Any:
    """Something that a hunter may know of the hunt."""
    return json.loads(people.phones["h1"].get("/api/v1/view?seat=h1").text)["view"][what]


def shown(people: People, chance: random.Random, steps: int = 0) -> None:
    """Play until everybody sees where Max stands, and has seen some steps of his way there."""
    for _ in range(400):
        way = [step for step in seen_of(people, "route")[-2:] if step != "pause"]
        if seen_of(people, "max")["shown"] and len(way) >= steps:
            return
        people.play(chance)
    raise AssertionError("Max never shows himself")


def test_the_castle_fits_without_a_map(house: House, eyes: Callable[[People, str], Eyes]) -> None:
    chance = random.Random(3)
    people = People(house, seats(*CASTLE), **castles.PLAN, **{"option-castle": "none"})
    look = eyes(people, "canterville")
    people.begin()
    shown(people, chance, steps=2)
    people.seen()
    look.phone("h1", "may doubt", "h1")
    *_, was, now = seen_of(people, "route")
    people.act("h1", type="doubt", **{"from": was, "to": now})
    look.table("doubt")
    look.phone("max", "doubt", "h1", ".judge button")
    look.phone("h3", "doubt", "h1")
    fits(look)


MANOR = ("blue", "red", "yellow", "green")
GROUND = ("h1", ".pan")


def test_the_manor_fits(house: House, eyes: Callable[[People, str], Eyes]) -> None:
    chance = random.Random(3)
    people = People(house, seats(*MANOR), game="artefacts")
    look = eyes(people, "artefacts")
    people.begin(**{"option-decks": "virtual", "option-box": json.dumps(HAUNTED)})
    look.table("drafting")
    look.phone(next(iter(people.to_act())), "drafting", "h1")
    until(people, chance, "end")
    mend(house, people, look, ghosts=[ghost("red", (0, 1), 3)], pawns=dict.fromkeys(MANOR, (0, 1)))
    fighter = until(people, chance, "fight")
    look.table("fight", *LAST)
    look.phone(fighter, "fight", "h1", ".mapbar")
    mend(
        house,
        people,
        look,
        hands={fighter: ["kit", "vacuum"]},
        pending={"what": "give", "n": 1, "colour": fighter},
    )
    look.phone(fighter, "give", "h1", ".g-give .choice")
    mend(house, people, look, pending=None)
    people.play(chance, 20, lambda action: action["type"] != "teleport")
    look.table("playing", *LAST)
    names_wrap(look, "red")
    mover = next(iter(people.to_act()))
    look.phone(mover, "playing", "h1")
    copied(people, chance)
    look.table("copying", ".copy .cue")
    people.seen()
    look.phone("blue", "copying", "h1", ".mapbar")
    look.around("host", "/check", "checking", "h1")
    people.play(chance, 400, kinds("draw", "step", "end"))
    assert not people.to_act()
    look.table("result")
    look.around("blue", "/play", "result", "h1")
    look.story("blue")
    fits(look)


def mend(house: House, people: People, look: Eyes, **fixes: Any) -> None:
    """A moderator puts something else on the table."""
    if "moderator" not in look.phones:
        look.phones["moderator"] = people.moderator(house, LONGEST[3])
    answer = look.phones["moderator"].forge(
        "/act", seat="moderator", action=json.dumps({"type": "repair", "set": fixes})
    )
    assert answer.status == 200, re.findall(r'role="alert".*?</p>', answer.text, re.S)
    people.seen()


def copied(people: People, chance: random.Random) -> None:
    """Play to the end of a turn in which ghosts went."""
    for _ in range(200):
        if 'class="cue"' in people.host.get("/table").text:
            return
        people.play(chance, 1, kinds("end", "lay"))
    raise AssertionError("no ghost goes")


def test_the_manor_fits_with_real_piles(house: House, eyes: Callable[[People, str], Eyes]) -> None:
    """Tiles that are told, cards that are private, and a phone that two people share."""
    chance = random.Random(6)
    people = People(house, seats(*MANOR), game="artefacts")
    look = eyes(people, "artefacts")
    people.begin()
    for _ in range(80):
        if "g-reveal" in people.phones[(seat := next(iter(people.to_act()), "blue"))].get("/play").text:
            break
        people.play(chance)
    look.table("reveal")
    look.phone(seat, "reveal", "h1")
    people.host.post("/host/abandon")
    people.host.post("/host/seat", seat="red", empty="1")
    people.phones["red"].post("/leave")
    people.phones["blue"].forge("/seat/take", seat="red", name=LONGEST[1])
    people.begin(**{"option-decks": "virtual", "option-hands": "private", "option-box": json.dumps(HAUNTED)})
    look.phone("blue", "door", "h1", ".holdbar button")
    fits(look)


def test_the_lobby_fits(browser: Browser, house: House, eyes: Callable[[People, str], Eyes]) -> None:
    """The host's code, then everybody's, and every chair: on one screen."""
    faults = list[str]()
    stranger = Screen(browser, house, locale="fr")
    must = ["h1", ".way-in .code", ".seats li:last-child"]

    def measured(moment: str) -> None:
        stranger.page.goto("/table")
        for width, height in SCREENS:
            stranger.page.set_viewport_size({"width": width, "height": height})
            found = stranger.page.evaluate(MEASURE, [must, True, False])
            faults.extend(f"{moment} {width}x{height}: {fault}" for fault in found)
            if SHOTS:
                name = f"lobby-{moment}-{width}x{height}.png".replace(" ", "-")
                (shots_folder() / name).write_bytes(stranger.page.screenshot())

    measured("nobody is host")
    People(house, seats(*HOTEL), game="phantom", players="4")
    measured("all sit")
    stranger.close()
    assert not faults, "\n".join(faults)


def shots_folder() -> Path:
    folder = Path(os.environ["SHOTS"]) / "fit"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


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
        assert look.phones["guest"].forge("/seat/take", seat=seat, name=name).status == 200
    people.begin()
    if game == "phantom":
        look.around("host", "/lay", "laying", "h1")
        assert people.host.post("/lay/now").status == 200
    look.around("moderator", "/moderator", "moderator", "h1")
    look.around("guest", "/play", "shared", "h1")
    assert not look.faults, "\n".join(look.faults)


PLAIN = (
    "/", "/my-phone", "/rules/phantom", "/rules/canterville", "/rules/artefacts", "/welcome",
    "/welcome/pin", "/welcome/kit", "/welcome/castle", "/welcome/box", "/boxes",
    "/boxes/new?game=phantom", "/boxes/new?game=canterville", "/boxes/new?game=artefacts",
    f"/boxes/box?name={LONGEST[1]}", "/kits/make", "/backup", "/castles", "/castles/nessie",
    "/castles/nessie/draw", "/castles/nessie/checkup", "/castles/nessie/room/12", "/demo",
    "/demo/canterville", "/demo/artefacts", "/watch", "/host", "/asleep", "/https",
    "/arrive", "/doctor",
)  # fmt: skip
"""Pages that are not a game's own, and those of the castles; nobody plays meanwhile."""
OF_A_GAME = (
    "/table", "/play", "/play/p1", "/host", "/moderator", "/lay", "/check", "/story.html", "/j/code",
    "/boxes/import",
)  # fmt: skip
"""Pages that are measured at their moments."""
NINE_EACH = {f"tiles-{colour}": "112233456" for colour in ("blue", "red", "green", "white")}
FILES = re.compile(
    r"/api/.*|.*/file|.*\.crt|/record.json|/manifest.webmanifest|/sw.js|/kits/make/<name>|/arrive/now"
)
"""What is fetched and not looked at."""


PLANTED = {
    "is missing": "",
    "is cut off by what is around it": '<div style="height: 20px; overflow: hidden auto">'
    '<p class="must">Ada hunts</p></div>',
    "is out of sight: 8,516,": '<p class="must" style="position: absolute; top: 500px">Ada hunts</p>',
    "is too small": '<p class="must" style="width: 4px; height: 4px"></p>',
    "too wide by": '<p class="must">Ada hunts</p><p style="width: 700px">Zoé</p>',
    "too high by": '<p class="must">Ada hunts</p><p style="height: 500px">Zoé</p>',
    "cut off": '<p class="must" style="width: 40px; overflow: hidden">Donaudampfschiff</p>',
    "lies over": '<p class="must">Ada hunts</p><p style="margin-top: -30px">Zoé haunts</p>',
    "beside the screen": '<p class="must">Ada</p><b style="position: absolute; left: -9px">Zoé</b>',
    "cannot be tapped away": '<p class="must">Ada hunts</p>'
    '<div class="moments" style="position: fixed; top: 390px"><form><button>Got it</button></form></div>',
}  # fmt: skip
"""What can be wrong with a page, and a page that is wrong so."""


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_seen(browser: Browser, fault: str) -> None:
    page = browser.new_page(viewport={"width": 600, "height": 400})
    page.set_content(f'<!doctype html><div id="live">{PLANTED[fault]}</div>')
    found = page.evaluate(MEASURE, [[".must"], True, False])
    page.set_content('<!doctype html><div id="live"><p class="must">Ada hunts</p><p>Zoé haunts</p></div>')
    assert page.evaluate(MEASURE, [[".must"], True, False]) == []
    page.close()
    assert any(fault in one for one in found), found


def test_every_page_is_measured() -> None:
    """A new page is in one of the lists above."""
    pages = {rule.rule for rule in make_app(cast(Any, None)).url_map.iter_rules() if "GET" in rule.endpoint}
    measured = [path.split("?")[0] for path in (*PLAIN, *OF_A_GAME)]
    ways = {page: re.compile(re.sub("<.*?>", "[^/]+", page)) for page in pages if not FILES.fullmatch(page)}
    assert {page for page, way in ways.items() if not any(map(way.fullmatch, measured))} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_around_a_game_fit(browser: Browser, house: House, shots: Path, language: str) -> None:
    """Nothing is wider than the screen, cut off or in the way; the languages in the menu can be tapped."""
    people = People(house, {}, game="canterville")
    people.host.post("/castles/new", name="Nessie")
    people.host.post("/boxes/save", game="phantom", name=LONGEST[1], **NINE_EACH)
    box = people.host.get(f"/boxes/file?name={LONGEST[1]}").text
    people.host.post("/me", language=language)
    screen, faults = Screen(browser, house, people.host), list[str]()
    stranger = Screen(browser, house, locale=language)
    for page, path in [
        *((screen.page, path) for path in (*PLAIN, f"/boxes/import?text={quote(box)}")),
        *((stranger.page, path) for path in ("/", f"/j/{people.code}")),
    ]:
        if path == "/doctor":
            people.host.post("/doctor/begin")
        answer = page.goto(path)
        assert answer, path
        assert answer.ok, path
        for width, height in PHONES if EVERY else PHONES[::3]:
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate(MEASURE, [[], False, False])
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
