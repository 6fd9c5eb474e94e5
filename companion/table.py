"""The table: the only thing that changes. One lock, one state, one record, one list of subscribers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from random import Random, SystemRandom
from typing import Any, TypeVar

import msgspec

from companion import bots, games
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
    Odds,
    Seat,
    Told,
    View,
    heard,
    plain,
    read,
    read_options,
)
from companion.findings import Findings, Standing
from companion.journal import Acted, AnyEntry, Journal, Left, Redone, Started, Undone
from companion.picture import Picture, Pointer, cued
from companion.refusals import Forbidden, Illegal, NoGame, NotYourTurn, Refusal
from companion.words import Saying

log = logging.getLogger(__name__)


class Deed(msgspec.Struct):
    """An accepted action as the table remembers it, with the state it was done in."""

    n: int
    seat: Seat
    action: Any
    told: tuple[Told, ...]
    before: Any
    at: float
    undone: bool = False
    lines: dict[tuple[bool, bool], Line] = {}
    """What the open record shows of it: while the game goes on and when it is over, standing and undone."""


class Line(msgspec.Struct, frozen=True):
    """A deed as the open record shows it."""

    n: int
    seat: Seat
    action: dict[str, Any]
    events: tuple[Any, ...]
    undone: bool


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

    def __init__(self, journal: Journal | None = None, clock: Clock | None = None) -> None:
        self.clock = clock or SystemClock()
        self.journal = journal
        self.notices: list[Saying] = journal.notices if journal else []
        self.paused = False
        self._lock = threading.RLock()
        self._subscribers: list[Subscriber] = []
        self._game: Game[Any] | None = None
        self._state: Any = None
        self._findings: Findings | None = None
        self._seed: int | None = None
        self._deeds: list[Deed] = []
        self._redoable: list[tuple[Seat, list[Deed]]] = []
        self._on_top: list[Any] = []
        """Draws that were taken back: the cards lie on top of their piles again, so they come again."""
        self._copied: tuple[tuple[Cue, ...], int] = ((), 0)
        self._version = 0
        self._entries = journal.count if journal else 0
        if journal:
            self._resume(journal.entries)

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
            state = _opened(found, options, position)
            self._save(Started(*self._stamp(), game, options, position, seed))
            self._begin(found, state, seed)
            told = self._draw()
            self._publish(told, fresh=True)
            return self.standing()

    def leave(self) -> None:
        """Abandon the running game; it stays in the record."""
        with self._lock:
            self._running()
            self._save(Left(*self._stamp()))
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
            self._save(Acted(*self._stamp(), seat, plain(typed), via))
            self._accept(seat, typed, after, told)
            self._redoable.clear()
            drawn = self._draw()
            self._publish((*told, *drawn))
            return heard((*told, *drawn), seat)

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
            self._save(Undone(*self._stamp(), seat, tuple(consent)))
            self._take_back(game, seat, deeds)
            self._publish(())
            return self.standing()

    def redo(self, seat: Seat) -> Standing:
        """Do again what this seat has just taken back."""
        with self._lock:
            game = self._running()
            self._check_takes_back(seat)
            if not self._redoable:
                raise Illegal("companion.nothing_to_redo")
            if self._redoable[-1][0] != seat:
                raise Forbidden("companion.not_yours_to_redo")
            self._save(Redone(*self._stamp(), seat))
            self._publish(self._do_again(game))
            return self.standing()

    # The door out

    @property
    def game(self) -> Game[Any] | None:
        """The game being played, if there is one."""
        return self._game

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

    def apart(self, one: Seat, other: Seat) -> bool:
        """Whether two seats may have secrets from each other now; nobody's secret tells."""
        with self._lock:
            return self._running().apart(self._state, one, other)

    def odds(self) -> Odds:
        """The hunters' map, from public knowledge alone."""
        with self._lock:
            game = self._running()
            return game.odds(game.view(self._state, PUBLIC))

    def picture(self, pointer: Pointer | None = None, peek: Seat | None = None) -> Picture:
        """What the shared lamps show now; `peek` is a seat that holds PEEK."""
        with self._lock:
            if peek is not None and not self._plays(peek):
                raise Forbidden("companion.no_such_seat", seat=peek)
            picture = self._known().picture(pointer, peek)
            cues, done = self.copying()
            return cued(picture, cues[done].gauge) if done < len(cues) else picture

    def copying(self) -> tuple[tuple[Cue, ...], int]:
        """The steps that people copy on the real board, and how many of them they have copied."""
        with self._lock:
            cues = self._known().cues()
            known, done = self._copied
            return cues, done if cues[:done] == known[:done] else 0

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

    def bot(self, seat: Seat, level: str = "random") -> Action:
        """What a bot would do in a seat's place; it is not played."""
        with self._lock:
            game = self._running()
            if not self._plays(seat) and seat != TABLE:
                raise Forbidden("companion.no_such_seat", seat=seat)
            choices = game.legal(self._state, seat)
            if not choices:
                if not game.to_act(self._state):
                    raise Illegal("companion.game_over")
                raise NotYourTurn("companion.not_your_turn", seats=game.to_act(self._state))
            return bots.find(level)(game, game.view(self._state, seat), choices, self._chance(f"bot {seat}"))

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

    def _stamp(self) -> tuple[int, float]:
        return self._entries + 1, round(self.clock.now(), 3)

    def _save(self, entry: AnyEntry) -> None:
        """Durable first; only then does anything change."""
        if self.journal:
            self.journal.append(entry)
        self._entries = entry.n

    def _begin(self, game: Game[Any], state: Any, seed: int | None) -> None:
        self._game, self._state, self._seed = game, state, seed
        self._deeds, self._redoable, self._on_top = [], [], []

    def _accept(self, seat: Seat, action: Any, after: Any, told: tuple[Told, ...]) -> None:
        n = len(self._deeds) + 1
        self._deeds.append(Deed(n, seat, action, told, self._state, self.clock.now()))
        self._state = after
        self._turned_up(seat, action)

    def _draw(self) -> tuple[Told, ...]:
        """Let chance act as long as it is its turn; people tell it what real cards said."""
        game = self._running()
        told: tuple[Told, ...] = ()
        while game.to_act(self._state) == (TABLE,):
            action = game.chance(self._state, self._chance("table"))
            if action is None:
                break
            action = self._topmost(game) or action
            after, heard_now = game.apply(self._state, TABLE, action)
            self._save(Acted(*self._stamp(), TABLE, plain(action)))
            self._accept(TABLE, action, after, heard_now)
            told = (*told, *heard_now)
        return told

    def _topmost(self, game: Game[Any]) -> Any | None:
        """What was drawn before and taken back, if it can come now."""
        if not self._on_top:
            return None
        possible = game.legal(self._state, TABLE)
        return next((action for action in self._on_top if action in possible), None)

    def _turned_up(self, seat: Seat, action: Any) -> None:
        if seat == TABLE and action in self._on_top:
            self._on_top.remove(action)

    def _chance(self, purpose: str) -> Random:
        """Randomness: the system's, or what a seed gives for this purpose at this point of the record."""
        if self._seed is None:
            return SystemRandom()
        return Random(f"{self._seed} {purpose} {len(self._deeds)}")

    def _last_deeds(self) -> list[Deed]:
        """The last action still standing, and the draws that it led to."""
        standing = [deed for deed in self._deeds if not deed.undone]
        deeds: list[Deed] = []
        while standing and not (deeds and not self._was_drawn(deeds[0])):
            deeds.insert(0, standing.pop())
        if not deeds or self._was_drawn(deeds[0]):
            raise Illegal("companion.nothing_to_undo")
        return deeds

    def _was_drawn(self, deed: Deed) -> bool:
        """Whether the companion drew it, so that it goes back with what led to it; people tell real cards."""
        return deed.seat == TABLE and self._running().chance(deed.before, Random(0)) is not None

    def _check_takes_back(self, seat: Seat, *consent: Seat) -> None:
        """Only players, the host and the moderator take back; only players consent."""
        for other in (*consent, seat):
            if not self._plays(other) and not (other == seat and seat in (HOST, MODERATOR)):
                raise Forbidden("companion.no_such_seat", seat=other)

    def _check_consent(self, game: Game[Any], seat: Seat, consent: Sequence[Seat], deeds: list[Deed]) -> None:
        """Its own seat, if it told that seat nothing; else both sides agree, or the moderator says so."""
        if seat == MODERATOR:
            return
        deed = deeds[0]
        after = deeds[1].before if len(deeds) > 1 else self._state
        # What the whole table did together, anybody takes back.
        own = deed.seat == TABLE or (seat == deed.seat and len(deeds) == 1)
        if own and game.told_nothing(deed.before, deed.action, after):
            return
        sides = {game.side(self._state, chair.seat) for chair in self.chairs()}
        agreed = {game.side(self._state, other) for other in (seat, *consent) if self._plays(other)}
        # Where all are on one side, one seat alone may not untell what chance has told.
        alone = len(deeds) > 1 and len({seat, *consent}) < 2 <= len(self.chairs())
        if agreed != sides or alone:
            raise Forbidden("companion.needs_consent")

    def _take_back(self, game: Game[Any], seat: Seat, deeds: list[Deed]) -> None:
        for deed in deeds:
            deed.undone = True
        self._on_top = [deed.action for deed in deeds if self._was_drawn(deed)] + self._on_top
        self._state = game.seen(deeds[0].before, self._state)
        self._redoable.append((seat, deeds))

    def _do_again(self, game: Game[Any]) -> tuple[Told, ...]:
        _, deeds = self._redoable.pop()
        for deed in deeds:
            deed.before = self._state
            self._state, deed.told = game.apply(self._state, deed.seat, deed.action)
            self._turned_up(deed.seat, deed.action)
            deed.undone, deed.lines = False, {}
        return tuple(told for deed in deeds for told in deed.told)

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
        """Play the record through, as far as it goes."""
        last = max((i for i, entry in enumerate(entries) if isinstance(entry, Started)), default=None)
        if last is None:
            return
        for entry in entries[last:]:
            try:
                self._follow(entry)
            except Refusal as refusal:
                # What follows cannot be played either; new entries must not come after it.
                kept = [known for known in entries if known.n < entry.n]
                self._journal_kept(
                    kept, Saying("companion.entry_refused", entry=entry.n, reason=refusal.saying)
                )
                break
        if self._game is not None:
            self._draw()

    def _journal_kept(self, entries: list[AnyEntry], fault: Saying) -> None:
        assert self.journal is not None
        self.journal.keep(entries, fault)
        self._entries = self.journal.count

    def _follow(self, entry: AnyEntry) -> None:
        match entry:
            case Started():
                game = games.find(entry.game)
                self._begin(game, _opened(game, entry.options, entry.position), entry.seed)
            case Acted():
                game = self._running()
                action = read(entry.action, game.action, "action")
                self._accept(entry.seat, action, *game.apply(self._state, entry.seat, action))
                if entry.seat != TABLE:
                    self._redoable.clear()
            case Undone():
                self._take_back(self._running(), entry.seat, self._last_deeds())
            case Redone():
                self._do_again(self._running())
            case Left():
                self._game, self._state = None, None


def _opened(game: Game[Any], options: dict[str, Any], position: dict[str, Any] | None) -> Any:
    """The first state of a game, from plain data."""
    if position is None:
        return game.start(read_options(game, options))
    if "players" in options and position.get("players", options["players"]) != options["players"]:
        raise Illegal("companion.players_differ")
    return game.enter(read_options(game, options), read(position, game.position, "position"))
