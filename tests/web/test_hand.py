"""The hand that fills in forms for other tests: it sends what a person could send there, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import web
from tests.web.conftest import Running
from tests.web.forms import ALIKE, WRITTEN, Misfit, sent_by
from tests.web.phones import Answer

WEB = Path(web.__file__).parent
PAGE = """
<form method="post" action="/plan"><input type="hidden" name="csrf" value="t0k3n">
<label>Players <input type="radio" name="players" value="2"></label>
<label><input type="radio" name="players" value="4" checked></label>
<select name="level"><option value="easy">easy</option><option value="hard" selected>hard</option></select>
<input type="checkbox" name="lamp" value="red"><input type="checkbox" name="lamp" value="blue" checked>
<input name="name" value="Ada" required maxlength="5"><input name="pin" pattern="[0-9]*">
<textarea name="note">!</textarea><input name="gone" value="1" disabled>
<input type="number" name="rooms" min="2" value="36">
<input type="number" name="width" step="any" value="1"></form>
<form method="post" action="/sit"><label><input type="radio" name="seat" value="p1"></label>
<label><input type="radio" name="seat" value="p2" required></label>
<input type="file" name="face" required></form>
<form id="act" method="post" action="/act"><input type="hidden" name="seat" value="p1">
<input type="radio" name="action" value='{"room": 3, "type": "hide"}'>
<button>Hide</button><button name="same" value="1">As before</button></form>
<input type="radio" name="as" form="act" value="p2"><button form="act" formaction="/help">Help me</button>
"""
AS_IT_IS = {
    "csrf": ["t0k3n"],
    "players": ["4"],
    "level": ["hard"],
    "lamp": ["blue"],
    "name": ["Ada"],
    "pin": [""],
    "note": ["!"],
    "rooms": ["36"],
    "width": ["1"],
}


def sent(path: str, **fields: Any) -> dict[str, list[str]]:
    return sent_by(PAGE, path, fields)[1]


def test_a_form_that_nobody_touches_sends_what_stands_in_it() -> None:
    assert sent("/plan") == AS_IT_IS


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"players": 2, "level": "easy"}, {"players": ["2"], "level": ["easy"]}),
        ({"lamp": ["red", "blue"], "pin": "123"}, {"lamp": ["red", "blue"], "pin": ["123"]}),
        ({"rooms": 2, "width": "0.5"}, {"rooms": ["2"], "width": ["0.5"]}),
        ({"csrf": "t0k3n", "note": "a\nb"}, {"note": ["a\nb"]}),
    ],
)
def test_what_a_person_can_fill_in_is_sent(fields: dict[str, Any], told: dict[str, list[str]]) -> None:
    assert sent("/plan", **fields) == AS_IT_IS | told


def test_a_tick_can_be_taken_away() -> None:
    assert "lamp" not in sent("/plan", lamp=None)


@pytest.mark.parametrize(
    ("path", "fields", "why"),
    [
        ("/plan", {"colour": "red"}, "has no field colour"),
        ("/plan", {"gone": "1"}, "has no field gone"),
        ("/plan", {"players": 3}, "has a field players, which offers ['2', '4'], not ['3']"),
        ("/plan", {"players": ["2", "4"]}, "has a field players, which has room for one"),
        ("/plan", {"csrf": "other"}, "has a field csrf, which is hidden and says 't0k3n'"),
        ("/plan", {"name": "Marguerite"}, "has a field name, which takes 5 signs, not 10"),
        ("/plan", {"name": ""}, "has a field name, which must be filled in"),
        ("/plan", {"pin": "x"}, "has a field pin, which takes [0-9]*, not 'x'"),
        ("/plan", {"level": ["easy", "hard"]}, "has a field level, which has room for one"),
        ("/plan", {"players": None}, "has a field players, which cannot be left out"),
        ("/plan", {"note": None}, "has a field note, which cannot be left out"),
        ("/plan", {"rooms": "many"}, "has a field rooms, which takes a whole number, not 'many'"),
        ("/plan", {"rooms": "2.5"}, "has a field rooms, which takes a whole number, not '2.5'"),
        ("/plan", {"rooms": 1}, "has a field rooms, which goes from 2 to None, not to 1"),
        ("/plan", {"width": "wide"}, "has a field width, which takes a number, not 'wide'"),
        ("/sit", {"face": b"x"}, "has a field seat, which must be filled in"),
        ("/sit", {"seat": "p1"}, "has a field face, which must be filled in"),
        ("/act", {"type": "hide", "room": 4}, "has no field type"),
        ("/leave", {}, "has no form that goes there"),
    ],
)
def test_what_nobody_could_send_is_the_tests_own_failure(path: str, fields: dict[str, Any], why: str) -> None:
    with pytest.raises(Misfit, match=re.escape(why)):
        sent(path, **fields)


@pytest.mark.parametrize("fields", [{"type": "hide", "room": 3}, {"action": '{"type":"hide","room":3}'}])
def test_an_action_in_other_words_is_the_choice_that_says_the_same(fields: dict[str, Any]) -> None:
    assert sent("/act", **fields) == {"seat": ["p1"], "action": ['{"room": 3, "type": "hide"}']}


def test_a_button_that_says_something_is_pressed_only_by_name() -> None:
    assert "same" not in sent("/act")
    assert sent("/act", same=1)["same"] == ["1"]


def test_what_stands_beside_a_form_belongs_to_it() -> None:
    assert sent("/help") == {"seat": ["p1"]}
    assert sent("/act", **{"as": "p2"}) == {"seat": ["p1"], "as": ["p2"]}


def test_a_phone_names_page_form_and_field(house: Running) -> None:
    ada = house.guest("Ada")
    with pytest.raises(Misfit, match=r"to /seat/take:\n(.*\n)*/play has a field seat, which offers"):
        ada.post("/seat/take", seat="p9")
    assert ada.forge("/seat/take", seat="p9").status == 403


def test_an_old_page_sends_what_stood_on_it(house: Running) -> None:
    """Ada looked before Ben sat down: her page still offers his chair."""
    ada, ben = house.guest("Ada"), house.guest("Ben")
    old: Answer = ada.get("/play")
    assert ben.post("/seat/take", seat="p1").status == 200
    assert ada.post("/seat/take", page=old, seat="p1").errors == ["forbidden"]


# What scripts send besides


SENDERS = {
    "static/live.js": "new FormData(form, button)",  # every form, as it is
    "static/table.js": "new FormData(form)",  # a button of the board, pressed and let go
    "static/handover.js": "hold: page.dataset.hold, csrf:",  # the page in hand is put down
    "games/canterville/static/draw.js": "new FormData(form)",  # a castle as it has been drawn
    "games/phantom/static/laying.js": "new FormData(grid())",  # a tile on its square
}
"""The scripts that send anything, and what each begins with."""


def test_scripts_send_the_forms_of_pages_and_besides_what_is_told_of_them() -> None:
    texts = {str(path.relative_to(WEB)): path.read_text(encoding="utf-8") for path in WEB.rglob("*.js")}
    assert {name for name, text in texts.items() if '"POST"' in text} == SENDERS.keys()
    assert all(begins in texts[name] for name, begins in SENDERS.items())
    assert all(f"form.elements.{field}.value =" in texts[script] for field, script in WRITTEN.items())
    for path, (drawn, script) in ALIKE.items():
        assert f'"{path}"' in texts[script]
        assert f'"{drawn}"' in texts[script]
