"""A game's phone side is a plug-in: outside its folder nothing names it, and nothing looks into its state."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
NAMES = re.compile(r"phantom|canterville|artefacts|gespensterjagd|castle|manor", re.IGNORECASE)
KINDS = (".py", ".html", ".css", ".js", ".svg")
OUTSIDE = sorted(
    path
    for path in WEB.rglob("*")
    if path.suffix in KINDS
    and (WEB / "games" not in path.parents or WEB / "games" / "generic" in path.parents)
)


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(WEB)))
def test_outside_its_folder_nothing_names_a_game(path: Path) -> None:
    named = [line for line in path.read_text(encoding="utf-8").splitlines() if NAMES.search(line)]
    assert not NAMES.search(path.name)
    assert not named


@pytest.mark.parametrize("path", sorted(WEB.rglob("*.toml")), ids=lambda path: str(path.relative_to(WEB)))
def test_no_key_of_the_words_names_a_game(path: Path) -> None:
    if WEB / "games" not in path.parents:
        keys = [line.partition(" = ")[0] for line in path.read_text(encoding="utf-8").splitlines()]
        assert not [key for key in keys if not key.startswith("#") and NAMES.search(key)]


@pytest.mark.parametrize("path", sorted(WEB.rglob("*.py")), ids=lambda path: str(path.relative_to(WEB)))
def test_no_page_reads_the_state_of_a_game(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert not re.search(r"companion\.games\.\w+\.state import.*\bState\b", source)
    if path != WEB / "push" / "scenes.py":  # which compares what two seats know, and looks at nothing in it
        assert ".knows" not in source
