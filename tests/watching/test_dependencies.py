"""Every dependency is written down with its licence and the reason it is here, and nothing else is."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs/dependencies.md").read_text(encoding="utf-8")
LISTED = {
    name: (licence, why)
    for name, licence, why in re.findall(r"^\| `([\w.-]+)` \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
}
TOLD = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def needed() -> set[str]:
    """The names in pyproject.toml."""
    lines = [
        *TOLD["dependencies"],
        *(each for group in TOLD["optional-dependencies"].values() for each in group),
    ]
    return {re.split(r"[<>=!~;\[ ]", line)[0] for line in lines}


def stated(name: str) -> str:
    """The licence that an installed package states, in letters that can be compared."""
    told = metadata(name)
    classes = [each for each in told.get_all("Classifier", []) if each.startswith("License ::")]
    return " ".join([told.get("License-Expression") or "", (told.get("License") or "")[:60], *classes])


def test_the_list_names_every_dependency_and_no_other() -> None:
    assert set(LISTED) == needed()


@pytest.mark.parametrize("name", sorted(LISTED))
def test_a_dependency_has_a_licence_and_a_reason(name: str) -> None:
    licence, why = LISTED[name]
    assert len(why) > 10
    try:
        told = stated(name)
    except PackageNotFoundError:
        # Packages of a Pi are not installed on every machine.
        told = ""
    family = re.split(r"[- ]", licence)[0]
    if told.strip():
        assert family.lower() in told.lower() or (family == "BSD" and "bsd" in told.lower()), told
