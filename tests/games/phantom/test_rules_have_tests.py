"""Every rule that a program can hold is named by a test; for each other one there is a reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path

RULES = [
    *(f"PS-{n}" for n in (1, 2, 3, 4, 5, 10, 11, 20, 21, 22, 23, 24, 25, 26, 27, 40, 41, 42)),
    *(f"PS-{n}" for n in (50, 51, 52, 53, 54, 55, 56, 57, 58, 60, 70, 71, 72, 73, 80, 81, 82)),
    *(f"PS-{n}" for n in (90, 91, 92, 93, 100, 101, 102, 103, 104, 105, 110, 120, 121, 122, 123, 124)),
    *(f"PS-Q{n}" for n in range(1, 24)),
    *(f"PS-T{n}" for n in (1, 2, 3, 4, 5, 7, 9, 10, 13, 15, 17, 19, 20, 21, 22)),
]
"""The numbers of the rules, of the rulings where the booklets are silent, and of the worked examples."""

WITHOUT_A_TEST = {
    "PS-120": "Partners talk and opponents hear it: that is speech at the table, and no program holds it.",
    "PS-122": "A master without ghosts may advise his partner: speech again.",
    "PS-124": "Tips for placing tiles and ghosts; they forbid nothing.",
    "PS-Q20": "Misprints that change no rule.",
}


def named_in_tests() -> set[str]:
    """Every rule number in the docstring of a test function."""
    named: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                named |= set(re.findall(r"PS-[QT]?\d+", ast.get_docstring(node) or ""))
    return named


def test_rules_without_a_test_are_those_with_a_written_reason() -> None:
    assert set(RULES) - named_in_tests() == set(WITHOUT_A_TEST)


def test_tests_name_only_rules_that_exist() -> None:
    assert named_in_tests() <= set(RULES)
