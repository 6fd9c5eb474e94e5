"""A state folder with traps in it: nothing is followed, nothing hangs, nothing is given away."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from companion import backup
from companion.boxes import Shelf
from companion.cli import main
from companion.disk import NotOurs, is_own, open_own, read_own, write_file
from companion.entries import HEADER, Left, Started, line_of, read_entries
from companion.journal import Journal
from companion.privileges import as_owner
from companion.records import without_secrets
from companion.refusals import Refusal, TooLarge
from companion.releases import rehearse
from companion.state_files import LARGEST_JOURNAL, largest
from companion.table import Table
from tests.backup.test_backup import listed, repacked
from tests.journal.games import play
from tests.seals.games import finished
from web.server import running

SERVICE = 12345
root = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A folder with a game in progress and a box."""
    state = tmp_path / "state"
    (state / "boxes").mkdir(parents=True)
    (state / "boxes/attic.json").write_text("a box")
    table = Table(Journal(state / "journal"))
    table.new("phantom", {"players": 4})
    table.act("p1", {"type": "place", "room": 1, "colour": "blue", "value": 3})
    table.close()
    return state


@pytest.fixture
def roots_groups() -> Iterator[None]:
    """Those that root has where somebody logged in."""
    before = os.getgroups()
    os.setgroups([0, 42])
    yield
    os.setgroups(before)


# One way to open a file


@pytest.mark.parametrize("mode", ["rb", "ab", "rb+"])
def test_what_is_no_plain_file_of_ours_is_not_opened_and_not_waited_for(mode: str, tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"elsewhere")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("link", "pipe"):
        with pytest.raises(NotOurs, match="no plain file"):
            open_own(tmp_path / name, mode)
        assert not is_own(tmp_path / name)
    with pytest.raises(OSError, match="directory"):
        open_own(tmp_path / "folder", mode)
    with open_own(tmp_path / "real", mode):
        pass
    assert (tmp_path / "real").read_bytes() == b"elsewhere"


@root
def test_somebody_elses_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_bytes(b"x")
    os.chown(tmp_path / "theirs", SERVICE, SERVICE)
    with pytest.raises(NotOurs):
        read_own(tmp_path / "theirs", 10)


def test_a_trap_beside_a_file_does_not_lead_its_new_version_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"keep")
    (tmp_path / "book.new").symlink_to(tmp_path / "elsewhere")
    write_file(tmp_path / "book", b"fresh")
    assert (tmp_path / "elsewhere").read_bytes() == b"keep"
    assert (tmp_path / "book").read_bytes() == b"fresh"
    assert not (tmp_path / "book").is_symlink()


@pytest.mark.parametrize("name", ["journal", "journal.lock"])
def test_a_journal_that_is_a_link_or_a_pipe_is_refused_at_once(name: str, tmp_path: Path) -> None:
    for trap in (lambda path: os.mkfifo(path), lambda path: path.symlink_to("/etc/passwd")):
        path = tmp_path / name
        trap(path)
        with pytest.raises(NotOurs):
            Journal(tmp_path / "journal")
        path.unlink()
    assert Journal(tmp_path / "journal").close() is None


def test_a_box_behind_a_pipe_or_a_link_is_told_and_harms_no_other(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "link.json").symlink_to("/etc/passwd")
    faults = Shelf(tmp_path).faults()
    assert [name for name, _ in faults] == ["link.json", "pipe.json"]
    assert all("no plain file" in str(fault) for _, fault in faults)


# Backups


def test_a_backup_leaves_out_what_is_not_ours(state: Path) -> None:
    os.mkfifo(state / "kits")
    (state / "boxes/link.json").symlink_to("/etc/passwd")
    (state / "castles").symlink_to("/etc")
    (state / "photos.zip").write_bytes(b"not ours")
    assert set(backup.unpack(backup.pack(state))) == {"journal", "boxes/attic.json"}


@pytest.mark.parametrize(
    "name",
    ["journal/x", "journal.lock/x", "journal.lock", "guests.json/x", "x", "boxes/x/y.json", "boxes/.json",
     "kits/x.py", ".starts", "running.json", "set-aside-1/journal", "boxes/a\nb.json"],
)  # fmt: skip
def test_only_known_names_are_restored(name: str, state: Path, tmp_path: Path) -> None:
    packed = repacked(backup.pack(state), lambda content: listed(content, name, b"x"))
    assert not largest(name)
    new = tmp_path / "new"
    new.mkdir()
    backup.restore(packed, new)
    kept = {path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file()}
    assert kept == {"journal", "journal.lock", "boxes/attic.json"}
    table = Table(Journal(new / "journal"))
    assert table.standing().to_act == ("p2",)
    table.close()


def test_sizes_are_bounded(state: Path) -> None:
    packed = repacked(backup.pack(state), lambda content: listed(content, "boxes/x.json", bytes(1 << 17)))
    with pytest.raises(TooLarge):
        backup.unpack(packed)


MEASURE = """
import resource, sys
from pathlib import Path
from companion import backup
from companion.journal import Journal
from companion.table import Table
from companion.refusals import Refusal
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
if sys.argv[1] == "open":
    Table(Journal(Path(sys.argv[2]))).close()
else:
    try:
        backup.unpack(Path(sys.argv[2]).read_bytes(), 64 << 20)
    except Refusal as refusal:
        print(type(refusal).__name__)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def taken(*arguments: str | Path) -> list[str]:
    """What a process of its own says, at last the kilobytes that it took."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize("kind", ["junk", "entries", "damaged"])
def test_a_long_journal_of_short_lines_takes_little_memory(kind: str, tmp_path: Path) -> None:
    """63 megabytes, as somebody uploads them; a Pi has 512 and gives the service 256."""
    path = tmp_path / "journal"
    size = 63 << 20 if kind == "junk" else 5 << 20
    with open(path, "wb") as file:
        file.write(HEADER)
        if kind == "junk":
            file.write(b"x\n" * (size // 2))
        else:
            n = 0
            while file.tell() < size:
                lines = []
                for _ in range(5000):
                    n += 1
                    lines.append(line_of(Left(n, 0.0)))
                file.write(b"".join(lines))
            if kind == "damaged":
                file.write(b"x")
    path.chmod(0o600)
    assert int(taken("open", path)[-1]) < 60_000


@pytest.mark.parametrize(
    "lines",
    [
        lambda: b"x\n" * (LARGEST_JOURNAL // 2),
        # Each of them is whole, and takes four times its size when it is read.
        lambda: b"".join(line_of(Left(n, 0.0)) for n in range(1, 500_000)),
    ],
    ids=["noise", "whole lines"],
)
def test_a_backup_with_a_journal_too_long_is_refused_before_it_is_read(
    tmp_path: Path, lines: Callable[[], bytes]
) -> None:
    data = HEADER + lines()
    (tmp_path / "b.zip").write_bytes(backup.packed({"journal": data}))
    told, memory = taken("unpack", tmp_path / "b.zip")
    assert told == "TooLarge"
    assert int(memory) < 150_000


def test_a_backup_is_for_its_owners_eyes_only(state: Path, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        backup.save(state, tmp_path / "b.zip")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600


def test_a_backup_can_be_taken_by_a_pi_that_lives_in_1970(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 5.0)
    monkeypatch.setattr(time, "localtime", lambda *when: time.gmtime(5))
    packed = backup.pack(state)
    assert set(backup.unpack(packed)) == {"journal", "boxes/attic.json"}
    (tmp_path / "b.zip").write_bytes(packed)
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert {info.date_time[0] for info in archive.infolist()} == {1980}


# Secrets


def test_a_sealed_copy_has_no_secret_of_a_game_that_was_left(tmp_path: Path) -> None:
    table = finished("phantom", journal=tmp_path / "journal")
    told = (tmp_path / "journal").read_bytes().count(b'"hide"')
    owners = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
    chance = Random(1)
    for leave in (True, False):
        table.new("phantom", {"players": 4, "owners": owners, "deal": True}, seed=4)
        while table.standing().phase != "playing":
            play(table, 1, chance)
        if leave:
            table.leave()
    table.close()
    whole = (tmp_path / "journal").read_bytes()
    sealed = backup.gathered(tmp_path, "none")["journal"]
    entries = read_entries(sealed)[0]
    assert read_entries(sealed)[1] == 0
    begun = [entry for entry in entries if isinstance(entry, Started)]
    assert [entry.options for entry in begun] == [{"players": 4}, {"players": 4, "deal": True}]
    assert isinstance(entries[-1], Left)
    assert b"owners" in whole
    assert b"owners" not in sealed
    # The hides of the finished game, whose secrets are told, and no other.
    assert sealed.count(b'"hide"') == told < whole.count(b'"hide"')
    assert without_secrets(sealed) == sealed


def test_a_journal_of_the_version_before_keeps_its_finished_games(tmp_path: Path) -> None:
    from tests.seals.test_seals import as_before

    table = finished("phantom", journal=tmp_path / "journal")
    table.new("phantom", {"players": 4}, seed=4)
    table.close()
    data = as_before((tmp_path / "journal").read_bytes())
    assert without_secrets(data).count(b'"do":"new"') == 1
    assert without_secrets(data).count(b'"hide"') == data.count(b'"hide"') > 0


def test_a_backup_whose_game_was_changed_by_hand_is_refused(state: Path) -> None:
    from msgspec.structs import replace

    def forged(content: dict[str, bytes]) -> None:
        begun, acted = read_entries(content["journal"])[0]
        action = {**acted.action, "value": 4}
        listed(content, "journal", HEADER + line_of(begun) + line_of(replace(acted, action=action)))

    with pytest.raises(Refusal, match=r"entry 1 .* changed by hand"):
        backup.restore(repacked(backup.pack(state), forged), state)


def test_a_line_cut_from_a_backup_brings_a_left_game_back_as_a_restored_one(state: Path) -> None:
    """Abandon, back up, cut the last line, restore: the game goes on, and everybody is told."""
    table = Table(Journal(state / "journal"))
    table.leave()
    table.close()

    def cut(content: dict[str, bytes]) -> None:
        listed(content, "journal", content["journal"].rsplit(b"\n", 2)[0] + b"\n")

    backup.restore(repacked(backup.pack(state), cut), state)
    table = Table(Journal(state / "journal"))
    assert table.game is not None
    assert table.happenings()["restored"] == 1
    table.close()


# Root


def given(folder: Path, uid: int = SERVICE) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)


@root
def test_root_gives_away_nothing_behind_a_link_when_it_restores(state: Path, tmp_path: Path) -> None:
    packed, treasure = backup.pack(state), tmp_path / "treasure"
    treasure.mkdir()
    (treasure / "shadow").write_bytes(b"root's")
    given(state)
    for name in (".restored.new", ".restored", "before-restore-1"):
        (state / name).symlink_to(treasure)
    with contextlib.suppress(Refusal):
        backup.restore(packed, state)
    assert (treasure.stat().st_uid, (treasure / "shadow").stat().st_uid) == (0, 0)
    assert {path.name for path in treasure.iterdir()} == {"shadow"}
    assert (treasure / "shadow").read_bytes() == b"root's"


@root
def test_what_is_done_for_root_in_the_folder_is_done_by_its_owner(
    state: Path, tmp_path: Path, roots_groups: None
) -> None:
    (tmp_path / "secret").write_bytes(b"root's")
    (tmp_path / "secret").chmod(0o600)
    given(state)

    def who(folder: Path) -> bytes:
        with pytest.raises(PermissionError):
            (folder / "../secret").resolve().read_bytes()
        with pytest.raises(PermissionError):
            os.setuid(0)
        return f"{os.getuid()} {os.getgid()} {os.getgroups()}".encode()

    assert as_owner(state, who) == f"{SERVICE} {SERVICE} []".encode()


@root
def test_a_refusal_and_a_fault_come_back_from_the_owner(state: Path) -> None:
    given(state)
    with pytest.raises(Refusal, match="damaged"):
        as_owner(state, lambda folder: str(backup.unpack(b"nothing")).encode())
    with pytest.raises(OSError, match="No such file"):
        as_owner(state, lambda folder: (folder / "nothing").read_bytes())


@root
def test_root_backs_up_and_restores_the_service_s_folder(state: Path, tmp_path: Path) -> None:
    given(state)
    file = str(tmp_path / "b.zip")
    assert main(["backup", file, "--state", str(state)]) == 0
    assert Path(file).stat().st_uid == 0
    assert main(["restore", file, "--state", str(state)]) == 0
    assert {path.stat().st_uid for path in state.rglob("*")} == {SERVICE}


@root
@pytest.mark.parametrize(
    "command",
    [
        ["record", "--game", "1", "OUT", "--state", "STATE"],
        ["doctor", "--report", "OUT", "--with-secrets", "--state", "STATE"],
        ["backup", "OUT", "--state", "STATE"],
        ["put-back", "--state", "STATE"],
        ["status", "--state", "STATE"],
        ["story", "JOURNAL", "OUT"],
    ],
    ids=lambda command: command[0],
)
def test_no_command_of_root_reads_what_a_link_in_the_folder_leads_to(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The link leads to a finished game and a report of root's own: for root alone they would be readable."""
    state, out = tmp_path / "state", tmp_path / "out"
    state.mkdir()
    table = finished("phantom", journal=tmp_path / "treasure")
    seal = table.record().seal
    table.close()
    report = '{"things":[{"name":"treasure","place":"treasure","why":"treasure"}]}'
    (tmp_path / "report").write_text(report)
    (state / "journal").symlink_to(tmp_path / "treasure")
    (state / "safe-mode.json").symlink_to(tmp_path / "report")
    given(state)
    places = {"OUT": str(out), "STATE": str(state), "JOURNAL": str(state / "journal")}
    main([places.get(word, word) for word in command])
    said = capsys.readouterr()
    found = said.out.encode() + said.err.encode() + (out.read_bytes() if out.exists() else b"")
    if zipfile.is_zipfile(out):
        with zipfile.ZipFile(out) as archive:
            found += b"".join(map(archive.read, archive.namelist()))
    assert seal[:8].encode() not in found
    assert b"<html" not in found
    assert b"why" not in found.replace(b"--why", b"") or b"treasure" not in found


@root
def test_a_note_of_a_running_daemon_is_read_with_its_owner_s_rights(tmp_path: Path) -> None:
    """Elsewhere it would say the PIN of whoever the link leads to."""
    state = tmp_path / "state"
    state.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as wire:
        wire.settimeout(5)
        (state / running.NAME).write_text(f'{{"port":{wire.getsockname()[1]},"pin":"123456"}}')
        (state / running.NAME).chmod(0o600)
        os.chown(state, SERVICE, SERVICE)
        wire.setblocking(False)
        assert running.look(state) is None
        with pytest.raises(BlockingIOError):
            wire.accept()
    assert (state / running.NAME).stat().st_uid == 0, "nothing was given away"


@root
def test_the_doctor_writes_with_the_rights_of_the_folder_s_owner_and_over_no_link(tmp_path: Path) -> None:
    from hardware.commands.doctor import talk
    from tests.hardware.evening import Evening

    state = tmp_path / "state"
    state.mkdir()
    (tmp_path / "shadow").write_text("root's")
    (state / "board.toml").symlink_to(tmp_path / "shadow")
    given(state)
    with Evening("joystick") as evening:
        talk(evening.board, "en", StringIO(), state / "board.toml")
    assert (tmp_path / "shadow").read_text() == "root's"
    assert (state / "board.toml").is_file()
    assert not (state / "board.toml").is_symlink()
    assert (state / "board.toml").stat().st_uid == SERVICE


@root
def test_a_box_that_root_adds_belongs_to_the_service(state: Path, tmp_path: Path) -> None:
    from companion.boxes import to_file
    from tests.boxes.test_boxes import profile

    (tmp_path / "box.json").write_bytes(to_file(profile()))
    given(state)
    assert main(["box", "--state", str(state), "add", str(tmp_path / "box.json")]) == 0
    assert {path.stat().st_uid for path in (state / "boxes").iterdir()} == {SERVICE}


def test_an_update_hangs_on_no_pipe_and_follows_no_link(state: Path, tmp_path: Path) -> None:
    os.mkfifo(state / "later")
    (state / "link").symlink_to(state / "journal")
    started = time.monotonic()
    assert rehearse(tmp_path / "nothing", tmp_path / "nothing", state) is None
    assert time.monotonic() - started < 20
