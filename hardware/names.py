"""What wires, strips and kits are called by people; a kit's file and the code have short names for them."""

from __future__ import annotations

import re

from companion import words
from companion.words import Saying
from hardware.kits import Kit, Strip

OTHER = "other: "
"""What the wires of the other board on the same Pi begin with."""


def wire(name: str) -> Saying | str:
    """A wire, contact or net: `row3` is row 3. What is called alike everywhere, such as SDA, stays so."""
    if name.startswith(OTHER):
        return Saying("hardware.wire_other", wire=wire(name.removeprefix(OTHER)))
    kind = name.rstrip("0123456789")
    key = "wire_" + re.sub(r"[^a-z0-9]+", "_", kind.lower()).strip("_")
    return Saying(f"hardware.{key}", n=name[len(kind) :]) if _known(key) else name


def strip(strip: Strip) -> Saying | str:
    """A strip of a kit of ours; somebody's own is called as they called it."""
    key = "strip_" + strip.name.replace(".", "_")
    return Saying(f"hardware.{key}") if _known(key) else strip.name


def title(kit: Kit) -> Saying | str:
    """A kit of ours in two or three words."""
    key = "kit_title_" + kit.name.replace("-", "_").removeprefix("castle_")
    return Saying(f"hardware.{key}") if _known(key) else kit.name


def about(kit: Kit) -> Saying | str:
    """What a kit of ours is; somebody's own speaks for itself."""
    key = "kit_" + kit.name.replace("-", "_")
    return Saying(f"hardware.{key}") if _known(key) else kit.about


def said(name: Saying | str, language: str) -> str:
    """A name in somebody's language."""
    return name.said(language) if isinstance(name, Saying) else name


def _known(key: str) -> bool:
    return key in words.sentences("hardware", "en")
