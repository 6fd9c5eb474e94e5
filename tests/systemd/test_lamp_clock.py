"""The installer holds the core clock for the lamps, asks first, and takes it out again without a trace."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hardware import firmware

SCRIPT = Path(__file__).parents[2] / "systemd/lamp-clock.sh"
STOCK = (
    "# For more options see the documentation\ndtparam=spi=on\n\n[cm4]\notg_mode=1\n\n[all]\nenable_uart=0\n"
)
MODELS = (
    "Raspberry Pi 4 Model B Rev 1.4",
    "Raspberry Pi 3 Model B Plus Rev 1.3",
    "Raspberry Pi Zero 2 W Rev 1.0",
)


def clock(word: str, file: Path) -> int:
    return subprocess.run(["sh", SCRIPT, word, file], timeout=20).returncode


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "config.txt"
    file.write_text(STOCK)
    return file


@pytest.mark.parametrize("model", MODELS)
def test_a_stock_card_is_unsteady_and_one_that_was_set_is_not(config: Path, model: str) -> None:
    assert firmware.unsteady(config.read_text(), model) == (500 if "Pi 4" in model else 250)
    assert clock("set", config) == 0
    assert firmware.unsteady(config.read_text(), model) is None


def test_a_pi_5_needs_nothing() -> None:
    assert firmware.unsteady(STOCK, "Raspberry Pi 5 Model B Rev 1.0") is None


def test_setting_twice_is_setting_once_and_everything_else_stays(config: Path) -> None:
    clock("set", config)
    once = config.read_text()
    clock("set", config)
    assert config.read_text() == once
    assert once.startswith(STOCK)
    assert (config.parent / "config.txt.before-ghost-companion").read_text() == STOCK


def test_the_way_back_leaves_the_file_as_it_was_also_with_what_others_added(config: Path) -> None:
    clock("set", config)
    config.write_text(config.read_text() + "dtoverlay=disable-bt\n")
    clock("unset", config)
    assert config.read_text() == STOCK + "dtoverlay=disable-bt\n"
    assert [path.name for path in config.parent.iterdir()] == ["config.txt"]


def test_the_way_back_touches_nothing_that_was_never_set(config: Path) -> None:
    before = config.stat().st_mtime_ns
    assert clock("unset", config) == 0
    assert config.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("text", "model", "wanted"),
    [
        ("core_freq=500\n", MODELS[0], 500),
        ("core_freq=500\ncore_freq_min=500\n", MODELS[0], None),
        ("[pi4]\ncore_freq=500\ncore_freq_min=500\n", MODELS[0], None),
        ("[pi3]\ncore_freq=500\ncore_freq_min=500\n", MODELS[0], 500),
        ("#core_freq=500\n#core_freq_min=500\n", MODELS[0], 500),
        ("core_freq=250\n", MODELS[1], None),
        ("core_freq=500\ncore_freq=250\n", MODELS[2], None),
        ("core_freq=400\n", MODELS[2], 250),
        ("[pi4]\ncore_freq=250\n", MODELS[1], 250),
    ],
)
def test_what_holds_for_a_model_is_read_as_the_firmware_reads_it(
    text: str, model: str, wanted: int | None
) -> None:
    assert firmware.unsteady(text, model) == wanted


# The installer's question


def asked(config: Path, said: str | None, **env: str) -> str:
    """What the installer says; with an answer it is asked at a terminal, otherwise there is none."""
    environment = {"PATH": os.environ["PATH"], **env}
    words = ["sh", str(SCRIPT), "ask", str(config)]
    if said is None:
        done = subprocess.run(
            words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        return done.stdout
    ours, theirs = os.openpty()
    os.write(ours, said.encode())
    done = subprocess.run(words, env=environment, stdin=theirs, capture_output=True, text=True, timeout=20)
    os.close(ours)
    os.close(theirs)
    return done.stdout


@pytest.mark.parametrize(
    ("said", "env", "held"),
    [
        ("y\n", {}, True),
        ("\n", {}, True),
        ("oui\n", {}, True),
        ("n\n", {}, False),
        ("nein\n", {}, False),
        (None, {}, False),
        (None, {"CLOCK": "yes"}, True),
        (None, {"CLOCK": "no"}, False),
        ("n\n", {"CLOCK": "yes"}, True),
    ],
)
def test_it_is_asked_first_and_without_a_yes_nothing_changes(
    config: Path, said: str | None, env: dict[str, str], held: bool
) -> None:
    told = asked(config, said, **env)
    assert ("Add it? [Y/n]" in told) is (said is not None and not env)
    assert (firmware.unsteady(config.read_text(), MODELS[0]) is None) is held
    assert held or config.read_text() == STOCK


def test_what_is_held_already_is_not_asked_again(config: Path) -> None:
    clock("set", config)
    assert asked(config, "n\n").strip() == "held already"
