"""What answers mean: from a few of them follows how a board was really built."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from hardware.arrangement import rooms_along
from hardware.kits import Kit, Strip


def learned_order(order: str, seen: dict[str, str]) -> str | None:
    """The chain's true colour order, from which colour was seen when red and when green was sent."""
    letters = {"red": "R", "green": "G", "blue": "B"}
    sent = {letters[hue]: letters[colour] for hue, colour in seen.items()}
    rest = set("RGB") - set(sent.values())
    if len(rest) != 1:
        return None
    sent["B"] = rest.pop()
    # A lamp takes the byte that we call red as the colour that was seen.
    return "".join(sent[letter] for letter in order)


def probes(strip: Strip, kit: Kit) -> Iterator[int]:
    """Lamps worth asking about, the most telling first."""
    last = (strip.lamps or 1) - 1
    for lamp in (0, 1, kit.grid.columns, kit.grid.rows, last, kit.grid.columns - 1, kit.grid.rows - 1):
        if lamp <= last:
            yield lamp


def fitting(strip: Strip, kit: Kit, known: dict[int, int]) -> list[Strip]:
    """Every way to lay a strip that fits what is known, each order of rooms once, the present way first."""
    ways: dict[tuple[int, ...], Strip] = {}
    turns = sorted((0, 90, 180, 270), key=lambda turn: turn != strip.rotation)
    flips = sorted((False, True), key=lambda flip: flip != strip.mirrored)
    zigzags = sorted((False, True), key=lambda zigzag: zigzag != strip.serpentine)
    for rotation, mirrored, serpentine in product(turns, flips, zigzags):
        way = replace(strip, rotation=rotation, mirrored=mirrored, serpentine=serpentine)
        order = tuple(rooms_along(way, kit.grid))
        if all(order[lamp] == room for lamp, room in known.items()):
            ways.setdefault(order, way)
    return list(ways.values())


def rewired(kit: Kit, answered: dict[str, str]) -> Kit:
    """The kit with the pins of swapped buttons put right; nothing changes where a press had two meanings."""
    if sorted(answered) != sorted(answered.values()):
        return kit
    buttons = {name: kit.buttons.get(answered.get(name, name), pin) for name, pin in kit.buttons.items()}
    lines = kit.line_buttons
    if lines:
        named = {f"row{n}": pin for n, pin in enumerate(lines.rows, 1)}
        named |= {f"col{n}": pin for n, pin in enumerate(lines.columns, 1)} | kit.buttons
        right = [named[answered.get(name, name)] for name in named]
        rows = len(lines.rows)
        lines = replace(lines, rows=right[:rows], columns=right[rows : rows + len(lines.columns)])
        buttons = {name: named[answered.get(name, name)] for name in kit.buttons}
    return replace(kit, buttons=buttons, line_buttons=lines)


def button_names(kit: Kit) -> list[str]:
    """Every button that is asked for by its name, wherever it is wired."""
    lines = kit.line_buttons
    rows = [f"row{n}" for n in range(1, len(lines.rows) + 1)] if lines else []
    columns = [f"col{n}" for n in range(1, len(lines.columns) + 1)] if lines else []
    return [*kit.buttons, *rows, *columns, *(kit.expander.buttons if kit.expander else ())]


def laid(strip: Strip) -> tuple[int, bool, bool]:
    """How a strip lies: turned, mirrored, to and fro."""
    return strip.rotation, strip.mirrored, strip.serpentine
