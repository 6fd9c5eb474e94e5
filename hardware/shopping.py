"""What to buy for a kit: parts that fit, how many, and what they cost, roughly."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import msgspec

from companion.words import Saying, say
from hardware.inputs import ENCODER_LINES
from hardware.kits import CURSOR_BUTTONS, Kit
from hardware.netlist import parts
from hardware.power import BRANCH, PI_AMPERES, branches, fuse_amperes, supply_amperes, wire


class Item(msgspec.Struct, frozen=True):
    """A line of the list: how many, of what, and the rough price of one in euro."""

    count: int
    saying: Saying
    euros: float


def shopping_list(kit: Kit) -> list[Item]:
    """Everything but the game, the box and the wood."""
    return [
        Item(count, Saying(f"hardware.part_{name}", **facts), euros)
        for count, name, euros, facts in (*_always(kit), *_hands(kit), *_sensors(kit))
        if count
    ]


Line = tuple[int, str, float, dict[str, object]]


def _always(kit: Kit) -> Iterator[Line]:
    area, gauge = wire(kit)
    rooms = sum(strip.lamps or 0 for strip in kit.strips if strip.shows == "rooms")
    if not kit.beside:
        yield 1, "pi", 45, {}
        yield 1, "card", 8, {}
        yield 1, "pi_supply", 10, {"amperes": PI_AMPERES}
    yield rooms, "pixels", 0.45, {}
    yield kit.lamps - rooms, "strip", 0.20, {}
    yield 1, "supply", 2.5 * supply_amperes(kit), {"amperes": supply_amperes(kit)}
    yield 1, "fuse", 3, {"amperes": fuse_amperes(kit)}
    yield branches(kit) if branches(kit) > 1 else 0, "branch_fuse", 3, {"amperes": BRANCH}
    yield 1, "wire", 5, {"area": area, "awg": gauge}
    yield 1, "shifter", 1.5, {}
    yield 1, "capacitor", 0.5, {}
    yield 2 if kit.second_chain else 1, "resistor", 0.1, {}
    yield 2 if kit.second_chain else 1, "pulldown", 0.1, {}
    yield sum(part.value == "100 nF" for part in parts(kit)), "ceramic", 0.1, {}


def _hands(kit: Kit) -> Iterator[Line]:
    joystick = set(CURSOR_BUTTONS) <= set(kit.buttons)
    yield int(joystick), "joystick", 12, {}
    yield int(kit.encoder is not None), "encoder", 3, {}
    yield int(kit.status is not None), "led", 0.2, {}
    pressed = [
        part
        for part in parts(kit)
        if part.kind == "button" and part.value not in (*CURSOR_BUTTONS, *ENCODER_LINES)
    ]
    yield len(pressed), "buttons", 1.5, {}


def _sensors(kit: Kit) -> Iterator[Line]:
    if not kit.senses_tiles:
        return
    rooms = len(kit.grid.rooms)
    halls = kit.expander is not None and kit.expander.sensor == "hall"
    yield (rooms, "halls", 0.8, {}) if halls else (rooms, "reeds", 0.4, {})
    yield rooms, "magnets", 0.25, {}
    yield rooms if kit.matrix and kit.matrix.diodes else 0, "diodes", 0.05, {}
    yield len(kit.expander.chips) if kit.expander else 0, "chips", 2.5, {}


def total(kit: Kit) -> float:
    """What it costs together, roughly."""
    return sum(item.count * item.euros for item in shopping_list(kit))


def table(kits: list[Kit], language: str = "en") -> str:
    """The lists of several kits as CSV."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(
        [say(f"hardware.csv_{name}", language) for name in ("kit", "count", "part", "each", "together")]
    )
    for kit in kits:
        for item in shopping_list(kit):
            price = f"{item.count * item.euros:.2f}"
            rows.writerow([kit.name, item.count, item.saying.said(language), f"{item.euros:.2f}", price])
    return file.getvalue()
