"""A plain `pip install .` is complete: every data file of the packages is in the wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "hardware", "web")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The project as a wheel, built from a copy so that nothing is left in the tree."""
    source = tmp_path_factory.mktemp("source")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, listed.split("\0")):
        copy = source / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            copy.write_bytes((ROOT / name).read_bytes())
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source)]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return zipfile.ZipFile(next(out.glob("*.whl")))


def test_every_file_of_the_packages_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    packed = set(wheel.namelist())
    wheel.close()
    ours = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "README.md"
    }
    assert ours, "no package found"
    assert ours <= packed, f"missing in the wheel: {sorted(ours - packed)}"


def test_the_wheel_brings_the_versions_it_was_tested_with(wheel: zipfile.ZipFile) -> None:
    """`companion update` looks for them by the end of their name."""
    brought = [name for name in wheel.namelist() if "/requirements/" in name]
    assert sorted(name.rpartition("/")[2] for name in brought) == ["pi-pwm.txt", "pi.txt", "pi5.txt"]
