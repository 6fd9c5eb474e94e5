"""`companion headless`: the whole companion on standard input and output, one JSON line each way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

import msgspec

from companion import games
from companion.board import Board, open_board
from companion.clock import VirtualClock
from companion.contract import PUBLIC, Chair, Model, Seat, plain, read
from companion.course import Line
from companion.findings import Standing
from companion.journal import Journal, JournalInUse, JournalTooNew
from companion.picture import Gauge
from companion.refusals import Illegal, Malformed, NoGame, Refusal, TooLarge, UnknownCommand
from companion.seals import Record
from companion.table import Table
from companion.terminal import complain
from companion.words import Saying

LONGEST_LINE = 1 << 20
SIMULATED = "simulated"
"""The kit that is there where no other is named."""

Data = dict[str, Any]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=600)]


# Requests


class Request(msgspec.Struct, frozen=True, tag_field="cmd"):
    """One line in. Fields that are not named here are ignored."""


class New(Request, frozen=True, tag="new"):
    """Begin a game, or enter one that is under way."""

    game: str
    players: int | None = None
    options: Data = {}
    position: Data | None = None
    seed: int | None = None


class Act(Request, frozen=True, tag="act", rename={"playing_for": "as"}):
    """An action by a seat; `as` is the seat that the moderator plays for."""

    seat: Seat
    action: Data
    playing_for: Seat | None = None


class Legal(Request, frozen=True, tag="legal"):
    """Everything that `act` would accept from a seat."""

    seat: Seat


class View(Request, frozen=True, tag="view"):
    """What a seat may know."""

    seat: Seat = PUBLIC


class Lamps(Request, frozen=True, tag="lamps"):
    """What the board shows; `peek` is a master who holds PEEK."""

    peek: Seat | None = None


class Press(Request, frozen=True, tag="press"):
    """Close a contact of the kit."""

    button: str


class Release(Request, frozen=True, tag="release"):
    """Open a contact of the kit."""

    button: str


class Tick(Request, frozen=True, tag="tick"):
    """Let virtual time pass."""

    seconds: Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class OddsAsked(Request, frozen=True, tag="odds"):
    """The hunters' map, under a model of how those who hide behave."""

    model: Model = "uniform"


class BotAsked(Request, frozen=True, tag="bot"):
    """What a bot would do; with `seconds` it thinks no longer than that."""

    seat: Seat
    level: str = "random"
    seconds: Seconds | None = None


class HintAsked(Request, frozen=True, tag="hint"):
    """What a strong bot thinks, and why, in a language."""

    seat: Seat
    language: Literal["en", "fr", "de"] = "en"
    seconds: Seconds | None = None


class Undo(Request, frozen=True, tag="undo"):
    """Take back the last action."""

    seat: Seat
    consent: tuple[Seat, ...] = ()


class Redo(Request, frozen=True, tag="redo"):
    """Do again what was taken back."""

    seat: Seat


class History(Request, frozen=True, tag="history"):
    """The open record."""


class Status(Request, frozen=True, tag="status"):
    """Everything that is wrong with this table."""


class Rematch(Request, frozen=True, tag="rematch"):
    """The next game with the same people: a tournament goes on."""

    seed: int | None = None


class SealAsked(Request, frozen=True, tag="seal"):
    """The newest seal of the running game."""


class RecordAsked(Request, frozen=True, tag="record"):
    """The sealed record of a game that is over."""


class Quit(Request, frozen=True, tag="quit"):
    """Good night."""


AnyRequest = (
    New | Act | Legal | View | Lamps | Press | Release | Tick | OddsAsked | BotAsked | HintAsked
    | Undo | Redo | History | Status | Rematch | SealAsked | RecordAsked | Quit
)  # fmt: skip
COMMANDS: dict[str, type[Request]] = {
    str(request.__struct_config__.tag): request for request in AnyRequest.__args__
}


# Answers


class Answer(msgspec.Struct, frozen=True):
    """One line out."""

    ok: bool = True


class Seated(Answer, frozen=True, kw_only=True):
    """To `new`: who sits where, and who begins."""

    seats: tuple[Chair, ...]
    phase: str
    to_act: tuple[Seat, ...]


class Done(Answer, frozen=True, kw_only=True):
    """To `act`, `undo` and `redo`: what the acting seat heard, and where the game stands."""

    events: tuple[Any, ...] = ()
    phase: str
    to_act: tuple[Seat, ...]
    result: Any


class Actions(Answer, frozen=True, kw_only=True):
    """To `legal`."""

    actions: list[Data]


class Viewed(Answer, frozen=True, kw_only=True):
    """To `view`."""

    view: Data


class Lit(Answer, frozen=True, kw_only=True):
    """To `lamps`: the strips as they shine, and the same in game terms."""

    strips: dict[str, list[str]]
    gauges: dict[str, Data]
    marks: dict[str, tuple[str, ...]]


class Heard(Answer, frozen=True, kw_only=True):
    """To `press` and `release`: what the table heard."""

    events: tuple[Any, ...]


class OddsAnswer(Answer, frozen=True, kw_only=True):
    """To `odds`."""

    worlds: int
    rooms: dict[str, float]
    possible: tuple[int, ...]


class Chosen(Answer, frozen=True, kw_only=True):
    """To `bot`."""

    action: Data
    level: str


class Advised(Answer, frozen=True, kw_only=True):
    """To `hint`."""

    action: Data
    because: str


class Recorded(Answer, frozen=True, kw_only=True):
    """To `history`."""

    history: tuple[Line, ...]


class Problems(Answer, frozen=True, kw_only=True):
    """To `status`."""

    problems: tuple[str, ...]


class SealAnswer(Answer, frozen=True, kw_only=True):
    """To `seal`: how many entries it covers, and its 64 hexadecimal digits."""

    n: int
    seal: str


class RecordAnswer(Answer, frozen=True, kw_only=True):
    """To `record`."""

    record: Record


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was wrong, in words, with the rule behind it."""

    code: str
    message: str
    rule: str | None = None


class Refused(msgspec.Struct, frozen=True):
    """The answer to anything that changes nothing."""

    error: Fault
    ok: bool = False


AnyAnswer = (
    Answer
    | Seated
    | Done
    | Actions
    | Viewed
    | Lit
    | Heard
    | OddsAnswer
    | Chosen
    | Advised
    | Recorded
    | Problems
    | SealAnswer
    | RecordAnswer
    | Refused
)


class Headless:
    """One table behind the line protocol. Time is virtual and moves by `tick` alone."""

    def __init__(self, table: Table, clock: VirtualClock, kit: str | None = None) -> None:
        self.table = table
        self.clock = clock
        self.kit = kit
        self.ended = False

    @cached_property
    def board(self) -> Board | None:
        """The board, opened when time or a hand first touches it: many a game is played without."""
        return open_board(self.kit, self.table, self.clock) if self.kit else None

    def close(self) -> None:
        """Lamps dark, and the journal let go."""
        if board := self.__dict__.get("board"):
            board.close()
        self.table.close()

    def answer(self, line: bytes) -> bytes:
        """The answer line to a request line. It never raises for what the line says."""
        identity: Any = msgspec.UNSET
        try:
            data = _parsed(line)
            identity = data.get("id", msgspec.UNSET)
            answer = plain(self._serve(self._request(data)))
        except Refusal as refusal:
            answer = plain(Refused(Fault(refusal.code, refusal.message(), refusal.rule)))
        if identity is not msgspec.UNSET:
            answer = {"id": identity, **answer}
        return msgspec.json.encode(answer)

    def _request(self, data: Data) -> Any:
        command = data.get("cmd")
        if not isinstance(command, str):
            raise Malformed("companion.no_command")
        if command not in COMMANDS:
            raise UnknownCommand(
                "companion.unknown_command", command=command, commands=tuple(sorted(COMMANDS))
            )
        return read(data, COMMANDS[command], "request")

    def _serve(self, request: Any) -> Answer:
        match request:
            case New():
                return self._new(request)
            case Act():
                return self._act(request)
            case Legal(seat=seat):
                return Actions(actions=[plain(action) for action in self.table.legal(seat)])
            case View(seat=seat):
                return Viewed(view=plain(self.table.view(seat).shows))
            case Lamps(peek=peek):
                return self._lamps(peek)
            case Press(button=button):
                return Heard(events=plain(self._board().press(button)))
            case Release(button=button):
                return Heard(events=plain(self._board().release(button)))
            case Tick(seconds=seconds):
                _ = self.board
                self.clock.tick(seconds)
                return Answer()
            case OddsAsked(model=model):
                odds = self.table.odds(model)
                return OddsAnswer(worlds=odds.worlds, rooms=plain(odds.rooms), possible=odds.possible)
            case BotAsked(seat=seat, level=level, seconds=seconds):
                return Chosen(action=plain(self.table.bot(seat, level, seconds)), level=level)
            case HintAsked(seat=seat, language=language, seconds=seconds):
                hint = self.table.hint(seat, seconds)
                return Advised(action=plain(hint.action), because=hint.because.said(language))
            case Undo(seat=seat, consent=consent):
                return self._done((), self.table.undo(seat, consent))
            case Redo(seat=seat):
                return self._done((), self.table.redo(seat))
            case History():
                return Recorded(history=self.table.history())
            case Status():
                faults = self.board.faults() if self.board else ()
                return Problems(problems=tuple(map(str, (*self.table.status(), *faults))))
            case Rematch(seed=seed):
                return self._seated(self.table.rematch(seed))
            case SealAsked():
                newest = self.table.seal()
                return SealAnswer(n=newest.n, seal=newest.seal)
            case RecordAsked():
                return RecordAnswer(record=self.table.record())
        self.ended = True
        return Answer()

    def _new(self, request: New) -> Seated:
        players = {} if request.players is None else {"players": request.players}
        standing = self.table.new(
            request.game, {**request.options, **players}, position=request.position, seed=request.seed
        )
        return self._seated(standing)

    def _seated(self, standing: Standing) -> Seated:
        return Seated(seats=self.table.chairs(), phase=standing.phase, to_act=standing.to_act)

    def _act(self, request: Act) -> Done:
        if self.table.game is None:
            _check_action_of_any_game(request.action)
            raise NoGame("companion.no_game")
        events = self.table.act(request.seat, request.action, request.playing_for)
        return self._done(events, self.table.standing())

    def _done(self, events: tuple[Any, ...], standing: Standing) -> Done:
        return Done(
            events=plain(events), phase=standing.phase, to_act=standing.to_act, result=plain(standing.result)
        )

    def _lamps(self, peek: Seat | None) -> Lit:
        board = self.board
        held = board.peek if board and peek is None else peek
        picture = self.table.picture(board.pointer if board else None, held)
        return Lit(
            strips=board.strips(peek) if board else {},
            gauges={name: _reading(gauge) for name, gauge in picture.gauges.items()},
            marks={str(room): marks for room, marks in picture.marks.items()},
        )

    def _board(self) -> Board:
        if self.table.game is None:
            raise NoGame("companion.no_game")
        if self.board is None:
            raise Illegal("companion.no_kit")
        return self.board


def _reading(gauge: Gauge) -> Data:
    return {"value": gauge.value, "of": gauge.of}


def _parsed(line: bytes) -> Data:
    if len(line) > LONGEST_LINE:
        raise TooLarge("companion.too_large", most=LONGEST_LINE)
    try:
        data = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as fault:
        raise Malformed("companion.not_json", fault=str(fault)) from None
    if not isinstance(data, dict):
        raise Malformed("companion.not_an_object")
    return data


def _check_action_of_any_game(action: Data) -> None:
    """Before a game is chosen an action must at least be one that some game knows."""
    refusal: Malformed | None = None
    for name in games.names():
        try:
            read(action, games.find(name).action, "action")
        except Malformed as fault:
            refusal = fault
        else:
            return
    if refusal is not None:
        raise refusal


def lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream without their ends; of an overlong one only so much that it is seen to be so."""
    while line := source.readline(LONGEST_LINE + 2):
        ended = line.endswith(b"\n")
        yield line.rstrip(b"\r\n") if ended else line
        while not ended and (rest := source.readline(LONGEST_LINE)):
            ended = rest.endswith(b"\n")


def run(kit: str, journal_file: Path | None, source: BinaryIO, sink: BinaryIO) -> int:
    """Serve requests until the input ends or somebody says `quit`."""
    clock = VirtualClock()
    try:
        journal = Journal(journal_file) if journal_file else None
    except (JournalInUse, JournalTooNew) as fault:
        return complain(fault)
    except OSError as fault:
        return complain(Saying("companion.journal_unusable", file=journal_file, fault=fault.strerror))
    table = Table(journal, clock)
    for notice in table.notices:
        complain(notice)
    headless = Headless(table, clock, kit)
    try:
        # Whoever names a kit wants to hear at once what is wrong with it.
        if kit != SIMULATED:
            _ = headless.board
        for line in lines(source):
            sink.write(headless.answer(line) + b"\n")
            sink.flush()
            if headless.ended:
                break
    except Refusal as refusal:
        return complain(refusal)
    except (BrokenPipeError, KeyboardInterrupt):
        pass
    finally:
        headless.close()
    return 0
