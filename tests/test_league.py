"""The league: the same seed is the same league, in however many processes, and what it prints is true."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion import cli, league
from companion.contract import Result
from companion.league import Job, Played, interval, score
from companion.refusals import Illegal

QUICK = ["league", "phantom", "--games", "4", "--seed", "5", "--option", "objective=20", "--json"]


def standings(capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    assert cli.main([*QUICK, *more]) == 0
    return json.loads(capsys.readouterr().out)


def without_times(came_to: Any) -> Any:
    for pair in came_to["pairs"]:
        assert set(pair.pop("milliseconds")) == {"mean", "p99", "worst"}
        assert set(pair.pop("thinking")) == set(pair["levels"])
    return came_to


def test_the_same_seed_is_the_same_league_in_one_process_or_two(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--pair", "ghosts:greedy", "hunters:easy"]
    one = without_times(standings(capsys, *words))
    two = without_times(standings(capsys, *words, "--jobs", "2"))
    assert one == two
    (pair,) = one["pairs"]
    assert pair["levels"] == {"ghosts": "greedy", "hunters": "easy"}
    assert sum(pair["wins"].values()) == pair["games"] == 4
    assert pair["low"] <= pair["share"] <= pair["high"]
    assert pair["actions"] > 36


def test_a_pair_may_be_written_with_a_comma(capsys: pytest.CaptureFixture[str]) -> None:
    (pair,) = standings(capsys, "--pair", "ghosts:random,hunters:random")["pairs"]
    assert pair["levels"] == {"ghosts": "random", "hunters": "random"}


@pytest.mark.parametrize(
    "pair", [["ghosts:strong"], ["ghosts:strong", "cats:easy"], ["strong"], ["ghosts:", "x"]]
)
def test_a_pair_that_is_none_is_refused_in_words(pair: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*QUICK, "--pair", *pair]) == 1
    out, said = capsys.readouterr()
    assert out == ""
    assert "ghosts" in said


def test_a_level_that_is_none_is_refused() -> None:
    with pytest.raises(Illegal):
        league.check("phantom", {"ghosts": "genius", "hunters": "easy"}, ("hunters", "ghosts"))


def test_each_level_meets_each() -> None:
    pairs = league.every_pair("phantom", league.sides("phantom", league.options_of("phantom", {})))
    assert len(pairs) == 16
    assert {"hunters": "strong", "ghosts": "easy"} in pairs


def test_teams_without_roles_are_named_by_their_first_seat() -> None:
    options = league.options_of("phantom", {"master_game": True})
    assert league.sides("phantom", options) == ("p1", "p2")
    played = league.play(Job("phantom", options, {"p1": "easy", "p2": "random"}, 1, 0))
    assert played.winner in ("p1", "p2")


def test_intervals_are_wilsons() -> None:
    assert interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert interval(0, 400) == pytest.approx((0.0, 0.0095), abs=1e-4)


def test_times_are_told_for_all_and_by_side() -> None:
    games = [Played("ghosts", 50, {"ghosts": (0.001, 0.003), "hunters": (0.002,)})] * 2
    came_to = score({"ghosts": "a", "hunters": "b"}, games)
    assert (came_to.milliseconds.mean, came_to.milliseconds.worst) == (2.0, 3.0)
    assert came_to.thinking["hunters"].mean == 2.0


class Parted:
    """A game at its end, as far as the league asks it: who belongs to whom by then, and who has won."""

    def __init__(self, camps: dict[str, str | None], winner: str) -> None:
        self.camps, self.winner = camps, winner

    def camp(self, state: Any, seat: str) -> str | None:
        return self.camps[seat]

    def result(self, state: Any) -> Result:
        return Result(self.winner, "so it is")


@pytest.mark.parametrize(
    ("at_first", "camps", "winner", "said"),
    [
        # Roles were bid for: the winners are told by the name that they had in the pair.
        ({"p1": "one", "p2": "other"}, {"p1": "ghosts", "p2": "hunters"}, "hunters", "other"),
        ({"p1": "one", "p2": "other"}, {"p1": "ghosts", "p2": "hunters"}, "ghosts", "one"),
        # A side that no seat has, and a seat that had none at first, keep the game's own name.
        ({"p1": "hunters"}, {"p1": "hunters"}, "manor", "manor"),
        ({"p1": None, "p2": "hunters"}, {"p1": "max", "p2": "hunters"}, "max", "max"),
    ],
)
def test_a_side_wins_by_the_name_it_was_given(
    at_first: dict[str, str | None], camps: dict[str, str | None], winner: str, said: str
) -> None:
    game: Any = Parted(camps, winner)
    assert league._winner(game, None, at_first) == said
