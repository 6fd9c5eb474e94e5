"""The drawing on a wiring sheet: header, wires, level shifter, supply, and the strips of lamps."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from hardware.arrangement import rooms_along
from hardware.checks import pins
from hardware.kits import Kit, Pin, Strip

HEADER: dict[Pin, int] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
    11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The number of each GPIO on the 40-pin header."""
GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
POWER_PINS = {1: "3V3", 2: "5V", 4: "5V", 17: "3V3"}

PITCH, TOP, LEFT = 24, 64, 250
"""Pixels from pin to pin, and where the first one is."""
WIDTH = 1000
SHIFTER, SUPPLY, STRIPS = (560, 90), (560, 300), (560, 430)
STYLE = (
    "text{font:13px sans-serif;fill:#222}.t{font-weight:bold}.s{font-size:10px}.e{text-anchor:end}"
    ".w{fill:none;stroke-width:2}.b{fill:#fff;stroke:#444}.p{fill:#eee;stroke:#444}.u{fill:#f5b942}"
    ".g{fill:#555}.v{fill:#d33}.l{fill:#ffe9b8;stroke:#b98b2e}"
)
COLOURS = {"data": "#2a7d2e", "power": "#c62828", "ground": "#333"}


def drawing(kit: Kit) -> str:
    """The drawing as an SVG document."""
    kit = kit.fitted(kit.grid)
    body = [*_header(kit), *_shifter(), *_supply(kit), *_strips(kit), *_wires(kit)]
    height = max(TOP + 20 * PITCH + 40, STRIPS[1] + _strips_height(kit) + 30)
    title = f"{kit.name}: {kit.about}"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        *body,
        "</svg>",
        "",
    ])  # fmt: skip


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    shape = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{shape}>{escape(text)}</text>'


def _wire(points: list[tuple[float, float]], kind: str) -> str:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline class="w" stroke="{COLOURS[kind]}" points="{path}"/>'


def _box(x: float, y: float, width: float, height: float, title: str) -> Iterator[str]:
    yield f'<rect class="b" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6"/>'
    yield _text(x + 10, y + 20, title, "t")


def supply_amperes(kit: Kit) -> int:
    """The amperes of a supply that gives what the kit may draw with a fifth to spare."""
    return -(-kit.chain.most_ma * 5 // 4000)


def place_of(number: int) -> tuple[float, float]:
    """Where a pin of the header is drawn, from its number: odd ones left, even ones right."""
    row, side = divmod(number - 1, 2)
    return LEFT + side * PITCH, TOP + row * PITCH


def _header(kit: Kit) -> Iterator[str]:
    """All forty pins; those in use are filled and named."""
    users = {HEADER[pin]: user for _, user, pin in pins(kit)}
    if kit.expander:
        users |= {HEADER[2]: "I²C SDA", HEADER[3]: "I²C SCL"}
    names = {number: f"GPIO{pin}" for pin, number in HEADER.items()} | POWER_PINS
    yield _text(LEFT - 30, TOP - 34, "Raspberry Pi", "t")
    for number in range(1, 41):
        x, y = place_of(number)
        kind = (
            "u" if number in users else "g" if number in GROUND_PINS else "v" if number in POWER_PINS else "p"
        )
        yield f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="8"/>'
        yield _text(x - 5 if number < 10 else x - 7, y + 4, str(number), "s")
        if number in users:
            label = f"{users[number]} · {names[number]}"
            left = number % 2 == 1
            yield _text(x - 16 if left else x + 16, y + 5, label, "e" if left else "")


def _shifter() -> Iterator[str]:
    x, y = SHIFTER
    yield from _box(x, y, 190, 110, "74AHCT125")
    for line, text in enumerate(
        ("1A  ← data 3.3 V", "1Y  → 330 Ω → lamps", "VCC ← 5 V", "GND, 1OE → ground")
    ):
        yield _text(x + 10, y + 42 + 18 * line, text)


def _supply(kit: Kit) -> Iterator[str]:
    x, y = SUPPLY
    yield from _box(x, y, 190, 80, f"5 V, {supply_amperes(kit)} A")
    yield _text(x + 10, y + 42, "+5 V → lamps, 1000 µF")
    yield _text(x + 10, y + 60, "GND → lamps and Pi")


def _wires(kit: Kit) -> Iterator[str]:
    data = next(pin for _, user, pin in pins(kit) if user == "lamps")
    x, y = place_of(HEADER[data])
    between = y + PITCH / 2
    shifter_x, shifter_y = SHIFTER
    supply_x, supply_y = SUPPLY
    yield _wire(
        [(x, y), (x, between), (480, between), (480, shifter_y + 38), (shifter_x, shifter_y + 38)], "data"
    )
    ground_x, ground_y = place_of(39)
    yield _wire([(ground_x, ground_y), (ground_x, TOP + 20 * PITCH), (500, TOP + 20 * PITCH),
                 (500, supply_y + 56), (supply_x, supply_y + 56)], "ground")  # fmt: skip
    right = supply_x + 190
    yield _wire([(right, supply_y + 38), (right + 30, supply_y + 38), (right + 30, STRIPS[1] - 6)], "power")
    yield _wire([(right, supply_y + 56), (right + 16, supply_y + 56), (right + 16, STRIPS[1] - 6)], "ground")
    yield _wire([(shifter_x + 190, shifter_y + 56), (right + 44, shifter_y + 56),
                 (right + 44, STRIPS[1] - 6)], "data")  # fmt: skip


# Strips


def _strips(kit: Kit) -> Iterator[str]:
    x, y = STRIPS
    for strip in kit.strips:
        yield _text(x, y + 14, f"{strip.name}: {strip.first}–{strip.end - 1}", "t")
        yield from _room_lamps(strip, kit, y + 24) if strip.shows == "rooms" else _row_lamps(strip, y + 24)
        y += _height(strip, kit)


def _room_lamps(strip: Strip, kit: Kit, top: float) -> Iterator[str]:
    """The rooms as they lie, each with the number of its lamp in the chain."""
    for number, room in enumerate(rooms_along(strip, kit.grid)):
        row, column = divmod(room - 1, kit.grid.columns)
        x, y = STRIPS[0] + 40 * column, top + 26 * row
        yield f'<rect class="l" x="{x:g}" y="{y:g}" width="36" height="22" rx="4"/>'
        yield _text(x + 4, y + 15, f"{room}", "s")
        yield _text(x + 32, y + 15, f"·{(strip.first or 0) + number}", "s e")


def _row_lamps(strip: Strip, top: float) -> Iterator[str]:
    for number in range(strip.lamps or 0):
        row, column = divmod(number, 20)
        x, y = STRIPS[0] + 20 * column, top + 20 * row
        yield f'<rect class="l" x="{x:g}" y="{y:g}" width="16" height="14" rx="3"/>'


def _height(strip: Strip, kit: Kit) -> int:
    rows = 26 * kit.grid.rows if strip.shows == "rooms" else 20 * -(-(strip.lamps or 0) // 20)
    return 40 + rows


def _strips_height(kit: Kit) -> int:
    return sum(_height(strip, kit) for strip in kit.strips)
