"""Everything about a table that cannot be, found at once. What cannot go on is a fault, the rest is odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.games.artefacts.box import DICE_A_COLOUR
from companion.games.artefacts.cards import card_word
from companion.games.artefacts.course import OPEN, SETUP_TILES
from companion.games.artefacts.laying import colour_word, pool
from companion.games.artefacts.manor import COLOURS, OPPOSITE, Manor, quadrant
from companion.games.artefacts.options import HAND, POINTS, STRONGEST
from companion.games.artefacts.state import Artefact, Pending, State
from companion.words import Saying


def problems(state: State) -> tuple[Saying, ...]:
    """Everything about a table that cannot be, at once."""
    return (*faults(state), *oddities(state))


def faults(state: State) -> list[Saying]:
    """What the game could not go on with."""
    wrong = [*_misplaced(state), *_ghost_faults(state), *_hunter_faults(state), *_artefact_faults(state)]
    for deck, left in (("card", state.objects), ("trap", state.traps)):
        over = [(card, -n) for card, n in left.items() if n < 0]
        wrong += [Saying("artefacts.too_many", card=card_word(card, deck), n=n) for card, n in over]
    return [*wrong, *_course_faults(state), *(_pending_faults(state, state.pending) if state.pending else ())]


def _misplaced(state: State) -> Iterator[Saying]:
    """Tiles and pawns where none can be."""
    cross, squares = Manor(()).exits, state.plan.exits
    for at, n in Counter(tile.at for tile in state.manor).items():
        if n > 1:
            yield Saying("artefacts.two_tiles", at=at)
        if at in cross:
            yield Saying("artefacts.on_cross", at=at)
    for colour, at in state.pawns.items():
        if at not in squares:
            yield Saying("artefacts.pawn_nowhere", colour=colour_word(colour), at=at)


def _ghost_faults(state: State) -> Iterator[Saying]:
    """Two dice a colour; each shows 1 to 6 and stands on a tile. CFA-1, CFA-51, CFA-53."""
    for id, n in Counter(ghost.id for ghost in state.ghosts).items():
        if n > 1:
            yield Saying("artefacts.ghost_twice", ghost=id)
    for colour, n in Counter(ghost.colour for ghost in state.ghosts).items():
        if n > DICE_A_COLOUR:
            yield Saying("artefacts.too_many_dice", colour=colour_word(colour), n=n, most=DICE_A_COLOUR)
    for ghost in state.ghosts:
        if not 1 <= ghost.power <= STRONGEST:
            yield Saying("artefacts.wrong_power", ghost=ghost.id, power=ghost.power)
        if ghost.at not in state.plan.exits:
            yield Saying("artefacts.ghost_nowhere", ghost=ghost.id, at=ghost.at)


def _hunter_faults(state: State) -> Iterator[Saying]:
    """Life and hands. CFA-4, CFA-61, CFA-Q32."""
    limit = HAND + (state.pending is not None and state.pending.what == "give")
    for colour in COLOURS:
        life, hand, name = state.life[colour], state.hands[colour], colour_word(colour)
        if not 0 <= life <= state.options.max_life:
            yield Saying("artefacts.wrong_life", colour=name, life=life, most=state.options.max_life)
        if len(hand) > limit:
            yield Saying("artefacts.wrong_hand", colour=name, n=len(hand), most=HAND)
        if life == 0 and hand:
            yield Saying("artefacts.dead_hand", colour=name)


def _artefact_faults(state: State) -> Iterator[Saying]:
    """An artefact is in one place, and the dead carry nothing. CFA-43, CFA-Q32."""
    for colour in COLOURS:
        each, name = state.artefacts[colour], colour_word(colour)
        places = (each.at is not None) + (each.by is not None) + each.home
        if places > 1:
            yield Saying("artefacts.artefact_places", colour=name, n=places)
        if each.at is not None and each.at not in state.plan.exits:
            yield Saying("artefacts.artefact_nowhere", colour=name, at=each.at)
        if each.by is not None and state.life[each.by] == 0:
            yield Saying("artefacts.dead_carrier", colour=name, by=colour_word(each.by))


def _course_faults(state: State) -> Iterator[Saying]:
    """What is wrong about the turn. CFA-13, CFA-20, CFA-22."""
    if not 0 <= state.points <= POINTS or state.moves < 0:
        yield Saying("artefacts.wrong_points", points=state.points, most=POINTS)
    if len(state.open) > OPEN or (state.phase == "laying" and len(state.open) + state.turn > OPEN):
        yield Saying("artefacts.wrong_open", n=len(state.open))
    if state.phase == "drafting":
        yield from _draft_faults(state)
    elif state.phase != "building" and any(state.held.values()):
        yield Saying("artefacts.still_held")
    on_the_way = () if state.stepping is None else (state.stepping.ghost,)
    for id in sorted({*state.moved, *on_the_way} - {ghost.id for ghost in state.ghosts}):
        yield Saying("artefacts.no_such_ghost", ghost=id)


def _draft_faults(state: State) -> Iterator[Saying]:
    sizes = [len(tiles) for tiles in state.held.values()]
    behind = sum(size == min(sizes) for size in sizes)
    revealing = state.pending.n if state.pending is not None else 0
    if not 1 <= min(sizes) <= max(sizes) <= SETUP_TILES or max(sizes) - min(sizes) > 1:
        yield Saying("artefacts.wrong_draft")
    elif min(sizes) < SETUP_TILES and len(state.open) + revealing not in (behind, 0):
        yield Saying("artefacts.wrong_open", n=len(state.open))


def _pending_faults(state: State, pending: Pending) -> Iterator[Saying]:
    colour, squares = pending.colour, state.plan.exits
    fits = {
        "reveal": state.phase in ("drafting", "laying") and 1 <= pending.n <= min(OPEN, len(pool(state))),
        "drawn": state.phase == "acting" and colour is not None and any(state.objects.values()),
        "trap": state.phase in ("acting", "ending") and colour is not None,
        "give": colour is not None and bool(state.hands[colour]),
        "fork": state.stepping is not None and pending.ghost == state.stepping.ghost,
        "haunt": colour is not None,
        "order": len(pending.ghosts) == len(pending.options)
        and {*pending.ghosts} <= {ghost.id for ghost in state.ghosts if ghost.id not in state.moved},
    }
    choice = pending.what in ("fork", "haunt", "order")
    if not fits[pending.what] or (choice and not (pending.options and {*pending.options} <= squares.keys())):
        yield Saying("artefacts.wrong_pending", what=Saying(f"artefacts.pending_{pending.what}"))


def oddities(state: State) -> Iterator[Saying]:
    """What the rules do not allow but a table may have done: the game can go on with it. CFA-31, CFA-33."""
    for at, tile in state.plan.tiles.items():
        for side, there in state.plan.around(at):
            counts = there in state.plan.tiles and at < there
            if counts and (side in tile.exits) != (OPPOSITE[side] in state.plan.exits[there]):
                yield Saying("artefacts.exit_meets_wall", at=at, there=there)
    laid = {tile.colour for tile in state.manor if tile.kind == "artefact"}
    for colour, each in state.artefacts.items():
        if each != Artefact() and colour not in laid:
            yield Saying("artefacts.artefact_untiled", colour=colour_word(colour))
    where = [quadrant(tile.at) for tile in state.manor if tile.kind == "artefact"]
    if None in where:
        yield Saying("artefacts.artefact_on_axis")
    if len(set(where)) < len(where):
        yield Saying("artefacts.artefact_quadrant")
