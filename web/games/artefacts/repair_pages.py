"""What the moderator's forms offer: places, pieces and numbers as the record has them, to be put right."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.artefacts.box import OBJECT_SUM, OBJECTS, TILE_SUM, TRAP_SUM, TRAPS, Box
from companion.games.artefacts.manor import COLOURS, ROUND, Square, beside, manor_of
from companion.games.artefacts.options import HAND, POINTS, STRONGEST
from companion.games.artefacts.view import Shows
from web.games.artefacts.box import KINDS, PILES, SHAPES, written
from web.games.artefacts.offers import kind_words, square
from web.games.artefacts.texts import ArtefactsTexts

MOST_LIFE = 12
Choice = tuple[str, str]
"""What a form sends, and what a person reads."""


class Pile(msgspec.Struct, frozen=True):
    """A pile of the box, with the fields of its form: name, words, and the number as the game has it."""

    pile: str
    sum: int
    counts: tuple[tuple[str, str, str], ...]
    unknown: bool
    """Whether nobody has counted it."""


def repairs(shows: Shows, box: Box, m: ArtefactsTexts) -> dict[str, Any]:
    """Everything that the forms of `artefacts/repairs.html` are made of."""
    return {
        # What the companion draws by itself is of the box that it was given.
        "box_piles": piles(box, m) if shows.decks == "real" else (),
        "squares": squares(shows, m),
        "gaps": gaps(shows),
        "colour_choices": [(colour, m.named("colour", colour)) for colour in COLOURS],
        "card_choices": [(card, m.named("card", card)) for card in OBJECTS],
        "trap_choices": [(card, m.named("trap", card)) for card in TRAPS],
        "tile_choices": [(tile.id, f"({square(tile.at)}) {kind_words(m, tile)}") for tile in _sorted(shows)],
        "numbers": {"hand": HAND, "points": POINTS, "power": STRONGEST, "life": MOST_LIFE},
        "key": lambda at: f"{at[0]},{at[1]}" if at else "",
    }


def piles(box: Box, m: ArtefactsTexts) -> tuple[Pile, ...]:
    """The three piles of the box as the game has them."""
    said, sums = written(box), {"tiles": TILE_SUM, "objects": OBJECT_SUM, "traps": TRAP_SUM}
    fields = {
        "tiles": [
            (f"{kind}-{shape}", f"{m.named('kind', kind)}, {m(f'box_shape_{shape}')}")
            for kind in KINDS
            for shape in SHAPES
        ],
        "objects": [(f"object-{card}", m.named("card", card)) for card in OBJECTS],
        "traps": [(f"trapcard-{card}", m.named("trap", card)) for card in TRAPS],
    }
    return tuple(
        Pile(
            pile,
            # The four artefact tiles are not asked for here: there is one in each colour.
            sums[pile] - (len(COLOURS) if pile == "tiles" else 0),
            tuple((name, words, said.get(name, "0")) for name, words in fields[pile]),
            pile in box.unknown,
        )
        for pile in PILES
    )


def _sorted(shows: Shows) -> list[Any]:
    return sorted(shows.manor, key=lambda tile: (-tile.at[1], tile.at[0]))


def squares(shows: Shows, m: ArtefactsTexts) -> list[Choice]:
    """Every square of the manor, from the north, with what lies there."""
    manor = manor_of(shows.manor)
    words = {at: kind_words(m, tile) for at, tile in manor.tiles.items()}
    found = sorted(manor.exits, key=lambda at: (-at[1], at[0]))
    return [(_key(at), f"({square(at)}) {words.get(at, m('fix_cross'))}") for at in found]


def gaps(shows: Shows) -> list[Choice]:
    """The empty squares beside the manor: where a tile may lie that the record has elsewhere."""
    manor = manor_of(shows.manor)
    around = {there for at in manor.exits for side in ROUND if (there := beside(at, side)) not in manor.exits}
    return [(_key(at), f"({square(at)})") for at in sorted(around, key=lambda at: (-at[1], at[0]))]


def _key(at: Square) -> str:
    return f"{at[0]},{at[1]}"
