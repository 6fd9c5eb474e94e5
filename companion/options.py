"""What a table can agree on before a game, option by option, so that a page can offer every one in words.

An option is offered as one or more simple choices: yes or no, one of some values, a number. One made of parts
is offered part by part, under a dotted name: `cost.kit`, `arms.blue`, `seating.1`. What a game keeps for its
box sheet, for another page or for programs it says in `Game.elsewhere`, with the reason.

The words of an option `keeper` of `phantom` are `phantom.option_keeper` (what it is), `option_keeper_hint`
(what it does), and for each value `option_keeper_both`; where the rules' own value is none of these, or
depends, `option_keeper_usual` says what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import NODEFAULT, inspect

from companion import words
from companion.contract import Game, plain
from companion.refusals import Malformed
from companion.words import Saying

Kind = Literal["yes_no", "choice", "number"]
YES_NO = {"true": True, "false": False}


class Offer(msgspec.Struct, frozen=True):
    """One simple choice. `name` is how a form calls it, `choices` are the values as a form sends them.

    `usual` is the value by the rules, or null where that depends. `needs` is another option on which this one
    depends, with the value that it must have, or null where any but no will do.
    """

    game: str
    name: str
    kind: Kind
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    usual: str | None = None
    needs: tuple[str, str | None] | None = None
    part: str | None = None
    """Which part of an option it is: the key of its word, or the number of a place in a row."""
    named: str | None = None
    """How the keys begin under which the game has words for the choices, where they are not the option's."""

    @property
    def option(self) -> str:
        """The option that this is, or is a part of."""
        return self.name.partition(".")[0]

    def label(self) -> Saying:
        """What it is."""
        part = self.part or ""
        which = Saying(f"{self.game}.{part}") if has_words(self.game, part) else part
        return Saying(self._key(), which=which)

    def hint(self) -> Saying:
        """What it does."""
        return Saying(f"{self._key()}_hint")

    def said(self, value: str) -> Saying | str:
        """A value in words; numbers speak for themselves."""
        if self.kind == "number":
            return value
        if self.named:
            return Saying(f"{self.game}.{self.named}_{value}")
        own = f"{self._key()}_{value}"
        if value in YES_NO and not has_words(self.game, own.partition(".")[2]):
            return Saying("companion.yes" if YES_NO[value] else "companion.no")
        return Saying(own)

    def by_the_rules(self) -> Saying | str:
        """What it is as long as nobody chooses anything."""
        own = f"{self._key()}_usual"
        if self.usual is None or has_words(self.game, own.partition(".")[2]):
            return Saying(own, value=self.usual)
        return self.said(self.usual)

    def _key(self) -> str:
        stem = self.option if self.part else self.name.replace(".", "_")
        return f"{self.game}.option_{stem}"


def has_words(speaker: str, name: str) -> bool:
    """Whether a speaker has a sentence of this name."""
    return name in words.sentences(speaker, "en")


@cache
def offers(game: Game[Any]) -> tuple[Offer, ...]:
    """Everything that can be chosen for a game, in the order of its options."""
    return tuple(offer for name in kept(game) for offer in _walk(game, name))


def kept(game: Game[Any]) -> tuple[str, ...]:
    """The options that forms ask for: all but those that the game keeps elsewhere."""
    return tuple(name for name in game.options.__struct_fields__ if name not in game.elsewhere)


def open_choices(game: Game[Any], offer: Offer, options: Any) -> tuple[str, ...]:
    """The values of a choice that make sense beside the other options, as far as these are chosen."""
    return game.sensible(offer.name, offer.choices, options)


def meant(game: Game[Any], offer: Offer, options: Any) -> bool:
    """Whether a choice means anything beside the other options, by the one on which it depends."""
    if offer.needs is None:
        return True
    name, wanted = offer.needs
    value = fields_of(game, plain(options)).get(name, "false")
    return value != "false" if wanted is None else value == wanted


# Reading the types


def _walk(game: Game[Any], name: str) -> Iterator[Offer]:
    """An option as the choices it is offered as."""
    field = next(f for f in msgspec.structs.fields(game.options) if f.name == name)
    default = field.default_factory() if field.default_factory is not NODEFAULT else field.default
    yield from _offered(game, name, inspect.type_info(field.type), default)


def _offered(game: Game[Any], name: str, kind: Any, default: Any, part: str | None = None) -> Iterator[Offer]:
    kinds, extra = _alternatives(kind)
    usual = None if default in (None, NODEFAULT) else _sent(default)
    needs = game.needed.get(name)
    literals = tuple(
        str(value) for each in kinds if isinstance(each, inspect.LiteralType) for value in each.values
    )
    yes_no = any(isinstance(each, inspect.BoolType) for each in kinds)
    chosen = extra.get("choices") or literals
    if chosen:
        every = (*(("true", "false") if yes_no else ()), *chosen)
        choices = tuple(sorted(every, key=lambda value: value != usual))
        named = game.vocabulary.get(frozenset(chosen))
        yield Offer(game.name, name, "choice", choices, usual=usual, needs=needs, part=part, named=named)
    elif yes_no:
        yield Offer(game.name, name, "yes_no", ("true", "false"), usual=usual, needs=needs, part=part)
    else:
        yield from _number_or_parts(game, name, kinds[0], default, extra, part)


def _number_or_parts(
    game: Game[Any], name: str, kind: Any, default: Any, extra: Mapping[str, Any], part: str | None
) -> Iterator[Offer]:
    match kind:
        case inspect.IntType(ge=ge, le=le):
            usual = None if default in (None, NODEFAULT) else str(default)
            least, most = extra.get("least", ge), extra.get("most", le)
            needs = game.needed.get(name)
            yield Offer(game.name, name, "number", (), least, most, usual, needs, part)
        case inspect.StructType(fields=fields):
            prefix = game.vocabulary.get(frozenset(each.name for each in fields))
            for field in fields:
                if f"{name}.{field.name}" not in game.elsewhere:
                    word = f"{prefix}_{field.name}" if prefix else None
                    yield from _offered(game, f"{name}.{field.name}", field.type, field.default, word)
        case inspect.DictType(key_type=inspect.LiteralType(values=keys), value_type=value):
            prefix = game.vocabulary[frozenset(map(str, keys))]
            for each in keys:
                told = default.get(each) if isinstance(default, dict) else None
                yield from _offered(game, f"{name}.{each}", value, told, f"{prefix}_{each}")
        case inspect.VarTupleType(item_type=inspect.LiteralType(values=values) as item):
            for number in range(1, len(values) + 1):
                yield from _offered(game, f"{name}.{number}", item, None, str(number))
        case _:
            raise TypeError(
                f"{game.name}: option {name} can be offered as nothing; say in `elsewhere` why not"
            )


def _alternatives(kind: Any) -> tuple[list[Any], dict[str, Any]]:
    """The kinds that a value may be of, null aside, and what their types say besides."""
    if isinstance(kind, inspect.Metadata):
        inner, extra = _alternatives(kind.type)
        return inner, {**extra, **(kind.extra or {})}
    if isinstance(kind, inspect.UnionType):
        kinds: list[Any] = []
        more: dict[str, Any] = {}
        for each in kind.types:
            inner, extra = _alternatives(each)
            kinds += inner
            more |= extra
        return [each for each in kinds if not isinstance(each, inspect.NoneType)], more
    return [kind], {}


def _sent(value: Any) -> str:
    """A value as a form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# Reading a form


def chosen(game: Game[Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """The options that a form says, as plain data; what is left empty is as in the rules."""
    known = {offer.name: offer for offer in offers(game)}
    options: dict[str, Any] = {}
    for name, text in fields.items():
        if name not in known:
            raise Malformed("companion.no_such_option", option=name)
        if text.strip():
            _put(options, name, _value(known[name], text.strip()))
    rows = {offer.option for offer in offers(game) if offer.part and offer.part.isdecimal()}
    return {name: _in_order(value) if name in rows else value for name, value in options.items()}


def fields_of(game: Game[Any], options: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a form that say these options, given as plain data; the reverse of `chosen`."""
    found = {}
    for offer in offers(game):
        value: Any = options
        for step in offer.name.split("."):
            value = _part(value, step)
        if value is not None:
            found[offer.name] = _sent(value)
    return found


def _part(value: Any, step: str) -> Any:
    if isinstance(value, list | tuple):
        return value[int(step) - 1] if int(step) <= len(value) else None
    return value.get(step) if isinstance(value, Mapping) else None


def _put(options: dict[str, Any], name: str, value: Any) -> None:
    *path, last = name.split(".")
    for step in path:
        options = options.setdefault(step, {})
    options[last] = value


def _in_order(row: dict[str, Any]) -> list[Any]:
    return [row[number] for number in sorted(row, key=int)]


def _value(offer: Offer, text: str) -> Any:
    if offer.kind == "number":
        if not (text.isdecimal() and len(text) < 6):
            raise Malformed("companion.option_number", option=offer.label(), text=text[:12])
        return int(text)
    if text not in offer.choices:
        values = tuple(offer.said(value) for value in offer.choices)
        raise Malformed("companion.option_choice", option=offer.label(), text=text[:20], values=values)
    # A number among the words of a choice is a number to the game.
    return YES_NO.get(text, int(text) if text.isdecimal() else text)


def described(game: Game[Any], language: str) -> dict[str, dict[str, Any]]:
    """Every offer in a person's language, as plain data: for pages, programs and people who read."""
    return {
        offer.name: {
            "kind": offer.kind,
            "label": offer.label().said(language),
            "hint": offer.hint().said(language),
            "by_the_rules": _spoken(offer.by_the_rules(), language),
            "values": {value: _spoken(offer.said(value), language) for value in offer.choices},
            **plain({"least": offer.least, "most": offer.most, "needs": offer.needs}),
        }
        for offer in offers(game)
    }


def _spoken(words: Saying | str, language: str) -> str:
    return words.said(language) if isinstance(words, Saying) else words
