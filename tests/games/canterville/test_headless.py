"""Gespensterjagd through the line protocol, as a program outside the project plays it."""

from __future__ import annotations

import json
from typing import Any

from companion.clock import VirtualClock
from companion.headless import Headless
from companion.table import Table
from tests.games.canterville.castles import FRAMES, SMALL, position


class Line:
    """One table behind the line protocol."""

    def __init__(self) -> None:
        clock = VirtualClock()
        self.headless = Headless(Table(clock=clock), clock)

    def ask(self, cmd: str, **fields: Any) -> Any:
        return json.loads(self.headless.answer(json.dumps({"cmd": cmd, **fields}).encode()))

    def act(self, seat: str, type_: str, **fields: Any) -> Any:
        return self.ask("act", seat=seat, action={"type": type_, **fields})


def test_a_chase_from_the_draw_to_the_catch() -> None:
    """GJ-T8, GJ-11, GJ-22, GJ-70: every name as the protocol has it."""
    line = Line()
    begun = line.ask(
        "new", game="canterville", players=5, seed=7, options={"castle": SMALL, "frames": FRAMES}
    )
    assert begun["to_act"] == ["h1", "h2", "h3", "h4"]
    assert [chair["seat"] for chair in begun["seats"]] == ["max", "h1", "h2", "h3", "h4"]
    for seat, figure, room in (("h1", "a", 1), ("h2", "b", 53), ("h3", "c", 42), ("h4", "d", 42)):
        assert line.act(seat, "start", figure=figure, room=room)["ok"]
    assert line.act("max", "start", room=13)["phase"] == "framing"
    animal = line.ask("legal", seat="h4")["actions"][0]["animal"]
    assert line.act("h4", "frame", animal=animal)["to_act"] == ["max"]
    moved = line.act("max", "move", room=14)
    assert moved["events"] == [{"type": "prowled"}, {"type": "now", "room": 14, "unchecked": False}]
    assert line.ask("odds")["worlds"] == 5
    assert line.ask("view", seat="h1")["view"]["max"] == {"room": None, "shown": False}
    assert line.ask("lamps")["marks"]["53"] == ["figure"]
    refused = line.act("h1", "walk", figure="a", room=54)["error"]
    assert (refused["code"], refused["rule"]) == ("illegal", "GJ-50")
    for seat, figure in (("h1", "a"), ("h2", "b"), ("h3", "c"), ("h4", "d")):
        line.act(seat, "stay", figure=figure)
    line.act("max", "move", room=3)
    line.act("h1", "walk", figure="a", room=2)
    for seat, figure in (("h2", "b"), ("h3", "c"), ("h4", "d")):
        line.act(seat, "stay", figure=figure)
    line.act("max", "pause")
    caught = line.act("h1", "walk", figure="a", room=3)
    assert caught["result"] == {"winner": "hunters", "reason": "caught"}
    mine = [entry["action"] for entry in line.ask("history")["history"] if entry["seat"] == "max"]
    assert mine == [{"type": "start", "room": 13}, *[{"type": "move"}] * 3]


def test_a_position_is_entered_as_the_protocol_says() -> None:
    """GJ-T5: and a wrong one leaves the table as it was."""
    line = Line()
    told = position(room=1, route=[2, 1], visited=[2, 1], figures={"a": 12})
    assert line.ask("new", game="canterville", options={"castle": SMALL}, position=told)["ok"]
    assert [a for a in line.ask("legal", seat="max")["actions"] if a["type"] != "pause"] == [
        {"type": "cheat", "room": 2},
        {"type": "move", "room": 54},
    ]
    wrong = {**told, "max": {"room": 12, "shown": True}}
    refused = line.ask("new", game="canterville", options={"castle": SMALL}, position=wrong)
    assert refused["error"]["code"] == "illegal"
    assert line.ask("view", seat="max")["view"]["max"]["room"] == 1


def test_strict_types_and_unknown_fields() -> None:
    """A room is a whole number and nothing else."""
    line = Line()
    line.ask("new", game="canterville", options={"castle": SMALL}, position=position())
    for room in ("14", 14.5, True, None, [14]):
        assert line.act("max", "move", room=room)["error"]["code"] == "malformed"
    assert line.act("max", "move", room=14, figure="a")["error"]["code"] == "malformed"
    assert line.act("h1", "stay", figure="a")["error"]["code"] == "not_your_turn"
    assert line.act("h9", "stay", figure="a")["error"]["code"] == "forbidden"
    assert line.act("public", "pause")["error"]["code"] == "forbidden"
