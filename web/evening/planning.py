"""What the host chooses for the next game, read from form fields, and what there is to choose from."""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from companion import bots, boxes, games
from companion.contract import Chair, Game, plain, read_options
from companion.refusals import Malformed, Refusal
from web.evening.book import Planned
from web.scene import Box, GameOffer, Option, Plan

OWN_FIELDS = ("players", "preset", "privacy")
"""Options that are so common that they have a field of their own."""
PREFIX = "option-"


def default() -> Planned:
    """What is planned before anybody has chosen."""
    names = games.names()
    return Planned("phantom" if "phantom" in names else names[0])


def changed(plan: Planned, fields: Mapping[str, str], shelf: boxes.Shelf | None) -> Planned:
    """The plan with what a form says; what the form does not name stays."""
    name = fields.get("game") or plan.game
    if switched := name != plan.game:
        plan = Planned(name, box=_kept(name, shelf))
    game = games.find(name)
    options = dict(plan.options)
    for field, text in _named(game, fields).items():
        options.pop(field, None)
        if text.strip():
            options[field] = _value(game, field, text.strip())
    box = fields.get("box", plan.box)
    if box and shelf is not None:
        told = boxes.options(shelf.find(box))
        options = {field: value for field, value in options.items() if not (switched and field in told)}
    return replace(plan, options=options, box=box)


def _kept(game: str, shelf: boxes.Shelf | None) -> str:
    """The box that this table has for a game: what was told once is not asked again."""
    profiles = shelf.profiles() if shelf is not None else ()
    return next((profile.name for profile in profiles if profile.game == game), "")


def _named(game: Game[Any], fields: Mapping[str, str]) -> dict[str, str]:
    """The options that a form names; a game need not have those that most games have."""
    common = [name for name in OWN_FIELDS if name in _hints(game.options)]
    named = {name: text for name, text in fields.items() if name in common}
    prefixed = {n.removeprefix(PREFIX): text for n, text in fields.items() if n.startswith(PREFIX)}
    return {**named, **prefixed}


def _value(game: Game[Any], field: str, text: str) -> Any:
    """A form field as an option's plain value: JSON where it looks like it, else as the type wants it."""
    hints = _hints(game.options)
    if field not in hints:
        raise Malformed("evening.no_such_option", option=field)
    try:
        value = msgspec.json.decode(text) if text[0] in "[{" else _lax(text, hints[field])
        return plain(msgspec.convert(value, hints[field], strict=False))
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise Malformed("companion.malformed", what=field, fault=str(fault)) from None


def _lax(text: str, hint: Any) -> Any:
    kinds = set(_alternatives(hint))
    if bool in kinds and text.lower() in ("true", "false", "yes", "no", "on", "off"):
        return text.lower() in ("true", "yes", "on")
    return text


def full_options(plan: Planned, shelf: boxes.Shelf | None) -> dict[str, Any]:
    """Everything the game is begun with: what the box says, and over it what the host chose."""
    if plan.box and shelf is not None:
        return {**boxes.options(shelf.find(plan.box)), **plan.options}
    return dict(plan.options)


def chairs(plan: Planned, shelf: boxes.Shelf | None) -> tuple[Chair, ...]:
    """The chairs that the planned game will have. Refuses a plan that cannot be played yet."""
    game = games.find(plan.game)
    return game.chairs(game.start(read_options(game, full_options(plan, shelf))))


def offered(plan: Planned, shelf: boxes.Shelf | None, language: str) -> Plan:
    """The plan for the host's page, with everything there is to choose from."""
    options, problem = None, ""
    try:
        options = read_options(games.find(plan.game), full_options(plan, shelf))
        chairs(plan, shelf)
    except Refusal as refusal:
        problem = refusal.message(language)
    return Plan(
        game=plan.game,
        players=getattr(options, "players", 0),
        preset=str(plan.options.get("preset") or ""),
        privacy=str(getattr(options, "privacy", "")),
        games=tuple(_offer(name, plan) for name in games.names()),
        boxes=_boxes(plan, shelf),
        levels=tuple(sorted(bots.LEVELS)),
        problem=problem,
    )


def _boxes(plan: Planned, shelf: boxes.Shelf | None) -> tuple[Box, ...]:
    profiles = shelf.profiles() if shelf is not None else ()
    return tuple(
        Box(each.name, each.name, each.name == plan.box) for each in profiles if each.game == plan.game
    )


def _offer(name: str, plan: Planned) -> GameOffer:
    game = games.find(name)
    chosen = plan.options if plan.game == name else {}
    options = tuple(
        _option(field, hint, chosen.get(field))
        for field, hint in _hints(game.options).items()
        if field not in OWN_FIELDS
    )
    return GameOffer(name, tuple(game.presets), options)


def _option(name: str, hint: Any, value: Any) -> Option:
    kinds = _alternatives(hint)
    words = tuple(str(kind) for kind in kinds if isinstance(kind, str))
    if words:
        kind: Literal["choice", "yes_no", "number", "json"] = "choice"
        words = ("true", "false", *words) if bool in kinds else words
    elif bool in kinds:
        kind = "yes_no"
    elif int in kinds:
        kind = "number"
    else:
        kind = "json"
    return Option(name, kind, words, _written(value))


def _written(value: Any) -> str:
    """A plain value as its form field sends it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


@cache
def _hints(options: type[msgspec.Struct]) -> dict[str, Any]:
    return get_type_hints(options)


def _alternatives(hint: Any) -> list[Any]:
    """The types and literal words an option may have."""
    if get_origin(hint) in (Union, types.UnionType):
        return [kind for part in get_args(hint) for kind in _alternatives(part)]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [hint]
