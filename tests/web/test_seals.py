"""The sealed record on phones: what somebody noted during play can be checked by anybody at the end."""

import re
from collections.abc import Callable

import msgspec
import pytest

from companion import verify
from tests.web.conftest import Running
from tests.web.phones import Phone, until
from web.render import pages

Run = Callable[..., Running]
SEAL = re.compile(r'Seal after step (\d+): <b class="digits">([0-9a-f]{8})</b>')


def noted(phone: Phone) -> tuple[int, str]:
    found = SEAL.search(phone.get("/table").text)
    assert found
    return int(found[1]), found[2]


@pytest.fixture
def played(run: Run) -> tuple[Running, Phone, tuple[int, str]]:
    """A game that was interrupted by a restart and is over, and what a spectator noted in between."""
    house = run(renderer=pages)
    host = house.host()
    house.start(host, players=2)
    assert host.get("/record.json").status == 409
    assert host.forge("/record/check", seal="0" * 8).status == 409
    house.close()
    house = run(renderer=pages)
    host.port = house.port
    before = noted(house.phone())
    house.bot("p1")
    house.bot("p2")
    until(lambda: house.evening.stage == "result")
    return house, host, before


def test_eight_characters_noted_during_play_are_found_at_the_end(
    played: tuple[Running, Phone, tuple[int, str]],
) -> None:
    house, host, (n, digits) = played
    guest = house.guest("Ada")
    for phone in (host, guest):
        answer = phone.post("/record/check", seal=digits.upper()[:4] + " " + digits[4:], next="/watch")
        assert answer.status == 200
        assert f"seal after step {n} of " in answer.text
    foreign = guest.post("/record/check", seal="0123456789abcdef@3", next="/watch")
    assert (foreign.status, "something was changed" in foreign.text) == (409, True)
    for odd in ("9f3a", "not a seal", "9f3a51c0@"):
        assert guest.forge("/record/check", seal=odd, next="/watch").status == 400


def test_record_beside_the_story_is_true_and_both_say_that_the_house_was_opened_again(
    played: tuple[Running, Phone, tuple[int, str]],
) -> None:
    house, _, (n, digits) = played
    stranger = house.phone()
    assert 'href="/record.json"' in stranger.get("/watch").text
    answer = stranger.get("/record.json")
    assert "attachment" in answer.headers["content-disposition"]
    verdict = verify.verify(verify.read_record(answer.body), [verify.noted(f"{digits}@{n}")])
    assert verdict.faults == ()
    for page in ("/table", "/watch", "/story.html"):
        text = stranger.get(page).text
        assert "the companion was started again (1×)" in text
        assert msgspec.json.decode(answer.body)["seal"][:8] in text


def test_changed_record_is_told_to_whoever_checks(played: tuple[Running, Phone, tuple[int, str]]) -> None:
    house, host, (_, digits) = played
    chain = house.evening.table._chain
    assert chain
    chain.links[2] = msgspec.structs.replace(chain.links[2], entry={**chain.links[2].entry, "seat": "p9"})
    answer = host.post("/record/check", seal=digits, next="/watch")
    assert (answer.status, "ntry 3 does not fit its seal" in answer.text) == (409, True)
