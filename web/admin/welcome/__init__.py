"""The first steps of a new table: language, PIN, kit, box, and what games ask for once."""

from pathlib import Path

from companion import words

words.register("welcome", Path(__file__).parent / "words")
