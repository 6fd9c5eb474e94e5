"""The daemon and the phones around it, as people use them."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}
PATIENCE = 30_000


class House:
    """A running daemon with its state folder."""

    def __init__(
        self, state: Path, environment: dict[str, str] | None = None, more: tuple[str, ...] = ()
    ) -> None:
        """`more` is said to `companion serve`."""
        self.state, self._environment, self._more = state, environment, more
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.url = self.pin = ""
        self.start()

    def start(self) -> None:
        """Open the house; the second time at the same address."""
        companion, state = [sys.executable, "-m", "companion"], ["--state", str(self.state)]
        serve = [*companion, "serve", "--host", "127.0.0.1", "--port", str(self._port), *self._more, *state]
        self._process = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, env=self._environment)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().split()[-1]
        self._port = int(self.url.rsplit(":", 1)[1])
        status = subprocess.run([*companion, "status", *state], capture_output=True, text=True, check=True)
        self.pin = status.stdout.split("PIN")[1].split()[0]

    def stop(self, how: int = signal.SIGTERM) -> None:
        """Close it, politely or not."""
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.send_signal(how)
        self._process.wait(30)
        self._process.stdout.close()

    def empty(self) -> None:
        """Close the house, forget everything, and open it again."""
        self.stop()
        shutil.rmtree(self.state)
        self.state.mkdir()
        self.start()


class Phone:
    """One person's browser."""

    def __init__(self, browser: Browser, house: House, locale: str = "en-GB", **kind: Any) -> None:
        self.house = house
        # As on a home network: only https and the machine itself may have a worker.
        kind = {"viewport": PHONE, "color_scheme": "dark", "service_workers": "block"} | kind
        self.context: BrowserContext = browser.new_context(locale=locale, base_url=house.url, **kind)
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.on("console", self._heard)
        self.name = ""

    def _heard(self, message: Any) -> None:
        # A refusal is an answer with an error status, which the browser notes by itself.
        if (
            message.type == "error"
            and "Failed to load resource" not in message.text
            and "ERR_" not in message.text
        ):
            self.faults.append(message.text)

    def close(self) -> None:
        """Put the phone away. Nothing may have gone wrong in its scripts."""
        self.context.close()
        assert not self.faults, self.faults

    def goto(self, path: str) -> None:
        self.page.goto(path)

    def button(self, name: str, exact: bool = True) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def sure(self, words: str, do: str) -> None:
        """What cannot be taken back: the first tap asks, the second does it."""
        asked = self.page.locator("details.sure", has=self.page.get_by_text(words, exact=True))
        asked.locator("summary").click()
        asked.get_by_role("button", name=do, exact=True).click()

    def heading(self, text: str | re.Pattern[str]) -> None:
        """Wait until the page's headline says this."""
        expect(self.page.get_by_role("heading", level=1)).to_have_text(text, timeout=PATIENCE)

    # The way in

    def host(self, name: str = "Mrs Kerr") -> str:
        """Become host by the PIN; gives the code for the others."""
        self._enter(name, "Be the host")
        self.page.wait_for_url("**/host")
        return self.page.locator(".bigcode").inner_text()

    def moderate(self, name: str = "Isla", agreed: Iterable[Phone] = ()) -> None:
        """Become moderator by the PIN; in a running game people who play agree on their phones."""
        self._enter(name, "Be the moderator")
        if not agreed:
            self.page.wait_for_url("**/moderator")
            return
        self.page.wait_for_url("**/play")
        for one in agreed:
            one.page.locator("form[action='/moderator/agree'] button").click()
            expect(one.page.locator("form[action='/moderator/agree']")).to_have_count(0)
        self.goto("/moderator")

    def _enter(self, name: str, button: str) -> None:
        self.name = name
        self.goto("/")
        form = self.page.locator("form[action='/host']")
        if not form.is_visible():
            self.page.get_by_text("Host this evening").click()
        form.get_by_label("Your name").fill(name)
        form.get_by_label("PIN").fill(self.house.pin)
        self.button(button).click()

    def join(self, code: str, name: str) -> None:
        """Join by the link behind the QR code."""
        self.name = name
        self.goto(f"/j/{code}")
        self.page.locator("input[name=name]").fill(name)
        self.page.locator("button[form=join]").click()
        self.page.wait_for_url("**/play")

    def sit(self, seat: str) -> None:
        """Take a free chair."""
        self.page.locator(f"input[name=seat][value={seat}]").check(force=True)
        self.page.locator("button[form=take]").click()
        expect(self.page.locator("button[form=take]")).to_have_count(0)

    # The hunt

    def lay(self, value: int, room: int) -> None:
        """Lay a tile: two taps."""
        self.page.locator(f"#lay input[name=fields][value$='\"value\": {value}}}']").first.check(force=True)
        self.page.locator(f"button#room-{room}").click()
        expect(self.page.locator(f"button#room-{room}")).to_have_count(0)

    def choose(self, room: int) -> None:
        """The first tap."""
        self.page.locator(f"input#room-{room}").check(force=True)

    def confirm(self, words: str) -> bool:
        """The second tap, and what the house answered is shown: whether it was taken."""
        with self.page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            self.page.locator("[data-confirm]").get_by_role("button", name=words, exact=True).click()
        answered.value.finished()
        if version := answered.value.headers.get("x-companion-version"):
            self.page.wait_for_function(
                "version => Number(document.querySelector('#live').dataset.version) >= version",
                arg=int(version),
            )
        return answered.value.ok

    def take(self, room: int, words: str) -> None:
        """Two taps, and the room is empty."""
        self.choose(room)
        self.confirm(words)
        expect(self.page.locator(f"input#room-{room}")).to_have_count(0)

    def may_act(self) -> bool:
        """Whether the lamp over the headline is lit."""
        return self.page.locator(".turn.lit").count() > 0

    def rooms(self) -> list[int]:
        """The rooms that can be chosen."""
        return [
            int(r)
            for r in self.page.locator("#act input[data-room]").evaluate_all(
                "e => e.map(x => x.dataset.room)"
            )
        ]

    def in_reach(self) -> list[int]:
        """The rooms that this master's ghosts reach: on his own page, closed or not."""
        return [
            int(r)
            for r in self.page.locator(".tile.reach input").evaluate_all("e => e.map(x => x.dataset.room)")
        ]


def forge(page: Page, path: str, form: str, **fields: str) -> tuple[int, str]:
    """Send a form of a page with other fields than it offers; gives status and answer.

    The page itself learns of it by the push, which is waited for: its next form belongs to that moment.
    """
    script = """async ([path, form, fields]) => {
        const body = new URLSearchParams(new FormData(document.querySelector(form)));
        for (const [name, value] of Object.entries(fields)) body.set(name, value);
        const headers = {"X-Companion": "fragment"};
        const answer = await fetch(path, {method: "POST", body, headers});
        const text = await answer.text();
        const told = Number(/data-version="(\\d+)"/.exec(text)?.[1] ?? 0);
        const behind = () => Number(document.querySelector("#live")?.dataset.version ?? told) < told;
        for (let tries = 0; answer.ok && behind() && tries < 100; tries++) {
            await new Promise((done) => setTimeout(done, 20));
        }
        return [answer.status, text];
    }"""
    status, answer = page.evaluate(script, [path, form, fields])
    return status, answer
