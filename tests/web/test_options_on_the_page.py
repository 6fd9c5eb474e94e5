"""Every option of every game stands on the host's page in words and does something, or the game says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion import games, options, words
from companion.contract import MODERATOR, Game, plain
from companion.options import Offer
from tests.options.test_every_option import BESIDE, EXCLUSIVE, given_out, tried
from tests.web.conftest import Running
from tests.web.forms import Field
from tests.web.phones import Phone
from web.evening.planning import OWN_FIELDS, PREFIX
from web.games import find as pages_of
from web.render import pages

ANIMALS = {"bats": "4", "cats": "4", "hedgehogs": "6", "mice": "4", "owls": "4"}
SOME = {"trap": "h1", "tournament.games": "3"}
"""Any value of an option, where another needs that it has one."""

Run = Callable[..., Running]
GAMES = [games.find(name) for name in games.names()]
FIRST = {*OWN_FIELDS, *(name for game in GAMES for name in pages_of(game.name).upfront)}
"""Options that stand among the first choices, under a heading of their own."""
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def field_name(option: str) -> str:
    return option if option in FIRST else PREFIX + option


def planned(run: Run, game: Game[Any]) -> tuple[Running, Phone]:
    """A house with the real pages, whose host has chosen a game and said what it cannot begin without."""
    house = run(renderer=pages, kit="simulated")
    host = house.host()
    host.post("/host/plan", game=game.name)
    if game.name == "canterville":
        assert host.post("/host/animals", **ANIMALS).status == 200
    return house, host


def come_to_be_asked(host: Phone, game: Game[Any], offer: Offer) -> None:
    """Choose nothing but what the page wants to know before it asks for an option."""
    for name in (next(each.name for each in GAMES if each.name != game.name), game.name):
        host.post("/host/plan", game=name)
    by_name, steps = {each.name: each for each in options.offers(game)}, list[dict[str, str]]()
    while offer.needs is not None:
        needed, value = offer.needs
        steps.insert(0, {field_name(needed): value or SOME[needed]})
        offer = by_name[needed]
    for step in steps:
        assert host.post("/host/plan", **step).status == 200


def together(game: Game[Any], offer: Offer, value: str) -> dict[str, str]:
    """What is chosen at once: the option, and what a table must say with it."""
    if offer.option in EXCLUSIVE:
        chosen = given_out(game, offer, value)
    elif value == offer.usual:
        chosen = {offer.name: value}
    else:
        chosen = {**BESIDE.get((game.name, offer.name), {}), offer.name: value}
    return {field_name(name): text for name, text in chosen.items()}


def chosen_step_by_step(host: Phone, fields: dict[str, str]) -> None:
    """Fill in what the page asks for, look again, and fill in what it asks for now."""
    while fields:
        here = host.form("/host", "/host/plan", id="plan").fields
        now = {name: value for name, value in fields.items() if name in here}
        assert now, f"the page never asks for {sorted(fields)}"
        assert host.post("/host/plan", **now).status == 200
        fields = {name: value for name, value in fields.items() if name not in now}


def played_with(house: Running, host: Phone) -> dict[str, str]:
    """Begin with the button of the page; the options that the table plays with come back, and it is left."""
    answer = host.post("/host/start")
    table = house.evening.table
    assert table.game is not None, answer.text
    found = options.fields_of(table.game, plain(table.view(MODERATOR).knows.options))
    assert host.post("/host/abandon").status == 200
    return found


def in_words(field: Field, offer: Offer, told: dict[str, Any]) -> None:
    """A field says what it is about, what that does, and each value by a word of its own."""
    if offer.name not in FIRST:
        assert told["label"] in field.label
        assert told["hint"] in field.label
    said = [text for value, text in field.words.items() if value]
    assert all(said)
    assert len(set(said)) == len(said)
    assert not any("_" in text or text in games.names() for text in said)
    assert field.typed == (offer.kind == "number" and offer.name not in FIRST)


@each_game
def test_every_option_is_asked_for_in_words_of_three_languages(game: Game[Any], run: Run) -> None:
    _, host = planned(run, game)
    for offer in options.offers(game):
        come_to_be_asked(host, game, offer)
        said = set()
        for language in words.LANGUAGES:
            host.post("/me", language=language)
            field = host.form("/host", "/host/plan", id="plan").fields[field_name(offer.name)]
            in_words(field, offer, options.described(game, language)[offer.name])
            said.add((field.label, *field.words.values()))
        assert len(said) == len(words.LANGUAGES) or offer.name == "players"


@each_game
def test_what_is_chosen_on_the_page_is_what_the_table_plays(game: Game[Any], run: Run) -> None:
    house, host = planned(run, game)
    for offer in options.offers(game):
        come_to_be_asked(host, game, offer)
        offered = host.form("/host", "/host/plan", id="plan").fields[field_name(offer.name)]
        values = [each for each in tried(offer) if offered.typed or each in offered.words]
        value = next(each for each in reversed(values) if each != offer.usual)
        chosen_step_by_step(host, together(game, offer, value))
        assert host.form("/host", "/host/plan", id="plan").fields[field_name(offer.name)].value == value
        assert played_with(house, host)[offer.name] == value, offer.name


@each_game
def test_what_the_page_never_asks_for_has_a_reason(game: Game[Any], run: Run) -> None:
    _, host = planned(run, game)
    asked = set()
    for offer in options.offers(game):
        come_to_be_asked(host, game, offer)
        fields = host.form("/host", "/host/plan", id="plan").fields
        asked |= {name.removeprefix(PREFIX).partition(".")[0] for name in fields}
    reasons = {name: reason for name, reason in game.elsewhere.items() if "." not in name}
    assert set(game.options.__struct_fields__) - asked == set(reasons)
    assert all(len(reason.split()) > 3 for reason in reasons.values())
