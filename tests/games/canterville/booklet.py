"""Gespensterjagd a second time, read straight from the rules and as plainly as possible.

It shares no code with the game it is compared with: rooms are sets, actions are plain data, and whatever can
be tried is tried. Besides the truth it keeps `theories`: every route that the hunters must still reckon with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

RED_DOORS = {12, 17, 24, 30, 34, 37, 45, 51}
FIGURES = {1: [["a", "b", "c"]], 2: [["a", "b"], ["c", "d"]], 3: [["a"], ["b"], ["c"]], 4: list("abcd")}
Data = dict[str, Any]


@dataclass
class Theory:
    """One way Max can have gone: rooms, or 0 for a pause."""

    route: list[int]
    visited: set[int]
    pauses: int

    @property
    def room(self) -> int:
        return [room for room in self.route if room][-1]

    @property
    def before(self) -> int:
        return ([0] + [room for room in self.route if room])[-2]

    def laid(self, room: int) -> int | None:
        """When the card of a room was last laid."""
        return max((turn for turn, card in enumerate(self.route) if card == room), default=None)

    def gone(self, room: int) -> Theory:
        return Theory([*self.route, room], self.visited | {room}, self.pauses)

    def paused(self) -> Theory:
        return Theory([*self.route, 0], self.visited, self.pauses - 1)


@dataclass
class Booklet:
    """A table that follows the booklet."""

    options: Data
    frames: dict[str, list[int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = self.options
        castle = given["castle"]
        self.rooms = set(castle["rooms"])
        self.ways = {frozenset(way) for way in castle["walls"] + castle["walks"]}
        self.ways.add(frozenset((1, 54)))
        if given["chimney"]:
            self.ways.add(frozenset((42, 53)))
        self.walks = {frozenset(way) for way in castle["walks"]}
        self.doors = {int(room): beyond for room, beyond in castle["doors"].items()}
        self.hunters = {f"h{n + 1}": list(own) for n, own in enumerate(FIGURES[given["hunters"]])}
        self.figures: dict[str, int] = {}
        self.max: Theory | None = None
        self.theories: list[Theory] = []
        self.hidden = 0
        self.x2, self.locks, self.holder = given["x2"], given["door_uses"], given["trap"]
        self.locked: int | None = None
        self.loosened = False
        self.trap: int | None = None
        self.seen: str | None = None
        self.frame: str | None = None
        self.phase = "starting"
        self.done: list[str] = []
        self.winner: tuple[str, str] | None = None

    # Who may do what

    def to_act(self) -> list[str]:
        if self.phase == "over":
            return []
        if self.phase == "starting":
            placing = [s for s, own in self.hunters.items() if any(f not in self.figures for f in own)]
            return placing or ["max"]
        if self.phase == "framing":
            return list(self.hunters)
        first = "max" if self.phase == "max" else self.hunter()
        joins = self.options["trap_when"] == "any_time_between_turns" and self.holder not in (None, first)
        return [first, self.holder] if joins else [first]

    def hunter(self) -> str:
        return next(s for s, own in self.hunters.items() if any(f not in self.done for f in own))

    def legal(self, seat: str) -> list[Data]:
        tries = [{"type": "pause"}]
        tries += [{"type": kind, "room": r} for kind in ("move", "cheat", "lock", "trap") for r in range(60)]
        tries += [{"type": "start", "room": r} for r in range(60)]
        for figure in "abcd":
            tries += [{"type": kind, "figure": figure} for kind in ("stay", "unlock")]
            tries += [{"type": k, "figure": figure, "room": r} for k in ("walk", "start") for r in range(60)]
        tries += [{"type": "frame", "animal": animal} for animal in self.frames]
        return [action for action in tries if self.allows(seat, action)]

    def allows(self, seat: str, action: Data) -> bool:
        kind, room, figure = action["type"], action.get("room"), action.get("figure")
        if self.phase == "starting" and kind == "start":
            if seat == "max":
                return figure is None and room in self.rooms and room not in self.figures.values()
            return figure in self.hunters[seat] and figure not in self.figures and room in self.rooms
        if self.phase == "framing" and kind == "frame":
            size, taken = self.frames[action["animal"]]
            return taken < size
        if self.phase == "max" and seat == "max":
            return self.max_may(kind, room)
        if self.phase not in ("max", "hunters") or seat == "max":
            return False
        if kind == "trap":
            return seat == self.holder and room in self.trap_places(seat)
        if self.phase != "hunters" or seat != self.hunter() or figure not in self.hunters[seat]:
            return False
        return figure not in self.done and self.figure_may(kind, figure, room)

    def max_may(self, kind: str, room: int | None) -> bool:
        assert self.max is not None
        if kind == "lock":
            return room in RED_DOORS and room in self.doors and self.locks > 0 and room != self.locked
        if kind == "pause":
            return self.max.pauses > 0
        if kind == "move":
            return room in self.fresh(self.max)
        return kind == "cheat" and self.x2 > 0 and room in self.back(self.max)

    def figure_may(self, kind: str, figure: str, room: int | None) -> bool:
        here = self.figures[figure]
        if kind == "walk":
            return frozenset((here, room)) in self.walks and not self.shut(here, room)
        if kind == "unlock":
            return self.locked is not None and not self.loosened and here in self.at_door()
        return kind == "stay"

    def shut(self, one: int, two: int | None) -> bool:
        if self.locked is None or self.locked not in (one, two):
            return False
        other = two if self.locked == one else one
        return self.options["door_scope"] == "all_doors_of_room" or other == self.doors[self.locked]

    def at_door(self) -> set[int]:
        assert self.locked is not None
        if self.options["unlock_side"] == "listed_room_only":
            return {self.locked}
        return {self.locked} | {room for room in self.rooms if self.next_to(room, self.locked, self.walks)
                                and self.shut(room, self.locked)}  # fmt: skip

    def trap_places(self, seat: str) -> set[int]:
        own = {self.figures[figure] for figure in self.hunters[seat]}
        if self.options["trap_where"] == "any_room":
            return self.rooms
        if self.options["trap_where"] == "own_room":
            return own
        return own | {r for r in self.rooms for o in own if self.next_to(r, o, self.walks)}

    def next_to(self, one: int, two: int, ways: set[frozenset[int]]) -> bool:
        return frozenset((one, two)) in ways

    def free(self, theory: Theory) -> set[int]:
        beside = {room for room in self.rooms if self.next_to(room, theory.room, self.ways)}
        return beside - set(self.figures.values())

    def fresh(self, theory: Theory) -> set[int]:
        return {room for room in self.free(theory) if room not in theory.visited}

    def back(self, theory: Theory) -> set[int]:
        rooms = {room for room in self.free(theory) if room in theory.visited}
        if self.options["x2_target"] == "not_previous_room":
            rooms.discard(theory.before)
        return rooms

    def is_stuck(self, theory: Theory) -> bool:
        return not theory.pauses and not self.fresh(theory) and not (self.x2 and self.back(theory))

    # What it does

    def act(self, seat: str, action: Data) -> None:
        assert self.allows(seat, action), action
        getattr(self, f"do_{action['type']}")(seat, action)

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def do_start(self, seat: str, action: Data) -> None:
        if seat != "max":
            self.figures[action["figure"]] = action["room"]
            return
        self.max = Theory([action["room"]], {action["room"]}, self.options["pause"])
        self.show()
        self.phase = "framing"

    def show(self) -> None:
        assert self.max is not None
        self.theories = [self.max]
        self.seen, self.hidden = "showing", 0

    def do_frame(self, seat: str, action: Data) -> None:
        self.frame = action["animal"]
        self.begin_max()

    def begin_max(self) -> None:
        assert self.max is not None
        if self.is_stuck(self.max):
            self.end("hunters", "stuck")
            return
        self.theories = [theory for theory in self.theories if not self.is_stuck(theory)]
        self.phase = "max"

    def do_move(self, seat: str, action: Data) -> None:
        self.prowl(action["room"])

    def do_cheat(self, seat: str, action: Data) -> None:
        self.x2 -= 1
        self.count("x2")
        if action["room"] == self.trap:
            self.count("cheat into a trap")
        self.prowl(action["room"], cheats=True)

    def prowl(self, room: int, cheats: bool = False) -> None:
        assert self.max is not None
        if {self.max.room, room} == {42, 53}:
            self.count("chimney")
        if {self.max.room, room} == {1, 54}:
            self.count("passage")
        snaps = room == self.trap
        if snaps:
            self.count("trap")
        turn = self.max.laid(room) if cheats and self.options["x2_card_handling"] == "take_from_row" else None
        self.max = self.max.gone(room)
        self.follow(cheats, snaps, turn)
        self.seen = "trap" if snaps else None
        self.begin_hunters()

    def do_pause(self, seat: str, action: Data) -> None:
        assert self.max is not None
        self.count("pause")
        if self.max.room == self.trap:
            self.count("pause in a trap")
        self.max = self.max.paused()
        self.follow(False, False)
        self.seen = None
        self.begin_hunters()

    def follow(self, cheats: bool, snaps: bool, turn: int | None = None) -> None:
        """Every theory goes on in every way that looks like what was seen."""
        after = []
        for theory in self.theories:
            rooms = self.back(theory) if cheats else self.fresh(theory)
            rooms = {room for room in rooms if turn is None or theory.laid(room) == turn}
            after += [theory.gone(room) for room in rooms if (room == self.trap) == snaps]
            if not cheats and not snaps and theory.pauses:
                after.append(theory.paused())
        self.theories = after
        self.hidden += 1
        if self.hidden == 8:
            self.count("eight hidden moves")

    def do_lock(self, seat: str, action: Data) -> None:
        self.locked, self.loosened = action["room"], False
        self.locks -= 1

    def do_trap(self, seat: str, action: Data) -> None:
        assert self.max is not None
        self.trap, self.holder = action["room"], None
        if self.options["trap_on_occupied"] == "no_effect":
            return
        hit = self.max.room == self.trap
        self.theories = [theory for theory in self.theories if (theory.room == self.trap) == hit]
        if hit and self.seen is None:
            self.seen = "trap"

    def begin_hunters(self) -> None:
        self.phase, self.done = "hunters", []

    def do_walk(self, seat: str, action: Data) -> None:
        assert self.max is not None
        self.figures[action["figure"]] = action["room"]
        if action["room"] == self.max.room:
            self.end("hunters", "caught")
            return
        self.theories = [theory for theory in self.theories if theory.room != action["room"]]
        self.figure_done(action["figure"])

    def do_stay(self, seat: str, action: Data) -> None:
        self.figure_done(action["figure"])

    def do_unlock(self, seat: str, action: Data) -> None:
        self.count("unlocking")
        if self.options["unlock_same_round_for_others"]:
            self.locked = None
        else:
            self.loosened = True
        self.figure_done(action["figure"])

    def figure_done(self, figure: str) -> None:
        self.done.append(figure)
        if len(self.done) == len(self.figures):
            self.take_animal()

    def take_animal(self) -> None:
        assert self.frame is not None
        if self.loosened:
            self.locked, self.loosened = None, False
        self.done = []
        self.frames[self.frame][1] += 1
        size, taken = self.frames[self.frame]
        if all(taken == size for size, taken in self.frames.values()):
            self.end("max", "last_animal")
        elif taken == size:
            self.count("showing")
            self.show()
            self.phase, self.frame = "framing", None
        elif self.options["frame_locked"] is not True:
            self.phase, self.frame = "framing", None
        else:
            self.begin_max()

    def end(self, winner: str, reason: str) -> None:
        self.count(f"{winner}: {reason}")
        self.show()
        self.phase, self.winner, self.done = "over", (winner, reason), []

    # What the moderator sets straight

    def put(self, figure: str, room: int) -> None:
        """A figure stands elsewhere; everybody sees that Max is not there."""
        self.figures[figure] = room
        self.theories = [theory for theory in self.theories if theory.room != room]
        self.go_on()

    def put_max(self, room: int) -> None:
        """Max is elsewhere: hidden, he can be wherever he has been; in sight, everybody sees where."""
        assert self.max is not None
        self.max = Theory([room], self.max.visited | {room}, self.max.pauses)
        if self.seen:
            self.show()
        else:
            free = self.max.visited - set(self.figures.values())
            self.theories = [Theory([room], self.max.visited, self.max.pauses) for room in sorted(free)]
        self.go_on()

    def go_on(self) -> None:
        self.loosened = False
        if self.phase == "max":
            self.begin_max()
