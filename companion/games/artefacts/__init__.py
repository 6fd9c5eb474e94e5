"""Chasseurs Fantômes Artéfacts: a manor that grows, four artefacts to bring home, ghosts on their way out."""

from companion.games.artefacts.game import GAME

__all__ = ["GAME"]
