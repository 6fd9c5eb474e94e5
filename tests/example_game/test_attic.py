"""The example game of `docs/add-a-game.md`, found by its entry point and passing the suite of every game."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.example_game.installing import environment

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]

SUITE = """
import sys, pytest
from companion import games
assert "attic" in games.names()
games.names = lambda: ("attic",)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "tests/conformance"]))
"""


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which the example is installed beside the companion, with a bot of a stranger's."""
    found = environment(tmp_path, "companion.games")
    with next(tmp_path.glob("*.dist-info/entry_points.txt")).open("a") as points:
        points.write("[companion.bots]\nattic.sharp = sharp:BOT\n")
    return found


def test_the_example_passes_the_suite_of_every_game(installed: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SUITE], cwd=PROJECT, env=installed, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr


def play(installed: dict[str, str], *requests: object) -> list[dict[str, object]]:
    """The answers of `companion headless`."""
    lines = "\n".join(map(json.dumps, requests))
    words = [sys.executable, "-m", "companion", "headless"]
    done = subprocess.run(
        words, input=lines, cwd=PROJECT, env=installed, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_example_is_played_like_any_other_game(installed: dict[str, str]) -> None:
    """An undone door stays known: the map does not forget."""
    answers = play(
        installed,
        {"cmd": "new", "game": "attic", "players": 2},
        {"cmd": "act", "seat": "ghost", "action": {"type": "hide", "room": 1}},
        {"cmd": "act", "seat": "seeker", "action": {"type": "open", "room": 5}},
        {"cmd": "odds"},
        {"cmd": "undo", "seat": "seeker", "consent": ["ghost"]},
        {"cmd": "odds"},
        {"cmd": "act", "seat": "seeker", "action": {"type": "open", "room": 9}},
        {"cmd": "odds"},
        {"cmd": "act", "seat": "seeker", "action": {"type": "open", "room": 9}},
        {"cmd": "view", "seat": "public"},
    )
    assert [answer["ok"] for answer in answers] == [True] * 8 + [False, True]
    assert [answers[n]["worlds"] for n in (3, 5, 7)] == [8, 8, 5]
    assert answers[8]["error"]["message"] == "room 9 cannot be chosen now"  # type: ignore[index]
    assert answers[9]["view"]["ghost"] is None  # type: ignore[index]


def test_a_strangers_bot_sits_down_at_a_strangers_game(installed: dict[str, str]) -> None:
    """The bot of `docs/bots.md`; levels that it does not have are refused with those it has."""
    *_, chosen, refused = play(
        installed,
        {"cmd": "new", "game": "attic", "players": 2},
        {"cmd": "act", "seat": "ghost", "action": {"type": "hide", "room": 1}},
        {"cmd": "act", "seat": "seeker", "action": {"type": "open", "room": 9}},
        {"cmd": "bot", "seat": "seeker", "level": "sharp"},
        {"cmd": "bot", "seat": "seeker", "level": "strong"},
    )
    assert chosen["level"] == "sharp"
    assert chosen["action"] in [{"type": "open", "room": room} for room in range(1, 9)]
    assert refused["ok"] is False
    assert "random, sharp" in str(refused["error"])


def test_the_host_is_asked_only_what_there_is_to_choose(installed: dict[str, str]) -> None:
    """The attic is for two: nobody is offered a third chair."""
    asked = "from web.evening.planning import players; print(players('attic'))"
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=PROJECT, env=installed, capture_output=True, text=True
    )
    assert done.stdout == "(2,)\n", done.stderr
