"""What the end of the turn would bring, what to fear, and all of it in words."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from companion import words
from companion.contract import TABLE, Event, heard, plain
from companion.games.artefacts import GAME, box, events, foresight, manor
from companion.games.artefacts.foresight import Fear, preview, reach, routes, warnings
from companion.games.artefacts.telling import tell, warn
from tests.games.artefacts.house import acted, corridors, enter, ghost, playing, refused, tags, tile

RESERVED = ("trap_ahead", "fork")


def ahead(state) -> list[Event]:
    return list(preview(GAME.view(state, "public")))


def feared(state) -> list[dict[str, Any]]:
    return [plain(each) for each in warnings(GAME.view(state, "public"))]


def test_the_preview_is_what_really_happens() -> None:
    """CFA-23, CFA-50: moves, escapes and growth in the same order; the table is as it was."""
    compared = 0
    for seed in range(12):
        for state, seat, action in playing(seed, decks="virtual"):
            if state.phase == "acting" and state.turn == 3 and plain(action)["type"] == "end":
                expected = ahead(state)
                if not set(tags(expected)) & set(RESERVED):
                    after, told = GAME.apply(state, seat, action)
                    if after.pending is not None and after.pending.what == "order":
                        continue  # the leader has a say in it
                    real = [event for event in heard(told, seat) if tags([event])[0] not in ("round", "over")]
                    assert [e for e in real if tags([e]) != ["appeared"]] == expected
                    compared += bool(expected)
    assert compared > 10


def test_the_preview_shows_forks_and_traps_as_unknown() -> None:
    """CFA-41, CFA-Q4."""
    fork = [tile(at) for at in [(0, 2), (1, 2), (-1, 2), (1, 3), (-1, 3), (1, 4), (-1, 4), (0, 4)]]
    state = enter(manor=fork, ghosts=[ghost("blue", (0, 4))])
    assert tags(ahead(state)) == ["fork", "grew"]
    trap = enter(manor=corridors(tile((0, 3), "trap")), ghosts=[ghost("blue", (0, 4), 6)])
    assert tags(ahead(trap)) == ["moved", "trap_ahead", "moved"]


def test_the_preview_lets_the_first_of_two_ghosts_go_that_are_equally_near() -> None:
    """CFA-Q6: the leader may say otherwise, but what follows is shown."""
    state = enter(
        manor=corridors((1, 4), (-1, 4)), ghosts=[ghost("blue", (1, 4)), ghost("blue", (-1, 4), n=2)]
    )
    moved = [plain(event)["ghost"] for event in ahead(state) if tags([event]) == ["moved"]]
    assert moved == ["blue1", "blue2"]


def test_the_preview_goes_on_from_the_middle_of_the_end() -> None:
    """While a trap card is awaited, what follows is still shown."""
    manor = corridors(tile((0, 3), "trap"))
    state = enter(manor=manor, ghosts=[ghost("blue", (0, 4)), ghost("red", (4, 0))])
    for colour in ("blue", "red", "yellow", "green"):
        state = acted(state, colour, "end")[0]
    assert GAME.to_act(state) == (TABLE,)
    assert tags(ahead(state)) == ["moved", "grew", "grew"]


def test_the_preview_ends_with_the_third_escape() -> None:
    """CFA-71."""
    ghosts = [
        ghost("blue", (0, 0)),
        ghost("blue", (0, 0), n=2),
        ghost("red", (1, 0)),
        ghost("green", (-4, 0)),
    ]
    assert tags(ahead(enter(ghosts=ghosts))) == ["moved", "escaped"]


def test_the_map_shows_the_way_of_every_ghost() -> None:
    """CFA-50, CFA-Q4, CFA-Q5: to the centre, up to a fork, or nowhere."""
    fork = [tile(at) for at in [(0, 2), (1, 2), (-1, 2), (1, 3), (-1, 3), (1, 4), (-1, 4), (0, 4), (0, 5)]]
    ghosts = [ghost("blue", (0, 5)), ghost("blue", (0, 2), n=2), ghost("red", (0, 4)), ghost("green", (0, 0))]
    state = enter(manor=fork, ghosts=ghosts)
    ways = {"blue1": ((0, 4),), "blue2": ((0, 1), (0, 0)), "red1": (), "green1": ()}
    assert routes(GAME.view(state, "public")) == ways


def test_the_map_shows_whose_path_reaches_where() -> None:
    """CFA-30, CFA-Q14: everything through the cross; nothing from behind a wall."""
    manor = [tile((0, 2), exits="NS"), tile((2, 0), exits="E"), tile((3, 0), exits="W")]
    seen = reach(GAME.view(enter(manor=manor, pawns={"red": (3, 0)}), "public"))
    assert seen["blue"] == ((-1, 0), (0, -1), (0, 0), (0, 1), (0, 2), (1, 0))
    assert seen["red"] == ((2, 0), (3, 0))


def test_a_ghost_about_to_escape_is_feared() -> None:
    """CFA-52, CFA-71: two tiles away at power 6, and the third one loses the game."""
    near = enter(ghosts=[ghost("blue", (0, 2), 6), ghost("red", (2, 0), 5)])
    assert feared(near) == [{"what": "escape", "ghost": "blue1", "n": 1, "lost": False}]
    last = enter(ghosts=[ghost("blue", (0, 0)), ghost("red", (0, 0)), ghost("green", (-1, 0))])
    assert feared(last) == [{"what": "last_escape", "ghost": "green1", "n": 3, "lost": True}]


def test_running_out_of_dice_is_feared() -> None:
    """CFA-71, CFA-Q10."""
    squares = {"blue": (0, 4), "red": (4, 0), "yellow": (0, -4), "green": (-4, 0)}
    eight = [ghost(colour, at, n=n) for colour, at in squares.items() for n in (1, 2)]
    assert [each["what"] for each in feared(enter(ghosts=eight[:6]))] == []
    assert [each["what"] for each in feared(enter(ghosts=eight[:7]))] == ["dice"]
    assert [each["what"] for each in feared(enter(ghosts=eight))] == ["no_dice"]
    strict = {"out_of_dice": "when_stock_empty"}
    assert [each["what"] for each in feared(enter(strict, ghosts=eight[:7]))] == ["no_dice"]


def test_the_last_chalice_gone_is_feared_while_it_matters() -> None:
    """CFA-71, CFA-Q34."""
    none = {"gone": {"chalice": 3}}
    assert [each["what"] for each in feared(enter(piles=none))] == ["chalice"]
    assert feared(enter()) == []
    picked = {colour: {"by": "blue"} for colour in ("red", "yellow", "green", "blue")}
    assert feared(enter(piles=none, artefacts=picked)) == []


def test_nothing_is_foreseen_or_feared_after_the_end() -> None:
    """CFA-71."""
    over = enter(life=dict.fromkeys(("blue", "red", "yellow", "green"), 0))
    assert (ahead(over), feared(over)) == ([], [])


# Words


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_kind_of_tile_card_colour_and_ghost_has_a_name(language: str) -> None:
    """CFA-2, CFA-3."""
    said = words.sentences("artefacts", language)
    for kind in manor.Kind.__args__:
        assert said[f"kind_{kind}"]
    for colour in manor.COLOURS:
        assert said[f"colour_{colour}"]
        assert said[f"ghost_{colour}1"] != said[f"ghost_{colour}2"]
    assert all(said[f"card_{card}"] for card in box.OBJECTS)
    assert all(said[f"trap_{card}"] for card in box.TRAPS)


@cache
def every_event() -> list[Event]:
    """One of each kind, from games played by chance and a few tables more."""
    found: dict[str, Event] = {}
    for seed in range(12):
        for state, seat, action in playing(seed, decks="virtual", draw_at_limit="draw_then_discard"):
            if action is not None:
                for event in heard(GAME.apply(state, seat, action)[1], "moderator"):
                    found.setdefault(plain(event)["type"], event)
    extra: list[Event] = [
        events.Repaired(),
        events.Picked("red", "blue"),
        events.Robbed("red", "kit"),
        events.SentHome("red", (1, 0)),
        events.Teleported("red", (5, 5)),
        events.Used("red", "kit"),
        events.Banished("blue1"),
        events.Escaped("blue1", 2),
        events.Revived("red", (2, 0), 1),
        events.Dropped("red", (2, 0)),
        events.Home("red", "blue"),
        events.Reshuffled("traps"),
        events.Surprise("tiles", "ghost"),
        events.Surprise("objects", "chalice"),
        events.Surprise("traps", "ghost"),
        events.Fought("red", "blue1", 0, 0, True, 0),
        events.Unlayable("red", "artefact-red-NES-1", True),
        events.Over("players", "home"),
        events.Over("ghosts", "dead"),
        foresight.Fork("blue1", ((0, 1), (2, 3))),
        foresight.TrapAhead("blue1", "blue"),
    ]
    return [*found.values(), *extra]


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_event_can_be_told(language: str) -> None:
    """As a whole sentence, with no fact left out and no key showing through."""
    kinds = {kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)}
    found = every_event()
    assert kinds - {Event} <= {type(event) for event in found}
    for event in found:
        sentence = tell(event, language)
        assert sentence[-1] in ".!"
        assert "artefacts." not in sentence
        assert "{" not in sentence


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_fear_can_be_told(language: str) -> None:
    """As a whole sentence."""
    for what in msgspec.inspect.type_info(Fear).fields[0].type.values:
        assert warn(Fear(what, "blue1", 1), language).endswith(".")


def test_a_ghosts_step_reads_like_an_instruction() -> None:
    """People copy it on the table, one at a time."""
    event = events.Moved("blue1", (0, 4), (0, 3), "S")
    assert tell(event) == "Ghost blue 1 goes south, to (0, 3)."
    assert tell(event, "fr") == "Le fantôme bleu 1 va vers le sud, en (0, 3)."
    assert tell(event, "de") == "Geist Blau 1 geht nach Süden, auf (0, 3)."


def test_a_refusal_is_said_in_every_language() -> None:
    """With the colour's own word."""
    plain_tile = {"id": "plain-NESW-20", "kind": "plain", "exits": "NESW"}
    refusal = refused(
        enter(phase="laying", open=[plain_tile]), "blue", "lay", tile=plain_tile["id"], at=(9, 9)
    )
    assert refusal.message("de") == "kein Weg führt von Blau durch einen Ausgang dieses Plättchens auf (9, 9)"
    assert "bleu" in refusal.message("fr")
