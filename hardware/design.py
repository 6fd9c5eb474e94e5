"""A kit in the making: choices go in; out come what is wrong with them, sheet, template and file.

Nothing here knows a page or a terminal. Choices that nobody made have an answer of their own, so that a kit
is complete from the first tap on, and every further one shows at once what it changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.refusals import Refusal
from companion.words import Saying
from hardware import chips, kits, paper, power
from hardware.checks import I2C_PINS, ID_PINS, SPI_PINS, STATUS_LAMP, UART_PINS, by_spi
from hardware.kits import (
    CURSOR_BUTTONS,
    Chain,
    Encoder,
    Expander,
    Grid,
    Kit,
    LineButtons,
    Matrix,
    Pin,
    SecondChain,
    Status,
    Strip,
)
from hardware.schematic import schematic
from hardware.shopping import total
from hardware.template import template
from hardware.wiring import sheet
from hardware.written import kit_text

ROOMS = {"36": Grid(6, 6), "54": Grid(9, 6), "none": None}
PREFERRED: tuple[Pin, ...] = (
    *(5, 6, 13, 19, 26, 21, 16, 20, 12, 23, 24, 25, 17, 27, 22, 18, 4),
    *I2C_PINS,
    *(7, 8, 9, 11),
)
"""The pins in the order in which they are given away: those with a second task last."""

WAKES: Pin = 3
"""A button on this pin wakes a Pi that is off; a Pi 5 has one of its own for that."""

Hands = Literal["joystick", "rows", "encoder", "matrix", "chips", "halls", "none"]
ON_CHIPS = ("chips", "halls")
"""Contacts, or hall switches, on MCP23017 chips."""


class Choices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to build."""

    name: Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]{0,30}$")] = "mine"
    rooms: Literal["36", "54", "none"] = "36"
    hands: Hands = "joystick"
    buttons: tuple[Literal["ok", "back", "peek"], ...] = ("ok", "back", "peek")
    power_button: bool = False
    status_lamp: bool = False
    gauge_lamps: Annotated[int, Meta(ge=0, le=500)] = 60
    serpentine: bool = True
    driver: Literal["neopixel_spi", "neopixel"] = "neopixel_spi"
    lamp_pin: Pin = 10
    two_chains: bool = False
    """Whether the gauge hangs on the second SPI, with a data wire of its own."""
    order: Literal["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"] = "GRB"
    most_ma: Annotated[int, Meta(ge=100, le=40_000)] = 2000
    width_mm: Annotated[float, Meta(ge=50, le=2000)] | None = None
    """How wide the real board is; without it there is no template."""
    pins: dict[str, Pin] = {}
    """Pins that somebody wants otherwise, by what is on them: `ok`, `row1`, `matrix column 3`."""


class Design(msgspec.Struct, frozen=True):
    """What comes of the choices so far."""

    text: str
    """The kit as the text of its file."""
    problems: tuple[Saying, ...]
    """What is wrong with it, each with what to do; nothing once it can be built."""
    supply_amperes: int
    worst_amperes: float
    euros: int
    sheet: str = ""
    drawing: str = ""
    """The schematic, as SVG; sheet and drawing are there once nothing is wrong."""
    template: str = ""
    """The template, as SVG in true size, if the width of the board is known."""


def design(choices: Choices, language: str = "en") -> Design:
    """Everything that follows from some choices."""
    kit = built(choices)
    worst, euros = round(power.worst_amperes(kit), 1), round(total(kit))
    made = Design(kit_text(kit), (), power.supply_amperes(kit), worst, euros)
    try:
        kit = kits.parse(made.text, f"{choices.name}.toml")
        scale = template(kit, choices.width_mm, language) if choices.width_mm else None
    except kits.BadKit as bad:
        return replace(made, problems=tuple(problem.saying for problem in bad.problems))
    except Refusal as refusal:
        return replace(made, problems=(refusal.saying,))
    return replace(
        made,
        sheet=sheet(kit, f"{kit.name}.svg", language),
        drawing=schematic(kit, language),
        template=paper.svg(scale, kit.name) if scale else "",
    )


def built(choices: Choices) -> Kit:
    """The kit of some choices, right or wrong."""
    grid, pins = ROOMS[choices.rooms], Pins(choices)
    rows, columns = (grid.rows, grid.columns) if grid else (0, 0)
    kit = Kit(name=choices.name, board=grid, chain=_chain(choices), strips=list(_strips(choices)))
    if choices.two_chains and grid:
        kit = replace(kit, second_chain=SecondChain(len(grid.rooms), second_pin(choices)))
    buttons = [*choices.buttons, *(["power"] if choices.power_button else [])]
    match choices.hands:
        case "joystick":
            buttons = [*CURSOR_BUTTONS, *buttons]
        case "encoder":
            kit = replace(kit, encoder=Encoder(pins.give("encoder a"), pins.give("encoder b")))
        case "rows":
            kit = replace(kit, line_buttons=LineButtons(pins.line("row", rows), pins.line("col", columns)))
        case "matrix":
            lines = Matrix(pins.line("matrix row ", rows), pins.line("matrix column ", columns))
            kit = replace(kit, matrix=lines)
        case "chips" | "halls":
            sensor: Literal["reed", "hall"] = "hall" if choices.hands == "halls" else "reed"
            kit = replace(kit, expander=Expander(_chips(grid), sensor=sensor))
    kit = replace(kit, buttons={name: pins.give(name) for name in buttons})
    if choices.status_lamp:
        kit = replace(kit, status=Status(pins.give(STATUS_LAMP)))
    return kit.fitted(grid) if grid else kit


def second_pin(choices: Choices) -> Pin:
    """The data line that the first chain leaves."""
    return next(pin for pin in SPI_PINS if pin != choices.lamp_pin)


class Pins:
    """Gives each user the pin that was wished for, or else the best one that is left."""

    def __init__(self, choices: Choices) -> None:
        self._wished = dict(choices.pins)
        if choices.power_button and choices.hands not in ON_CHIPS and WAKES not in choices.pins.values():
            self._wished.setdefault("power", WAKES)
        kept = {*ID_PINS, *UART_PINS, choices.lamp_pin, *self._wished.values()}
        lines = [choices.lamp_pin, *([second_pin(choices)] if choices.two_chains else [])]
        if by_spi(_chain(choices)):
            kept |= {pin for line in lines for pin in SPI_PINS.get(line, ())}
        kept |= set(I2C_PINS) if choices.hands in ON_CHIPS else set()
        self._free = iter([pin for pin in PREFERRED if pin not in kept])

    def give(self, user: str) -> Pin:
        """A pin; where none is left a taken one, and the check says that it is used twice."""
        return self._wished[user] if user in self._wished else next(self._free, PREFERRED[0])

    def line(self, user: str, count: int) -> list[Pin]:
        """Pins for so many rows or columns."""
        return [self.give(f"{user}{number}") for number in range(1, count + 1)]


def _chips(grid: Grid | None) -> list[int]:
    """The addresses of as many chips as the rooms need; a button on a pin does not fall silent with one."""
    rooms = len(grid.rooms) if grid else 0
    return [*chips.ADDRESSES][: max(1, -(-rooms // len(chips.INPUTS)))]


def _chain(choices: Choices) -> Chain:
    return Chain(choices.driver, choices.lamp_pin, order=choices.order, most_ma=choices.most_ma)


def _strips(choices: Choices) -> Iterator[Strip]:
    if choices.rooms != "none":
        yield Strip("board", "rooms", serpentine=choices.serpentine)
    if choices.gauge_lamps:
        yield Strip("damage" if choices.rooms == "36" else "gauge", "gauge", lamps=choices.gauge_lamps)
