"""The documentation keeps its word: what can run is run, what is quoted exists, links lead somewhere."""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion import games
from companion.cli import commands
from companion.clock import VirtualClock
from companion.headless import Headless
from companion.journal import Journal
from companion.table import Table
from tests.docs import readme_commands

PROJECT = Path(__file__).parents[2]
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
PAGES = sorted([*map(PROJECT.joinpath, TOP), *(PROJECT / "docs").glob("*.md")])
EVERY_PAGE = sorted(
    page
    for page in PROJECT.rglob("*.md")
    if not {".venv", "build", "node_modules", ".git"} & set(page.relative_to(PROJECT).parts)
)
EXAMPLE = PROJECT / "tests/example_game"


class Block(NamedTuple):
    """A fenced piece of a page: what it is, and what it says."""

    page: Path
    line: int
    kind: str
    text: str

    def __repr__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks() -> Iterator[Block]:
    for page in PAGES:
        for found in re.finditer(
            r"^ *```(.*?)\n(.*?)^ *```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
        ):
            line = page.read_text("utf-8")[: found.start()].count("\n") + 1
            yield Block(page, line, found[1], found[2])


BLOCKS = list(blocks())


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    found = [block for block in BLOCKS if block.kind in kinds]
    assert found, f"no page has a block of {kinds}"
    return pytest.mark.parametrize("block", found, ids=repr)


def test_every_block_says_what_it_is() -> None:
    """So that none is left untried by having no name."""
    known = {"html", "jsonl", "jsonl attic", "python", "toml", "sh", "ini", "text"}
    assert [block for block in BLOCKS if block.kind not in known] == []


# Conversations


@of_kind("jsonl", "jsonl attic")
def test_a_conversation_goes_as_it_is_told(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    if block.kind.endswith("attic"):
        monkeypatch.syspath_prepend(str(EXAMPLE))
        attic: Any = import_module("attic")
        find = games.find
        monkeypatch.setattr(games, "find", lambda name: attic.GAME if name == "attic" else find(name))
    clock = VirtualClock()
    headless = Headless(Table(clock=clock), clock)
    asked = [line[2:] for line in block.text.splitlines() if line.startswith("> ")]
    told = [line[2:] for line in block.text.splitlines() if line.startswith("< ")]
    assert [json.loads(headless.answer(line.encode())) for line in asked] == [
        json.loads(line) for line in told
    ]


# Python and TOML


@of_kind("python")
def test_quoted_code_is_in_the_example(block: Block) -> None:
    """Which is run by the suite of every game (tests/example_game)."""
    assert any(block.text in path.read_text(encoding="utf-8") for path in sorted(EXAMPLE.rglob("*.py")))


@of_kind("html")
def test_a_quoted_template_is_the_example_s(block: Block) -> None:
    """Which is played in a browser (tests/browser/test_new_game.py)."""
    assert block.text == (EXAMPLE / "attic_pages" / "templates" / "play.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "docs/add-a-game.md"])
def test_the_example_is_as_long_as_the_pages_say(page: str) -> None:
    """Lines of code: neither blank ones nor docstrings."""
    source = (EXAMPLE / "attic.py").read_text(encoding="utf-8")
    told = re.findall(r"(\d+) lines", (PROJECT / page).read_text(encoding="utf-8"))
    written = {n for n, line in enumerate(source.splitlines(), 1) if line.strip()}
    assert told == [str(len(written - _docstring_lines(ast.parse(source))))]


def _docstring_lines(tree: ast.Module) -> set[int]:
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            found |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return found


@of_kind("toml")
def test_a_quoted_file_can_be_read(block: Block) -> None:
    assert tomllib.loads(block.text)


def test_the_example_s_own_project_file_is_the_quoted_one() -> None:
    quoted = [block.text for block in BLOCKS if block.kind == "toml" and block.page.name == "add-a-game.md"]
    assert quoted == [(EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")]


# Commands


def command_lines() -> Iterator[tuple[Block, str]]:
    for block in BLOCKS:
        if block.kind == "sh":
            for line in block.text.splitlines():
                command = line.partition("#")[0].strip().removeprefix("sudo ")
                if command:
                    yield block, command


LINES = list(command_lines())


def starting(word: str) -> pytest.MarkDecorator:
    found = [(block, line) for block, line in LINES if line.split()[0].rpartition("/")[2] == word]
    assert found, f"no page has a command that begins with {word}"
    return pytest.mark.parametrize(
        ("block", "line"), found, ids=[f"{block!r} {line}" for block, line in found]
    )


def test_every_command_is_of_a_known_program() -> None:
    known = {
        "make",
        "companion",
        "git",
        "cd",
        "systemctl",
        "journalctl",
        "nmcli",
        "curl",
        "apt",
        "pip",
        "pytest",
    }
    assert {line.split()[0].rpartition("/")[2] for _, line in LINES} - known == set()


@starting("make")
def test_a_make_target_exists_and_knows_its_variables(block: Block, line: str) -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    scripts = "".join(path.read_text("utf-8") for path in (PROJECT / "systemd").rglob("*.sh"))
    for word in line.split()[1:]:
        name, equals, _ = word.partition("=")
        if equals:
            assert f"{name}" in makefile + scripts
        else:
            assert re.search(rf"^{name}:", makefile, re.MULTILINE), f"no target {name}"


@starting("pytest")
def test_a_named_test_exists(block: Block, line: str) -> None:
    _, path, *chosen = line.split()
    assert (PROJECT / path).exists()
    assert not chosen or f"def test_{chosen[1]}" in (PROJECT / path).read_text(encoding="utf-8")


class Parsed(Exception):
    """Raised instead of leaving the process."""


class Parser(argparse.ArgumentParser):
    """A parser that does not exit."""

    def error(self, message: str) -> Any:
        raise Parsed(message)


@starting("companion")
def test_a_command_of_the_companion_takes_these_words(block: Block, line: str) -> None:
    _, name, *words = line.split("<")[0].split("|")[0].split()
    if name == "--version":
        return
    assert name in commands(), f"there is no command {name}"
    parser = Parser()
    commands()[name].load().arguments(parser)
    parser.parse_args(words)


TRIED_ELSEWHERE = {"status": "tests/systemd/test_hotspot.py", "update": "tests/install/clean_root.py"}
"""Commands that need a running daemon, or an installation of their own."""


def played(journal: Path) -> None:
    """A game from its first tile to its end."""
    table = Table(Journal(journal))
    table.new("phantom", {"players": 4}, seed=7)
    while movers := table.standing().to_act:
        table.act(movers[0], table.bot(movers[0]))
    table.close()


def test_the_companion_s_own_commands_run_as_the_pages_tell_them(tmp_path: Path) -> None:
    """In the pages' order, with their paths inside a folder of ours, and a few games for a thousand."""
    state = tmp_path / "var/lib/ghost-companion"
    for folder in (state, tmp_path / "media/usb", tmp_path / "etc/ghost-companion"):
        folder.mkdir(parents=True)
    played(state / "journal")
    env = {**os.environ, "COMPANION_STATE": str(state)}
    ours = [line.split() for _, line in LINES if line.startswith("companion ")]
    for _, name, *words in ours:
        if name in TRIED_ELSEWHERE:
            assert f'"{name}"' in (PROJECT / TRIED_ELSEWHERE[name]).read_text(encoding="utf-8")
            continue
        inside = [
            f"{tmp_path}{word}" if word.startswith("/") else word.replace("1000", "2") for word in words
        ]
        command = [sys.executable, "-m", "companion", name, *inside]
        done = subprocess.run(command, cwd=tmp_path, env=env, input="", capture_output=True, text=True)
        # Nobody answers the doctor here, and he does not call that healthy.
        asks = name == "doctor" and not {"--report", "--beside"} & {*words}
        assert done.returncode == (1 if asks else 0), (name, words, done.stderr)
    made = ("media/usb/evening.zip", "etc/ghost-companion/ours.toml", "story.html")
    assert [name for name in made if not (tmp_path / name).exists()] == []


# Links


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = page.read_text("utf-8")
    headings = {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
    return headings | set(re.findall(r'<a id="([^"]+)">', text))


def links() -> Iterator[tuple[Path, str]]:
    for page in EVERY_PAGE:
        prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for link, picture in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", prose):
            target = link or picture
            if not re.match(r"[a-z]+:", target):
                yield page, target


@pytest.mark.parametrize(("page", "target"), list(links()), ids=lambda value: getattr(value, "name", value))
def test_a_link_inside_the_project_leads_somewhere(page: Path, target: str) -> None:
    path, _, anchor = target.partition("#")
    found = (page.parent / path).resolve() if path else page
    assert found.exists(), f"{page.name} links to {target}"
    assert PROJECT in (found, *found.parents)
    if anchor:
        assert anchor in anchors(found), f"{target} has no such heading"


def test_a_dead_link_would_be_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        test_a_link_inside_the_project_leads_somewhere(PROJECT / "README.md", "docs/nowhere.md")
    with pytest.raises(AssertionError):
        test_a_link_inside_the_project_leads_somewhere(PROJECT / "README.md", "docs/protocol.md#nowhere")


def test_the_readme_has_the_two_commands_that_ci_runs() -> None:
    assert readme_commands.commands() == ["make run", "make test"]
    assert "tests/docs/readme_commands.py" in (PROJECT / ".ci/run").read_text(encoding="utf-8")
