"""The MCP23017 as its datasheet has it: which legs are inputs, and what is on each input of a kit.

Since revision D of the datasheet (DS20001952, 2022) GPA7 and GPB7 are outputs only: as inputs they can
disturb SDA. So a chip has fourteen inputs, A0 to A6 and B0 to B6.
"""

from __future__ import annotations

import re

import msgspec

from hardware.kits import Kit

INPUTS = (*(f"A{n}" for n in range(7)), *(f"B{n}" for n in range(7)))
"""The inputs of a chip, in the order in which rooms are put on them."""
OUTPUT_ONLY = ("A7", "B7")
ADDRESSES = range(0x20, 0x28)
LEGS = {
    **{f"GPB{n}": 1 + n for n in range(8)},
    **{"VDD": 9, "VSS": 10, "SCL": 12, "SDA": 13, "A0": 15, "A1": 16, "A2": 17, "RESET": 18},
    **{"INTB": 19, "INTA": 20},
    **{f"GPA{n}": 21 + n for n in range(8)},
}
"""The legs of the 28-pin package by name; 11 and 14 are not connected."""

_SPELLED = re.compile(r"(0x[0-9a-f]{2}) ([AB][0-7])", re.IGNORECASE)


class Input(msgspec.Struct, frozen=True, order=True):
    """One input of one chip."""

    address: int
    name: str

    @property
    def bit(self) -> int:
        """Its place in the two bytes that the chip answers with, A first."""
        return int(self.name[1]) + (8 if self.name[0] == "B" else 0)

    def __str__(self) -> str:
        return f"0x{self.address:02x} {self.name}"


def spelled(text: str) -> Input | None:
    """The input that a kit names, such as `0x22 B1`; nothing if it is no input of any chip."""
    found = _SPELLED.fullmatch(text.strip())
    return Input(int(found[1], 16), found[2].upper()) if found else None


def room_inputs(kit: Kit) -> dict[str, Input]:
    """The input of every room: in order, fourteen a chip, as far as the chips go."""
    assert kit.expander is not None
    places = (Input(address, name) for address in kit.expander.chips for name in INPUTS)
    return {f"room{room}": place for room, place in zip(kit.grid.rooms, places, strict=False)}


def inputs(kit: Kit) -> dict[str, Input]:
    """What is on the chips of a kit that was checked: every room, then the buttons."""
    assert kit.expander is not None
    buttons = {name: spelled(place) for name, place in kit.expander.buttons.items()}
    return room_inputs(kit) | {name: place for name, place in buttons.items() if place}
