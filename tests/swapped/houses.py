"""A whole evening in memory, whose truth can be exchanged, and everything that leaves it for one seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from companion.clock import VirtualClock
from companion.contract import HOST, PUBLIC, Game, Seat, plain
from companion.course import Deed, Step
from companion.headless import Actions, Lit, Viewed
from companion.refusals import Refusal
from companion.table import Table
from hardware import frames, kits
from web.evening.demo import Demos
from web.evening.evening import Evening, _choices
from web.people.guest_book import Guest, Sitting
from web.push.audience import Audience
from web.push.lamps import lit
from web.push.page_cache import DrawnPage, PageCache
from web.push.scenes import SceneBuilder
from web.render import pages
from web.scene import Page

KITS = {"phantom": "simulated", "canterville": "castle-rows", "artefacts": "manor"}
FRAMES = 6
"""So many frames of the lamps are compared after a change, however long they would go on to move."""
TOKEN = "0" * 32

Said = dict[str, bytes]
"""What leaves the companion, by the way out."""

_encoder = msgspec.json.Encoder(enc_hook=repr)


class Move(NamedTuple):
    """Who does what."""

    seat: Seat
    action: Any


class House:
    """One table with a person on every chair, a host who does not play and somebody who watches."""

    def __init__(self, game: str, options: dict[str, Any], language: str, like: House | None = None) -> None:
        """`like` is the house whose codes this one has, so that pages can be compared."""
        self.clock, self.language = VirtualClock(), language
        self.table = Table(clock=self.clock)
        self.evening = Evening(self.table, clock=self.clock)
        self.table.new(game, options, seed=1)
        self.table._luck = 1
        if like is not None:
            self.evening.codes = like.evening.codes
        self._invite()
        self.kit = kits.load(KITS[game])
        self._draw_afresh()

    def _invite(self) -> None:
        seats = [chair.seat for chair in self.table.chairs()]
        guests = [Guest(id=f"guest-{seat}", name=f"Guest {n}", key="") for n, seat in enumerate(seats)]
        guests += [
            Guest(id="guest-host", name="Mrs Kerr", key="", host=True),
            Guest(id="guest-public", name="Isla", key=""),
        ]
        sitting = {seat: Sitting(guest=f"guest-{seat}") for seat in seats}
        self.evening.change(msgspec.structs.replace(self.evening.book, guests=tuple(guests), seats=sitting))
        for guest in guests:
            self.evening.presences.heard(guest.id)

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        assert self.table.game is not None
        return self.table.game

    @property
    def state(self) -> Any:
        """The whole truth."""
        return self.table._state

    # What is so

    def jump(self, deeds: list[Deed], state: Any) -> None:
        """Be at a moment of a game that was played elsewhere."""
        self.table._deeds = list(deeds)
        self.become(state)

    def become(self, state: Any) -> None:
        """Let something else be true, and nothing that was drawn before be remembered."""
        self.table._state = state
        self.evening.choices = _choices(self.table)
        self._draw_afresh()

    def play(self, moves: list[Move]) -> None:
        """An action and its draws happen as by `Table.act`, but that chance has no say: they are given."""
        steps, state = list[Step](), self.state
        for seat, action in moves:
            state, told = self.game.apply(state, seat, action)
            steps.append(Step(seat, action, state, told))
        happened = self.table._accept(*steps)
        self.table._redoable.clear()
        self.table._publish(happened)

    def _draw_afresh(self) -> None:
        self.builder = SceneBuilder(self.evening, Demos())
        self.pages = PageCache(self.builder, pages)

    # What leaves

    def audiences(self, seat: Seat) -> Iterator[tuple[Page, Audience]]:
        """The pages that a seat's eyes are on."""
        looking: dict[Seat, tuple[Page, ...]] = {HOST: ("host",), PUBLIC: ("table", "watch")}
        for page in looking.get(seat, ("play",)):
            own = seat if page == "play" else None
            yield page, Audience(page, self.language, f"guest-{seat}", own, joined=True)

    def drawn(self, seat: Seat) -> dict[Page, DrawnPage]:
        """The pages of a seat as they are now."""
        return {page: self.pages.pushed(to) for page, to in self.audiences(seat)}

    def picture(self) -> Any:
        """What the lamps show."""
        return self.table.picture()

    def said(
        self, seat: Seat, before: dict[Page, DrawnPage], picture: Any, attempts: list[Any], history: bool
    ) -> Said:
        """Everything that leaves for a seat now; `before` and `picture` are the moment before this one."""
        found = dict(self._pages(seat, before)) | dict(self._answers(seat, attempts))
        if history:
            found["history"] = coded(plain(self.table.history()))
            found["versions"] = coded(self._versions(seat))
        if seat == PUBLIC:
            found |= dict(self._for_all(picture))
        return found

    def _pages(self, seat: Seat, before: dict[Page, DrawnPage]) -> Iterator[tuple[str, bytes]]:
        for page, to in self.audiences(seat):
            yield f"{page}, scene", coded(self.builder.scene(to))
            now = self.pages.pushed(to)
            yield f"{page}, page", now.html()
            if page in before:
                yield f"{page}, push", now.since(before[page])
            if page != "play":
                yield f"{page}, document", self.pages.document(to, TOKEN)

    def _answers(self, seat: Seat, attempts: list[Any]) -> Iterator[tuple[str, bytes]]:
        view = self.table.view(seat)
        yield "API view", coded(Viewed(view=plain(view.shows)))
        yield "API legal", coded(Actions(actions=[plain(action) for action in self.table.legal(seat)]))
        yield "picture", coded(self.game.picture(view))
        yield "odds", coded(refusable(lambda: self.game.odds(view)))
        yield "refusals", coded([self._attempt(seat, action) for action in attempts])

    def _attempt(self, seat: Seat, action: Any) -> Any:
        try:
            self.game.apply(self.state, seat, action)
        except Refusal as refusal:
            return refusal.code, refusal.rule, refusal.message()
        return "taken"

    def _for_all(self, before: Any) -> Iterator[tuple[str, bytes]]:
        view, now = self.table.view(PUBLIC), self.picture()
        lamps = lit(self.table, None, {}, ())
        yield "API lamps", coded(Lit(strips={}, gauges=plain(lamps.gauges), marks=plain(lamps.marks)))
        yield "lamp frames", b"".join(lamp_frames(self.kit, before, now))
        yield "map", coded(refusable(lambda: self.game.odds(view, "careful")))
        yield "clue", coded(refusable(lambda: self.game.clue(view)))
        yield "standing", coded((self.table.standing(), self.table.chairs(), tuple(self.evening.choices)))

    def _versions(self, seat: Seat) -> Any:
        """By these a phone finds out that something happened, and when its own choices changed."""
        versions = self.evening.versions
        return versions.now, versions.besides_moves, versions.own(seat), versions._choices_since.get(seat)


def coded(value: Any) -> bytes:
    """Anything at all, so that it can be compared."""
    return _encoder.encode(value)


def refusable(ask: Callable[[], Any]) -> Any:
    """An answer, or the words of its refusal."""
    try:
        return ask()
    except Refusal as refusal:
        return refusal.code, refusal.message()


def lamp_frames(kit: kits.Kit, before: Any, now: Any) -> Iterator[bytes]:
    """The frames that the lamps are sent after a change, each with its moment, on a clock of their own."""
    scene, moment = frames.Scene(), 1.0
    scene.show(frames.glows(kit, before), 0.0)
    scene.show(frames.glows(kit, now), moment)
    for _ in range(FRAMES):
        colours = scene.frame(moment, kit.chain, kit.lamps)
        yield b"%r:" % moment + b"".join(map(bytes, colours))
        following = scene.next_change(moment)
        if following is None or following <= moment:
            return
        moment = following


def deeds_of(game: Game[Any], start: Any, moves: list[Move]) -> tuple[list[Deed], list[Any]]:
    """A game as a table remembers it, and its states: one more than moves."""
    deeds, states = list[Deed](), [start]
    for n, (seat, action) in enumerate(moves, start=1):
        after, told = game.apply(states[-1], seat, action)
        deeds.append(Deed(n, seat, action, told, states[-1], 0.0))
        states.append(after)
    return deeds, states
