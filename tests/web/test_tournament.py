"""A tournament from the phone: chosen by the host, counted on every result, played to its last game."""

import json
import random
import re
from collections.abc import Callable
from html import unescape
from types import SimpleNamespace

import pytest

from companion.games.phantom.options import Tournament
from tests.web.conftest import Running
from tests.web.phones import Phone
from web import games
from web.games.phantom import tournament
from web.render import pages
from web.scene import Place, Scene
from web.texts import texts

Run = Callable[..., Running]
POINTS = re.compile(r'class="panel tournament"><h2>(.*?)</h2>(.*?)</section>', re.S)


def play_out(phones: dict[str, Phone], chance: random.Random) -> None:
    """Everybody does something that they may, until the game is over."""
    for _ in range(300):
        for seat, phone in phones.items():
            legal = json.loads(phone.get(f"/api/v1/legal?seat={seat}").text)["actions"]
            if legal:
                assert phone.post("/act", seat=seat, action=json.dumps(chance.choice(legal))).status == 200
                break
        else:
            return
    raise AssertionError("the game does not end")


def told(phone: Phone, path: str) -> tuple[str, dict[str, int]]:
    """The headline of the table of points, and the points of each team."""
    found = POINTS.search(phone.get(path).text)
    assert found, path
    rows = re.findall(r"<b>(.*?)</b>.*?class=\"state\">(\d+) points?<", found[2])
    return unescape(found[1]), {unescape(names): int(points) for names, points in rows}


def test_a_tournament_of_two_games_is_played_from_the_phone(run: Run) -> None:
    house, chance = run(renderer=pages), random.Random(3)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoé", "Jürgen")
    # The number of games is asked for where Master Games are played.
    assert "option-tournament.games" not in host.get("/host").text
    host.post("/host/plan", **{"option-master_game": "true"})
    assert "option-tournament.games" in host.get("/host").text
    house.start(host, **{"option-tournament.games": "2"})
    play_out(phones, chance)
    heads, sums = zip(*(told(phones["p1"], path) for path in ("/play", "/table")), strict=True)
    assert set(heads) == {"Tournament: game 1 of 2"}
    assert sums[0] == sums[1]
    assert set(sums[0]) == {"Ada and Zoé", "Hamish and Jürgen"}
    assert "Next game of the tournament" in host.get("/host").text
    assert host.post("/host/rematch").status == 200
    play_out(phones, chance)
    head, points = told(phones["p4"], "/play")
    assert head.startswith("The tournament is over")
    assert sum(points.values()) >= sum(sums[0].values())
    after = host.get("/host").text
    assert "Next game of the tournament" not in after
    assert "/host/rematch" not in after


def test_a_single_game_has_no_table_of_points(run: Run) -> None:
    house = run(renderer=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoé", "Jürgen")
    house.start(host)
    play_out(phones, random.Random(1))
    assert not POINTS.search(phones["p1"].get("/play").text)
    assert "Rematch" in host.get("/host").text


@pytest.mark.parametrize(
    ("won", "stage", "head", "ranked"),
    [
        ({"p1": 4}, "result", "Tournament: game 1 of 3", [("Ada and Zoé", "4"), ("Hamish and Jürgen", "0")]),
        ({"p2": 9}, "playing", "Tournament: game 2 of 3", [("Hamish and Jürgen", "9"), ("Ada and Zoé", "0")]),
        (
            {"p1": 4, "p2": 9},
            "over",
            "The tournament is over: it goes to Hamish and Jürgen",
            [("Hamish and Jürgen", "9"), ("Ada and Zoé", "4")],
        ),
        (
            {"p1": 5, "p2": 5},
            "over",
            "The tournament is over: nobody is ahead",
            [("Ada and Zoé", "5"), ("Hamish and Jürgen", "5")],
        ),
    ],
)
def test_the_team_with_most_points_stands_first(
    won: dict[str, int], stage: str, head: str, ranked: list[tuple[str, str]]
) -> None:
    """PS-110: and only who is ahead at the end has won."""
    assert games.find("phantom").again is tournament.again, "whose words are there now"
    running = Tournament(games=3, played=3 if stage == "over" else 1, points=won)
    names = {"p1": "Ada", "p2": "Hamish", "p3": "Zoé", "p4": "Jürgen"}
    scene = Scene(
        page="table",
        language="en",
        version=1,
        stage="playing" if stage == "playing" else "result",
        shows=SimpleNamespace(tournament=running),
        places=tuple(Place(seat, None, name, None, None, "here") for seat, name in names.items()),
    )
    found = tournament.points(scene, texts("en"))
    assert found is not None
    assert (found.head, [(names, n.split()[0]) for names, n in found.teams]) == (head, ranked)
