"""The machine underneath: whether it is a Pi, and whether it is set up for a kit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import msgspec

from companion.words import Saying
from hardware import chips, firmware
from hardware.checks import PWM_PINS, SECOND_SPI, SPI_DEVICES, by_spi, data_pins
from hardware.firmware import MODEL_FILES
from hardware.kits import Kit
from hardware.power import FULL_WHITE_MA


class Machine(msgspec.Struct, frozen=True):
    """What can be asked of a machine; tests put their own in place."""

    model: str
    exists: Callable[[str], bool]
    """Whether a file is there."""
    groups: frozenset[str]
    """The groups of this user; `root` needs none."""
    packages: frozenset[str]
    """The installed distributions, in lower case."""
    module: Callable[[str], Any]
    """Import a module, or raise ImportError."""
    config: str | None = None
    """The text of `config.txt`, if there is one."""
    chip_answers: Callable[[int, int], bool] = lambda bus, address: True
    """Whether a chip on an I²C bus answers."""
    factory: str = "gpiod"
    """gpiozero's pin factory."""

    @property
    def is_pi(self) -> bool:
        """Whether it says that it is a Raspberry Pi."""
        return "Raspberry Pi" in self.model


def this_machine() -> Machine:
    """The machine we run on."""
    names = (distribution.metadata["Name"] for distribution in metadata.distributions())
    return Machine(
        model=firmware.model_text(),
        exists=os.path.exists,
        groups=_groups(),
        packages=frozenset(name.lower() for name in names if name),
        module=import_module,
        config=firmware.config_text(),
        chip_answers=_chip_answers,
        factory=os.environ.get("GPIOZERO_PIN_FACTORY", "gpiod"),
    )


def _chip_answers(bus: int, address: int) -> bool:
    try:
        from smbus2 import SMBus

        with SMBus(bus) as wire:
            wire.read_byte(address)
    except (ImportError, OSError):
        return False
    return True


def is_pi(files: tuple[Path, ...] = MODEL_FILES) -> bool:
    """Whether this machine says that it is a Raspberry Pi."""
    return "Raspberry Pi" in firmware.model_text(files)


def _groups() -> frozenset[str]:
    if os.name != "posix":
        return frozenset()
    import grp

    if os.geteuid() == 0:
        return frozenset({"root"})
    names = []
    for number in {os.getegid(), *os.getgroups()}:
        try:
            names.append(grp.getgrgid(number).gr_name)
        except KeyError:
            continue
    return frozenset(names)


# What a kit needs of it


def problems(kit: Kit, machine: Machine) -> list[Saying]:
    """Everything that keeps a kit from working on this Pi, with remedies; elsewhere it is simulated."""
    if not machine.is_pi:
        return []
    parts = (
        _pin_library,
        _missing_library,
        _missing_devices,
        _missing_groups,
        _silent_chips,
        _clock,
        _data_line,
    )
    return [problem for part in parts for problem in part(kit, machine)]


def _pin_library(kit: Kit, machine: Machine) -> Iterator[Saying]:
    """The library under the pins. An empty lgpio, and RPi.GPIO over its shim, are two traps that pip sets."""
    if machine.factory == "gpiod":
        try:
            machine.module("gpiod")
        except ImportError:
            yield Saying("hardware.doctor_no_gpiod")
        return
    try:
        if not hasattr(machine.module("lgpio"), "gpiochip_open"):
            yield Saying("hardware.doctor_empty_lgpio")
    except ImportError:
        yield Saying("hardware.doctor_no_lgpio")
    if {"rpi-lgpio", "rpi.gpio"} <= machine.packages:
        yield Saying("hardware.doctor_two_rpigpio")


def _is_pi_5(machine: Machine) -> bool:
    return firmware.section(machine.model) == "pi5"


def _by_spi(kit: Kit, machine: Machine) -> bool:
    """Whether the lamps of this Pi hang on an SPI: a Pi 5 has its PIO where an older one has rpi_ws281x."""
    return by_spi(kit.chain) and not (kit.chain.driver == "neopixel" and _is_pi_5(machine))


def _missing_library(kit: Kit, machine: Machine) -> Iterator[Saying]:
    """The driver `neopixel` needs a library of its own on each kind of Pi."""
    if kit.chain.driver != "neopixel":
        return
    new = _is_pi_5(machine)
    package = "adafruit-blinka-raspberry-pi5-neopixel" if new else "rpi-ws281x"
    if not {package, package.replace("-", "_")} & machine.packages:
        yield Saying("hardware.doctor_no_neopixel", package=package, extra="pi5" if new else "pi-pwm")


def _missing_devices(kit: Kit, machine: Machine) -> Iterator[Saying]:
    for pin in data_pins(kit) if _by_spi(kit, machine) else ():
        bus, device = SPI_DEVICES.get(pin, (0, 0))
        if not machine.exists(f"/dev/spidev{bus}.{device}"):
            yield Saying("hardware.doctor_no_spi" if bus == 0 else "hardware.doctor_no_spi1")
    if kit.chain.driver == "neopixel":
        needed = "/dev/pio0" if _is_pi_5(machine) else "/dev/gpiomem" if kit.chain.pin == 10 else "/dev/mem"
        if not machine.exists(needed):
            yield Saying("hardware.doctor_no_device", device=needed)
    if kit.expander and not machine.exists(f"/dev/i2c-{kit.expander.bus}"):
        yield Saying("hardware.doctor_no_i2c", bus=kit.expander.bus)


def _missing_groups(kit: Kit, machine: Machine) -> Iterator[Saying]:
    if "root" in machine.groups:
        return
    needed = {"gpio": True, "spi": _by_spi(kit, machine), "i2c": kit.expander is not None}
    needed["audio"] = kit.sound is not None
    missing = [group for group, wanted in needed.items() if wanted and group not in machine.groups]
    for group in missing:
        yield Saying("hardware.doctor_group", group=group)
    if kit.chain.driver == "neopixel" and not (_is_pi_5(machine) or _by_spi(kit, machine)):
        yield Saying("hardware.doctor_needs_root")


def _silent_chips(kit: Kit, machine: Machine) -> Iterator[Saying]:
    """The whole range of addresses is asked: a chip whose address pins are wrong answers at another one."""
    if kit.expander is None or not machine.exists(f"/dev/i2c-{kit.expander.bus}"):
        return
    bus, wanted = kit.expander.bus, kit.expander.chips
    there = [address for address in chips.ADDRESSES if machine.chip_answers(bus, address)]
    strange = tuple(f"0x{address:02x}" for address in there if address not in wanted)
    for address in wanted:
        if address not in there:
            facts = {"address": f"0x{address:02x}", "bus": bus}
            if strange:
                yield Saying("hardware.doctor_chip_elsewhere", found=strange, **facts)
            else:
                yield Saying("hardware.doctor_chip_silent", **facts)


def _clock(kit: Kit, machine: Machine) -> Iterator[Saying]:
    """Whether the clock that SPI follows stands still."""
    if machine.config is None or not _by_spi(kit, machine):
        return
    clock = firmware.unsteady(machine.config, machine.model)
    if clock is not None:
        full = round(kit.lamps * FULL_WHITE_MA / 1000, 1)
        yield Saying("hardware.doctor_clock", clock=clock, full=full)


def _data_line(kit: Kit, machine: Machine) -> Iterator[Saying]:
    """What this Pi cannot do on a pin that another one can send from."""
    chain = kit.chain
    if _is_pi_5(machine):
        return
    if chain.driver == "neopixel_spi" and SECOND_SPI in data_pins(kit):
        yield Saying("hardware.doctor_no_dma", pin=SECOND_SPI)
    if chain.driver == "neopixel" and chain.pin not in PWM_PINS:
        yield Saying("hardware.pwm_pin", pin=chain.pin, pins=PWM_PINS)
