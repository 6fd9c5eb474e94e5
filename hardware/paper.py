"""Drawings in true size: shapes in millimetres, as SVG, as one PDF sheet, or as A4 tiles with marks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal

import msgspec

from companion.words import say

MM = 72 / 25.4
"""Points of a PDF in a millimetre."""
A4 = (210.0, 297.0)
MARGIN, OVERLAP = 10.0, 10.0
"""What stays free for marks at each edge, and how far tiles overlap."""
REACHED = 5.5
"""Nearer to an edge many printers do not print."""

Pen = Literal["cut", "fold", "lamp", "reed", "magnet", "chain", "mark"]
PENS: dict[Pen, tuple[str, float, str]] = {
    "cut": ("0 0 0", 0.35, ""),
    "fold": ("0.5 0.5 0.5", 0.2, "2 2"),
    "lamp": ("0.75 0.45 0", 0.35, ""),
    "reed": ("0.1 0.35 0.6", 0.3, ""),
    "magnet": ("0.7 0.1 0.1", 0.3, "1.5 1"),
    "chain": ("0.2 0.5 0.2", 0.2, ""),
    "mark": ("0 0 0", 0.2, ""),
}
"""Colour (red, green, blue from 0 to 1), width in millimetres, and dashes of each kind of line."""


class Line(msgspec.Struct, frozen=True):
    """A line from one point to another."""

    x: float
    y: float
    to_x: float
    to_y: float
    pen: Pen = "cut"


class Circle(msgspec.Struct, frozen=True):
    """A circle; its name is what can be found again in the file."""

    x: float
    y: float
    radius: float
    pen: Pen
    name: str = ""


class Words(msgspec.Struct, frozen=True):
    """Words centred on a point, or beginning there."""

    x: float
    y: float
    size: float
    text: str
    begins: bool = False


Shape = Line | Circle | Words


class Drawing(msgspec.Struct, frozen=True):
    """A sheet of any size, its origin at the top left."""

    width: float
    height: float
    shapes: Sequence[Shape]


# SVG


def svg(drawing: Drawing, title: str) -> str:
    """The drawing as an SVG that prints in true size."""
    size = f'width="{drawing.width:g}mm" height="{drawing.height:g}mm"'
    view = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    body = "\n".join(map(_svg_shape, drawing.shapes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'
    )


def _svg_shape(shape: Shape) -> str:
    if isinstance(shape, Words):
        place = f'x="{shape.x:.2f}" y="{shape.y + shape.size * 0.35:.2f}"'
        anchor = "start" if shape.begins else "middle"
        style = f'font-size="{shape.size:g}" font-family="Helvetica, sans-serif" text-anchor="{anchor}"'
        return f"<text {place} {style}>{escape(shape.text)}</text>"
    colour, width, dashes = PENS[shape.pen]
    rgb = ",".join(f"{round(255 * float(part))}" for part in colour.split())
    style = f'fill="none" stroke="rgb({rgb})" stroke-width="{width:g}"'
    style += f' stroke-dasharray="{dashes}"' if dashes else ""
    if isinstance(shape, Circle):
        name = f' data-name="{escape(shape.name)}"' if shape.name else ""
        return f'<circle{name} cx="{shape.x:.3f}" cy="{shape.y:.3f}" r="{shape.radius:g}" {style}/>'
    ends = f'x1="{shape.x:.3f}" y1="{shape.y:.3f}" x2="{shape.to_x:.3f}" y2="{shape.to_y:.3f}"'
    return f"<line {ends} {style}/>"


# PDF


def sheet(drawing: Drawing) -> bytes:
    """The drawing as one PDF page of its own size."""
    return _pdf([(drawing.width, drawing.height, _content(drawing.shapes, drawing.height))])


def tiles(drawing: Drawing, language: str = "en") -> bytes:
    """The drawing on as many A4 pages as it takes; the marks of neighbours lie on each other."""
    inner_x, inner_y = A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN
    columns = _count(drawing.width, inner_x)
    rows = _count(drawing.height, inner_y)
    pages = []
    for row in range(rows):
        for column in range(columns):
            left, top = column * (inner_x - OVERLAP), row * (inner_y - OVERLAP)
            facts = {"page": f"{chr(65 + row)}{column + 1}", "last": f"{chr(64 + rows)}{columns}"}
            label = say("hardware.template_tile", language, **facts)
            pages.append((*A4, _tile(drawing, left, top, inner_x, inner_y, label)))
    return _pdf(pages)


def _count(size: float, inner: float) -> int:
    return 1 if size <= inner else 1 + -int(-(size - inner) // (inner - OVERLAP))


def _tile(drawing: Drawing, left: float, top: float, width: float, height: float, label: str) -> str:
    """One page: its part of the drawing, clipped, then marks at the corners of the part and its name."""
    points = (MARGIN * MM, (A4[1] - MARGIN - height) * MM, width * MM, height * MM)
    clip = " ".join(f"{point:.3f}" for point in points)
    moved = [_moved(shape, MARGIN - left, MARGIN - top) for shape in drawing.shapes]
    marks: list[Shape] = [Words(A4[0] / 2, A4[1] - REACHED - 1.5, 3, label)]
    long = MARGIN - 1 - REACHED
    for x in (MARGIN, MARGIN + OVERLAP, MARGIN + width - OVERLAP, MARGIN + width):
        marks += [Line(x, edge, x, edge + long, "mark") for edge in (REACHED, A4[1] - REACHED - long)]
    for y in (MARGIN, MARGIN + OVERLAP, MARGIN + height - OVERLAP, MARGIN + height):
        marks += [Line(edge, y, edge + long, y, "mark") for edge in (REACHED, A4[0] - REACHED - long)]
    return f"q {clip} re W n\n{_content(moved, A4[1])}Q\n{_content(marks, A4[1])}"


def _moved(shape: Shape, x: float, y: float) -> Shape:
    if isinstance(shape, Line):
        return Line(shape.x + x, shape.y + y, shape.to_x + x, shape.to_y + y, shape.pen)
    return msgspec.structs.replace(shape, x=shape.x + x, y=shape.y + y)


def _content(shapes: Sequence[Shape], height: float) -> str:
    """Shapes as the operators of a page, whose y goes upwards."""
    return "".join(_pdf_shape(shape, height) for shape in shapes)


def _pdf_shape(shape: Shape, height: float) -> str:
    if isinstance(shape, Words):
        size = shape.size * MM
        # Helvetica is about half as wide as it is high.
        before = 0.0 if shape.begins else 0.26 * size * len(shape.text)
        x, y = shape.x * MM - before, (height - shape.y) * MM - 0.35 * size
        # The font's own letters have one kind of space that keeps words together.
        text = shape.text.replace("\u202f", "\xa0")
        text = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        return f"BT /F1 {size:.2f} Tf {x:.3f} {y:.3f} Td ({text}) Tj ET\n"
    colour, width, dashes = PENS[shape.pen]
    lengths = " ".join(f"{float(part) * MM:.2f}" for part in dashes.split())
    pen = f"{colour} RG {width * MM:.3f} w [{lengths}] 0 d\n"
    if isinstance(shape, Line):
        points = (shape.x * MM, (height - shape.y) * MM, shape.to_x * MM, (height - shape.to_y) * MM)
        return pen + "{:.3f} {:.3f} m {:.3f} {:.3f} l S\n".format(*points)
    return f"% {shape.name}\n" + pen + _round(shape.x * MM, (height - shape.y) * MM, shape.radius * MM)


def _round(x: float, y: float, radius: float) -> str:
    """A circle of four curves, beginning at its right."""
    k = 0.5523 * radius
    path = f"{x + radius:.3f} {y:.3f} m "
    for curve in (
        (x + radius, y + k, x + k, y + radius, x, y + radius),
        (x - k, y + radius, x - radius, y + k, x - radius, y),
        (x - radius, y - k, x - k, y - radius, x, y - radius),
        (x + k, y - radius, x + radius, y - k, x + radius, y),
    ):
        path += " ".join(f"{point:.3f}" for point in curve) + " c "
    return path + "s\n"


def _pdf(pages: Sequence[tuple[float, float, str]]) -> bytes:
    """A PDF of plain pages."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, (width, height, content) in enumerate(pages):
        box = f"[0 0 {width * MM:.3f} {height * MM:.3f}]"
        font = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} {font} /Contents {5 + 2 * number} 0 R >>"
        )
        length = len(content.encode("cp1252", "replace"))
        objects.append(f"<< /Length {length} >>\nstream\n{content}\nendstream")
    body, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n".encode("cp1252", "replace")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return body + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode()
