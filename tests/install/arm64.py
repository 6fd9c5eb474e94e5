"""The package in a 64-bit ARM userland, as on a Pi: it installs, and its fast tests pass. `make test-arm64`.

Needs root, debootstrap, qemu-user-static and a network; an emulated processor takes its time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.install.clean_root import awake, check_libraries, clean_root, put_source, told

FAST = (
    *("boxes", "words", "games/phantom", "systemd/test_notify.py", "headless/test_requests.py"),
    *("hardware/test_kits.py", "hardware/test_frames.py", "hardware/test_lights.py"),
)
"""A part of every layer that needs no browser, no other machine, and no hour on an emulated processor."""
BINFMT = Path("/proc/sys/fs/binfmt_misc")


def teach_the_kernel() -> None:
    """Let it start ARM programs through QEMU, if nobody has yet."""
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", BINFMT], check=True)
    if not (BINFMT / "qemu-aarch64").exists():
        subprocess.run(["update-binfmts", "--enable", "qemu-aarch64"], check=True)


def main() -> int:
    """Install and test."""
    if os.geteuid():
        sys.exit("this needs root: sudo make test-arm64")
    started = time.monotonic()
    teach_the_kernel()
    suite = os.environ.get("SUITE", "bookworm")
    with clean_root(suite, "arm64") as root, awake(root):
        put_source(root)
        root.run("apt-get", "update", "-qq")
        root.run("apt-get", "install", "-qq", "-y", "--no-install-recommends", "python3-venv")
        told(f"a clean Debian for {root.run('uname', '-m').stdout.strip()}", started)
        root.run("python3", "-m", "venv", "/venv")
        pip = ("/venv/bin/pip", "install", "-q", "--no-cache-dir")
        for name in ("pi", "test"):
            root.run(*pip, "--require-hashes", "-r", f"/source/requirements/{name}.txt")
        root.run(*pip, "--no-deps", "--no-build-isolation", "/source")
        version = root.run("/venv/bin/companion", "--version").stdout.strip()
        told(f"{version} installed with all it needs on a Pi, with no compiler there", started)
        told(check_libraries(root, "/venv/bin/python"), started)
        there = [f"/source/tests/{name}" for name in FAST if (root.folder / "source/tests" / name).exists()]
        tests = [
            "/venv/bin/python",
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--rootdir=/source",
            *there,
        ]
        done = root.run("sh", "-c", f"cd /source && {' '.join(tests)}", check=False)
        told(done.stdout.strip().splitlines()[-1], started)
        if done.returncode:
            print(done.stdout[-6000:], done.stderr[-2000:])
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
