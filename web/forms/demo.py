"""Forms of the demonstration games."""

from __future__ import annotations

from web import games
from web.forms.game import action_of
from web.site.routes import Call, form


@form("/demo/<game>/act")
def demo_act(call: Call, game: str) -> None:
    """Move in a demonstration game."""
    demo, shown = call.demos.find(game), games.find(game).demo
    several = shown.deeds if shown else None
    demo.act(several(call.fields) if several else [action_of(call.fields)])


@form("/demo/<game>/help")
def demo_help(call: Call, game: str) -> None:
    """Let a bot move in the visitor's place."""
    call.demos.find(game).help()


@form("/demo/<game>/again")
def demo_again(call: Call, game: str) -> None:
    """Another demonstration game."""
    call.demos.find(game).begin()
