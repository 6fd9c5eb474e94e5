"""Every error code, and which comes first where two would fit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.games.phantom.hotel import LAYOUT, OWNERS, position
from tests.headless.door import Answer, Door, code_of

MEBIBYTE = 1 << 20


def unchanged(door: Door) -> tuple[Answer, Answer, Answer]:
    return door.ask("view", seat="moderator"), door.ask("history"), door.ask("odds")


def test_an_error_has_a_code_a_message_and_a_rule(door: Door) -> None:
    door.hunt()
    answer = door.ask("act", seat="p2", action={"type": "remove", "room": 15 + 6})
    assert answer == {
        "ok": False,
        "error": {"code": "illegal", "message": "no ghost of yours reaches room 21", "rule": "PS-52"},
    }


@pytest.mark.parametrize(
    "identity", [1, "a", None, 1.5, [1, {"x": None}], {"deep": [[]]}, "é", False, 2**63, -(2**70)]
)
def test_an_id_is_echoed_whatever_it_is(door: Door, identity: Any) -> None:
    assert door.ask("status", id=identity)["id"] == identity
    assert door.ask("nonsense", id=identity)["id"] == identity
    assert door.ask("act", id=identity)["id"] == identity
    assert "id" not in door.ask("status")


def test_unknown_fields_of_a_request_are_ignored(door: Door) -> None:
    door.hunt()
    assert door.ask("legal", seat="p1", colour="pink", players=9) == {"ok": True, "actions": []}
    assert door.must("act", seat="p2", action={"type": "remove", "room": 9}, comment="hello")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" ",
        b"\t",
        b"hello",
        b"{",
        b"[]",
        b"null",
        b"1",
        b'"status"',
        b"{}",
        b'{"cmd":null}',
        b'{"cmd":1}',
        b'{"cmd":["status"]}',
        b'{"cmd":"status"} {"cmd":"status"}',
        b'{"cmd":"status",}',
        b"{'cmd':'status'}",
        b'{"cmd":"view","seat":"\xff"}',
        b'{"cmd":"view","seat":"\xed\xa0\x80"}',
        b'{"cmd":"view","seat":"\\ud800"}',
        b"\xef\xbb\xbf{",
        b"\x00",
        b'{"cmd":"tick","seconds":NaN}',
        b'{"cmd":"tick","seconds":Infinity}',
        b'{"cmd":"tick","seconds":1e999}',
        b"[" * 100_000,
        b'{"cmd":"status","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    ],
)
def test_lines_that_cannot_be_read_are_malformed(door: Door, line: bytes) -> None:
    assert code_of(door.raw(line)) == "malformed"
    assert door.must("status")


@pytest.mark.parametrize(
    "request_",
    [
        {"cmd": "new"},
        {"cmd": "new", "game": 1},
        {"cmd": "new", "game": "phantom", "players": "4"},
        {"cmd": "new", "game": "phantom", "players": 4.0},
        {"cmd": "new", "game": "phantom", "players": True},
        {"cmd": "new", "game": "phantom", "options": []},
        {"cmd": "new", "game": "phantom", "options": {"no_such_option": 1}},
        {"cmd": "new", "game": "phantom", "options": {"friendly_fire": "perhaps"}},
        {"cmd": "new", "game": "phantom", "options": {"ps.friendly_fire": "legal"}},
        {"cmd": "new", "game": "phantom", "options": {"hunter_may_pass": "yes"}},
        {"cmd": "new", "game": "phantom", "options": {"objective": "45"}},
        {"cmd": "new", "game": "phantom", "options": {"layout": [["blue", "3"]] * 36}},
        {"cmd": "new", "game": "phantom", "options": {"layout": [["blue", 7]] * 36}},
        {"cmd": "new", "game": "phantom", "options": {"preset": "nightmare"}},
        {"cmd": "new", "game": "phantom", "seed": "7"},
        {"cmd": "new", "game": "phantom", "seed": 7.0},
        {"cmd": "new", "game": "phantom", "seed": True},
        {"cmd": "new", "game": "phantom", "position": []},
        {"cmd": "new", "game": "phantom", "position": {}},
        {"cmd": "act"},
        {"cmd": "act", "seat": "p1"},
        {"cmd": "act", "seat": 1, "action": {"type": "pass"}},
        {"cmd": "act", "seat": "p2", "action": None},
        {"cmd": "act", "seat": "p2", "action": []},
        {"cmd": "act", "seat": "p2", "action": "pass"},
        {"cmd": "act", "seat": "p2", "action": {}},
        {"cmd": "act", "seat": "p2", "action": {"type": "fly"}},
        {"cmd": "act", "seat": "p2", "action": {"type": 1}},
        {"cmd": "act", "seat": "p2", "action": {"type": "remove"}},
        {"cmd": "act", "seat": "p2", "action": {"type": "remove", "room": "9"}},
        {"cmd": "act", "seat": "p2", "action": {"type": "remove", "room": 9.0}},
        {"cmd": "act", "seat": "p2", "action": {"type": "remove", "room": True}},
        {"cmd": "act", "seat": "p2", "action": {"type": "remove", "room": None}},
        {"cmd": "act", "seat": "p2", "action": {"type": "remove", "room": [9]}},
        {"cmd": "act", "seat": "p2", "action": {"type": "remove", "room": 9, "ghost": "blue"}},
        {"cmd": "act", "seat": "p2", "action": {"type": "pass", "why": "no"}},
        {"cmd": "act", "seat": "p2", "action": {"type": "hide", "ghost": "pink", "room": 9}},
        {"cmd": "act", "seat": "p2", "action": {"type": "hide", "ghost": None, "room": 9}},
        {"cmd": "act", "seat": "p2", "action": {"type": "Remove", "room": 9}},
        {"cmd": "act", "seat": "moderator", "action": {"type": "remove", "room": 9}, "as": 2},
        {"cmd": "act", "seat": "moderator", "action": {"type": "repair"}},
        {"cmd": "act", "seat": "moderator", "action": {"type": "repair", "set": {"weather": "fine"}}},
        {"cmd": "legal"},
        {"cmd": "legal", "seat": None},
        {"cmd": "view", "seat": 1},
        {"cmd": "lamps", "peek": 2},
        {"cmd": "press"},
        {"cmd": "press", "button": 1},
        {"cmd": "release"},
        {"cmd": "tick"},
        {"cmd": "tick", "seconds": "1"},
        {"cmd": "tick", "seconds": True},
        {"cmd": "tick", "seconds": -1},
        {"cmd": "bot"},
        {"cmd": "bot", "seat": "p2", "level": 1},
        {"cmd": "undo"},
        {"cmd": "undo", "seat": "p2", "consent": "p1"},
        {"cmd": "undo", "seat": "p2", "consent": [1]},
        {"cmd": "redo"},
    ],
)
def test_requests_of_the_wrong_shape_are_malformed_and_change_nothing(
    door: Door, request_: dict[str, Any]
) -> None:
    door.hunt()
    before = unchanged(door)
    assert code_of(door.raw(json.dumps(request_).encode())) == "malformed"
    assert unchanged(door) == before


def test_malformed_comes_before_no_game() -> None:
    with Door() as door:
        assert door.try_act("p2", "fly") == "malformed"
        assert door.try_act("p2", "remove", room="9") == "malformed"
        assert door.code("undo", seat=1) == "malformed"
        assert door.try_act("p2", "remove", room=9) == "no_game"
        assert door.try_act("nobody", "remove", room=99) == "no_game"


@pytest.mark.parametrize(
    "request_",
    [
        {"cmd": "legal", "seat": "p1"},
        {"cmd": "legal", "seat": "nobody"},
        {"cmd": "view", "seat": "public"},
        {"cmd": "lamps"},
        {"cmd": "odds"},
        {"cmd": "bot", "seat": "p1"},
        {"cmd": "undo", "seat": "p1"},
        {"cmd": "redo", "seat": "p1"},
        {"cmd": "history"},
        {"cmd": "press", "button": "up"},
        {"cmd": "release", "button": "up"},
    ],
)
def test_without_a_game_there_is_nothing_to_ask_about(request_: dict[str, Any], empty_door: Door) -> None:
    assert code_of(empty_door.raw(json.dumps(request_).encode())) == "no_game"


@pytest.fixture(scope="module")
def empty_door() -> Any:
    with Door() as opened:
        yield opened


def test_unknown_commands(door: Door) -> None:
    for command in ("", "NEW", "acts", "help", "__class__"):
        assert door.code(command) == "unknown_command"


def test_too_large_comes_first(door: Door) -> None:
    assert code_of(door.raw(b"x" * (MEBIBYTE + 1))) == "too_large"
    assert code_of(door.raw(b"x" * (3 * MEBIBYTE + 17))) == "too_large"
    assert code_of(door.raw(b"x" * MEBIBYTE)) == "malformed"
    filled = b'{"cmd":"status","x":"%b"}'
    room = MEBIBYTE - len(filled % b"")
    assert code_of(door.raw(filled % (b"x" * room))) is None
    assert code_of(door.raw(filled % (b"x" * (room + 1)))) == "too_large"
    assert code_of(door.raw(filled % (b"x" * room) + b"\r")) is None
    assert door.must("status")


def test_an_endless_last_line_gets_one_answer() -> None:
    with Door() as door:
        assert door.process.stdin is not None
        door.process.stdin.write(b"x" * (2 * MEBIBYTE))
        status, said, _ = door.end()
        assert (status, code_of(json.loads(said))) == (0, "too_large")


def test_a_windows_line_end_is_no_part_of_the_line(door: Door) -> None:
    assert code_of(door.raw(b'{"cmd":"status"}\r')) is None
    assert code_of(door.raw(b"\r")) == "malformed"


def test_a_last_line_without_an_end_is_answered() -> None:
    with Door() as door:
        assert door.process.stdin is not None
        door.process.stdin.write(b'{"cmd":"status"}')
        status, said, _ = door.end()
        assert (status, json.loads(said)["ok"]) == (0, True)


@pytest.mark.parametrize("seat", ["nobody", "", "p5", "p0", "P1", "public", "host"])
def test_seats_that_never_act_are_forbidden_before_anything_else(door: Door, seat: str) -> None:
    door.hunt()
    assert door.try_act(seat, "remove", room=9) == "forbidden"
    assert door.try_act(seat, "remove", room=99) == "forbidden"
    assert door.try_act(seat, "repair", set={}) == "forbidden"
    door.must("new", game="phantom", position=position("A1", damage=45))
    assert door.try_act(seat, "remove", room=9) == "forbidden"


@pytest.mark.parametrize("seat", ["nobody", "p5", ""])
def test_seats_that_do_not_exist_are_forbidden_everywhere(door: Door, seat: str) -> None:
    door.new()
    for request_ in (
        {"cmd": "legal", "seat": seat},
        {"cmd": "view", "seat": seat},
        {"cmd": "bot", "seat": seat},
        {"cmd": "lamps", "peek": seat},
        {"cmd": "undo", "seat": seat},
        {"cmd": "redo", "seat": seat},
    ):
        assert code_of(door.raw(json.dumps(request_).encode())) == "forbidden", request_


@pytest.mark.parametrize("seat", ["public", "host", "moderator"])
def test_there_is_no_bot_for_a_seat_that_never_acts(door: Door, seat: str) -> None:
    door.hunt()
    assert door.code("bot", seat=seat) == "forbidden"


def test_not_your_turn_comes_before_illegal(door: Door) -> None:
    door.hunt()
    for seat in ("p1", "p3", "p4"):
        assert door.try_act(seat, "remove", room=9) == "not_your_turn"
        assert door.try_act(seat, "remove", room=99) == "not_your_turn"
        assert door.try_act(seat, "place", room=1, colour="blue", value=1) == "not_your_turn"
        assert door.code("bot", seat=seat) == "not_your_turn"
    assert door.try_act("p2", "remove", room=99) == "illegal"
    assert door.try_act("p2", "place", room=1, colour="blue", value=1) == "illegal"
    assert door.code("bot", seat="p2", level="genius") == "illegal"


def test_after_the_end_everything_is_illegal(door: Door) -> None:
    door.must("new", game="phantom", position=position("A1", damage=45))
    for seat in ("p1", "p2", "p3", "p4"):
        assert door.try_act(seat, "remove", room=9) == "illegal"
        assert door.try_act(seat, "fly") == "malformed"
        assert door.ask("legal", seat=seat) == {"ok": True, "actions": []}
        assert door.code("bot", seat=seat) == "illegal"


@pytest.mark.parametrize("number", [0, -1, 37, 2**31, 2**63, 2**64, 10**30])
def test_numbers_that_are_no_room_are_illegal(door: Door, number: int) -> None:
    door.hunt()
    assert door.try_act("p2", "remove", room=number) == "illegal"


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "chess"},
        {"game": ""},
        {"game": "phantom", "players": 1},
        {"game": "phantom", "players": 5},
        {"game": "phantom", "players": -(2**70)},
        {"game": "phantom", "options": {"objective": 0}},
        {"game": "phantom", "options": {"objective": 217}},
        {"game": "phantom", "options": {"layout": LAYOUT[:-1]}},
        {"game": "phantom", "options": {"owners": {**OWNERS, "blue": "p1"}}},
        {"game": "phantom", "options": {"packs": {"p1": "A"}}},
        {"game": "phantom", "position": position(ghosts={"blue": "A4 p2"})},
        {"game": "phantom", "position": position(to_act=["p7"])},
    ],
)
def test_a_game_that_cannot_be_is_refused_and_the_old_one_goes_on(door: Door, fields: dict[str, Any]) -> None:
    door.hunt()
    before = unchanged(door)
    assert door.code("new", **fields) == "illegal"
    assert unchanged(door) == before


def test_only_the_moderator_plays_for_others(door: Door) -> None:
    door.hunt()
    action = {"type": "remove", "room": 9}
    for seat in ("p1", "p2", "host", "public", "table"):
        assert door.code("act", seat=seat, action=action, **{"as": "p2"}) == "forbidden"
    for seat in ("p9", "public", "host", "moderator", ""):
        assert door.code("act", seat="moderator", action=action, **{"as": seat}) == "forbidden"
    assert door.code("act", seat="moderator", action=action, **{"as": "p1"}) == "not_your_turn"
    assert (
        door.code("act", seat="moderator", action={"type": "remove", "room": 21}, **{"as": "p2"}) == "illegal"
    )
    assert door.code("act", seat="moderator", action={"type": "fly"}, **{"as": "p9"}) == "malformed"
    assert door.code("act", seat="moderator", action=action, **{"as": "p2"}) is None


def test_only_the_moderator_repairs(door: Door) -> None:
    door.hunt()
    for seat in ("p1", "p2", "p3", "p4", "table"):
        assert door.try_act(seat, "repair", set={"damage": 3}) == "forbidden"
    assert door.try_act("moderator", "repair", set={"damage": -3}) == "illegal"
    assert (
        door.code("act", seat="moderator", action={"type": "repair", "set": {}}, **{"as": "p2"})
        == "forbidden"
    )


def test_a_refused_action_leaves_no_trace(door: Door) -> None:
    door.hunt()
    before = unchanged(door)
    for number in (0, 8, 21, 37):
        door.try_act("p2", "remove", room=number)
    door.try_act("p1", "remove", room=9)
    assert unchanged(door) == before


def test_an_absurd_amount_of_time_is_refused(door: Door) -> None:
    assert door.code("tick", seconds=1e308) == "malformed"
    assert door.code("tick", seconds=86400) is None


def test_every_message_is_a_sentence_without_a_blank_to_fill(door: Door) -> None:
    """No key, no brace, no traceback ever reaches a person."""
    door.hunt()
    answers = [
        door.raw(b"{"),
        door.ask("fly"),
        door.ask("new", game="chess"),
        door.ask("new", game="phantom", players=7),
        door.ask("new", game="phantom", position=position(ghosts={"blue": "A4 p1"}, damage=-4)),
        door.ask("act", seat="p2", action={"type": "remove", "room": 21}),
        door.ask("act", seat="p1", action={"type": "remove", "room": 21}),
        door.ask("act", seat="p2", action={"type": "hide", "ghost": "blue", "room": 1}),
        door.ask("undo", seat="p4"),
        door.ask("redo", seat="p4"),
        door.ask("bot", seat="p2", level="genius"),
    ]
    for answer in answers:
        message = answer["error"]["message"]
        assert not message.startswith(("companion.", "phantom."))
        assert "Traceback" not in message
        assert "Saying(" not in message
