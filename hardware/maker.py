"""Making a kit by answers: what is asked, what comes of the answers, and the files to take along.

The entry point `companion.kit_makers`; whoever shows it knows no pins.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.board import Ask, Pick, Sketch, WireAsk
from companion.contract import converted
from companion.refusals import Illegal, Malformed
from companion.words import say
from hardware import checks, kits, names, paper, shopping
from hardware.checks import LAMPS
from hardware.design import Choices, Design, built, design
from hardware.header import HEADER
from hardware.kits import Kit
from hardware.schematic import schematic
from hardware.template import template
from hardware.wiring import budget, notes, sheet, wires

Answers = Mapping[str, Sequence[str]]
ASKED = "asked"
"""The field of a form that has asked: a box that is not ticked there is a no."""
PIN = "pin-"
HANDS = ("joystick", "encoder", "rows", "matrix", "chips", "halls")
EXTRAS = ("ok", "back", "peek", "power", "status")
TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "csv": "text/csv", "md": "text/markdown"}
OURS = "board"
"""The name under which the doctor writes."""


def sketch(answers: Answers, language: str) -> Sketch:
    """What is asked, what is wrong so far, and what comes of it."""
    choices = read(answers)
    made, kit = design(choices, language), built(choices)
    whole = not made.problems
    return Sketch(
        name=choices.name,
        asks=tuple(_asks(choices, made, language)),
        pins=tuple(_pin_asks(kit, language)),
        problems=made.problems,
        current=tuple(saying.said(language) for saying in budget(kit)) if whole else (),
        parts=tuple(_bought(kit, language)) if whole else (),
        notes=tuple(saying.said(language) for saying in notes(kit)) if whole else (),
        files=tuple(_file_names(choices)) if whole else (),
        text=made.text,
    )


def file(answers: Answers, name: str, language: str) -> tuple[str, bytes]:
    """One of the files of a kit that can be built: its type, and what is in it."""
    choices = read(answers)
    made = design(choices, language)
    if made.problems or name not in _file_names(choices):
        raise Illegal("hardware.no_such_file", file=name)
    kit = kits.parse(made.text, f"{choices.name}.toml")
    kind = TYPES.get(name.rpartition(".")[2], "application/toml")
    return kind, _content(name, kit, choices, made, language)


def _content(name: str, kit: Kit, choices: Choices, made: Design, language: str) -> bytes:
    match name:
        case "drawing.svg":
            return schematic(kit, language).encode()
        case "sheet.md":
            return sheet(kit, "drawing.svg", language).encode()
        case "parts.csv":
            return shopping.table([kit], language).encode()
        case "kit.toml":
            return made.text.encode()
    assert choices.width_mm is not None
    drawing = template(kit, choices.width_mm, language)
    if name == "template.svg":
        return paper.svg(drawing, kit.name).encode()
    return paper.tiles(drawing, language) if name == "template-a4.pdf" else paper.sheet(drawing)


def _file_names(choices: Choices) -> Iterator[str]:
    yield from ("kit.toml", "drawing.svg", "sheet.md", "parts.csv")
    if choices.width_mm:
        yield from ("template.svg", "template.pdf", "template-a4.pdf")


# From a form to choices


def read(answers: Answers) -> Choices:
    """The choices in the fields of a form; what is not there has an answer of its own."""
    sent = {name: each[0].strip() for name, each in answers.items() if each and each[0].strip()}
    data: dict[str, Any] = {name: sent[name] for name in ("rooms", "hands", "driver") if name in sent}
    rooms = data.get("rooms", "36")
    # Where nothing is pointed at nothing points, and the other way round.
    if rooms == "none":
        data["hands"] = "none"
    elif data.get("hands") == "none":
        del data["hands"]
    if "name" in sent:
        data["name"] = named(sent["name"])
    data |= _numbers(sent)
    if answers.get(ASKED):
        ticked = [each for each in EXTRAS if each in answers.get("buttons", ())]
        data["power_button"], data["status_lamp"] = "power" in ticked, "status" in ticked
        data["buttons"] = [each for each in ticked if each not in ("power", "status")]
    if "laid" in sent:
        data["serpentine"] = sent["laid"] == "zigzag"
    if "chains" in sent:
        data["two_chains"] = sent["chains"] == "two"
    try:
        choices: Choices = converted(data, Choices)
    except msgspec.ValidationError as fault:
        raise Malformed("hardware.bad_answer", fault=str(fault)) from None
    return choices


def _numbers(sent: dict[str, str]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    try:
        if "gauge" in sent:
            data["gauge_lamps"] = int(sent["gauge"])
        if "amperes" in sent:
            data["most_ma"] = round(float(sent["amperes"].replace(",", ".")) * 1000)
        if "width" in sent:
            data["width_mm"] = float(sent["width"].replace(",", "."))
        wished = {name[len(PIN) :]: int(text) for name, text in sent.items() if name.startswith(PIN)}
        if LAMPS in wished:
            data["lamp_pin"] = wished.pop(LAMPS)
        data["pins"] = wished
    except (ValueError, OverflowError) as fault:
        raise Malformed("hardware.bad_answer", fault=str(fault)) from None
    return data


def named(text: str) -> str:
    """A name as a kit's file can have it; those of our own kits and the doctor's stay theirs."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    name = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:30].rstrip("-") or "mine"
    taken = {path.stem for path in kits.SHIPPED.glob("*.toml")} | {OURS}
    return f"my-{name}"[:30] if name in taken else name


# What is asked


def _asks(choices: Choices, made: Design, language: str) -> Iterator[Ask]:
    def ask(name: str, chosen: Sequence[str], values: Sequence[str], kind: Any = "one") -> Ask:
        picks = [
            Pick(each, say(f"hardware.make_{name}_{each}", language), f"{name}_{each}", each in chosen)
            for each in values
        ]
        return Ask(name, say(f"hardware.make_{name}", language), kind, tuple(picks))

    def number(name: str, value: str, least: float, most: float) -> Ask:
        title = say(f"hardware.make_{name}", language)
        return Ask(name, title, "number", value=value, least=least, most=most)

    yield ask("rooms", [choices.rooms], ("36", "54", "none"))
    if choices.rooms != "none":
        yield ask("hands", [choices.hands], HANDS)
    ticked = [*choices.buttons, *(["power"] * choices.power_button), *(["status"] * choices.status_lamp)]
    yield ask("buttons", ticked, EXTRAS, "many")
    if choices.rooms != "none":
        yield ask("laid", ["zigzag" if choices.serpentine else "same"], ("zigzag", "same"))
    if choices.rooms != "none":
        yield ask("chains", ["two" if choices.two_chains else "one"], ("one", "two"))
    yield ask("driver", [choices.driver], ("neopixel_spi", "neopixel"))
    yield number("gauge", str(choices.gauge_lamps), 0, 500)
    yield number("amperes", f"{choices.most_ma / 1000:g}", 0.1, 40)
    yield number("width", f"{choices.width_mm:g}" if choices.width_mm else "", 50, 2000)
    yield Ask("name", say("hardware.make_name", language), "text", value=choices.name)


def _pin_asks(kit: Kit, language: str) -> Iterator[WireAsk]:
    """Every wire of the header; those of a bus and of a second chain stay where they are."""
    movable = {user for _, user, _ in checks.pins(kit)} - {checks.MORE_LAMPS}
    for pin, user in wires(kit):
        title = names.said(names.wire(user), language)
        yield WireAsk(user, title, pin, HEADER.get(pin, 0), user in movable)


def _bought(kit: Kit, language: str) -> Iterator[str]:
    for item in shopping.shopping_list(kit):
        yield f"{item.count} × {item.saying.said(language)}"
    yield say("hardware.make_cost", language, euros=f"{shopping.total(kit):.0f}")
