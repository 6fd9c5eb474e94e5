"""A game's phone side is a plug-in: outside its folder nothing names it, and nothing looks into its state.

Nor is anything there that belongs to one game under no name: a role, an option, a class of a style sheet, a
picture, a sentence. A stranger's game must get along without all of them.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.contract import Aids
from web.games import every

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


# Nothing of one game in disguise

GAMES = ("phantom", "canterville", "artefacts")
COMMON = {"players", "preset", *Aids.__struct_fields__, "box", "names", "pause"}
"""Options that any game may have, and words that mean something else outside a game."""
SHARED = [path for path in OUTSIDE if path.name != "openapi.py"]


@cache
def words_of_games() -> frozenset[str]:
    """The roles and the options of the games, by name."""
    found = {field.name for name in GAMES for field in msgspec.structs.fields(games.find(name).options)}
    return frozenset(found | {role for pages in every() for role in pages.faces}) - COMMON


def literals(path: Path) -> Iterator[str]:
    """What is said in quotes, but for docstrings."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from (one or other for one, other in re.findall(r"\"(\w+)\"|'(\w+)'", source))
        return
    tree = ast.parse(source)
    docs = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docs:
            yield node.value


@pytest.mark.parametrize("path", SHARED, ids=lambda path: str(path.relative_to(WEB)))
def test_no_role_and_no_option_of_a_game_is_named(path: Path) -> None:
    assert not words_of_games() & set(literals(path))


@cache
def texts(owner: str) -> str:
    """All templates, scripts and Python of a game; of `shared` what is no game's."""
    kinds = (".html", ".js", ".py", ".svg")
    paths = SHARED if owner == "shared" else sorted((WEB / "games" / owner).rglob("*"))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths if path.suffix in kinds)


def names(owner: str, name: str) -> bool:
    """Whether a class, a picture or a word may be meant there: whole, or by what it is put together of."""
    stem = re.match(r"\w+?[-_]", name)
    joined = rf"|{re.escape(stem[0])}(?=\{{\{{|\{{|[\"'] ~)" if stem else ""
    return re.search(rf"(?<![\w-])(?:{re.escape(name)}(?![\w-]){joined})", texts(owner)) is not None


def only_of_one_game(name: str) -> list[str]:
    return [] if names("shared", name) else [game for game in GAMES if names(game, name)][:2]


@pytest.mark.parametrize("sheet", sorted((WEB / "static").glob("*.css")), ids=lambda path: path.name)
def test_no_class_of_a_shared_style_sheet_is_used_by_one_game_alone(sheet: Path) -> None:
    rules = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    classes = set(re.findall(r"\.([a-zA-Z][\w-]*)", rules))
    assert classes
    assert not {name: found for name in classes if len(found := only_of_one_game(name)) == 1}


def test_no_shared_picture_is_used_by_one_game_alone() -> None:
    sprite = (WEB / "templates" / "art" / "sprite.svg").read_text(encoding="utf-8")
    pictures = re.findall(r'<symbol id="([\w-]+)"', sprite)
    assert pictures
    assert not {name: found for name in pictures if len(found := only_of_one_game(name)) == 1}


@pytest.mark.parametrize("room", ["", "board", "evening", "people", "games/generic"])
def test_no_shared_sentence_is_said_by_one_game_alone(room: str) -> None:
    keys = tomllib.loads((WEB / room / "words" / "en.toml").read_text(encoding="utf-8"))
    assert keys
    assert not {key: found for key in keys if len(found := only_of_one_game(key)) == 1}
