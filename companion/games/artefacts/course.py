"""The course of a game: what begins and what follows without anybody's doing. CFA-12 to CFA-23."""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import PUBLIC, Action, Event, Told, heard
from companion.games.artefacts import cards, fate, ghosts, hunters
from companion.games.artefacts.actions import Choose, End
from companion.games.artefacts.box import four_exits, tiles_of
from companion.games.artefacts.events import Over, RoundBegan
from companion.games.artefacts.manor import COLOURS, Colour
from companion.games.artefacts.options import Options, check
from companion.games.artefacts.state import Artefact, Pending, State, alive
from companion.games.artefacts.uncounted import with_first_tiles
from companion.refusals import Illegal
from companion.words import Saying

OPEN = 4
"""Tiles turned up at a time. CFA-13, CFA-20."""
SETUP_TILES = 3
"""Tiles each colour lays before the first turn. CFA-13."""


def start(options: Options) -> State:
    """The cross with four pawns, a four-exit tile for each colour, the piles full. CFA-10 to CFA-12."""
    check(options)
    options = with_first_tiles(options)
    tiles = tiles_of(options.box)
    dealt = first_tiles(options)
    state = State(
        options=options,
        leader=options.first_leader,
        pile=tuple(sorted(id for id in tiles if id not in dealt.values())),
        held={colour: (tiles[dealt[colour]],) for colour in COLOURS},
        pawns={colour: options.arm(colour) for colour in COLOURS},
        life=dict.fromkeys(COLOURS, options.max_life),
        hands=dict.fromkeys(COLOURS, ()),
        objects={card: n for card, n in sorted(options.box.objects.items()) if n},
        traps={card: n for card, n in sorted(options.box.traps.items()) if n},
        artefacts=dict.fromkeys(COLOURS, Artefact()),
    )
    return go_on(state, [])


def first_tiles(options: Options) -> dict[Colour, str]:
    """The four-exit tile that each hunter begins with: of the kind told, or else a plain one. CFA-12."""
    left, tiles = four_exits(options.box), tiles_of(options.box)
    dealt: dict[Colour, str] = {}
    # Those that were told first, so that no tile is given away which somebody else says he has.
    for colour in sorted(options.seats, key=lambda colour: colour not in options.first_tiles):
        kind = options.first_tiles.get(colour)
        found = next((id for id in left if kind in (None, tiles[id].kind)), None)
        if found is None:
            raise Illegal("artefacts.first_tile", rule="CFA-12", tile=Saying(f"artefacts.kind_{kind}"))
        dealt[colour] = found
        left.remove(found)
    return dealt


def go_on(state: State, told: list[Told]) -> State:
    """Do everything that needs nobody's answer, until somebody must act or the game is over."""
    while True:
        state = replace(state, result=fate.judge(state))
        if state.result is not None:
            told.append(Over(state.result.winner, state.result.reason))  # type: ignore[arg-type]
            return replace(state, phase="over", pending=None)
        if state.pending is not None:
            return cards.fill_traps(state, told) if state.pending.what == "trap" else state
        after = STAGES[state.phase](state, told)
        if after is None:
            return state
        state = after


# What each phase does by itself; null where a person must act.


def _draft(state: State, told: list[Told]) -> State | None:
    """Twice four tiles are shared; then everybody builds. CFA-13 to CFA-15."""
    if state.open:
        return None
    if all(len(tiles) == SETUP_TILES for tiles in state.held.values()):
        return replace(state, phase="building", turn=0)
    return replace(state, pending=Pending("reveal", n=OPEN))


def _build(state: State, told: list[Told]) -> State | None:
    """From the leader on, each lays one tile until all are laid. CFA-15."""
    if not any(state.held.values()):
        return begin_round(state, told)
    assert state.active is not None
    return None if state.held[state.active] else replace(state, turn=(state.turn + 1) % len(COLOURS))


def begin_round(state: State, told: list[Told]) -> State:
    """Turn up four tiles; from an empty pile comes a ghost instead. CFA-20, CFA-21, CFA-Q17, CFA-Q19."""
    state = replace(state, phase="laying", round=state.round + 1, turn=0)
    told.append(RoundBegan(state.round, state.leader))
    if state.pile:
        return replace(state, pending=Pending("reveal", n=min(OPEN, len(state.pile))))
    tiles = tiles_of(state.options.box)
    state = replace(state, open=tuple(tiles[id] for id in state.aside), aside=())
    return ghosts.haunt_leader(state, told)


def _lay(state: State, told: list[Told]) -> State | None:
    """Each colour lays one of the open tiles; then they act. CFA-20, CFA-Q19."""
    if state.open and state.turn < len(COLOURS):
        return None
    return hunters.begin_turn(replace(state, phase="acting", turn=0))


def _act(state: State, told: list[Told]) -> State | None:
    """The living act one after the other; then the ghosts go. CFA-22, CFA-Q32."""
    if state.turn == len(COLOURS):
        return replace(state, phase="ending", turn=0, points=0, moves=0, spent=())
    assert state.active is not None
    return None if alive(state, state.active) else hunters.end(state)


def _end(state: State, told: list[Told]) -> State | None:
    """Every ghost goes its way, then all grow, then the marker passes to the left. CFA-23, CFA-53."""
    moved = ghosts.move_on(state, told)
    if moved is not None:
        return moved
    state = replace(ghosts.grow(state, told), moved=())
    return begin_round(replace(state, leader=state.options.clockwise(state.leader)[1]), told)


STAGES = {"drafting": _draft, "building": _build, "laying": _lay, "acting": _act, "ending": _end}


def to_copy(before: State, action: Action, told: list[Told]) -> tuple[Event, ...]:
    """What the companion did by itself at the end of the turn, kept until the hunters act again. CFA-23."""
    if isinstance(action, End):
        return heard(told, PUBLIC)
    if before.phase == "ending":
        return (*before.steps, *heard(told, PUBLIC))
    return () if before.phase == "acting" else before.steps


# The leader's choice


def choose(state: State, action: Choose, told: list[Told]) -> State:
    """The leader says where a ghost goes or appears, or which goes first. CFA-Q4, CFA-Q6, CFA-Q16."""
    pending = state.pending
    assert pending is not None
    if not 0 <= action.option < len(pending.options):
        raise Illegal("artefacts.option", rule="CFA-Q4", most=len(pending.options) - 1)
    at, state = pending.options[action.option], replace(state, pending=None)
    if pending.what == "order":
        return ghosts.set_off(state, pending.ghosts[action.option])
    if pending.what == "fork":
        return ghosts.go(state, at, told)
    assert pending.colour is not None
    return ghosts.appear(state, pending.colour, at, told)
