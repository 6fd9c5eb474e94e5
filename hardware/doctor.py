"""The doctor: walks a person through every lamp and button, and learns how the board was really built.

A visit asks one question at a time. An answer is a word, a number, or a contact that was closed, so that the
same visit runs in a terminal and on a phone. While it lasts it decides what the lamps show; what it learns
goes into a kit of its own, and nothing on the board is changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from itertools import product

import msgspec
from msgspec.structs import replace

from companion.picture import Glow
from companion.words import Saying
from hardware.arrangement import rooms_along
from hardware.frames import Glows, Scene, spelled
from hardware.kits import Kit, Strip

YES, NO, DARK, SKIP = "yes", "no", "dark", "skip"

LAMP = Glow("white")
SPARE_SUPPLY = 0.8
"""The share of a supply that should be used at most."""


class Question(msgspec.Struct, frozen=True):
    """What the person is to do, and the words with which it may be answered besides a contact or a number."""

    saying: Saying
    answers: tuple[str, ...] = (SKIP,)
    wants_number: bool = False


Talk = Generator[Question, str, None]


class Visit:
    """One examination of a board, from the first question to the last."""

    def __init__(self, kit: Kit, held: list[str] | None = None) -> None:
        self.kit = kit
        """The kit as it turned out to be."""
        self.lit: Glows = {}
        """The lamps that are on for the question."""
        self.findings: list[Saying] = []
        """What is wrong, or was wrong and is now known."""
        self.asked: Callable[[], None] = _nothing
        """Called whenever there is another question, or none any more."""
        self._held, self._wired = held or [], kit
        self._talk = self._examination()
        self.question: Question | None = next(self._talk)

    def answer(self, said: str) -> None:
        """Go on to the next question; what cannot be an answer to this one leaves it as it is."""
        if self.question is None:
            return
        try:
            self.question = self._talk.send(said.strip().lower())
        except StopIteration:
            self.question, self.lit = None, {}
        self.asked()

    def strips(self) -> dict[str, list[str]]:
        """The colours in which the question lights the lamps, as the kit was thought to be."""
        scene, kit = Scene(), self._wired
        scene.show(self.lit, 0.0)
        frame = scene.frame(0.0, kit.chain, kit.lamps)
        return {strip.name: spelled(frame, strip, kit) for strip in kit.strips}

    def written(self) -> str:
        """The kit as it turned out to be, as TOML."""
        return kit_text(self.kit)

    def _found(self, name: str, **facts: object) -> None:
        self.findings.append(Saying(f"hardware.found_{name}", **facts))

    def _examination(self) -> Talk:
        for button in self._held:
            self._found("stuck", button=button)
        yield from self._colours()
        yield from self._arrangement()
        yield from self._lamps()
        yield from self._buttons()
        yield from self._contacts()
        yield from self._supply()

    # Lamps

    def _colours(self) -> Talk:
        """Which byte is which colour: two answers tell the order of all three."""
        seen: dict[str, str] = {}
        for hue in ("red", "green"):
            self.lit = {0: Glow(hue)}
            answer = yield Question(Saying("hardware.ask_colour"), ("red", "green", "blue", DARK, SKIP))
            while answer not in ("red", "green", "blue", DARK, SKIP):
                answer = yield self._again()
            if answer == DARK:
                self._found("all_dark")
            if answer in (DARK, SKIP):
                return
            seen[hue] = answer
        order = learned_order(self.kit.chain.order, seen)
        if order is None:
            self._found("colours_unclear")
        elif order != self.kit.chain.order:
            self._found("colour_order", order=order)
            self.kit = replace(self.kit, chain=replace(self.kit.chain, order=order))

    def _arrangement(self) -> Talk:
        """Turned, mirrored, to and fro: a few lamps with their rooms tell which."""
        if not self.kit.has_rooms:
            return
        number, strip = next((n, s) for n, s in enumerate(self.kit.strips) if s.shows == "rooms")
        known: dict[int, int] = {}
        for lamp in probes(strip, self.kit):
            if len(fitting(strip, self.kit, known)) <= 1:
                break
            self.lit = {(strip.first or 0) + lamp: LAMP}
            ask = Question(Saying("hardware.ask_room", lamp=lamp), (DARK, SKIP), True)
            room = yield from self._room(ask)
            if isinstance(room, int):
                known[lamp] = room
            elif room == DARK:
                self._found("dark_lamp", lamp=lamp, strip=strip.name)
        fits = fitting(strip, self.kit, known)
        if not fits:
            self._found("no_order", strip=strip.name)
        elif known and _laid(strip) not in map(_laid, fits):
            learned = fits[0]
            facts = {"rotation": learned.rotation, "mirrored": _flag(learned.mirrored)}
            self._found("laid", strip=strip.name, serpentine=_flag(learned.serpentine), **facts)
            self._keep(number, learned)

    def _keep(self, number: int, strip: Strip) -> None:
        strips = [*self.kit.strips]
        strips[number] = strip
        self.kit = replace(self.kit, strips=strips)

    def _room(self, question: Question) -> Generator[Question, str, int | str]:
        """A room: its number, its contact, or its row and its column button; or the word that was said."""
        row: int | None = None
        column: int | None = None
        answer = yield question
        while answer not in (DARK, SKIP):
            if found := re.fullmatch(r"(?:room)?(\d+)", answer):
                if int(found[1]) in self.kit.grid.rooms:
                    return int(found[1])
            elif found := re.fullmatch(r"row(\d+)", answer):
                row = int(found[1])
            elif found := re.fullmatch(r"col(\d+)", answer):
                column = int(found[1])
            if row and column:
                return (row - 1) * self.kit.grid.columns + column
            answer = yield question
        return answer

    def _lamps(self) -> Talk:
        """Every lamp, a handful at a time: which of them stay dark."""
        for strip in self.kit.strips:
            first, count = strip.first or 0, strip.lamps or 0
            for start in range(0, count, 6):
                group = range(start, min(start + 6, count))
                self.lit = {first + lamp: LAMP for lamp in group}
                saying = Saying(
                    "hardware.ask_group", strip=strip.name, n=len(group), first=start, last=group[-1]
                )
                answer = yield Question(saying, (YES, DARK, SKIP))
                if answer == DARK:
                    yield from self._one_by_one(strip, group)

    def _one_by_one(self, strip: Strip, group: range) -> Talk:
        for lamp in group:
            self.lit = {(strip.first or 0) + lamp: LAMP}
            answer = yield Question(Saying("hardware.ask_lamp", lamp=lamp, strip=strip.name), (YES, DARK))
            if answer in (DARK, NO):
                self._found("dark_lamp", lamp=lamp, strip=strip.name)

    # Buttons and contacts

    def _buttons(self) -> Talk:
        """Every button by name; one that answers under another's name has its wire swapped."""
        self.lit = {}
        wired = _button_names(self.kit)
        answered: dict[str, str] = {}
        for button in wired:
            answer = yield Question(Saying("hardware.ask_button", button=button), (SKIP,))
            while answer not in wired and answer != SKIP:
                answer = yield self._again()
            if answer == SKIP:
                self._found("silent", button=button)
            elif answer != button:
                self._found("swapped", button=button, other=answer)
                answered[button] = answer
        self.kit = rewired(self.kit, answered)

    def _contacts(self) -> Talk:
        """The first room of each row and column of a matrix: the rest follows from those."""
        matrix = self.kit.matrix
        if matrix is None:
            return
        columns = self.kit.grid.columns
        for side, rooms in (
            ("rows", [row * columns + 1 for row in range(self.kit.grid.rows)]),
            ("columns", list(range(1, columns + 1))),
        ):
            order = yield from self._line_order(side, rooms)
            pins = getattr(matrix, side)
            if order != list(range(len(pins))) and sorted(order) == list(range(len(pins))):
                matrix = replace(matrix, **{side: [pins[place] for place in order]})
                self._found("lines_swapped", side=Saying(f"hardware.side_{side}"))
        self.kit = replace(self.kit, matrix=matrix)

    def _line_order(self, side: str, rooms: list[int]) -> Generator[Question, str, list[int]]:
        order = []
        for number, room in enumerate(rooms):
            felt = yield from self._room(Question(Saying("hardware.ask_contact", room=room), (SKIP,)))
            if isinstance(felt, str):
                self._found("contact_silent", room=room)
                felt = room
            row, column = divmod(felt - 1, self.kit.grid.columns)
            order.append(row if side == "rows" else column)
            if felt != room and order[-1] == number:
                self._found("contact_elsewhere", room=room, other=felt)
        return order

    # Supply

    def _supply(self) -> Talk:
        """What the lamps may draw, against what the supply can give."""
        answer = yield Question(Saying("hardware.ask_supply"), (SKIP,), True)
        while answer != SKIP and not re.fullmatch(r"\d+([.,]\d+)?", answer):
            answer = yield self._again()
        if answer == SKIP:
            return
        most = int(float(answer.replace(",", ".")) * 1000 * SPARE_SUPPLY)
        if self.kit.chain.most_ma > most:
            self._found("supply", ma=self.kit.chain.most_ma, most=most)
            self.kit = replace(self.kit, chain=replace(self.kit.chain, most_ma=max(100, most)))

    def _again(self) -> Question:
        assert self.question is not None
        return self.question


def _nothing() -> None:
    return


# What answers mean


def learned_order(order: str, seen: dict[str, str]) -> str | None:
    """The chain's true colour order, from which colour was seen when red and when green was sent."""
    letters = {"red": "R", "green": "G", "blue": "B"}
    sent = {letters[hue]: letters[colour] for hue, colour in seen.items()}
    rest = set("RGB") - set(sent.values())
    if len(rest) != 1:
        return None
    sent["B"] = rest.pop()
    # A lamp takes the byte that we call red as the colour that was seen.
    return "".join(sent[letter] for letter in order)


def probes(strip: Strip, kit: Kit) -> Iterator[int]:
    """Lamps worth asking about, the most telling first."""
    last = (strip.lamps or 1) - 1
    for lamp in (0, 1, kit.grid.columns, kit.grid.rows, last, kit.grid.columns - 1, kit.grid.rows - 1):
        if lamp <= last:
            yield lamp


def fitting(strip: Strip, kit: Kit, known: dict[int, int]) -> list[Strip]:
    """Every way to lay a strip that fits what is known, each order of rooms once, the present way first."""
    ways: dict[tuple[int, ...], Strip] = {}
    turns = sorted((0, 90, 180, 270), key=lambda turn: turn != strip.rotation)
    flips = sorted((False, True), key=lambda flip: flip != strip.mirrored)
    zigzags = sorted((False, True), key=lambda zigzag: zigzag != strip.serpentine)
    for rotation, mirrored, serpentine in product(turns, flips, zigzags):
        way = replace(strip, rotation=rotation, mirrored=mirrored, serpentine=serpentine)
        order = tuple(rooms_along(way, kit.grid))
        if all(order[lamp] == room for lamp, room in known.items()):
            ways.setdefault(order, way)
    return list(ways.values())


def rewired(kit: Kit, answered: dict[str, str]) -> Kit:
    """The kit with the pins of swapped buttons put right; nothing changes where a press had two meanings."""
    if sorted(answered) != sorted(answered.values()):
        return kit
    buttons = {name: kit.buttons.get(answered.get(name, name), pin) for name, pin in kit.buttons.items()}
    lines = kit.line_buttons
    if lines:
        named = {f"row{n}": pin for n, pin in enumerate(lines.rows, 1)}
        named |= {f"col{n}": pin for n, pin in enumerate(lines.columns, 1)} | kit.buttons
        right = [named[answered.get(name, name)] for name in named]
        rows = len(lines.rows)
        lines = replace(lines, rows=right[:rows], columns=right[rows : rows + len(lines.columns)])
        buttons = {name: named[answered.get(name, name)] for name in kit.buttons}
    return replace(kit, buttons=buttons, line_buttons=lines)


def _button_names(kit: Kit) -> list[str]:
    lines = kit.line_buttons
    rows = [f"row{n}" for n in range(1, len(lines.rows) + 1)] if lines else []
    columns = [f"col{n}" for n in range(1, len(lines.columns) + 1)] if lines else []
    return [*kit.buttons, *rows, *columns, *(kit.expander.buttons if kit.expander else ())]


def _laid(strip: Strip) -> tuple[int, bool, bool]:
    return strip.rotation, strip.mirrored, strip.serpentine


def _flag(on: bool) -> Saying:
    return Saying("hardware.yes" if on else "hardware.no")


# The kit as a file


def kit_text(kit: Kit) -> str:
    """A kit as TOML, to be read again."""
    lines = [f"about = {_toml(kit.about)}"] if kit.about else []
    for name in ("board", "buttons", "line_buttons", "matrix", "expander", "chain"):
        part = getattr(kit, name)
        if part:
            lines += ["", *_table(name, part if isinstance(part, dict) else msgspec.structs.asdict(part))]
    for strip in kit.strips:
        lines += ["", *_table("[strips]", msgspec.structs.asdict(strip))]
    return "\n".join(lines).strip() + "\n"


def _table(name: str, fields: dict[str, object]) -> list[str]:
    plain = {key: value for key, value in fields.items() if value is not None and not isinstance(value, dict)}
    nested = {key: value for key, value in fields.items() if isinstance(value, dict) and value}
    lines = [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in plain.items())]
    for key, value in nested.items():
        lines += ["", *_table(f"{name}.{key}", value)]
    return lines


def _toml(value: object) -> str:
    return (
        msgspec.json.encode(value).decode().replace(",", ", ") if isinstance(value, list) else _scalar(value)
    )


def _scalar(value: object) -> str:
    return msgspec.json.encode(value).decode()
