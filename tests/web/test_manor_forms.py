"""The forms of the manor over real sockets: steps to copy, the moderator's repairs, taking back a draw."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from companion.contract import MODERATOR, PUBLIC, plain
from tests.games.artefacts.house import corridors, enter, ghost, shows, tile
from tests.web.conftest import Running
from tests.web.forms import forms
from tests.web.phones import Answer, Phone
from web.render import pages

Run = Callable[..., Running]


@pytest.fixture
def manor(run: Run) -> Running:
    """A house that draws the true pages."""
    return run(renderer=pages)


def lie(house: Running, **changes: Any) -> None:
    """A game that is already under way."""
    decks = changes.pop("decks", "real")
    state = enter({"decks": decks}, **changes)
    options = {"box": plain(state.options.box), "decks": decks}
    house.evening.table.new("artefacts", options, plain(shows(state, MODERATOR)))


def moderator(house: Running) -> Phone:
    return house.moderator()


def seen(house: Running) -> Any:
    return house.evening.table.view(PUBLIC).shows


# Copying


def after_the_ghosts(house: Running) -> None:
    lie(house, ghosts=[ghost("blue", (0, 4)), ghost("red", (4, 0))], to_act=["green"])
    house.evening.table.act("green", {"type": "end"})


def test_one_says_done_and_every_screen_goes_on(manor: Running) -> None:
    """CFA-23."""
    after_the_ghosts(manor)
    ada, tv = manor.guest("Ada"), manor.phone()
    first = "Ghost blue 1 goes south, to (0, 3)."
    assert first in tv.get("/table").text.split('class="cue"')[1].split("</p>")[0]
    assert ada.post("/copied", done=1, next="/watch").status == 200
    for page in ("/table", "/watch"):
        cue = tv.get(page).text.split('class="cue"')[1].split("</p>")[0]
        assert "Ghost red 1 goes west, to (3, 0)." in cue
        assert "Step 2 of 5" in cue
    ada.post("/copied", done=0)
    assert first in tv.get("/table").text.split('class="cue"')[1].split("</p>")[0]
    ada.post("/copied", done=5)
    assert "Table and companion agree." in tv.get("/table").text


def test_copying_is_for_whoever_has_joined_and_changes_no_record(manor: Running) -> None:
    after_the_ghosts(manor)
    record = manor.evening.table.history()
    stranger = manor.phone()
    assert 'action="/copied"' not in stranger.get("/table").text
    assert stranger.forge("/copied", done=1, next="/table").status == 403
    assert manor.evening.table.copying()[1] == 0
    ada = manor.guest("Ada")
    assert 'action="/copied"' in ada.get("/table").text
    for done in ("-5", "99", ""):
        assert ada.forge("/copied", done=done).status == 200
    assert ada.forge("/copied", done="many").status == 400
    assert manor.evening.table.history() == record


# The status strip on the table page


@pytest.mark.parametrize("kit", ["none", "simulated", "manor"])
def test_the_strip_is_on_the_table_page_with_names_and_numbers(run: Run, kit: str) -> None:
    house = run(renderer=pages, kit=kit)
    lie(house, ghosts=[ghost("red", (4, 0), 5)], life={"blue": 1}, points=2)
    html = house.phone().get("/table").text.split('class="strip"')[1].split("</ul>")[0]
    found = re.findall(r"<span>([^<]*) <b>([^<]*)</b></span>", html)
    assert found == [
        ("turn", "leader: blue"),
        ("points", "2/3"),
        ("life blue", "1/3"),
        ("life red", "3/3"),
        ("life yellow", "3/3"),
        ("life green", "3/3"),
        ("escaped", "0/3"),
        ("home", "0/4"),
        ("ghost red 1", "5/6"),
    ]
    # Where the kit has these sections the true colours of its lamps are shown, and follow them.
    assert ('data-led="power.red1-6"' in html) == (kit == "manor")


def test_on_the_strip_only_the_ghost_that_is_copied_now_is_pointed_to(manor: Running) -> None:
    """CFA-23."""
    after_the_ghosts(manor)
    table = manor.phone().get("/table").text.split('class="strip"')[1].split("</ul>")[0]
    pointed = re.findall(r"<li( class=\"cued\")?><span>ghost (\w+ \d)", table)
    assert pointed == [(' class="cued"', "blue 1"), ("", "red 1")]


# Repairs


def repaired(house: Running, phone: Phone, forged: bool = False, **fields: Any) -> Answer:
    form = {name.replace("_", "-"): value for name, value in fields.items()}
    return (phone.forge if forged else phone.post)("/manor/repair", **form, next="/moderator")


def test_the_moderator_puts_a_hunter_right(manor: Running) -> None:
    lie(manor)
    phone = moderator(manor)
    answer = repaired(
        manor, phone, fix="hunter", colour="red", at="3,0", life=1, card_0="kit", card_1="", card_2="chalice"
    )
    assert answer.status == 200
    assert (seen(manor).pawns["red"], seen(manor).life["red"]) == ((3, 0), 1)
    assert seen(manor).hands["red"] == ("chalice", "kit")
    assert seen(manor).pawns["blue"] == (0, 1)
    assert "The moderator put something right." in answer.text


def test_the_moderator_puts_ghosts_right(manor: Running) -> None:
    lie(manor, ghosts=[ghost("blue", (0, 4), 3)])
    phone = moderator(manor)
    repaired(manor, phone, fix="ghost", ghost="blue1", at="2,0", colour="blue", power=5)
    repaired(manor, phone, fix="ghost", ghost=None, at="0,4", colour="blue", power=2)
    ghosts = {each.id: (each.colour, each.power, each.at) for each in seen(manor).ghosts}
    assert ghosts == {"blue1": ("blue", 5, (2, 0)), "blue2": ("blue", 2, (0, 4))}
    repaired(manor, phone, fix="ghost", ghost="blue2", at="0,3", colour="red", power=2)
    repaired(manor, phone, fix="ghost", ghost="blue1", at="gone", colour="blue", power=5)
    assert {each.id: each.at for each in seen(manor).ghosts} == {"red1": (0, 3)}


def test_a_tile_that_lies_elsewhere_takes_along_what_stands_on_it(manor: Running) -> None:
    tiles = corridors(tile((2, 2), "artefact", exits="NE", colour="red"), tile((1, 2)))
    lie(manor, manor=tiles, ghosts=[ghost("blue", (2, 2))], pawns={"red": (2, 2)})
    phone = moderator(manor)
    name = next(each.id for each in seen(manor).manor if each.at == (2, 2))
    repaired(manor, phone, fix="tile", tile=name, at="1,3", turn=1)
    moved = next(each for each in seen(manor).manor if each.id == name)
    assert (moved.at, moved.exits) == ((1, 3), "ES")
    assert (seen(manor).pawns["red"], seen(manor).artefacts["red"].at) == ((1, 3), (1, 3))
    assert seen(manor).ghosts[0].at == (1, 3)
    assert not any(each.at == (2, 2) for each in seen(manor).manor)


def test_tiles_that_the_record_lacks_or_has_too_many(manor: Running) -> None:
    lie(manor)
    phone = moderator(manor)
    before = seen(manor).piles.tiles
    fields = {"exit-N": 1, "exit-S": 1, "at": "1,2", "colour": "blue"}
    assert repaired(manor, phone, fix="new_tile", kind="trap", **fields).status == 200
    found = next(each for each in seen(manor).manor if each.at == (1, 2))
    assert (found.kind, found.exits, seen(manor).piles.tiles) == ("trap", "NS", before - 1)
    repaired(manor, phone, fix="tile", tile=found.id, at="gone", turn=0)
    assert seen(manor).piles.tiles == before
    refused = repaired(manor, phone, fix="new_tile", kind="trap", at="1,2", colour="blue")
    assert refused.status == 400
    assert "Tap the open sides" in refused.text


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("home", {"at": None, "by": None, "home": True, "picked": True}),
        ("green", {"at": None, "by": "green", "home": False, "picked": True}),
        ("0,3", {"at": (0, 3), "by": None, "home": False, "picked": True}),
        ("2,2", {"at": (2, 2), "by": None, "home": False, "picked": False}),
    ],
)
def test_an_artefact_is_where_the_moderator_says(manor: Running, at: str, expected: dict[str, Any]) -> None:
    lie(manor, manor=corridors(tile((2, 2), "artefact", colour="red"), tile((1, 2))))
    assert repaired(manor, moderator(manor), fix="artefact", colour="red", at=at).status == 200
    assert plain(seen(manor).artefacts["red"]) == expected


def test_cards_leader_and_turn(manor: Running) -> None:
    lie(manor, hands={"blue": ["kit"]})
    phone = moderator(manor)
    repaired(manor, phone, fix="cards", used_vacuum=4, gone_chalice=1, sprung_hole=2)
    piles = seen(manor).piles
    assert (piles.used, piles.gone, piles.sprung) == ({"vacuum": 4}, {"chalice": 1}, {"hole": 2})
    assert (piles.objects, piles.traps) == (31 - 1 - 5, 10)
    repaired(manor, phone, fix="turn", leader="yellow", phase="acting", active="green", points=1, moves=2)
    assert (seen(manor).leader, seen(manor).to_act) == ("yellow", ("green",))
    assert (seen(manor).points, seen(manor).moves) == (1, 2)
    refused = repaired(manor, phone, fix="cards", used_vacuum=20)
    assert refused.status == 409
    assert "more cards than in the box" in refused.text


def test_a_game_that_ended_by_mistake_goes_on(manor: Running) -> None:
    """CFA-71."""
    lie(
        manor,
        ghosts=[ghost("blue", (0, 0)), ghost("red", (0, 0)), ghost("green", (-1, 0), 6)],
        to_act=["green"],
    )
    manor.evening.table.act("green", {"type": "end"})
    assert seen(manor).result
    repaired(manor, moderator(manor), fix="ghost", ghost="green1", at="-3,0", colour="green", power=4)
    assert (seen(manor).result, seen(manor).phase, seen(manor).points) == (None, "acting", 3)


def test_only_the_moderator_repairs_and_nonsense_is_refused_in_words(manor: Running) -> None:
    lie(manor)
    ada = manor.guest("Ada")
    before = seen(manor)
    assert ada.forge("/manor/repair", fix="hunter", colour="red", at="3,0", life=1).status == 403
    phone = moderator(manor)
    for fields in (
        {"fix": "everything"},
        {"fix": "hunter", "colour": "pink", "at": "0,1", "life": 1},
        {"fix": "hunter", "colour": "red", "at": "here", "life": 1},
        {"fix": "hunter", "colour": "red", "at": "0,1", "life": "many"},
        {"fix": "tile", "tile": "none", "turn": 0},
    ):
        assert repaired(manor, phone, forged=True, **fields).status == 400
    nowhere = repaired(manor, phone, forged=True, fix="hunter", colour="red", at="9,9", life=1)
    assert "the red pawn is on (9, 9), where no tile lies" in nowhere.text
    assert seen(manor) == before


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_every_form_of_the_moderator_repeats_what_the_record_has(run: Run, language: str) -> None:
    """Sent back as they are, the forms change nothing: what is shown is what is."""
    house = run(renderer=pages)
    tiles = corridors(tile((2, 2), "artefact", colour="red"), tile((1, 2)))
    lie(
        house,
        manor=tiles,
        ghosts=[ghost("blue", (0, 4), 3)],
        hands={"red": ["kit", "vacuum"]},
        life={"red": 2},
    )
    phone = moderator(house)
    phone.post("/me", language=language)
    before, box = seen(house), house.evening.table.view(MODERATOR).knows.options.box
    offered = [one for one in forms(phone.get("/moderator").text) if one.action == "/manor/repair"]
    assert len(offered) == 4 + 1 + 1 + 2 + 4 + 1 + 4 + 1
    for one in offered:
        fields = {name: value for name, value in one.filled({}).items() if name not in ("version", "next")}
        adds = fields["fix"] == ["new_tile"] or (fields["fix"] == ["ghost"] and "ghost" not in fields)
        if adds or fields.get("pile") == ["sheet"]:
            continue
        assert phone.post("/manor/repair", **fields).status == 200, fields
        after = seen(house)
        assert {**plain(after), "steps": []} == {**plain(before), "steps": []}, fields
        assert house.evening.table.view(MODERATOR).knows.options.box == box


# Taking back


def test_a_draw_is_taken_back_when_somebody_else_agrees(manor: Running) -> None:
    ada, zoe = manor.guest("Ada"), manor.guest("Zoé")
    manor.host().post("/host/plan", game="artefacts")
    for phone, seats in ((ada, ("blue", "yellow")), (zoe, ("red", "green"))):
        for seat in seats:
            assert phone.post("/seat/take", seat=seat).status == 200
    lie(manor, decks="virtual")
    assert ada.post("/manor/act", seat="blue", action=json.dumps({"type": "draw"})).status == 200
    card = seen(manor).hands["blue"]
    ada.post("/undo", seat="blue")
    assert seen(manor).hands["blue"] == card
    assert 'action="/undo/agree"' not in ada.get("/play").text
    assert 'action="/undo/agree"' in zoe.get("/play").text
    assert zoe.post("/undo/agree").status == 200
    assert seen(manor).hands["blue"] == ()
    ada.post("/manor/act", seat="blue", action=json.dumps({"type": "draw"}))
    assert seen(manor).hands["blue"] == card


def test_whoever_runs_all_four_colours_asks_nobody(manor: Running) -> None:
    """CFA-Q1."""
    manor.host().post("/host/plan", game="artefacts")
    ada = manor.guest("Ada")
    for seat in ("blue", "red", "yellow", "green"):
        assert ada.post("/seat/take", seat=seat).status == 200
    lie(manor, decks="virtual")
    for seat in ("blue", "red", "yellow", "green"):
        assert seen(manor).to_act == (seat,)
        assert f'name="seat" value="{seat}"' in ada.get("/play").text
        ada.post("/manor/act", seat=seat, action=json.dumps({"type": "draw"}))
        ada.post("/undo", seat=seat)
        assert seen(manor).hands[seat] == ()
        ada.post("/manor/act", seat=seat, action=json.dumps({"type": "end"}))
