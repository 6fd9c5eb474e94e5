"""What each seat sees: the open table for all, the rest for Max alone."""

from __future__ import annotations

import msgspec
import pytest

from companion.contract import plain
from tests.games.canterville.castles import enter, new, play, shows, truth

SEATS = ("max", "h1", "h2", "h3", "h4", "public", "host", "moderator")
FIELDS = (
    "phase",
    "to_act",
    "figures",
    "max",
    "route",
    "cards",
    "frames",
    "frame",
    "trap",
    "locked",
    "result",
)
TWO_LEFT = {"cats": {"size": 4, "taken": 2}, "owls": {"size": 4, "taken": 0}}


def test_every_field_of_the_protocol_is_there() -> None:
    """By its own name, for every seat, as plain data."""
    state = play(enter(), "max 14")
    for seat in SEATS:
        sent = msgspec.json.decode(msgspec.json.encode(shows(state, seat)))
        assert set(FIELDS) <= set(sent)
        assert sent["figures"] == {"a": 1, "b": 53}
        assert sent["frames"]["cats"] == {"size": 4, "taken": 0}


def test_only_max_and_the_moderator_see_a_hidden_max() -> None:
    """GJ-37: everybody else sees that he is nowhere to be seen."""
    state = play(enter(), "max 14; a stay; b stay; max pause")
    for seat in SEATS:
        sees = seat in ("max", "moderator")
        assert shows(state, seat).max.room == (14 if sees else None)
        assert shows(state, seat).route == ((13, 14, "pause") if sees else ())
        assert shows(state, seat).visited == ((13, 14) if sees else None)
        assert not shows(state, seat).max.shown


def test_pause_cards_are_an_upper_bound_for_hunters() -> None:
    """GJ-Q8: exact only when he shows himself."""
    state = play(enter(frames=TWO_LEFT), "max pause; a stay; b stay; max 14; a stay")
    assert [shows(state, seat).cards.pause for seat in ("max", "h1", "public")] == [1, 2, 2]
    assert shows(play(state, "b stay")).cards.pause == 1


@pytest.mark.parametrize(
    ("display", "at_the_showing", "later"),
    [("during_reveal", (13, 14, 3), ()), ("always", (13, 14, 3), (13, 14, 3)), ("never", (), ())],
)
def test_shown_cards_stay_up_as_the_table_agreed(
    display: str, at_the_showing: tuple[int, ...], later: tuple[int, ...]
) -> None:
    """GJ-Q9, GJ-53: while Max stands there, always, or not on our pages at all."""
    state = enter({"visited_display": display}, frames=TWO_LEFT)
    state = play(state, "max 14; a stay; b stay; max 3; a stay; b stay")
    assert (shows(state).route, shows(state).max.room) == (at_the_showing, 3)
    state = play(state, "owls; max 2")
    assert shows(state).route == later


def test_news_are_what_the_last_showing_turned_up() -> None:
    """GJ-60: a page can play the new part of the way."""
    state = play(enter(frames=TWO_LEFT), "max 14; a stay; b stay; max 3; a stay; b stay")
    assert shows(state).route[shows(state).news :] == (14, 3)


def test_end_shows_everything_to_everybody() -> None:
    """GJ-71."""
    state = play(enter(frames=TWO_LEFT), "max 14; a stay; b stay; max pause; a stay; b stay; owls; max 51")
    over = play(state, "a stay; b stay; max 54; a stay; b stay; max pause; a stay; b stay; max cheat 51"
                "; a stay; b stay")  # fmt: skip
    assert plain(shows(over).result) == {"winner": "max", "reason": "last_animal"}
    views = [plain(shows(over, seat)) | {"seat": ""} for seat in SEATS]
    assert all(view == views[0] for view in views)
    assert views[0]["route"] == (13, 14, "pause", 51, 54, "pause", 51)


def test_hunters_may_guess_but_the_companion_does_not_help_by_leaking() -> None:
    """GJ-51, GJ-43, GJ-52: what lies on the table is the same for all."""
    state = play(enter(door=True, holder="h2"), "max lock 12; max 14; a stay; trap 3")
    for seat in SEATS:
        view = shows(state, seat)
        assert (view.locked, view.trap, view.cards.door, view.cards.trap) == (12, 3, False, False)


def test_before_max_has_begun_he_is_nowhere() -> None:
    """GJ-22."""
    state = new(hunters=3)
    assert (truth(state).max.room, truth(state).max.shown, truth(state).route) == (None, False, ())
    assert shows(state).figures == {"a": None, "b": None, "c": None}
