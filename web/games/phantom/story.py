"""What happened, told: the ticker of the table, the moderator's record, the story after a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from markupsafe import Markup

from companion.contract import TABLE, Seat
from companion.table import Line
from web.games.phantom.board.hotel import board
from web.games.phantom.texts import own
from web.games.record import News
from web.render.people import name_of
from web.scene import Scene
from web.texts import Texts


class Deed(msgspec.Struct, frozen=True):
    """One entry of the record in words."""

    n: int
    icon: str
    text: Markup
    amount: str = ""
    undone: bool = False


def log(scene: Scene, t: Texts) -> list[Deed]:
    """The record, newest first, with what was taken back."""
    told = [(line, _deed(scene, t, line)) for line in scene.history]
    return [deed for _, deed in reversed(told) if deed is not None]


def ticker(scene: Scene, t: Texts) -> list[Deed]:
    """What happened and stands, newest first."""
    return [deed for deed in log(scene, t) if not deed.undone]


def _deed(scene: Scene, t: Texts, line: Any) -> Deed | None:
    """An entry in words, or none where there is nothing the table can hear."""
    name, action = name_of(scene, t, line.seat), line.action["type"]
    icon = "spook" if _haunts(scene, line.seat) else "lantern"
    events = {event["type"]: event for event in line.events}
    if action == "correct":
        return _correction(t, line, events)
    if action == "place" and line.seat == TABLE:
        # That chance laid the board was told once; every phone shows what lies where.
        return None
    if "removed" in events:
        return _removal(t, line, name, icon, events)
    if action in ("place", "hide", "bid", "pass", "ready", "repair", "drawn", "remove"):
        icon = {"repair": "keys", "drawn": "dice"}.get(action, "board" if action == "place" else icon)
        facts = {"room": line.action.get("room", ""), "name": name}
        if action == "repair" and (changed := _changed(scene, t, line.action["set"])):
            action, facts = "repair_of", {"what": ". ".join(changed)}
        return Deed(line.n, icon, own(t).rich(f"told_{action}", **facts), undone=line.undone)
    return None


MOMENTS = frozenset({"bids", "revealed", "repaired", "over"})


def news(scene: Scene, t: Texts, line: Line) -> Iterator[News]:
    """What a line of the record tells."""
    events = {event["type"]: event for event in line.events}
    kind = next((one for one in ("revealed", "repaired") if one in events), line.action["type"])
    if (deed := _deed(scene, t, line)) is not None:
        words = deed.text if kind in events else Markup("{} {}").format(deed.text, deed.amount)
        yield News(kind, deed.icon, words)
    if opened := events.get("bids"):
        yield News("bids", "hand", _bids(scene, t, opened))
    if over := events.get("over"):
        won, reason = (
            own(t)(f"won_{over['winner']}"),
            own(t)(f"reason_{over['reason']}", sum=own(t).money(scene.shows.damage)),
        )
        names = winners(scene, t, over["winner"])
        yield News("over", "bell", own(t).rich("told_over", won=won, names=names, reason=reason))


def winners(scene: Scene, t: Texts, side: str) -> str:
    """The names of the side that has won."""
    roles = scene.shows.roles.items()
    return _names(scene, t, [seat for seat, role in roles if (role == "master") == (side == "ghosts")])


def errand(scene: Scene, t: Texts, event: dict[str, Any]) -> Markup:
    """What hands do on the real board for what the companion did."""
    kind, worth = own(t)(f"kind_{event['colour']}"), own(t).money(event["value"])
    return own(t).rich(f"errand_{event['type']}", room=event["room"], kind=kind, sum=worth)


def _bids(scene: Scene, t: Texts, opened: dict[str, Any]) -> Markup:
    """What each team has bid. PS-103."""
    ghosts = opened["ghosts"]
    teams = [
        [place.seat for place in scene.places if (place.seat in ghosts) == haunt] for haunt in (True, False)
    ]
    bids = [
        own(t)("bid_of", names=_names(scene, t, team), sum=own(t).money(opened["bids"][captain]))
        for team in teams
        for captain in team
        if captain in opened["bids"]
    ]
    names, goal = _names(scene, t, teams[0]), own(t).money(opened["objective"])
    return own(t).rich("told_bids", bids=" · ".join(bids), names=names, sum=goal)


def _names(scene: Scene, t: Texts, seats: Iterable[Seat]) -> str:
    return t.among([name_of(scene, t, seat) for seat in seats])


def _changed(scene: Scene, t: Texts, fixes: dict[str, Any]) -> list[str]:
    """What a repair has set straight, as far as everybody may know it."""
    said = [own(t)("fix_turn", name=name_of(scene, t, seat)) for seat in fixes.get("to_act", ())]
    said += [own(t)("fix_damage", sum=own(t).money(fixes["damage"]))] if "damage" in fixes else []
    rooms = fixes.get("rooms", {}).items()
    return said + [own(t)("fix_back" if tile else "fix_off", room=room) for room, tile in rooms]


def _correction(t: Texts, line: Any, events: dict[str, Any]) -> Deed:
    """The record followed the real board: nobody moved, but what was found counts."""
    amount = "+" + own(t).money(events["removed"]["added"]) if "removed" in events else ""
    if "revealed" in events:
        amount = own(t)("found_tag")
    return Deed(line.n, "board", own(t).rich("told_correct", room=line.action["room"]), amount, line.undone)


def _removal(t: Texts, line: Any, name: str, icon: str, events: dict[str, Any]) -> Deed:
    gone = events["removed"]
    facts = {"name": name, "room": gone["room"], "kind": own(t)(f"kind_{gone['colour']}")}
    if "revealed" in events:
        ghost = own(t)(f"ghost_{events['revealed']['ghost']}")
        text = own(t).rich("told_found", ghost=ghost, **facts)
        return Deed(line.n, icon, text, own(t)("found_tag"), line.undone)
    key = "told_wrecked" if icon == "spook" else "told_lifted"
    return Deed(line.n, icon, own(t).rich(key, **facts), "+" + own(t).money(gone["added"]), line.undone)


def _haunts(scene: Scene, seat: Seat) -> bool:
    role: str | None = scene.shows.roles.get(seat)
    return role == "master"


# After the game


class Point(msgspec.Struct, frozen=True):
    """A turn on the damage curve."""

    turn: int
    damage: int
    by_ghosts: bool
    ghost: str
    x: float
    y: float


class Curve(msgspec.Struct, frozen=True):
    """The damage by turn, drawn on 336 by 176."""

    points: tuple[Point, ...]
    path: str
    area: str
    goal_y: float
    levels: tuple[tuple[int, float], ...]
    turns: tuple[tuple[int, float], ...]


LEFT, RIGHT, BOTTOM, TOP = 26.0, 330.0, 150.0, 29.4


def curve(scene: Scene) -> Curve:
    """How the damage grew, from what left the board."""
    shows = scene.shows
    removed = shows.removed or ()
    goal = shows.objective or 45
    most = max(goal, shows.damage, 1)
    step = (RIGHT - LEFT) / max(1, len(removed))
    points, damage = [], 0
    for turn, gone in enumerate(removed, start=1):
        damage += 0 if gone.ghost else gone.value
        x, y = round(LEFT + step * turn, 1), _height(damage, most)
        points.append(Point(turn, damage, _haunts(scene, gone.by), gone.ghost or "", x, y))
    path = f"M{LEFT} {BOTTOM}" + "".join(f"H{point.x}V{point.y}" for point in points)
    every = max(1, len(points) // 4)
    return Curve(
        points=tuple(points),
        path=path,
        area=f"{path}V{BOTTOM}Z",
        goal_y=_height(goal, most),
        levels=tuple((level, _height(level, most)) for level in range(0, goal, 15)),
        turns=tuple((point.turn, point.x) for point in points if (point.turn - 1) % every == 0),
    )


def _height(damage: int, most: int) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * damage / most, 1)


class Fate(msgspec.Struct, frozen=True):
    """Where a ghost was, whose it was, and whether it was found."""

    colour: str
    room: int | None
    owner: str
    found: bool


def fates(scene: Scene, t: Texts) -> list[Fate]:
    """The truth about the four ghosts."""
    return [
        Fate(colour, ghost.room, name_of(scene, t, ghost.owner) if ghost.owner else "", ghost.revealed)
        for colour, ghost in scene.shows.ghosts.items()
    ]


def told(scene: Scene, t: Texts) -> dict[str, Any]:
    """The story of a game that is over."""
    shows = scene.shows
    away = sum(not ghost.revealed for ghost in shows.ghosts.values())
    return {
        "curve": curve(scene),
        "fates": fates(scene, t),
        "tale": tale(scene, t),
        "every": log(scene, t)[::-1],
        "away": away,
        "turns": len(shows.removed or ()),
        "board": board(scene, t),
        "title": own(t)(f"won_{shows.result.winner}"),
    }


def tale(scene: Scene, t: Texts) -> list[tuple[int, Markup]]:
    """The moments worth telling: the opening, the dearest room, every ghost found, the end."""
    removed = scene.shows.removed or ()
    if not removed:
        return []
    damage = [gone.value if not gone.ghost else 0 for gone in removed]
    dearest = damage.index(max(damage))
    moments = {0, dearest, len(removed) - 1} | {i for i, gone in enumerate(removed) if gone.ghost}
    return [(at + 1, _moment(scene, t, at, dearest)) for at in sorted(moments)]


def _moment(scene: Scene, t: Texts, at: int, dearest: int) -> Markup:
    removed = scene.shows.removed
    gone = removed[at]
    key = "opened" if at == 0 else "dearest" if at == dearest else "removed"
    if gone.ghost:
        key = f"found_{gone.ghost}"
    elif at == len(removed) - 1:
        key = "ended"
    return own(t).rich(
        f"tale_{key}",
        name=name_of(scene, t, gone.by),
        room=gone.room,
        kind=own(t)(f"kind_{gone.colour}"),
        sum=own(t).money(gone.value),
        total=own(t).money(scene.shows.damage),
    )
