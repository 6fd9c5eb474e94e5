"""Install, install again, update and uninstall in a clean Debian, and see what is left: `make test-install`.

Needs root, debootstrap and a network. `--suite trixie` takes the base of the newer Raspberry Pi OS. Systemd
does not run in here: that the service starts is shown in the virtual Pi.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ghost-companion"
SYSTEM = "systemd,python3,make,udev,ca-certificates,adduser"
"""What every Raspberry Pi OS has and a minimal Debian has not."""
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
OWN = {"aarch64": "arm64"}.get(platform.machine(), "amd64")
PASSING = (
    "var/cache",
    "var/lib/apt",
    "var/lib/dpkg",
    "var/log",
    "etc/xml",
    "proc",
    "dev",
    "sys",
    "tmp",
    "run",
    "source",
)
"""Where packages leave traces of their own coming and going; nothing of ours is there."""
STATE = "/var/lib/ghost-companion"
GAME = f"{STATE}/evening.journal"
CONFIG, STOCK = "boot/firmware/config.txt", "dtparam=audio=on\n\n[all]\n"


class CleanRoot:
    """A Debian in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run something inside."""
        quiet = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
        pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_INDEX")}
        env = quiet | pip | {"PIP_CERT": CERTIFICATES, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            ["chroot", self.folder, *words], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if check and done.returncode:
            raise AssertionError(f"{' '.join(words)}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def files(self) -> set[str]:
        """Every path of the system, but those that any package leaves."""
        found = set()
        for folder, folders, names in os.walk(self.folder):
            inside = os.path.relpath(folder, self.folder)
            folders[:] = [each for each in folders if os.path.normpath(f"{inside}/{each}") not in PASSING]
            found |= {os.path.normpath(f"{inside}/{name}") for name in (*names, *folders)}
        return {path for path in found if not path.endswith(".pyc") and "__pycache__" not in path}

    def text(self, path: str) -> str:
        """A file inside."""
        return (self.folder / path.lstrip("/")).read_text()


@contextmanager
def clean_root(suite: str, processor: str = OWN) -> Iterator[CleanRoot]:
    """A fresh one, from a tarball that is made once."""
    tarball = CACHE / f"{suite}-{processor}-{zlib.crc32(SYSTEM.encode()):08x}.tar"
    if not tarball.exists():
        _bootstrap(suite, processor, tarball)
    with tempfile.TemporaryDirectory(prefix="clean-root-") as name:
        subprocess.run(["tar", "-C", name, "-xf", tarball], check=True)
        for file in (CERTIFICATES, "/etc/resolv.conf"):
            shutil.copy(file, f"{name}{file}")
        yield CleanRoot(Path(name))


@contextmanager
def awake(root: CleanRoot) -> Iterator[None]:
    """While programs run in it."""
    subprocess.run(["mount", "-t", "proc", "proc", root.folder / "proc"], check=True)
    subprocess.run(["mount", "--bind", "/dev", root.folder / "dev"], check=True)
    try:
        yield
    finally:
        # Lazily, even if something in there still runs: the folder is emptied next, and these are the host's.
        for mounted in ("dev", "proc"):
            subprocess.run(["umount", "--lazy", root.folder / mounted], check=True)


def _bootstrap(suite: str, processor: str, tarball: Path) -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="debootstrap-") as folder:
        how = [f"--arch={processor}", "--variant=minbase", f"--include={SYSTEM}"]
        subprocess.run(["debootstrap", *how, suite, folder], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["tar", "-C", folder, "-cf", f"{tarball}.new", "."], check=True)
    Path(f"{tarball}.new").rename(tarball)


def put_source(root: CleanRoot) -> None:
    """The project as a family would have cloned it."""
    ignored = shutil.ignore_patterns(".*", "*.egg-info", "__pycache__", "build", "dist")
    shutil.copytree(PROJECT, root.folder / "source", ignore=ignored)


def make(root: CleanRoot, *words: str) -> str:
    """Run one of the project's own commands inside."""
    return root.run("make", "-C", "/source", *words).stdout


def check_installed(root: CleanRoot) -> None:
    """Everything is in its place, and the program runs."""
    assert root.run("companion", "--version").stdout.startswith("companion ")
    wanted = "etc/systemd/system/multi-user.target.wants/companion.service"
    assert (root.folder / wanted).is_symlink()
    for unit in ("companion.socket", "companion-https.socket"):
        assert (root.folder / "etc/systemd/system/sockets.target.wants" / unit).is_symlink()
    assert "ghost-companion" in root.text("/etc/passwd")
    owner = root.run("stat", "-c", "%U %a", "/var/lib/ghost-companion").stdout.split()
    assert owner == ["ghost-companion", "700"], owner
    verdict = root.run("systemd-analyze", "verify", "--man=no", "companion.service", "companion-https.socket")
    assert not verdict.stderr, verdict.stderr


def check_libraries(root: CleanRoot, python: str = "/opt/ghost-companion/current/bin/python") -> str:
    """What extra `pi` installed can be imported; lgpio for 3.13 has a wheel for a Pi's processor alone."""
    version = root.run(python, "-c", "import sys; print(sys.version_info[1])").stdout.strip()
    names = ["gpiod", "neopixel", "neopixel_spi", "smbus2", "Adafruit_PureIO.spi", "hardware.pins"]
    machine = root.run(python, "-c", "import platform; print(platform.machine())").stdout.strip()
    if int(version) < 13 or machine == "aarch64":
        names.insert(0, "lgpio")
    root.run("env", "BLINKA_OS_AGNOSTIC=1", "LG_WD=/tmp", python, "-c", f"import {', '.join(names)}")
    return f"Python 3.{version}: {', '.join(names)}"


def put_config(root: CleanRoot) -> None:
    """The firmware's settings of a fresh card."""
    (root.folder / "boot/firmware").mkdir()
    (root.folder / CONFIG).write_text(STOCK)


def play(root: CleanRoot) -> str:
    """Begin a game that must outlast everything that follows."""
    new = '{"cmd":"new","game":"phantom","players":4}'
    act = '{"cmd":"act","seat":"p1","action":{"type":"place","room":1,"colour":"blue","value":3}}'
    root.run("sh", "-c", f"printf '%s\\n' '{new}' '{act}' | companion headless --journal {GAME}")
    return root.text(GAME)


def check_update_refused_when_games_would_change(root: CleanRoot, game: str) -> None:
    """A version that reads the game in progress differently is not taken."""
    before = os.readlink(root.folder / "opt/ghost-companion/current")
    headless = root.folder / "source/companion/headless.py"
    text = headless.read_text()
    headless.write_text(text.replace("history=self.table.history()", "history=()  # a version that forgets"))
    done = root.run("companion", "update", "/source", check=False)
    headless.write_text(text)
    assert done.returncode == 1, done
    assert "differently" in done.stderr, done
    assert os.readlink(root.folder / "opt/ghost-companion/current") == before
    assert root.text(GAME) == game


def check_update(root: CleanRoot, game: str) -> None:
    """A good one is taken, and the one before it kept beside it."""
    version = root.folder / "source/companion/__init__.py"
    version.write_text(version.read_text().replace('__version__ = "', '__version__ = "9.'))
    root.run("companion", "update")
    assert root.run("companion", "--version").stdout.startswith("companion 9.")
    assert len(list(root.folder.glob("opt/ghost-companion/release-*"))) == 2
    assert root.text(GAME) == game


def check_second_board(root: CleanRoot) -> None:
    """A board that would take the other's pins is refused; one that fits has a service of its own."""
    clash = root.run("make", "-C", "/source", "install", "KIT=joystick", "SECOND=castle-beside", check=False)
    assert clash.returncode, clash
    assert "GPIO19" in clash.stdout, clash
    assert not (root.folder / "etc/ghost-companion/second").exists()
    make(root, "install", "KIT=expander", "SECOND=castle-beside")
    verdict = root.run(
        "systemd-analyze", "verify", "--man=no", "companion-second.service", "companion-second.socket"
    )
    assert not verdict.stderr, verdict.stderr
    settings = root.text("/etc/ghost-companion/second")
    assert "--kit castle-beside" in settings
    assert "COMPANION_COOKIE=companion-second" in settings
    assert "--kit expander" in root.text("/etc/ghost-companion/environment")
    owner = root.run("stat", "-c", "%U %a", f"{STATE}-second").stdout.split()
    assert owner == ["ghost-companion", "700"], owner


def check_hotspot(root: CleanRoot) -> None:
    """NetworkManager itself can read the profile, only root can, and the service is told name and key."""
    profile = "/etc/NetworkManager/system-connections/ghost-companion.nmconnection"
    read = root.run("sh", "-c", f"nmcli --offline connection modify connection.autoconnect no <{profile}")
    assert "ssid=Ghost companion" in read.stdout, read
    assert "mode=ap" in read.stdout, read
    assert root.run("stat", "-c", "%U %a", profile).stdout.split() == ["root", "600"]
    key = root.text(profile).partition("psk=")[2].splitlines()[0]
    assert len(key) == 14
    assert f'COMPANION_WIFI_KEY="{key}"' in root.text("/etc/ghost-companion/hotspot")
    wanted = "etc/systemd/system/multi-user.target.wants/companion-hotspot.service"
    assert (root.folder / wanted).is_symlink()


def autoremove(root: CleanRoot) -> None:
    """What the uninstaller tells people to do, and without keeping what other packages merely suggest."""
    keep_nothing = (f"-oAPT::AutoRemove::{what}Important=false" for what in ("Recommends", "Suggests"))
    root.run("apt-get", *keep_nothing, "autoremove", "-y", "--purge")


def told(what: str, started: float) -> None:
    """A line of progress with its time."""
    print(f"{time.monotonic() - started:6.1f} s  {what}", flush=True)


def main() -> int:
    """The whole story, told as it goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="bookworm", choices=("bookworm", "trixie"))
    suite = parser.parse_args().suite
    if os.geteuid() or not shutil.which("debootstrap"):
        sys.exit("this needs root and debootstrap: apt-get install debootstrap, then sudo make test-install")
    started = time.monotonic()
    with clean_root(suite) as root, awake(root):
        put_source(root)
        put_config(root)
        before = root.files()
        told(f"a clean Debian {suite} with {len(before)} files", started)
        began = time.monotonic()
        make(root, "install", "KIT=joystick", "CLOCK=yes")
        took = time.monotonic() - began
        check_installed(root)
        assert "[pi4]\ncore_freq=500\ncore_freq_min=500\n" in root.text(CONFIG)
        told(check_libraries(root), started)
        game = play(root)
        told(f"installed by one command in {took:.0f} s, and a game begun", started)
        settings = root.text("/etc/ghost-companion/environment")
        make(root, "install")
        check_installed(root)
        assert root.text("/etc/ghost-companion/environment") == settings, "settings were lost"
        assert root.text(GAME) == game, "the game was lost"
        told("installed again: settings and game untouched", started)
        check_update_refused_when_games_would_change(root, game)
        check_update(root, game)
        told("updated; a version that would change the game was refused", started)
        make(root, "uninstall")
        autoremove(root)
        left = root.files() - before
        assert {path for path in left if not path.startswith("var/lib/ghost-companion")} == set(), sorted(
            left
        )
        assert root.text(GAME) == game, "the game was lost"
        assert root.text(CONFIG) == STOCK, "the clock of the lamps was left set"
        told(f"uninstalled: only the games are left ({', '.join(sorted(left))})", started)
        make(root, "install", "HOTSPOT=1")
        check_hotspot(root)
        check_second_board(root)
        assert root.text(GAME) == game
        make(root, "uninstall", "PURGE=1")
        autoremove(root)
        assert root.files() - before == set(), sorted(root.files() - before)
        assert "ghost-companion" not in root.text("/etc/passwd") + root.text("/etc/group")
        told(
            "installed over the kept games with a hotspot and a second board, all removed: nothing is left",
            started,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
