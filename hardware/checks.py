"""What can be wrong with a kit that reads well: pins used twice, rooms in the dark, a chain too long."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.refusals import Refusal
from companion.words import Saying
from hardware import chips, firmware, kits, names
from hardware.arrangement import lamp_of_room
from hardware.kits import CURSOR_BUTTONS, HAND_BUTTONS, PULLED_UP, Chain, Kit, Pin, Strip
from hardware.lights import drivers
from hardware.lines import Lines, Spot, line_of
from hardware.power import FULL_WHITE_MA, most_lamps
from hardware.typed import Problem

HEADER_PINS = range(28)
LAMPS, MORE_LAMPS, STATUS_LAMP, I2C = "lamps", "more lamps", "status lamp", "I²C"
ID_PINS, I2C_PINS, UART_PINS = (0, 1), PULLED_UP, (14, 15)
SPI_DEVICES = {10: (0, 0), 20: (1, 0)}
"""The SPI bus and device whose data line is on a pin."""
SPI_PINS = {10: (7, 8, 9, 10, 11), 20: (18, 19, 20, 21)}
"""What the bus of a data pin takes for itself; the second is dtoverlay=spi1-1cs."""
SECOND_SPI = 20
"""The data pin of the second SPI, which has no DMA on a Pi 4 or older."""
PWM_PINS = (12, 18, 13, 19, 10, 21)
"""Where rpi_ws281x can send from: PWM, or SPI and PCM in its place. A Pi 5 sends from any pin, by its PIO."""
SOUND_PINS = (12, 18, 13, 19)
"""Those that the PWM drives which also plays the onboard sound."""
SPI_BUFFER = Path("/sys/module/spidev/parameters/bufsiz")
"""How many bytes one SPI message may have; a longer one is split, and the gap reads as the end of it."""
USUAL_BUFFER = 4096
MESSAGES = {"neopixel_spi": (24, 128), "neopixel": (12, 24)}
"""The bytes that a driver sends for one lamp, and for the silence that ends a frame. rpi_ws281x makes three
bits of one and sends always four colours, in steps of eight bytes (`PCM_BYTE_COUNT` in its ws2811.c)."""


def check(kit: Kit, lines: Lines) -> list[Problem]:
    """Every problem of a kit whose strips are in their places."""
    return [
        Problem(line_of(lines, spot), Saying(f"hardware.{key}", **facts))
        for part in (_pins, _buttons, _contacts, _expander, _chain, _strips, _beside)
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
    if kit.encoder:
        yield ("encoder", "a"), "encoder a", kit.encoder.a
        yield ("encoder", "b"), "encoder b", kit.encoder.b
    if kit.status:
        yield ("status", "pin"), STATUS_LAMP, kit.status.pin
    if kit.chain.driver != "simulated":
        yield ("chain", "pin"), LAMPS, kit.chain.pin
        if kit.second_chain:
            yield ("second_chain", "pin"), MORE_LAMPS, kit.second_chain.pin


def _pins(kit: Kit) -> Found:
    users: dict[Pin, str] = {}
    reserved = dict(_reserved(kit))
    for spot, user, pin in pins(kit):
        if pin not in HEADER_PINS:
            yield spot, "no_such_pin", {"pin": pin, "user": names.wire(user)}
        elif pin in users:
            wires = {"user": names.wire(user), "other": names.wire(users[pin])}
            yield spot, "pin_twice", {"pin": pin, **wires, "remedy": _remedy(kit, user)}
        elif pin in reserved and not (user in (LAMPS, MORE_LAMPS) and reserved[pin] == "pin_for_spi"):
            yield spot, reserved[pin], {"pin": pin, "user": names.wire(user), "remedy": _remedy(kit, user)}
        users.setdefault(pin, user)


def _reserved(kit: Kit) -> Iterator[tuple[Pin, str]]:
    """Pins that something else owns, with the sentence that says so."""
    for pin in ID_PINS:
        yield pin, "pin_for_id"
    for pin in UART_PINS:
        yield pin, "pin_for_uart"
    # Their fixed pull-ups suit a button, and a lamp that hangs on 3.3 V.
    if kit.expander or kit.matrix:
        suited = {*kit.buttons.values(), *([kit.status.pin] if kit.status else [])}
        shared = [pin for pin in I2C_PINS if kit.expander or pin not in suited]
        for pin in shared:
            yield pin, "pin_for_i2c"
    for pin in spi_pins(kit):
        yield pin, "pin_for_spi"


def by_spi(chain: Chain) -> bool:
    """Whether the lamps hang on an SPI: rpi_ws281x uses it, too, where their pin is GPIO10."""
    return chain.driver == "neopixel_spi" or (chain.driver == "neopixel" and chain.pin == 10)


def data_pins(kit: Kit) -> tuple[Pin, ...]:
    """The pins of the data lines."""
    return (kit.chain.pin, *([kit.second_chain.pin] if kit.second_chain else []))


def spi_pins(kit: Kit) -> Iterator[Pin]:
    """Every pin that the lamps' SPI takes for itself."""
    if by_spi(kit.chain):
        yield from (pin for data in data_pins(kit) for pin in SPI_PINS.get(data, ()))


def claims(kit: Kit) -> Iterator[tuple[Spot, str, Pin]]:
    """Every pin that a board keeps from another one on the same Pi: its own, and all of its buses."""
    own = {pin for _, _, pin in pins(kit)}
    yield from pins(kit)
    yield from ((("chain", "pin"), "SPI", pin) for pin in spi_pins(kit) if pin not in own)
    if kit.expander:
        yield from ((("expander", "bus"), I2C, pin) for pin in I2C_PINS)


def _beside(kit: Kit) -> Found:
    """Whether the board of which a kit says that it shares the Pi is there, and leaves it what it needs."""
    try:
        other = kits.neighbour(kit)
    except kits.NoSuchKit as refusal:
        yield ("beside",), refusal.saying.key.removeprefix("hardware."), refusal.saying.facts
    except Refusal:
        yield ("beside",), "beside_bad", {"other": kit.beside}
    else:
        yield from clashes(kit, other) if other else ()


def clashes(kit: Kit, other: Kit) -> Found:
    """What two boards on one Pi would both take: a pin, a chip, or what the lamps are sent by."""
    theirs = {pin: user for _, user, pin in claims(other)}
    for spot, user, pin in claims(kit):
        if pin not in theirs or user == theirs[pin] == I2C:
            continue
        wires = {"user": names.wire(user), "theirs": names.wire(theirs[pin])}
        facts: dict[str, object] = {"pin": pin, "other": other.name, **wires}
        if spot[0] in ("chain", "second_chain"):
            yield spot, "beside_lamps", facts
        else:
            yield spot, "beside_pin", {**facts, "remedy": _remedy(kit, user, other)}
    if kit.expander and other.expander and kit.expander.bus == other.expander.bus:
        taken = {*kit.expander.chips, *other.expander.chips}
        free = tuple(f"0x{address:02x}" for address in chips.ADDRESSES if address not in taken)
        for address in sorted({*kit.expander.chips} & {*other.expander.chips}):
            facts = {"address": f"0x{address:02x}", "other": other.name, "free": free}
            yield ("expander", "chips"), "beside_chip", facts
    if kit.chain.driver == other.chain.driver == "neopixel" and _model() != "pi5":
        yield ("chain", "driver"), "beside_driver", {"other": other.name}


def _remedy(kit: Kit, user: str, other: Kit | None = None) -> Saying:
    """What helps a wire that cannot have its pin: one that nothing uses, if there is any."""
    taken = {pin for _, _, pin in pins(kit)} | {pin for pin, _ in _reserved(kit)}
    taken |= {pin for _, _, pin in claims(other)} if other else set()
    # Contacts to ground may have a fixed pull-up.
    taken |= set(I2C_PINS) if user.startswith((LAMPS, MORE_LAMPS, STATUS_LAMP, "matrix")) else set()
    free = next((pin for pin in reversed(HEADER_PINS) if pin not in taken), None)
    return Saying("hardware.no_pin_left") if free is None else Saying("hardware.take_pin", free=free)


def _buttons(kit: Kit) -> Found:
    known = (*CURSOR_BUTTONS, *HAND_BUTTONS)
    for name in kit.buttons:
        if name not in known:
            yield ("buttons", name), "no_such_button", {"button": name, "known": known}
    joystick = [name for name in CURSOR_BUTTONS if name in kit.buttons]
    if joystick and len(joystick) < len(CURSOR_BUTTONS):
        missing = tuple(name for name in CURSOR_BUTTONS if name not in kit.buttons)
        yield ("buttons",), "half_a_joystick", {"missing": missing}
    points = joystick or kit.line_buttons or kit.encoder
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
    addresses, here = kit.expander.chips, ("expander", "chips")
    for address in addresses:
        if address not in chips.ADDRESSES:
            yield here, "no_such_address", {"address": f"0x{address:02x}"}
    if len(set(addresses)) < len(addresses):
        yield here, "address_twice", {}
    have, needed = len(chips.INPUTS) * len(addresses), len(kit.grid.rooms) + len(kit.expander.buttons)
    if have < needed:
        wanted = -(-needed // len(chips.INPUTS))
        yield here, "too_few_inputs", {"inputs": have, "needed": needed, "chips": wanted}
    yield from _chip_buttons(kit)


def _chip_buttons(kit: Kit) -> Found:
    assert kit.expander is not None
    users = {place: name for name, place in chips.room_inputs(kit).items()}
    every = (chips.Input(address, name) for address in kit.expander.chips for name in chips.INPUTS)
    free = next((str(place) for place in every if place not in users), "0x24 A0")
    for name, text in kit.expander.buttons.items():
        spot, place = ("expander", "buttons", name), chips.spelled(text)
        if name not in HAND_BUTTONS or name in kit.buttons:
            yield spot, "no_such_button", {"button": name, "known": HAND_BUTTONS}
        if place is None or place.address not in kit.expander.chips:
            yield spot, "no_such_input", {"button": name, "input": text, "free": free}
        elif place.name in chips.OUTPUT_ONLY:
            yield spot, "output_only", {"button": name, "input": text, "free": free}
        elif place in users:
            yield spot, "input_twice", {"button": name, "other": users[place], "input": text, "free": free}
        else:
            users[place] = name


def _chain(kit: Kit) -> Found:
    chain = kit.chain
    if chain.driver not in drivers():
        yield ("chain", "driver"), "no_such_driver", {"driver": chain.driver, "drivers": tuple(drivers())}
    if chain.driver == "neopixel_spi" and chain.pin not in SPI_DEVICES:
        yield ("chain", "pin"), "spi_pin", {"pin": chain.pin}
    if chain.driver == "neopixel" and chain.pin not in PWM_PINS and _model() in firmware.CLOCKS:
        yield ("chain", "pin"), "pwm_pin", {"pin": chain.pin, "pins": PWM_PINS}
    yield from _messages(kit)
    second = kit.second_chain
    if second and chain.driver not in ("neopixel_spi", "simulated"):
        yield ("second_chain",), "second_by_spi", {"driver": chain.driver}
    elif second and (second.pin not in SPI_DEVICES or second.first >= kit.lamps):
        yield ("second_chain",), "second_chain", {"pin": second.pin, "first": second.first, "n": kit.lamps}
    if kit.lamps > chain.most_ma:
        # A dark lamp still draws about one milliampere.
        yield ("chain", "most_ma"), "too_little_power", {"ma": chain.most_ma, "needed": kit.lamps}
    most = max(kit.lamps * FULL_WHITE_MA, Chain().most_ma)
    if chain.driver != "simulated" and chain.most_ma > most:
        yield ("chain", "most_ma"), "too_much_power", {"ma": chain.most_ma, "most": most, "n": kit.lamps}
    if chain.driver != "simulated" and kit.lamps > most_lamps():
        full = round(kit.lamps * FULL_WHITE_MA / 1000, 1)
        yield ("chain",), "too_many_lamps", {"n": kit.lamps, "full": full, "most": most_lamps()}


def _messages(kit: Kit) -> Found:
    """Chains that do not fit one SPI message: a split one has a gap, which the lamps take for its end."""
    chain = kit.chain
    # A Pi 5 sends by PIO what rpi_ws281x sends by SPI.
    if not by_spi(chain) or (chain.driver == "neopixel" and _model() == "pi5"):
        return
    each, pause = MESSAGES[chain.driver]
    most = (spi_buffer() - pause) // each
    for spot, lamps in _data_lines(kit):
        if lamps > most:
            facts = {"most": most, "bytes": lamps * each + pause, "buffer": spi_buffer()}
            yield (spot,), "chain_too_long", {"n": lamps, **facts}


def _model() -> str | None:
    """The model of the Pi this runs on, as `config.txt` calls it; a kit may be read on any other machine."""
    return firmware.section(firmware.model_text())


def _data_lines(kit: Kit) -> Iterator[tuple[str, int]]:
    """The tables of the data lines, with how many lamps hang on each."""
    first = kit.second_chain.first if kit.second_chain else kit.lamps
    yield "chain", min(first, kit.lamps)
    if kit.second_chain:
        yield "second_chain", kit.lamps - first


def spi_buffer() -> int:
    """The bytes of one SPI message on this machine; without one, what every Pi has."""
    try:
        return int(SPI_BUFFER.read_text())
    except (OSError, ValueError):
        return USUAL_BUFFER


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
        points = kit.line_buttons or kit.senses_tiles or kit.encoder or set(CURSOR_BUTTONS) & set(kit.buttons)
        if points or not kit.strips:
            yield ("strips",), "no_board_strip", {}
        return
    lamps = lamp_of_room(kit)
    dark = tuple(room for room in kit.grid.rooms if room not in lamps)
    if dark:
        number = next(n for n, strip in enumerate(kit.strips) if strip.shows == "rooms")
        yield ("strips", number), "dark_rooms", {"rooms": dark, "n": len(dark)}
