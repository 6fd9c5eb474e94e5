"""A speaker on the Pi: it tells what everybody may know, keeps nobody waiting, and says when it is silent."""

from __future__ import annotations

import io
import re
import time
import wave
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.table import Table
from hardware import kits
from hardware.kits import Kit, Sound
from hardware.sound import LONGEST, NOTE, TUNES, Narrator, Speaker, tune
from hardware.wiring import sheet
from hardware.written import kit_text
from tests.hardware.evening import Evening

PROJECT = Path(__file__).parents[2]


class Aplay:
    """A program in the place of aplay that writes down its words and what it was to play."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.does("exit 0")

    def does(self, last: str) -> None:
        program = self.folder / "aplay"
        program.write_text(
            f'#!/bin/sh\ncd {self.folder}\necho "$@" >>words\n/bin/cat >$$.part\n'
            f"/bin/mv $$.part $$.wav\n{last}\n"
        )
        program.chmod(0o755)

    def played(self, count: int) -> list[bytes]:
        """What it was given, once there is as much."""
        end = time.monotonic() + 20
        while len(found := list(self.folder.glob("*.wav"))) < count and time.monotonic() < end:
            time.sleep(0.01)
        return [file.read_bytes() for file in found]


@pytest.fixture
def aplay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Aplay:
    monkeypatch.setenv("PATH", str(tmp_path))
    return Aplay(tmp_path)


class Remembering(Speaker):
    """A speaker of which only the score is kept."""

    def __init__(self) -> None:
        super().__init__("none")
        self.score: list[tuple[str, float]] = []

    def play(self, kind: str, now: float) -> None:
        self.score.append((kind, round(now, 2)))


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Remembering:
    speaker = Remembering()
    monkeypatch.setattr("hardware.board.Speaker", lambda device: speaker)
    return speaker


def loud(name: str) -> Kit:
    return replace(kits.load(name), sound=Sound())


def ended(speaker: Speaker) -> None:
    assert speaker._player
    speaker._player.wait(20)


# The tones


@pytest.mark.parametrize("kind", [*TUNES, "anything else"])
def test_a_tune_is_short_not_loud_and_fits_a_pipe(kind: str) -> None:
    with wave.open(io.BytesIO(tune(kind))) as file:
        seconds = file.getnframes() / file.getframerate()
        samples = memoryview(file.readframes(file.getnframes())).cast("h")
        assert file.getnchannels() == 1
    assert seconds == pytest.approx(NOTE * len(TUNES.get(kind, (440,))))
    assert 10_000 < max(samples) < 20_000
    assert samples[0] == 0
    assert len(tune(kind)) < 65_536


def test_the_pi_plays_what_the_phones_play() -> None:
    script = (PROJECT / "web/static/sound.js").read_text(encoding="utf-8")
    tunes = re.findall(r"^  (\w+): \[([\d, ]+)\],$", script, re.MULTILINE)
    assert tunes
    for kind, notes in tunes:
        assert TUNES[kind] == tuple(map(int, notes.split(",")))


# The speaker


def test_a_tune_goes_to_aplay_and_the_device_of_the_kit(aplay: Aplay) -> None:
    speaker = Speaker("hw:1,0")
    speaker.play("round", 0.0)
    assert aplay.played(1) == [tune("round")]
    assert (aplay.folder / "words").read_text() == "-q -D hw:1,0 -t wav\n"
    ended(speaker)
    speaker.play("over", 1.0)
    assert sorted(aplay.played(2)) == sorted([tune("round"), tune("over")])
    assert speaker.faults() == []
    speaker.close()


def test_nobody_waits_for_a_tune_and_what_comes_meanwhile_is_left_out(aplay: Aplay) -> None:
    aplay.does("exec /bin/sleep 60")
    speaker = Speaker("default")
    began = time.monotonic()
    for kind in ("round", "over", "grew"):
        speaker.play(kind, 0.0)
    assert time.monotonic() - began < 5
    assert aplay.played(1) == [tune("round")]
    speaker.play("moved", LONGEST + 1)
    assert len(aplay.played(2)) == 2
    assert [str(fault) for fault in speaker.faults()] == [
        "nothing can be heard: aplay cannot play on default; aplay -L lists the names that go into [sound]; "
        "the game goes on"
    ]
    speaker.close()


def test_a_failing_device_is_told_until_it_plays_again(aplay: Aplay) -> None:
    aplay.does("exit 1")
    speaker = Speaker("gone")
    for now, fails in ((0.0, False), (1.0, True), (2.0, True), (3.0, False)):
        if now == 2.0:
            aplay.does("exit 0")
        speaker.play("round", now)
        assert bool(speaker.faults()) == fails
        ended(speaker)
    speaker.close()


def test_without_aplay_the_board_says_so_once_and_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with Evening(loud("joystick")) as evening:
        evening.hotel(privacy="eyes_closed")
        for _ in range(3):
            evening.board.press("peek")
            evening.wait(3)
            evening.board.release("peek")
            evening.wait(1)
        faults = [str(fault) for fault in evening.board.faults()]
        assert len(faults) == 1
        assert "sudo apt install alsa-utils" in faults[0]


# The narrator


def test_eyes_close_by_the_tick_and_open(heard: Remembering) -> None:
    with Evening(loud("joystick")) as evening:
        evening.hotel(privacy="eyes_closed")
        began = round(evening.clock.now(), 2)
        evening.board.press("peek")
        evening.wait(2.5)
        evening.board.release("peek")
        evening.wait(5)
    assert [kind for kind, _ in heard.score] == ["eyes_closed", "tick", "tick", "eyes_open"]
    times = [when - began for _, when in heard.score]
    assert times[1] - times[0] == pytest.approx(1, abs=0.05)
    assert times[2] - times[1] == pytest.approx(1, abs=0.05)


def test_each_step_that_all_copy_is_heard_once(heard: Remembering) -> None:
    """Its kind alone decides the tune, and that stands on the table page for all to see."""
    with Evening(loud("manor")) as evening:
        evening.table.new("artefacts", {"players": 2}, seed=3)
        evening.wait(0.1)
        for _ in range(300):
            cues, _ = evening.table.copying()
            if cues:
                break
            seat = evening.table.standing().to_act[0]
            evening.table.act(seat, evening.table.legal(seat)[-1])
            evening.wait(0.1)
        kinds = [str(cue.event.__struct_config__.tag) for cue in cues]
        assert kinds
        for step in range(len(kinds)):
            evening.table.copied(step + 1)
            evening.wait(0.1)
        evening.wait(10)
    assert [kind for kind, _ in heard.score] == kinds


class Secrets(Table):
    """A table that answers nobody who asks for more than the public steps."""

    def view(self, seat: str) -> Any:
        raise AssertionError(f"the narrator looked at what {seat} sees")


def test_the_narrator_looks_at_no_view() -> None:
    table, speaker = Secrets(), Remembering()
    narrator = Narrator(table, speaker)
    table.new("artefacts", {"players": 2}, seed=3)
    narrator.listen(None, 0.0)
    narrator.listen("p1", 1.0)
    narrator.listen(None, 2.0)
    assert [kind for kind, _ in speaker.score][-2:] == ["eyes_closed", "eyes_open"]
    table.close()


# The kit


def test_a_kit_says_on_what_it_plays_and_most_play_nothing() -> None:
    text = kits.path_of("joystick").read_text() + '\n[sound]\ndevice = "hw:1,0"\n'
    kit = kits.parse(text, "loud.toml")
    assert kit.sound == Sound("hw:1,0")
    assert kits.parse(kit_text(kit), "loud.toml") == kit
    assert "alsa-utils" in sheet(kit, "x.svg")
    assert all(each.sound is None for each in kits.wired())
