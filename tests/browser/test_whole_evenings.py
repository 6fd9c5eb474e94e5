"""Evenings from the host's code to the story, in which nobody ever reads an internal name.

In French two people with phones, bots on the other seats; in German two people with one phone between them,
and one person whose phone moderates for a table without any.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.house import LAPTOP, House, Phone, forge
from tests.browser.test_castles import PLAN, c1
from tests.browser.test_manor import CHOOSE, HAUNTED
from tests.internal import internal

Phones = Callable[..., Phone]
Action = dict[str, Any]


def clear(*phones: Phone, language: str = "fr") -> None:
    """Nobody reads what is only for programs."""
    for one in phones:
        text = " ".join(one.page.locator("main, aside, header, .foot").all_inner_texts())
        assert not internal(text, language), text


def story_opens(one: Phone, file: Path, *names: str) -> None:
    """What is kept of a game is a page that opens from the disk, and tells who played."""
    with one.page.expect_download() as kept:
        one.page.locator("a[href='/story.html']").click()
    file.write_bytes(Path(kept.value.path()).read_bytes())
    page = one.context.new_page()
    page.goto(file.resolve().as_uri())
    expect(page.locator("h1")).to_be_visible()
    for name in names:
        expect(page.get_by_text(name).first).to_be_visible()
    assert not internal(page.locator("body").inner_text())
    file.with_suffix(".png").write_bytes(page.screenshot())
    page.close()


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


class Evening:
    """Anna, who runs the evening and plays, Béatrice, the table's own screen, and bots on the other seats."""

    def __init__(
        self,
        phone: Phones,
        shots: Path,
        called: str,
        seats: tuple[str, str],
        game: str = "phantom",
        **plan: str,
    ) -> None:
        self.shots, self.called = shots, called
        self.screen = phone(locale="fr-FR", viewport=LAPTOP)
        self.screen.goto("/table")
        self.anna, self.beatrice = phone(locale="fr-FR"), phone(locale="fr-FR")
        self.phones = dict(zip(seats, (self.anna, self.beatrice), strict=True))
        code = self._run_by_anna()
        self.desk = phone(locale="fr-FR")
        chosen = self.anna.page.locator(f"button[name=game][value={game}]")
        chosen.click()
        expect(chosen).to_have_attribute("aria-pressed", "true")
        if plan:
            status, answer = forge(self.anna.page, "/host/plan", "#plan", **plan)
            assert status == 200, answer[:400]
        clear(self.anna)
        self._sit(self.anna, seats[0])
        self.beatrice.join(code, "Béatrice")
        self.beatrice.sit(seats[1])
        clear(self.anna, self.beatrice)
        self.anna.page.locator("details.begin summary").click()
        clear(self.anna)
        self.anna.page.locator("button[name=empty][value=normal]").click()
        self.anna.page.wait_for_url("**/play")
        self.desk.context.add_cookies(self.anna.context.cookies())  # type: ignore[arg-type]
        self.desk.goto("/host")
        clear(self.anna, self.desk)

    def _run_by_anna(self) -> str:
        """Scan the host's code on the table's screen; gives the code for the others."""
        scanned = self.screen.page.get_by_role("img", name=re.compile("QR")).first
        self.anna.goto("/j/" + (scanned.get_attribute("aria-label") or "").rsplit("/", 1)[1])
        self.anna.page.locator("input[name=name]").fill("Anna")
        self.anna.page.locator("button[form=join]").click()
        self.anna.page.wait_for_url("**/host")
        clear(self.anna)
        return self.anna.page.locator(".bigcode").inner_text()

    def _sit(self, one: Phone, seat: str) -> None:
        form = one.page.locator(f"form[action='/seat/take']:has(input[value='{seat}'])")
        form.get_by_role("button").click()
        expect(form).to_have_count(0)

    def picture(self, moment: str) -> None:
        """What everybody sees, for people to look at; nobody reads an internal name."""
        for name, one in (("anna", self.anna), ("beatrice", self.beatrice), ("table", self.screen)):
            (self.shots / f"evening-{self.called}-{moment}-{name}.png").write_bytes(one.page.screenshot())
        clear(self.anna, self.beatrice, self.screen, self.desk)

    def legal(self, seat: str) -> list[Action]:
        """What a person may do now; which of it they do is left to chance."""
        answer = self.phones[seat].context.request.get(f"/api/v1/legal?seat={seat}")
        found: list[Action] = answer.json()["actions"]
        return found

    @property
    def over(self) -> bool:
        return self.screen.context.request.get("/story.html").ok

    def play(self, tap: Callable[[Phone, str, list[Action]], None], most: int = 400) -> None:
        """To the end, or so many taps of the two: whoever may act taps, the bots move by themselves."""
        tapped = 0
        for _ in range(6000):
            if self.over or tapped == most:
                return
            for seat, one in self.phones.items():
                if (legal := self.legal(seat)) and one.page.locator(".turn.lit").count():
                    if (card := one.page.locator("form[action='/seen'] button")).count():
                        card.click()
                        expect(card).to_have_count(0)
                    before = one.page.locator("#live").get_attribute("data-version")
                    tap(one, seat, legal)
                    expect(one.page.locator(f"#live[data-version='{before}']")).to_have_count(0)
                    clear(one, self.desk)
                    tapped += 1
                    break
            else:
                self.anna.page.wait_for_timeout(50)
        raise AssertionError([one.page.locator("h1").inner_text() for one in self.phones.values()])

    def told_to_all(self) -> None:
        """Everybody sees who won, and the story can be kept."""
        for one in (*self.phones.values(), self.screen):
            expect(one.page.get_by_role("heading", level=1)).to_have_text(
                re.compile("gagne|victoire|perdu|sauv", re.I)
            )
        self.picture("end")
        story_opens(self.anna, self.shots / f"evening-{self.called}-story.html", "Anna", "Béatrice")


def primary(one: Phone) -> None:
    """The second tap."""
    one.page.locator("[data-confirm] .btn.primary").click()


def hotel(chance: random.Random) -> Callable[[Phone, str, list[Action]], None]:
    """The Phantom Society: a room, then the button; or that nothing is in reach."""

    def tap(one: Phone, seat: str, legal: list[Action]) -> None:
        rooms = [action["room"] for action in legal if action["type"] in ("hide", "remove")]
        if rooms:
            one.choose(chance.choice(rooms))
            primary(one)
        else:
            one.button("Rien à portée : passer").click()

    return tap


def castle(chance: random.Random) -> Callable[[Phone, str, list[Action]], None]:
    """Gespensterjagd: a room, then the button; a frame; or a figure that stays."""

    def tap(one: Phone, seat: str, legal: list[Action]) -> None:
        first = next((action.get("figure") for action in legal if action["type"] == "start"), None)
        open_to = [
            action
            for action in legal
            if action["type"] in ("move", "cheat", "walk")
            or (action["type"] == "start" and action.get("figure") == first)
        ]
        if any(action["type"] == "frame" for action in legal):
            one.page.locator("button[name=action]").first.click()
        elif open_to:
            chosen = chance.choice(open_to)
            one.page.locator(f"#pick-{chosen.get('figure') or 'go'}-{chosen['room']}").check(force=True)
            primary(one)
        else:
            one.page.locator(".stays button").first.click()

    return tap


def manor(chance: random.Random) -> Callable[[Phone, str, list[Action]], None]:
    """Artéfacts: a tile and its place, or a deed; half of the time the turn is over."""

    def tap(one: Phone, seat: str, legal: list[Action]) -> None:
        found = one.page.evaluate(
            "() => [...document.querySelectorAll('input[name=action]')].map((one) => [one.id, one.value])"
        )
        picks = [(id, json.loads(value)) for id, value in found]
        picks = [(id, one[0] if isinstance(one, list) else one) for id, one in picks]
        ends = [pick for pick in picks if pick[1]["type"] == "end"]
        others = [pick for pick in picks if pick[1]["type"] not in ("end", "teleport")]
        id, action = chance.choice(ends if ends and (not others or chance.random() < 0.6) else others)
        assert one.page.evaluate(CHOOSE, [id.split("-")[1] if action["type"] == "lay" else None, id])
        primary(one)

    return tap


def hotel_dealt(phone: Phones, shots: Path) -> Evening:
    """The Phantom Society, the board dealt by one tap: Anna hunts, Béatrice leads two ghosts."""
    evening = Evening(phone, shots, "hotel", ("p1", "p2"))
    evening.anna.page.locator("form[action='/lay/now'] button").click()
    evening.beatrice.page.locator(".step-hiding").wait_for()
    return evening


def test_an_evening_in_the_hotel_begins_in_french(phone: Phones, shots: Path) -> None:
    evening = hotel_dealt(phone, shots)
    evening.play(hotel(random.Random(4)), most=4)
    evening.picture("hunt")


@pytest.mark.slow
def test_a_whole_evening_in_the_hotel(phone: Phones, shots: Path) -> None:
    evening = hotel_dealt(phone, shots)
    evening.play(hotel(random.Random(4)))
    evening.told_to_all()


@pytest.mark.slow
def test_a_whole_evening_in_the_castle(phone: Phones, shots: Path) -> None:
    frames = json.dumps(dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 1))
    plan = {"game": "canterville", "players": "4", "option-castle": "demo", "option-frames": frames}
    evening = Evening(phone, shots, "castle", ("max", "h1"), **plan)
    evening.play(castle(random.Random(2)), most=4)
    evening.picture("hunt")
    evening.play(castle(random.Random(3)))
    evening.told_to_all()


@pytest.mark.slow
def test_a_whole_evening_in_the_manor(phone: Phones, shots: Path) -> None:
    plan = {"game": "artefacts", "option-decks": "virtual", "option-box": json.dumps(HAUNTED)}
    evening = Evening(phone, shots, "manor", ("blue", "red"), **plan)
    evening.play(manor(random.Random(5)), most=6)
    evening.picture("hunt")
    evening.play(manor(random.Random(6)))
    evening.told_to_all()


class Shared:
    """Anna and Berta with one phone, which is the host's too, and the table's own screen; in German."""

    def __init__(self, phone: Phones, shots: Path) -> None:
        self.shots = shots
        self.screen = phone(locale="de-DE", viewport=LAPTOP)
        self.screen.goto("/table")
        scanned = self.screen.page.get_by_role("img", name=re.compile("QR")).first
        self.one = phone(locale="de-DE")
        self.page = self.one.page
        self.one.goto("/j/" + (scanned.get_attribute("aria-label") or "").rsplit("/", 1)[1])
        self.page.locator("input[name=name]").fill("Anna")
        self.page.locator("button[form=join]").click()
        self.page.wait_for_url("**/host")
        clear(self.one, language="de")
        self.page.locator("#plan input[name=players][value='2']").check(force=True)
        expect(self.page.locator(".seats").first.locator("li")).to_have_count(2)
        clear(self.one, language="de")
        self.page.locator("form[action='/seat/take']:has(input[value='p1']) button").click()
        expect(self.page.locator("form[action='/seat/take']:has(input[value='p1'])")).to_have_count(0)
        self.one.goto("/play")
        self.page.get_by_text("Ein Handy für alle").click()
        self.page.get_by_label("Wie heißt sie oder er?").fill("Berta")
        self.one.button("Auch hier hinsetzen").click()
        expect(self.page.locator("input[name=name][value='Berta']")).to_be_visible()
        clear(self.one, language="de")
        self.one.goto("/host")
        self.page.locator("button[formaction='/host/start']").click()
        self.page.wait_for_url("**/play")
        clear(self.one, language="de")

    @property
    def over(self) -> bool:
        return self.screen.context.request.get("/story.html").ok

    def play(self, chance: random.Random, most: int) -> None:
        """Whoever the door names takes the phone; a room and the button, and it is passed on."""
        for _ in range(most):
            if self.over:
                return
            if (door := self.page.locator(".holdbar .btn.primary.big")).count():
                door.click()
                expect(self.page.locator("#live[data-hold]")).to_have_count(1)
            self._turn(chance)
            clear(self.one, self.screen, language="de")

    def _turn(self, chance: random.Random) -> None:
        before = self.page.locator("#live").get_attribute("data-version")
        if (seen := self.page.locator("form[action='/seen'] button")).count():
            seen.click()
            expect(seen).to_have_count(0)
            return
        if (deal := self.page.locator("form[action='/lay/now'] button")).count():
            deal.click()
        elif rooms := self.page.locator(
            "#act .tile.reach input, #act:not(:has(.reach)) input[data-room]"
        ).all():
            chance.choice(rooms).check(force=True)
            clear(self.one, language="de")
            primary(self.one)
        else:
            self.page.locator(".aside .btn, .holdbar .btn.primary").first.click()
        expect(self.page.locator(f"#live[data-version='{before}']")).to_have_count(0)


def test_two_people_begin_in_german_with_one_phone(phone: Phones, shots: Path) -> None:
    evening = Shared(phone, shots)
    evening.play(random.Random(8), 7)
    (shots / "evening-shared.png").write_bytes(evening.page.screenshot())


@pytest.mark.slow
def test_a_whole_evening_in_german_with_one_phone(phone: Phones, shots: Path) -> None:
    evening = Shared(phone, shots)
    evening.play(random.Random(8), 120)
    expect(evening.screen.page.get_by_role("heading", level=1)).to_have_text(
        re.compile("gewinnen|gewonnen|Sieg|retten")
    )
    evening.one.goto("/play")
    clear(evening.one, evening.screen, language="de")
    story_opens(evening.one, shots / "evening-shared-story.html", "Anna", "Berta")


def moderated(phone: Phones, **plan: str) -> tuple[Phone, Phone]:
    """One person who hosts and moderates on one phone, a table of people without any, and its screen."""
    screen, one = phone(locale="de-DE", viewport=LAPTOP), phone(locale="de-DE")
    screen.goto("/table")
    scanned = screen.page.get_by_role("img", name=re.compile("QR")).first
    one.goto("/j/" + (scanned.get_attribute("aria-label") or "").rsplit("/", 1)[1])
    one.page.locator("input[name=name]").fill("Carla")
    one.page.locator("button[form=join]").click()
    one.page.wait_for_url("**/host")
    assert forge(one.page, "/moderator", "#plan", pin=one.house.pin, name="Carla")[0] == 204
    chosen = one.page.locator("button[name=game][value=canterville]")
    chosen.click()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    status, answer = forge(one.page, "/host/plan", "#plan", **plan)
    assert status == 200, answer[:400]
    clear(one, language="de")
    one.page.locator("details.begin summary").click()
    clear(one, language="de")
    one.page.locator("details.begin .quiet").click()
    one.goto("/moderator")
    return one, screen


def moderate(one: Phone, screen: Phone, chance: random.Random, most: int) -> None:
    """What people say at the table is tapped by the moderator: a button, or a list and its button."""
    for _ in range(most):
        forms = one.page.locator("form.panel:has([name=action])").all()
        if not forms:
            return
        before = one.page.locator("#live").get_attribute("data-version")
        form = chance.choice(forms)
        if (many := form.locator("select")).count():
            many.select_option(index=chance.randint(1, many.locator("option").count() - 1))
            form.locator("button.primary").click()
        else:
            chance.choice(form.locator("button").all()).click()
        expect(one.page.locator(f"#live[data-version='{before}']")).to_have_count(0)
        clear(one, screen, language="de")


SMALL = PLAN | {
    "option-castle": c1(),
    "option-frames": json.dumps(dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 1)),
}


def test_a_lone_moderator_begins_a_hunt_in_german(phone: Phones, shots: Path) -> None:
    one, screen = moderated(phone, **SMALL)
    moderate(one, screen, random.Random(3), 8)
    (shots / "evening-moderator.png").write_bytes(one.page.screenshot())


@pytest.mark.slow
def test_a_lone_moderator_drives_a_whole_hunt_in_german(phone: Phones, shots: Path) -> None:
    one, screen = moderated(phone, **SMALL)
    moderate(one, screen, random.Random(3), 400)
    expect(screen.page.get_by_role("heading", level=1)).to_have_text(
        re.compile("gewinn|Sieg|gewonnen|entkommt")
    )
    story_opens(one, shots / "evening-moderator-story.html", "Max")
