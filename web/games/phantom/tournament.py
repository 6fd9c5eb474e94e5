"""A tournament on the phones: the table of points, and the way to its next game. PS-110."""

from __future__ import annotations

import msgspec

from companion.games.phantom.options import teams
from companion.games.phantom.view import Shows
from web.games.phantom.texts import own
from web.render.people import name_of
from web.scene import Scene
from web.texts import Texts


class Points(msgspec.Struct, frozen=True):
    """How far a tournament has come: a headline, and each team with its points, the best first."""

    head: str
    teams: tuple[tuple[str, str], ...]


def points(scene: Scene, t: Texts) -> Points | None:
    """The table of points; null where it is a single game."""
    running = scene.shows.tournament
    if running is None:
        return None
    won = {team: running.points.get(team[0], 0) for team in teams(len(scene.places))}
    names = {team: t.among([name_of(scene, t, seat) for seat in team]) for team in won}
    ranked = sorted(won, key=lambda team: -won[team])
    game = running.played + (scene.stage != "result")
    head = own(t)("tournament", played=game, games=running.games)
    if running.played >= running.games:
        ahead = won[ranked[0]] > won[ranked[1]]
        head = own(t)("tournament_won", names=names[ranked[0]]) if ahead else own(t)("tournament_level")
    return Points(head, tuple((names[team], own(t)("tournament_points", n=won[team])) for team in ranked))


def again(shows: Shows, t: Texts) -> str:
    """A tournament goes on until its last game."""
    running = shows.tournament
    if running is None:
        return t("rematch")
    return own(t)("tournament_next") if running.played < running.games else ""
