"""The recorded games, played again to the letter: views, events and ends must not change unnoticed."""

from __future__ import annotations

import json

import pytest

from tests.games.artefacts.playthroughs import FOLDER, GAMES, recorded, told


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_plays_again_to_the_letter(name: str) -> None:
    """CFA-70, CFA-71: a win, and each kind of loss."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert told(name, recorded(text)) == text
    result = json.loads(text.splitlines()[-1][2:])["result"]
    assert (result["winner"], result["reason"]) == GAMES[name][2]
