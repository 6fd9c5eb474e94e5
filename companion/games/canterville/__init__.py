"""Gespensterjagd: Max haunts a castle of 54 rooms until a hunter steps into his, or the animals run out."""

from companion.games.canterville.game import GAME

__all__ = ["GAME"]
