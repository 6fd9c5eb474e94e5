"""The doctor: walks a person through every lamp and button, and learns how the board was really built.

A visit asks one question at a time. An answer is a word, a number, or a contact that was closed, so that the
same visit runs in a terminal and on a phone. While it lasts it decides what the lamps show; what it learns
goes into a kit of its own, and nothing on the board is changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Sequence

import msgspec
from msgspec.structs import replace

from companion.picture import Glow
from companion.words import Saying
from hardware import names
from hardware.arrangement import lamp_of_room
from hardware.encoder import NEXT, PREVIOUS
from hardware.frames import Glows, Scene, spelled
from hardware.kits import Encoder, Kit, Strip
from hardware.learned import button_names, fitting, laid, learned_order, probes, rewired
from hardware.written import kit_text

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
Damage = Callable[[], Iterable[Saying]]
"""What the sensors know of their own damage now: diodes, silent chips."""


class Visit:
    """One examination of a board, from the first question to the last."""

    def __init__(
        self, kit: Kit, held: Sequence[str] = (), quick: bool = False, damage: Damage | None = None
    ) -> None:
        self.kit = kit
        """The kit as it turned out to be."""
        self.lit: Glows = {}
        """The lamps that are on for the question."""
        self.calling = False
        """Whether the status lamp blinks for the question."""
        self.findings: list[Saying] = []
        """What is wrong, or was wrong and is now known."""
        self.asked: Callable[[], None] = _nothing
        """Called whenever there is another question, or none any more."""
        self.sampled = quick and kit.senses_tiles
        """Whether only some of the contacts are asked for."""
        self._held, self._wired, self._quick = held, kit, quick
        self._damage: Damage = damage or (lambda: ())
        self._talk = self._examination()
        self.question: Question | None = next(self._talk)

    def answer(self, said: str) -> None:
        """Go on to the next question; what cannot be an answer to this one leaves it as it is."""
        if self.question is None:
            return
        # What the sensors notice is only to be seen while the tile lies there.
        self.findings += [fault for fault in self._damage() if fault not in self.findings]
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

    def _swapped(self, button: str, other: str) -> None:
        self._found("swapped", button=button, other=other, wire=names.wire(button), wires=names.wire(other))

    def _examination(self) -> Talk:
        for button in self._held:
            self._found("stuck", button=button, wire=names.wire(button))
        yield from self._colours()
        yield from self._arrangement()
        yield from self._lamps()
        yield from self._status()
        yield from self._buttons()
        yield from self._knob()
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
            if answer in (DARK, SKIP):
                self._found("all_dark" if answer == DARK else "skipped_colours")
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
        skipped = False
        for lamp in probes(strip, self.kit):
            if len(fitting(strip, self.kit, known)) <= 1:
                break
            self.lit = {(strip.first or 0) + lamp: LAMP}
            ask = Question(Saying("hardware.ask_room", lamp=lamp), (DARK, SKIP), True)
            room = yield from self._room(ask)
            if isinstance(room, int):
                known[lamp] = room
            elif room == DARK:
                self._found("dark_lamp", lamp=lamp, strip=strip.name, named=names.strip(strip))
            skipped |= room == SKIP
        fits = fitting(strip, self.kit, known)
        if skipped and len(fits) > 1:
            self._found("skipped_laid", strip=strip.name, named=names.strip(strip))
        if not fits:
            self._found("no_order", strip=strip.name, named=names.strip(strip))
        elif known and laid(strip) not in map(laid, fits):
            learned = fits[0]
            facts = {"rotation": learned.rotation, "mirrored": _flag(learned.mirrored)}
            self._found(
                "laid",
                strip=strip.name,
                named=names.strip(strip),
                serpentine=_flag(learned.serpentine),
                **facts,
            )
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
        """Every lamp, a handful at a time, or a whole strip if it is to be quick: which of them stay dark."""
        for strip in self.kit.strips:
            first, count = strip.first or 0, strip.lamps or 0
            step = count if self._quick else 6
            skipped: list[int] = []
            for start in range(0, count, step):
                group = range(start, min(start + step, count))
                self.lit = {first + lamp: LAMP for lamp in group}
                saying = Saying(
                    "hardware.ask_group",
                    strip=strip.name,
                    named=names.strip(strip),
                    n=len(group),
                    first=start,
                    last=group[-1],
                )
                answer = yield from self._seen(Question(saying, (YES, DARK, SKIP)))
                if answer == SKIP:
                    skipped += group
                elif answer != YES:
                    skipped += yield from self._one_by_one(strip, group)
            if skipped:
                self._found(
                    "skipped_lamps",
                    strip=strip.name,
                    named=names.strip(strip),
                    lamps=_spans(skipped),
                    n=len(skipped),
                )

    def _one_by_one(self, strip: Strip, group: range) -> Generator[Question, str, list[int]]:
        """Which of a handful stay dark; those that were not looked at come back."""
        skipped: list[int] = []
        for lamp in group:
            self.lit = {(strip.first or 0) + lamp: LAMP}
            ask = Question(
                Saying("hardware.ask_lamp", lamp=lamp, strip=strip.name, named=names.strip(strip)),
                (YES, DARK, SKIP),
            )
            answer = yield from self._seen(ask)
            if answer == SKIP:
                skipped.append(lamp)
            elif answer != YES:
                self._found("dark_lamp", lamp=lamp, strip=strip.name, named=names.strip(strip))
        return skipped

    def _status(self) -> Talk:
        """The lamp that blinks while somebody is needed: it has to go on and off."""
        if self.kit.status is None:
            return
        self.lit, self.calling = {}, True
        answer = yield from self._seen(Question(Saying("hardware.ask_status"), (YES, DARK, SKIP)))
        self.calling = False
        if answer != YES:
            self._found("skipped_status" if answer == SKIP else "dark_status")

    def _seen(self, question: Question) -> Generator[Question, str, str]:
        """Whether it was seen: one of the question's words, or a plain no; nothing else is an answer."""
        answer = yield question
        while answer not in (*question.answers, NO):
            answer = yield question
        return answer

    # Buttons and contacts

    def _buttons(self) -> Talk:
        """Every button by name; one that answers under another's name has its wire swapped."""
        self.lit = {}
        wired = button_names(self.kit)
        answered: dict[str, str] = {}
        for button in wired:
            answer = yield Question(
                Saying("hardware.ask_button", button=button, wire=names.wire(button)), (SKIP,)
            )
            while answer not in wired and answer != SKIP:
                answer = yield self._again()
            if answer == SKIP:
                self._found("silent", button=button, wire=names.wire(button))
            elif answer != button:
                self._swapped(button, answer)
                answered[button] = answer
        self.kit = rewired(self.kit, answered)

    def _knob(self) -> Talk:
        """One step to the right; a knob that counts backwards has its two wires swapped."""
        if self.kit.encoder is None:
            return
        answer = yield Question(Saying("hardware.ask_turn"), (SKIP,))
        while answer not in (NEXT, PREVIOUS, SKIP):
            answer = yield self._again()
        if answer == SKIP:
            self._found("silent", button="encoder", wire=names.wire("encoder"))
        elif answer == PREVIOUS:
            self._swapped("encoder a", "encoder b")
            self.kit = replace(self.kit, encoder=Encoder(self.kit.encoder.b, self.kit.encoder.a))

    def _contacts(self) -> Talk:
        """Every contact under a room; in a hurry the first of each row and column, which tell the rest."""
        if not self.kit.senses_tiles:
            return
        lamps, columns = lamp_of_room(self.kit), self.kit.grid.columns
        felt: dict[int, int] = {}
        for room in self.kit.grid.rooms:
            row, column = divmod(room - 1, columns)
            if self._quick and row and column:
                continue
            self.lit = {lamps[room]: LAMP} if room in lamps else {}
            answer = yield from self._room(Question(Saying("hardware.ask_contact", room=room), (SKIP,)))
            if isinstance(answer, str):
                self._found("contact_silent", room=room)
            else:
                felt[room] = answer
        self.lit = {}
        moved = {room: place for room, place in felt.items() if room != place}
        if moved and not self._lines_swapped(felt):
            for room, place in moved.items():
                self._found("contact_elsewhere", room=room, other=place)

    def _lines_swapped(self, felt: dict[int, int]) -> bool:
        """Whether whole rows or columns of a matrix are swapped; then the kit is put right."""
        matrix, columns = self.kit.matrix, self.kit.grid.columns
        if matrix is None:
            return False
        rows: dict[int, int] = {}
        across: dict[int, int] = {}
        for room, place in felt.items():
            row, column = divmod(room - 1, columns)
            felt_row, felt_column = divmod(place - 1, columns)
            if (
                rows.setdefault(row, felt_row) != felt_row
                or across.setdefault(column, felt_column) != felt_column
            ):
                return False
        for side, order in (("rows", rows), ("columns", across)):
            pins = getattr(matrix, side)
            right = [pins[order.get(n, n)] for n in range(len(pins))]
            if sorted(right) != sorted(pins):
                return False
            if right != pins:
                matrix = replace(matrix, **{side: right})
                self._found("lines_swapped", side=Saying(f"hardware.side_{side}"))
        self.kit = replace(self.kit, matrix=matrix)
        return True

    # Supply

    def _supply(self) -> Talk:
        """What the lamps may draw, against what the supply can give."""
        answer = yield Question(Saying("hardware.ask_supply"), (SKIP,), True)
        while answer != SKIP and not re.fullmatch(r"\d+([.,]\d+)?", answer):
            answer = yield self._again()
        if answer == SKIP:
            self._found("skipped_supply")
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


def _spans(lamps: Sequence[int]) -> tuple[str, ...]:
    """Ascending numbers as a person writes them: 0 to 5 and 12 as `0…5` and `12`."""
    starts = [lamp for lamp in lamps if lamp - 1 not in lamps]
    ends = [lamp for lamp in lamps if lamp + 1 not in lamps]
    return tuple(
        str(start) if start == end else f"{start}…{end}" for start, end in zip(starts, ends, strict=True)
    )


def _flag(on: bool) -> Saying:
    return Saying("hardware.yes" if on else "hardware.no")
