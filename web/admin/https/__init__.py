"""The encrypted connection: switched on, explained phone by phone, and gone over to."""

from pathlib import Path

from companion import words

words.register("https", Path(__file__).parent / "words")
