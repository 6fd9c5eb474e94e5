"""Castle `none`: what no map could check is judged by the table when Max shows himself. GJ-Q22.

A hunter doubts a step, and the game waits. If Max owns up, it is a foul; if he says that it was possible, it
stands. Where they do not agree it is judged by the moderator, or the table, for which the host speaks.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import MODERATOR, TABLE, Result, Seat, Told
from companion.games.canterville import rounds
from companion.games.canterville.actions import (
    Doubt,
    Doubted,
    Foul,
    FrameAt,
    InDoubt,
    SentBack,
    Stands,
    Stood,
)
from companion.games.canterville.castle import Way, as_set
from companion.games.canterville.options import MAX
from companion.games.canterville.state import PAUSE, Known, State, known, occupied
from companion.refusals import Forbidden, Illegal

Step = tuple[State, tuple[Told, ...]]

JUDGES = (MODERATOR, TABLE)
"""Who needs nobody's word but their own."""


def to_judge(state: State) -> tuple[Way, ...]:
    """The steps that lie open and that no map could check. Hunters who have won need not ask. GJ-Q22."""
    lost = state.result is not None and state.result.winner != MAX
    if state.shown != "showing" or lost:
        return ()
    return rounds.unchecked(state.options, state.route[max(state.news - 1, 0) : state.open])


def apply(state: State, seat: Seat, action: Doubt | Foul | Stands) -> Step:
    """The state after something was said about a step that no map could check."""
    match action:
        case Doubt():
            return _doubt(state, seat, action)
        case Foul():
            return _foul(state, seat, action)
    return _stand(state, seat)


def check_settled(state: State) -> None:
    """Refuse to go on while a step is in doubt."""
    if state.doubt is not None:
        raise Illegal("canterville.in_doubt", rule="GJ-Q22", start=state.doubt.start, end=state.doubt.end)


def _check_open(state: State, action: Doubt | Foul) -> None:
    if (action.start, action.end) not in to_judge(state):
        raise Forbidden("canterville.no_such_step", rule="GJ-Q22", start=action.start, end=action.end)


def _doubt(state: State, seat: Seat, action: Doubt) -> Step:
    """A hunter asks Max about a step."""
    if seat not in state.options.hunter_seats:
        raise Forbidden("canterville.hunters_doubt", rule="GJ-Q22")
    _check_open(state, action)
    check_settled(state)
    return replace(state, doubt=InDoubt(seat, action.start, action.end)), (Doubted(seat),)


def _stand(state: State, seat: Seat) -> Step:
    """Max says it was possible, or the one who doubted it no longer does."""
    if state.doubt is None:
        raise Forbidden("canterville.no_doubt", rule="GJ-Q22")
    if seat not in (MAX, state.doubt.by, *JUDGES):
        raise Forbidden("canterville.not_yours_to_settle", rule="GJ-Q22")
    return replace(state, doubt=None), (Stood(seat),)


def _foul(state: State, seat: Seat, action: Foul) -> Step:
    """A step that the castle does not have: the hunters win, or the round is played again."""
    asked = state.doubt is not None and (state.doubt.start, state.doubt.end) == (action.start, action.end)
    if seat not in JUDGES and not (seat == MAX and asked):
        raise Forbidden("canterville.not_yours_to_settle", rule="GJ-Q22")
    _check_open(state, action)
    if state.options.illegal_max_move == "hunters_win":
        return rounds.end(state, Result("hunters", "illegal_move"))
    return _replay(state, (action.start, action.end))


def _replay(state: State, step: Way) -> Step:
    """Max goes back to where he last was lawfully, the last animal too, and the round is played again."""
    cut = _index(state.route, step)
    if state.filled is None:
        raise Illegal("canterville.too_late", rule="GJ-Q22")
    frame = state.frames[state.filled]
    undone = state.route[cut:]
    back = replace(
        state,
        frames={**state.frames, state.filled: FrameAt(frame.size, frame.taken - 1)},
        frame=state.filled,
        route=state.route[:cut],
        visited=state.visited & ~as_set(set(undone) - set(state.route[:cut]) - {PAUSE}),
        pause=state.pause + undone.count(PAUSE),
        x2=state.x2 + sum(room in state.route[:n] for n, room in enumerate(state.route) if n >= cut and room),
        doubt=None,
        result=None,
    )
    told = (SentBack(step[0]),)
    if occupied(back) >> step[0] & 1:
        return rounds.end(back, Result("hunters", "caught"), told)
    back = replace(back, open=cut, news=0, pause_open=back.pause, facts=(known(back, _chapter(state) + 1),))
    return rounds.max_turn(back, told)


def _chapter(state: State) -> int:
    first = state.facts[0]
    return first.chapter if isinstance(first, Known) else 0


def _index(route: tuple[int, ...], step: Way) -> int:
    """Where the second room of a step lies in a route; the latest such step counts."""
    here, found = 0, 0
    for place, room in enumerate(route):
        if room == PAUSE:
            continue
        if (here, room) == step:
            found = place
        here = room
    return found
