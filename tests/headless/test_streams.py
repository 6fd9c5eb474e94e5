"""The same lines in give the same lines out; what is written survives; broken pipes break nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.games.phantom.hotel import LAYOUT, position
from tests.headless.door import Answer, Door, journal_in, session


def lines_of_a_game(seed: int, **options: Any) -> list[bytes]:
    """Requests of every kind around a game that bots play; what they choose is not known beforehand."""
    with Door() as door:
        lines: list[bytes] = []

        def ask(cmd: str, **fields: Any) -> Any:
            lines.append(json.dumps({"cmd": cmd, **fields}).encode())
            return door.raw(lines[-1])

        to_act = ask("new", game="phantom", seed=seed, options=options)["to_act"]
        chance = Random(seed)
        while to_act:
            seat = chance.choice(to_act)
            action = ask("bot", seat=seat)["action"]
            to_act = ask("act", seat=seat, action=action)["to_act"]
            if chance.random() < 0.3:
                ask(chance.choice(("odds", "lamps", "history", "status")))
                ask("view", seat=chance.choice(("public", "p1", "p2", "moderator")))
                ask("legal", seat=chance.choice(("p1", "p2")))
                ask("act", seat="p1", action={"type": "remove", "room": chance.randrange(37, 40)})
            if chance.random() < 0.1:
                to_act = ask("undo", seat="moderator")["to_act"]
            ask("tick", seconds=chance.random())
        ask("history")
        return lines


@pytest.mark.parametrize(
    "options",
    [
        {"layout": LAYOUT},
        {"master_game": True, "layout": LAYOUT},
        {"keeper": "honour", "players": 3, "layout": LAYOUT},
    ],
)
def test_the_same_lines_in_give_the_same_lines_out(options: dict[str, Any]) -> None:
    """In every process, whatever its hashes are."""
    lines = lines_of_a_game(5, **options)
    first = session(lines, hash_seed="0")
    assert first.count(b"\n") == len(lines)
    assert session(lines, hash_seed="1") == first
    assert session(lines, hash_seed="4242") == first


def test_seeds_decide_what_chance_does() -> None:
    new = b'{"cmd":"new","game":"phantom","seed":%d,"options":{"layout":%b}}'
    layout = json.dumps(LAYOUT).encode()
    bots = [b'{"cmd":"bot","seat":"p2"}'] * 2
    said = {seed: session([new % (seed, layout), *bots]) for seed in (-1, 0, 1, 2, 2**80)}
    assert len(set(said.values())) > 1
    for answers in said.values():
        _, one, two = answers.splitlines()
        assert one == two


def test_without_a_seed_the_packs_are_left_to_chance() -> None:
    """Sixteen draws are all alike once in 32,768 runs."""
    options = {"layout": LAYOUT, "master_game": True}
    new = json.dumps({"cmd": "new", "game": "phantom", "options": options}).encode()
    answers = session([new, b'{"cmd":"history"}'] * 16).splitlines()[1::2]
    assert len(set(answers)) == 2


def test_answers_come_at_once_and_one_a_line() -> None:
    with Door() as door:
        for number in range(5):
            assert door.ask("status", id=number)["id"] == number
        assert door.end()[1] == b""


# Durable


def all_there_is(door: Door) -> list[Answer]:
    views = [door.must("view", seat=seat) for seat in ("p1", "p2", "public", "moderator")]
    asked = [
        door.must("legal", seat="p3"),
        door.must("bot", seat="p3"),
        door.must("odds"),
        door.must("history"),
    ]
    return views + asked


def test_a_journal_is_resumed_where_it_was_left(tmp_path: Path) -> None:
    with Door(*journal_in(tmp_path)) as door:
        door.hunt()
        door.play("p2 B3", "p3 B4")
        door.must("undo", seat="moderator")
        before = all_there_is(door)
        door.process.kill()
    with Door(*journal_in(tmp_path)) as door:
        assert all_there_is(door) == before
        door.must("redo", seat="moderator")
        assert door.play("p4 E3")["to_act"] == ["p1"]
        assert door.end()[0] == 0


def test_only_the_last_game_of_a_journal_goes_on(tmp_path: Path) -> None:
    with Door(*journal_in(tmp_path)) as door:
        door.hunt()
        door.play("p2 B3")
        door.must("new", game="phantom", players=2, seed=3)
        door.act("p1", "place", room=1, colour="green", value=2)
        assert door.end()[0] == 0
    with Door(*journal_in(tmp_path)) as door:
        view = door.must("view", seat="public")["view"]
        assert (view["phase"], view["to_act"]) == ("placing", ["p2"])
        assert len(door.must("history")["history"]) == 1


def test_an_empty_journal_has_no_game(tmp_path: Path) -> None:
    with Door(*journal_in(tmp_path)) as door:
        assert door.code("history") == "no_game"


@pytest.mark.parametrize("seed", [0, -5, 2**63, 2**64, 2**200])
def test_a_game_with_any_seed_is_resumed(tmp_path: Path, seed: int) -> None:
    with Door(*journal_in(tmp_path)) as door:
        door.must("new", game="phantom", seed=seed, options={"layout": LAYOUT})
        chosen = door.must("bot", seat="p2")
        assert door.end()[0] == 0
    with Door(*journal_in(tmp_path)) as door:
        assert door.must("bot", seat="p2") == chosen


def test_time_is_kept_out_of_what_is_resumed(tmp_path: Path) -> None:
    with Door(*journal_in(tmp_path)) as door:
        door.must("new", game="phantom", seed=1)
        for _ in range(10):
            door.must("tick", seconds=1e9)
        door.act("p1", "place", room=1, colour="blue", value=3)
        assert door.end()[0] == 0
    with Door(*journal_in(tmp_path)) as door:
        assert door.must("view", seat="public")["view"]["to_act"] == ["p2"]
        assert door.must("status")["problems"] == []


def test_a_position_is_resumed(tmp_path: Path) -> None:
    with Door(*journal_in(tmp_path)) as door:
        door.must("new", game="phantom", position=position("B3", damage=6, to_act=["p3"]))
        door.play("p3 A1")
        view = door.must("view", seat="moderator")
        assert door.end()[0] == 0
    with Door(*journal_in(tmp_path)) as door:
        assert door.must("view", seat="moderator") == view


def test_two_processes_cannot_hold_one_journal(tmp_path: Path) -> None:
    with Door(*journal_in(tmp_path)) as door:
        door.must("status")
        with Door(*journal_in(tmp_path)) as second:
            status, said, complaint = second.end()
            assert (status, said) == (1, b"")
            assert b"journal" in complaint
            assert b"Traceback" not in complaint
        door.hunt()


def test_a_journal_from_the_future_is_refused(tmp_path: Path) -> None:
    payload = b'{"journal":999}'
    (tmp_path / "journal").write_bytes(b"%08x %b\n" % (zlib.crc32(payload), payload))
    with Door(*journal_in(tmp_path)) as door:
        status, said, complaint = door.end()
        assert (status, said) == (1, b"")
        assert b"Traceback" not in complaint
    assert (tmp_path / "journal").read_bytes().endswith(payload + b"\n")


def test_a_journal_that_cannot_be_opened_ends_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "journal").mkdir()
    with Door(*journal_in(tmp_path)) as door:
        status, said, complaint = door.end()
        assert (status, said) == (1, b"")
        assert complaint
        assert b"Traceback" not in complaint


def test_a_torn_journal_is_resumed_and_the_user_told(tmp_path: Path) -> None:
    with Door(*journal_in(tmp_path)) as door:
        door.hunt()
        door.play("p2 B3")
        assert door.end()[0] == 0
    path = tmp_path / "journal"
    path.write_bytes(path.read_bytes()[:-7])
    with Door(*journal_in(tmp_path)) as door:
        assert door.must("view", seat="public")["view"]["to_act"] == ["p2"]
        assert len(door.must("status")["problems"]) == 1
        assert b"damaged" in door.end()[2]


# Pipes


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "headless"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    for _ in range(2000):
        try:
            process.stdin.write(b'{"cmd":"status"}\n')
            process.stdin.flush()
        except BrokenPipeError:
            break
    with suppress(BrokenPipeError):
        process.stdin.close()
    assert process.wait(timeout=20) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_nothing_but_answers_goes_to_standard_output() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-m", "companion", "headless"],
        input=b'{"cmd":"status"}\n\n{"cmd":"quit"}\n{"cmd":"status"}\n',
        capture_output=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [True, False, True]


def test_an_unknown_argument_ends_with_status_2() -> None:
    with Door("--no-such-thing") as door:
        status, said, complaint = door.end()
        assert (status, said) == (2, b"")
        assert b"usage" in complaint


def test_an_unknown_kit_ends_with_a_sentence() -> None:
    with Door("--kit", "no-such-kit") as door:
        status, said, complaint = door.end()
        assert (status, said) == (1, b"")
        assert b"no-such-kit" in complaint
        assert b"Traceback" not in complaint
