"""Players that are no people: how they are found, what they are given, and what they never do."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import bots, games, league
from companion.bots import Anything, Bot, Moment, pace
from companion.bots.bot import Persona
from companion.contract import TABLE, read_options
from companion.refusals import Forbidden, Illegal, NotYourTurn
from companion.table import Table
from tests.games.phantom.hotel import LAYOUT, OWNERS

SETUP = {"layout": LAYOUT, "owners": OWNERS, "objective": 60}


def table(seed: int | None = 1) -> Table:
    table = Table()
    table.new("phantom", SETUP, seed=seed)
    return table


def hunting(seed: int | None = 1) -> Table:
    running = table(seed)
    for seat, ghost, room in (("p2", "blue", 8), ("p2", "white", 29), ("p4", "red", 16), ("p4", "green", 21)):
        running.act(seat, {"type": "hide", "ghost": ghost, "room": room})
    return running


class Stranger(Bot):
    """Always takes the last choice."""

    def choose(self, moment: Moment) -> Any:
        return moment.choices[-1]


STRANGER = Stranger()


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of somebody else, with a bot for one game."""
    real = bots.entry_points
    point = EntryPoint("phantom.stranger", "tests.bots.test_bots:STRANGER", bots.GROUP)

    def found(group: str) -> Any:
        return [*real(group=group), *([point] if group == bots.GROUP else [])]

    for cached in (bots.levels, bots.load):
        cached.cache_clear()
    monkeypatch.setattr(bots, "entry_points", found)
    yield
    for cached in (bots.levels, bots.load):
        cached.cache_clear()


def test_levels_go_from_weak_to_strong() -> None:
    assert bots.levels("phantom") == ("random", "easy", "normal", "strong")


def test_a_game_without_bots_of_its_own_is_played_at_random() -> None:
    assert bots.levels("no_such_game") == ("random",)
    assert isinstance(bots.load("no_such_game", "random"), Anything)


def test_a_level_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(Illegal, match="random, easy, normal, strong"):
        table().bot("p2", "genius")
    with pytest.raises(Illegal, match="random, easy, normal, strong"):
        bots.find("genius")


@pytest.mark.usefixtures("stranger")
def test_a_strangers_bot_sits_down() -> None:
    running = hunting()
    assert bots.levels("phantom")[-1] == "stranger"
    chosen = running.bot("p2", "stranger")
    assert chosen == running.legal("p2")[-1]
    running.act("p2", chosen)


def test_sparring_partners_are_found_but_not_offered() -> None:
    assert "greedy" not in bots.levels("phantom")
    assert isinstance(bots.load("phantom", "greedy"), Bot)


def test_a_bot_is_refused_where_its_seat_is() -> None:
    running = hunting()
    with pytest.raises(NotYourTurn):
        running.bot("p1", "normal")
    with pytest.raises(Forbidden):
        running.bot("p9", "normal")
    assert running.standing().to_act == ("p2",)


@pytest.mark.parametrize("level", ["random", "easy", "normal", "strong"])
def test_the_same_seed_gives_the_same_choice(level: str) -> None:
    chosen = {str(hunting().bot("p2", level)) for _ in range(3)}
    assert len(chosen) == 1
    assert hunting().bot("p2", level) in hunting().legal("p2")


@pytest.mark.usefixtures("stranger")
def test_the_table_goes_on_while_a_bot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    running, thinking, go_on = hunting(), threading.Event(), threading.Event()

    def choose(self: Stranger, moment: Moment) -> Any:
        thinking.set()
        assert go_on.wait(10)
        return moment.choices[0]

    monkeypatch.setattr(Stranger, "choose", choose)
    chosen: list[Any] = []
    thread = threading.Thread(target=lambda: chosen.append(running.bot("p2", "stranger")))
    thread.start()
    assert thinking.wait(10)
    running.act("p2", running.legal("p2")[0])
    go_on.set()
    thread.join()
    with pytest.raises(NotYourTurn):
        running.act("p2", chosen[0])


def test_a_bot_with_no_time_at_all_still_chooses() -> None:
    running = hunting()
    for seat in ("p2", "p3"):
        action = running.bot(seat, "strong", seconds=0)
        assert action in running.legal(seat)
        running.act(seat, action)


# What people could read in it


def test_when_a_bot_acts_depends_on_chance_alone() -> None:
    delays = [pace.delay(Random(n)) for n in range(1000)]
    assert delays == [pace.delay(Random(n)) for n in range(1000)]
    assert min(delays) >= pace.thinking() * (1 + pace.GRACE)
    assert max(delays) <= pace.thinking() * (1 + pace.GRACE) + pace.LONGEST
    assert len(set(delays)) == 1000


def test_a_slow_machine_is_given_three_seconds_before_anybody_sees_the_choice() -> None:
    assert 0 < pace.counted() < 5
    assert pace.allowed(0.006) == 1.0
    assert pace.allowed(0.06) == 3.0
    assert min(pace.delay(Random(n), 3.0) for n in range(1000)) >= 3.0 * (1 + pace.GRACE)


@pytest.mark.parametrize("game", ["artefacts", "canterville", "phantom"])
def test_a_strong_bot_whose_time_is_up_comes_to_an_end_at_once(game: str) -> None:
    """With no time at all a decision takes so little that a machine ten times slower keeps the grace."""
    taken = sorted(seconds for seconds in thinking(game, "strong", bots.deadline(0)))
    assert taken[len(taken) * 98 // 100] * 10 < pace.SLOW * pace.GRACE
    assert taken[-1] * 10 < pace.SLOW


def thinking(game: str, level: str, until: float | None) -> Iterator[float]:
    """The processor time of each decision in a game of bots that may think until then."""
    played = games.find(game)
    options = league.options_of(game, {})
    state, chance = played.start(read_options(played, played.resolve(options))), Random(3)
    bot = bots.load(game, level)
    while seats := played.to_act(state):
        seat = seats[0]
        choices = played.legal(state, seat)
        if seat == TABLE:
            action = played.chance(state, chance) or chance.choice(choices)
        else:
            moment = Moment(played, played.view(state, seat), choices, chance, 1, until)
            began = time.process_time()
            action = bot.choose(moment)
            yield time.process_time() - began
        state, _ = played.apply(state, seat, action)


def test_a_bot_never_agrees_to_taking_back_what_told_somebody_something() -> None:
    running = hunting()
    assert running.bot_consents("p2", "strong")
    running.act("p2", {"type": "remove", "room": 9})
    assert not running.bot_consents("p1", "strong")
    running.act("p3", {"type": "remove", "room": 36})
    assert not running.bot_consents("p2", "strong")
    assert not running.bot_consents("p2", "random")


def test_what_a_bot_was_like_is_told_when_the_game_is_over() -> None:
    running = hunting()
    with pytest.raises(Illegal):
        running.persona("p2", "strong")
    while running.standing().result is None:
        (seat,) = running.standing().to_act
        running.act(seat, running.bot(seat, "random"))
    persona = running.persona("p2", "strong")
    assert isinstance(persona, Persona)
    assert persona == running.persona("p2", "strong")
    for language in ("en", "fr", "de"):
        assert persona.name.said(language) != persona.name.key
        assert persona.line.said(language) != persona.line.key
    assert running.persona("p1", "strong") is None


def test_nobody_is_the_same_in_every_game() -> None:
    met = set()
    for seed in range(30):
        running = hunting(seed)
        fate = running._fate("p2")
        assert fate != running._fate("p4")
        persona = bots.load("phantom", "strong").persona(running.view("p2"), fate)
        assert persona is not None
        met.add(persona.key)
    assert len(met) >= 3


# What it costs


@pytest.mark.parametrize(
    ("game", "seat", "options"),
    [
        ("phantom", "p1", {}),
        ("canterville", "max", {"castle": "demo", "map": "possible"}),
        ("artefacts", "blue", {}),
    ],
    ids=["phantom", "canterville", "artefacts"],
)
def test_no_bot_is_read_in_until_one_sits_down(game: str, seat: str, options: dict[str, Any]) -> None:
    options = {**league.options_of(game, {}), **options}
    program = (
        "import sys; from companion.table import Table; table = Table()\n"
        f"table.new({game!r}, {options!r}, seed=1)\n"
        f"while (mover := table.standing().to_act[0]) != {seat!r}:\n"
        "    table.act(mover, table.legal(mover)[0])\n"
        f"table.standing(); table.view({seat!r}); print(*sys.modules)\n"
        f"table.bot({seat!r}, 'random'); print(*sys.modules)\n"
        f"table.bot({seat!r}, 'strong'); print(*sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert ran.returncode == 0, ran.stderr
    before, at_random, strong = (set(line.split()) for line in ran.stdout.splitlines())
    own = {f"companion.games.{game}.bots"}
    own |= {f"companion.games.{game}.belief"} if game != "artefacts" else set()
    assert not own & before
    assert not own & at_random
    assert own <= strong
    assert not {"numpy", "rich", "flask"} & strong


def test_a_house_without_bots_has_no_thread_for_them_and_counts_nothing(tmp_path: Path) -> None:
    program = (
        "import sys, threading; from companion.bots import pace\n"
        "from pathlib import Path; from web.server import server; from web.render import pages\n"
        "house = server.Daemon(Path(sys.argv[1]), 'none', pages)\n"
        "print(pace.thinking.cache_info().currsize, *[one.name for one in threading.enumerate()])\n"
        "house.close()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert ran.returncode == 0, ran.stderr
    counted, *threads = ran.stdout.splitlines()[-1].split()
    assert counted == "0"
    assert "bots" not in threads


@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_of_strong_bots_takes_less_than_20_megabytes(players: int) -> None:
    program = (
        "import tracemalloc; from companion import league\n"
        f"options = league.options_of('phantom', {{'objective': 15, 'players': {players}}})\n"
        "job = lambda level: league.Job('phantom', options, {'ghosts': level, 'hunters': level}, 1, 0)\n"
        "league.play(job('random')); tracemalloc.start(); league.play(job('strong'))\n"
        "print(tracemalloc.get_traced_memory()[1])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert ran.returncode == 0, ran.stderr
    assert 0 < int(ran.stdout) < 20_000_000
