"""What is connected to what on a board with a kit: every part with its legs, and the net each leg is on.

The drawing is made from this, and the tests hold it against the kit and the makers' datasheets.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from hardware import chips, power
from hardware.checks import LAMPS, MORE_LAMPS, STATUS_LAMP, claims
from hardware.checks import pins as used_pins
from hardware.header import GROUND_PINS, HEADER
from hardware.kits import Kit, neighbour
from hardware.names import OTHER

GND, LAMPS_5V, PI_3V3 = "GND", "+5V lamps", "+3V3"
SUPPLY, DATA_3V3, DATA_5V, DATA_IN = "supply +", "data 3.3 V", "data 5 V", "data in"
MORE_3V3, MORE_5V, MORE_IN = "data 2, 3.3 V", "data 2, 5 V", "data 2 in"
"""The nets with a name of their own; the two 5 V rails, of the lamps and of the Pi, are never joined."""

SHIFTER_LEGS = {
    1: "1OE", 2: "1A", 3: "1Y", 4: "2OE", 5: "2A", 6: "2Y", 7: "GND",
    8: "3Y", 9: "3A", 10: "3OE", 11: "4Y", 12: "4A", 13: "4OE", 14: "VCC",
}  # fmt: skip
"""The legs of a 74AHCT125 in its 14-pin package."""
HALL_LEGS = {1: "VCC", 2: "GND", 3: "OUT"}
"""The legs of a DRV5032 in its TO-92 package (LPG), from TI's datasheet SLVSDC7."""


class Part(msgspec.Struct, frozen=True):
    """A part: its reference, what it is, and the net of each leg; a leg that is missing stays free."""

    ref: str
    kind: str
    value: str
    legs: dict[str, str]


def parts(kit: Kit) -> list[Part]:
    """Every part of a board."""
    return [_pi(kit), *_lamps(kit), *_buttons(kit), *_status(kit), *_matrix(kit), *_chips(kit)]


def nets(kit: Kit) -> dict[str, set[str]]:
    """The legs on each net, as `U1.14`."""
    found: dict[str, set[str]] = {}
    for part in parts(kit):
        for leg, net in part.legs.items():
            found.setdefault(net, set()).add(f"{part.ref}.{leg}")
    return found


def _pi(kit: Kit) -> Part:
    data = {LAMPS: DATA_3V3, MORE_LAMPS: MORE_3V3}
    other = neighbour(kit)
    legs = {str(HEADER[pin]): f"{OTHER}{user}" for _, user, pin in claims(other)} if other else {}
    legs |= {str(HEADER[pin]): data.get(user, user) for _, user, pin in used_pins(kit)}
    legs |= {str(pin): GND for pin in GROUND_PINS}
    if kit.expander:
        legs |= {str(HEADER[2]): "SDA", str(HEADER[3]): "SCL"}
    if kit.expander or (kit.status and kit.status.lit_by_low):
        legs["1"] = PI_3V3
    return Part("J1", "pi", "Raspberry Pi", dict(sorted(legs.items(), key=lambda leg: int(leg[0]))))


def _lamps(kit: Kit) -> Iterator[Part]:
    """From the supply through the fuse to both ends of the chain, and the data through the shifter."""
    fuse = f"{power.fuse_amperes(kit):g} A"
    yield Part("PS1", "supply", f"5 V, {power.supply_amperes(kit)} A", {"+": SUPPLY, "-": GND})
    yield Part("F1", "fuse", fuse, {"1": SUPPLY, "2": LAMPS_5V})
    yield Part("C2", "polar", "1000 µF, 10 V", {"+": LAMPS_5V, "-": GND})
    shifter = dict.fromkeys(("1", "4", "5", "7", "9", "10", "12", "13"), GND)
    shifter |= {"2": DATA_3V3, "3": DATA_5V, "14": LAMPS_5V}
    shifter |= {"5": MORE_3V3, "6": MORE_5V} if kit.second_chain else {}
    yield Part("U1", "shifter", "74AHCT125", dict(sorted(shifter.items(), key=lambda leg: int(leg[0]))))
    yield Part("C1", "capacitor", "100 nF", {"1": LAMPS_5V, "2": GND})
    yield Part("R2", "resistor", "10 kΩ", {"1": DATA_3V3, "2": GND})
    yield Part("R1", "resistor", "330 Ω", {"1": DATA_5V, "2": DATA_IN})
    ends = {"5V": LAMPS_5V, "GND": GND, "DIN": DATA_IN, "5V end": LAMPS_5V, "GND end": GND}
    first = kit.second_chain.first if kit.second_chain else kit.lamps
    yield Part("D1", "chain", f"WS2812B × {first}", ends)
    if kit.second_chain:
        yield Part("R4", "resistor", "10 kΩ", {"1": MORE_3V3, "2": GND})
        yield Part("R5", "resistor", "330 Ω", {"1": MORE_5V, "2": MORE_IN})
        yield Part("D3", "chain", f"WS2812B × {kit.lamps - first}", {**ends, "DIN": MORE_IN})


def _buttons(kit: Kit) -> Iterator[Part]:
    other = (LAMPS, MORE_LAMPS, STATUS_LAMP)
    users = [user for _, user, _ in used_pins(kit) if user not in other and not user.startswith("matrix")]
    for number, user in enumerate(users, start=1):
        yield Part(f"S{number}", "button", user, {"1": user, "2": GND})


def _status(kit: Kit) -> Iterator[Part]:
    """A plain LED from its pin through its resistor to ground, or from 3.3 V to a pin that is pulled up."""
    if kit.status:
        yield Part("R3", "resistor", "330 Ω", {"1": STATUS_LAMP, "2": "status LED"})
        low = kit.status.lit_by_low
        legs = {"A": PI_3V3, "K": "status LED"} if low else {"A": "status LED", "K": GND}
        yield Part("D2", "diode", "LED, 3 mm", legs)


def _matrix(kit: Kit) -> Iterator[Part]:
    """At each crossing the column goes through a reed and the diode, ring last, to the row."""
    if kit.matrix is None:
        return
    for room in kit.grid.rooms:
        row, column = divmod(room - 1, kit.grid.columns)
        across, along = f"matrix column {column + 1}", f"matrix row {row + 1}"
        between = f"cell {room}" if kit.matrix.diodes else along
        yield Part(f"K{room}", "reed", f"room {room}", {"1": across, "2": between})
        if kit.matrix.diodes:
            yield Part(f"D{100 + room}", "diode", "1N4148", {"A": between, "K": along})


def _chips(kit: Kit) -> Iterator[Part]:
    if kit.expander is None:
        return
    on = {place: name for name, place in chips.inputs(kit).items()}
    for number, address in enumerate(kit.expander.chips, start=2):
        legs = {"VDD": PI_3V3, "VSS": GND, "SCL": "SCL", "SDA": "SDA", "RESET": PI_3V3}
        legs |= {f"A{bit}": PI_3V3 if address >> bit & 1 else GND for bit in range(3)}
        legs |= {f"GP{place.name}": name for place, name in on.items() if place.address == address}
        named = {str(chips.LEGS[leg]): net for leg, net in legs.items()}
        legs = dict(sorted(named.items(), key=lambda leg: int(leg[0])))
        yield Part(f"U{number}", "expander", f"MCP23017 0x{address:02x}", legs)
        yield Part(f"C{number + 1}", "capacitor", "100 nF", {"1": PI_3V3, "2": GND})
    for number, name in enumerate(chips.inputs(kit), start=1):
        if name.startswith("room") and kit.expander.sensor == "hall":
            yield Part(f"K{number}", "hall", "DRV5032FC", {"1": PI_3V3, "2": GND, "3": name})
            yield Part(f"C{100 + number}", "capacitor", "100 nF", {"1": PI_3V3, "2": GND})
            continue
        kind = "reed" if name.startswith("room") else "button"
        yield Part(f"K{number}", kind, name, {"1": name, "2": GND})
