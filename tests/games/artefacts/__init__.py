"""Chasseurs Fantômes Artéfacts, rule by rule."""
