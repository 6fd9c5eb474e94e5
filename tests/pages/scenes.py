"""Scenes of a table, as the evening would build them."""

from __future__ import annotations

from typing import Any

from companion.contract import PUBLIC, Seat, plain
from companion.table import Table
from web.scene import Lamps, Open, Page, Phone, Place, Scene, Stage

NAMES = ("Ada", "Hamish", "Zoé", "Jürgen", "Inès")
STAGES: dict[str, Stage] = {"playing": "playing", "over": "result"}


def scene(table: Table, page: Page, eyes: Seat, language: str = "en", **more: Any) -> Scene:
    """What one page shows of a table to one pair of eyes."""
    standing, view, game = table.standing(), table.view(eyes), table.game
    assert game is not None
    chairs = [chair.seat for chair in table.chairs()]
    picture = table.picture()
    acting = standing.to_act if eyes == "moderator" else (eyes,)
    return Scene(
        page=page,
        language=language,
        version=table.version,
        stage=STAGES.get(standing.phase, "setup"),
        game=game.name,
        seat=eyes,
        shows=view.shows,
        phase=standing.phase,
        to_act=standing.to_act,
        result=standing.result,
        legal={seat: tuple(map(plain, table.legal(seat))) for seat in acting if seat in standing.to_act},
        picture=game.picture(view) if eyes in chairs else None,
        lamps=Lamps(picture.rooms, picture.marks, picture.gauges, picture.seats),
        places=places(table, eyes),
        history=table.history(),
        **{"me": Phone("phone", "Ada", (eyes,) if eyes in chairs else ()), **more},
    )


def opened(table: Table, **more: Any) -> Open:
    """The same moment without a reader."""
    seen = scene(table, "watch", PUBLIC, "", me=None)
    fields = {name: getattr(seen, name) for name in seen.__struct_fields__}
    return Open(**{**fields, **more})


def places(table: Table, eyes: Seat) -> tuple[Place, ...]:
    """Somebody on every chair but the last, which a bot has."""
    chairs, acting = table.chairs(), table.standing().to_act
    return tuple(
        Place(
            seat=chair.seat,
            role=chair.role,
            name="" if number == len(chairs) - 1 else NAMES[number],
            phone=None if number == len(chairs) - 1 else f"phone{number}",
            bot="random" if number == len(chairs) - 1 else None,
            presence="here",
            to_act=chair.seat in acting,
            mine=chair.seat == eyes,
        )
        for number, chair in enumerate(chairs)
    )


def looks(table: Table) -> list[tuple[Page, Seat]]:
    """Every page of a running game with the eyes it has."""
    own: list[tuple[Page, Seat]] = [("play", chair.seat) for chair in table.chairs()]
    return [*own, ("table", PUBLIC), ("watch", PUBLIC), ("host", "host"), ("moderator", "moderator")]
