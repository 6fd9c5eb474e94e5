"""What the host chooses for the next game, read from form fields, and what there is to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from companion import bots, boxes, games, options
from companion.contract import Chair, Game, Seat, converted, plain, read_options
from companion.refusals import Malformed, Refusal
from web import games as game_pages
from web.people.guest_book import Planned
from web.scene import BoxChoice, Option, Plan, Preset
from web.texts import spoken

OWN_FIELDS = ("players", "preset")
"""Options that are so common that they have a field of their own; a game can name more."""
PREFIX = "option-"


def default() -> Planned:
    """What is planned before anybody has chosen."""
    return Planned(game_pages.every()[0].game)


def changed(plan: Planned, fields: Mapping[str, str], shelf: boxes.Shelf | None) -> Planned:
    """The plan with what a form says; what the form does not name stays."""
    name = fields.get("game") or plan.game
    if switched := name != plan.game:
        plan = Planned(name, box=_kept(name, shelf))
    game = games.find(name)
    said = _named(game, fields)
    if switched:
        # The form was the other game's: what this one does not know is not meant for it.
        said = {option: text for option, text in said.items() if _knows(game, option)}
    chosen = _chosen(game, *_preset(game, plan.options, said))
    box = fields.get("box", plan.box)
    if box and shelf is not None and switched:
        told = boxes.options(shelf.find(box))
        chosen = {field: value for field, value in chosen.items() if field not in told}
    return replace(plan, options=chosen, box=box, **_companion(plan, fields))


def _knows(game: Game[Any], option: str) -> bool:
    offered = (offer.name for offer in options.offers(game))
    return option in game.options.__struct_fields__ or option in offered


def _companion(plan: Planned, fields: Mapping[str, str]) -> dict[str, str]:
    """Which role the companion plays, and how well."""
    role = fields.get("companion", plan.companion)
    level = fields.get("level") or plan.level or usual_level(plan.game)
    return {"companion": role, "level": bots.find(level, plan.game).name if role else ""}


def usual_level(game: str) -> str:
    """How well a bot plays unless somebody chooses."""
    levels = bots.levels(game)
    return "normal" if "normal" in levels else levels[-1]


def _preset(
    game: Game[Any], before: Mapping[str, Any], said: Mapping[str, str]
) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """Another set of rules brings all of its own: what an earlier one, or a radio button, said is let go."""
    if said.get("preset", before.get("preset") or "") == (before.get("preset") or ""):
        return before, said
    sets = {option for preset in game.presets.values() for option in preset}
    return (
        {name: value for name, value in before.items() if name not in sets},
        {name: text for name, text in said.items() if name not in sets},
    )


def _chosen(game: Game[Any], before: Mapping[str, Any], said: Mapping[str, str]) -> dict[str, Any]:
    """The options of a plan when a form has said some of them; an empty one is as in the rules again."""
    offered = {offer.name: offer.option for offer in options.offers(game)}
    texts = options.fields_of(game, before) | {name: text for name, text in said.items() if name in offered}
    rest = {name: value for name, value in before.items() if name not in offered.values()}
    rest |= {name: _whole(game, name, text.strip()) for name, text in said.items() if name not in offered}
    rest = {name: value for name, value in rest.items() if value is not None}
    found = options.chosen(game, _meant(game, rest, texts))
    return rest | {name: value for name, value in found.items() if value is not None}


def _meant(game: Game[Any], rest: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, str]:
    """The fields without those that mean nothing any more beside the others."""
    typed = read_options(game, {**rest, **options.chosen(game, texts)})
    dropped = {
        each.name
        for each in options.offers(game)
        if not options.meant(game, each, typed) or _gone(game, each, texts.get(each.name, ""), typed)
    }
    return {name: text for name, text in texts.items() if name not in dropped}


def _gone(game: Game[Any], offer: options.Offer, text: str, typed: Any) -> bool:
    """Whether what was chosen is there no more: a hunter's seat, now that fewer play."""
    # A no says the same as the words that are offered for it.
    return text in offer.choices and text not in ("false", *options.open_choices(game, offer, typed))


def _whole(game: Game[Any], option: str, text: str) -> Any:
    """An option that other pages and programs set, whole: as JSON, or a word."""
    if not text:
        return None
    if option not in game.options.__struct_fields__:
        raise Malformed("companion.no_such_option", option=option)
    kind = next(field.type for field in msgspec.structs.fields(game.options) if field.name == option)
    try:
        value = msgspec.json.decode(text) if text[0] in "[{" else text
        return plain(converted(value, kind, strict=False))
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise Malformed("companion.malformed", what=option, fault=str(fault)) from None


def _kept(game: str, shelf: boxes.Shelf | None) -> str:
    """The box that this table has for a game: what was told once is not asked again."""
    profiles = shelf.profiles() if shelf is not None else ()
    return next((profile.name for profile in profiles if profile.game == game), "")


def _named(game: Game[Any], fields: Mapping[str, str]) -> dict[str, str]:
    """The options that a form names; a game need not have those that most games have."""
    named = {n: fields[n] for n in _own_fields(game) if n in fields and n in game.options.__struct_fields__}
    return named | {n.removeprefix(PREFIX): text for n, text in fields.items() if n.startswith(PREFIX)}


def _own_fields(game: Game[Any]) -> tuple[str, ...]:
    return (*OWN_FIELDS, *game_pages.find(game.name).upfront)


def full_options(plan: Planned, shelf: boxes.Shelf | None) -> dict[str, Any]:
    """Everything the game is begun with: what the box says, and over it what the host chose."""
    if plan.box and shelf is not None:
        return {**boxes.options(shelf.find(plan.box)), **plan.options}
    return dict(plan.options)


def chairs(plan: Planned, shelf: boxes.Shelf | None) -> tuple[Chair, ...]:
    """The chairs that the planned game will have. Refuses a plan that cannot be played yet."""
    game = games.find(plan.game)
    return game.chairs(game.start(read_options(game, full_options(plan, shelf))))


def known_chairs(plan: Planned, shelf: boxes.Shelf | None) -> tuple[Chair, ...]:
    """The same; none while the plan is not finished: the host's page says what is missing."""
    try:
        return chairs(plan, shelf)
    except Refusal:
        return ()


def offered(
    plan: Planned, shelf: boxes.Shelf | None, language: str, names: Mapping[Seat, str] = MappingProxyType({})
) -> Plan:
    """The plan for the host's page, with everything there is to choose from; `names` are those of seats."""
    game, typed, problem = games.find(plan.game), None, ""
    try:
        typed = read_options(game, full_options(plan, shelf))
        chairs(plan, shelf)
    except Refusal as refusal:
        problem = spoken(refusal.saying, names, language)
    return Plan(
        game=plan.game,
        players=getattr(typed, "players", 0),
        preset=str(plan.options.get("preset") or ""),
        upfront=_upfront(game, plan, typed),
        games=tuple(pages.game for pages in game_pages.every()),
        presets=_presets(game, language),
        companion=plan.companion,
        level=plan.level or usual_level(plan.game),
        roles=tuple(dict.fromkeys(chair.role for chair in known_chairs(plan, shelf) if chair.role)),
        options=_options(game, plan, typed, language),
        elsewhere={name: value for name, value in plan.options.items() if name in game.elsewhere},
        boxes=_boxes(plan, shelf),
        levels=bots.levels(plan.game),
        problem=problem,
    )


def _presets(game: Game[Any], language: str) -> tuple[Preset, ...]:
    """Every set of rules in the game's own words, and what it changes."""
    told = options.described(game, language)
    return tuple(
        Preset(
            name,
            told["preset"]["values"][name],
            tuple(
                (told[option]["label"], told[option]["values"].get(value, value))
                for option, value in options.fields_of(game, changes).items()
            ),
        )
        for name, changes in game.presets.items()
    )


def _upfront(game: Game[Any], plan: Planned, typed: Any) -> tuple[Option, ...]:
    """The options that stand among the first choices, in words of the game's pages."""
    upfront = game_pages.find(game.name).upfront
    chosen, found = options.fields_of(game, plan.options), options.offers(game)
    values = {each.name: chosen.get(each.name) or str(getattr(typed, each.name, "")) for each in found}
    return tuple(
        Option(each.name, "", "", "", dict.fromkeys(each.choices, ""), values[each.name])
        for each in found
        if each.name in upfront
    )


def _options(game: Game[Any], plan: Planned, typed: Any, language: str) -> tuple[Option, ...]:
    """Every option in words, but for those with a field of their own and those that would change nothing."""
    chosen, described = options.fields_of(game, plan.options), options.described(game, language)
    found = []
    for offer in options.offers(game):
        values = options.open_choices(game, offer, typed) if typed is not None else offer.choices
        if offer.name in _own_fields(game) or len(values) == 1:
            continue
        if typed is not None and not options.meant(game, offer, typed):
            continue
        told = described[offer.name]
        words = {value: told["values"][value] for value in values}
        found.append(
            Option(
                offer.name,
                told["label"],
                told["hint"],
                told["by_the_rules"],
                words,
                chosen.get(offer.name, ""),
                (offer.least, offer.most) if offer.kind == "number" else None,
            )
        )
    return tuple(found)


def _boxes(plan: Planned, shelf: boxes.Shelf | None) -> tuple[BoxChoice, ...]:
    profiles = shelf.profiles() if shelf is not None else ()
    return tuple(
        BoxChoice(each.name, each.name, each.name == plan.box) for each in profiles if each.game == plan.game
    )


def players(name: str) -> tuple[int, ...]:
    """How many can play a game: as its pages say, or as the type of its option does."""
    told = next((each for each in options.offers(games.find(name)) if each.name == "players"), None)
    if (own := game_pages.find(name).players) or told is None:
        return own
    return tuple(sorted(map(int, told.choices))) or tuple(range(told.least or 2, (told.most or 6) + 1))
