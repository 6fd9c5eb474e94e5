"""The phone side of Chasseurs Fantômes Artéfacts."""
