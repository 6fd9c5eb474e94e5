"""Kits: what is wired where. A kit is a TOML file; here it becomes a typed value, or a list of its problems.

Pins are BCM numbers. Every problem is a sentence with the file, the line and what to do, and all of them
come at once, so that nobody has to mend a kit one error at a time.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.refusals import Malformed
from companion.words import Saying
from hardware.lines import Lines, Spot, line_of, locate

SHIPPED = Path(__file__).parent / "kits"
FOLDER = "COMPANION_KITS"
"""The environment variable that names a folder with a maker's own kits; they win over the shipped ones."""

CURSOR_BUTTONS = ("up", "down", "left", "right")
HAND_BUTTONS = ("ok", "back", "peek")

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


class Expander(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """MCP23017 chips, sixteen inputs each: first a contact under every room, in order, then the buttons."""

    addresses: list[int]
    bus: Annotated[int, Meta(ge=0, le=9)] = 1
    buttons: dict[str, int] = {}
    """Which input each button is on, counted over all chips from 0."""


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
    board: Grid | None = None
    buttons: dict[str, Pin] = {}
    line_buttons: LineButtons | None = None
    matrix: Matrix | None = None
    expander: Expander | None = None
    chain: Chain = Chain()
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


class Problem(msgspec.Struct, frozen=True):
    """Something wrong with a kit: on which line, and what to do."""

    line: int
    saying: Saying

    def sentence(self, file: str, language: str = "en") -> str:
        """The problem for a person: file, line, what is wrong, what to do."""
        where = Saying("hardware.at_line", file=file, line=self.line)
        return f"{where.said(language)} {self.saying.said(language)}"


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
    return sorted({path.stem for folder in _folders() for path in folder.glob("*.toml")})


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
    if name in names():
        return next(path for folder in _folders() if (path := folder / f"{name}.toml").is_file())
    raise NoSuchKit("hardware.no_such_kit", kit=name, kits=tuple(names()))


def read(path: Path) -> Kit:
    """A kit from its file, checked."""
    from hardware.checks import check

    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadKit(path.name, [_not_toml(str(fault), text)]) from None
    lines = locate(text)
    problems: list[Problem] = []
    kit = _typed(Kit, data, (), lines, problems)
    if not problems:
        kit = replace(kit, name=path.stem)
        problems = check(kit.fitted(kit.grid), lines)
    if problems:
        raise BadKit(path.name, problems)
    return kit.fitted(kit.board) if kit.board else kit


def _folders() -> list[Path]:
    own = os.environ.get(FOLDER)
    return [Path(own), SHIPPED] if own else [SHIPPED]


def _not_toml(fault: str, text: str) -> Problem:
    what, _, place = fault.partition(" (at line ")
    line = int(place.partition(",")[0]) if place else len(text.splitlines())
    return Problem(line, Saying("hardware.not_toml", fault=what))


T = TypeVar("T", bound=msgspec.Struct)


def _typed(kind: type[T], data: dict[str, Any], spot: Spot, lines: Lines, problems: list[Problem]) -> T:
    """A table as a typed value; what does not fit is noted with its line, and the rest is still read."""
    fields = {field.name: field for field in msgspec.structs.fields(kind) if field.name != "name" or spot}
    read: dict[str, Any] = {}
    for key, value in data.items():
        here = (*spot, key)
        if key not in fields:
            problems.append(_unknown_key(key, list(fields), line_of(lines, here)))
        else:
            read[key] = _value(fields[key].type, value, here, lines, problems)
    for field in fields.values():
        if field.required and field.name not in data:
            missing = Saying("hardware.key_missing", name=field.name, table=_named(spot))
            problems.append(Problem(line_of(lines, spot), missing))
            read[field.name] = None
    return kind(**read)


def _value(kind: Any, value: Any, spot: Spot, lines: Lines, problems: list[Problem]) -> Any:
    if kind == list[Strip] and isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return [_typed(Strip, each, (*spot, n), lines, problems) for n, each in enumerate(value)]
    table = _table_in(kind)
    if table and isinstance(value, dict):
        return _typed(table, value, spot, lines, problems)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as fault:
        bad = Saying("hardware.bad_value", name=spot[-1], fault=str(fault).partition(" - at ")[0])
        problems.append(Problem(line_of(lines, spot), bad))
        return None


def _table_in(kind: Any) -> type[msgspec.Struct] | None:
    options = getattr(kind, "__args__", (kind,))
    return next((k for k in options if isinstance(k, type) and issubclass(k, msgspec.Struct)), None)


def _unknown_key(key: str, known: list[str], line: int) -> Problem:
    near = difflib.get_close_matches(key, known, 1)
    if near:
        return Problem(line, Saying("hardware.unknown_key_near", name=key, near=near[0]))
    return Problem(line, Saying("hardware.unknown_key", name=key, known=tuple(known)))


def _named(spot: Spot) -> str:
    return ".".join(str(part) for part in spot) or "kit"
