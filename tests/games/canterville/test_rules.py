"""Every rule has a test that names it, or a reason why it has none."""

from __future__ import annotations

import ast
import re
from pathlib import Path

RULES = (
    [f"GJ-{n}" for n in (1, 2, 3, 4, 5, *range(10, 17), *range(20, 24), *range(30, 39), *range(40, 45))]
    + [f"GJ-{n}" for n in (50, 51, 52, 53, 60, 61, 70, 71, 72, 73, 74)]
    + [f"GJ-Q{n}" for n in range(1, 27)]
    + [f"GJ-T{n}" for n in (1, 2, 3, 4, 5, 8, 10, 11, 13, 16, 17, 18, 19, 20, 21)]
)

WITHOUT_TEST = {
    "GJ-2": "pieces of the box: cards and figures that the companion neither counts nor needs",
}


def named_in_tests() -> set[str]:
    """The rules that docstrings of tests name."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update(re.findall(r"GJ-[QT]?\d+", ast.get_docstring(node) or ""))
    return found


def test_every_rule_is_tested_or_has_a_reason_not_to_be() -> None:
    assert set(RULES) - named_in_tests() == set(WITHOUT_TEST)


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    assert named_in_tests() <= set(RULES)
