"""What the lamps of the castle show to everybody."""

from __future__ import annotations

from companion.contract import PUBLIC
from companion.games.canterville import GAME
from companion.games.canterville.state import State
from companion.picture import Picture, Pointer
from tests.games.canterville.castles import enter, new, play

SOON = {"cats": {"size": 4, "taken": 3}, "owls": {"size": 4, "taken": 0}}


def lamps(state: State, pointer: Pointer | None = None) -> Picture:
    return GAME.picture(GAME.view(state, GAME.audience(state)), pointer)


def marked(state: State, mark: str) -> list[int]:
    return [room for room, marks in lamps(state).marks.items() if mark in marks]


def test_figures_are_lit_and_those_to_move_pulse() -> None:
    """GJ-50: the pulse says whose turn it is, without a colour."""
    state = play(enter(), "max 14")
    assert marked(state, "figure") == [1, 53]
    assert (lamps(state).rooms[1].effect, lamps(state).rooms[53].effect) == ("pulse", "steady")


def test_reach_is_shown_in_the_hunters_turn_only() -> None:
    """GJ-44, GJ-50: where the figures to move can walk, not through the closed door."""
    state = enter(figures={"a": 12, "b": 53}, locked=12)
    assert marked(state, "reach") == []
    assert marked(play(state, "max 14"), "reach") == [1, 42]
    assert marked(play(state, "max 14; a stay"), "reach") == [44]


def test_max_and_his_trail_are_lit_while_he_is_shown() -> None:
    """GJ-60, GJ-61: at the start, at a showing, in a trap; his trail only when his cards lie open."""
    state = play(enter(frames=SOON), "max 14; a stay; b stay")
    assert (marked(state, "max"), marked(state, "trail")) == ([14], [13, 14])
    assert lamps(state).rooms[14].effect == "blink"
    hidden = play(state, "owls; max 3")
    assert (marked(hidden, "max"), marked(hidden, "trail")) == ([], [])
    trapped = play(enter(trap=14), "max 14")
    assert (marked(trapped, "max"), marked(trapped, "trail"), marked(trapped, "trap")) == ([14], [], [14])


def test_only_one_thing_blinks() -> None:
    """GJ-52: while a choice on the board waits for OK, Max in the trap only pulses."""
    trapped = play(enter(trap=14), "max 14")
    for pointer, blinking in (
        (None, [14]),
        (Pointer(2), [14]),
        (Pointer(2, True), [2]),
        (Pointer(1, True, 2), [1]),
    ):
        rooms = lamps(trapped, pointer).rooms
        assert [room for room, glow in rooms.items() if glow.effect == "blink"] == blinking


def test_door_lights_both_rooms_and_the_trap_one() -> None:
    """GJ-43, GJ-52: colour is not the only sign."""
    state = enter(locked=12, trap=44)
    assert (marked(state, "locked"), marked(state, "trap")) == ([12, 13], [44])
    assert marked(enter({"castle": "none"}, locked=12), "locked") == [12]


def test_gauge_counts_the_animals_left() -> None:
    """GJ-30: all of them, and those of the kind that is taken now."""
    state = play(enter(), "max 14; a stay; b stay")
    gauges = lamps(state).gauges
    assert (gauges["animals"].value, gauges["animals"].of) == (9, 10)
    assert (gauges["frame"].value, gauges["frame"].of) == (3, 4)
    won = enter(frames={"cats": {"size": 4, "taken": 4}})
    assert (lamps(won).gauges["animals"].value, lamps(won).gauges["animals"].won) == (0, True)


def test_move_and_pause_look_exactly_alike() -> None:
    """GJ-41."""
    assert lamps(play(enter(), "max 14")) == lamps(play(enter(), "max pause"))
    assert lamps(play(enter(), "max 14"), Pointer(14)) == lamps(play(enter(), "max pause"), Pointer(14))


def test_pointing_at_a_room_shows_its_ways() -> None:
    """GJ-50: geometry for everybody, whosever turn it is."""
    state = enter()
    assert lamps(state, Pointer(3)).marks[14] == ("reach",)
    assert "cursor" in lamps(state, Pointer(3)).marks[3]
    assert "chosen" in lamps(state, Pointer(3, True)).marks[3]
    assert lamps(state, Pointer(9)).marks[9] == ("cursor",)


def test_every_seat_has_a_lamp() -> None:
    """GJ-30: those to act pulse."""
    seats = lamps(play(enter(), "max 14")).seats
    assert [seat for seat, glow in seats.items() if glow.effect == "pulse"] == ["h1"]
    assert list(seats) == ["max", "h1", "h2", "h3", "h4"]


def test_lamps_are_the_publics() -> None:
    """Nobody's secret view goes to the shared board, PEEK or not."""
    state = play(enter(), "max 14")
    assert GAME.audience(state, "max") == PUBLIC
    assert lamps(new(hunters=3)).marks == {}
