"""The log: one JSON object a line, a level for each part, and nothing secret.

`COMPANION_LOG="warning,web=info,companion.journal=debug"` sets the levels: first that of everything, then
those of single parts, named like their modules. An exception is logged as where it happened and of which
kind, never with its text: that may quote a secret. What floods the log is counted instead of written.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
import traceback
from collections.abc import Callable
from typing import TextIO

VARIABLE = "COMPANION_LOG"
USUAL = "warning"
LEVELS = ("debug", "info", "warning", "error", "critical")
PRIORITIES = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}
"""The levels as the journal of systemd counts them, where it reads our lines."""
MOST, WHILE = 60, 60.0
"""Lines of one part within so many seconds: whoever shakes the door fills no card."""


class Quiet(logging.Filter):
    """Lets so many lines of each part through, and then says how many there were more."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        now = self._clock()
        since, number = self._seen.get(record.name, (now, 0))
        if now - since >= WHILE:
            if number > MOST:
                record.__dict__["unwritten"] = number - MOST
            since, number = now, 0
        self._seen[record.name] = since, number + 1
        return number < MOST


class Lines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def __init__(self, priorities: bool = False) -> None:
        super().__init__()
        self._priorities = priorities

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        level = record.levelname.lower()
        line: dict[str, object] = {"level": level, "part": record.name, "message": record.getMessage()}
        if "unwritten" in record.__dict__:
            line["unwritten"] = record.__dict__["unwritten"]
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = record.exc_info[0].__name__
            line["at"] = _places(record.exc_info[2])
        priority = f"<{PRIORITIES.get(level, 4)}>" if self._priorities else ""
        return priority + json.dumps(line, ensure_ascii=False)


def set_up(stream: TextIO | None = None, levels: str | None = None) -> None:
    """Send everything that is logged to standard error, or to another stream."""
    chosen = _levels(os.environ.get(VARIABLE, "") if levels is None else levels)
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Lines(priorities="JOURNAL_STREAM" in os.environ))
    handler.addFilter(Quiet())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    for part, level in chosen.items():
        logging.getLogger(part).setLevel(level.upper())


def _levels(text: str) -> dict[str | None, str]:
    """The level of each part; what cannot be understood is left out."""
    chosen: dict[str | None, str] = {None: USUAL}
    for each in filter(None, map(str.strip, text.split(","))):
        part, _, level = each.rpartition("=")
        if level.lower() in LEVELS:
            chosen[part or None] = level.lower()
    return chosen


def _places(trace: object) -> list[str]:
    """Where an exception went through, without the lines of code and without any value."""
    frames = traceback.extract_tb(trace)  # type: ignore[arg-type]
    return [f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
