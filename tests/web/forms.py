"""The forms that a real page draws, and a hand that fills them in.

Nothing can be sent that a person could not send there: a field that the form lacks, a value that it does
not offer, or an empty box that must be filled is the test's own failure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from companion.refusals import Malformed
from web.forms.game import AT_ONCE, NOT_OF_THE_ACTION, action_of

TYPED = {"text", "number", "password", "search", "tel", "range", "textarea"}
CHOSEN = {"radio", "checkbox", "select"}
DRAWN = re.compile(r"<svg\b.*?</svg>", re.S)
WHOLE, NUMBER = re.compile(r"-?\d+"), re.compile(r"-?\d+(\.\d+)?")
FORM = re.compile(r"<form\b.*?</form>", re.S)
BESIDE = re.compile(r'<(?:button|input)\b[^>]*\sform="([^"]*)"[^>]*>')

Said = str | int | bytes | list[Any] | None
"""What a test says of a field."""
Sent = dict[str, list[str]]

WRITTEN = {"drawn": "games/canterville/static/draw.js"}
"""Hidden fields that a script fills in, and which does."""
ALIKE = {"/table/release": ("/table/press", "static/table.js")}
"""Where a script sends a form to besides its own address, and which does."""


class Misfit(AssertionError):
    """No page has a form that would send this."""


@dataclass
class Field:
    """A field of a form: what stands in it, what else it offers, and in which words."""

    kind: str
    values: list[str] = field(default_factory=list)
    """What is sent if nobody touches it."""
    words: dict[str, str] = field(default_factory=dict)
    """What is beside each value that can be chosen."""
    label: str = ""
    """Everything that is written around the field."""
    told: Mapping[str, str] = field(default_factory=dict)
    """What the page demands of it."""

    @property
    def value(self) -> str | None:
        return self.values[0] if self.values else None

    @property
    def typed(self) -> bool:
        return self.kind in TYPED

    def refuses(self, values: list[str]) -> str:
        """Why a browser would not send this; nothing, if it would."""
        if self.kind == "hidden" and values != self.values and self.told.get("name") not in WRITTEN:
            return f"is hidden and says {self.value!r}, not {values}"
        if self.kind in CHOSEN and (odd := [*set(values) - {*self.words}]):
            return f"offers {[*self.words]}, not {odd}"
        if self.values and not values and self.kind not in ("checkbox", "file"):
            return "cannot be left out"
        one = self.kind in ("radio", *TYPED) or (self.kind == "select" and "multiple" not in self.told)
        if one and len(values) > 1:
            return f"has room for one, not for {values}"
        if "required" in self.told and not (any(values) if self.typed or self.kind == "select" else values):
            return "must be filled in"
        return next((why for value in values if self.typed and (why := self._too_much(value))), "")

    def _too_much(self, value: str) -> str:
        told = self.told
        if len(value) > int(told.get("maxlength", len(value))):
            return f"takes {told['maxlength']} signs, not {len(value)}"
        if value and len(value) < int(told.get("minlength", 0)):
            return f"takes {told['minlength']} signs at least, not {value!r}"
        if value and "pattern" in told and not re.fullmatch(told["pattern"], value):
            return f"takes {told['pattern']}, not {value!r}"
        if not value or self.kind not in ("number", "range"):
            return ""
        kind, digits = ("a number", NUMBER) if "step" in told else ("a whole number", WHOLE)
        if not digits.fullmatch(value):
            return f"takes {kind}, not {value!r}"
        if not float(told.get("min", "-inf")) <= float(value) <= float(told.get("max", "inf")):
            return f"goes from {told.get('min')} to {told.get('max')}, not to {value}"
        return ""


@dataclass
class Button:
    """A button that sends a form, maybe to another address and with something of its own."""

    action: str
    name: str
    value: str
    words: str = ""


@dataclass
class Form:
    """A form: where it goes, its fields by name, and its buttons."""

    id: str
    action: str
    kind: str = ""
    fields: dict[str, Field] = field(default_factory=dict)
    buttons: list[Button] = field(default_factory=list)

    def filled(self, chosen: Mapping[str, Said], button: Button | None = None) -> Sent:
        """What is sent when these fields have been filled in, and the others left as they were.

        Null takes the tick out of a box, or says that there is no such field; several values tick several.
        """
        sent = {name: one.values for name, one in self.fields.items()}
        said = {name: _texts(value) for name, value in chosen.items()}
        if button is not None and button.name:
            if said.pop(button.name, None) != [button.value]:
                raise Misfit(f"has a button {button.name}={button.value}, which nobody presses")
            sent[button.name] = [button.value]
        for name, values in said.items():
            if name not in self.fields:
                if not values:
                    continue
                raise Misfit(f"has no field {name}; there are: {sorted(self.fields)}")
            sent[name] = values
        for name, one in self.fields.items():
            if why := one.refuses(sent[name]):
                raise Misfit(f"has a field {name}, which {why}")
        return {name: values for name, values in sent.items() if values}

    def ways(self, path: str) -> Iterator[Button | None]:
        """By what it is sent to an address: each button that leads there, or nothing if it has none."""
        yield from (each for each in self.buttons if each.action == path)
        if self.action == path and not self.buttons:
            yield None


def _texts(said: Said) -> list[str]:
    """What was said as a browser sends it."""
    if said is None:
        return []
    several = said if isinstance(said, list) else [said]
    return [each if isinstance(each, bytes) else str(each) for each in several]


def sent_by(html: str, path: str, chosen: Mapping[str, Said]) -> tuple[Form, Sent]:
    """The form that goes to an address when these fields are filled in, and all that it then sends.

    What somebody does in the game may be told in other words: the choice that says the same is chosen.
    """
    misfits, drawn = [], ALIKE.get(path, (path,))[0]
    for one in forms(_about(html, drawn)) if drawn in html else ():
        for way in one.ways(drawn):
            for told in (chosen, *_in_one(one, way, chosen)):
                try:
                    return one, one.filled(told, way)
                except Misfit as misfit:
                    misfits.append(str(misfit))
    raise Misfit("; or ".join(dict.fromkeys(misfits)) or "has no form that goes there")


def _about(html: str, path: str) -> str:
    """Of a page the forms that lead to an address, and what stands beside forms and belongs to them."""
    html = _without_pictures(html)
    beside = [*BESIDE.finditer(FORM.sub("", html))]
    sending = [f' id="{found[1]}"' for found in beside if f'"{path}"' in found[0]]
    found = [one for one in FORM.findall(html) if any(each in one for each in (f'"{path}"', *sending))]
    return "".join((*found, *(each[0] for each in beside)))


def _without_pictures(html: str) -> str:
    """Most of a page is pictures; only a castle has something to choose in its own."""
    return DRAWN.sub(lambda found: found[0] if "<foreignObject" in found[0] else "", html)


def _in_one(one: Form, way: Button | None, said: Mapping[str, Said]) -> Iterator[Mapping[str, Said]]:
    """The same with the one choice that means what was said field by field."""
    if not {"type", "action"} & {*said}:
        return
    meant = _meant({name: str(value) for name, value in said.items()})
    if meant is None:
        return
    rest = {name: value for name, value in said.items() if name in NOT_OF_THE_ACTION}
    offered = [*one.fields["action"].words] if "action" in one.fields else []
    if way is not None and way.name == "action":
        offered.append(way.value)
    yield from ({**rest, "action": each} for each in offered if _meant({"action": each}) == meant)
    for text in one.fields[AT_ONCE].words if AT_ONCE in one.fields else ():
        together = json.loads(text)
        if together.items() <= meant.items():
            alone = {name: value for name, value in meant.items() if name not in together}
            yield {**rest, **alone, AT_ONCE: text}
    yield {**rest, **meant}


def _meant(fields: Mapping[str, str]) -> dict[str, Any] | None:
    """The action that fields describe; nothing, if they describe none, or several."""
    try:
        return action_of(fields)
    except Malformed:
        return None


class _Reader(HTMLParser):
    """Reads the forms of a page, also what stands elsewhere and belongs to one by its `form`."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._label: list[str] | None = None
        self._labelled: list[tuple[Field, str | None]] = []
        self._select: Field | None = None
        self._text: Field | None = None
        self._told: tuple[Field, str] | None = None
        self._button: Button | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(told.get("id", ""), told.get("action", ""), told.get("enctype", ""))
            self.forms.append(self._form)
        elif tag == "label":
            self._label, self._labelled = [], []
        elif tag in ("input", "select", "textarea", "button"):
            self._field(tag, told)
        elif tag == "option" and self._select is not None:
            value = told["value"]
            if "selected" in told or not self._select.words:
                self._select.values = [value]
            self._select.words[value] = ""
            self._told = self._select, value

    def _field(self, tag: str, told: dict[str, str]) -> None:
        owner = self._form
        if "form" in told:
            owner = next((form for form in self.forms if form.id == told["form"]), None)
        if owner is None or "disabled" in told:
            return
        name, value = told.get("name", ""), told.get("value", "")
        kind = told.get("type", "text") if tag == "input" else tag
        if tag == "button":
            if told.get("type") != "button":
                self._button = Button(told.get("formaction", owner.action), name, value)
                owner.buttons.append(self._button)
            return
        if choice := kind in ("radio", "checkbox"):
            value = told.get("value", "on")
        here = owner.fields.setdefault(name, Field(kind, told=told))
        if "required" in told and kind == "radio":
            here.told = {**here.told, "required": ""}  # one demands it for all of a name
        self._labelled.append((here, value if choice else None))
        if tag == "select":
            self._select = here
        elif choice:
            here.words[value] = ""
            here.values += [value] if "checked" in told else []
        elif tag == "textarea":
            self._text, here.values = here, [""]
        elif kind != "file":
            here.values = [value]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "label" and self._label is not None:
            self._name_what_is_labelled(" ".join(self._label))
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._text = None
        elif tag == "option":
            self._told = None
        elif tag == "button":
            self._button = None

    def _name_what_is_labelled(self, said: str) -> None:
        for here, value in self._labelled:
            if value is None:
                here.label = said
            else:
                here.words[value] = said
        self._label, self._labelled = None, []

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.values[0] += data
        text = data.strip(" \t\n")
        if not text:
            return
        if self._told is not None:
            here, value = self._told
            here.words[value] = f"{here.words[value]} {text}".strip()
        elif self._button is not None:
            self._button.words = f"{self._button.words} {text}".strip()
        elif self._label is not None:
            self._label.append(text)


def forms(html: str) -> list[Form]:
    """Every form of a page, in its order."""
    reader = _Reader()
    reader.feed(_without_pictures(html))
    return reader.forms
