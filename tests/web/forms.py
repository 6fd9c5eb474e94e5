"""The forms that a real page draws, and a hand that fills them in.

Nothing can be sent that a person could not send there: a field that the form lacks, or a value that it
does not offer, is the test's own failure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from tests.web.phones import Answer, Phone

TYPED = {"text", "number", "password", "search", "tel"}


@dataclass
class Field:
    """A field of a form: what stands in it, what else it offers, and in which words."""

    value: str | None = None
    """What is sent if nobody touches it; nothing, if null."""
    typed: bool = False
    words: dict[str, str] = field(default_factory=dict)
    """What is beside each value that can be chosen."""
    label: str = ""
    """Everything that is written around the field."""


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
    fields: dict[str, Field] = field(default_factory=dict)
    buttons: list[Button] = field(default_factory=list)

    def filled(self, chosen: Mapping[str, str | None]) -> dict[str, str]:
        """What is sent when these fields have been filled in, and the others left as they were.

        Null takes the tick out of a box.
        """
        for name, value in chosen.items():
            assert name in self.fields, f"{self.action} has no field {name}; there are: {sorted(self.fields)}"
            here = self.fields[name]
            assert here.typed or value is None or value in here.words, (
                f"{name} offers no {value}; it offers {here.words}"
            )
        kept = {name: one.value for name, one in self.fields.items()} | {**chosen}
        return {name: value for name, value in kept.items() if value is not None}


class _Reader(HTMLParser):
    """Reads the forms of a page, also what stands elsewhere and belongs to one by its `form`."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._label: list[str] | None = None
        self._labelled: list[tuple[Field, str | None]] = []
        self._select: Field | None = None
        self._told: tuple[Field, str] | None = None
        self._button: Button | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(told.get("id", ""), told.get("action", ""))
            self.forms.append(self._form)
        elif tag == "label":
            self._label, self._labelled = [], []
        elif tag in ("input", "select", "textarea", "button"):
            self._field(tag, told)
        elif tag == "option" and self._select is not None:
            value = told["value"]
            self._select.words[value] = ""
            self._told = self._select, value
            if "selected" in told or self._select.value is None:
                self._select.value = value

    def _field(self, tag: str, told: dict[str, str]) -> None:
        owner = self._form
        if "form" in told:
            owner = next((form for form in self.forms if form.id == told["form"]), None)
        if owner is None or "disabled" in told:
            return
        name, value, kind = told.get("name", ""), told.get("value", ""), told.get("type", "text")
        if tag == "button":
            self._button = Button(told.get("formaction", owner.action), name, value)
            owner.buttons.append(self._button)
            return
        here = owner.fields.setdefault(name, Field())
        self._labelled.append((here, value if kind in ("radio", "checkbox") else None))
        if tag == "select":
            self._select = here
        elif kind in ("radio", "checkbox"):
            here.words[value] = ""
            here.value = value if "checked" in told else here.value
        else:
            here.value, here.typed = value, kind in TYPED

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "label" and self._label is not None:
            self._name_what_is_labelled(" ".join(self._label))
        elif tag == "select":
            self._select = None
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
    reader.feed(html)
    return reader.forms


def form(phone: Phone, page: str, action: str, **holding: str) -> Form:
    """The one form of a phone's page that goes to an address, with these values in its fields."""
    found = [each for each in forms(phone.get(page).text) if each.action == action and _holds(each, holding)]
    assert found, f"{page} has no form for {action}"
    return found[0]


def _holds(one: Form, holding: dict[str, str]) -> bool:
    return all(name in one.fields and one.fields[name].value == value for name, value in holding.items())


def fill(
    phone: Phone, page: str, action: str, chosen: Mapping[str, str | None] | None = None, **holding: str
) -> Answer:
    """Fill in a form of a page and send it; the answer comes back as the phone sees it in the end."""
    one = form(phone, page, action, **holding)
    return _sent(phone, one.action, one.filled(chosen or {}))


def press(phone: Phone, page: str, action: str, value: str = "", **chosen: Any) -> Answer:
    """Press the button of a page that goes to an address, with this value on it if it has several."""
    for one in forms(phone.get(page).text):
        for button in one.buttons:
            if button.action == action and (not value or button.value == value):
                own = {button.name: button.value} if button.name else {}
                return _sent(phone, action, {**one.filled(chosen), **own})
    raise AssertionError(f"{page} has no button for {action} {value}")


def _sent(phone: Phone, action: str, fields: dict[str, str]) -> Answer:
    answer = phone.send(action, fields)
    return phone.get(answer.headers["location"]) if answer.status == 303 else answer
