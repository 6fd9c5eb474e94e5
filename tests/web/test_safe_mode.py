"""A state that cannot be opened does not keep the house shut: it opens without, and everybody is told."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import safe_mode
from tests.web.conftest import Running
from tests.web.daemon import Daemon
from web.render import pages
from web.server import server

Run = Callable[..., Running]


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def failed_starts(folder: Path) -> int:
    """How often the house does not open before it does, started as a service starts it again and again."""
    for failed in range(8):
        try:
            with server.opened(folder, "none", pages):
                safe_mode.succeeded(folder)
                return failed
        except OSError:
            continue
    raise AssertionError("it never opens")


@pytest.mark.parametrize("trap", [a_folder, a_pipe])
def test_house_opens_without_a_book_that_is_none_and_says_so_everywhere(
    run: Run, tmp_path: Path, trap: Callable[[Path], None]
) -> None:
    before = run(renderer=pages)
    before.host()
    before.close()
    book = tmp_path / "state" / "guests.json"
    trap(book)
    assert failed_starts(tmp_path / "state") == safe_mode.ATTEMPTS
    after = run(renderer=pages, kit="simulated")
    stranger = after.phone()
    assert "put-back set-aside-1/guests.json" in stranger.get("/").text
    assert after.evening.board
    assert after.evening.board.sign == "set_aside"
    host = after.host()
    assert "put-back set-aside-1/guests.json" in host.get("/host").text
    table = stranger.get("/table").text
    assert "was set aside" in table
    assert "guests.json" not in table
    assert stranger.forge("/host/set-aside").status == 403
    assert host.post("/host/set-aside").status == 200
    assert "set aside" not in host.get("/host").text + stranger.get("/").text
    assert os.path.lexists(tmp_path / "state" / "set-aside-1" / "guests.json")


def test_status_says_what_was_set_aside_and_a_running_house_is_not_disturbed(
    daemon: Callable[[], Daemon], tmp_path: Path
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "guests.json").mkdir()
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", "0"]
    for _ in range(safe_mode.ATTEMPTS):
        done = subprocess.run([*command, "--state", str(state)], capture_output=True, text=True, timeout=60)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
    running = daemon()
    for _ in range(2 * safe_mode.ATTEMPTS + 1):
        with pytest.raises(Exception, match="stop it first"), server.opened(state, "none", pages):
            pass
    told = subprocess.run(
        [sys.executable, "-m", "companion", "status", "--state", str(state)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "LC_ALL": "C"},
    )
    assert told.returncode == 0
    assert "set-aside-1/guests.json" in told.stdout
    assert (state / "journal").is_file()
    running.end(signal.SIGINT)
    shutil.rmtree(state / "set-aside-1")


def test_a_house_that_stands_has_forgotten_the_starts_that_failed(
    daemon: Callable[[], Daemon], tmp_path: Path
) -> None:
    """However often somebody ends it: that is no failure."""
    state = tmp_path / "state"
    for _ in range(2):
        running = daemon()
        assert not (state / safe_mode.STARTS).exists()
        running.end(signal.SIGKILL)
    assert safe_mode.report(state).things == ()
