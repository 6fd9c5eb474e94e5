"""From a TOML table to a typed value: a key that does not fit is named with its line and what would."""

from __future__ import annotations

import difflib
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from companion.contract import converted
from companion.words import Saying
from hardware.lines import Lines, Spot, line_of


class Problem(msgspec.Struct, frozen=True):
    """Something wrong with a kit: on which line, and what to do."""

    line: int
    saying: Saying

    def sentence(self, file: str, language: str = "en") -> str:
        """The problem for a person: file, line, what is wrong, what to do."""
        where = Saying("hardware.at_line", file=file, line=self.line)
        return f"{where.said(language)} {self.saying.said(language)}"


T = TypeVar("T", bound=msgspec.Struct)

REPLACED: dict[Spot, str] = {("expander", "addresses"): "old_expander"}
"""Keys that a kit of an older companion has, and the sentence that says what takes their place."""


class Reader:
    """Reads one file; what does not fit is noted, and the rest is still read."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self.problems: list[Problem] = []

    def struct(self, kind: type[T], data: dict[str, Any], spot: Spot = ()) -> T:
        """A table as a typed value."""
        fields = {field.name: field for field in msgspec.structs.fields(kind) if field.name != "name" or spot}
        read: dict[str, Any] = {}
        for key, value in data.items():
            if key in fields:
                read[key] = self._value(fields[key].type, value, (*spot, key))
            else:
                self._unknown(key, list(fields), spot)
        for field in fields.values():
            if field.required and field.name not in data:
                self._missing(field.name, data, spot)
                read[field.name] = None
        return kind(**read)

    def _value(self, kind: Any, value: Any, spot: Spot) -> Any:
        table = _struct_in(kind)
        if table and isinstance(value, dict):
            return self.struct(table, value, spot)
        if table and isinstance(value, list) and all(isinstance(each, dict) for each in value):
            return [self.struct(table, each, (*spot, n)) for n, each in enumerate(value)]
        if get_origin(kind) is dict and isinstance(value, dict):
            return {key: self._value(get_args(kind)[1], each, (*spot, key)) for key, each in value.items()}
        try:
            return converted(value, kind)
        except msgspec.ValidationError:
            self._note(spot, _wanted(kind), name=spot[-1], value=_shown(value))
            return None

    def _unknown(self, key: str, known: list[str], spot: Spot) -> None:
        near = difflib.get_close_matches(key, known, 1)
        if (*spot, key) in REPLACED:
            self._note((*spot, key), Saying(f"hardware.{REPLACED[*spot, key]}"))
        elif near:
            self._note((*spot, key), Saying("hardware.unknown_key_near", name=key, near=near[0]))
        else:
            self._note((*spot, key), Saying("hardware.unknown_key", name=key, known=tuple(known)))

    def _missing(self, name: str, data: dict[str, Any], spot: Spot) -> None:
        if not any((*spot, key) in REPLACED for key in data):
            table = ".".join(map(str, spot)) or "kit"
            self._note(spot, Saying("hardware.key_missing", name=name, table=table))

    def _note(self, spot: Spot, saying: Saying, **facts: object) -> None:
        said = Saying(saying.key, **{**saying.facts, **facts})
        self.problems.append(Problem(line_of(self._lines, spot), said))


def _struct_in(kind: Any) -> type[msgspec.Struct] | None:
    options = get_args(kind) or (kind,)
    return next((k for k in options if isinstance(k, type) and issubclass(k, msgspec.Struct)), None)


# What would have fitted


def _wanted(kind: Any) -> Saying:
    """The sentence that says what a key takes."""
    kind, limits = _bare(kind)
    if get_origin(kind) is Literal:
        return Saying("hardware.want_choice", choices=get_args(kind))
    if get_origin(kind) is list:
        return Saying("hardware.want_list")
    if limits:
        return Saying("hardware.want_between", least=limits[0], most=limits[1])
    named = {int: "number", bool: "flag", str: "text"}.get(kind, "table")
    return Saying(f"hardware.want_{named}")


def _bare(kind: Any) -> tuple[Any, tuple[Any, Any] | None]:
    """A type without its wrapping, and the limits that it had."""
    limits = None
    while True:
        if get_origin(kind) is Annotated:
            kind, meta = get_args(kind)[:2]
            limits = (meta.ge, meta.le)
        elif get_origin(kind) in (Union, types.UnionType):
            kind = next(_not_none(kind))
        else:
            return kind, limits


def _not_none(kind: Any) -> Iterator[Any]:
    return (option for option in get_args(kind) if option is not type(None))


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode() if isinstance(value, str | int | float | bool) else "…"
