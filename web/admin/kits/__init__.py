"""A kit of one's own, made on the phone by pictures."""

from pathlib import Path

from companion import words

words.register("kits", Path(__file__).parent / "words")
