"""`companion box`, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main

BOX = {
    "box_profile": 1,
    "name": "Grandma's",
    "game": "phantom",
    "box": {"tiles": {colour: [1, 1, 2, 2, 3, 4, 5, 6, 6] for colour in ("blue", "red", "green", "white")}},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "box.json"
    path.write_text(json.dumps(BOX))
    return path


def box(tmp_path: Path, *words: str) -> int:
    return main(["box", "--state", str(tmp_path / "state"), *words])


def test_a_box_goes_on_the_shelf_and_out_again(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = tmp_path / "shared.json"
    assert box(tmp_path, "add", str(file)) == 0
    assert box(tmp_path, "list") == 0
    assert "Grandma's (phantom)" in capsys.readouterr().out
    assert box(tmp_path, "show", "grandma's") == 0
    assert json.loads(capsys.readouterr().out)["box"]["tiles"] == BOX["box"]["tiles"]  # type: ignore[index]
    assert box(tmp_path, "export", "Grandma's", str(shared)) == 0
    assert box(tmp_path, "remove", "Grandma's") == 0
    assert box(tmp_path, "add", str(shared), "--name", "Ours") == 0
    capsys.readouterr()
    box(tmp_path, "list")
    assert capsys.readouterr().out == "Ours (phantom)\n"


def test_export_writes_over_nothing(tmp_path: Path, file: Path) -> None:
    box(tmp_path, "add", str(file))
    assert box(tmp_path, "export", "Grandma's", str(file)) == 1
    assert json.loads(file.read_text()) == BOX


def test_exporting_a_missing_box_leaves_no_file(tmp_path: Path) -> None:
    assert box(tmp_path, "export", "Nobody's", str(tmp_path / "out.json")) == 1
    assert not (tmp_path / "out.json").exists()


def test_check_says_everything_that_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({**BOX, "box": {"tiles": {"blue": [9]}}}))
    assert box(tmp_path, "check", str(wrong)) == 1
    assert len(capsys.readouterr().err.splitlines()) == 5


def test_a_missing_file_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert box(tmp_path, "check", str(tmp_path / "none.json")) == 1
    assert "none.json cannot be read" in capsys.readouterr().err


def test_the_usual_state_folder_is_used(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "home"))
    assert main(["box", "add", str(file)]) == 0
    assert (tmp_path / "home" / "boxes").is_dir()
