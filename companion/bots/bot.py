"""What a bot is: it is asked at a moment, sees what its seat sees, and chooses among what its seat may do."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from companion.contract import Action, Game, View
from companion.refusals import Illegal
from companion.words import Saying


class Moment(msgspec.Struct, frozen=True):
    """All that a bot is given when it is to act: there is no other way to learn anything.

    `fate` is a number drawn for this seat when the game began, the same at every moment of it and known to
    nobody else: what a bot is like for a whole game comes from it. `chance` is for this moment alone.
    `until` is when it must have chosen, by `time.monotonic`; null where it may take its time.
    """

    game: Game[Any]
    view: View
    choices: Sequence[Any]
    chance: Random
    fate: int = 0
    until: float | None = None

    @property
    def in_time(self) -> bool:
        """Whether there is time left to think."""
        return self.until is None or time.monotonic() < self.until


class Persona(msgspec.Struct, frozen=True):
    """The character of a bot in one game: a name, and a line about it for when the game is over."""

    key: str
    """Of the words for its name, `phantom.persona_bold`; those of the line have `_line` after it."""

    @property
    def name(self) -> Saying:
        """What it is called."""
        return Saying(self.key)

    @property
    def line(self) -> Saying:
        """What it is like, in a sentence."""
        return Saying(f"{self.key}_line")


class Hint(msgspec.Struct, frozen=True):
    """An opinion on what to do, and why."""

    action: Any
    because: Saying


class Bot(ABC):
    """Plays any seat of one game. It keeps nothing between two moments: all it knows is in the view.

    The same moment gives the same choice, so a game with a seed can be played again. The exception is a
    moment with a time limit, at which a bot may stop thinking earlier.
    """

    @abstractmethod
    def choose(self, moment: Moment) -> Action:
        """One of the choices."""

    def hint(self, moment: Moment) -> Hint:
        """What it would do in a person's place, and why."""
        raise Illegal("companion.no_hint", game=moment.game.name)

    def persona(self, view: View, fate: int) -> Persona | None:
        """The character that it plays this seat with, where it has one. Nobody is told before the end."""
        return None

    def consents(self, game: Game[Any], view: View) -> bool:
        """Whether it agrees that the last action is taken back, if that told nobody anything.

        It is never asked about anything else: people decide that.
        """
        return True


class Anything(Bot):
    """Does anything that is allowed."""

    def choose(self, moment: Moment) -> Action:
        """Any of them, each as likely as any other."""
        action: Action = moment.chance.choice(moment.choices)
        return action
