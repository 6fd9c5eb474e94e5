"""What can be wrong with a kit that reads well: pins used twice, rooms in the dark, a chain too long."""

from __future__ import annotations

from collections.abc import Iterator

from companion.words import Saying
from hardware.arrangement import lamp_of_room
from hardware.kits import CURSOR_BUTTONS, HAND_BUTTONS, Kit, Pin, Problem, Strip
from hardware.lights import drivers
from hardware.lines import Lines, Spot, line_of

HEADER_PINS = range(28)
ID_PINS, I2C_PINS, SPI_PINS, UART_PINS = (0, 1), (2, 3), (7, 8, 9, 10, 11), (14, 15)
PWM_PINS = (12, 18, 13, 19, 10, 21)
"""Where rpi_ws281x can send from: PWM, or SPI and PCM in its place."""
LONGEST_SPI = 165
"""More lamps than these need more than the 4,096 bytes of one SPI message, and the gap between two of them
reads as the end of the data."""
CHIP_INPUTS = 16
CHIP_ADDRESSES = range(0x20, 0x28)


def check(kit: Kit, lines: Lines) -> list[Problem]:
    """Every problem of a kit whose strips are in their places."""
    return [
        Problem(line_of(lines, spot), Saying(f"hardware.{key}", **facts))
        for part in (_pins, _buttons, _contacts, _expander, _chain, _strips)
        for spot, key, facts in part(kit)
    ]


Found = Iterator[tuple[Spot, str, dict[str, object]]]


def pins(kit: Kit) -> Iterator[tuple[Spot, str, Pin]]:
    """Every GPIO pin with the place in the file that asks for it and what is on it."""
    for name, pin in kit.buttons.items():
        yield ("buttons", name), name, pin
    if kit.line_buttons:
        for number, pin in enumerate(kit.line_buttons.rows, start=1):
            yield ("line_buttons", "rows"), f"row{number}", pin
        for number, pin in enumerate(kit.line_buttons.columns, start=1):
            yield ("line_buttons", "columns"), f"col{number}", pin
    if kit.matrix:
        for number, pin in enumerate(kit.matrix.rows, start=1):
            yield ("matrix", "rows"), f"matrix row {number}", pin
        for number, pin in enumerate(kit.matrix.columns, start=1):
            yield ("matrix", "columns"), f"matrix column {number}", pin
    if kit.chain.driver != "simulated":
        yield ("chain", "pin"), "lamps", kit.chain.pin


def _pins(kit: Kit) -> Found:
    users: dict[Pin, str] = {}
    reserved = dict(_reserved(kit))
    for spot, user, pin in pins(kit):
        if pin not in HEADER_PINS:
            yield spot, "no_such_pin", {"pin": pin, "user": user}
        elif pin in users:
            facts = {"pin": pin, "user": user, "other": users[pin], "free": _free(kit)}
            yield spot, "pin_twice", facts
        elif pin in reserved and user != "lamps":
            yield spot, reserved[pin], {"pin": pin, "user": user, "free": _free(kit)}
        users.setdefault(pin, user)


def _reserved(kit: Kit) -> Iterator[tuple[Pin, str]]:
    """Pins that something else owns, with the sentence that says so."""
    for pin in ID_PINS:
        yield pin, "pin_for_id"
    for pin in UART_PINS:
        yield pin, "pin_for_uart"
    # Their fixed pull-ups suit a button, and nothing else.
    if kit.expander or kit.matrix:
        shared = [pin for pin in I2C_PINS if kit.expander or pin not in kit.buttons.values()]
        for pin in shared:
            yield pin, "pin_for_i2c"
    if kit.chain.driver == "neopixel_spi":
        for pin in SPI_PINS:
            yield pin, "pin_for_spi"


def _free(kit: Kit) -> int:
    """A pin that nothing uses, for the remedy."""
    taken = {pin for _, _, pin in pins(kit)} | {pin for pin, _ in _reserved(kit)} | {*I2C_PINS}
    return next((pin for pin in reversed(HEADER_PINS) if pin not in taken), HEADER_PINS[-1])


def _buttons(kit: Kit) -> Found:
    known = (*CURSOR_BUTTONS, *HAND_BUTTONS)
    for name in kit.buttons:
        if name not in known:
            yield ("buttons", name), "no_such_button", {"button": name, "known": known}
    joystick = [name for name in CURSOR_BUTTONS if name in kit.buttons]
    if joystick and len(joystick) < len(CURSOR_BUTTONS):
        missing = tuple(name for name in CURSOR_BUTTONS if name not in kit.buttons)
        yield ("buttons",), "half_a_joystick", {"missing": missing}
    points = joystick or kit.line_buttons
    if points and "ok" not in kit.buttons:
        yield ("buttons",), "no_ok", {}
    if kit.has_rooms and not (points or kit.senses_tiles):
        yield (), "no_input", {}


def _contacts(kit: Kit) -> Found:
    """Rows and columns of buttons or contacts, as many as the board has."""
    for table, part in (("line_buttons", kit.line_buttons), ("matrix", kit.matrix)):
        if part is None:
            continue
        for side, wired, needed in (
            ("rows", part.rows, kit.grid.rows),
            ("columns", part.columns, kit.grid.columns),
        ):
            if len(wired) != needed:
                yield (table, side), "wrong_count", {"name": side, "n": len(wired), "needed": needed}
    if kit.matrix and kit.expander:
        yield ("expander",), "two_sensors", {}


def _expander(kit: Kit) -> Found:
    if kit.expander is None:
        return
    addresses, here = kit.expander.addresses, ("expander", "addresses")
    for address in addresses:
        if address not in CHIP_ADDRESSES:
            yield here, "no_such_address", {"address": f"0x{address:02x}"}
    if len(set(addresses)) < len(addresses):
        yield here, "address_twice", {}
    rooms, inputs = len(kit.grid.rooms), CHIP_INPUTS * len(addresses)
    needed = rooms + len(kit.expander.buttons)
    if inputs < needed:
        yield here, "too_few_inputs", {"inputs": inputs, "needed": needed, "chips": -(-needed // CHIP_INPUTS)}
    used: dict[int, str] = {}
    for name, place in kit.expander.buttons.items():
        spot = ("expander", "buttons", name)
        if name not in HAND_BUTTONS or name in kit.buttons:
            yield spot, "no_such_button", {"button": name, "known": HAND_BUTTONS}
        if not rooms <= place < max(inputs, rooms + 1):
            yield spot, "input_for_rooms", {"button": name, "first": rooms, "last": inputs - 1}
        elif place in used:
            yield spot, "input_twice", {"button": name, "other": used[place], "input": place}
        used.setdefault(place, name)


def _chain(kit: Kit) -> Found:
    chain = kit.chain
    if chain.driver not in drivers():
        yield ("chain", "driver"), "no_such_driver", {"driver": chain.driver, "drivers": tuple(drivers())}
    if chain.driver == "neopixel_spi" and chain.pin != 10:
        yield ("chain", "pin"), "spi_pin", {"pin": chain.pin}
    if chain.driver == "neopixel" and chain.pin not in PWM_PINS:
        yield ("chain", "pin"), "pwm_pin", {"pin": chain.pin, "pins": PWM_PINS}
    if chain.driver == "neopixel_spi" and kit.lamps > LONGEST_SPI:
        yield ("chain",), "chain_too_long", {"n": kit.lamps, "most": LONGEST_SPI}
    if kit.lamps > chain.most_ma:
        # A dark lamp still draws about one milliampere.
        yield ("chain", "most_ma"), "too_little_power", {"ma": chain.most_ma, "needed": kit.lamps}


def _strips(kit: Kit) -> Found:
    owners: dict[int, str] = {}
    names: set[str] = set()
    for number, strip in enumerate(kit.strips):
        spot = ("strips", number)
        if strip.name in names:
            yield (*spot, "name"), "strip_twice", {"strip": strip.name}
        names.add(strip.name)
        if strip.end > kit.lamps:
            yield spot, "beyond_chain", {"strip": strip.name, "last": strip.end - 1, "n": kit.lamps}
        clash = next((owners[lamp] for lamp in _lamps_in(strip) if lamp in owners), None)
        if clash:
            yield spot, "lamp_twice", {"strip": strip.name, "other": clash}
        owners |= dict.fromkeys(_lamps_in(strip), strip.name)
    yield from _dark_rooms(kit)


def _lamps_in(strip: Strip) -> range:
    return range(strip.first or 0, strip.end)


def _dark_rooms(kit: Kit) -> Found:
    if not kit.has_rooms:
        # A status strip alone suits a game whose board grows; whatever points at rooms must see them.
        points = kit.line_buttons or kit.senses_tiles or set(CURSOR_BUTTONS) & set(kit.buttons)
        if points or not kit.strips:
            yield ("strips",), "no_board_strip", {}
        return
    lamps = lamp_of_room(kit)
    dark = tuple(room for room in kit.grid.rooms if room not in lamps)
    if dark:
        number = next(n for n, strip in enumerate(kit.strips) if strip.shows == "rooms")
        yield ("strips", number), "dark_rooms", {"rooms": dark, "n": len(dark)}
