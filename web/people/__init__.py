"""The people around the table: who they are, who is here, who sits where, and who holds a shared phone."""

from pathlib import Path

from companion import words

words.register("handover", Path(__file__).parent / "words")
