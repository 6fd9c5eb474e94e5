"""Games entered midway, everything wrong with a table, and the moderator's repair."""

from __future__ import annotations

from typing import Any

import pytest

from companion.contract import MODERATOR, PUBLIC, TABLE, plain, read
from companion.games.artefacts import GAME
from companion.games.artefacts.box import tiles_of
from companion.journal import Journal
from companion.refusals import Forbidden, Illegal, Malformed
from companion.table import Table
from tests.games.artefacts.house import (
    ARMS,
    COUNTED,
    act,
    acted,
    corridors,
    enter,
    ghost,
    playing,
    shows,
    tags,
    tile,
)


def wrong(**changes: Any) -> str:
    """What is said of a table that cannot be."""
    with pytest.raises(Illegal) as caught:
        enter(**changes)
    return caught.value.message()


def repaired(state, **fixes: Any):
    return act(state, MODERATOR, "repair", set=fixes)


def test_what_a_view_shows_can_be_sent_back_as_a_position() -> None:
    """The same names, as JSON: the table that comes of it shows the same."""
    for n, (state, _, _) in enumerate(playing(11, decks="virtual")):
        if n % 10 == 0:
            shown = shows(state, MODERATOR)
            again = GAME.enter(state.options, read(plain(shown), GAME.position, "position"))
            assert shows(again, MODERATOR) == shown


def test_a_position_needs_every_field() -> None:
    """What is not told is not guessed."""
    with pytest.raises(Malformed):
        read({}, GAME.position, "position")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ghosts": [ghost("blue", (9, 9))]}, "ghost blue1 is on (9, 9)"),
        ({"ghosts": [ghost("blue", (0, 2), 7)]}, "power 7"),
        ({"ghosts": [ghost("blue", (0, 2), n=n) for n in (1, 2, 3)]}, "3 blue ghosts"),
        ({"ghosts": [ghost("blue", (0, 2)), ghost("blue", (0, 3))]}, "twice"),
        ({"pawns": {"red": (7, 7)}}, "red pawn is on (7, 7)"),
        ({"life": {"green": 4}}, "green has 4 life"),
        ({"life": {"green": 0}, "hands": {"green": ["kit"]}}, "green is dead"),
        ({"hands": {"green": ["kit"] * 4}}, "green holds 4 cards"),
        ({"hands": {"green": ["crucifix"] * 3, "red": ["crucifix"]}}, "1 too many"),
        ({"manor": [tile((0, 2)), tile((0, 2))]}, "more than one tile lies on (0, 2)"),
        ({"manor": [tile((0, 1))]}, "belongs to the cross"),
        ({"manor": [tile((0, 2)) | {"id": "plain-NESW-1"}, tile((0, 3)) | {"id": "plain-NESW-1"}]}, "twice"),
        ({"manor": [tile((x, y)) for x in range(2, 9) for y in range(2, 9)]}, "more tiles than the 48"),
        ({"escaped": 1}, "1 ghosts are said to have escaped"),
        ({"artefacts": {"red": {"by": "blue", "home": True}}}, "2 places at once"),
        ({"artefacts": {"red": {"at": [9, 9]}}}, "red artefact is on (9, 9)"),
        (
            {"artefacts": {"red": {"by": "blue"}}, "life": {"blue": 0}, "to_act": ["red"]},
            "blue is dead and cannot carry",
        ),
        ({"points": 4}, "4 action points"),
        ({"piles": {"tiles": 30}}, "30 tiles are said to be in the pile, but the box leaves 36"),
        ({"piles": {"objects": 30}}, "the box leaves 31"),
        ({"piles": {"traps": 30}}, "the box leaves 12"),
        ({"pending": {"what": "fork", "ghost": "blue1", "options": [[0, 2]]}}, "cannot be waiting"),
        ({"pending": {"what": "give", "colour": "blue"}}, "cannot be waiting"),
        ({"moved": ["blue1"]}, "blue1 is said to have moved"),
        (
            {"phase": "laying", "open": [{"kind": "plain", "exits": "NESW"}] * 2, "active": "green"},
            "open tiles, 2",
        ),
        ({"held": {"blue": [{"kind": "plain", "exits": "NESW"}]}}, "before the first turn"),
        ({"to_act": ["green", "red"]}, "the turn of: green"),
        ({"phase": "over"}, "nothing in this position ends the game"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(changes: dict, said: str) -> None:
    """CFA-1, CFA-53, CFA-61: each problem in words."""
    assert said in wrong(**changes)


def test_all_problems_come_at_once() -> None:
    """Nobody likes to mend one thing after the other."""
    said = wrong(life={"green": 9}, points=7, ghosts=[ghost("red", (9, 9), 8)])
    assert all(part in said for part in ("green has 9 life", "7 action points", "power 8", "(9, 9)"))


def test_a_tile_of_the_manor_needs_a_square() -> None:
    """CFA-30."""
    assert "say on which square" in wrong(manor=[{"kind": "plain", "exits": "NESW"}])


def test_every_pawn_is_somewhere() -> None:
    """CFA-10."""
    shown = plain(shows(enter()))
    shown["pawns"] = {"blue": [0, 1]}
    with pytest.raises(Illegal) as caught:
        GAME.enter(enter().options, read(shown, GAME.position, "position"))
    assert "missing: red, yellow, green" in caught.value.message()


def test_the_table_is_right_about_its_tiles_whatever_the_profile_says() -> None:
    """CFA-2: strangers take the place of the tiles most like them, so the sum stays."""
    strangers = [tile((0, y), exits="NS") | {"id": f"mine{y}"} for y in range(2, 6)]
    state = enter(manor=strangers)
    assert (len(state.pile), [each.id for each in state.manor]) == (44, ["mine2", "mine3", "mine4", "mine5"])
    assert sum(id.startswith("plain") for id in state.pile) == 20


def test_a_strange_artefact_tile_goes_back_as_the_one_of_the_box() -> None:
    """CFA-Q17."""
    mine = {"id": "mine", "kind": "artefact", "colour": "red", "exits": "NESW"}
    island = [tile((8, 8), exits="N"), tile((8, 9), exits="S")]
    state = enter(phase="laying", open=[mine], manor=corridors(*island), pawns={"blue": (8, 8)})
    assert "artefact-red-NESW-1" not in state.pile
    assert "artefact-red-NESW-1" in act(state, "blue", "discard", tile="mine").pile


def test_what_the_rules_do_not_allow_is_told_and_the_game_goes_on() -> None:
    """CFA-31, CFA-33: an exit against a wall, artefacts on the axis or too near."""
    manor = corridors(
        tile((1, 2), exits="N"),
        tile((2, 3), "artefact", colour="red"),
        tile((3, 3), "artefact", colour="blue"),
    )
    manor += [tile((0, 5), "artefact", colour="green")]
    said = [str(problem) for problem in GAME.problems(enter(manor=manor))]
    assert said == [
        "an exit meets a wall between (0, 2) and (1, 2)",
        "an artefact tile lies in line with the cross",
        "two artefact tiles lie in the same quadrant",
    ]
    carried = enter(artefacts={"red": {"by": "blue"}})
    assert "its tile is not in the manor" in str(GAME.problems(carried)[0])


def test_the_end_of_a_position_is_judged_at_once() -> None:
    """CFA-70, CFA-71."""
    home = {colour: {"home": True} for colour in ARMS}
    assert enter(artefacts=home).result.reason == "home"
    three = [ghost("blue", (0, 0)), ghost("blue", (0, 0), n=2), ghost("red", (0, 0))]
    assert enter(ghosts=three).result.reason == "escaped"
    assert enter(life=dict.fromkeys(ARMS, 0)).result.reason == "dead"


def test_a_position_before_tiles_are_turned_up_asks_for_them() -> None:
    """CFA-20."""
    state = enter(phase="laying", to_act=[TABLE])
    assert (state.pending.what, state.pending.n) == ("reveal", 4)


# Repairs


def test_a_repair_sets_straight_what_it_names_and_nothing_else() -> None:
    """The rest stays as it is."""
    state = enter(hands={"blue": ["kit"]}, ghosts=[ghost("red", (4, 0))])
    after = repaired(state, pawns={"red": (2, 0)}, life={"blue": 2}, hands={"green": ["vacuum"]}, points=1)
    assert after.pawns == {**ARMS, "red": (2, 0)}
    assert after.life == {"blue": 2, "red": 3, "yellow": 3, "green": 3}
    assert after.hands == {"blue": ("kit",), "red": (), "yellow": (), "green": ("vacuum",)}
    assert (after.points, after.ghosts, after.active) == (1, state.ghosts, "blue")
    assert sum(after.objects.values()) == 29


def test_a_repair_can_move_tiles_ghosts_and_the_turn() -> None:
    """The board is right; the record is mended."""
    state = enter(ghosts=[ghost("red", (4, 0))])
    after = repaired(state, manor=corridors((1, 2)), ghosts=[ghost("red", (0, 0), 3)], to_act=["green"])
    assert (len(after.manor), shows(after).escaped, GAME.to_act(after)) == (13, 1, ("green",))
    laid = repaired(state, phase="laying", open=[{"kind": "trap", "exits": "NESW"}])
    assert (laid.phase, [each.kind for each in laid.open], GAME.to_act(laid)) == (
        "laying",
        ["trap"],
        ("blue",),
    )


def test_a_repair_may_mend_the_profile_of_the_box() -> None:
    """CFA-2: a tile that the profile did not know is entered into the box first."""
    state = enter(phase="laying", to_act=[TABLE])
    box = plain(state.options.box)
    box["tiles"][0]["count"] -= 1
    box["tiles"] = [*box["tiles"], {"kind": "plain", "exits": "N", "count": 1}]
    after = repaired(state, box=box)
    dead_end = next(a for a in GAME.legal(after, TABLE) if a.tiles[0].id == "plain-N-1")
    assert GAME.apply(after, TABLE, dead_end)[0].open[0].exits in "NESW"


def test_a_refused_repair_names_every_problem() -> None:
    """And changes nothing."""
    with pytest.raises(Illegal) as caught:
        repaired(enter(), life={"red": 7}, points=9)
    assert "red has 7 life" in caught.value.message()
    assert "9 action points" in caught.value.message()


def test_only_the_moderator_repairs() -> None:
    """Players take back or ask."""
    with pytest.raises(Forbidden):
        act(enter(), "blue", "repair", set={})


def test_a_game_that_ended_by_mistake_goes_on_where_the_moderator_says() -> None:
    """CFA-71."""
    over = enter(ghosts=[ghost("blue", (0, 0)), ghost("blue", (0, 0), n=2), ghost("red", (0, 0))])
    with pytest.raises(Illegal):
        repaired(over, ghosts=[])
    state, events = acted(over, MODERATOR, "repair", set={"ghosts": [], "phase": "acting", "to_act": ["red"]})
    assert (state.result, GAME.to_act(state), tags(events)) == (None, ("red",), ["repaired"])


def test_a_ghost_that_a_repair_removes_keeps_nobody_waiting() -> None:
    """CFA-Q4: at a fork, and after it has moved."""
    ring = [tile(at) for at in [(2, 0), (2, 1), (3, 1), (4, 1), (4, 0), (2, -1), (3, -1), (4, -1), (0, 2)]]
    ghosts = [ghost("blue", (0, 2)), ghost("red", (4, 0))]
    state = enter(manor=ring, ghosts=ghosts, to_act=["green"])
    state = act(state, "green", "end")
    assert (state.pending.what, state.moved) == ("fork", ("blue1",))
    assert repaired(state, ghosts=[ghost("red", (4, 0))]).pending.what == "fork"
    after = repaired(state, ghosts=[ghost("blue", (0, 1))])
    assert (after.phase, after.round, after.pending.what) == ("laying", 2, "reveal")
    assert [(each.id, each.power) for each in after.ghosts] == [("blue1", 3)]


def test_a_repair_is_an_entry_of_the_record_and_is_played_again(tmp_path) -> None:
    """And can be taken back like anything else."""
    table = Table(Journal(tmp_path / "journal"))
    table.new("artefacts", {"decks": "virtual"}, seed=1)
    before = table.view(MODERATOR)
    fix = {"life": {"red": 1}, "hands": {"green": ["kit"]}, "leader": "yellow"}
    table.act(MODERATOR, {"type": "repair", "set": fix})
    after = table.view(MODERATOR)
    shown = after.shows
    assert (shown.life["red"], shown.hands["green"], shown.leader) == (1, ("kit",), "yellow")
    table.close()
    again = Table(Journal(tmp_path / "journal"))
    assert again.view(MODERATOR) == after
    again.undo(MODERATOR)
    assert again.view(MODERATOR) == before
    again.close()


def test_a_repair_that_ends_the_game_says_so() -> None:
    """CFA-70."""
    _, events = acted(enter(), MODERATOR, "repair", set={"artefacts": {c: {"home": True} for c in ARMS}})
    assert tags(events) == ["repaired", "over"]


# Who sees what


def private(**changes: Any):
    return enter({"decks": "virtual", "hands": "private"}, **changes)


def test_open_hands_are_for_all_and_private_ones_for_their_owner() -> None:
    """CFA-61: the rules ask for no secrecy; a table may."""
    hands = {"blue": ["kit"], "red": ["chalice", "vacuum"]}
    assert shows(enter(hands=hands)).hands["red"] == ("chalice", "vacuum")
    state = private(hands=hands)
    assert shows(state, "blue").hands == {"blue": ("kit",), "red": None, "yellow": None, "green": None}
    assert shows(state, PUBLIC).hands == dict.fromkeys(ARMS)
    assert shows(state, MODERATOR).hands["red"] == ("chalice", "vacuum")
    assert shows(state, PUBLIC).cards == {"blue": 1, "red": 2, "yellow": 0, "green": 0}
    assert shows(state, PUBLIC).piles == shows(state, "red").piles


def test_private_hands_need_virtual_decks() -> None:
    """Whoever tells what a real pile gave would see what the others hold."""
    with pytest.raises(Illegal):
        enter({"hands": "private"})


def test_a_private_draw_is_heard_by_its_owner_and_left_out_of_the_record() -> None:
    """CFA-61."""
    state = act(private(), "blue", "draw")
    drawn = read({"type": "drawn", "card": "kit"}, GAME.action, "action")
    after, told = GAME.apply(state, TABLE, drawn)
    assert [(whisper.to, plain(whisper.event)["card"]) for whisper in told] == [(("blue",), "kit")]
    assert GAME.recorded(after, drawn, ())[0] == {"type": "drawn"}
    assert GAME.recorded(enter(), drawn, ())[0] == {"type": "drawn", "card": "kit"}


def test_the_worlds_of_private_hands_are_every_deal_that_fits() -> None:
    """CFA-61: the truth among them, each with the very same view; exactly as many as multisets allow."""
    state = private(hands={"blue": ["kit"], "red": ["chalice"], "green": ["vacuum", "vacuum"]})
    view = GAME.view(state, "blue")
    worlds = GAME.worlds(view)
    assert len(worlds) == 6 * 21
    assert state in worlds
    assert all(GAME.view(world, "blue") == view for world in worlds)
    assert GAME.worlds(GAME.view(enter(), "blue"))[0] == enter()


def test_there_is_nothing_to_guess() -> None:
    """Everything on the table is public."""
    with pytest.raises(Illegal):
        GAME.odds(GAME.view(enter(), PUBLIC))


def test_a_tile_put_away_under_the_name_of_another_box_stands_for_one_of_this() -> None:
    """CFA-Q17: the artefact that is offered every turn is one of the box, whatever form was told."""
    away = {"discarded": ["trap-N-7", "plain-NESW-1"], "aside": ["artefact-blue-NS-1"]}
    state = enter({"box": COUNTED}, piles=away)
    kinds = [tiles_of(state.options.box)[id].kind for id in (*state.discarded, *state.aside)]
    assert (kinds, state.aside) == (["trap", "plain", "artefact"], ("artefact-blue-NES-1",))
    assert len(state.pile) == 48 - 12 - 3
    assert not {*state.pile} & {*state.discarded, *state.aside}
