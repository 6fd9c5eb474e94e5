"""What the board says of itself while no game is on, as the lamps understand it from the wire."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from companion.board import Sign
from hardware import effects, kits
from hardware.arrangement import lamp_of_room
from hardware.kits import Strip
from hardware.signs import SIGNS
from tests.hardware.evening import Evening

GHOST = (" #### ", "######", "# ## #", "######", "######", "# ## #")


def seen(evening: Evening) -> tuple[str, ...]:
    """The rooms as they shine on the wire, row by row."""
    shown, lamps, columns = evening.shown, lamp_of_room(evening.kit), evening.kit.grid.columns
    dots = "".join("#" if any(shown[lamps[room]]) else " " for room in evening.kit.grid.rooms)
    return tuple(dots[at : at + columns] for at in range(0, len(dots), columns))


def test_a_board_that_nobody_gave_a_sign_is_dark() -> None:
    with Evening("joystick") as evening:
        assert not any(map(any, evening.board.shine.frame))


@pytest.mark.parametrize("sign", get_args(Sign))
def test_a_sign_has_its_shape_on_the_wire(sign: Sign) -> None:
    with Evening("joystick") as evening:
        evening.board.sign = sign
        assert seen(evening) == SIGNS[sign][0]


def test_ready_is_a_ghost_in_the_middle_of_a_castle_too() -> None:
    with Evening("castle-joystick") as evening:
        evening.board.sign = "ready"
        assert seen(evening) == (" " * 6, *GHOST, " " * 6, " " * 6)


def test_signs_differ_by_shape_and_what_waits_for_somebody_moves() -> None:
    assert len({shape for shape, _ in SIGNS.values()}) == len(SIGNS)
    assert {sign: glow.effect for sign, (_, glow) in SIGNS.items()} == {
        "booting": "pulse",
        "ready": "steady",
        "no_network": "blink",
        "not_saved": "blink",
        "set_aside": "pulse",
    }


def test_no_network_blinks_on_the_wire_and_ready_lets_the_board_sleep() -> None:
    with Evening("joystick") as evening:
        evening.board.sign = "no_network"
        bright = evening.shown
        evening.wait(effects.BLINK / 2)
        assert sum(map(sum, evening.shown)) < sum(map(sum, bright))
        evening.board.sign = "ready"
        assert evening.board.due(evening.clock.now()) is None


def test_a_game_takes_the_lamps_and_gives_them_back() -> None:
    with Evening("joystick") as evening:
        evening.board.sign = "ready"
        evening.hotel()
        assert seen(evening) != GHOST
        with_game = evening.board.strips()
        evening.board.sign = "no_network"
        assert evening.board.strips() == with_game
        evening.table.leave()
        assert seen(evening) == SIGNS["no_network"][0]


def test_the_doctor_has_the_lamps_before_any_sign() -> None:
    with Evening("joystick") as evening:
        evening.board.sign = "ready"
        evening.board.examine()
        evening.wait(0.1)
        assert sum(map(any, evening.shown)) == 1


def test_a_kit_without_rooms_counts_on_its_first_strip() -> None:
    kit = replace(kits.load("joystick"), strips=[Strip("seats", "seats", first=0, lamps=5)])
    with Evening(kit) as evening:
        for count, sign in enumerate(get_args(Sign), start=1):
            evening.board.sign = sign
            assert [any(lamp) for lamp in evening.shown[:6]] == [n < count for n in range(6)]


def test_a_long_press_asks_for_the_plug_without_a_game_too() -> None:
    with Evening("joystick") as evening:
        asked: list[str] = []
        evening.board.sign = "ready"
        evening.board.on_rest = lambda: asked.append("rest")
        evening.tap("back")
        evening.wait(6)
        assert asked == []
        evening.board.press("back")
        evening.wait(6)
        assert asked == ["rest"]
        assert seen(evening) != GHOST
        assert any(map(any, evening.shown))


def test_lamps_are_dark_after_a_plain_end() -> None:
    evening = Evening("joystick")
    evening.board.sign = "ready"
    evening.board.close()
    assert not any(map(any, evening.shown))
