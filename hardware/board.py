"""A board with a kit, connected to a table: contacts come in, lamps go out, and time moves both.

All of its parts take the time as an argument and say when they want to be called next, so that the same
objects run in a thread on a Pi (`hardware.loop`) and step by step on a virtual clock in tests.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.board import Sign
from companion.clock import Clock
from companion.contract import PUBLIC, Event, Seat
from companion.picture import PALETTES, STYLES, Palette, Picture, Pointer
from companion.refusals import Illegal, Refusal
from companion.table import Change, Table
from companion.words import Saying
from hardware import signs
from hardware.frames import DARK, Frame, Glows, Scene, asleep, glows, spelled
from hardware.hands import Hands
from hardware.kits import Grid, Kit, Status
from hardware.lifts import Lifts
from hardware.presses import Presses
from hardware.shine import Shine
from hardware.sound import Narrator, Speaker
from hardware.status import StatusLamp
from hardware.wires import Wires

if TYPE_CHECKING:
    from hardware.doctor import Visit


class WiredBoard:
    """The board on the table. Whatever breaks on it is told in `faults`, and the game goes on."""

    def __init__(
        self,
        kit: Kit,
        table: Table,
        clock: Clock,
        wires: Wires,
        *,
        on_rest: Callable[[], None] | None = None,
        patient: bool = False,
    ) -> None:
        self.kit = kit
        self.table = table
        self.clock = clock
        self.wires = wires
        self.brightness = 1.0
        """From 0, the kit's night brightness, to 1, its full one."""
        self.palette: Palette = "standard"
        """For whose eyes the lamps shine."""
        self.on_rest = on_rest
        """Called when somebody asked for the plug to be pulled and all is saved."""
        self.wake: Callable[[], None] = _nothing
        """Called whenever there may be something to do before it is due."""
        self.news: Callable[[], None] = lambda: self.wake()
        """Called when the table changed by another hand than one at this board."""
        self._lock = threading.RLock()
        self._told: list[Event] | None = None
        self._refusal: Refusal | None = None
        self._stale, self._changed_since, self._fresh = True, True, False
        self._handling = False
        self._seen: tuple[object, ...] = ()
        self._looked_at = self._shown = -1
        self._visit: Visit | None = None
        self._sign: Sign | None = None
        self._question: int | None = None
        self._total = signs.Total()
        self._fitted = kit.fitted(kit.grid)
        self._hands = Hands(self._fitted, wires, self._changed, self._edge, clock.now(), patient)
        self._status: StatusLamp | None = None
        self._narrator = Narrator(table, Speaker(kit.sound.device)) if kit.sound else None
        self._fit_lamps()
        self._lay_simulated()
        self._unsubscribe = table.subscribe(self._table_changed)

    def _fit_lamps(self) -> None:
        """Whatever depends on how many rooms there are."""
        kit = self._fitted
        self._presses = Presses(self.table, kit.grid)
        self._lifts = Lifts(self.table, self._hands.closed_rooms) if kit.senses_tiles else None
        self._scene = Scene()
        self.shine = Shine(lambda: self.wires.lights(kit))

    def _lay_simulated(self) -> None:
        """Where nobody can lay tiles, they lie from the beginning as the record has them."""
        game = self.table.game
        lying = game.lying(self.table.view(PUBLIC)) if game and self.wires.still else None
        if lying is not None and not self.misfit():
            self._hands.lay(set(lying), self.clock.now())

    # Contacts

    @property
    def buttons(self) -> list[str]:
        """The names of all contacts."""
        return self._hands.names()

    @property
    def simulated(self) -> bool:
        """Whether `press` is its only finger."""
        return self.wires.still

    def press(self, button: str) -> Sequence[Event]:
        """Close a contact of a simulated kit; what the table heard of it at once comes back."""
        return self._touch(button, True)

    def release(self, button: str) -> Sequence[Event]:
        """Open a contact of a simulated kit."""
        return self._touch(button, False)

    def _touch(self, button: str, closed: bool) -> Sequence[Event]:
        self.check_fit()
        if button not in self.buttons:
            raise Illegal("hardware.no_contact", kit=self.kit.name, button=button, known=_brief(self.buttons))
        with self._lock:
            told: list[Event] = []
            self._told = told
            self._refusal = None
            self.wires.touch(button, closed)
            self._hands.nudge(self.clock.now())
            self._told, refusal = None, self._refusal
        self.wake()
        if refusal:
            raise refusal
        return told

    def _edge(self, name: str, closed: bool, ago: float) -> None:
        """A pin changed, in whatever thread the pins speak."""
        with self._lock:
            self._hands.edge(name, closed, self.clock.now() - (0 if self.wires.still else ago))
        self.wake()

    def _changed(self, name: str, closed: bool, now: float) -> None:
        """A contact changed, and it is believed."""
        self._handling, self._refusal = True, None
        try:
            told = self._heard(name, closed, now)
        except Refusal as refusal:
            self._refusal, told = refusal, ()
        finally:
            self._handling = False
        if self._told is not None:
            self._told += told
        self._stale = True

    def _heard(self, name: str, closed: bool, now: float) -> Sequence[Event]:
        if self._visit:
            if closed:
                self._visit.answer(name)
            return ()
        # With nothing to play here BACK and POWER still count: a long press asks for the plug at any time.
        if name not in ("back", "power") and (self.table.game is None or self.misfit()):
            return ()
        self._catch_up()
        if name.startswith("room"):
            assert self._lifts is not None
            room = int(name[4:])
            return self._lifts.put(room, now) if closed else self._lifts.lifted(room, now)
        if closed:
            return self._presses.pressed(name, now)
        self._presses.released(name)
        return ()

    # The table

    def _table_changed(self, change: Change) -> None:
        # Called with the table's lock held: only a note is made here, and whoever owns our lock reads it.
        self._stale = self._changed_since = True
        self._fresh |= change.fresh
        if not self._handling:
            self.news()

    def _catch_up(self) -> None:
        """Take notice of what happened at the table since we last looked."""
        if not self._changed_since:
            return
        fresh, self._changed_since, self._fresh = self._fresh, False, False
        self._fit()
        if fresh:
            self._lay_simulated()
        self._presses.table_changed(fresh)

    def _fit(self) -> None:
        """A kit without a size of its own takes the game's."""
        game = self.table.game
        if self.kit.board is None and game and game.grid and Grid(*game.grid) != self._fitted.board:
            self.shine.close()
            self._fitted = self.kit.fitted(Grid(*game.grid))
            record = self.shine.record
            self._fit_lamps()
            self.shine.record = record

    def misfit(self) -> Saying | None:
        """Why this kit cannot show the game that is being played, if it cannot."""
        game, kit = self.table.game, self.kit
        if game is None or game.grid is None:
            return None
        fits = kit.board in (None, Grid(*game.grid)) if kit.has_rooms else False
        rooms, needed = len(kit.grid.rooms) if kit.has_rooms else 0, len(Grid(*game.grid).rooms)
        facts = {"kit": kit.name, "rooms": rooms, "game": game.name, "needed": needed}
        return None if fits else Saying("hardware.misfit", **facts)

    def check_fit(self) -> None:
        """Refuse to go on with a kit that has other rooms than the game."""
        if saying := self.misfit():
            raise Illegal(saying.key, rule=None, **saying.facts)

    # Time

    def due(self, now: float, animated: bool = True) -> float | None:
        """When something happens by itself: now, if something has changed."""
        if self._stale:
            return now
        parts = [self._hands.due(), self._presses.due(), self._total.due(), self.shine.due()]
        if self._lifts:
            parts.append(self._lifts.due(now))
        if animated:
            parts.append(self._scene.next_change(now))
        if self._status:
            parts.append(self._status.due(now))
        if self._narrator:
            parts.append(self._narrator.due())
        return min((part for part in parts if part is not None), default=None)

    def advance(self, now: float) -> None:
        """Do what is due, and show it."""
        with self._lock:
            self._catch_up()
            was_resting = self._presses.resting
            self._hands.advance(now)
            self._presses.advance(now)
            if self._total.ends(now) or self._stale or self._outlook(now) != self._seen:
                self._stale = False
                self._look(now)
            frame = self._frame(self._scene, now)
            went_to_rest = self._presses.resting and not was_resting
        self.shine.send(frame, now)
        self._shown = self._looked_at
        if self.kit.status:
            self._light_status(self.kit.status, now)
        if self._narrator:
            self._narrator.listen(self.peek, now)
        if went_to_rest and self.on_rest:
            self.on_rest()

    def _light_status(self, status: Status, now: float) -> None:
        """On while all is well, blinking while the table or the board needs somebody."""
        try:
            self._status = self._status or StatusLamp(status, self.wires.factory)
        except Refusal:
            # Told by the contacts, whose pins cannot be had either; it is tried again with the next change.
            return
        visit = self._visit
        if visit and visit.question:
            # Still between its questions, so that whoever is asked about it sees it begin to blink.
            calls = visit.calling
        else:
            calls = self._sign not in (None, "ready") or bool(self.faults())
        self._status.show("off" if self._presses.resting else "calls" if calls else "well", now)

    def _frame(self, scene: Scene, now: float) -> Frame:
        """The colours of a scene, as bright and in the palette that the table wants."""
        kit = self._fitted
        return scene.frame(now, kit.chain, kit.lamps, self.brightness, PALETTES[self.palette])

    def _outlook(self, now: float) -> tuple[object, ...]:
        """What of the board itself, beside the table, decides how the lamps look."""
        presses = self._presses
        return presses.pointer, presses.peek, presses.resting, self._asked(now), self.brightness

    def _asked(self, now: float) -> int | None:
        """The one room about which a lamp asks: what a person is led to comes first."""
        if self._question is not None:
            return self._question
        return self._lifts.asked(now) if self._lifts else None

    def _look(self, now: float) -> None:
        """Look at the table again and set the scene."""
        if self._lifts:
            self._lifts.compare(now)
        self._seen, self._looked_at = self._outlook(now), self.table.version
        picture = self._picture(self._presses.peek)
        self._total.note(picture.gauges, now)
        self._scene.show(self._glows(picture, now), now)

    def _picture(self, peek: Seat | None) -> Picture:
        if self._presses.resting:
            return Picture(rooms=signs.farewell(self._fitted.grid))
        with self.table.lock:  # a phone may end the game between two looks
            if self.table.game is None or self.misfit():
                return Picture()
            return self.table.picture(self._presses.pointer, peek)

    def _glows(self, picture: Picture, now: float) -> Glows:
        """How the lamps shine for a picture, and for what the board itself has to say."""
        kit, total, asked = self._fitted, self._total.spelled(), self._asked(now)
        if self._visit:
            return self._visit.lit
        if self._sign and self.table.game is None and not self._presses.resting and kit.strips:
            return signs.lit(self._sign, kit)
        if total is not None and any(strip.digits for strip in kit.strips):
            picture = replace(picture, rooms=signs.number(total, kit.grid))
        if asked is not None and not self._presses.resting:
            picture = replace(picture, rooms={**picture.rooms, asked: STYLES["differs"]})
        lit = glows(kit, picture)
        return asleep(lit) if self.table.paused and not self._presses.resting else lit

    # Lamps

    @property
    def sign(self) -> Sign | None:
        """What the lamps say while no game is on."""
        return self._sign

    @sign.setter
    def sign(self, sign: Sign | None) -> None:
        if sign != self._sign:
            self._sign, self._stale = sign, True
            self.wake()

    @property
    def pointer(self) -> Pointer | None:
        """Where the cursor is, if one is shown."""
        return self._presses.pointer

    @property
    def peek(self) -> Seat | None:
        """The seat that holds PEEK now: screens stay dark meanwhile."""
        return self._presses.peek

    @property
    def shown(self) -> int:
        """The version of the table that the lamps show."""
        return self._shown

    def strips(self, peek: Seat | None = None) -> dict[str, list[str]]:
        """The colours of the lamps now, or as they would be if a seat held PEEK."""
        frame = self.shine.frame if peek is None else self._imagined(peek)
        kit = self._fitted
        frame = frame or (DARK,) * kit.lamps
        return {strip.name: spelled(frame, strip, kit) for strip in kit.strips}

    def _imagined(self, peek: Seat) -> Frame:
        now, scene = self.clock.now(), Scene()
        with self._lock:
            scene.show(self._glows(self._picture(peek), now), now)
            return self._frame(scene, now)

    # Health and the end

    def unready(self) -> Sequence[Saying]:
        """What this machine lacks for the kit."""
        from hardware import machine

        return machine.problems(self.kit, machine.this_machine())

    def examine(self, quick: bool = False) -> Visit:
        """Begin a doctor's visit: it has the lamps and the contacts until `dismiss`."""
        from hardware.doctor import Visit

        with self._lock:
            self._visit = Visit(
                self._fitted, self._hands.held(), quick, lambda: self._hands.damage(self.clock.now())
            )
            self._stale = True
        self.wake()
        return self._visit

    def answer(self, said: str) -> None:
        """What a person says to the doctor."""
        with self._lock:
            if self._visit:
                self._visit.answer(said)
            self._stale = True
        self.wake()

    def dismiss(self) -> None:
        """End the visit: lamps and contacts belong to the game again, as it stands."""
        with self._lock:
            self._visit = None
            self._stale = self._changed_since = True
        self.wake()

    def ask(self, room: int | None) -> None:
        """Let the lamp of a room ask whether board and record agree there, or of none."""
        # Without our lock, as for `faults`: the lamps are looked at again as soon as there is time.
        if room != self._question:
            self._question, self._stale = room, True
            self.wake()

    def differing(self) -> list[int] | None:
        """The rooms where the board feels something else than the record says; null if it cannot tell."""
        return self._lifts.differing() if self._lifts and not self.misfit() else None

    def faults(self) -> tuple[Saying, ...]:
        """Everything that seems to be broken, for host and doctor; nothing is the normal case."""
        # Without our lock: whoever asks may hold the table's, and a finger may be waiting for that one.
        now, refusal = self.clock.now(), self._refusal
        found = [*self._hands.faults(now), *self.shine.faults()]
        found += self._lifts.faults(now) if self._lifts else []
        found += self._narrator.faults() if self._narrator else []
        last = (self.misfit(), refusal.saying if refusal else None)
        return (*found, *(saying for saying in last if saying))

    def close(self) -> None:
        """Lamps dark, unless they say that the plug may be pulled; pins free."""
        self._unsubscribe()
        if not self._presses.resting:
            self.shine.send((DARK,) * self._fitted.lamps, float("inf"))
        self.shine.close()
        self._hands.close()
        for part in (self._status, self._narrator):
            if part:
                part.close()
        self.wires.close()


def _brief(names: list[str]) -> tuple[Any, ...]:
    """A few names, and the last: nobody wants to read 54 rooms."""
    rooms = [name for name in names if name.startswith("room")]
    others = [name for name in names if not name.startswith("room")]
    return (*others, f"{rooms[0]}…{rooms[-1]}") if rooms else tuple(others)


def _nothing() -> None:
    return
