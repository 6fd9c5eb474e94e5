"""The pages of the manor, drawn without a browser: through whole games, for every seat, in every language."""

import json
import random
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import msgspec
import pytest

from companion import games
from companion.contract import PUBLIC, TABLE, plain
from companion.games.artefacts.manor import COLOURS, turned
from companion.games.artefacts.options import PRESETS
from web.games.artefacts.offers import in_hand
from web.render import pages
from web.scene import Page, Phone, Place, Scene

GAME = games.find("artefacts")
PLACES = tuple(Place(colour, "hunter", f"Person {colour}", None, None, "here") for colour in COLOURS)


def fragment(scene: Scene, page: Page) -> str:
    return pages.fragment(scene, page)


def moments(seed: int, **options: Any) -> Iterator[Any]:
    """Every state of a random game."""
    chance = random.Random(seed)
    state = GAME.start(GAME.options(**{"decks": "virtual"} | options))
    while True:
        yield state
        movers = GAME.to_act(state)
        if not movers:
            return
        drawn = GAME.chance(state, chance) if movers == (TABLE,) else None
        action = drawn or chance.choice(GAME.legal(state, movers[0]))
        state, _ = GAME.apply(state, movers[0], action)


def scene(state: Any, seat: str, page: Page = "play", language: str = "en") -> Scene:
    """What a seat's page may show at a moment."""
    view, movers = GAME.view(state, seat), GAME.to_act(state)
    mine = [one for one in movers if one in (seat, TABLE) and seat != PUBLIC]
    return Scene(
        page=page,
        language=language,
        version=1,
        stage="result" if state.result else "playing",
        game="artefacts",
        seat=seat,
        shows=view.shows,
        ahead=GAME.ahead(view),
        phase=state.phase,
        to_act=movers,
        legal={one: tuple(plain(action) for action in GAME.legal(state, one)) for one in mine},
        places=PLACES,
        me=None if seat == PUBLIC else Phone("a", "Ada", (seat,)),
    )


def offered(html: str) -> list[list[dict[str, Any]]]:
    """What a page offers: one action, or several in a row."""
    found = [json.loads(unescape(text)) for text in re.findall(r'name="action"[^>]* value="([^"]*)"', html)]
    return [one if isinstance(one, list) else [one] for one in found]


def looks(state: Any, action: dict[str, Any]) -> str:
    """An action; a tile turned until it looks the same is the same, and so is one told as it is held."""
    if action["type"] == "reveal":
        return str(action["tiles"][0]["id"])
    if action["type"] != "lay":
        return json.dumps(action)
    tile = in_hand(GAME.view(state, PUBLIC).shows)[action["tile"]]
    return json.dumps(action | {"turn": turned(tile.exits, action["turn"])})


def done(state: Any, deeds: list[dict[str, Any]]) -> list[str]:
    """The colours that acted, or the table, when what is offered is played through."""
    movers = []
    for deed in deeds:
        movers += [GAME.to_act(state)[0]]
        state, _ = GAME.apply(state, movers[-1], msgspec.convert(deed, GAME.action))
    return movers


@pytest.mark.parametrize("decks", ["virtual", "real"])
def test_everything_lawful_is_offered_and_nothing_else(decks: str) -> None:
    seen: set[str] = set()
    for n, state in enumerate(moments(3, decks=decks)):
        movers = GAME.to_act(state)
        if n % 4 or not movers:
            continue
        seat = movers[0] if movers != (TABLE,) else "blue"
        found = offered(fragment(scene(state, seat), "play"))
        lawful = [json.loads(json.dumps(plain(action))) for action in GAME.legal(state, movers[0])]
        assert {looks(state, deeds[0]) for deeds in found} == {looks(state, action) for action in lawful}
        longest = max(found, key=len)
        seen.add(" ".join(deed["type"] for deed in longest))
        assert done(state, longest)[1:] == [
            TABLE if deed["type"] == "drawn" else movers[0] for deed in longest[1:]
        ]
    assert "step step step" in seen


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_every_page_can_be_drawn_in_every_language_to_the_end(language: str) -> None:
    for n, state in enumerate(moments(11)):
        if n % 7 and state.result is None:
            continue
        for seat, page in (("red", "play"), (PUBLIC, "table"), (PUBLIC, "watch")):
            html = fragment(scene(state, seat, page, language), page)  # type: ignore[arg-type]
            assert not re.search(r"\b(manor|artefacts)\.[a-z]", html)  # a key without a sentence


def test_a_private_hand_is_on_no_other_page() -> None:
    """CFA-61."""
    seen = 0
    for state in moments(5, **{k: v for k, v in PRESETS["expert"].items() if k != "decks"}):
        if "crucifix" not in state.hands["blue"] or state.result is not None:
            continue
        if any("crucifix" in state.hands[colour] for colour in COLOURS if colour != "blue"):
            continue
        seen += 1
        assert "crucifix" in fragment(scene(state, "blue"), "play")
        assert "crucifix" not in fragment(scene(state, "red"), "play")
        assert "crucifix" not in fragment(scene(state, PUBLIC, "table"), "table")
    assert seen


def test_the_round_says_who_is_at_it_and_who_is_done() -> None:
    """CFA-20, CFA-22."""
    state = next(state for state in moments(3) if state.phase == "acting" and state.turn == 2)
    html = fragment(scene(state, "blue"), "play")
    assert re.findall(r'class="mark (\w+)"', html) == ["done"] * 4 + ["done", "done", "now", "next"]


def test_open_tiles_are_seen_by_whoever_waits() -> None:
    """CFA-20, CFA-Q20."""
    state = next(state for state in moments(3) if state.phase == "laying" and state.turn == 1)
    waiting = next(colour for colour in COLOURS if colour not in GAME.to_act(state))
    for seat, page in ((waiting, "play"), (PUBLIC, "table"), (PUBLIC, "watch")):
        html = fragment(scene(state, seat, page), page)  # type: ignore[arg-type]
        assert html.split('class="opens"')[1].split("</ul>")[0].count("<li>") == 3
