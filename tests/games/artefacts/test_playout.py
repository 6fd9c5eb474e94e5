"""Games played by chance: they end, they can be played again, and nothing in them can be foreseen."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from companion.clock import VirtualClock
from companion.contract import MODERATOR, TABLE, plain, replay
from companion.games.artefacts import GAME
from companion.games.artefacts.position import position_of
from companion.headless import Headless
from companion.journal import Journal
from companion.refusals import Forbidden
from companion.table import Table
from tests.games.artefacts.house import WIDE, acted, corridors, enter, ghost, playing, shows, start, tile

GAMES = int(os.environ.get("ARTEFACTS_PLAYOUTS", "50"))
"""Games that must end. For a thousand: ARTEFACTS_PLAYOUTS=1000 python -m pytest -k never_stalls."""
LONGEST = 3000


def test_a_random_game_never_stalls() -> None:
    """CFA-21, CFA-71: somebody always has something to do, and the ghosts of an empty pile end it."""
    ends: Counter[str] = Counter()
    for seed in range(GAMES):
        decks = "virtual" if seed % 2 else "real"
        for steps, (state, _, _) in enumerate(playing(seed, decks=decks, players=seed % 4 + 1)):
            assert steps < LONGEST
            assert all(GAME.legal(state, waiting) for waiting in GAME.to_act(state))
        assert state.result is not None
        ends[state.result.reason] += 1
    assert ends.total() == GAMES


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "family"},
        {"preset": "expert"},
        {"rotation": False, "cross_sides": "ignore", "setup_straight": True, "teleporter_connects": True},
        {
            "ghost_tiebreak": "leader",
            "ghost_no_route": "use_nearest_door",
            "artefact_tile_blocks_ghosts": True,
        },
        {"fight_in_centre": True, "fights_per_turn": "per_ghost", "object_uses_per_turn": "unlimited"},
        {
            "unlayable_artefact": "discard",
            "hole_delivers": "artefact_left_behind",
            "delivery_cell": "own_arm",
        },
        {
            "seating": ["green", "yellow", "red", "blue"],
            "leader": "yellow",
            "max_life": 1,
            "ghost_trap_victim": "none",
        },
    ],
)
def test_every_rule_of_a_table_plays_to_an_end(options: dict) -> None:
    """CFA-71: whatever was agreed."""
    for seed in range(3):
        *_, (state, _, _) = playing(seed, **{"decks": "virtual", **options})
        assert state.result is not None


def test_a_table_told_as_a_position_is_the_same_table() -> None:
    """What a view shows can be sent back: nothing of a game is anywhere else."""
    for seed in range(6):
        for n, (state, _, _) in enumerate(playing(seed, decks="virtual")):
            if n % 9 == 0:
                assert GAME.enter(state.options, position_of(state)) == state
                assert GAME.problems(state) == ()


# Chance


def test_real_decks_draw_nothing_and_virtual_ones_draw_only_for_the_table() -> None:
    """With real cards the companion records; without them it draws when the table is to act."""
    assert GAME.chance(start(), Random(1)) is None
    virtual = start(decks="virtual")
    assert GAME.chance(virtual, Random(1)) in GAME.legal(virtual, TABLE)
    assert GAME.chance(enter({"decks": "virtual"}), Random(1)) is None


def test_no_order_is_kept_anywhere_so_the_same_table_may_draw_anything() -> None:
    """A view holds the whole state, and from it every card that is left can come, as often as it is there."""
    state = acted(enter({"decks": "virtual"}), "blue", "draw")[0]
    assert list(GAME.worlds(GAME.view(state, "blue"))) == [state]
    drawn = Counter(GAME.chance(state, Random(seed)).card for seed in range(3100))
    assert set(drawn) == set(state.objects)
    for card, n in state.objects.items():
        assert abs(drawn[card] / 100 - n) < 1.5


def test_every_tile_is_as_likely_as_any_other() -> None:
    """CFA-14: of 44 tiles four are traps of one look, and they come four times in 44."""
    state = start(decks="virtual")
    drawn = Counter(GAME.chance(state, Random(seed)).tiles[0].id for seed in range(3000))
    left = Counter(
        id.rpartition("-")[0] for id in state.pile if id.split("-")[0] in ("plain", "trap", "teleporter")
    )
    for name, n in left.items():
        seen = sum(times for id, times in drawn.items() if id.startswith(f"{name}-"))
        assert abs(seen / 3000 - n / left.total()) < 0.04


def test_without_a_seed_two_games_are_dealt_differently() -> None:
    """Nobody can know the seed: there is none."""
    dealt = set()
    for _ in range(6):
        table = Table()
        table.new("artefacts", {"decks": "virtual"})
        dealt.add(tuple(tile.id for tile in table.view("public").shows.open))
    assert len(dealt) > 1


def test_a_record_played_again_deals_the_same_cards(tmp_path) -> None:
    """Draws are actions of the table in the journal."""
    chance = Random(3)
    running = Table(Journal(tmp_path / "journal"))
    running.new("artefacts", {"decks": "virtual"})
    for _ in range(120):
        waiting = running.standing().to_act
        if not waiting:
            break
        running.act(waiting[0], chance.choice(running.legal(waiting[0])))
    expected = running.view("moderator"), running.history()
    running.close()
    again = Table(Journal(tmp_path / "journal"))
    assert (again.view("moderator"), again.history()) == expected
    assert any(line.seat == TABLE for line in again.history())
    again.close()


def test_the_same_actions_lead_to_the_same_states() -> None:
    """A game is the list of its actions."""
    moments = list(playing(5, decks="virtual"))
    moves = [(seat, action) for _, seat, action in moments if action is not None]
    assert list(replay(GAME, moments[0][0], moves)) == [state for state, _, _ in moments[1:]]


def test_a_whole_game_by_headless_alone() -> None:
    """Legal actions and nothing else, from `new` to the end; the same lines in give the same lines out."""

    def lines() -> list[bytes]:
        chance, headless, out = Random(8), Headless(Table(), VirtualClock()), []

        def ask(**request: object) -> dict[str, Any]:
            out.append(headless.answer(msgspec.json.encode(request)))
            answer: dict[str, Any] = msgspec.json.decode(out[-1])
            assert answer["ok"], answer
            return answer

        stand = ask(cmd="new", game="artefacts", players=2, options={"decks": "virtual"}, seed=3)
        while stand["to_act"]:
            seat = chance.choice(stand["to_act"])
            action = chance.choice(ask(cmd="legal", seat=seat)["actions"])
            stand = ask(cmd="act", seat=seat, action=action)
        assert stand["result"]["reason"] in ("home", "escaped", "no_dice", "dead")
        return out

    assert lines() == lines()


# Undo


def test_laying_tells_nothing_unless_a_ghost_comes_of_it() -> None:
    """CFA-20, CFA-40: so it can be taken back freely."""
    ghostly = {"id": "ghost-NESW-1", "kind": "ghost", "exits": "NESW"}
    plainly = {"id": "plain-NESW-20", "kind": "plain", "exits": "NESW"}
    before = enter(phase="laying", open=[ghostly, plainly])
    for tile_id, quiet in ((plainly["id"], True), (ghostly["id"], False)):
        action = next(a for a in GAME.legal(before, "blue") if plain(a)["tile"] == tile_id)
        assert GAME.told_nothing(before, action, GAME.apply(before, "blue", action)[0]) is quiet
    step = next(a for a in GAME.legal(enter(), "blue") if plain(a)["type"] == "step")
    assert not GAME.told_nothing(enter(), step, GAME.apply(enter(), "blue", step)[0])


def test_taking_back_leads_to_the_same_table() -> None:
    """And what was drawn goes back among what is left."""
    table = Table()
    table.new("artefacts", {"decks": "virtual"}, seed=4)
    before = table.view("public").shows
    table.act("red", table.legal("red")[0])
    table.undo("red")
    assert table.view("public").shows == before


def drawing(table: Table) -> str:
    """Virtual decks, and somebody is about to draw a card."""
    state = enter({"decks": "virtual"})
    options = {"box": plain(state.options.box), "decks": "virtual"}
    table.new("artefacts", options, plain(shows(state, "moderator")))
    return "blue"


def test_what_chance_told_is_not_taken_back_by_one_seat_alone() -> None:
    """Nobody looks at the top of a pile for nothing: another seat agrees, or the moderator says so."""
    table = Table()
    table.act(drawing(table), {"type": "draw"})
    for seat, consent in (("blue", []), ("red", []), ("blue", ["blue"]), ("host", [])):
        with pytest.raises(Forbidden):
            table.undo(seat, consent)
    for seat, consent in (("blue", ["red"]), ("host", ["red"]), ("moderator", [])):
        table.undo(seat, consent)
        assert table.view("public").shows.hands["blue"] == ()
        table.redo(seat)
    table.act("blue", {"type": "step", "to": [0, 2]})
    table.undo("blue")  # a step tells nothing that did not lie on the table


def test_a_card_that_was_taken_back_lies_on_top_again(tmp_path) -> None:
    """Whoever draws next gets it, also after a power cut; what is drawn after it is chance again."""
    for evening in range(4):
        path = tmp_path / str(evening)
        table = Table(Journal(path))
        table.act(drawing(table), {"type": "draw"})
        card = table.view("public").shows.hands["blue"]
        table.undo("blue", ["red"])
        table.act("blue", {"type": "end"})
        table.close()
        table = Table(Journal(path))
        table.act("red", {"type": "draw"})
        assert table.view("public").shows.hands["red"] == card
        table.close()


def test_tiles_that_were_taken_back_come_again_in_their_order() -> None:
    """CFA-20."""
    table = Table()
    state = enter({"decks": "virtual"}, to_act=["green"])
    options = {"box": plain(state.options.box), "decks": "virtual"}
    table.new("artefacts", options, plain(shows(state, "moderator")))
    seen = []
    for _ in range(3):
        table.act("green", {"type": "end"})
        seen.append([tile.id for tile in table.view("public").shows.open])
        table.undo("green", ["blue"])
    assert len(seen[0]) == 4
    assert seen[0] == seen[1] == seen[2]


def test_what_was_told_of_a_real_pile_is_taken_back_with_anothers_word() -> None:
    """With real decks people speak for the table: what came before it stands."""
    table = Table()
    table.new("artefacts", {})
    for n in range(4):
        table.act(TABLE, table.legal(TABLE)[n])
    with pytest.raises(Forbidden):
        table.undo("green")
    table.undo("green", ("blue",))
    assert (len(table.view("public").shows.open), table.standing().to_act) == (3, (TABLE,))
    table.undo(MODERATOR)
    assert len(table.view("public").shows.open) == 2


def test_a_real_card_is_taken_back_with_anothers_word_and_the_draw_before_it_alone() -> None:
    """CFA-22: the card told blue something; that blue wanted to draw told nobody anything new."""
    table = Table()
    table.new("artefacts", {"box": WIDE}, position=plain(position_of(enter())))
    table.act("blue", {"type": "draw"})
    table.act(TABLE, {"type": "drawn", "card": "kit"})
    with pytest.raises(Forbidden):
        table.undo("blue")
    table.undo("blue", ("red",))
    assert table.standing().to_act == (TABLE,)
    table.undo("blue")
    assert (table.standing().to_act, table.view("blue").shows.points) == (("blue",), 3)


# Copying


def test_what_the_ghosts_did_is_told_step_by_step_until_the_hunters_act() -> None:
    """CFA-23, CFA-53: all go, then all grow, then the marker passes."""
    state = enter(ghosts=[ghost("red", (4, 0)), ghost("blue", (0, 4), 6)])
    for seat in ("blue", "red", "yellow", "green"):
        assert shows(state).steps == ()
        state = acted(state, seat, "end")[0]
    steps = [(plain(step)["type"], plain(step).get("ghost")) for step in shows(state).steps]
    assert steps == [
        ("moved", "blue1"), ("moved", "blue1"), ("moved", "red1"), ("grew", "red1"), ("round", None),
    ]  # fmt: skip
    for _ in range(4):
        state = acted(state, TABLE, "reveal", tiles=[plain(GAME.legal(state, TABLE)[0])["tiles"][0]])[0]
    assert len(shows(state).steps) == 5
    while state.phase == "laying":
        state, _ = GAME.apply(state, state.active, GAME.legal(state, state.active)[0])
    assert len(shows(state).steps) == 5
    assert shows(acted(state, state.active, "draw")[0]).steps == ()


def test_what_interrupts_the_ghosts_is_a_step_too() -> None:
    """CFA-41: a trap set off by a ghost, told by a person with the real pile."""
    trap = corridors(tile((0, 3), "trap"))
    state = enter(ghosts=[ghost("blue", (0, 4))], manor=trap, to_act=["green"])
    state = acted(state, "green", "end")[0]
    assert [plain(step)["type"] for step in shows(state).steps] == ["moved"]
    state = acted(state, TABLE, "trap", card="wound")[0]
    steps = [plain(step)["type"] for step in shows(state).steps]
    assert steps == ["moved", "sprung", "life", "grew", "round"]


def test_a_finger_in_the_list_of_steps_is_no_part_of_the_record() -> None:
    """Another turn of the ghosts begins at its first step."""
    table = Table()
    state = enter(ghosts=[ghost("blue", (0, 4))], to_act=["green"])
    table.new("artefacts", {"box": plain(state.options.box)}, plain(shows(state, "moderator")))
    table.copied(1)
    assert table.copying() == ((), 0)
    table.act("green", {"type": "end"})
    table.copied(2)
    assert (len(table.copying()[0]), table.copying()[1]) == (3, 2)
    table.copied(99)
    assert table.copying()[1] == 3
    assert len(table.history()) == 1
    table.undo("green")
    table.act("green", {"type": "draw"})
    assert table.copying() == ((), 0)


# Lamps


def test_the_lamps_are_a_status_strip() -> None:
    """Points, life, power and escapes as gauges; the seat to act pulses, the dead are dark."""
    ghosts = [ghost("red", (4, 0), 5), ghost("green", (0, 0))]
    state = enter(ghosts=ghosts, life={"green": 0, "red": 1}, points=2, leader="blue")
    picture = GAME.picture(GAME.view(state, "public"))
    values = {name: (gauge.value, gauge.of) for name, gauge in picture.gauges.items()}
    assert values == {
        "points": (2, 3),
        "escaped": (1, 3),
        "home": (0, 4),
        "life.blue": (3, 3),
        "life.red": (1, 3),
        "life.yellow": (3, 3),
        "life.green": (0, 3),
        "power.red1": (5, 6),
        "power.green1": (2, 6),
    }
    assert picture.seats["blue"].effect == "pulse"
    assert picture.seats["green"].level == 0
    assert picture.rooms == {}


def test_the_leader_is_brighter_than_the_others() -> None:
    """CFA-15."""
    picture = GAME.picture(GAME.view(enter(leader="red", to_act=["blue"]), "public"))
    assert picture.seats["red"].level > picture.seats["yellow"].level
    assert shows(enter(leader="red", to_act=["blue"])).leader == "red"


def test_a_trap_drawn_in_the_manor_is_pending_for_the_table_alone() -> None:
    """CFA-41: nobody else is asked meanwhile."""
    state = acted(enter(manor=corridors(tile((0, 2), "trap"))), "blue", "step", to=(0, 2))[0]
    assert GAME.to_act(state) == (TABLE,)
    assert GAME.legal(state, "blue") == []
