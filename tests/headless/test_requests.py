"""Every request of the protocol and the shape of its answer."""

from __future__ import annotations

import pytest

from tests.games.phantom.hotel import GHOSTS, LAYOUT, OWNERS, name, names, position, room
from tests.headless.door import Door

SEATS = ("p1", "p2", "p3", "p4", "public", "host", "moderator")


def test_new_says_who_sits_where_and_who_begins(door: Door) -> None:
    assert door.ask("new", game="phantom", players=4, options={}, seed=7) == {
        "ok": True,
        "seats": [
            {"seat": "p1", "role": "hunter"},
            {"seat": "p2", "role": "master"},
            {"seat": "p3", "role": "hunter"},
            {"seat": "p4", "role": "master"},
        ],
        "phase": "placing",
        "to_act": ["p1"],
    }


def test_roles_are_null_before_the_bids(door: Door) -> None:
    seats = door.must("new", game="phantom", players=3, options={"master_game": True})["seats"]
    assert seats == [{"seat": f"p{number}", "role": None} for number in (1, 2, 3)]


def test_act_tells_events_phase_turn_and_result(door: Door) -> None:
    door.must("new", game="phantom", players=4, seed=7)
    answer = door.ask("act", seat="p1", action={"type": "place", "room": 1, "colour": "blue", "value": 3})
    assert answer == {
        "ok": True,
        "events": [{"type": "laid", "by": "p1", "room": 1, "colour": "blue", "value": 3}],
        "phase": "placing",
        "to_act": ["p2"],
        "result": None,
    }


def test_a_whole_game_with_its_end(door: Door) -> None:
    """PS-T15."""
    door.hunt()
    answer = door.play(
        "p2 B3", "p3 E4", "p4 E3", "p1 B5", "p2 E6", "p3 B6", "p4 B4", "p1 E2", "p2 A3"
    )  # fmt: skip
    assert answer["result"] == {"winner": "ghosts", "reason": "damage"}
    assert (answer["phase"], answer["to_act"]) == ("over", [])
    assert answer["events"][-1] == {"type": "over", "winner": "ghosts", "reason": "damage"}
    view = door.must("view", seat="public")["view"]
    assert view["ghosts"]["blue"] == {"revealed": False, "room": 8, "owner": "p2"}
    assert view["result"] == {"winner": "ghosts", "reason": "damage"}


def test_legal_is_exactly_what_act_accepts(door: Door) -> None:
    door.hunt()
    actions = door.must("legal", seat="p2")["actions"]
    reached = "A1 A2 A3 B1 B3 C1 C2 C3 D4 D5 D6 E4 E6 F4 F5 F6"
    assert " ".join(name(action["room"]) for action in actions) == reached
    assert all(action == {"type": "remove", "room": action["room"]} for action in actions)
    accepted = []
    for number in range(0, 38):
        if door.try_act("p2", "remove", room=number) is None:
            accepted.append({"type": "remove", "room": number})
            door.must("undo", seat="moderator")
    assert accepted == actions


def test_legal_is_empty_for_seats_that_are_not_to_act(door: Door) -> None:
    door.hunt()
    for seat in ("p1", "p3", "p4", "public", "host", "moderator", "table"):
        assert door.ask("legal", seat=seat) == {"ok": True, "actions": []}


def test_a_blocked_master_has_only_a_pass(door: Door) -> None:
    gone = " ".join(f"{row}{column}" for row in "ABCDEF" for column in range(1, 7))
    for left in ("B2", "C4", "D3"):
        gone = gone.replace(left, "")
    door.must("new", game="phantom", position=position(gone, {"white": "E5 p2 found"}))
    assert door.must("legal", seat="p2")["actions"] == [{"type": "pass"}]
    assert door.act("p2", "pass")["to_act"] == ["p3"]


def test_a_view_has_every_field_of_the_protocol_for_every_seat(door: Door) -> None:
    door.hunt()
    door.play("p2 B3", "p3 E5")
    for seat in SEATS:
        view = door.must("view", seat=seat)["view"]
        assert {"phase", "to_act", "objective", "damage", "rooms", "removed", "ghosts", "result"} <= set(view)
        assert (view["phase"], view["to_act"], view["objective"], view["damage"]) == (
            "playing",
            ["p4"],
            45,
            6,
        )
        assert len(view["rooms"]) == 36
        assert view["rooms"][0] == {"colour": "blue", "value": 1}
        assert view["rooms"][8] is None
        assert view["removed"] == [
            {"room": 9, "colour": "blue", "value": 6, "by": "p2", "ghost": None},
            {"room": 29, "colour": "white", "value": 5, "by": "p3", "ghost": "white"},
        ]
        assert view["result"] is None


def test_ghosts_in_a_view_are_null_where_a_seat_may_not_know(door: Door) -> None:
    door.hunt()
    door.play("p2 B3", "p3 E5")
    unknown = {"revealed": False, "room": None, "owner": None}
    for seat in ("p1", "p3", "public", "host"):
        ghosts = door.must("view", seat=seat)["view"]["ghosts"]
        assert ghosts == {
            "blue": unknown,
            "red": unknown,
            "green": unknown,
            "white": {"revealed": True, "room": 29, "owner": None},
        }
    for seat in ("p2", "p4", "moderator"):
        ghosts = door.must("view", seat=seat)["view"]["ghosts"]
        assert ghosts == {
            colour: {"revealed": colour == "white", "room": room(GHOSTS[colour]), "owner": OWNERS[colour]}
            for colour in ("blue", "red", "green", "white")
        }


def test_a_view_without_a_seat_is_refused_or_public(door: Door) -> None:
    door.hunt()
    answer = door.ask("view")
    assert not answer["ok"] or answer == door.ask("view", seat="public")


def test_lamps_show_the_last_devastation_and_the_damage(door: Door) -> None:
    """PS-T19."""
    door.hunt()
    door.play("p2 B3")
    lamps = door.must("lamps")
    assert lamps["gauges"] == {"damage": {"value": 6, "of": 45}}
    origin = {number for number, marks in lamps["marks"].items() if "origin" in marks}
    assert names(map(int, origin)) == "A2 A3 A4 B2 B4 C2 C3 C4"
    assert lamps["marks"]["9"] == ["last"]
    assert set(lamps) == {"ok", "strips", "gauges", "marks"}


def test_a_found_ghost_is_marked(door: Door) -> None:
    door.hunt()
    door.play("p2 B3", "p3 E5")
    assert "revealed" in door.must("lamps")["marks"]["29"]


@pytest.mark.parametrize(
    ("privacy", "peek", "shown"),
    [
        ("fair", None, False),
        ("fair", "p2", False),
        ("eyes_closed", None, False),
        ("eyes_closed", "p2", True),
        ("eyes_closed", "p4", False),
        ("eyes_closed", "p1", False),
        ("learning", None, True),
        ("learning", "p4", True),
    ],
)
def test_true_lines_are_shown_to_their_audience_alone(
    door: Door, privacy: str, peek: str | None, shown: bool
) -> None:
    door.hunt(privacy=privacy)
    lamps = door.must("lamps", **({} if peek is None else {"peek": peek}))
    targets = {int(number) for number, marks in lamps["marks"].items() if "target" in marks}
    legal = {action["room"] for action in door.must("legal", seat="p2")["actions"]}
    assert targets == (legal if shown else set())


def test_lines_over_empty_squares_are_marked(door: Door) -> None:
    door.hunt(privacy="learning")
    door.play("p2 C3", "p3 A1", "p4 D4", "p1 A6")
    marks = door.must("lamps")["marks"]
    assert "line" in marks[str(room("C3"))]
    assert "line" in marks[str(room("D4"))]
    assert "target" in marks[str(room("E5"))]


def test_odds_count_the_worlds_of_public_knowledge(door: Door) -> None:
    """PS-T20."""
    door.new()
    before = door.must("odds")
    assert before["worlds"] == 39366
    assert set(before["rooms"].values()) == {1 / 9}
    door.hunt()
    expected = [
        ("p2 B3", 15552), ("p3 B4", 12798), ("p4 E3", 6348), ("p1 E2", 5262), ("p2 E6", 1120), ("p3 E5", 224)
    ]  # fmt: skip
    assert door.must("odds")["worlds"] == 39366
    for turn, worlds in expected:
        door.play(turn)
        odds = door.must("odds")
        assert odds["worlds"] == worlds
        lying = door.must("view", seat="public")["view"]["rooms"]
        assert [int(number) for number in odds["rooms"]] == [n for n in range(1, 37) if lying[n - 1]]
    assert sum(odds["rooms"].values()) == pytest.approx(3)
    assert odds["rooms"][str(room("D4"))] == 0


@pytest.mark.parametrize(("players", "worlds"), [(2, 6561), (3, 39366), (4, 39366)])
def test_odds_before_play_are_all_worlds(door: Door, players: int, worlds: int) -> None:
    door.must("new", game="phantom", players=players)
    assert door.ask("odds") == {"ok": True, "worlds": worlds, "rooms": {}, "possible": []}


def test_a_bot_says_what_it_would_do_and_does_not_do_it(door: Door) -> None:
    door.hunt()
    before = door.must("view", seat="moderator")
    first = door.must("bot", seat="p2", level="random")
    assert first["action"] in door.must("legal", seat="p2")["actions"]
    assert door.must("bot", seat="p2", level="random") == first
    assert door.must("view", seat="moderator") == before
    assert door.must("history")["history"][-1]["action"]["type"] == "hide"


def test_tick_moves_time_and_says_nothing(door: Door) -> None:
    assert door.ask("tick", seconds=1.5) == {"ok": True}
    assert door.ask("tick", seconds=0) == {"ok": True}


def test_history_leaves_secrets_out(door: Door) -> None:
    door.new()
    for colour, where in GHOSTS.items():
        door.act(OWNERS[colour], "hide", ghost=colour, room=room(where))
    door.try_act("p2", "remove", room=room("D3"))
    door.play("p2 B3")
    history = door.must("history")["history"]
    assert [(line["n"], line["seat"], line["action"]) for line in history] == [
        (1, "p2", {"type": "hide"}),
        (2, "p4", {"type": "hide"}),
        (3, "p4", {"type": "hide"}),
        (4, "p2", {"type": "hide"}),
        (5, "p2", {"type": "remove", "room": 9}),
    ]
    assert history[0] == {"n": 1, "seat": "p2", "action": {"type": "hide"}, "events": [], "undone": False}
    assert history[4]["events"][0]["type"] == "removed"


def test_history_leaves_bids_out_even_when_they_are_open(door: Door) -> None:
    door.new(master_game=True, packs={"p1": "A"})
    door.act("p1", "bid", thousands=48)
    door.act("p4", "bid", thousands=37)
    history = door.must("history")["history"]
    assert [line["action"] for line in history] == [{"type": "bid"}, {"type": "bid"}]
    assert history[0]["events"] == []


def test_packs_are_drawn_by_the_table_from_the_seed(door: Door) -> None:
    door.new(master_game=True)
    (drawn,) = door.must("history")["history"]
    assert (drawn["seat"], drawn["action"]["type"]) == ("table", "drawn")
    assert drawn["action"]["packs"] in ({"p1": "A"}, {"p1": "B"})
    door.new(master_game=True)
    assert door.must("history")["history"] == [drawn]
    assert door.must("view", seat="public")["view"]["to_act"] == ["p1", "p2", "p3", "p4"]


def test_both_packs_are_drawn_by_some_seed(door: Door) -> None:
    drawn = set()
    for seed in range(12):
        door.must("new", game="phantom", seed=seed, options={"layout": LAYOUT, "master_game": True})
        drawn.add(door.must("history")["history"][0]["action"]["packs"]["p1"])
    assert drawn == {"A", "B"}


def test_a_hidden_ghost_is_told_to_masters_alone(door: Door) -> None:
    door.new()
    answer = door.act("p2", "hide", ghost="blue", room=8)
    assert answer["events"] == [{"type": "hidden", "by": "p2", "ghost": "blue", "room": 8}]
    assert answer["to_act"] == ["p2", "p4"]


def test_a_sealed_bid_is_told_to_its_team_alone(door: Door) -> None:
    door.new(master_game=True, packs={"p1": "A"})
    assert door.act("p1", "bid", thousands=48)["to_act"] == ["p2", "p4"]
    assert door.must("view", seat="p2")["view"]["bids"] == {"p1": None, "p2": None}
    answer = door.act("p2", "bid", thousands=37)
    assert (answer["phase"], answer["to_act"]) == ("hiding", ["p1", "p3"])
    assert door.must("view", seat="p4")["view"]["objective"] == 37


def test_the_moderator_plays_for_a_seat(door: Door) -> None:
    door.hunt()
    answer = door.must("act", seat="moderator", action={"type": "remove", "room": 9}, **{"as": "p2"})
    assert answer["to_act"] == ["p3"]
    assert door.must("history")["history"][-1]["seat"] == "p2"
    assert door.must("view", seat="public")["view"]["removed"][0]["by"] == "p2"


def test_the_moderator_repairs(door: Door) -> None:
    door.hunt()
    door.play("p2 B3")
    door.act("moderator", "repair", set={"damage": 3, "ghosts": {"blue": {"room": 1}}})
    assert door.must("view", seat="public")["view"]["damage"] == 3
    assert door.must("view", seat="p2")["view"]["ghosts"]["blue"]["room"] == 1
    assert "1" not in str(door.must("history")["history"][-1]["action"])


def test_a_whole_position_is_a_repair_too(door: Door) -> None:
    door.hunt()
    door.play("p2 B3")
    told = position("A1 A2 E5", {"white": "E5 p2 found"}, damage=3, to_act=["p1"], objective=40)
    door.act("moderator", "repair", set=told)
    view = door.must("view", seat="moderator")["view"]
    assert {name: view[name] for name in told} == told
    assert door.try_act("moderator", "repair", set={**told, "players": 3}) == "illegal"


def test_status_names_nothing_at_a_sound_table(door: Door) -> None:
    door.hunt()
    assert door.ask("status") == {"ok": True, "problems": []}


def test_quit_ends_with_status_0_and_reads_no_further() -> None:
    with Door() as door:
        assert door.ask("quit", id=3) == {"id": 3, "ok": True}
        assert door.end() == (0, b"", b"")


def test_end_of_input_ends_with_status_0() -> None:
    with Door() as door:
        assert door.end() == (0, b"", b"")


def test_by_honour_through_the_door(door: Door) -> None:
    door.new(keeper="honour")
    assert door.must("legal", seat="p2")["actions"] == [{"type": "ready"}]
    door.act("p2", "ready")
    door.act("p4", "ready")
    door.act("p2", "remove", room=9)
    assert door.must("legal", seat="p2")["actions"] == [
        {"type": "found", "ghost": None}, {"type": "found", "ghost": "blue"}
    ]  # fmt: skip
    answer = door.act("p2", "found", ghost=None)
    assert (answer["to_act"], answer["events"][0]["damage"]) == (["p3"], 6)


@pytest.mark.parametrize("seat", SEATS)
def test_every_seat_of_the_protocol_has_a_view_at_every_phase(door: Door, seat: str) -> None:
    door.must("new", game="phantom", options={"master_game": True})
    assert door.must("view", seat=seat)["view"]["phase"] == "placing"
    door.new(master_game=True)
    assert door.must("view", seat=seat)["view"]["phase"] == "bidding"
    door.new()
    assert door.must("view", seat=seat)["view"]["phase"] == "hiding"
    door.hunt()
    assert door.must("view", seat=seat)["view"]["phase"] == "playing"


def test_a_position_for_other_players_than_asked_for_is_refused(door: Door) -> None:
    answer = door.ask("new", game="phantom", players=3, position=position(players=4))
    assert answer["error"]["code"] == "illegal"
    door.must("new", game="phantom", players=4, position=position(players=4))
