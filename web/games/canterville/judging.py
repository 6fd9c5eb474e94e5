"""Who settles what in the castle: steps that no map could check, and what the moderator sets straight."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from companion.contract import HOST, MODERATOR
from companion.games.canterville.castle import LOCKABLE, Way
from companion.games.canterville.options import ANIMALS, MAX
from companion.games.canterville.view import Shows
from web.games.canterville.drawing import drawing
from web.render.people import name_of
from web.scene import Scene
from web.texts import Texts, texts

Button = tuple[str, str]
"""What it sends, and what it says."""


class Weighty(msgspec.Struct, frozen=True):
    """An answer that may end the game, so that its price is told and the first tap only asks."""

    action: str
    words: str
    sure: str
    do: str


class Judging(msgspec.Struct, frozen=True):
    """What is asked about Max's way while he shows it, and what this reader may say to it. GJ-Q22."""

    line: str
    hint: str
    says: tuple[Button, ...] = ()
    asks: tuple[Weighty, ...] = ()


def judging(scene: Scene, c: Texts) -> Judging | None:
    """The question to this reader, if there is one."""
    shows: Shows = scene.shows
    judges = scene.seat in (HOST, MODERATOR)
    if shows.doubt is not None:
        return _in_doubt(scene, (shows.doubt.start, shows.doubt.end), c)
    if not shows.to_judge or scene.seat in (MAX, "public"):
        return None
    weigh = _foul if judges else _doubt
    asks = tuple(
        weigh(shows, step, c("foul" if judges else "doubt", way=_spelled(step)), c) for step in shows.to_judge
    )
    return Judging(c("fouls"), c("judge_together"), asks=asks)


def _in_doubt(scene: Scene, step: Way, c: Texts) -> Judging:
    """Max answers; who judges may decide; who doubts may believe it after all; the others wait."""
    shows: Shows = scene.shows
    assert shows.doubt is not None
    by, judges = shows.doubt.by, scene.seat in (HOST, MODERATOR)
    line = c("doubted", name=name_of(scene, texts(scene.language), by), way=_spelled(step))
    if not judges and scene.seat != MAX:
        stands = ((STANDS, c("believe_it")),) if scene.seat == by else ()
        return Judging(line, c("judge_wait"), stands)
    hint, words = ("judge_decide", "judge_foul") if judges else ("judge_answer", "own_up")
    return Judging(line, c(hint), ((STANDS, c("it_stands")),), (_foul(shows, step, c(words), c),))


STANDS = json.dumps({"type": "stands"})


def _spelled(step: Way) -> str:
    return f"{step[0]} → {step[1]}"


def _doubt(shows: Shows, step: Way, words: str, c: Texts) -> Weighty:
    action = json.dumps({"type": "doubt", "from": step[0], "to": step[1]})
    return Weighty(action, words, c("doubt_sure", price=_price(shows, c)), c("doubt_do"))


def _foul(shows: Shows, step: Way, words: str, c: Texts) -> Weighty:
    action, price = json.dumps({"type": "foul", "from": step[0], "to": step[1]}), _price(shows, c)
    return Weighty(
        action,
        c("with_price", words=words, price=price),
        c(f"foul_sure_{shows.illegal_max_move}"),
        c("foul_do", price=price),
    )


def _price(shows: Shows, c: Texts) -> str:
    """What a foul costs, as the table agreed."""
    return c(f"price_{shows.illegal_max_move}")


# The moderator's repair


class Field(msgspec.Struct, frozen=True):
    """Something that can be set straight: its name, what it is now, and what it can be."""

    name: str
    words: str
    now: str
    choices: tuple[Button, ...]


def repairs(scene: Scene, c: Texts) -> list[tuple[str, list[Field]]]:
    """Everything that the moderator may set straight, in groups; none before the castle is set up."""
    if scene.shows.phase == "starting":
        return []
    groups = {"board": _on_the_board, "max": _of_max, "animals": _animals, "turn": _turn}
    return [(c(f"repair_{name}"), list(fields(scene, c))) for name, fields in groups.items()]


def _rooms(scene: Scene, c: Texts) -> tuple[Button, ...]:
    return tuple((str(room), c("room", room=room)) for room in drawing(scene.ground).chambers)


def _on_the_board(scene: Scene, c: Texts) -> Iterator[Field]:
    shows: Shows = scene.shows
    for figure, room in shows.figures.items():
        yield Field(f"figure-{figure}", c("tool_figure", figure=figure), str(room), _rooms(scene, c))
    t = texts(scene.language)
    held = tuple((seat, c("trap_held", name=name_of(scene, t, seat))) for seat in shows.owners)
    lying = tuple((f"room-{room}", c("repair_trap_in", room=words)) for room, words in _rooms(scene, c))
    yield Field("trap", c("tool_trap"), trap_at(shows), (("", c("repair_no_trap")), *held, *lying))
    lockable = LOCKABLE if scene.ground is None else sorted(map(int, scene.ground.doors))
    doors = tuple((str(room), c("room", room=room)) for room in lockable)
    yield Field("locked", c("repair_locked"), str(shows.locked or ""), (("", c("repair_no_door")), *doors))


def _of_max(scene: Scene, c: Texts) -> Iterator[Field]:
    shows: Shows = scene.shows
    yield Field("max-room", c("repair_max_room"), str(shows.max.room), _rooms(scene, c))
    yield Field("max-shown", c("repair_max_shown"), yes(shows.max.shown), _yes_no(scene))
    for card in ("x2", "pause"):
        left = tuple((str(n), str(n)) for n in range(3))
        yield Field(f"card-{card}", c(f"card_{card}"), str(getattr(shows.cards, card)), left)
    for card in ("door", "chimney"):
        yield Field(f"card-{card}", c(f"card_{card}"), yes(getattr(shows.cards, card)), _yes_no(scene))


def yes(value: bool) -> str:
    """Yes or no, as the form says it."""
    return "true" if value else "false"


def _yes_no(scene: Scene) -> tuple[Button, ...]:
    t = texts(scene.language)
    return (("true", t("yes")), ("false", t("no")))


def _animals(scene: Scene, c: Texts) -> Iterator[Field]:
    shows: Shows = scene.shows
    used = [animal for animal in ANIMALS if animal in shows.frames]
    for animal in used:
        frame = shows.frames[animal]
        taken = tuple((str(n), c("repair_taken", n=n, size=frame.size)) for n in range(frame.size + 1))
        yield Field(f"taken-{animal}", c(f"animal_{animal}"), str(frame.taken), taken)
    filling = tuple((animal, c(f"animal_{animal}")) for animal in used)
    yield Field("frame", c("repair_frame"), shows.frame or "", (("", c("repair_no_frame")), *filling))


def _turn(scene: Scene, c: Texts) -> Iterator[Field]:
    shows: Shows = scene.shows
    t = texts(scene.language)
    seats = tuple((seat, name_of(scene, t, seat)) for seat in (MAX, *shows.owners))
    over = () if shows.to_act else (("", c("repair_over")),)
    choices = (*over, ("framing", c("frame_choose")), *seats)
    yield Field("turn", c("repair_to_act"), turn_of(shows), choices)


def turn_of(shows: Shows) -> str:
    """Whose turn it is, as the form says it: a seat, `framing`, or nobody's."""
    if shows.phase == "framing":
        return "framing"
    return str(shows.to_act[0]) if shows.to_act else ""


def trap_at(shows: Shows) -> str:
    """Where the trap is, as the form says it: a seat, a room, or nowhere."""
    return f"room-{shows.trap}" if shows.trap is not None else str(shows.cards.trap or "")
