"""The wiring sheet of a kit: which wire goes to which pin, what to buy, and how much current it needs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import ceil

from companion.picture import Gauge, Glow, Picture
from companion.words import Saying, say
from hardware import chips, names
from hardware.checks import (
    LAMPS,
    MORE_LAMPS,
    PWM_PINS,
    SECOND_SPI,
    SOUND_PINS,
    STATUS_LAMP,
    by_spi,
    claims,
    data_pins,
)
from hardware.checks import pins as used_pins
from hardware.frames import Frame, Scene, current, glows
from hardware.header import GROUND_PINS, HEADER
from hardware.kits import Kit, neighbour
from hardware.names import OTHER
from hardware.power import BRANCH, FULL_WHITE_MA, branches, fuse_amperes, supply_amperes, wire
from hardware.shopping import shopping_list, total

DRAWINGS = "docs/wiring"
"""Where the drawings lie beside the page."""
BREADBOARDS = ("joystick",)
"""The kits that also have a picture on a breadboard."""


def sheet(kit: Kit, picture: str, language: str = "en") -> str:
    """The whole sheet as Markdown; `picture` is where the drawing lies."""
    kit = kit.fitted(kit.grid)
    lines = [
        f"## {kit.name}",
        names.said(names.about(kit), language),
        f"![{say('hardware.sheet_drawing', language, kit=kit.name)}]({picture})",
        *_on_a_breadboard(kit, picture, language),
        _heading("pins", language),
        *_pin_table(kit, language),
        _heading("parts", language),
        *(f"- {item.count} × {item.saying.said(language)}" for item in shopping_list(kit)),
        say("hardware.sheet_prices", language, euros=f"{total(kit):.0f}"),
        _heading("current", language),
        *(saying.said(language) for saying in budget(kit)),
        _heading("notes", language),
        *(f"- {saying.said(language)}" for saying in notes(kit)),
    ]
    return _spaced(lines)


def _on_a_breadboard(kit: Kit, picture: str, language: str) -> Iterator[str]:
    if kit.name in BREADBOARDS:
        place = picture.replace(".svg", "-breadboard.svg")
        yield f"![{say('hardware.sheet_breadboard', language, kit=kit.name)}]({place})"


def _heading(name: str, language: str) -> str:
    return f"### {say(f'hardware.sheet_{name}', language)}"


def _spaced(lines: list[str]) -> str:
    """Markdown with a blank line wherever a new block begins."""
    text = ""
    for before, line in zip(["", *lines], lines, strict=False):
        same = before[:1] == line[:1] and line[:1] in ("|", "-")
        text += ("" if same or not text else "\n") + line + "\n"
    return text


# Pins


def wires(kit: Kit) -> Iterator[tuple[int, str]]:
    """Every pin of the header that carries a wire, with what is on it."""
    for _, user, pin in used_pins(kit):
        yield pin, user
    if kit.expander:
        yield 2, "I²C SDA"
        yield 3, "I²C SCL"


def _pin_table(kit: Kit, language: str) -> Iterator[str]:
    columns = [say(f"hardware.sheet_{name}", language) for name in ("header_pin", "gpio", "wire", "goes_to")]
    yield "| " + " | ".join(columns) + " |"
    yield "| --- | --- | --- | --- |"
    here = {pin: (user, _goal(kit, user)) for pin, user in wires(kit)}
    for pin, (user, goal) in sorted((_elsewhere(kit) | here).items(), key=lambda wire: HEADER[wire[0]]):
        wire = names.said(names.wire(user), language)
        yield f"| {HEADER[pin]} | GPIO{pin} | {wire} | {say(goal, language)} |"
    ground, everything = say("hardware.sheet_ground", language), say("hardware.sheet_to_all", language)
    yield f"| {', '.join(map(str, GROUND_PINS))} | GND | {ground} | {everything} |"
    if kit.expander:
        yield from _chip_rows(kit, language)


def _elsewhere(kit: Kit) -> dict[int, tuple[str, str]]:
    """The pins that the other board on the same Pi has."""
    other = neighbour(kit)
    found = claims(other) if other else ()
    return {pin: (f"{OTHER}{user}", "hardware.sheet_to_other") for _, user, pin in found}


def _goal(kit: Kit, user: str) -> str:
    if user in (LAMPS, MORE_LAMPS):
        return "hardware.sheet_to_shifter" if user == LAMPS else "hardware.sheet_to_shifter2"
    if user.startswith("I²C"):
        return "hardware.sheet_to_chips"
    if user == STATUS_LAMP:
        low = kit.status is not None and kit.status.lit_by_low
        return "hardware.sheet_to_status_3v3" if low else "hardware.sheet_to_status"
    if user.startswith("matrix"):
        return "hardware.sheet_to_diodes" if kit.matrix and kit.matrix.diodes else "hardware.sheet_to_reeds"
    return "hardware.sheet_to_button"


def _chip_rows(kit: Kit, language: str) -> Iterator[str]:
    assert kit.expander is not None
    users = {place: name for name, place in chips.inputs(kit).items()}
    halls = kit.expander.sensor == "hall"
    goal = say("hardware.sheet_to_halls" if halls else "hardware.sheet_to_button", language)
    for address, half in product(kit.expander.chips, "AB"):
        wired = {name: users.get(chips.Input(address, name)) for name in chips.INPUTS if name[0] == half}
        if any(wired.values()):
            place = say("hardware.sheet_chip", language, address=f"0x{address:02x}")
            named = {name: names.said(names.wire(user), language) for name, user in wired.items() if user}
            on = ", ".join(f"{name} {user}" for name, user in named.items())
            yield f"| {place} | GP{half}0…GP{half}6 | {on} | {goal} |"


# Current


def budget(kit: Kit) -> list[Saying]:
    """What the lamps draw: dark, on a busy evening, and if nobody limited them."""
    full, most = kit.lamps * FULL_WHITE_MA, kit.chain.most_ma
    busy = round(current(_busy_evening(kit)))
    facts = {"n": kit.lamps, "dark": kit.lamps, "busy": busy, "full": round(full / 1000, 1)}
    area, gauge = wire(kit)
    sizes = {
        "supply": supply_amperes(kit),
        "fuse": fuse_amperes(kit),
        "area": area,
        "awg": gauge,
    }
    return [Saying("hardware.budget", most=most, **facts), Saying("hardware.budget_worst", **facts, **sizes)]


def _busy_evening(kit: Kit) -> Frame:
    """Eight rooms lit at once, every gauge three quarters full, a lamp for each seat."""
    gauges = {
        strip.gauge or strip.name: Gauge((strip.lamps or 0) * 3 // 4, strip.lamps)
        for strip in kit.strips
        if strip.shows == "gauge"
    }
    rooms, seats = dict.fromkeys(range(1, 9), Glow("white")), {str(n): Glow("white") for n in range(4)}
    scene = Scene()
    scene.show(glows(kit, Picture(rooms=rooms, gauges=gauges, seats=seats)), 0)
    return scene.frame(0, kit.chain, kit.lamps)


# Notes


def notes(kit: Kit) -> list[Saying]:
    """What a maker should know before the iron is hot."""
    found = ["note_ground", "note_rails", "note_shifter", "note_inject", *_data_notes(kit)]
    if kit.beside:
        found += ["note_beside"]
    if kit.sound:
        found += ["note_sound"]
    if "up" in kit.buttons:
        found += ["note_push"]
    if kit.matrix:
        found += ["note_diodes" if kit.matrix.diodes else "note_no_diodes"]
    if kit.expander:
        found += ["note_chips", *(["note_chip_buttons"] if kit.expander.buttons else [])]
    if kit.senses_tiles:
        halls = kit.expander is not None and kit.expander.sensor == "hall"
        found += ["note_halls"] if halls else ["note_magnets", "note_hall"]
    feeds = {"feeds": branches(kit), "amperes": BRANCH, "n": ceil(kit.lamps / branches(kit))}
    return [
        *(Saying(f"hardware.{name}") for name in found),
        *([Saying("hardware.note_branches", **feeds)] if branches(kit) > 1 else []),
    ]


def _data_notes(kit: Kit) -> Iterator[str]:
    """What the way of the data asks for: it depends on driver and pin."""
    chain = kit.chain
    if by_spi(chain):
        yield from ("note_spi", "note_clock")
    if SECOND_SPI in data_pins(kit) and chain.driver == "neopixel_spi":
        yield "note_spi1"
    if chain.driver == "neopixel":
        if by_spi(chain):
            yield "note_ws281x"
        elif chain.pin in SOUND_PINS:
            yield "note_pwm"
        elif chain.pin not in PWM_PINS:
            yield "note_pio"


# Everything at once


def document(kits: list[Kit], language: str = "en") -> str:
    """The sheets of several kits in one page."""
    title, *paragraphs = (say(f"hardware.sheet_{part}", language) for part in ("title", "intro", "signs"))
    intro = [f"# {title}", "", *(line for paragraph in paragraphs for line in (paragraph, ""))]
    return "\n".join([*intro, *(sheet(kit, f"{DRAWINGS}/{kit.name}.svg", language) for kit in kits)])
