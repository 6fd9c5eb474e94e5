"""`companion simulate`: many whole games, summed up."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from companion import games, simulate
from companion.cli import main
from companion.contract import Result
from companion.simulate import Played, Spread, Summary, summary
from tests.conformance.tables import options_to_try

COMPANION = [sys.executable, "-m", "companion"]


def simulated(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["simulate", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_games_are_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    came_to = simulated(capsys, "phantom", "--players", "4", "--games", "60")
    assert came_to["games"] == came_to["asked"] == sum(each["games"] for each in came_to["endings"]) == 60
    assert sum(each["share"] for each in came_to["endings"]) == pytest.approx(1)
    assert came_to["actions"]["least"] >= 36 + 4 + 4
    assert came_to["gauges"]["damage"]["most"] >= 45


def test_the_same_seed_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("phantom", "--games", "20", "--seed")
    first, again, other = (simulated(capsys, *words, seed) for seed in ("1", "1", "2"))
    assert first == again
    assert first["actions"] != other["actions"]


def test_an_unseeded_run_can_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    first = simulated(capsys, "phantom", "--games", "10")
    assert simulated(capsys, "phantom", "--games", "10", "--seed", str(first["seed"])) == first


@pytest.mark.parametrize("game", games.names())
def test_every_installed_game_is_played_to_its_end(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [f"{name}={json.dumps(value)}" for name, value in options_to_try(game)[0].items()]
    given = [word for option in words for word in ("--option", option)]
    assert simulated(capsys, game, "--games", "5", *given)["games"] == 5


def test_options_reach_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    harmless = simulated(capsys, "phantom", "--games", "20", "--option", "objective=216")
    assert {each["winner"] for each in harmless["endings"]} == {"hunters"}
    words = ("--option", "keeper=both", "--option", 'tiles={"blue":[9]}')
    assert main(["simulate", "phantom", *words]) == 1
    assert "options" in capsys.readouterr().err


def test_the_table_names_sides_reasons_and_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "phantom", "--games", "3", "--seed", "5"]) == 0
    shown = capsys.readouterr().out
    for word in ("3 games, seed 5", "won by", "because", "damage", "actions", "mean"):
        assert word in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess"], "there is no game called chess"),
        (["phantom", "--players", "7"], "2 to 4 players, not 7"),
        (["phantom", "--option", "colour=blue"], "colour"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *words]) == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--games", "0"], ["--option", "objective"], ["--games", "many"]])
def test_a_slip_of_the_keyboard_is_told(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "phantom", *words])
    assert ended.value.code == 2
    assert words[0] in capsys.readouterr().err


def test_a_game_without_end_is_given_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulate, "MOST_ACTIONS", 40)
    assert main(["simulate", "phantom", "--games", "3"]) == 1
    told = capsys.readouterr()
    assert "no end after 40 actions" in told.err
    assert told.out == ""


def has_worked(pid: int) -> float:
    """How many seconds a process has had of the processor."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


@pytest.mark.skipif(
    sys.platform != "linux", reason="only there a process can be asked how long it has worked"
)
def test_ctrl_c_ends_with_the_games_so_far() -> None:
    command = [*COMPANION, "simulate", "phantom", "--games", "10000000", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        # Long after the start is over, however busy the machine is.
        while has_worked(running.pid) < 1.5:
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    came_to = json.loads(out)
    assert running.returncode == 130
    assert 0 < came_to["games"] < came_to["asked"]
    assert b"Traceback" not in err


def test_numbers_of_a_few_games() -> None:
    ghosts, hunters = Result("ghosts", "damage"), Result("hunters", "all_revealed")
    played = [Played(ghosts, 50, {"damage": 45}), Played(ghosts, 61, {"damage": 48}), Played(hunters, 60, {})]
    came_to = summary("phantom", {}, 1, 3, played)
    assert [(each.winner, each.games) for each in came_to.endings] == [("ghosts", 2), ("hunters", 1)]
    assert came_to.actions == Spread(57, 50, 61)
    assert came_to.gauges == {"damage": Spread(31, 0, 48)}


def test_the_shares_are_of_the_games_that_were_played() -> None:
    """Whoever stops a run of a hundred after four has seen four."""
    some = [Played(Result(who, "found"), 9, {}) for who in ("ghosts", "ghosts", "ghosts", "hunters")]
    came_to = summary("phantom", {}, 1, 100, some)
    assert (came_to.asked, came_to.games) == (100, 4)
    assert {each.winner: each.share for each in came_to.endings} == {"ghosts": 0.75, "hunters": 0.25}


def test_no_game_at_all_is_a_summary_too() -> None:
    assert summary("phantom", {}, 1, 3, []) == Summary("phantom", {}, 1, 3, 0, (), None, {})


def test_the_core_starts_without_anything_heavy() -> None:
    """A table served by lines needs no terminal art, no web server, no pins, no numbers."""
    heavy = "{'rich', 'flask', 'gpiozero', 'numpy', 'uvicorn', 'asyncio'}"
    code = f"import sys, companion.headless, companion.games.phantom; print({heavy} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert out == "set()\n"
