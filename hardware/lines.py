"""On which line of a TOML file each key stands: the standard reader does not say, and a maker must know."""

from __future__ import annotations

import re

Spot = tuple[str | int, ...]
"""The way to a value: table names, keys, and numbers in arrays of tables."""

Lines = dict[Spot, int]

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"'-]+)\s*=")


def locate(text: str) -> Lines:
    """The line of every table header and every key that begins a line."""
    lines: Lines = {(): 1}
    table: Spot = ()
    seen: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = _parts(header[2])
            if header[1] == "[[":
                seen[header[2]] = seen.get(header[2], -1) + 1
                lines.setdefault(table, number)
                table = (*table, seen[header[2]])
            lines[table] = number
        elif key := _KEY.match(line):
            lines[(*table, *_parts(key[1]))] = number
    return lines


def line_of(lines: Lines, spot: Spot) -> int:
    """The line of a value, or of the nearest table around it."""
    while spot not in lines:
        spot = spot[:-1]
    return lines[spot]


def _parts(name: str) -> Spot:
    return tuple(part.strip().strip("\"'") for part in name.split("."))
