"""The machine underneath: whether it is a Pi, and whether it is set up for a kit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import msgspec

from companion.words import Saying
from hardware.kits import Kit

MODEL_FILES = (Path("/proc/device-tree/model"), Path("/proc/cpuinfo"))


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

    @property
    def is_pi(self) -> bool:
        """Whether it says that it is a Raspberry Pi."""
        return "Raspberry Pi" in self.model


def this_machine() -> Machine:
    """The machine we run on."""
    names = (distribution.metadata["Name"] for distribution in metadata.distributions())
    return Machine(
        model=_model(MODEL_FILES),
        exists=os.path.exists,
        groups=_groups(),
        packages=frozenset(name.lower() for name in names if name),
        module=import_module,
    )


def is_pi(files: tuple[Path, ...] = MODEL_FILES) -> bool:
    """Whether this machine says that it is a Raspberry Pi."""
    return "Raspberry Pi" in _model(files)


def _model(files: Iterable[Path]) -> str:
    return "\n".join(map(_text, files))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


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
    return [*_pin_library(machine), *_missing_devices(kit, machine), *_missing_groups(kit, machine)]


def _pin_library(machine: Machine) -> Iterator[Saying]:
    """An empty lgpio and an RPi.GPIO over its shim are the two traps that pip sets."""
    try:
        if not hasattr(machine.module("lgpio"), "gpiochip_open"):
            yield Saying("hardware.doctor_empty_lgpio")
    except ImportError:
        yield Saying("hardware.doctor_no_lgpio")
    if {"rpi-lgpio", "rpi.gpio"} <= machine.packages:
        yield Saying("hardware.doctor_two_rpigpio")


def _missing_devices(kit: Kit, machine: Machine) -> Iterator[Saying]:
    if kit.chain.driver == "neopixel_spi" and not machine.exists("/dev/spidev0.0"):
        yield Saying("hardware.doctor_no_spi")
    if kit.expander and not machine.exists(f"/dev/i2c-{kit.expander.bus}"):
        yield Saying("hardware.doctor_no_i2c", bus=kit.expander.bus)


def _missing_groups(kit: Kit, machine: Machine) -> Iterator[Saying]:
    if "root" in machine.groups:
        return
    needed = {"gpio": True, "spi": kit.chain.driver == "neopixel_spi", "i2c": kit.expander is not None}
    missing = [group for group, wanted in needed.items() if wanted and group not in machine.groups]
    for group in missing:
        yield Saying("hardware.doctor_group", group=group)
    if kit.chain.driver == "neopixel" and "Pi 5" not in machine.model:
        yield Saying("hardware.doctor_needs_root")
