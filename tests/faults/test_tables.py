"""The tables of planted faults: every rule is broken by one of them, or there is a reason why none can."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.__main__ import drawn
from tests.faults.planted import ROOT, Fault, names, plant, table
from tests.games.artefacts.test_rules import CASES, RULINGS
from tests.games.artefacts.test_rules import RULES as CFA
from tests.games.canterville.test_rules import RULES as GJ
from tests.games.phantom.test_rules_have_tests import RULES as PS

EVERY = {
    "phantom": set(PS),
    "canterville": set(GJ),
    "artefacts": {f"CFA-{n}" for n in CFA} | {f"CFA-Q{n}" for n in RULINGS} | {f"CFA-T{n}" for n in CASES},
}


@pytest.mark.parametrize("name", EVERY)
def test_every_rule_is_broken_by_a_fault_or_has_a_reason(name: str) -> None:
    told = table(name)
    broken = {rule for fault in told.fault for rule in fault.rules}
    assert broken | set(told.without) == EVERY[name]
    assert broken.isdisjoint(told.without)
    assert all(len(reason.split()) >= 2 for reason in told.without.values())


@pytest.mark.parametrize("name", names())
def test_every_fault_changes_something_and_names_a_test_that_there_is(name: str) -> None:
    for fault in table(name).fault:
        assert fault.old != fault.new
        file, _, test = fault.test.partition("::")
        assert f"def {test.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), fault


@pytest.mark.parametrize("name", names())
def test_every_fault_can_still_be_planted(name: str) -> None:
    """One whose place has moved or changed proves nothing: it is told where it is now."""
    for fault in table(name).fault:
        assert fault.lies_in((ROOT / fault.file).read_text(encoding="utf-8")), (
            f"tests/faults/{name}.toml: {fault}"
        )


def test_another_seed_draws_other_faults() -> None:
    every = [(name, fault) for name in names() for fault in table(name).fault]
    one, same, other = (drawn(every, 8, seed) for seed in ("9f3a51c0", "9f3a51c0", "9f3a51c1"))
    assert len(one) == 8
    assert one == same != other


def planted(tmp_path: Path, old: str, new: str) -> str:
    """The fate of a fault in a little project of its own."""
    (tmp_path / "room.py").write_text("ROOMS = 36\n", encoding="utf-8")
    (tmp_path / "test_room.py").write_text(
        "from room import ROOMS\n\ndef test_rooms():\n    assert ROOMS > 30\n", encoding="utf-8"
    )
    return plant(tmp_path, Fault((), "room.py", old, new, "test_room.py"))[0]


@pytest.mark.parametrize(
    ("old", "new", "fate"),
    [("36", "6", "caught"), ("36", "37", "survived"), ("48", "6", "stale"), ("36", "36)", "broken")],
)
def test_a_fault_is_caught_or_not_and_is_taken_out_again(
    tmp_path: Path, old: str, new: str, fate: str
) -> None:
    assert planted(tmp_path, old, new) == fate
    assert (tmp_path / "room.py").read_text(encoding="utf-8") == "ROOMS = 36\n"
