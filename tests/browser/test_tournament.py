"""A tournament of three games of The Phantom Society, by taps. PS-110."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.house import LAPTOP, Phone

Phones = Callable[..., Phone]
NAMES = {"p1": "Ada", "p2": "Zoé"}
OTHER = {"p1": "p2", "p2": "p1"}


class Tournament:
    """Ada, who runs the evening, Zoé, and the table's own screen; each of the two is a team."""

    def __init__(self, phone: Phones) -> None:
        ada, zoe = phone(), phone()
        self.screen = phone(viewport=LAPTOP)
        self.phones = {"p1": ada, "p2": zoe}
        code = ada.host("Ada")
        self._choose(ada)
        ada.page.locator("form[action='/seat/take']:has(input[value='p1']) button").click()
        zoe.join(code, "Zoé")
        zoe.sit("p2")
        self.screen.goto("/table")
        ada.page.locator(".foot button[formaction='/host/start']").click()
        ada.page.wait_for_url("**/play")

    def _choose(self, ada: Phone) -> None:
        """The fold of single rules: Master Game, and then how many."""
        page = ada.page
        page.locator("#plan input[name=players][value='2']").check(force=True)
        page.locator("#plan summary", has_text="Single rules").click()
        page.locator("select[name='option-master_game']").select_option("true")
        games = page.locator("input[name='option-tournament.games']")
        games.wait_for(state="attached")
        if not games.is_visible():
            page.locator("#plan summary", has_text="Single rules").click()
        games.fill("3")
        with page.expect_response("**/host/plan"):
            games.press("Tab")
        expect(games).to_have_value("3")

    def legal(self, seat: str) -> list[dict[str, Any]]:
        """What somebody may do now."""
        found = self.phones[seat].context.request.get(f"/api/v1/legal?seat={seat}").json()["actions"]
        return list(found)

    def bid(self, high: str, gap: int) -> tuple[str, int]:
        """Both bid by taps, one low and one so much higher; gives who plays the ghosts, and by how much."""
        sums: dict[str, int] = {}
        for seat in (OTHER[high], high):
            page = self.phones[seat].page
            offered = page.locator("#bid input[name=thousands]")
            offered.first.wait_for()
            values = [int(each) for each in offered.evaluate_all("all => all.map((one) => one.value)")]
            least = 0 if seat != high else sums[OTHER[high]] + gap
            sums[seat] = next(value for value in sorted(values) if value >= least)
            page.locator(f"#bid input[value='{sums[seat]}']").check(force=True)
            page.locator("#bid button").click()
            expect(page.locator("#bid")).to_have_count(0)
        return high, sums[high] - sums[OTHER[high]]

    def tap(self, seat: str, room: int) -> None:
        """A room, and the button."""
        one = self.phones[seat]
        one.page.locator(".turn.lit").wait_for()
        before = one.page.locator("#live").get_attribute("data-version")
        one.choose(room)
        one.page.locator("[data-confirm] .btn.primary").click()
        expect(one.page.locator(f"#live[data-version='{before}']")).to_have_count(0)

    def hide(self, master: str) -> list[int]:
        """All four ghosts hide; gives where."""
        rooms: dict[str, int] = {}
        while hiding := [
            one for one in self.legal(master) if one["type"] == "hide" and one["ghost"] not in rooms
        ]:
            rooms[hiding[0]["ghost"]] = hiding[0]["room"]
            self.tap(master, hiding[0]["room"])
        return [*rooms.values()]

    def hunt(self, hidden: list[int]) -> None:
        """To the end: the hunters happen to know where to look."""
        for _ in range(80):
            for seat in self.phones:
                legal = self.legal(seat)
                rooms = [action["room"] for action in legal if action["type"] == "remove"]
                if not legal:
                    continue
                self.tap(seat, next((room for room in hidden if room in rooms), rooms[0]))
                break
            else:
                return
        raise AssertionError("the hunt does not end")

    def points(self) -> list[tuple[str, list[tuple[str, int]]]]:
        """What every page says: the headline of the tournament, and the points of each team."""
        return [self._points(one) for one in (*self.phones.values(), self.screen)]

    def _points(self, one: Phone) -> tuple[str, list[tuple[str, int]]]:
        panel = one.page.locator(".tournament")
        panel.wait_for()
        rows = [
            (row.locator(".who").inner_text(), int(row.locator(".state").inner_text().split()[0]))
            for row in panel.get_by_role("listitem").all()
        ]
        return panel.locator("h2").inner_text(), rows

    def play(self, high: str, gap: int) -> tuple[str, int]:
        """One game from the dealt board to its result; gives who has won it, and by how much."""
        ada = self.phones["p1"].page
        ada.locator("form[action='/lay/now'] button").click()
        master, worth = self.bid(high, gap)
        self.hunt(self.hide(master))
        return OTHER[master], worth


def test_a_tournament_of_three_games_goes_to_whoever_has_most_points(phone: Phones) -> None:
    evening, won = Tournament(phone), dict.fromkeys(NAMES, 0)
    ranked: list[list[str]] = []
    for game, (high, gap) in enumerate((("p2", 1), ("p1", 15), ("p1", 3)), start=1):
        winner, worth = evening.play(high, gap)
        won[winner] += worth
        due = sorted(((NAMES[seat], n) for seat, n in won.items()), key=lambda row: -row[1])
        ranked.append([name for name, _ in due])
        for head, rows in evening.points():
            assert rows == due
            last = f"The tournament is over: it goes to {due[0][0]}"
            assert head == (f"Tournament: game {game} of 3" if game < 3 else last)
        if game < 3:
            evening.phones["p1"].sure("Next game of the tournament", "Begin again")
            expect(evening.phones["p1"].page.locator("form[action='/lay/now'] button")).to_be_visible()
    assert ranked[0][0] != ranked[2][0], "the lead has changed"
    ada = evening.phones["p1"]
    assert ada.page.locator("form[action='/host/rematch']").count() == 0
    ada.goto("/host")
    expect(ada.page.locator("body")).not_to_contain_text(re.compile("Next game of the tournament|Rematch"))
