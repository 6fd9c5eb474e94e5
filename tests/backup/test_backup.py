"""A state folder into one file and back: whole or not at all."""

from __future__ import annotations

import contextlib
import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from companion import backup
from companion.cli import main
from companion.journal import Header, Journal, _line
from companion.refusals import Refusal
from companion.table import Table
from web.render import pages
from web.server import server


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A household with a game in progress, a box and a castle."""
    state = tmp_path / "state"
    for name in ("boxes/attic.json", "castles/ours.json"):
        (state / name).parent.mkdir(parents=True)
        (state / name).write_text(name)
    table = Table(Journal(state / "journal"))
    table.new("phantom", {"players": 4})
    table.act("p1", {"type": "place", "room": 1, "colour": "blue", "value": 3})
    table.close()
    return state


def files(state: Path) -> dict[str, bytes]:
    """Every file that counts."""
    found = {path.relative_to(state).as_posix(): path for path in state.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in found.items()
        if not name.endswith(".lock") and not name.startswith("before-restore")
    }


def test_a_new_sd_card_gets_everything_and_the_game_goes_on(state: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    assert main(["backup", str(tmp_path / "b.zip"), "--state", str(state)]) == 0
    assert main(["restore", str(tmp_path / "b.zip"), "--state", str(new)]) == 0
    assert files(new) == files(state)
    table = Table(Journal(new / "journal"))
    assert (table.notices, table.standing().to_act) == ([], ("p2",))
    table.close()


def test_a_backup_while_a_game_is_played_has_whole_entries_only(state: Path) -> None:
    journal = state / "journal"
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'00000000 {"do":"act","half')
    assert backup.unpack(backup.pack(state))["journal"] == whole


def test_what_was_there_is_kept_aside(state: Path) -> None:
    packed = backup.pack(state)
    (state / "boxes/attic.json").write_text("newer")
    backup.restore(packed, state)
    backup.restore(packed, state)
    assert (state / "boxes/attic.json").read_text() == "boxes/attic.json"
    assert (state / "before-restore-1/boxes/attic.json").read_text() == "newer"
    assert (state / "before-restore-2/boxes/attic.json").read_text() == "boxes/attic.json"
    assert not any("before-restore" in name for name in backup.unpack(backup.pack(state)))


def test_a_backup_never_overwrites_a_file(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "b.zip").write_text("grandmother's photos")
    assert main(["backup", str(tmp_path / "b.zip"), "--state", str(state)]) == 1
    assert (tmp_path / "b.zip").read_text() == "grandmother's photos"
    assert "another name" in capsys.readouterr().err


def test_a_state_folder_in_use_is_not_replaced(state: Path) -> None:
    packed, before = backup.pack(state), files(state)
    journal = Journal(state / "journal")
    with pytest.raises(Refusal, match="stop it first"):
        backup.restore(packed, state)
    journal.close()
    assert files(state) == before


def repacked(data: bytes, change: Callable[[dict[str, bytes]], object]) -> bytes:
    """The same archive with something changed inside."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    change(content)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, each in content.items():
            archive.writestr(name, each)
    return packed.getvalue()


def listed(content: dict[str, bytes], name: str, data: bytes) -> None:
    """Put a file into an archive the way `pack` would."""
    manifest = msgspec.json.decode(content["manifest.json"])
    manifest["files"][name] = {"size": len(data), "sha256": backup._checksum(data)}
    content["manifest.json"] = msgspec.json.encode(manifest)
    content[name] = data


def newer(content: dict[str, bytes]) -> None:
    content["manifest.json"] = content["manifest.json"].replace(b'"backup": 1', b'"backup": 2')


SPOILED: dict[str, Callable[[dict[str, bytes]], object]] = {
    "another box than was packed": lambda content: content.update({"boxes/attic.json": b"boxes/attic.jsoN"}),
    "a file that is not listed": lambda content: content.update({"extra": b""}),
    "a file that is missing": lambda content: content.pop("boxes/attic.json"),
    "no list": lambda content: content.pop("manifest.json"),
    "a list that is no list": lambda content: content.update({"manifest.json": b"[]"}),
    "a way out of the folder": lambda content: listed(content, "../escaped", b"x"),
    "a way to anywhere": lambda content: listed(content, "/etc/escaped", b"x"),
    "a way out on Windows": lambda content: listed(content, "..\\escaped", b"x"),
    "a name that restoring itself uses": lambda content: listed(content, ".restored/x", b"x"),
}


@pytest.mark.parametrize("change", SPOILED.values(), ids=SPOILED.keys())
def test_a_spoiled_backup_changes_nothing(
    change: Callable[[dict[str, bytes]], object], state: Path, tmp_path: Path
) -> None:
    packed, before = repacked(backup.pack(state), change), files(state)
    with pytest.raises(Refusal, match="damaged"):
        backup.restore(packed, state)
    assert files(state) == before
    assert not (tmp_path / "escaped").exists()


def test_every_cut_and_flipped_backup_is_noticed(state: Path) -> None:
    packed = backup.pack(state)
    for cut in range(0, len(packed), 97):
        with pytest.raises(Refusal):
            backup.unpack(packed[:cut])
    original = backup.unpack(packed)
    for place in range(0, len(packed), 53):
        flipped = bytearray(packed)
        flipped[place] ^= 0x40
        # A flip may hit what nobody reads, such as a date; it never changes what is restored.
        with contextlib.suppress(Refusal):
            assert backup.unpack(bytes(flipped)) == original


def test_a_newer_backup_is_refused_by_its_format(state: Path) -> None:
    with pytest.raises(Refusal, match="format 2"):
        backup.unpack(repacked(backup.pack(state), newer))


def test_a_newer_game_is_refused(state: Path) -> None:
    later = _line(Header(journal=99))
    with pytest.raises(Refusal, match="later version"):
        backup.unpack(repacked(backup.pack(state), lambda content: listed(content, "later", later)))


def power_gone_after(renames: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let so many renames happen, and no more."""
    real, left = os.replace, iter(range(renames))

    def rename(source: Path, target: Path) -> None:
        if next(left, None) is None:
            raise OSError("the power is gone")
        real(source, target)

    monkeypatch.setattr(os, "replace", rename)


@pytest.mark.parametrize("renames", range(9))
def test_a_restore_cut_off_at_any_step_is_finished_at_the_next_start(
    renames: int, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed, packed_files = backup.pack(state), files(state)
    (state / "boxes/attic.json").write_text("newer")
    (state / "boxes/cellar.json").write_text("another")
    newer_files = files(state)
    with monkeypatch.context() as patch:
        power_gone_after(renames, patch)
        with contextlib.suppress(Refusal):
            backup.restore(packed, state)
    backup.finish(state)
    # Before the first rename nothing was promised; after it the restored state is whole.
    assert files(state) == (packed_files if renames else newer_files)


def test_the_daemon_finishes_a_restore_that_a_power_cut_left_waiting(
    state: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packed, new = backup.pack(state), tmp_path / "new"
    new.mkdir()
    with monkeypatch.context() as patch:
        power_gone_after(1, patch)
        with pytest.raises(Refusal):
            backup.restore(packed, new)
    with server.opened(new, "none", pages) as house:
        assert house.table.standing().to_act == ("p2",)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_what_root_restores_belongs_to_the_owner_of_the_state(state: Path) -> None:
    packed = backup.pack(state)
    os.chown(state, 12345, 12345)
    backup.restore(packed, state)
    assert {(state / name).stat().st_uid for name in ("journal", "boxes", "boxes/attic.json")} == {12345}


def test_the_note_of_a_running_daemon_with_its_pin_stays_at_home(tmp_path: Path) -> None:
    (tmp_path / "journal").write_bytes(b"whatever")
    (tmp_path / "running.json").write_bytes(b'{"port":80,"pin":"123456"}')
    (tmp_path / "journal.lock").write_bytes(b"")
    assert set(backup.unpack(backup.pack(tmp_path))) == {"journal"}
