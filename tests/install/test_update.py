"""A new version takes over only if it is healthy. Real programs and a real port; only systemd is played."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.releases import NotUpdated, Releases, Service, rehearse, update

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an installed table is a Linux machine")

PROGRAM = """#!{python}
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
if sys.argv[1] == "headless":
    print({history!r})
    sys.exit()
if sys.argv[1] == "tryout":
    sys.exit({unfit!r})
class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response({health} if self.path == "/healthz" else {page})
        self.end_headers()
        self.wfile.write(b"{name}")
    def log_message(self, *words):
        pass
HTTPServer.allow_reuse_port = True
HTTPServer(("127.0.0.1", int(sys.argv[1])), Answers).serve_forever()
"""


def told(seats: str, phase: str = "playing", **more: str) -> str:
    """What a version says of a journal: the history and the view."""
    deeds = [{"seat": seat, "action": {"type": "remove"}, "undone": False, **more} for seat in seats.split()]
    view = {"phase": phase, "to_act": [], "result": None}
    return "\n".join(map(json.dumps, ({"ok": True, "history": deeds}, {"ok": True, "view": view, **more})))


class Source:
    """A version in the making."""

    def __init__(
        self,
        name: str,
        health: int = 200,
        page: int = 200,
        history: str = told("p2 p1"),
        unfit: str | None = None,
    ) -> None:
        self.text = PROGRAM.format(
            python=sys.executable, name=name, health=health, page=page, history=history, unfit=unfit
        )


class Shelf(Releases):
    """Releases whose programs are written instead of built by pip."""

    def __init__(self, root: Path, source: Source) -> None:
        super().__init__(root)
        self.source = source

    def build(self, source: Path, extras: str) -> Path:
        """A release with one file."""
        release = self.root / f"release-{len(self.all()) + 1}"
        program = release / "bin/companion"
        program.parent.mkdir(parents=True)
        program.write_text(self.source.text)
        program.chmod(0o755)
        return release


class Daemon(Service):
    """The service without systemd: the current version as a child of the test."""

    def __init__(self, root: Path) -> None:
        # Bound for as long as the test lasts, so that nobody else gets this port while no version runs.
        self.kept = socket.socket()
        self.kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self.kept.bind(("127.0.0.1", 0))
        self.port = self.kept.getsockname()[1]
        super().__init__(f"http://127.0.0.1:{self.port}/", patience=5)
        self.root = root
        self.child: subprocess.Popen[bytes] | None = None

    def runs_here(self) -> bool:
        return True

    def restart(self) -> None:
        self.stop()
        self.child = subprocess.Popen([self.root / "current/bin/companion", str(self.port)])
        # How long a Python takes to start on a busy machine is not what is tried here.
        end = time.monotonic() + 30
        while time.monotonic() < end and self.child.poll() is None and not self._listens():
            time.sleep(0.02)

    def _listens(self) -> bool:
        with socket.socket() as wire:
            return wire.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        if self.child:
            self.child.kill()
            self.child.wait()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "opt").mkdir()
    (tmp_path / "state").mkdir()
    (tmp_path / "state/evening").write_text('00000000 {"journal":1}\n')
    return tmp_path / "opt"


@pytest.fixture
def daemon(root: Path) -> Iterator[Daemon]:
    daemon = Daemon(root)
    yield daemon
    daemon.stop()
    daemon.kept.close()


def take(root: Path, daemon: Daemon, source: Source) -> list[str]:
    said: list[str] = []
    update(Shelf(root, source), daemon, Path("/src"), "pi", root.parent / "state", said.append)
    return said


def names(root: Path) -> list[str]:
    return sorted(path.name for path in root.glob("release-*"))


def test_the_first_version_is_taken_and_remembered(root: Path, daemon: Daemon) -> None:
    take(root, daemon, Source("one"))
    assert Releases(root).current() == root / "release-1"
    assert Releases(root).origin().source == Path("/src")
    assert daemon.healthy()


def test_a_healthy_version_takes_over_and_one_is_kept_to_go_back_to(root: Path, daemon: Daemon) -> None:
    for name in ("one", "two", "three"):
        take(root, daemon, Source(name))
    assert Releases(root).current() == root / "release-3"
    assert names(root) == ["release-2", "release-3"]


@pytest.mark.parametrize("fault", [{"health": 500}, {"page": 500}])
def test_a_version_that_does_not_become_healthy_is_rolled_back(
    root: Path, daemon: Daemon, fault: dict[str, int]
) -> None:
    take(root, daemon, Source("one"))
    daemon.patience = 1
    with pytest.raises(NotUpdated, match="old one runs again"):
        take(root, daemon, Source("two", **fault))
    assert Releases(root).current() == root / "release-1"
    assert names(root) == ["release-1"]
    assert daemon.healthy()


@pytest.mark.parametrize("history", [told("p2"), told("p2 p3"), told("p2 p1", "over"), "no JSON"])
def test_a_version_that_tells_a_game_differently_never_starts(
    history: str, root: Path, daemon: Daemon
) -> None:
    take(root, daemon, Source("one"))
    child = daemon.child
    with pytest.raises(NotUpdated, match="differently"):
        take(root, daemon, Source("two", history=history))
    assert daemon.child is child
    assert names(root) == ["release-1"]


def test_a_version_that_fails_its_try_out_never_starts(root: Path, daemon: Daemon) -> None:
    take(root, daemon, Source("one"))
    child = daemon.child
    with pytest.raises(NotUpdated, match="nothing was changed: the stream told nothing"):
        take(root, daemon, Source("two", unfit="the stream told nothing"))
    assert daemon.child is child
    assert Releases(root).current() == root / "release-1"
    assert names(root) == ["release-1"]


def test_a_version_without_a_try_out_is_not_trusted(root: Path, daemon: Daemon) -> None:
    take(root, daemon, Source("one"))
    two = Source("two")
    two.text = "#!/no/such/python\n"
    (root.parent / "state/evening").unlink()
    with pytest.raises(NotUpdated, match="cannot be played with"):
        take(root, daemon, two)


def test_an_old_version_that_cannot_run_any_more_is_replaced(root: Path, daemon: Daemon) -> None:
    """As after an upgrade of the operating system, which brings another Python."""
    take(root, daemon, Source("one"))
    (root / "release-1/bin/companion").write_text("#!/no/such/python3.11\n")
    take(root, daemon, Source("two"))
    assert Releases(root).current() == root / "release-2"


def test_a_version_may_tell_more_than_the_one_before(root: Path, daemon: Daemon) -> None:
    take(root, daemon, Source("one"))
    take(root, daemon, Source("two", history=told("p2 p1", weather="foggy")))
    assert Releases(root).current() == root / "release-2"


def test_journals_are_rehearsed_from_copies(root: Path) -> None:
    shelf = Shelf(root, Source("one"))
    one = shelf.build(Path(), "")
    two = shelf.build(Path(), "")
    before = (root.parent / "state/evening").stat().st_mtime_ns
    assert rehearse(one, two, root.parent / "state") is None
    assert (root.parent / "state/evening").stat().st_mtime_ns == before
    assert [path.name for path in (root.parent / "state").iterdir()] == ["evening"]


def test_a_first_version_that_fails_says_where_to_look(root: Path, daemon: Daemon) -> None:
    daemon.patience = 1
    with pytest.raises(NotUpdated, match="journalctl"):
        take(root, daemon, Source("one", health=500))
