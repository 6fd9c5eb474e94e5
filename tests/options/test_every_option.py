"""Every option of every game is offered in words, or the game says why not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion import games, options, words
from companion.contract import Game, plain, read_options
from companion.options import Offer
from companion.refusals import Malformed, Refusal
from companion.words import Saying

GAMES = [games.find(name) for name in games.names()]
OFFERS = [(game, offer) for game in GAMES for offer in options.offers(game)]
FRAMES = {"bats": 4, "cats": 4, "hedgehogs": 4, "mice": 4, "owls": 4}
NEEDED: dict[str, dict[str, Any]] = {"canterville": {"frames": FRAMES}, "phantom": {}, "artefacts": {}}
"""What a game cannot begin without and no form of options asks for."""
BESIDE: dict[tuple[str, str], dict[str, str]] = {
    ("phantom", "first_master"): {"first_seat": "p4"},
    ("phantom", "trays.blue"): {"trays.red": "p2", "trays.green": "p3", "trays.white": "p4"},
    ("phantom", "trays.red"): {"trays.blue": "p1", "trays.green": "p3", "trays.white": "p4"},
    ("phantom", "trays.green"): {"trays.blue": "p1", "trays.red": "p2", "trays.white": "p4"},
    ("phantom", "trays.white"): {"trays.blue": "p1", "trays.red": "p2", "trays.green": "p3"},
    ("artefacts", "revive_life"): {"max_life": "12"},
    ("artefacts", "max_life"): {"revive_life": "1"},
}
"""What must be chosen beside an option, so that a table can agree on it."""
EXCLUSIVE = {"trays", "seating", "arms"}
"""Options in which every value is given out once: a part is tried by swapping it with another."""


def named(offer: tuple[Game[Any], Offer]) -> str:
    return f"{offer[0].name}-{offer[1].name}"


each_offer = pytest.mark.parametrize("offered", OFFERS, ids=[named(each) for each in OFFERS])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_option_is_offered_or_the_game_says_why_not(game: Game[Any]) -> None:
    offered = {offer.option for offer in options.offers(game)}
    every = set(game.options.__struct_fields__)
    assert offered | {name for name in game.elsewhere if "." not in name} == every
    assert offered.isdisjoint(game.elsewhere)
    assert all(len(reason.split()) > 3 for reason in game.elsewhere.values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_reasons_and_dependencies_name_things_that_there_are(game: Game[Any]) -> None:
    names = {offer.name: offer for offer in options.offers(game)}
    for name in game.elsewhere:
        kind = game.options
        for step in name.split("."):
            field = next(each for each in msgspec.structs.fields(kind) if each.name == step)
            parts = options._alternatives(msgspec.inspect.type_info(field.type))[0]
            kind = getattr(parts[0], "cls", None)
    for name, (other, value) in game.needed.items():
        assert name in names
        assert value is None or names[other].kind == "number" or value in names[other].choices


@each_offer
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_offer_has_words_for_what_it_is_what_it_does_and_each_value(
    offered: tuple[Game[Any], Offer], language: str
) -> None:
    game, offer = offered
    said = [offer.label(), offer.hint(), offer.by_the_rules(), *map(offer.said, offer.choices)]
    for each in said:
        if isinstance(each, Saying):
            speaker, _, key = each.key.partition(".")
            assert key in words.sentences(speaker, language), each.key
            assert "{" not in each.said(language)
    assert len(offer.hint().said(language).split()) > 3
    values = [str(offer.said(value)) for value in options.open_choices(game, offer, game.options())]
    assert len(set(values)) == len(values)


@each_offer
def test_a_number_has_a_range_and_a_choice_has_several_values(offered: tuple[Game[Any], Offer]) -> None:
    _, offer = offered
    if offer.kind == "number":
        assert offer.least is not None
        assert offer.most is not None
        assert offer.least < offer.most
    else:
        assert len(set(offer.choices)) == len(offer.choices) > 1
    assert offer.usual is None or offer.kind == "number" or offer.usual in offer.choices


def tried(offer: Offer) -> list[str]:
    """The values of an offer that are tried: all of a choice, the ends of a range."""
    return [str(offer.least), str(offer.most)] if offer.kind == "number" else list(offer.choices)


def chosen(game: Game[Any], offer: Offer, value: str) -> dict[str, Any]:
    """The options of a form on which one thing is chosen, with whatever it needs."""
    fields = {offer.name: value}
    if offer.needs is not None:
        fields[offer.needs[0]] = offer.needs[1] or {"trap": "h1", "tournament.games": "3"}[offer.needs[0]]
        if offer.needs[0] == "tournament.games":
            fields["master_game"] = "true"
    if (game.name, offer.name, value) != ("phantom", "first_master", "left_of_first_hunter"):
        fields = {**BESIDE.get((game.name, offer.name), {}), **fields}
    if offer.option in EXCLUSIVE:
        fields = given_out(game, offer, value)
    return options.chosen(game, fields)


def given_out(game: Game[Any], offer: Offer, value: str) -> dict[str, str]:
    """All parts of an option whose values are given out once, this one with this value."""
    parts = [each for each in options.offers(game) if each.option == offer.option]
    rest = iter(each for each in offer.choices if each != value)
    return {each.name: value if each.name == offer.name else next(rest) for each in parts}


@each_offer
def test_every_value_that_is_offered_is_taken_and_takes_effect(offered: tuple[Game[Any], Offer]) -> None:
    """A table that chooses it begins, and its options are as the form said."""
    game, offer = offered
    usual = game.options()
    for value in tried(offer):
        told = {**NEEDED[game.name], **chosen(game, offer, value)}
        if offer.kind == "choice" and value not in options.open_choices(
            game, offer, read_options(game, told)
        ):
            continue
        state = game.start(read_options(game, told))
        assert options.fields_of(game, plain(state.options))[offer.name] == value
        if value != offer.usual:
            assert getattr(state.options, offer.option) != getattr(usual, offer.option) or offer.usual is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_a_form_leaves_empty_is_as_in_the_rules(game: Game[Any]) -> None:
    assert options.chosen(game, dict.fromkeys((offer.name for offer in options.offers(game)), " ")) == {}
    assert read_options(game, options.chosen(game, {})) == game.options()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_fields_of_some_options_say_these_options_again(game: Game[Any]) -> None:
    fields = {offer.name: tried(offer)[-1] for offer in options.offers(game)}
    told = options.chosen(game, fields)
    assert options.fields_of(game, told) == fields
    assert msgspec.convert(told, dict[str, Any])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"nothing": "1"}, "nothing"),
        ({"keeper": "nobody"}, "Who keeps the ghosts: nobody"),
        ({"objective": "many"}, "Objective, in thousands: a whole number"),
        ({"objective": "-3"}, "whole number"),
        ({"master_game": "perhaps"}, "there are: "),
    ],
)
def test_a_form_that_says_something_else_is_told_what_there_is(fields: dict[str, str], said: str) -> None:
    with pytest.raises(Malformed) as caught:
        options.chosen(games.find("phantom"), fields)
    assert said in caught.value.message()


def test_what_a_table_may_choose_depends_on_what_it_has_chosen() -> None:
    phantom, canterville = games.find("phantom"), games.find("canterville")
    seat = next(offer for offer in options.offers(phantom) if offer.name == "first_seat")
    trap = next(offer for offer in options.offers(canterville) if offer.name == "trap")
    assert options.open_choices(phantom, seat, phantom.options(players=4)) == ("p2", "p4")
    assert options.open_choices(phantom, seat, phantom.options(players=3)) == ("p2", "p3")
    bids = phantom.options(players=2, master_game=True)
    assert options.open_choices(phantom, seat, bids) == ("p1", "p2")
    assert options.open_choices(canterville, trap, canterville.options(players=3)) == ("false", "h1", "h2")


def test_a_form_chooses_a_tournament_an_order_of_seats_and_what_cards_cost() -> None:
    """The parts of an option come together again."""
    phantom, artefacts = games.find("phantom"), games.find("artefacts")
    assert options.chosen(phantom, {"master_game": "true", "tournament.games": "3"}) == {
        "master_game": True,
        "tournament": {"games": 3},
    }
    fields = {f"seating.{n}": colour for n, colour in enumerate(("red", "blue", "green", "yellow"), 1)}
    told = options.chosen(artefacts, {**fields, "cost.kit": "0", "arms.blue": "S", "fights_per_turn": "1"})
    assert told["seating"] == ["red", "blue", "green", "yellow"]
    assert (told["cost"], told["arms"], told["fights_per_turn"]) == ({"kit": 0}, {"blue": "S"}, 1)


def test_a_row_that_is_told_in_part_is_refused_in_words() -> None:
    artefacts = games.find("artefacts")
    told = options.chosen(artefacts, {"seating.2": "red"})
    with pytest.raises(Refusal) as caught:
        artefacts.start(read_options(artefacts, told))
    assert "four colours" in caught.value.message()


def test_a_game_with_an_option_that_nobody_can_offer_is_told_so() -> None:
    class Odd(msgspec.Struct, frozen=True):
        players: int = 2
        layout: list[int] = []

    class OddGame:
        name, options, elsewhere, needed, vocabulary = "odd", Odd, {}, {}, {}

    with pytest.raises(TypeError, match="layout can be offered as nothing"):
        options.offers(OddGame())  # type: ignore[arg-type]


def test_described_options_are_plain_words() -> None:
    told = options.described(games.find("artefacts"), "fr")
    assert told["cost.kit"]["by_the_rules"] == "comme le dit la fiche de la boîte, sinon 1"
    assert told["leader"]["label"].startswith("Couleur du plus jeune")
    assert told["hands"]["values"] == {"open": "sont visibles", "private": "sont secrètes"}
    assert told["fights_per_turn"]["by_the_rules"] == "un"


@pytest.mark.parametrize(
    ("name", "chosen", "means"),
    [
        ("first_seat", {}, False),
        ("first_seat", {"first_master": "chosen"}, True),
        ("tiles_3p", {}, False),
        ("tiles_3p", {"players": 3}, True),
        ("bid_timing", {}, False),
        ("bid_timing", {"master_game": True}, True),
        ("tournament_packs", {"master_game": True}, False),
        ("tournament_packs", {"master_game": True, "tournament": {"games": 2}}, True),
    ],
)
def test_a_choice_means_something_only_beside_the_one_it_depends_on(
    name: str, chosen: dict[str, Any], means: bool
) -> None:
    """By the value that is wanted there, or by any at all."""
    game = games.find("phantom")
    offer = next(offer for offer in options.offers(game) if offer.name == name)
    assert options.meant(game, offer, msgspec.convert(chosen, game.options)) == means
