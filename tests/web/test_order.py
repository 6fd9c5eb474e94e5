"""How the modules of the phones' side hang together: in one direction, with each state behind methods."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

WEB = Path(__file__).parents[2] / "web"
ROOMS = (
    "commands",
    "server",
    "admin api forms story",
    "site",
    "push",
    "render",
    "evening",
    "board",
    "people",
    "access",
    "games",
    "scene",
    "checkup failures http texts versions",
)
"""The rooms of web/ in the order of the walk: each knows those below it, and none beside or above it."""


def modules() -> list[Path]:
    found = sorted(WEB.rglob("*.py"))
    assert found
    return found


def named(path: Path) -> str:
    return path.relative_to(WEB.parent).as_posix()


def test_no_module_imports_another_that_imports_it() -> None:
    """Lazy imports count too."""
    graph = grimp.build_graph("web", cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert imports["web.server.app"]
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as cycle:
        pytest.fail(" → ".join(cycle.args[1]))


def test_rooms_know_only_those_below_them() -> None:
    """But for the games' own pages, which may know them all: nothing here knows those (import-linter)."""
    graph = grimp.build_graph("web", cache_dir=None)
    rank = {room: rank for rank, rooms in enumerate(ROOMS) for room in rooms.split()}
    shared = [name.split(".") for name in graph.modules if "." in name]
    plugins = {
        ".".join(parts) for parts in shared if parts[1] == "games" and len(parts) > 2 and parts[2] != "record"
    }
    up = [
        f"{one} → {other}"
        for one in graph.modules - plugins - {"web"}
        for other in graph.find_modules_directly_imported_by(one)
        if (mine := one.split(".")[1]) != (theirs := other.split(".")[1]) and rank[mine] >= rank[theirs]
    ]
    assert not up


@pytest.mark.parametrize("path", modules(), ids=named)
def test_nothing_is_imported_for_its_types_alone(path: Path) -> None:
    assert "TYPE_CHECKING" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", modules(), ids=named)
def test_nobody_assigns_to_the_evening_or_its_parts(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    stored = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    assert not [ast.unparse(each) for each in stored if _is_evening(each.value)]


def _is_evening(node: ast.expr) -> bool:
    """Whether an expression is an evening, or something that one holds."""
    if isinstance(node, ast.Name):
        return node.id == "evening"
    if isinstance(node, ast.Attribute):
        return node.attr in ("evening", "_evening") or _is_evening(node.value)
    return False
