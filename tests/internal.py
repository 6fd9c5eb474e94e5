"""What no reader should ever see: names of the code, rules by number alone, words never filled in."""

from __future__ import annotations

import re

INTERNAL = re.compile(
    r"\b(p[1-4]|h[1-4]|(PS|GJ|CFA)-Q?\d+(?! \w)|None|True|False|(option|seat|role|preset)_\w+)\b|\{\w*\}"
)
ENGLISH = re.compile(r"\b(frames?|players|hunters?|master|trap|artefacts|phantom|canterville)\b")
"""Names of options and events, which in other languages are nothing else."""


def internal(text: str, language: str = "en") -> list[str]:
    """Everything of that in a text."""
    found = [one[0] for one in INTERNAL.finditer(text)]
    return found if language == "en" else found + ENGLISH.findall(text)
