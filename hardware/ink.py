"""What a schematic is drawn with: symbols whose legs, wires and flags can be read back from the picture.

A leg is a circle with `data-leg`, a flag has `data-net`, a wire is a polyline; two of them are connected
where they share a point. So a test can tell from the picture alone what it connects.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from textwrap import wrap

from companion.words import say
from hardware import names

Point = tuple[float, float]
Legs = Iterable[tuple[str, str, str | None]]
"""Number, name and net of each leg of a box: an empty one for a free leg, null where a wire comes."""

STYLE = (
    "text{font:13px sans-serif;fill:#222}.t{font-weight:bold}.s{font-size:10px;fill:#555}.e{text-anchor:end}"
    ".m{text-anchor:middle}.w,.y{fill:none;stroke:#222;stroke-width:1.6}.b{fill:#fdfdf6;stroke:#222}"
    ".n,.r,.h{paint-order:stroke;stroke:#fff;stroke-width:4px}.n{fill:#1b5e9c}.r{fill:#b71c1c}.j{fill:#222}"
    ".h{stroke:#fdfdf6}.x{stroke:#999}.l{fill:#ffe9b8;stroke:#b98b2e}"
)
STUB = 20
"""How far a leg stands out of its box."""


class Ink:
    """A picture in the making, with words in a person's language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.drawn: list[str] = []
        self.bottom = 0.0
        """The lowest point so far."""

    def raw(self, shape: str, bottom: float = 0) -> None:
        """Any other shape."""
        self.drawn.append(shape)
        self.bottom = max(self.bottom, bottom)

    def text(self, x: float, y: float, text: str, kind: str = "") -> None:
        """Words."""
        shape = f' class="{kind}"' if kind else ""
        self.raw(f'<text x="{x:g}" y="{y:g}"{shape}>{escape(text)}</text>', y)

    def said(self, name: str, **facts: object) -> str:
        """Words of a drawing."""
        return say(f"hardware.drawing_{name}", self.language, **facts)

    def called(self, wire: str) -> str:
        """A wire or net as people call it."""
        return names.said(names.wire(wire), self.language)

    def note(self, x: float, y: float, text: str, wide: int) -> None:
        """A small note, in lines of so many letters."""
        for number, line in enumerate(wrap(text, wide)):
            self.text(x, y + 12 * number, line, "s")

    def wire(self, *points: Point) -> None:
        """A wire; it touches what has one of its points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.raw(f'<polyline class="w" points="{path}"/>', max(y for _, y in points))

    def joint(self, *points: Point) -> None:
        """Dots where wires meet, for the eye."""
        for x, y in points:
            self.raw(f'<circle class="j" cx="{x:g}" cy="{y:g}" r="3"/>')

    def leg(self, name: str, at: Point) -> None:
        """The end of a part's leg."""
        self.raw(f'<circle data-leg="{escape(name)}" cx="{at[0]:g}" cy="{at[1]:g}" r="1.6"/>', at[1])

    def line(self, *points: Point) -> None:
        """A line of a symbol, which connects nothing."""
        path = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
        self.raw(f'<path class="y" d="{path}"/>', max(y for _, y in points))

    def flag(self, net: str, at: Point, side: str = "right") -> None:
        """A net by its name: all flags of one name are one wire. Ground has its own sign."""
        x, y = at
        away = 1 if side == "right" else -1
        self.raw(f'<g data-net="{escape(net)}" data-x="{x:g}" data-y="{y:g}"></g>', y)
        if net == "GND":
            if side == "down":
                for step, half in ((0, 9), (4, 6), (8, 3)):
                    self.line((x - half, y + step), (x + half, y + step))
            else:
                for step, half in ((0, 7), (4, 4), (8, 2)):
                    self.line((x + away * step, y - half), (x + away * step, y + half))
            return
        kind = "r" if net.startswith("+") else "n"
        self.text(x + 6 * away, y + 4, self.called(net), f"{kind} e" if away < 0 else kind)

    def free(self, at: Point) -> None:
        """A leg that nothing is connected to."""
        x, y = at
        self.raw(f'<path class="x" d="M{x - 4:g} {y - 4:g} l8 8 m0 -8 l-8 8"/>')

    def box(
        self, ref: str, title: str, at: Point, width: float, left: Legs, right: Legs, pitch: float
    ) -> None:
        """A part with legs on both sides; each has its number outside, its name inside, and a flag."""
        x, y = at
        left, right = list(left), list(right)
        height = pitch * max(len(left), len(right)) + 12
        size = f'width="{width:g}" height="{height:g}"'
        self.raw(f'<rect class="b" x="{x:g}" y="{y:g}" {size} rx="4"/>', y + height)
        self.text(x + width / 2, y - 8, f"{ref}  {title}", "t m")
        for side, legs in (("left", left), ("right", right)):
            edge = x if side == "left" else x + width
            out = -STUB if side == "left" else STUB
            for number, (leg, name, net) in enumerate(legs):
                line = y + 6 + pitch * (number + 0.5)
                end = (edge + out, line)
                self.line((edge, line), end)
                self.leg(f"{ref}.{leg}", end)
                if leg.isdigit():
                    self.text(edge + out / 2, line - 3, leg, "s m")
                self.text(edge + (6 if out < 0 else -6), line + 4, name, "" if out < 0 else "e")
                if net:
                    self.flag(net, end, side)
                elif net is not None:
                    self.free(end)

    def part(self, ref: str, kind: str, value: str, start: Point, end: Point, legs: tuple[str, str]) -> None:
        """A part with two legs between two points, level or upright."""
        (x, y), (to_x, to_y) = start, end
        self.leg(f"{ref}.{legs[0]}", start)
        self.leg(f"{ref}.{legs[1]}", end)
        level = y == to_y
        middle = ((x + to_x) / 2, (y + to_y) / 2)
        turn = "" if level else " rotate(90)"
        half = (abs(to_x - x) + abs(to_y - y)) / 2
        shape = SYMBOLS[kind]
        self.raw(f'<g transform="translate({middle[0]:g} {middle[1]:g}){turn}"><path class="y" '
                 f'd="M{-half:g} 0 H-14 M14 0 H{half:g} {shape}"/></g>', max(y, to_y))  # fmt: skip
        if level:
            self.text(middle[0], y - 15, ref, "s m h")
            self.text(middle[0], y + 22, value, "s m h")
        else:
            self.text(x + 14, middle[1] - 2, ref, "s")
            self.text(x + 14, middle[1] + 10, value, "s")

    def svg(self, title: str, width: float) -> str:
        """The finished picture."""
        height = self.bottom + 30
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
            *self.drawn,
            "</svg>",
            "",
        ])  # fmt: skip


_DOTS = "M-16 0 a2 2 0 1 0 4 0 a2 2 0 1 0 -4 0 M12 0 a2 2 0 1 0 4 0 a2 2 0 1 0 -4 0 "
SYMBOLS = {
    "resistor": "M-14 -6 H14 V6 H-14 Z",
    "fuse": "M-14 -5 H14 V5 H-14 Z M-14 0 H14",
    "capacitor": "M-14 0 H-3 M-3 -9 V9 M3 -9 V9 M3 0 H14",
    "polar": "M-14 0 H-3 M-3 -9 V9 M3 -9 Q8 0 3 9 M5 0 H14 M-12 -9 h6 M-9 -12 v6",
    "button": _DOTS + "M-13 -7 H13 M0 -7 v-5",
    "reed": "M-14 0 L10 -8 M-14 -11 H14 V5 H-14 Z",
    "diode": "M-14 0 H-7 M-7 -7 V7 L7 0 Z M7 -7 V7 M7 0 H14",
}
"""The symbols, level, from their first leg at the left to their second at the right."""
