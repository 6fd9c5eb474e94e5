"""The wiring sheet of a kit: which wire goes to which pin, what to buy, and how much current it needs."""

from __future__ import annotations

from collections.abc import Iterator

from companion.picture import Gauge, Glow, Picture
from companion.words import Saying, say
from hardware.checks import CHIP_INPUTS, PWM_PINS
from hardware.checks import pins as used_pins
from hardware.drawing import GROUND_PINS, HEADER, supply_amperes
from hardware.frames import Frame, Scene, current, glows
from hardware.kits import Kit

FULL_WHITE_MA = 60
"""What a WS2812 draws at full white, by its maker."""
PI_AMPERES = 3
DRAWINGS = "docs/wiring"
"""Where the drawings lie beside the page."""

Part = tuple[int, Saying]


def sheet(kit: Kit, picture: str, language: str = "en") -> str:
    """The whole sheet as Markdown; `picture` is where the drawing lies."""
    kit = kit.fitted(kit.grid)
    lines = [
        f"## {kit.name}",
        kit.about,
        f"![{say('hardware.sheet_drawing', language, kit=kit.name)}]({picture})",
        _heading("pins", language),
        *_pin_table(kit, language),
        _heading("parts", language),
        *(f"- {count} × {saying.said(language)}" for count, saying in parts(kit)),
        _heading("current", language),
        *(saying.said(language) for saying in budget(kit)),
        _heading("notes", language),
        *(f"- {saying.said(language)}" for saying in notes(kit)),
    ]
    return _spaced(lines)


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
    for pin, user in sorted(wires(kit), key=lambda wire: HEADER[wire[0]]):
        yield f"| {HEADER[pin]} | GPIO{pin} | {user} | {say(_goal(kit, user), language)} |"
    ground, everything = say("hardware.sheet_ground", language), say("hardware.sheet_to_all", language)
    yield f"| {', '.join(map(str, GROUND_PINS))} | GND | {ground} | {everything} |"
    if kit.expander:
        yield from _chip_rows(kit, language)


def _goal(kit: Kit, user: str) -> str:
    if user == "lamps":
        return "hardware.sheet_to_shifter"
    if user.startswith("I²C"):
        return "hardware.sheet_to_chips"
    if user.startswith("matrix"):
        return "hardware.sheet_to_diodes" if kit.matrix and kit.matrix.diodes else "hardware.sheet_to_reeds"
    return "hardware.sheet_to_button"


def _chip_rows(kit: Kit, language: str) -> Iterator[str]:
    assert kit.expander is not None
    names = {room - 1: f"room{room}" for room in kit.grid.rooms}
    names |= {place: name for name, place in kit.expander.buttons.items()}
    for chip, address in enumerate(kit.expander.addresses):
        wired = [names[n] for n in range(CHIP_INPUTS * chip, CHIP_INPUTS * (chip + 1)) if n in names]
        place = say("hardware.sheet_chip", language, address=f"0x{address:02x}")
        yield f"| {place} | A0…A7, B0…B7 | {', '.join(wired)} | {say('hardware.sheet_to_button', language)} |"


# Parts


def parts(kit: Kit) -> list[Part]:
    """What to buy."""
    found: list[tuple[int, str, dict[str, object]]] = [
        (1, "pi", {}),
        (kit.lamps, "lamps", {}),
        (1, "shifter", {}),
        (1, "supply", {"amperes": supply_amperes(kit)}),
        (1, "pi_supply", {"amperes": PI_AMPERES}),
        (1, "capacitor", {}),
        (1, "resistor", {}),
    ]
    if {"up", "down"} <= set(kit.buttons):
        found.append((1, "joystick", {}))
    loose = [name for name in kit.buttons if name not in ("up", "down", "left", "right")]
    lines = kit.line_buttons
    buttons = len(loose) + (len(lines.rows) + len(lines.columns) if lines else 0)
    buttons += len(kit.expander.buttons) if kit.expander else 0
    found.append((buttons, "buttons", {}))
    rooms = len(kit.grid.rooms)
    if kit.senses_tiles:
        found += [(rooms, "reeds", {}), (rooms, "magnets", {})]
    if kit.matrix and kit.matrix.diodes:
        found.append((rooms, "diodes", {}))
    if kit.expander:
        found.append((len(kit.expander.addresses), "chips", {}))
    return [(count, Saying(f"hardware.part_{name}", **facts)) for count, name, facts in found if count]


# Current


def budget(kit: Kit) -> list[Saying]:
    """What the lamps draw: dark, on a busy evening, and if nobody limited them."""
    full, most = kit.lamps * FULL_WHITE_MA, kit.chain.most_ma
    busy = round(current(_busy_evening(kit)))
    facts = {"n": kit.lamps, "dark": kit.lamps, "busy": busy, "full": f"{full / 1000:.1f}"}
    return [Saying("hardware.budget", most=most, **facts)]


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
    found = ["note_ground", "note_shifter", "note_inject"]
    if kit.chain.driver == "neopixel_spi":
        found += ["note_spi", "note_pi3"]
    elif kit.chain.pin in PWM_PINS:
        found += ["note_pwm"]
    if "up" in kit.buttons:
        found += ["note_push"]
    if kit.matrix:
        found += ["note_diodes" if kit.matrix.diodes else "note_no_diodes"]
    if kit.expander:
        found += ["note_chips"]
    return [Saying(f"hardware.{name}") for name in found]


# Everything at once


def document(kits: list[Kit], language: str = "en") -> str:
    """The sheets of several kits in one page."""
    title, *paragraphs = (say(f"hardware.sheet_{part}", language) for part in ("title", "intro", "signs"))
    intro = [f"# {title}", "", *(line for paragraph in paragraphs for line in (paragraph, ""))]
    return "\n".join([*intro, *(sheet(kit, f"{DRAWINGS}/{kit.name}.svg", language) for kit in kits)])
