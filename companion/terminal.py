"""What commands say on a terminal, in the language of whoever sits there."""

from __future__ import annotations

import os
import sys

from companion.words import LANGUAGES, Saying, say


def language() -> str:
    """The language that the system is set to, if it is one of ours."""
    told = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return told[:2] if told[:2] in LANGUAGES else "en"


def tell(key: str, **facts: object) -> None:
    """Say a sentence."""
    print(say(key, language(), **facts), flush=True)


def complain(why: object) -> int:
    """Say what went wrong, where errors are said; the exit status comes back."""
    print(f"companion: {_worded(why)}", file=sys.stderr)
    return 1


def _worded(why: object) -> str:
    if isinstance(why, OSError) and why.filename:
        return f"{why.filename}: {why.strerror}"
    if isinstance(why, Saying):
        return why.said(language())
    message = getattr(why, "message", None)
    return message(language()) if callable(message) else str(why)
