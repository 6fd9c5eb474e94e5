"""The comparisons themselves, few of them; `make test-swapped N=1000000` for many. And they notice a leak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.contract import open_fields
from companion.games.phantom.game import Phantom
from companion.picture import Glow
from tests.swapped.__main__ import main
from tests.swapped.comparing import ACCOUNTED, Found, by_accounts, compared
from web.push import lamps

WANTED = 2000


def every(judge: Callable[[int], Found], first: int) -> Iterator[Found]:
    yield from map(judge, count(first))


def gathered(founds: Iterator[Found], enough: Callable[[Counter[Any]], bool]) -> Found:
    """So many games that enough was compared."""
    done, differences = Counter[Any](), list[Any]()
    for found in founds:
        done += found.compared
        differences += found.differences
        if enough(done) or differences:
            break
    return Found(done, differences)


def accounted(game: str) -> Callable[[int], Found]:
    """Games of one kind, judged by the rules' own account."""
    tables = [options for name, options in ACCOUNTED if name == game]
    return lambda seed: by_accounts(seed, game, tables[seed % len(tables)], Random(seed))


def test_nobody_can_tell_another_world_from_the_truth() -> None:
    found = gathered(every(compared, 0), lambda done: done.total() >= WANTED)
    assert not found.differences, "\n".join(map(str, found.differences))


@pytest.mark.parametrize("game", games.names())
def test_games_that_look_alike_by_the_rules_leave_the_companion_alike(game: str) -> None:
    found = gathered(every(accounted(game), 0), lambda done: done.total() >= WANTED / 20)
    assert not found.differences, "\n".join(map(str, found.differences))
    outputs = {output for _, output, _ in found.compared}
    assert {"play, page", "play, push", "table, page", "host, page", "API view", "history"} <= outputs
    assert {"API legal", "odds", "picture", "lamp frames", "versions", "watch, push"} <= outputs


def test_a_leak_into_the_open_record_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Max went stands in the history that everybody reads."""
    hunt = type(games.find("canterville"))
    monkeypatch.setattr(hunt, "recorded", lambda _, state, action, events: (open_fields(action), events))
    found = gathered(every(accounted("canterville"), 0), lambda done: done.total() > WANTED)
    assert "history" in {difference.output for difference in found.differences}


def test_a_leak_into_a_view_is_noticed_on_every_way_out_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hunter's view shows what a master's does, and his page with it."""
    honest = Phantom.view

    def leaking(game: Phantom, state: Any, seat: str) -> Any:
        view = honest(game, state, seat)
        if seat != "p1" or not state.masters:
            return view
        return replace(view, shows=replace(honest(game, state, state.masters[0]).shows, seat="p1"))

    monkeypatch.setattr(Phantom, "view", leaking)
    found = gathered(every(compared, 0), lambda done: done.total() > 10 * WANTED)
    outputs = {difference.output for difference in found.differences if difference.seat == "p1"}
    assert {"API view", "play, scene"} <= outputs


def test_a_leak_into_the_lamps_of_a_page_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = lamps.lit

    def leaking(table: Any, *more: Any) -> Any:
        shown, ghosts = honest(table, *more), getattr(table._state, "ghosts", ())
        rooms = {ghost.room: Glow("red") for ghost in ghosts if ghost is not None}
        return replace(shown, rooms={**shown.rooms, **rooms})

    monkeypatch.setattr(lamps, "lit", leaking)
    found = gathered(every(compared, 0), lambda done: done.total() > 10 * WANTED)
    assert "table, page" in {difference.output for difference in found.differences}


def test_the_command_counts_and_fails_with_the_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["tests.swapped", "50"])
    assert main() == 0
    assert "API view" in capsys.readouterr().out
    monkeypatch.setattr(lamps, "lit", lambda table, *_: lamps.Lamps(marks={1: (repr(table._state),)}))
    monkeypatch.setattr("sys.argv", ["tests.swapped", "50", "--seed", "7"])
    assert main() == 1
    assert "seed 7: " in capsys.readouterr().out
