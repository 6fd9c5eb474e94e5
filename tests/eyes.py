"""Eyes that see colours otherwise: what is left of a colour for them, and how far apart two colours look."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import dist

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1, linear in light."""

EYES: dict[str, tuple[Colour, Colour, Colour]] = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What is left of light where one kind of cone is missing: Machado, Oliveira and Fernandes, 2009."""


def light(red: int, green: int, blue: int) -> Colour:
    """The light of a colour on a screen, of three numbers up to 255."""
    return _linear(red / 255), _linear(green / 255), _linear(blue / 255)


def light_of(hexadecimal: str) -> Colour:
    """The same, of #rrggbb."""
    return light(*bytes.fromhex(hexadecimal.removeprefix("#")))


def _linear(part: float) -> float:
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)


def seen(colour: Colour, eyes: str) -> Colour:
    """A colour as such eyes see it."""
    red, green, blue = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in EYES[eyes])
    return min(1.0, max(0.0, red)), min(1.0, max(0.0, green)), min(1.0, max(0.0, blue))


def difference(one: Colour, other: Colour, eyes: str) -> float:
    """How far apart two colours look, in hundredths of the way from black to white (Oklab)."""
    return 100 * dist(_oklab(seen(one, eyes)), _oklab(seen(other, eyes)))


def _oklab(colour: Colour) -> Colour:
    r, g, b = colour
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def nearest(colours: Iterable[Colour], eyes: str) -> float:
    """How far apart the two most alike of some colours look."""
    return min(difference(one, other, eyes) for one, other in combinations(colours, 2))


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours as WCAG counts it."""
    darker, lighter = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (one, other))
    return (lighter + 0.05) / (darker + 0.05)
