"""The table: the only thing that changes. One lock, one state, one record, one list of subscribers."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from random import Random, SystemRandom
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from companion import bots, games
from companion.bots import Hint, Moment, Persona
from companion.clock import Clock, SystemClock
from companion.contract import (
    HOST,
    MODERATOR,
    PUBLIC,
    TABLE,
    Action,
    Chair,
    Cue,
    Event,
    Game,
    Model,
    Odds,
    Seat,
    Told,
    View,
    heard,
    plain,
    read,
)
from companion.course import (
    Deed,
    Lost,
    Step,
    check_consent,
    draws,
    last_deeds,
    last_known,
    luck,
    opened,
    was_drawn,
)
from companion.course import Line as Line
from companion.findings import Findings, Standing
from companion.journal import Acted, AnyEntry, Entry, Happening, Journal, Left, Redone, Started, Undone
from companion.picture import Picture, Pointer, cued
from companion.refusals import Forbidden, Illegal, NoGame, NotSaved, NotYourTurn, Refusal
from companion.seals import Chain, Record, Seal, happenings
from companion.words import Saying

log = logging.getLogger(__name__)


class Change(msgspec.Struct, frozen=True):
    """What subscribers are told: that the table changed, and what the table heard of it."""

    version: int
    told: tuple[Told, ...]
    fresh: bool = False
    """Whether a game has just begun."""


Subscriber = Callable[[Change], None]
T = TypeVar("T")


class Table:
    """A running game with its record. Everything that comes in or goes out passes here."""

    def __init__(
        self, journal: Journal | None = None, clock: Clock | None = None, seeded: bool = True
    ) -> None:
        """`seeded`: whether a seed in the journal decides what comes; who knows it knows what is hidden."""
        self.clock, self._seeded = clock or SystemClock(), seeded
        self.journal = journal
        self.paused = False
        self._lock = threading.RLock()
        self._subscribers: list[Subscriber] = []
        self._game: Game[Any] | None = None
        self._state: Any = None
        self._findings: Findings | None = None
        self._seed: int | None = None
        self._luck = 0
        """What decides, where there is no seed, what bots are like in this game."""
        self._deeds: list[Deed] = []
        self._redoable: list[tuple[Seat, list[Deed]]] = []
        self._on_top: list[Any] = []
        """Draws that were taken back: the cards lie on top of their piles again, so they come again."""
        self._chain: Chain | None = None
        self._resumed = False
        """Whether the companion was started since the last entry; the next one says so."""
        self._known_until: int | None = None
        """How many actions were known when others had been lost."""
        self._copied: tuple[tuple[Cue, ...], int] = ((), 0)
        self._companion: frozenset[Seat] = frozenset()
        """The seats that the companion plays for,"""
        self._since_deed = 0
        """and how many deeds there were when it began to."""
        self._version = 0
        self._entries = journal.count if journal else 0
        if journal:
            self._resume(journal.last_game)

    # Beginning and ending

    def new(
        self,
        game: str,
        options: dict[str, Any],
        position: dict[str, Any] | None = None,
        seed: int | None = None,
    ) -> Standing:
        """Begin a game; the one before it is left. A refused one changes nothing."""
        with self._lock:
            found = games.find(game)
            options = found.resolve(options)
            state = opened(found, options, position)
            over = found.result(state) is not None
            begun = Started(*self._stamp(), game, options, position, seed, over=over)
            drawn = draws(found, state, seed, 0, ())
            chain = Chain(begun, found.secret_options)
            self._save(chain, begun, *self._acted(found, drawn, first=2))
            self._begin(found, state, seed, chain)
            self._publish(self._accept(*drawn), fresh=True)
            return self.standing()

    def leave(self) -> None:
        """Abandon the running game; it stays in the record."""
        with self._lock:
            self._running()
            self._save(self._sealed(), Left(*self._stamp()))
            self._game, self._state = None, None
            self._publish(())

    def rematch(self, seed: int | None = None) -> Standing:
        """Begin the next game with the same people: a tournament goes on."""
        with self._lock:
            game = self._running()
            return self.new(game.name, game.rematch(self._state), seed=seed)

    def pause(self, paused: bool) -> None:
        """Hold the game, or let it go on. Meanwhile nobody but the moderator acts, by whatever door."""
        with self._lock:
            if self.paused != paused:
                self.paused = paused
                self._publish(())

    # The door in

    def act(self, seat: Seat, action: Any, playing_for: Seat | None = None) -> tuple[Event, ...]:
        """Do an action for a seat; it is durable when this returns. What that seat heard of it comes back."""
        with self._lock:
            game = self._running()
            typed = action if isinstance(action, Action) else read(action, game.action, "action")
            via, seat = self._speaker(seat, playing_for)
            if self.paused and MODERATOR not in (via, seat):
                raise Illegal("companion.paused")
            after, told = game.apply(self._state, seat, typed)
            steps = [Step(seat, typed, after, told), *self._draws_after(seat, typed, after)]
            self._save(self._sealed(), *self._acted(game, steps, via))
            all_told = self._accept(*steps)
            self._redoable.clear()
            self._publish(all_told)
            return heard(all_told, seat)

    def _speaker(self, seat: Seat, playing_for: Seat | None) -> tuple[Seat | None, Seat]:
        """Who speaks, and for which seat: only the moderator speaks for others."""
        if playing_for is not None:
            if seat != MODERATOR:
                raise Forbidden("companion.moderator_only")
            if not self._plays(playing_for):
                raise Forbidden("companion.no_such_seat", seat=playing_for)
            return MODERATOR, playing_for
        if not self._plays(seat) and seat not in (MODERATOR, TABLE):
            raise Forbidden("companion.no_such_seat", seat=seat)
        return None, seat

    def undo(self, seat: Seat, consent: Sequence[Seat] = ()) -> Standing:
        """Take back the last action, if this seat may or both sides agree. The record keeps it, marked."""
        with self._lock:
            game = self._running()
            self._check_takes_back(seat, *consent)
            deeds = self._last_deeds()
            self._check_consent(game, seat, consent, deeds)
            over = game.result(deeds[0].before) is not None
            self._save(self._sealed(), Undone(*self._stamp(), seat, tuple(consent), over=over))
            self._take_back(game, seat, deeds)
            self._publish(())
            return self.standing()

    def redo(self, seat: Seat) -> Standing:
        """Do again what this seat has just taken back."""
        with self._lock:
            game = self._running()
            self._check_takes_back(seat)
            if (redoer := self.redoable_by()) is None:
                raise Illegal("companion.nothing_to_redo")
            if redoer != seat:
                raise Forbidden("companion.not_yours_to_redo")
            steps = self._again(game)
            over = game.result(steps[-1].after) is not None
            self._save(self._sealed(), Redone(*self._stamp(), seat, over=over))
            self._publish(self._do_again(steps))
            return self.standing()

    # The door out

    @property
    def game(self) -> Game[Any] | None:
        """The game being played, if there is one."""
        return self._game

    @property
    def notices(self) -> list[Saying]:
        """What the people of this table should be told about its record, in plain words."""
        told = list(self.journal.notices) if self.journal else []
        if told and (lost := self.lost()) is not None and "mended" in self._since():
            told[-1] = Saying("companion.told_and_lost", told=told[-1], lost=last_known(lost))
        if self.broken() is not None:
            told.append(Saying("companion.chain_broken", entry=self.broken()))
        return told

    @property
    def version(self) -> int:
        """A number that grows with every change."""
        return self._version

    @property
    def lock(self) -> threading.RLock:
        """Held while anything changes; hold it to do several things at one moment."""
        return self._lock

    def standing(self) -> Standing:
        """Phase, who is to act, and the result."""
        with self._lock:
            return self._known().standing()

    def chairs(self) -> tuple[Chair, ...]:
        """The seats that play, with their roles."""
        with self._lock:
            return self._known().chairs()

    def view(self, seat: Seat) -> View:
        """What a seat may know now."""
        with self._lock:
            self._check_seat(seat)
            return self._known().view(PUBLIC if seat == TABLE else seat)

    def legal(self, seat: Seat) -> Sequence[Action]:
        """What a seat may do now; nothing for a seat that is not to act."""
        with self._lock:
            self._check_seat(seat)
            return self._known().legal(seat)

    def asked(self, seat: Seat) -> Sequence[Action]:
        """What a seat may answer to a question that is put to it; mostly there is none."""
        with self._lock:
            return self._running().asked(self._state, seat)

    def redoable_by(self) -> Seat | None:
        """The seat that may do again what it has just taken back, if there is such a thing."""
        with self._lock:
            return self._redoable[-1][0] if self._game is not None and self._redoable else None

    def apart(self, one: Seat, other: Seat) -> bool:
        """Whether two seats may have secrets from each other now; nobody's secret tells."""
        with self._lock:
            return self._running().apart(self._state, one, other)

    def odds(self, model: Model = "uniform") -> Odds:
        """The hunters' map, from public knowledge alone."""
        with self._lock:
            game, view = self._running(), self.view(PUBLIC)
        return game.odds(view) if model == "uniform" else game.odds(view, model)

    def picture(self, pointer: Pointer | None = None, peek: Seat | None = None) -> Picture:
        """What the shared lamps show now; `peek` is a seat that holds PEEK."""
        with self._lock:
            if peek is not None and not self._plays(peek):
                raise Forbidden("companion.no_such_seat", seat=peek)
            picture = self._known().picture(pointer, peek)
            cues, done = self.copying()
            return cued(picture, cues[done].gauge, cues[done].room) if done < len(cues) else picture

    def copying(self) -> tuple[tuple[Cue, ...], int]:
        """The steps that people copy on the real board, and how many of them they have copied."""
        with self._lock:
            cues = self._known().cues() or self.errands()
            known, done = self._copied
            return cues, done if cues[:done] == known[:done] else 0

    def companion_plays(self, seats: frozenset[Seat]) -> None:
        """These seats are the companion's own: what it decides for them, hands do on the real board."""
        with self._lock:
            if seats != self._companion:
                self._companion, self._since_deed = seats, len(self._deeds)

    def errands(self) -> tuple[Cue, ...]:
        """What the companion has decided since somebody last acted; a game's own steps come before."""
        with self._lock:
            if self._known().cues():
                return ()
            game, found = self._running(), list[Cue]()
            for deed in reversed(self._deeds[self._since_deed :]):
                if deed.undone:
                    continue
                told = heard(deed.told, PUBLIC)
                cues = (game.errand(event, deed.seat, self._companion) for event in told)
                found[:0] = [cue for cue in cues if cue is not None]
                if deed.seat not in self._companion and deed.seat != TABLE:
                    break
            return tuple(found)

    def copied(self, done: int) -> None:
        """So many steps have been copied. It is only a finger in the list, and no part of the record."""
        with self._lock:
            cues, before = self.copying()
            done = min(max(done, 0), len(cues))
            if done != before:
                self._copied = cues, done
                self._publish(())

    def history(self) -> tuple[Line, ...]:
        """The open record: who did what, secrets left out, what was taken back marked."""
        with self._lock:
            over = self.standing().result is not None
            return tuple(
                [deed.lines.get((over, deed.undone)) or self._line(deed, over) for deed in self._deeds]
            )

    def _line(self, deed: Deed, over: bool) -> Line:
        """Drawn up once: what is left out of a record depends on nothing but the options and the end."""
        action, events = self._running().recorded(self._state, deed.action, heard(deed.told, PUBLIC))
        line = Line(deed.n, deed.seat, action, plain(events), deed.undone)
        deed.lines[over, deed.undone] = line
        return line

    def seal(self) -> Seal:
        """The newest seal of the running game: it covers everything so far and tells nothing."""
        with self._lock:
            return self._sealed().newest()

    def record(self) -> Record:
        """The sealed record of a game that is over."""
        with self._lock:
            result = self.standing().result
            if result is None:
                raise Illegal("companion.not_over")
            return self._sealed().record(result)

    def happenings(self) -> dict[str, int]:
        """What happened to the running game that is no part of it: resumed, repaired, mended, restored."""
        with self._lock:
            return happenings(self._chain.links, self._since()) if self._game and self._chain else {}

    def broken(self) -> int | None:
        """The first entry of the running game that does not fit its seal: somebody changed the journal."""
        return self._chain.broken if self._game and self._chain else None

    def lost(self) -> Lost | None:
        """Whether moves of the running game were lost with its journal, and the last one that is known."""
        with self._lock:
            if self._game is None or self._known_until is None:
                return None
            known = self.history()[: self._known_until]
            return Lost(known[-1] if known else None)

    def miss(self, last: int) -> None:
        """Somebody outside the record knows of an entry: if it is not there, moves were lost."""
        with self._lock:
            if self.journal is not None and self.journal.miss(last) and self._game is not None:
                self._known_until = len(self._deeds)

    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won; none while the game goes on."""
        with self._lock:
            game, result = self._running(), self.standing().result
            seats = [chair.seat for chair in self.chairs()] if result else []
            return tuple(seat for seat in seats if result and game.camp(self._state, seat) == result.winner)

    def bot(self, seat: Seat, level: str = "random", seconds: float | None = None) -> Action:
        """What a bot would do in a seat's place; it is not played. The table goes on while it thinks."""
        moment = self._moment(seat, "bot", seconds)
        bot = bots.load(moment.game.name, level)
        return (bots.Anything() if seat == TABLE else bot).choose(moment)

    def hint(self, seat: Seat, seconds: float | None = None) -> Hint:
        """What a strong bot thinks of a seat's choices, and why. The table goes on while it thinks."""
        moment = self._moment(seat, "hint", seconds)
        return bots.adviser(moment.game.name).hint(moment)

    def bot_consents(self, seat: Seat, level: str) -> bool:
        """Whether a bot in a seat agrees that the last action is taken back.

        Never to what told somebody something: that is for people of its side or, where there are none, for
        the host or the moderator, and everybody is told.
        """
        with self._lock:
            game = self._running()
            return not self.last_told() and bots.load(game.name, level).consents(game, self.view(seat))

    def last_told(self) -> bool:
        """Whether the last action told somebody something, so that taking it back takes that back too."""
        with self._lock:
            game, deeds = self._running(), self._last_deeds()
            first = deeds[0]
            return len(deeds) > 1 or not game.told_nothing(first.before, first.action, self._state)

    def persona(self, seat: Seat, level: str) -> Persona | None:
        """The character that a bot had in the game that is over; before that it would tell too much."""
        with self._lock:
            game = self._running()
            if game.result(self._state) is None:
                raise Illegal("companion.not_over")
            return bots.load(game.name, level).persona(self.view(seat), self._fate(seat))

    def _moment(self, seat: Seat, purpose: str, seconds: float | None) -> Moment:
        """What a bot is given, taken at one moment."""
        with self._lock:
            game = self._running()
            if not self._plays(seat) and seat != TABLE:
                raise Forbidden("companion.no_such_seat", seat=seat)
            choices = game.asked(self._state, seat) or self.legal(seat)
            if not choices:
                if not game.to_act(self._state):
                    raise Illegal("companion.game_over")
                # The protocol calls a hint for a seat that has nothing to do plainly illegal.
                refusal = Illegal if purpose == "hint" else NotYourTurn
                raise refusal("companion.not_your_turn", seats=game.to_act(self._state))
            chance, until = self._chance(f"{purpose} {seat}"), bots.deadline(seconds)
            return Moment(game, self.view(seat), choices, chance, self._fate(seat), until)

    def _fate(self, seat: Seat) -> int:
        """The number that a bot in a seat is what it is by, all game long."""
        secret = self._luck if self._seed is None else self._seed
        return Random(f"{secret} fate {seat}").getrandbits(64)

    def status(self) -> tuple[Saying, ...]:
        """Everything that is wrong with this table, at once; nothing is the normal case."""
        with self._lock:
            found = self._game.problems(self._state) if self._game else ()
            return (*self.notices, *found)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Be told after every change; what comes back ends it."""
        with self._lock:
            self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            with self._lock:
                if subscriber in self._subscribers:
                    self._subscribers.remove(subscriber)

        return unsubscribe

    def close(self) -> None:
        """Let go of the journal."""
        with self._lock:
            self._subscribers.clear()
            if self.journal:
                self.journal.close()

    # Inside

    def _known(self) -> Findings:
        """What follows from the state."""
        game = self._running()
        if self._findings is None or self._findings.state is not self._state:
            self._findings = Findings(game, self._state)
        return self._findings

    def _running(self) -> Game[Any]:
        if self._game is None:
            raise NoGame("companion.no_game")
        return self._game

    def _plays(self, seat: Seat) -> bool:
        return self._known().plays(seat)

    def _check_seat(self, seat: Seat) -> None:
        if not self._plays(seat) and seat not in (PUBLIC, HOST, MODERATOR, TABLE):
            raise Forbidden("companion.no_such_seat", seat=seat)

    def _sealed(self) -> Chain:
        if self._game is None or self._chain is None:
            raise NoGame("companion.no_game")
        return self._chain

    def _stamp(self, ahead: int = 1) -> tuple[int, float]:
        return self._entries + ahead, round(self.clock.now(), 3)

    def _acted(
        self, game: Game[Any], steps: Sequence[Step], via: Seat | None = None, first: int = 1
    ) -> list[Acted]:
        """Steps as entries of the record; the moderator played for the seat of the first."""
        return [
            Acted(
                *self._stamp(ahead),
                step.seat,
                plain(step.action),
                via if ahead == first else None,
                over=game.result(step.after) is not None,
            )
            for ahead, step in enumerate(steps, start=first)
        ]

    def _save(self, chain: Chain, *entries: AnyEntry) -> None:
        """Durable first, all of them or none; only then does anything change."""
        if not isinstance(entries[0], Started | Left):
            entries = (replace(entries[0], after=tuple(sorted(self._since()))), *entries[1:])
        sealed = chain.sealed(entries)
        if self.journal:
            self.journal.append(*sealed)
        self._entries, self._resumed = entries[-1].n, False
        for entry in sealed:
            chain.follow(entry)

    def _since(self) -> set[Happening]:
        """What has happened since the last entry."""
        resumed: set[Happening] = {"resumed"} if self._resumed else set()
        return resumed | self.journal.since if self.journal else resumed

    def _begin(self, game: Game[Any], state: Any, seed: int | None, chain: Chain) -> None:
        self._game, self._state, self._seed, self._chain = game, state, seed, chain
        self._luck, self._since_deed = SystemRandom().getrandbits(64), 0
        self._deeds, self._redoable, self._on_top, self._known_until = [], [], [], None

    def _accept(self, *steps: Step) -> tuple[Told, ...]:
        """Steps happen; what was told comes back."""
        for step in steps:
            n = len(self._deeds) + 1
            self._deeds.append(Deed(n, step.seat, step.action, step.told, self._state, self.clock.now()))
            self._state = step.after
            self._turned_up(step.seat, step.action)
        return tuple(told for step in steps for told in step.told)

    def _draws_after(self, seat: Seat, action: Any, after: Any) -> list[Step]:
        """What chance does after an action."""
        on_top = list(self._on_top)
        if seat == TABLE and action in on_top:
            on_top.remove(action)
        return draws(self._running(), after, self._seed, len(self._deeds) + 1, on_top)

    def _turned_up(self, seat: Seat, action: Any) -> None:
        if seat == TABLE and action in self._on_top:
            self._on_top.remove(action)

    def _chance(self, purpose: str) -> Random:
        return luck(self._seed, purpose, len(self._deeds))

    def _last_deeds(self) -> list[Deed]:
        return last_deeds(self._running(), self._deeds)

    def _check_takes_back(self, seat: Seat, *consent: Seat) -> None:
        """Only players, the host and the moderator take back; only players consent."""
        for other in (*consent, seat):
            if not self._plays(other) and not (other == seat and seat in (HOST, MODERATOR)):
                raise Forbidden("companion.no_such_seat", seat=other)

    def _check_consent(self, game: Game[Any], seat: Seat, consent: Sequence[Seat], deeds: list[Deed]) -> None:
        if seat != MODERATOR:
            agreed = [other for other in (seat, *consent) if self._plays(other)]
            check_consent(game, self._state, deeds, seat, agreed)

    def _take_back(self, game: Game[Any], seat: Seat, deeds: list[Deed]) -> None:
        for deed in deeds:
            deed.undone = True
        self._on_top = [deed.action for deed in deeds if was_drawn(game, deed)] + self._on_top
        self._state = game.seen(deeds[0].before, self._state)
        self._redoable.append((seat, deeds))

    def _again(self, game: Game[Any]) -> list[Step]:
        """What was taken back last, as it would be done now."""
        steps, state = [], self._state
        for deed in self._redoable[-1][1]:
            state, told = game.apply(state, deed.seat, deed.action)
            steps.append(Step(deed.seat, deed.action, state, told))
        return steps

    def _do_again(self, steps: Sequence[Step]) -> tuple[Told, ...]:
        _, deeds = self._redoable.pop()
        for deed, step in zip(deeds, steps, strict=True):
            deed.before, deed.told, self._state = self._state, step.told, step.after
            self._turned_up(deed.seat, deed.action)
            deed.undone, deed.lines = False, {}
        return tuple(told for step in steps for told in step.told)

    def _publish(self, told: tuple[Told, ...], fresh: bool = False) -> None:
        self._version += 1
        change = Change(self._version, told, fresh)
        for subscriber in list(self._subscribers):
            try:
                subscriber(change)
            except Exception:
                # A page or a lamp that fails must not stop the game. What changed is not logged: secrets.
                log.exception("a subscriber failed at version %s", self._version)

    def _resume(self, entries: Sequence[AnyEntry]) -> None:
        """Play the last game through, as far as it goes."""
        for entry in entries:
            try:
                self.follow(entry)
            except Refusal as refusal:
                # What follows cannot be played either; new entries must not come after it.
                assert self.journal is not None
                self.journal.keep(
                    entry.n, Saying("companion.entry_refused", entry=entry.n, reason=refusal.saying)
                )
                self._entries = self.journal.count
                if isinstance(entry, Started):
                    # Not even its beginning can be played: the game before it is the last one now.
                    self._resume(self.journal.last_game)
                    return
                break
        if self._game is not None:
            self._resumed = True
            if "mended" in self._since():
                self._known_until = len(self._deeds)
            # On a disk that takes nothing it is tried again with the next start.
            with contextlib.suppress(NotSaved):
                self._draw_at_last()

    def _draw_at_last(self) -> None:
        """The power went between an action and the draws that it led to."""
        game = self._running()
        drawn = draws(game, self._state, self._seed, len(self._deeds), self._on_top)
        if drawn:
            self._save(self._sealed(), *self._acted(game, drawn))
            self._accept(*drawn)

    def follow(self, entry: AnyEntry) -> None:
        """Play one entry of a record, which is not written again; a refusal says why it cannot be played."""
        if isinstance(entry, Entry) and "mended" in entry.after:
            self._known_until = len(self._deeds)
        match entry:
            case Started():
                game = games.find(entry.game)
                state = opened(game, entry.options, entry.position)
                entry = entry if self._seeded else replace(entry, seed=None)
                self._begin(game, state, entry.seed, Chain(entry, game.secret_options))
            case Acted():
                game = self._running()
                action = read(entry.action, game.action, "action")
                self._accept(Step(entry.seat, action, *game.apply(self._state, entry.seat, action)))
                # Whatever is done makes void what was taken back before.
                self._redoable.clear()
            case Undone():
                self._take_back(self._running(), entry.seat, self._last_deeds())
            case Redone():
                if self.redoable_by() != entry.seat:
                    raise Illegal("companion.nothing_to_redo")
                self._do_again(self._again(self._running()))
            case Left():
                self._game, self._state = None, None
        if self._chain is not None:
            self._chain.follow(entry)

    def check_undo(self, seat: Seat, consent: Sequence[Seat] = ()) -> None:
        """Refuse an undo that this seat may not do with this consent."""
        self._check_takes_back(seat, *consent)
        self._check_consent(self._running(), seat, consent, self._last_deeds())
