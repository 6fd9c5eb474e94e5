"""Commands speak the language that the system is set to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion import terminal
from companion.journal import JournalTooNew
from companion.releases import NotUpdated
from companion.words import Saying


@pytest.mark.parametrize(
    ("settings", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "pl_PL.UTF-8"}, "en"),
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "de_AT"}, "de"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
    ],
)
def test_language_is_the_one_the_system_is_set_to(
    settings: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert terminal.language() == language


def test_everything_that_goes_wrong_is_said_in_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    for why in (
        NotUpdated("companion.update_failed"),
        JournalTooNew("companion.journal_too_new", version=2, known=1),
        Saying("companion.backup_nothing", folder="/nowhere"),
        FileNotFoundError(2, "weg", "/nowhere"),
    ):
        assert terminal.complain(why) == 1
    assert capsys.readouterr().err.splitlines() == [
        "companion: die neue Version läuft nicht, wie sie soll; die alte läuft wieder",
        "companion: dieses Journal hat Format 2; dieser Begleiter versteht Formate bis 1: "
        "Aktualisiere ihn zuerst",
        "companion: /nowhere: Es gibt nichts zu sichern",
        "companion: /nowhere: weg",
    ]


def test_command_says_it(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "companion", "backup", "--state", str(tmp_path / "none"), "file"]
    told = subprocess.run(
        words, env={**os.environ, "LANG": "fr_FR.UTF-8"}, capture_output=True, encoding="utf-8", check=False
    )
    assert told.returncode == 1
    assert "il n’y a rien à sauvegarder" in told.stderr
