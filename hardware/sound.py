"""Short tones from a speaker of the Pi, for what everybody at the table may know anyway.

They are made here and handed to `aplay`, which plays by itself: nobody waits for a tone, and one that comes
while another sounds is left out.
"""

from __future__ import annotations

import io
import math
import subprocess
import wave
from array import array
from collections.abc import Hashable
from contextlib import suppress
from functools import cache

from companion.contract import Seat
from companion.table import Table
from companion.words import Saying

RATE = 16_000
NOTE, SWELL = 0.16, 0.02
"""Seconds of a note, and of its beginning and end."""
LOUD = 0.4
LONGEST = 5.0
"""Seconds after which a player that does not end is taken for stuck."""
TICK = 1.0
"""Seconds from tick to tick while eyes are closed."""
TUNES = {
    "moved": (392, 330),
    "stayed": (330, 330),
    "grew": (392, 523),
    "appeared": (494, 466, 494),
    "escaped": (330, 262, 196),
    "round": (523, 659),
    "over": (262, 196, 131),
    "eyes_closed": (523, 392),
    "eyes_open": (392, 523),
    "tick": (659,),
}
"""Hertz, note by note; the phones play the same for the steps that are copied."""
OTHER = (440,)


@cache
def tune(kind: str) -> bytes:
    """A tune as a WAV file: shorter than what a pipe holds, so that handing it over takes no time."""
    samples = array("h")
    long = int(RATE * NOTE)
    for hertz in TUNES.get(kind, OTHER):
        for at in range(long):
            swell = min(1.0, at / (RATE * SWELL), (long - at) / (RATE * SWELL))
            samples.append(round(32767 * LOUD * swell * math.sin(2 * math.pi * hertz * at / RATE)))
    file = io.BytesIO()
    with wave.open(file, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(samples.itemsize)
        made.setframerate(RATE)
        made.writeframes(samples.tobytes())
    return file.getvalue()


class Speaker:
    """One ALSA device. Where nothing can be heard it says so, and is silent."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._player: subprocess.Popen[bytes] | None = None
        self._since = 0.0
        self._fault: Saying | None = None

    def play(self, kind: str, now: float) -> None:
        """Begin a tune, unless one still sounds."""
        if self._busy(now):
            return
        words = ["aplay", "-q", "-D", self._device, "-t", "wav"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            self._player = subprocess.Popen(words, **pipes)  # type: ignore[call-overload]
        except OSError:
            self._fault = Saying("hardware.sound_missing")
            return
        self._since = now
        assert self._player.stdin
        # One that ended at once has closed its end of the pipe; that it failed is told by its code.
        with suppress(BrokenPipeError), self._player.stdin as pipe:
            pipe.write(tune(kind))

    def _busy(self, now: float) -> bool:
        if self._player is None:
            return False
        code = self._player.poll()
        if code is None and now < self._since + LONGEST:
            return True
        self._end()
        self._fault = Saying("hardware.sound_fails", device=self._device) if code != 0 else None
        return False

    def _end(self) -> None:
        if self._player is not None:
            self._player.kill()
            self._player.wait()
            self._player = None

    def faults(self) -> list[Saying]:
        """Why nothing can be heard, if so."""
        return [self._fault] if self._fault else []

    def close(self) -> None:
        """Be silent."""
        self._end()


class Narrator:
    """Listens to what is said aloud at a table: the steps that all copy, and whether eyes are closed."""

    def __init__(self, table: Table, speaker: Speaker) -> None:
        self._table, self._speaker = table, speaker
        self._step: Hashable = self._public_step()
        self._peeks = False
        self._tick_at: float | None = None

    def listen(self, peek: Seat | None, now: float) -> None:
        """Play what is new."""
        step = self._public_step()
        if step != self._step:
            self._step = step
            if step is not None:
                self._speaker.play(step[1], now)
        if (peek is not None) != self._peeks:
            self._peeks = peek is not None
            self._tick_at = now + TICK if self._peeks else None
            self._speaker.play("eyes_closed" if self._peeks else "eyes_open", now)
        elif self._tick_at is not None and now >= self._tick_at:
            self._tick_at = now + TICK
            self._speaker.play("tick", now)

    def _public_step(self) -> tuple[int, str] | None:
        """The step that is to be copied on the real board: which one, and of what kind."""
        with self._table.lock:
            if self._table.game is None:
                return None
            cues, done = self._table.copying()
        return (done, str(cues[done].event.__struct_config__.tag)) if done < len(cues) else None

    def due(self) -> float | None:
        """When the next tick is."""
        return self._tick_at

    def faults(self) -> list[Saying]:
        """Why nothing can be heard, if so."""
        return self._speaker.faults()

    def close(self) -> None:
        """Be silent."""
        self._speaker.close()
