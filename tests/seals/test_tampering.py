"""Whoever changes a record is found out: by the chain, by the rules, or by a seal that somebody noted."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.cli import main
from companion.contract import plain
from companion.refusals import Refusal
from companion.table import Table
from companion.verify import noted, read_record, verify
from tests.headless.door import Door, journal_in
from tests.seals.games import GAMES, finish, finished, sealed_anew

Record = dict[str, Any]


@cache
def original(game: str = "phantom") -> Record:
    """A true record, as JSON reads it."""
    return json.loads(msgspec.json.encode(finished(game).record()))  # type: ignore[no-any-return]


def faults(record: Any, *seals: str) -> list[str]:
    """What is wrong with a record, in words."""
    try:
        found = verify(read_record(json.dumps(record).encode()), [noted(seal) for seal in seals])
    except Refusal as refusal:
        return [str(refusal)]
    assert (found.checked is None) == bool(found.faults)
    return [str(fault) for fault in found.faults]


Path_ = tuple[Any, ...]


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The way to every value in a document."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for n, each in enumerate(value):
            yield from leaves(each, (*path, n))


def changed(record: Record, path: Path_, value: Any) -> Record:
    """The same record with another value in one place."""
    if not path:
        return value  # type: ignore[no-any-return]
    record = copy.deepcopy(record)
    place: Any = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return record


def at(record: Record, path: Path_) -> Any:
    place: Any = record
    for step in path:
        place = place[step]
    return place


def others(value: Any) -> tuple[Any, ...]:
    """What somebody might write in the place of a value."""
    match value:
        case bool():
            return (not value, 1, None)
        case int():
            return (value + 1, -1, str(value), 10**30, None)
        case str():
            return (value + "x", value[:-1] + "0", "", value.upper() + " ", 7, None)
        case None:
            return ("x", 0, {}, True)
        case list():
            return ([*value, 1], value[:-1] or None, {}, None)
    return ({**value, "extra": 1}, {}, [], None)


@pytest.mark.parametrize("game", GAMES)
def test_changes_in_a_record_are_found(game: str) -> None:
    """Everything that stands above the entries, and some of what is in them."""
    change_and_find(game, 50)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_changes_in_a_record_are_found(game: str) -> None:
    change_and_find(game, 1000)


def change_and_find(game: str, most: int) -> None:
    record, chance = original(game), Random(1)
    assert faults(record) == []
    ways = list(leaves(record))
    top = [path for path in ways if path[:1] != ("entries",)]
    for path in top + chance.sample(ways, min(most, len(ways))):
        value = at(record, path)
        for other in others(value):
            if other != value or type(other) is not type(value):
                assert faults(changed(record, path, other)), (path, value, other)


def test_every_entry_that_is_changed_is_named() -> None:
    record = original()
    for n, link in enumerate(record["entries"], start=1):
        spoiled = changed(record, ("entries", n - 1, "entry", "seat"), link["entry"]["seat"] + "?")
        assert f"entry {n} does not fit its seal" in faults(spoiled)[0]


def test_several_changes_are_all_told() -> None:
    record = changed(original(), ("entries", 4, "random"), "00" * 16)
    record = changed(record, ("entries", 9, "seal"), "11" * 32)
    record = changed(record, ("result", "winner"), "nobody")
    told = "\n".join(faults(record))
    for part in ("entry 5 does", "entry 10 does", "entry 11 does", "nobody"):
        assert part in told


def test_a_record_that_is_cut_reordered_or_doubled_is_found_even_if_sealed_anew() -> None:
    record = original()
    entries = record["entries"]
    for cut in range(1, len(entries)):
        shorter = {**record, "entries": entries[:cut]}
        assert faults(shorter)
        assert "not over" in faults(sealed_anew(shorter))[-1]
    for n in range(len(entries) - 1):
        mixed = [*entries[:n], entries[n + 1], entries[n], *entries[n + 2 :]]
        assert any("does not fit its seal" in each for each in faults({**record, "entries": mixed}))
    for n in range(0, len(entries), 5):
        doubled = [*entries[: n + 1], *entries[n:]]
        assert any("has the number" in each for each in faults({**record, "entries": doubled}))
        missing = [*entries[:n], *entries[n + 1 :]]
        assert any("has the number" in each for each in faults({**record, "entries": missing}))


def test_a_forger_who_seals_everything_anew_is_found_by_whoever_noted_eight_digits() -> None:
    """The forger plays by the rules: two tiles change places. Only what people noted gives it away."""
    record = original()
    laid = [n for n, link in enumerate(record["entries"]) if link["entry"].get("action", {}).get("value")]
    one, two = next(
        (a, b)
        for a in laid
        for b in laid
        if record["entries"][a]["entry"]["action"] != record["entries"][b]["entry"]["action"] and b == a + 1
    )
    forged = copy.deepcopy(record)
    first, second = (forged["entries"][n]["entry"]["action"] for n in (one, two))
    first["room"], second["room"] = second["room"], first["room"]
    forged = sealed_anew(forged)
    seals = [f"{link['seal'][:8]}@{link['n']}" for link in record["entries"]]
    assert all(faults(record, seal) == [] for seal in seals)
    assert [bool(faults(forged, seal)) for seal in seals[: one + 1]][-2:] == [False, True] or one == 0
    assert all("something before it was changed" in faults(forged, seal)[-1] for seal in seals[one:])


def test_a_move_against_the_rules_is_named_with_its_rule() -> None:
    """Sealed anew, so that nothing but the rules can find it."""
    record = copy.deepcopy(original())
    removed = next(
        link
        for link in reversed(record["entries"])
        if link["entry"].get("action", {}).get("type") == "remove"
    )
    removed["entry"]["action"]["room"] = 37
    told = faults(sealed_anew(record))
    assert len(told) == 1
    assert told[0].startswith(f"entry {removed['n']} is against the rules")


def test_an_undo_without_consent_is_found() -> None:
    record = copy.deepcopy(original())
    undone = next(link for link in record["entries"] if link["entry"]["do"] == "undo")
    undone["entry"]["seat"] = "p4"
    assert f"entry {undone['n']} is against the rules" in faults(sealed_anew(record))[0]


def test_a_seal_beyond_the_end_is_told() -> None:
    record = original()
    n = len(record["entries"]) + 1
    assert "the record ends with entry" in faults(record, f"{record['seal']}@{n}")[0]


# By commands


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a finished game, one that was left, and one that goes on."""
    path = tmp_path_factory.mktemp("record") / "journal"
    table = finished("phantom", journal=path)
    table.leave()
    table.new("phantom", {"players": 4}, seed=1)
    table.new("phantom", {"players": 4, "deal": True}, seed=2)
    finish(table, Random(3))
    table.new("canterville", GAMES["canterville"], seed=1)
    table.close()
    return path


def test_record_and_verify(journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out.json")
    assert main(["record", "--journal", str(journal), "--game", "1", out]) == 0
    record = json.loads(Path(out).read_text())
    assert record["game"] == "phantom"
    capsys.readouterr()
    seal = f"{record['entries'][16]['seal']}@17"
    assert main(["verify", out, "--seal", seal, "--seal", seal[:8] + "@17"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert len(told.out.splitlines()) == 1
    assert "every one follows the rules and its seal" in told.out
    assert main(["verify", out, "--seal", "00000000@17"]) == 1
    assert "seal 17 was noted as 00000000" in capsys.readouterr().err
    # Written again it is the same: that harms nobody.
    assert main(["record", "--journal", str(journal), "--game", "1", out]) == 0


def test_record_of_the_state_folder(journal: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out.json")
    assert main(["record", "--state", str(journal.parent), "--game", "3", out]) == 0
    assert main(["verify", out]) == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "still going on"),
        (["--game", "4"], "still going on"),
        (["--game", "2"], "still going on"),
        (["--game", "5"], "there is no game 5"),
        (["--game", "0"], "there is no game 0"),
    ],
)
def test_a_game_that_is_not_over_has_no_record(
    arguments: list[str], why: str, journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "--journal", str(journal), *arguments, str(tmp_path / "out.json")]) == 1
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_record_never_overwrites_anything_else(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "photos").write_bytes(b"grandmother")
    assert main(["record", "--journal", str(journal), "--game", "1", str(tmp_path / "photos")]) == 1
    assert (tmp_path / "photos").read_bytes() == b"grandmother"


def test_a_record_is_written_while_a_companion_plays_on(tmp_path: Path) -> None:
    with Door(*journal_in(tmp_path)) as door:
        door.hunt(objective=1)
        door.play("p2 B3")
        assert door.must("record")["record"]["result"] is not None
        assert main(["record", "--journal", str(tmp_path / "journal"), str(tmp_path / "out.json")]) == 0
        assert json.loads((tmp_path / "out.json").read_text()) == door.must("record")["record"]
        assert door.must("seal")["seal"] == door.must("record")["record"]["seal"]
        assert main(["verify", str(tmp_path / "out.json")]) == 0


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"record": 2}',
        b'{"record": true}',
        b'{"record": 1, "game": "\\ud800"}',
    ],
)
def test_what_is_no_record_is_refused_in_words(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.json").write_bytes(data)
    assert main(["verify", str(tmp_path / "r.json")]) == 1
    assert capsys.readouterr().err.startswith("companion: ")


def test_a_file_that_is_not_there_and_a_seal_that_is_none_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path / "nothing.json")]) == 1
    assert "No such file" in capsys.readouterr().err
    (tmp_path / "r.json").write_text(json.dumps(original()))
    for seal in ("9f@17", "nonsense", "12345678", "12345678@x", "@1"):
        assert main(["verify", str(tmp_path / "r.json"), "--seal", seal]) == 1
        assert "at least 8 of its digits" in capsys.readouterr().err


def test_a_table_in_memory_has_a_record_too() -> None:
    table = Table()
    table.new("phantom", {"players": 4, "deal": True}, seed=2)
    finish(table, Random(3))
    assert plain(table.record())["result"] == plain(table.standing().result)
