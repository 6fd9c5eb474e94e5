"""Pictures become frames: the right lamp, its effect in time, and never more current than the kit allows."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.picture import Effect, Gauge, Glow, Picture
from hardware import effects, kits, signs
from hardware.frames import (
    DARK,
    FLAG,
    FRESH,
    HUES,
    LIT,
    Scene,
    asleep,
    current,
    gauge_glows,
    glows,
    limited,
    spelled,
)
from hardware.kits import Chain, Grid, Strip

GAUGE = Strip("damage", "gauge", first=36, lamps=60)
COLOURS = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=120)


def test_a_room_lights_its_own_lamp_through_a_serpentine() -> None:
    kit = kits.load("joystick")
    lit = glows(kit, Picture(rooms={1: Glow("warm"), 7: Glow("white"), 12: Glow("blue")}))
    assert lit == {0: Glow("warm"), 11: Glow("white"), 6: Glow("blue")}


def test_a_strip_is_spelled_in_room_order_however_it_is_laid() -> None:
    kit = kits.load("joystick")
    scene = Scene()
    scene.show(glows(kit, Picture(rooms={7: Glow("white")})), 0)
    frame = scene.frame(0, Chain(brightness=1), kit.lamps)
    assert [n for n, colour in enumerate(spelled(frame, kit.strips[0], kit), 1) if colour != "000000"] == [7]


# The gauge


@pytest.mark.parametrize("objective", range(30, 60))
def test_every_objective_can_be_read_off_the_gauge(objective: int) -> None:
    """One lamp a thousand pounds, and a flag on the last one that is needed. PS-80."""
    for damage in range(objective):
        lit = gauge_glows(GAUGE, Gauge(damage, objective, fresh=min(3, damage)))
        counted = [lamp for lamp, glow in lit.items() if glow in (LIT, FRESH)]
        assert len(counted) == damage
        assert lit[36 + objective - 1] == FLAG
        assert sum(glow == FRESH for glow in lit.values()) == min(3, damage)


def test_a_gauge_is_scaled_where_the_objective_is_longer_than_the_strip() -> None:
    lit = gauge_glows(GAUGE, Gauge(108, 216))
    assert sum(glow == LIT for glow in lit.values()) == 30
    assert lit[36 + 59] == FLAG


def test_a_gauge_may_count_from_its_far_end() -> None:
    reversed_gauge = Strip("damage", "gauge", first=36, lamps=60, reversed=True)
    assert gauge_glows(reversed_gauge, Gauge(1, None)) == {95: LIT}


def test_a_won_game_pulses_as_a_whole() -> None:
    assert set(gauge_glows(GAUGE, Gauge(46, 45, fresh=3, won=True)).values()) == {Glow("warm", "pulse")}


def test_seats_have_a_lamp_each_on_a_status_strip() -> None:
    strip = Strip("status", "seats", first=0, lamps=4)
    kit = kits.Kit(board=Grid(1, 1), strips=[strip])
    lit = glows(kit, Picture(seats={"p1": Glow("warm"), "p2": Glow("warm", "pulse")}))
    assert lit == {0: Glow("warm"), 1: Glow("warm", "pulse")}


# Effects


@pytest.mark.parametrize("effect", ["steady", "pulse", "blink"])
def test_every_effect_begins_bright_and_never_goes_out(effect: Effect) -> None:
    assert effects.level(effect, 0) == 1
    levels = [effects.level(effect, n / 30) for n in range(300)]
    assert min(levels) > 0
    assert max(levels) <= 1


def test_nothing_moves_faster_than_once_a_second() -> None:
    switches = [effects.level("blink", n / 100) for n in range(1000)]
    assert sum(before < after for before, after in pairwise(switches)) <= 10
    assert effects.PULSE >= 1


def test_a_steady_scene_asks_for_no_further_frame() -> None:
    scene = Scene()
    scene.show({3: Glow("warm")}, 0)
    assert scene.next_change(5) is None


def test_a_blink_asks_for_a_frame_only_when_it_switches() -> None:
    scene = Scene()
    scene.show({3: Glow("warm", "blink")}, 10)
    assert scene.next_change(10) == 10.5
    assert scene.next_change(10.5) == 11


def test_a_lamp_that_shines_on_keeps_its_rhythm_when_another_changes() -> None:
    scene = Scene()
    scene.show({1: Glow("white", "pulse")}, 0)
    before = scene.frame(1, Chain(brightness=1), 3)[1]
    scene.show({1: Glow("white", "pulse"), 2: Glow("white", "pulse")}, 1)
    after = scene.frame(1, Chain(brightness=1), 3)
    assert after[1] == before
    assert after[2] == HUES["white"]


# Current


@given(COLOURS, st.integers(100, 6000))
@example([(255, 255, 255)] * 10, 600)  # 610 mA: a little too much is too much
def test_no_frame_draws_more_than_the_kit_allows(colours: list[tuple[int, int, int]], most: int) -> None:
    frame = limited(colours, most)
    assert current(frame) <= max(most, len(colours))
    assert frame == tuple(colours) or current(colours) > most


def test_full_white_is_what_the_maker_says() -> None:
    assert current([(255, 255, 255)] * 96) == 96 * 61


def test_a_lit_lamp_is_never_rounded_to_darkness() -> None:
    scene = Scene()
    scene.show({n: Glow(hue, level=0.01) for n, hue in enumerate(HUES)}, 0)
    assert DARK not in scene.frame(0, Chain(brightness=0.05), len(HUES))


def test_the_night_is_dimmer() -> None:
    scene = Scene()
    scene.show({0: Glow("warm")}, 0)
    chain = Chain()
    night, dusk, day = (sum(scene.frame(0, chain, 1, bright)[0]) for bright in (0.0, 0.5, 1.0))
    assert 0 < night < dusk < day


# Signs


def test_a_total_is_spelled_on_the_rooms() -> None:
    drawn = signs.number(42, Grid(6, 6))
    picture = ["".join("#" if 6 * row + n in drawn else "." for n in range(1, 7)) for row in range(5)]
    assert picture == ["#.####", "#.#..#", "######", "..##..", "..####"]
    assert {glow.hue for glow in drawn.values()} == {"warm", "white"}
    assert all(n % 6 in (0, 4, 5) for n in signs.number(7, Grid(6, 6)))


def test_a_reversed_strip_is_spelled_from_its_own_beginning() -> None:
    """What people read is the gauge from its first lamp on, whichever way it was glued."""
    for turned in (False, True):
        strip = Strip("damage", "gauge", first=36, lamps=4, reversed=turned)
        kit = kits.load("simulated")
        glows = gauge_glows(strip, Gauge(1, None))
        frame = tuple((255, 0, 0) if lamp in glows else (0, 0, 0) for lamp in range(40))
        assert spelled(frame, strip, kit) == ["ff0000", "000000", "000000", "000000"]


def test_while_a_game_is_paused_nothing_moves_and_little_shines() -> None:
    lit = asleep({1: Glow("red", "blink"), 2: Glow("warm", "pulse", 0.5), 3: Glow("white")})
    assert lit == {1: Glow("red", level=0.1), 2: Glow("warm", level=0.05), 3: Glow("white", level=0.1)}
