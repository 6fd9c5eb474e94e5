"""What is installed is what was tested: the same versions everywhere, each with its hashes."""

from __future__ import annotations

import re
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from companion import releases

PROJECT = Path(__file__).parents[2]
FILES = sorted((PROJECT / "requirements").glob("*.txt"))
EXTRAS = {
    "run": (),
    "pi": ("pi", "mqtt"),
    "pi-pwm": ("pi", "mqtt", "pi-pwm"),
    "pi5": ("pi", "mqtt", "pi5"),
    "test": ("test",),
    "bench": ("test", "bench"),
    "fuzz": ("fuzz",),
}


def pinned(file: Path) -> list[tuple[Requirement, str]]:
    """Every package of a file with its version, and what follows it: the hashes."""
    text = re.sub(r"^ *#.*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = []
    for entry in re.split(r"^(?=\S)", text, flags=re.MULTILINE)[1:]:
        requirement, _, hashes = entry.partition("\\\n")
        found.append((Requirement(requirement.strip()), hashes))
    return found


everywhere = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_there_is_a_file_for_each_way_to_install() -> None:
    assert {file.stem for file in FILES} == set(EXTRAS)


@everywhere
def test_every_package_has_one_version_and_its_hashes(file: Path) -> None:
    for requirement, hashes in pinned(file):
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), requirement
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", hashes), requirement


@everywhere
def test_what_the_project_asks_for_is_there_and_recent_enough(file: Path) -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(each for extra in EXTRAS[file.stem] for each in extras[extra])]
    found = {canonicalize_name(pin.name): pin for pin, _ in pinned(file)}
    for requirement in map(Requirement, wanted):
        pin = found[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(str(pin.specifier).removeprefix("=="), prereleases=True), pin


def test_a_package_has_the_same_version_in_every_file() -> None:
    found: dict[str, set[str]] = {}
    for file in FILES:
        for pin, _ in pinned(file):
            found.setdefault(f"{pin.name} {pin.marker or ''}", set()).add(str(pin.specifier))
    assert {name: versions for name, versions in found.items() if len(versions) > 1} == {}


def test_no_file_says_where_packages_come_from() -> None:
    """That is for each machine to know."""
    for file in FILES:
        assert not re.search(r"index|find-links|://", file.read_text(encoding="utf-8")), file


def test_what_is_tested_here_are_these_versions() -> None:
    """If not: `rm .venv/running`, and make installs them."""
    here = [
        pin for pin, _ in pinned(PROJECT / "requirements/test.txt") if not pin.marker or pin.marker.evaluate()
    ]
    assert {pin.name: f"=={version(pin.name)}" for pin in here} == {
        pin.name: str(pin.specifier) for pin in here
    }


# How a table takes them


def test_a_table_installs_the_list_of_its_source_and_then_the_source_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(releases, "_run", lambda *words: ran.append(list(map(str, words))))
    releases.Releases(tmp_path / "opt").build(PROJECT, "pi,mqtt")
    _, packages, program = ran
    assert packages[-3:] == ["--require-hashes", "--requirement", str(PROJECT / "requirements/pi.txt")]
    assert "--no-deps" in program


def test_a_wheel_brings_its_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = tmp_path / "ghost_companion-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("ghost_companion-1.data/data/share/ghost-companion/requirements/pi.txt", "plain")
        file.writestr("ghost_companion-1.data/data/share/ghost-companion/requirements/pi-pwm.txt", "as root")
        file.writestr("ghost_companion-1.data/data/share/ghost-companion/requirements/pi5.txt", "by PIO")
    lists: list[str] = []

    def run(*words: str | Path) -> None:
        if "--requirement" in words:
            lists.append(Path(words[-1]).read_text())

    monkeypatch.setattr(releases, "_run", run)
    releases.Releases(tmp_path / "opt").build(wheel, "pi,mqtt")
    releases.Releases(tmp_path / "opt").build(wheel, "pi,mqtt,pi-pwm")
    releases.Releases(tmp_path / "opt").build(wheel, "pi,mqtt,pi5")
    assert lists == ["plain", "as root", "by PIO"]


@pytest.mark.parametrize(
    ("extras", "file"), [("pi,mqtt", "pi"), ("pi,mqtt,pi-pwm", "pi-pwm"), ("pi,mqtt,pi5", "pi5")]
)
def test_every_extra_that_the_installer_asks_for_is_in_the_list_that_is_taken(extras: str, file: str) -> None:
    """The program itself is installed without its dependencies, so that the list has to have them all."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert releases.tested_list(extras) == file
    found = {canonicalize_name(pin.name) for pin, _ in pinned(PROJECT / f"requirements/{file}.txt")}
    for extra in extras.split(","):
        for requirement in map(Requirement, project["project"]["optional-dependencies"][extra]):
            assert canonicalize_name(requirement.name) in found, requirement
    (shipped,) = project["tool"]["setuptools"]["data-files"].values()
    assert f"requirements/{file}.txt" in shipped


def test_the_installer_asks_for_no_other_extra() -> None:
    script = (PROJECT / "systemd/install.sh").read_text(encoding="utf-8")
    asked = set(re.findall(r"echo (pi[-\w]+)", script)) | {re.search(r"extras=([\w,-]+)$", script, re.M)[1]}  # type: ignore[index]
    assert asked == {"pi5", "pi-pwm", "pi,mqtt"}
