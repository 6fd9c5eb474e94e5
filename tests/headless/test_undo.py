"""Taking back: who may, what it shows, and what stays known."""

from __future__ import annotations

import pytest

from tests.headless.door import Answer, Door


def shown(door: Door) -> list[Answer]:
    seats = ("p1", "p2", "p3", "p4", "public", "host", "moderator")
    return [door.ask("view", seat=seat) for seat in seats] + [door.ask("legal", seat=seat) for seat in seats]


def hunter_removed(door: Door) -> None:
    door.hunt()
    door.play("p2 B3", "p3 B4")


def master_removed(door: Door) -> None:
    door.hunt()
    door.play("p2 B3")


def bids_opened(door: Door) -> None:
    door.new(master_game=True, packs={"p1": "A"})
    door.act("p1", "bid", thousands=48)
    door.act("p2", "bid", thousands=37)


def hunter_passed(door: Door) -> None:
    door.hunt(hunter_may_pass=True)
    door.play("p2 B3", "p3 pass")


TOLD_SOMETHING = [(hunter_removed, "p3"), (master_removed, "p2"), (bids_opened, "p2"), (hunter_passed, "p3")]
OTHERS = {"p1": ("p2", "p4"), "p2": ("p1", "p3"), "p3": ("p2", "p4"), "p4": ("p1", "p3")}
PARTNER = {"p1": "p3", "p2": "p4", "p3": "p1", "p4": "p2"}


@pytest.mark.parametrize(("begin", "seat"), TOLD_SOMETHING)
def test_what_told_somebody_something_needs_the_other_side(door: Door, begin: object, seat: str) -> None:
    begin(door)  # type: ignore[operator]
    before = shown(door)
    for consent in ([], [seat], [PARTNER[seat]], [seat, PARTNER[seat]]):
        assert door.code("undo", seat=seat, consent=consent) == "forbidden"
        assert door.code("undo", seat=PARTNER[seat], consent=consent) == "forbidden"
    assert shown(door) == before
    for other in OTHERS[seat]:
        door.must("undo", seat=seat, consent=[other])
        door.must("redo", seat=seat)
        assert shown(door) == before


@pytest.mark.parametrize(("begin", "seat"), TOLD_SOMETHING)
def test_the_moderator_takes_anything_back(door: Door, begin: object, seat: str) -> None:
    begin(door)  # type: ignore[operator]
    assert door.must("undo", seat="moderator")["to_act"]
    assert door.must("history")["history"][-1]["undone"] is True


@pytest.mark.parametrize(("begin", "seat"), TOLD_SOMETHING)
def test_the_host_needs_a_seat_of_each_side(door: Door, begin: object, seat: str) -> None:
    begin(door)  # type: ignore[operator]
    for consent in ([], ["p1"], ["p1", "p3"], ["p2", "p4"], ["host", "p1"]):
        assert door.code("undo", seat="host", consent=consent) == "forbidden"
    assert door.code("undo", seat="host", consent=["p1", "p4"]) is None


def test_the_host_needs_both_sides_even_for_what_told_nothing(door: Door) -> None:
    door.must("new", game="phantom", seed=7)
    door.act("p1", "place", room=1, colour="blue", value=3)
    assert door.code("undo", seat="host") == "forbidden"
    assert door.code("undo", seat="host", consent=["p1", "p2"]) is None


def test_a_laid_tile_is_taken_back_freely_by_its_own_seat(door: Door) -> None:
    door.must("new", game="phantom", seed=7)
    before = shown(door)
    door.act("p1", "place", room=1, colour="blue", value=3)
    for seat in ("p2", "p3", "p4"):
        assert door.code("undo", seat=seat) == "forbidden"
    answer = door.must("undo", seat="p1")
    assert (answer["phase"], answer["to_act"], answer["result"]) == ("placing", ["p1"], None)
    assert shown(door) == before


def test_nothing_is_taken_back_freely_once_somebody_acted_since(door: Door) -> None:
    door.must("new", game="phantom", seed=7)
    door.act("p1", "place", room=1, colour="blue", value=3)
    door.act("p2", "place", room=2, colour="red", value=3)
    assert door.code("undo", seat="p1") == "forbidden"
    door.must("undo", seat="p2")
    door.must("undo", seat="p1")
    assert door.code("undo", seat="p1") == "illegal"


def test_a_hidden_ghost_is_taken_back_freely(door: Door) -> None:
    door.new()
    before = shown(door)
    door.act("p2", "hide", ghost="blue", room=8)
    assert door.code("undo", seat="p4") == "forbidden"
    door.must("undo", seat="p2")
    assert shown(door) == before
    assert door.must("history")["history"] == [
        {"n": 1, "seat": "p2", "action": {"type": "hide"}, "events": [], "undone": True}
    ]


def test_even_the_ghost_that_started_the_hunt_is_taken_back_freely(door: Door) -> None:
    door.hunt()
    assert door.code("undo", seat="p4") == "forbidden"
    answer = door.must("undo", seat="p2")
    assert (answer["phase"], answer["to_act"]) == ("hiding", ["p2"])


def test_a_sealed_bid_is_taken_back_freely(door: Door) -> None:
    door.new(master_game=True, packs={"p1": "A"})
    door.act("p1", "bid", thousands=48)
    assert door.code("undo", seat="p2") == "forbidden"
    assert door.must("undo", seat="p1")["to_act"] == ["p1", "p2", "p3", "p4"]


@pytest.mark.parametrize("seat", ["nobody", "public", "table", ""])
def test_seats_that_never_act_take_nothing_back(door: Door, seat: str) -> None:
    master_removed(door)
    assert door.code("undo", seat=seat, consent=["p1", "p2"]) == "forbidden"
    assert door.code("redo", seat=seat) == "forbidden"


@pytest.mark.parametrize("consent", [["nobody"], ["public", "p1"], ["moderator"]])
def test_consent_of_a_seat_that_does_not_play_is_refused(door: Door, consent: list[str]) -> None:
    master_removed(door)
    assert door.code("undo", seat="p2", consent=consent) == "forbidden"


def test_there_may_be_nothing_to_take_back_or_to_do_again(door: Door) -> None:
    door.new()
    for seat in ("p1", "host", "moderator"):
        assert door.code("undo", seat=seat) == "illegal"
        assert door.code("redo", seat=seat) == "illegal"


def test_redo_is_for_the_seat_that_took_back(door: Door) -> None:
    master_removed(door)
    after = shown(door)
    door.must("undo", seat="p2", consent=["p1"])
    for seat in ("p1", "p3", "p4", "host", "moderator"):
        assert door.code("redo", seat=seat) == "forbidden"
    answer = door.must("redo", seat="p2")
    assert (answer["phase"], answer["to_act"]) == ("playing", ["p3"])
    assert shown(door) == after
    assert door.must("history")["history"][-1]["undone"] is False
    assert door.code("redo", seat="p2") == "illegal"


def test_redo_ends_with_the_next_action(door: Door) -> None:
    master_removed(door)
    door.must("undo", seat="p2", consent=["p1"])
    door.play("p2 A1")
    assert door.code("redo", seat="p2") == "illegal"
    history = door.must("history")["history"]
    assert [(line["action"], line["undone"]) for line in history[-2:]] == [
        ({"type": "remove", "room": 9}, True), ({"type": "remove", "room": 1}, False)
    ]  # fmt: skip
    assert [line["n"] for line in history] == list(range(1, len(history) + 1))


def test_a_refused_action_does_not_end_redo(door: Door) -> None:
    master_removed(door)
    door.must("undo", seat="p2", consent=["p1"])
    door.try_act("p2", "remove", room=99)
    door.must("redo", seat="p2")


def test_several_steps_back_and_forth(door: Door) -> None:
    door.hunt()
    views = [shown(door)]
    for turn in ("p2 B3", "p3 B4", "p4 E3", "p1 E2"):
        door.play(turn)
        views.append(shown(door))
    for earlier in reversed(views[:-1]):
        door.must("undo", seat="moderator")
        assert shown(door) == earlier
    for later in views[1:]:
        door.must("redo", seat="moderator")
        assert shown(door) == later


def test_what_was_seen_stays_known(door: Door) -> None:
    """PS-T20: the view is as before, but nobody forgets."""
    door.hunt()
    before = shown(door)
    door.play("p2 B3")
    seen = door.must("odds")
    assert seen["worlds"] == 15552
    door.must("undo", seat="p2", consent=["p3"])
    assert shown(door) == before
    after = door.must("odds")
    assert after["worlds"] == 15552
    assert {name: share for name, share in after["rooms"].items() if name != "9"} == seen["rooms"]
    assert after["rooms"]["9"] == 0


def test_a_found_ghost_taken_back_is_still_known(door: Door) -> None:
    door.hunt()
    door.play("p2 B3", "p3 E5")
    door.must("undo", seat="p3", consent=["p2"])
    assert door.must("view", seat="public")["view"]["ghosts"]["white"]["revealed"] is False
    assert door.must("odds")["rooms"]["29"] == 1


def test_an_end_taken_back_stays_known(door: Door) -> None:
    door.hunt(objective=6)
    door.play("p2 B3")
    door.must("undo", seat="moderator")
    view = door.must("view", seat="public")["view"]
    assert (view["result"], view["phase"], view["ghosts"]["blue"]["room"]) == (None, "playing", None)
    assert door.must("odds")["worlds"] == 1


def test_the_record_keeps_what_was_undone_and_done_again(door: Door) -> None:
    door.hunt()
    door.play("p2 B3")
    door.must("undo", seat="moderator")
    door.play("p2 B3")
    history = door.must("history")["history"]
    assert [(line["action"]["type"], line["undone"]) for line in history[4:]] == [
        ("remove", True), ("remove", False)
    ]  # fmt: skip


def test_a_draw_is_taken_back_with_what_led_to_it_and_needs_the_other_side(door: Door) -> None:
    to_act = door.must("new", game="phantom", seed=3, options={"master_game": True})["to_act"]
    for _ in range(36):
        (seat,) = to_act
        to_act = door.must("act", seat=seat, action=door.must("bot", seat=seat)["action"])["to_act"]
    assert door.must("history")["history"][-1]["action"]["type"] == "drawn"
    assert door.code("undo", seat="p4") == "forbidden"
    answer = door.must("undo", seat="p4", consent=["p1"])
    assert (answer["phase"], answer["to_act"]) == ("placing", ["p4"])
    assert [line["undone"] for line in door.must("history")["history"][-2:]] == [True, True]
    assert door.must("redo", seat="p4")["phase"] == "bidding"


def test_a_repair_is_taken_back_by_the_moderator(door: Door) -> None:
    door.hunt()
    door.play("p2 B3")
    before = shown(door)
    door.act("moderator", "repair", set={"damage": 1})
    door.must("undo", seat="moderator")
    assert shown(door) == before


def test_an_undone_hide_tells_nothing(door: Door) -> None:
    """What a hunter sees does not depend on where the ghost was or will be."""
    seen = []
    for first, second in ((1, 2), (8, 15)):
        door.new()
        door.act("p2", "hide", ghost="blue", room=first)
        door.must("undo", seat="p2")
        door.act("p2", "hide", ghost="blue", room=second)
        seats = ("p1", "p3", "public", "host")
        seen.append([door.ask("view", seat=seat) for seat in seats] + [door.ask("history"), door.ask("odds")])
    assert seen[0] == seen[1]
