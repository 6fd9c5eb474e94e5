"""Every rule that can be tested has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

RULES = {1, 2, 3, 4, 5, *range(10, 17), *range(20, 24), *range(30, 34), *range(40, 46), *range(50, 54)}
RULES |= {*range(60, 65), 70, 71}
RULINGS = set(range(1, 39))
CASES = {1, 2, 3, 4, 6, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23}

UNTESTED = {
    "CFA-Q37": "a list of misprints of the booklet: nothing to do",
}
"""Rules without a test, and why."""


def named() -> set[str]:
    """The rules that the docstrings of the tests name."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for docstring in re.findall(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL):
            found |= set(re.findall(r"CFA-[QT]?\d+", docstring))
    return found


def test_every_rule_ruling_and_case_is_named_by_a_test() -> None:
    """But for those that say why not."""
    every = {f"CFA-{n}" for n in RULES} | {f"CFA-Q{n}" for n in RULINGS} | {f"CFA-T{n}" for n in CASES}
    assert every - named() == set(UNTESTED)
    assert named() <= every
