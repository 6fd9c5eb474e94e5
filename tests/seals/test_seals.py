"""Seals during play: public, telling nothing, the same after a restart, and gone from no game."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion import backup, seals
from companion.contract import HOST, MODERATOR, PUBLIC, plain
from companion.journal import Journal, _line, read_entries
from companion.refusals import Illegal, NoGame, NotSaved
from companion.table import Table
from companion.verify import read_record, verify
from tests.conformance.tables import TABLES, Seating
from tests.headless.door import Door, session
from tests.journal.games import play
from tests.journal.test_disk import full_disk
from tests.seals.games import GAMES, by_hand, finish, finished

OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
PLACE = {"type": "place", "room": 1, "colour": "blue", "value": 3}


def opened(tmp_path: Path) -> Table:
    return Table(Journal(tmp_path / "journal"))


@pytest.mark.parametrize("game", GAMES)
def test_the_seals_shown_during_play_are_those_of_the_record(game: str) -> None:
    table, chance = Table(), Random(1)
    table.new(game, GAMES[game], seed=1)
    shown = [table.seal()]
    while table.standing().result is None:
        seat = chance.choice(table.standing().to_act)
        table.act(seat, chance.choice(table.legal(seat)))
        shown.append(table.seal())
    record = plain(table.record())
    chain = by_hand(record)
    assert [chain[seal.n] for seal in shown] == [seal.seal for seal in shown]
    assert [record["first"], *(link["seal"] for link in record["entries"])] == chain
    verdict = verify(table.record(), shown)
    assert verdict.faults == ()


@pytest.mark.parametrize("seating", TABLES, ids=repr)
def test_a_game_at_any_table_has_a_record_that_verifies(seating: Seating) -> None:
    table = Table()
    table.new(seating.name, seating.options, seed=5)
    finish(table, Random(5), most=20_000)
    record = read_record(msgspec.json.encode(table.record()))
    assert [str(fault) for fault in verify(record, [table.seal()]).faults] == []


def test_a_game_entered_midway_has_its_position_in_the_record_and_not_in_the_seal() -> None:
    rooms = [{"colour": colour, "value": 3} for colour in OWNERS for _ in range(9)]
    ghosts = {
        colour: {"room": 9 * n + 1, "owner": owner, "revealed": False}
        for n, (colour, owner) in enumerate(OWNERS.items())
    }
    position = {
        "rooms": rooms, "ghosts": ghosts, "damage": 0, "to_act": ["p2"], "objective": 30, "players": 4,
    }  # fmt: skip
    one, two = Table(), Table()
    for table in (one, two):
        table.new("phantom", {"players": 4}, position)
    assert one.seal() != two.seal()
    finish(one, Random(1))
    record = one.record()
    assert record.secret is not None
    assert record.secret.position == position
    assert verify(record).faults == ()


@pytest.mark.parametrize("game", GAMES)
def test_moves_taken_back_and_done_again_are_in_the_record_and_verify(game: str) -> None:
    table = finished(game)
    record = table.record()
    done = [link.entry["do"] for link in record.entries]
    assert (done.count("undo"), done.count("redo")) == (2, 1)
    verdict = verify(record)
    assert verdict.faults == ()
    assert "taken back (2×)" in str(verdict.checked)


def test_every_accepted_action_extends_the_chain_by_one_and_nothing_else_does() -> None:
    table = Table()
    with pytest.raises(NoGame):
        table.seal()
    table.new("phantom", {"players": 4})
    assert table.seal().n == 0
    first = table.seal()
    with pytest.raises(Illegal):
        table.act("p2", PLACE)
    with pytest.raises(Illegal):
        table.record()
    assert table.seal() == first
    table.act("p1", PLACE)
    table.undo("p1")
    table.redo("p1")
    assert table.seal().n == 3
    assert table.seal().seal not in (first.seal, "")


def test_the_seals_survive_a_restart_and_the_next_entry_says_so(tmp_path: Path) -> None:
    table = opened(tmp_path)
    table.new("phantom", {"players": 4}, seed=5)
    play(table, 20, Random(1))
    noted = table.seal()
    table.close()
    table = opened(tmp_path)
    assert table.seal() == noted
    assert table.happenings() == {"resumed": 1}
    finish(table, Random(2))
    record = table.record()
    assert [link.n for link in record.entries if "resumed" in link.entry.get("after", ())] == [noted.n + 1]
    assert verify(record, [noted]).faults == ()
    table.close()
    again = opened(tmp_path)
    assert again.record() == record
    again.close()


def test_a_repair_by_the_moderator_shows_in_the_record() -> None:
    table = Table()
    table.new("phantom", {"players": 4, "deal": True}, seed=9)
    play(table, 45, Random(1))
    table.act(MODERATOR, {"type": "repair", "set": {"damage": 5}})
    assert table.happenings() == {"repaired": 1}
    finish(table, Random(3))
    assert "the moderator repaired it (1×)" in str(verify(table.record()).checked)


def test_lost_moves_show_in_the_record_and_at_the_table(tmp_path: Path) -> None:
    table = opened(tmp_path)
    table.new("phantom", {"players": 4, "deal": True}, seed=5)
    play(table, 42, Random(1))
    noted, line = table.seal(), table.history()[-2]
    table.close()
    path = tmp_path / "journal"
    path.write_bytes(path.read_bytes()[:-9])
    table = opened(tmp_path)
    lost = table.lost()
    assert lost is not None
    assert lost.last == line
    assert f"number {line.n}, by {line.seat}" in str(table.notices[0])
    table.close()
    # Whoever did not look the first time is told the second time.
    table = opened(tmp_path)
    assert table.lost() == lost
    finish(table, Random(2))
    assert "its journal was mended (1×)" in str(verify(table.record()).checked)
    assert len(verify(table.record(), [noted]).faults) == 1
    table.close()


def test_a_restored_game_shows_at_the_table_and_in_its_record(tmp_path: Path) -> None:
    table = opened(tmp_path / "old")
    table.new("phantom", {"players": 4, "deal": True}, seed=5)
    play(table, 42, Random(1))
    noted = table.seal()
    table.close()
    backup.restore(backup.pack(tmp_path / "old"), tmp_path / "new")
    for _ in range(2):
        table = opened(tmp_path / "new")
        assert table.happenings() == {"restored": 1, "resumed": 1}
        table.close()
    table = opened(tmp_path / "new")
    finish(table, Random(2))
    verdict = verify(table.record(), [noted])
    assert verdict.faults == ()
    assert "restored from a backup (1×)" in str(verdict.checked)
    table.close()


def test_a_journal_that_was_changed_by_hand_is_told_and_the_record_shows_where(tmp_path: Path) -> None:
    """A clever hunter with the card in a laptop: the checksums are right, the seal is not."""
    table = opened(tmp_path)
    table.new("phantom", {"players": 4}, seed=5)
    play(table, 30, Random(1))
    table.close()
    path = tmp_path / "journal"
    entries = read_entries(path.read_bytes())[0]
    changed = replace(entries[7], action={**entries[7].action, "value": entries[7].action["value"] % 6 + 1})
    entries[7] = changed
    path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n" + b"".join(map(_line, entries)))
    table = opened(tmp_path)
    (notice,) = table.notices
    assert "entry 7 of this game does not fit its seal" in str(notice)
    finish(table, Random(2))
    assert [str(fault) for fault in verify(table.record()).faults] == [
        "entry 7 does not fit its seal: the entry, its random bytes or the seal were changed"
    ]
    table.close()


# Journals of the version before


def as_before(data: bytes) -> bytes:
    """A journal as it was written before there were seals."""
    lines = []
    for entry in read_entries(data)[0]:
        fields = {k: v for k, v in plain(entry).items() if k not in ("salt", "seal", "over", "after")}
        lines.append(fields)
    import zlib

    header = data.split(b"\n")[0] + b"\n"
    payloads = [json.dumps(fields, separators=(",", ":")).encode() for fields in lines]
    return header + b"".join(b"%08x %b\n" % (zlib.crc32(each), each) for each in payloads)


def test_a_game_of_the_version_before_goes_on_and_is_sealed_from_its_next_action(tmp_path: Path) -> None:
    table = opened(tmp_path)
    table.new("phantom", {"players": 4, "deal": True}, seed=5)
    play(table, 42, Random(1))
    expected = table.history()
    table.close()
    path = tmp_path / "journal"
    path.write_bytes(as_before(path.read_bytes()))
    table = opened(tmp_path)
    assert (table.history(), table.notices) == (expected, [])
    # Its entries have no random bytes: a seal of them alone could be guessed.
    with pytest.raises(Illegal, match="sealed from the next action on"):
        table.seal()
    play(table, 1, Random(2))
    noted = table.seal()
    finish(table, Random(3))
    assert verify(table.record(), [noted]).faults == ()
    table.close()


# All or nothing


@pytest.mark.parametrize("room_for", [0, 150, 400])
def test_a_game_whose_draws_cannot_be_saved_has_not_begun(tmp_path: Path, room_for: int) -> None:
    from tests.journal.test_disk import no_file_above

    table = opened(tmp_path)
    table.new("phantom", {"players": 2}, seed=5)
    play(table, 3, Random(1))
    before = table.view(PUBLIC), table.history(), table.seal(), table.version
    size = (tmp_path / "journal").stat().st_size
    with no_file_above(size + room_for), pytest.raises(NotSaved):
        table.new("artefacts", GAMES["artefacts"], seed=3)
    assert (table.view(PUBLIC), table.history(), table.seal(), table.version) == before
    assert (tmp_path / "journal").stat().st_size == size
    table.close()


def test_an_action_whose_draws_cannot_be_saved_did_not_happen(tmp_path: Path) -> None:
    """What an action leads to is saved with it: the refusal says that it did not happen, and it did not."""
    table, chance = opened(tmp_path), Random(4)
    table.new("artefacts", GAMES["artefacts"], seed=3)
    assert table.journal is not None
    from tests.journal.test_disk import no_file_above

    tried = 0
    for _ in range(60):
        seat = table.standing().to_act[0]
        action = chance.choice(table.legal(seat))
        before = table.view(PUBLIC), table.history(), table.seal()
        size = (tmp_path / "journal").stat().st_size
        with no_file_above(size + 260):
            try:
                table.act(seat, action)
            except NotSaved:
                tried += 1
                assert (table.view(PUBLIC), table.history(), table.seal()) == before
                assert (tmp_path / "journal").stat().st_size == size
                continue
        # One line fitted: the action led to nothing more.
        assert len(table.history()) == len(before[1]) + 1
    assert tried
    table.close()


def test_leaving_and_a_rematch_on_a_full_disk_leave_everything_as_it_was(tmp_path: Path) -> None:
    table = opened(tmp_path)
    table.new("phantom", {"players": 4, "deal": True}, seed=5)
    finish(table, Random(1))
    assert table.journal is not None
    before = table.view(PUBLIC), table.seal()
    for attempt in (table.leave, table.rematch):
        with full_disk(table.journal), pytest.raises(NotSaved):
            attempt()
        assert (table.view(PUBLIC), table.seal()) == before
    table.leave()
    assert table.game is None
    table.close()


# Secrets


def hidden_game(seed: int | None) -> Table:
    table = Table()
    table.new("phantom", {"players": 4, "deal": True}, seed=seed)
    while table.standing().phase != "hiding":
        seat = table.standing().to_act[0]
        table.act(seat, table.legal(seat)[0])
    return table


def test_random_bytes_are_fresh_for_every_entry_and_come_from_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []

    def token(size: int) -> str:
        drawn.append(os.urandom(size).hex())
        return drawn[-1]

    monkeypatch.setattr(seals.secrets, "token_hex", token)
    table = hidden_game(None)
    play(table, 4, Random(1))
    used = [link.random for link in table._chain.links] if table._chain else []
    assert len(used) == table.seal().n > 4
    assert len(set(used)) == len(used)
    assert set(used) <= set(drawn)
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in used)


def test_a_seal_cannot_be_guessed_from_what_could_have_been_done() -> None:
    """All that a hunter has is the seal before, the seal after, and every room in which a ghost may hide."""
    table = hidden_game(None)
    before = table.seal()
    seat = table.standing().to_act[0]
    choices = table.legal(seat)
    table.act(seat, choices[0])
    after = table.seal()
    for choice in choices:
        entry = {"do": "act", "seat": seat, "action": plain(choice)}
        for random in ("", "00" * 16, before.seal[:32]):
            assert seals.next_seal(before.seal, entry, random) != after.seal


def test_two_games_with_the_same_secrets_have_no_seal_in_common_once_something_is_secret() -> None:
    one, two = hidden_game(None), hidden_game(None)
    for table in (one, two):
        play(table, 4, Random(1))
    assert one._chain is not None
    assert two._chain is not None
    assert not {link.seal for link in one._chain.links} & {link.seal for link in two._chain.links}


def test_neither_random_bytes_nor_secrets_leave_before_the_end() -> None:
    with Door() as door:
        door.hunt()
        told = [door.must("seal"), *(door.must("view", seat=seat) for seat in (PUBLIC, HOST))]
        told += [door.must("history"), door.must("lamps")]
        assert door.code("record") == "illegal"
        assert "record" not in door.ask("record")
        text = json.dumps(told)
        assert "random" not in text
        assert "salt" not in text


def test_secret_options_are_covered_by_the_first_seal_and_told_by_it_to_nobody() -> None:
    table = Table()
    table.new("phantom", {"players": 4, "owners": {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}})
    other = Table()
    other.new("phantom", {"players": 4, "owners": {"blue": "p4", "red": "p2", "green": "p4", "white": "p2"}})
    same = Table()
    same.new("phantom", {"players": 4, "owners": {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}})
    assert len({table.seal().seal, other.seal().seal, same.seal().seal}) == 3
    open_game = [Table() for _ in range(2)]
    for each in open_game:
        each.new("phantom", {"players": 4})
    # Where nothing is secret anybody can compute the first seal.
    assert open_game[0].seal() == open_game[1].seal()


# By lines


def lines(*requests: dict[str, Any]) -> list[bytes]:
    return [json.dumps(request).encode() for request in requests]


def test_with_a_seed_the_same_lines_give_the_same_seals_in_every_process() -> None:
    asked = lines(
        {"cmd": "seal"},
        {"cmd": "new", "game": "phantom", "players": 4, "seed": 7},
        {"cmd": "seal"},
        {"cmd": "act", "seat": "p1", "action": PLACE},
        {"cmd": "seal"},
        {"cmd": "undo", "seat": "p1"},
        {"cmd": "act", "seat": "p1", "action": PLACE},
        {"cmd": "seal"},
        {"cmd": "record"},
    )
    first, second = (session(asked, hash_seed=seed) for seed in ("1", "2"))
    assert first == second
    answers = [json.loads(line) for line in first.splitlines()]
    assert answers[0]["error"]["code"] == "no_game"
    assert [answers[n]["n"] for n in (2, 4, 7)] == [0, 1, 3]
    assert len({answers[n]["seal"] for n in (2, 4, 7)}) == 3
    assert all(re.fullmatch("[0-9a-f]{64}", answers[n]["seal"]) for n in (2, 4, 7))
    assert answers[8]["error"]["code"] == "illegal"


def test_the_schema_describes_seals_and_records() -> None:
    from companion.schema import schema

    document = schema()
    assert {"SealAnswer", "RecordAnswer"} <= set(document["answers"])
    assert {"n", "entry", "random", "seal"} == set(document["$defs"]["Link"]["required"])
