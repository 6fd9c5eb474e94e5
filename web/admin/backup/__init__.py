"""The strongroom: a copy of everything that this table keeps, to take along and to bring back."""

from pathlib import Path

from companion import words

words.register("backup", Path(__file__).parent / "words")

UPLOAD = "/backup/upload"
LARGEST_UPLOAD = 16 << 20
"""Years of evenings, packed."""
