"""The box of a manor: written down with what nobody has counted, and put right while the game goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.contract import MODERATOR, plain
from companion.games.artefacts.box import INVENTED, Box
from companion.games.artefacts.manor import COLOURS
from tests.games.artefacts.house import COUNTED, enter, shows
from tests.web.conftest import Running
from tests.web.forms import forms
from tests.web.phones import Phone
from web.games.artefacts.box import written
from web.render import pages

THREE_GONE: dict[str, Any] = {"piles": {"gone": {"chalice": 3}}}
OURS = {"plain-NESW": "12", "plain-NES": "2", "object-vacuum": "11", "object-chalice": "4"}
"""What is otherwise in a family's box."""


@pytest.fixture
def manor(run: Callable[..., Running]) -> Running:
    return run(renderer=pages)


def under_way(house: Running, box: Any, **changes: Any) -> None:
    """A game with real decks and this box, blue to act."""
    state = enter({"box": box}, **changes)
    options = {"box": plain(state.options.box), "decks": "real"}
    house.evening.table.new("artefacts", options, plain(shows(state, MODERATOR)))


def box_of(house: Running) -> Box:
    found: Box = house.evening.table.view(MODERATOR).knows.options.box
    return found


def hunter(house: Running) -> Phone:
    """Ada, who runs the blue one."""
    house.host().post("/host/plan", game="artefacts")
    phone = house.guest("Ada")
    assert phone.post("/seat/take", seat="blue").status == 200
    return phone


def drawn(phone: Phone, card: str) -> Any:
    """Draw an object card by the player's page, and tell what it was."""
    act = phone.form("/play/blue", "/manor/act")
    asked = [value for value in act.fields["action"].words if '"drawn"' in value]
    return phone.post(
        "/manor/act", page=phone.get("/play/blue"), action=next(a for a in asked if f'"{card}"' in a)
    )


def draws(phone: Phone) -> set[str]:
    """The cards that the player's page offers to tell."""
    offered = phone.form("/play/blue", "/manor/act").fields["action"].words
    return {
        card for card in INVENTED.objects if any(f'"drawn", "card": "{card}"' in each for each in offered)
    }


# The sheet


def test_a_box_sheet_keeps_what_nobody_has_counted(manor: Running) -> None:
    """CFA-3: through the forms, there and back."""
    host = manor.host()
    blank = host.form("/boxes/new?game=artefacts", "/boxes/save")
    assert [blank.fields[f"unknown-{pile}"].value for pile in ("tiles", "objects", "traps")] == [None] * 3
    counted = {name: n for name, n in written(INVENTED).items() if not name.startswith("unknown")}
    told = {**counted, **OURS, "name": "Ours", "unknown-tiles": "1", "unknown-traps": "1"}
    assert host.post("/boxes/save", page=host.get("/boxes/new?game=artefacts"), **told).status == 200
    ours = manor.evening.shelf.find("Ours").box
    assert (ours.unknown, ours.objects["chalice"]) == (("tiles", "traps"), 4)
    page = "/boxes/box?name=Ours"
    assert host.post("/boxes/save", page=host.get(page)).status == 200
    assert manor.evening.shelf.find("Ours").box == ours
    assert host.post("/boxes/save", page=host.get(page), **{"unknown-tiles": None}).status == 200
    assert manor.evening.shelf.find("Ours").box.unknown == ("traps",)


def test_piles_that_were_left_empty_and_uncounted_are_our_guess(manor: Running) -> None:
    host = manor.host()
    cards = {name: n for name, n in written(INVENTED).items() if name.startswith("object-")}
    told = {**cards, "name": "Ours", "unknown-tiles": "1", "unknown-traps": "1"}
    host.post("/boxes/save", page=host.get("/boxes/new?game=artefacts"), **told)
    ours = manor.evening.shelf.find("Ours").box
    assert (ours.tiles, ours.traps) == (INVENTED.tiles, INVENTED.traps)
    told = {**told, "name": "B", "unknown-traps": None}
    refused = host.post("/boxes/save", page=host.get("/boxes/new?game=artefacts"), **told)
    assert (refused.status, "0 trap cards in place of 12" in refused.text) == (409, True)


# The game that goes on


def test_the_moderator_counts_a_pile_anew_and_the_card_can_be_told(manor: Running) -> None:
    """CFA-3: by the box there is no fourth chalice; in it there is."""
    ada, isla = hunter(manor), manor.moderator()
    under_way(manor, COUNTED, **THREE_GONE)
    assert "chalice" not in draws(ada)
    changed = {"object-chalice": "4", "object-vacuum": "11"}
    assert isla.post("/manor/repair", pile="objects", **changed).status == 200
    assert (box_of(manor).objects["chalice"], box_of(manor).unknown) == (4, ())
    assert drawn(ada, "chalice").status == 200
    assert manor.evening.table.view(MODERATOR).shows.hands["blue"] == ("chalice",)
    short = isla.post("/manor/repair", pile="objects", **{"object-kit": "1"})
    assert (short.status, "27 object cards in place of 31" in short.text) == (409, True)
    wrong = isla.forge("/manor/repair", fix="box", pile="dice", next="/moderator")
    assert wrong.status == 400
    page = forms(isla.get("/moderator").text)
    traps = next(one for one in page if one.fields.get("pile") and one.fields["pile"].value == "traps")
    assert isla.forge("/manor/repair", **{**traps.filled({}), "trapcard-hole": "99"}).status == 409


def test_tiles_are_counted_anew_and_the_artefacts_stay(manor: Running) -> None:
    """CFA-2."""
    under_way(manor, COUNTED)
    isla, before = manor.moderator(), manor.evening.table.view(MODERATOR).shows
    changed = {"plain-NESW": "9", "ghost-NE": "1"}
    assert isla.post("/manor/repair", pile="tiles", **changed).status == 200
    now = written(box_of(manor))
    assert (now["plain-NESW"], now["ghost-NE"]) == ("9", "1")
    assert {c: now[f"artefact-{c}"] for c in COLOURS} == dict.fromkeys(COLOURS, "NES")
    after = manor.evening.table.view(MODERATOR).shows
    assert (after.manor, after.piles.tiles) == (before.manor, before.piles.tiles)


def test_what_is_not_counted_follows_and_the_surprise_is_seen_until_the_box_is_changed(
    manor: Running,
) -> None:
    """CFA-3."""
    ada, isla, host = hunter(manor), manor.moderator(), manor.host("Kim")
    under_way(manor, COUNTED, **THREE_GONE)
    assert "More than we thought" not in ada.get("/play/blue").text
    isla.post("/manor/repair", pile="objects", **{"unknown-objects": "1"})
    assert box_of(manor).unknown == ("objects",)
    drawn(ada, "chalice")
    said = "More than we thought: chalice."
    for phone, page in ((ada, "/play/blue"), (host, "/host"), (isla, "/moderator")):
        card = phone.get(page).text.split('<section class="panel stack surprise"')[1].split("</section>")[0]
        assert said in card
        assert "More than we thought: change the box?" in card
        assert ('href="#fix-box"' in card) == (phone is isla)
    assert '<details class="fold" id="fix-box" open>' in isla.get("/moderator").text
    became = ada.post("/moderator", page=ada.get("/play/blue"), name="Ada", pin=manor.evening.pin.shown)
    assert became.status == 200
    isla.post("/manor/repair", pile="objects")
    for phone, page in ((ada, "/play/blue"), (host, "/host"), (isla, "/moderator")):
        assert 'class="panel stack surprise"' not in phone.get(page).text


def test_a_surprise_of_a_game_that_is_over_is_no_card(manor: Running) -> None:
    ada = hunter(manor)
    under_way(manor, plain(INVENTED), **THREE_GONE)
    drawn(ada, "chalice")
    assert 'class="panel stack surprise"' in ada.get("/play/blue").text
    manor.evening.table.act("blue", {"type": "end"})
    manor.evening.table.act(
        MODERATOR, {"type": "repair", "set": {"life": dict.fromkeys(COLOURS, 0), "hands": {"blue": []}}}
    )
    assert manor.evening.table.view(MODERATOR).shows.result is not None
    assert 'class="panel stack surprise"' not in ada.get("/play/blue").text


def test_a_game_takes_what_the_box_sheet_says(manor: Running) -> None:
    """CFA-1 to CFA-3; a tile that was put away under a name that the sheet lacks is put away all the same."""
    isla, host = manor.moderator(), manor.host("Kim")
    away = {"piles": {"discarded": ["trap-NS-2"]}}
    under_way(manor, COUNTED, **away)
    before = manor.evening.table.view(MODERATOR).shows
    assert before.piles.tiles == 48 - 12 - 1
    none = isla.post("/manor/repair", pile="sheet")
    assert (none.status, "no box sheet of this game" in none.text) == (409, True)
    told = {**written(INVENTED), **OURS, "trap-NS": "0", "trap-N": "2", "object-kit": "5", "name": "Ours"}
    told |= {"arm-blue": "E", "arm-red": "N", "arm-yellow": "S", "arm-green": "W", "cost-kit": "2"}
    assert host.post("/boxes/save", page=host.get("/boxes/new?game=artefacts"), **told).status == 200
    assert isla.post("/manor/repair", pile="sheet").status == 200
    ours, now = manor.evening.shelf.find("Ours").box, box_of(manor)
    assert (now.tiles, now.objects, now.cost) == (ours.tiles, ours.objects, ours.cost)
    assert now.arms == {}, "the cross lies as it lies"
    after = manor.evening.table.view(MODERATOR).shows
    assert (after.manor, after.pawns, after.piles.tiles) == (before.manor, before.pawns, before.piles.tiles)


def test_only_the_moderator_changes_the_box(manor: Running) -> None:
    ada = hunter(manor)
    under_way(manor, COUNTED)
    assert ada.forge("/manor/repair", fix="box", pile="objects").status == 403
    assert not [one for one in forms(ada.get("/play/blue").text) if one.action == "/manor/repair"]
    assert box_of(manor).unknown == ()
