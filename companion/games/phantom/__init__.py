"""The Phantom Society: four hidden ghosts, 36 room tiles, damage up to the objective."""

from companion.games.phantom.game import GAME

__all__ = ["GAME"]
