"""What the companion says when it says no: cannot parse, not legal, ambiguous.

A refusal carries a key into the words of its speaker (see `companion.words`), the facts that fill the
sentence, and the number of the rule behind it. Nothing has changed when a refusal is raised.
"""

from __future__ import annotations

from typing import ClassVar

from companion.words import Saying


class Refusal(Exception):
    """An input that changes nothing, with a reason that a person understands."""

    code: ClassVar[str] = "illegal"

    def __init__(self, key: str, *, rule: str | None = None, **facts: object) -> None:
        super().__init__(key)
        self.saying = Saying(key, **facts)
        self.rule = rule

    def message(self, language: str = "en") -> str:
        """The reason in a person's language."""
        return self.saying.said(language)

    def __str__(self) -> str:
        return self.message()


# The first family: it cannot be parsed, so nobody knows what was meant.
class Malformed(Refusal):
    """The input has not the shape of any message."""

    code = "malformed"


class TooLarge(Malformed):
    """The input is longer than any message needs to be."""

    code = "too_large"


class UnknownCommand(Malformed):
    """A well-formed request for something nobody here can do."""

    code = "unknown_command"


# The second family: it is understood, and it is not legal.
class Illegal(Refusal):
    """The rules do not allow it now."""

    code = "illegal"


class NoGame(Illegal):
    """There is no game yet to do this in."""

    code = "no_game"


class Forbidden(Illegal):
    """Not for this seat, now or ever."""

    code = "forbidden"


class NotYourTurn(Illegal):
    """Another seat is to act."""

    code = "not_your_turn"


class NotSaved(Illegal):
    """It could not be made durable, so it did not happen."""

    code = "not_saved"


# The third family: it could mean two legal things.
class Ambiguous(Refusal):
    """More than one legal action fits the input."""

    code = "ambiguous"
