"""What a Pi's `config.txt` sets for a model: the lamps need a core clock that does not change.

The SPI clock is a part of the core clock, and the kernel computes it for the highest one. A Pi that idles at
a lower clock makes every bit longer: on a Pi 4 each 0 is then read as a 1, and all lamps go full white. So
the clock is held still, as rpi_ws281x (its README and issues 381 and 447) and the kernel's maintainers
(raspberrypi/linux issue 3381) say. A Pi 5 has an SPI of its own on RP1 and needs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

MODEL_FILES = (Path("/proc/device-tree/model"), Path("/proc/cpuinfo"))
FILES = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))

CLOCKS = {"pi4": 500, "pi3": 250, "pi02": 250}
"""The megahertz at which the core is held, by the section of `config.txt` for that model."""

_MODELS = (
    (r"Pi (4|400)\b|Compute Module 4", "pi4"),
    (r"Pi 3\b|Compute Module 3", "pi3"),
    (r"Zero 2\b", "pi02"),
    (r"Pi (5|500)\b|Compute Module 5", "pi5"),
)


def model_text(files: Iterable[Path] | None = None) -> str:
    """What this machine says that it is."""
    return "\n".join(map(_text, MODEL_FILES if files is None else files))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def section(model: str) -> str | None:
    """The name that `config.txt` has for a model; none for one that we do not know."""
    return next((name for words, name in _MODELS if re.search(words, model)), None)


def config_text() -> str | None:
    """The text of this machine's `config.txt`, if it has one that can be read."""
    for file in FILES:
        try:
            return file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
    return None


def settings(text: str, name: str) -> dict[str, str]:
    """What holds for a model: its own section and `[all]`, the last word winning."""
    found: dict[str, str] = {}
    holds = True
    for line in map(str.strip, text.splitlines()):
        if header := re.fullmatch(r"\[(.+)\]", line):
            # A section of another kind, such as a display's, is not about the model and may hold or not.
            holds = header[1] in ("all", name) or (name == "pi02" and header[1] == "pi0")
        elif holds and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found[key.strip()] = value.strip()
    return found


def unsteady(text: str, model: str) -> int | None:
    """The megahertz at which the core clock of this model should be held and is not; null if all is well."""
    name = section(model)
    wanted = CLOCKS.get(name or "")
    if name is None or wanted is None:
        return None
    held = settings(text, name)
    # On a Pi 3 and a Zero 2 W the core idles at 250 MHz, so that the upper limit alone holds it.
    keys = ("core_freq", "core_freq_min") if name == "pi4" else ("core_freq",)
    return None if all(held.get(key) == str(wanted) for key in keys) else wanted
