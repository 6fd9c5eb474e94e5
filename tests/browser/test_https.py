"""Over HTTPS in a browser that believes this table: the way over, and what browsers give only there."""

from __future__ import annotations

import base64
import hashlib
import random
import subprocess
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from companion.certificate import ISSUER, PEM, Certificate
from tests.browser.conftest import FLAGS, chromium_path
from tests.browser.house import House, Phone
from tests.browser.test_evening import begin, hide_the_ghosts, layout
from tests.browser.test_lines import set_hidden
from tests.browser.test_pages import RULES, Axe

Phones = Callable[..., Phone]
WATCHED = """
window.locks = [];
const request = navigator.wakeLock.request.bind(navigator.wakeLock);
navigator.wakeLock.request = async (kind) => {
    const lock = await request(kind);
    window.locks.push(lock);
    return lock;
};
"""
"""Notes the locks that a page asks for, as the browser gives them."""
AWAKE = "() => locks.filter((lock) => !lock.released).length === 1"
ASLEEP = "() => locks.every((lock) => lock.released)"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A daemon with HTTPS, which had its certificate before."""
    state = tmp_path_factory.mktemp("house")
    own = Certificate(state)
    own.renew(["127.0.0.1", "localhost"])
    own.switch(True)
    opened = House(state, more=("--https-port", "0"))
    yield opened
    opened.stop()


@pytest.fixture(scope="module")
def browser(browser: Browser, house: House) -> Iterator[Browser]:
    """One that believes whatever this table's issuer signed, as if its root were installed."""
    kept = (house.state / "https" / ISSUER).read_bytes()
    issuer = next(block[0] for block in PEM.finditer(kept) if block[1] == b"CERTIFICATE")
    told = ["openssl", "x509", "-noout", "-pubkey"]
    key = base64.b64decode("".join(asked(told, issuer).splitlines()[1:-1]))
    believed = base64.b64encode(hashlib.sha256(key).digest()).decode()
    found = browser.browser_type.launch(
        executable_path=chromium_path(), args=[*FLAGS, f"--ignore-certificate-errors-spki-list={believed}"]
    )
    yield found
    found.close()


def test_a_phone_goes_over_in_mid_evening_and_stays_awake_while_the_game_goes_on(phone: Phones) -> None:
    host, ada, zoe = phone(), phone(), phone()
    code = host.host()
    host.page.locator("#plan input[name=players][value='2']").check(force=True)
    ada.page.add_init_script(WATCHED)
    asked_for: list[str] = []
    for one, seat, name in ((ada, "p1", "Ada"), (zoe, "p2", "Zoe")):
        one.join(code, name)
        one.sit(seat)
    ada.page.locator(".menu > summary").click()
    ada.page.get_by_role("link", name="My phone").click()
    ada.page.get_by_role("link", name="Encrypted connection").click()
    ada.page.get_by_text("iPhone, iPad").click()
    assert Axe().run(ada.page, options=RULES).response["violations"] == []
    ada.page.on("request", lambda request: asked_for.append(request.url))
    ada.page.get_by_role("link", name="Go over to the encrypted connection").click()
    ada.heading("The connection is encrypted")
    ada.page.get_by_role("link", name="Go on").click()
    ada.page.wait_for_url("https://**/play")
    assert ada.page.evaluate("isSecureContext && location.protocol === 'https:'")
    expect(ada.page.locator(".chip", has_text="Ada")).to_be_visible()
    assert ada.page.evaluate(ASLEEP)
    # It begins, and the page of a seat is pushed over TLS.
    begin(host, **{"option-layout": layout(random.Random(4))})
    ada.page.wait_for_function(AWAKE)
    set_hidden(ada, True)
    ada.page.wait_for_function(ASLEEP)
    set_hidden(ada, False)
    ada.page.wait_for_function(AWAKE)
    hide_the_ghosts([zoe], random.Random(4), 4)
    ada.page.wait_for_function(AWAKE)
    installable(ada)
    host.page.get_by_text("End this game").click()
    host.button("End it now").click()
    ada.page.wait_for_function(ASLEEP)
    assert asked_for
    assert {urlsplit(url).scheme for url in asked_for} == {"https"}


def installable(one: Phone) -> None:
    """Chromium itself finds nothing that keeps the page from becoming an app."""
    told = one.context.new_cdp_session(one.page).send("Page.getInstallabilityErrors")
    # A private window, as each phone of these tests is, installs nothing.
    assert [each["errorId"] for each in told["installabilityErrors"]] in ([], ["in-incognito"])


def asked(words: list[str], given: bytes) -> str:
    return subprocess.run(words, input=given, capture_output=True, check=True).stdout.decode()
