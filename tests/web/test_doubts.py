"""A step that no map could check: a hunter doubts it, the game waits, and somebody answers, a bot too."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

from companion.contract import Seat
from tests.web.conftest import Running
from tests.web.phones import PATIENCE, Phone
from tests.web.test_castles import SEATS, act, evening, seen

Run = Callable[..., Running]

ONES = '{"bats":1,"cats":1,"hedgehogs":1,"mice":1,"owls":1}'
DOUBT = {"type": "doubt", "from": 36, "to": 3}


def shown_without_a_map(run: Run, folder: str = "state", **plan: str) -> tuple[Running, dict[Seat, Phone]]:
    """Max has gone from 36 to 3, shows himself, and no map can say whether he may."""
    house, phones = evening(run, folder, **{"option-castle": "none", "option-frames": ONES, **plan})
    act(phones["max"], "max", {"type": "move", "room": 3})
    for seat, figure in (("h1", "a"), ("h2", "b"), ("h3", "c")):
        act(phones[seat], seat, {"type": "stay", "figure": figure})
    return house, phones


def test_a_hunter_doubts_and_max_owns_up(run: Run) -> None:
    """GJ-Q22: asked on Max's phone, told on all others, and the hunters have won."""
    _, phones = shown_without_a_map(run)
    assert "36 → 3: that was not possible" in seen(phones["h2"], "/play")
    act(phones["h2"], "h2", DOUBT)
    assert "No, my mistake" in seen(phones["max"], "/play")
    assert "I believe it after all" in seen(phones["h2"], "/play")
    assert "I believe it after all" not in seen(phones["h1"], "/play")
    act(phones["max"], "max", {"type": "foul", "from": 36, "to": 3})
    assert "Max’s way was against the rules." in seen(phones["h3"], "/play")


def test_where_they_do_not_agree_the_host_decides(run: Run) -> None:
    """GJ-Q22: and nobody who plays can speak for the table alone."""
    house, phones = shown_without_a_map(run, **{"option-illegal_max_move": "replay_round"})
    foul = {"type": "foul", "from": 36, "to": 3}
    host = house.phones[0]
    for seat in SEATS:
        for speaker in (seat, "table", "moderator"):
            answer = phones[seat].forge("/act", seat=speaker, action=json.dumps(foul))
            assert answer.status in (403, 409), (seat, speaker)
        assert phones[seat].forge("/castles/judge", action=json.dumps(foul)).status == 403
    act(phones["h1"], "h1", DOUBT)
    act(phones["max"], "max", {"type": "stands"})
    assert "It was possible" not in seen(phones["max"], "/play")
    act(phones["h1"], "h1", DOUBT)
    assert "you decide for the table" in seen(host, "/host")
    assert host.forge("/castles/judge", action="{").status == 400
    assert host.post("/castles/judge", action=json.dumps(foul)).status == 200
    shows = house.evening.table.view("public").shows
    assert (shows.phase, shows.max.room, shows.doubt) == ("max", 36, None)


def test_the_last_way_of_a_max_who_won_is_judged_too(run: Run) -> None:
    """GJ-71, GJ-Q22: on the page with the result."""
    house, phones = shown_without_a_map(run)
    for animal, room in (("bats", 4), ("hedgehogs", 5), ("mice", 6), ("owls", 7)):
        act(phones["h1"], "h1", {"type": "frame", "animal": animal})
        act(phones["max"], "max", {"type": "move", "room": room})
        for seat, figure in (("h1", "a"), ("h2", "b"), ("h3", "c")):
            act(phones[seat], seat, {"type": "stay", "figure": figure})
    assert "6 → 7: that was not possible" in seen(phones["h1"], "/play")
    act(phones["h1"], "h1", {"type": "doubt", "from": 6, "to": 7})
    act(phones["max"], "max", {"type": "foul", "from": 6, "to": 7})
    assert house.evening.table.standing().result.winner == "hunters"


def test_the_game_waits_for_the_answer_and_says_so_on_top(run: Run) -> None:
    """GJ-Q22: above the castle on the phone of the accused, and nobody can go on meanwhile."""
    _, phones = shown_without_a_map(run)
    assert "Which animals next?" in seen(phones["h1"], "/play")
    act(phones["h2"], "h2", DOUBT)
    page = seen(phones["max"], "/play")
    assert page.index("36 → 3 was not possible") < page.index('id="act"')
    assert "Your turn, Max" in page
    assert "We wait for Max" in seen(phones["h1"], "/play")
    assert "Which animals next?" not in seen(phones["h1"], "/play")
    frame = json.dumps({"type": "frame", "animal": "bats"})
    assert phones["h1"].forge("/act", seat="h1", action=frame).status == 409
    act(phones["max"], "max", {"type": "stands"})
    assert "Which animals next?" in seen(phones["h1"], "/play")


def test_what_may_end_the_game_has_its_price_on_the_button_and_asks_first(run: Run) -> None:
    """GJ-Q22: no form with a foul or a doubt lies open; each is behind a button that says what it costs."""
    for folder, rule, price in (
        ("wins", "hunters_win", "the hunters win"),
        ("again", "replay_round", "the round is played again"),
    ):
        house, phones = shown_without_a_map(run, folder, **{"option-illegal_max_move": rule})
        assert price in asking(seen(phones["h2"], "/play"), "that was not possible")
        assert f"36 → 3 is against the rules: {price}" in asking(
            seen(house.phones[0], "/host"), "is against the rules"
        )
        act(phones["h2"], "h2", DOUBT)
        assert f"No, my mistake: {price}" in asking(seen(phones["max"], "/play"), "my mistake")
        for phone, path in ((phones["max"], "/play"), (phones["h2"], "/play"), (house.phones[0], "/host")):
            open_forms = re.sub(r'<details class="sure">.*?</details>', "", seen(phone, path), flags=re.S)
            assert "&#34;foul&#34;" not in open_forms
            assert "&#34;doubt&#34;" not in open_forms


def asking(page: str, words: str) -> str:
    """The question behind a button that asks first."""
    asked = re.findall(r'<details class="sure">.*?</details>', page, re.S)
    return next(text for text in asked if words in text)


# Bots


def soon(true: Callable[[], bool]) -> bool:
    """Whether something comes true within a moment."""
    end = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def test_a_bot_answers_a_doubt_even_after_the_end(run: Run) -> None:
    """GJ-71, GJ-Q22: what a bot could not see it owns up to."""
    house, phones = shown_without_a_map(run, **{"option-illegal_max_move": "replay_round"})
    table, host = house.evening.table, house.phones[0]
    assert host.post("/host/pause").status == 200
    assert host.post("/host/seat", seat="max", bot="normal").status == 200
    assert host.post("/host/resume").status == 200
    act(phones["h2"], "h2", DOUBT)
    assert soon(lambda: table.view("public").shows.doubt is None)
    assert "sent_back" in [event["type"] for line in table.history() for event in line.events]
    house, phones = shown_without_a_map(run, "over")
    table, host = house.evening.table, house.phones[0]
    for animal, room in (("bats", 4), ("hedgehogs", 5), ("mice", 6), ("owls", 7)):
        act(phones["h1"], "h1", {"type": "frame", "animal": animal})
        act(phones["max"], "max", {"type": "move", "room": room})
        for seat, figure in (("h1", "a"), ("h2", "b"), ("h3", "c")):
            act(phones[seat], seat, {"type": "stay", "figure": figure})
    assert table.standing().result.winner == "max"
    assert host.post("/host/seat", seat="max", bot="normal").status == 200
    act(phones["h1"], "h1", {"type": "doubt", "from": 6, "to": 7})
    assert soon(lambda: table.standing().result.winner == "hunters")


def test_a_bot_with_the_trap_waits_for_its_own_turn_and_keeps_nobody_waiting(run: Run) -> None:
    """GJ-Q18: it may be laid at any time; whoever may only do that is not the one whom all wait for."""
    plan = {"option-trap": "h2", "option-trap_when": "any_time_between_turns"}
    house, phones = evening(run, "state", **plan)
    table = house.evening.table
    assert table.standing().to_act == ("h2", "max")
    page = seen(phones["h2"], "/play")
    assert "Max is about" in page
    assert "You may lay the trap now, or wait." in page
    house.bot("h2")
    time.sleep(0.3)
    assert table.view("public").shows.trap is None
    act(phones["max"], "max", {"type": "pause"})
    act(phones["h1"], "h1", {"type": "stay", "figure": "a"})
    assert soon(lambda: table.standing().to_act[-1] == "h3")
