"""Kits: what is wired where. A kit is a TOML file; here it becomes a typed value, or a list of its problems.

Pins are BCM numbers. Every problem is a sentence with the file, the line and what to do, and all of them
come at once, so that nobody has to mend a kit one error at a time.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.disk import TooLong, is_own, open_plain, read_own
from companion.refusals import Malformed
from companion.words import Saying
from hardware.lines import locate
from hardware.typed import Problem, Reader

SHIPPED = Path(__file__).parent / "kits"
FOLDER = "COMPANION_KITS"
"""The environment variable that names a folder with a maker's own kits; they win over the shipped ones."""

LARGEST = 1 << 16
"""Bytes: no kit has more."""

CURSOR_BUTTONS = ("up", "down", "left", "right")
HAND_BUTTONS = ("ok", "back", "peek", "power")
PULLED_UP = (2, 3)
"""The pins of the first I²C: on the Pi itself 1.8 kΩ pull each of them up."""

Pin = int
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=1, le=4096)]


class Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rooms of the board, numbered row by row."""

    rows: Annotated[int, Meta(ge=1, le=16)]
    columns: Annotated[int, Meta(ge=1, le=16)]

    @property
    def rooms(self) -> range:
        """The numbers of all rooms."""
        return range(1, self.rows * self.columns + 1)


class LineButtons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One button for each row and each column of the board."""

    rows: list[Pin]
    columns: list[Pin]


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A contact under every room, scanned row by row. Without diodes three closed ones feign a fourth."""

    rows: list[Pin]
    columns: list[Pin]
    diodes: bool = True
    settle_us: Annotated[int, Meta(ge=0, le=5000)] = 30
    """Microseconds between driving a row and reading the columns: what keyboard firmware (QMK) waits. The
    wire rises through the Pi's own 50 kΩ, 5 to 10 µs for 100 to 200 pF; longer wires need more."""


class Expander(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """MCP23017 chips, fourteen inputs each (`hardware.chips`): a contact under every room, in order."""

    chips: list[int]
    """Their addresses; rooms 1 to 14 are on A0 to A6 and B0 to B6 of the first."""
    bus: Annotated[int, Meta(ge=0, le=9)] = 1
    buttons: dict[str, str] = {}
    """The input of each button, by chip and name: `0x22 B1`."""
    sensor: Literal["reed", "hall"] = "reed"
    """What is under a room: both draw the input low while a magnet is above them."""


class Encoder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rotary encoder: its two contacts to ground. A step moves the cursor from room to room."""

    a: Pin
    b: Pin


class Status(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One plain lamp: on while all is well, blinking while something needs a person."""

    pin: Pin

    @property
    def lit_by_low(self) -> bool:
        """Whether it hangs on 3.3 V: on a pin that is pulled up it would glow while the Pi starts."""
        return self.pin in PULLED_UP


class Sound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A speaker of the Pi, for short tones."""

    device: str = "default"
    """The ALSA device, as `aplay -L` lists it."""


class Chain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The one string of lamps, and how much it may draw."""

    driver: str = "neopixel_spi"
    pin: Pin = 10
    lamps: Count | None = None
    """How many there are; if left out, as many as the strips need."""
    order: Literal["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"] = "GRB"
    brightness: Share = 0.5
    night_brightness: Share = 0.12
    most_ma: Annotated[int, Meta(ge=100, le=40_000)] = 2000
    """What the supply may give to the lamps, in milliamperes."""


class SecondChain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A second data line with lamps of the same kind: those from `first` on hang on it."""

    first: Annotated[int, Meta(ge=1, le=4095)]
    pin: Pin = 20


class Strip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the chain with a meaning: rooms of the board, a gauge, or one lamp a seat."""

    name: str
    shows: Literal["rooms", "gauge", "seats"]
    first: Annotated[int, Meta(ge=0, le=4095)] | None = None
    """Its first lamp, counted from 0; if left out, it follows the strip before it."""
    lamps: Count | None = None
    """How many lamps; if left out for rooms, one each."""
    gauge: str | None = None
    """The gauge it shows; if left out, the one of its own name, or else the game's first."""
    rotation: Literal[0, 90, 180, 270] = 0
    """How far the laid strip is turned clockwise."""
    mirrored: bool = False
    serpentine: bool = False
    """Whether every second row runs backwards."""
    reversed: bool = False
    """Whether a gauge counts from its far end."""
    digits: bool = False
    """Whether the rooms also spell a new total for two seconds."""

    @property
    def end(self) -> int:
        """The lamp after its last one."""
        return (self.first or 0) + (self.lamps or 0)


class Kit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole kit. Without `board` it fits any game."""

    about: str = ""
    beside: str | None = None
    """The kit of another board on the same Pi, which has a companion of its own."""
    board: Grid | None = None
    buttons: dict[str, Pin] = {}
    line_buttons: LineButtons | None = None
    matrix: Matrix | None = None
    expander: Expander | None = None
    encoder: Encoder | None = None
    status: Status | None = None
    sound: Sound | None = None
    chain: Chain = Chain()
    second_chain: SecondChain | None = None
    strips: list[Strip] = []
    name: str = ""

    @property
    def grid(self) -> Grid:
        """The rooms of the board; a kit that fits any game has the hotel's until it meets one."""
        return self.board or Grid(6, 6)

    @property
    def lamps(self) -> int:
        """How long the chain is."""
        return self.chain.lamps or max((strip.end for strip in self.strips), default=0)

    @property
    def has_rooms(self) -> bool:
        """Whether there are lamps under rooms: a game without a fixed board needs none."""
        return any(strip.shows == "rooms" for strip in self.strips)

    @property
    def senses_tiles(self) -> bool:
        """Whether there is a contact under every room."""
        return self.matrix is not None or self.expander is not None

    def fitted(self, grid: Grid) -> Kit:
        """The same kit with every strip in its place on a board of this size."""
        strips: list[Strip] = []
        for strip in self.strips:
            first = strip.first if strip.first is not None else (strips[-1].end if strips else 0)
            count = strip.lamps or (len(grid.rooms) if strip.shows == "rooms" else 1)
            strips.append(replace(strip, first=first, lamps=count))
        return replace(self, board=grid, strips=strips)


class BadKit(Malformed):
    """A kit that cannot be used, with every reason."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        super().__init__("hardware.bad_kit", file=file, n=len(problems))
        self.file = file
        self.problems = sorted(problems, key=lambda problem: problem.line)

    def message(self, language: str = "en") -> str:
        """A headline, and one line a problem."""
        sentences = [problem.sentence(self.file, language) for problem in self.problems]
        return "\n".join([super().message(language), *(f"  {sentence}" for sentence in sentences)])


class NoSuchKit(Malformed):
    """There is no kit of that name."""


def names() -> list[str]:
    """Every kit that can be asked for by name."""
    return sorted({path.stem for folder in _folders() for path in folder.glob("*.toml") if _is_kit(path)})


def wired() -> list[Kit]:
    """Every kit that has wires, the smaller boards first, those without rooms last: all but the simulated."""
    kits = [kit for kit in map(load, names()) if kit.chain.driver != "simulated"]
    return sorted(kits, key=lambda kit: (not kit.has_rooms, len(kit.grid.rooms), kit.name))


def load(name: str) -> Kit:
    """A kit by its name, or by the path of its file."""
    return read(path_of(name))


def path_of(name: str) -> Path:
    """The file of a kit."""
    if name.endswith(".toml"):
        if not Path(name).is_file():
            raise NoSuchKit("hardware.no_such_file", file=name)
        return Path(name)
    found = (folder / f"{name}.toml" for folder in _folders()) if name in names() else iter(())
    if (path := next(filter(_is_kit, found), None)) is not None:
        return path
    raise NoSuchKit("hardware.no_such_kit", kit=name, kits=tuple(names()))


def neighbour(kit: Kit) -> Kit | None:
    """The kit of the other board on the same Pi, if there is one, as if it were alone there."""
    return read(path_of(kit.beside), alone=True) if kit.beside else None


def read(path: Path, alone: bool = False) -> Kit:
    """A kit from its file, checked; `alone` leaves out what it says of another board on its Pi."""
    try:
        # A text editor on Windows may put its mark before the first line.
        text = _content(path).decode("utf-8-sig", errors="replace")
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise Malformed("companion.box_unreadable", file=path.name, fault=reason) from fault
    return parse(text, path.name, alone)


def _content(path: Path) -> bytes:
    """What is in a file; whoever can write into the folder of one's own kits must not lead us elsewhere."""
    if _chosen_by_name(path):
        return read_own(path, LARGEST)
    with open_plain(path) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise TooLong(path)
    return data


def _is_kit(path: Path) -> bool:
    """Whether a kit lies there that can be chosen by its name."""
    return is_own(path) if _chosen_by_name(path) else path.is_file()


def _chosen_by_name(path: Path) -> bool:
    """Whether a file lies in the folder of one's own kits, where nobody named it to us."""
    own = os.environ.get(FOLDER)
    return own is not None and path.parent == Path(own)


def parse(text: str, file: str, alone: bool = False) -> Kit:
    """A kit from the text of a file of that name, checked."""
    from hardware.checks import check

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadKit(file, [_not_toml(str(fault), text)]) from None
    lines = locate(text)
    reader = Reader(lines)
    kit, problems = reader.struct(Kit, data), reader.problems
    if not problems:
        kit = replace(kit, name=Path(file).stem, beside=None if alone else kit.beside)
        problems = check(kit.fitted(kit.grid), lines)
    if problems:
        raise BadKit(file, problems)
    return kit.fitted(kit.board) if kit.board else kit


def _folders() -> list[Path]:
    own = os.environ.get(FOLDER)
    return [Path(own), SHIPPED] if own else [SHIPPED]


def _not_toml(fault: str, text: str) -> Problem:
    what, _, place = fault.partition(" (at line ")
    line = int(place.partition(",")[0]) if place else len(text.splitlines())
    return Problem(line, Saying("hardware.not_toml", fault=what))
