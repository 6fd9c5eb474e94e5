"""What can be heard of Chasseurs Fantômes Artéfacts: events, short enough to be read out."""

from __future__ import annotations

from typing import Literal

from companion.contract import Event
from companion.games.artefacts.box import Deck, ObjectCard, TrapCard
from companion.games.artefacts.manor import Colour, Placed, Square, Tile


class Revealed(Event, frozen=True, tag="revealed"):
    """A tile was turned up."""

    tile: Tile


class Took(Event, frozen=True, tag="took"):
    """A colour took an open tile."""

    by: Colour
    tile: str


class Laid(Event, frozen=True, tag="laid"):
    """A tile came to lie in the manor."""

    by: Colour
    tile: Placed


class Unlayable(Event, frozen=True, tag="unlayable"):
    """A tile had no spot: it is out, or an artefact goes back into the pile. CFA-32, CFA-Q17."""

    by: Colour
    tile: str
    kept: bool


class RoundBegan(Event, frozen=True, tag="round"):
    """A new turn begins; the leader marker has passed on. CFA-23."""

    round: int
    leader: Colour


class Appeared(Event, frozen=True, tag="appeared"):
    """A ghost appeared: put its die there with this face. CFA-40."""

    ghost: str
    colour: Colour
    at: Square
    power: int


class Stepped(Event, frozen=True, tag="stepped"):
    """A pawn walked."""

    by: Colour
    at: Square


class Teleported(Event, frozen=True, tag="teleported"):
    """A pawn went from teleporter to teleporter. CFA-42."""

    by: Colour
    at: Square


class Sprung(Event, frozen=True, tag="sprung"):
    """A trap was sprung on a colour. CFA-41."""

    by: Colour
    card: TrapCard


class SentHome(Event, frozen=True, tag="sent_home"):
    """A pawn fell through a hole and stands on its arm. CFA-64."""

    by: Colour
    at: Square


class Life(Event, frozen=True, tag="life"):
    """A colour's life changed."""

    by: Colour
    life: int


class Died(Event, frozen=True, tag="died"):
    """A colour died: lay the pawn down. CFA-Q32."""

    by: Colour


class Revived(Event, frozen=True, tag="revived"):
    """A dead ally stands up. CFA-62."""

    by: Colour
    at: Square
    life: int


class Robbed(Event, frozen=True, tag="robbed"):
    """A card went from a hand to the discard."""

    by: Colour
    card: ObjectCard


class Drew(Event, frozen=True, tag="drew"):
    """A colour draws an object card."""

    by: Colour


class Got(Event, frozen=True, tag="got"):
    """What a colour drew."""

    by: Colour
    card: ObjectCard


class Used(Event, frozen=True, tag="used"):
    """A colour played an object card."""

    by: Colour
    card: ObjectCard


class Fought(Event, frozen=True, tag="fought"):
    """A colour fought a ghost; what it has left. CFA-60."""

    by: Colour
    ghost: str
    vacuums: int
    life: int
    crucifix: bool
    power: int


class Banished(Event, frozen=True, tag="banished"):
    """A ghost is gone: take its die back. CFA-60."""

    ghost: str


class Picked(Event, frozen=True, tag="picked"):
    """A colour carries an artefact. CFA-44."""

    by: Colour
    artefact: Colour


class Dropped(Event, frozen=True, tag="dropped"):
    """An artefact lies where its carrier was. CFA-Q32."""

    artefact: Colour
    at: Square


class Home(Event, frozen=True, tag="home"):
    """An artefact is on the cross. CFA-70."""

    by: Colour
    artefact: Colour


class Moved(Event, frozen=True, tag="moved"):
    """A ghost went one tile. CFA-50."""

    ghost: str
    start: Square
    to: Square
    heading: str


class Stayed(Event, frozen=True, tag="stayed"):
    """A ghost has no way to its door. CFA-Q5."""

    ghost: str


class Escaped(Event, frozen=True, tag="escaped"):
    """A ghost reached the centre; how many have. CFA-52."""

    ghost: str
    n: int


class Grew(Event, frozen=True, tag="grew"):
    """A ghost gained power: turn its die. CFA-23, CFA-44."""

    ghost: str
    power: int


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """A discard was shuffled and is the pile now. CFA-63."""

    deck: Literal["objects", "traps"]


class Surprise(Event, frozen=True, tag="surprise"):
    """There is more of something than the guess about an uncounted box had: a kind of tile, a card. CFA-3."""

    deck: Deck
    what: str


class Repaired(Event, frozen=True, tag="repaired"):
    """The moderator set something straight."""


class Over(Event, frozen=True, tag="over"):
    """The game has ended. CFA-70, CFA-71."""

    winner: Literal["players", "ghosts"]
    reason: Literal["home", "escaped", "no_dice", "dead"]


AnyStep = (
    Moved | Stayed | Escaped | Grew | Appeared | Sprung | SentHome | Life | Died | Robbed | Dropped | Home
    | Reshuffled | Surprise | RoundBegan | Over
)  # fmt: skip
"""What the companion does by itself when a turn ends, and people copy on the table step by step."""

IN_HAND = (Laid, Stepped, Teleported, SentHome, Picked, Dropped, Home, Banished)
"""What hands do on the table when the companion plays a colour."""
