"""Several Master Games by the same teams, with victory points. PS-110, PS-Q12."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.contract import Seat, plain
from companion.games.phantom.options import PRESETS, Options, Tournament, teams
from companion.games.phantom.state import State
from companion.refusals import Illegal


def points(state: State) -> dict[Seat, int]:
    """The points of one Master Game for each team: the difference of the bids, to whoever earned them."""
    captains = {team[0]: 0 for team in teams(state.options.players)}
    if state.result is None or len(state.bids) < 2:
        return captains
    ghosts_won = state.result.winner == "ghosts"
    if state.options.tournament_points_to == "ghosts_only_if_win" and not ghosts_won:
        return captains
    winners = state.masters if ghosts_won else state.hunters
    high, low = sorted(state.bids.values(), reverse=True)
    return captains | {winners[0]: high - low}


def standing(state: State) -> Tournament | None:
    """The tournament with this game counted, if it is over."""
    running = state.options.tournament
    if running is None or state.result is None:
        return running
    total = {captain: running.points.get(captain, 0) + won for captain, won in points(state).items()}
    return Tournament(running.games, running.played + 1, total)


def next_game(state: State) -> dict[str, Any]:
    """The options of the next game: points carried on, packs drawn anew or swapped."""
    if state.result is None:
        raise Illegal("companion.not_over")
    options = replace(state.options, layout=None, owners=None, packs={})
    now = standing(state)
    if now is not None and now.played >= now.games:
        raise Illegal("phantom.tournament_over", rule="PS-110", n=now.games)
    if options.tournament_packs == "swap" and state.packs is not None:
        other = {"A": "B", "B": "A"}
        options = replace(options, packs={seat: other[pack] for seat, pack in state.packs.items()})
    return changed_options(replace(options, tournament=now))


def changed_options(options: Options) -> dict[str, Any]:
    """Only the options that differ from their defaults or their preset's, as plain data."""
    default = Options(**PRESETS.get(options.preset or "", {}))
    fields = options.__struct_fields__
    changed = {name: value for name in fields if (value := getattr(options, name)) != getattr(default, name)}
    fields_as_data: dict[str, Any] = plain(changed)
    return fields_as_data
