"""Boxes: what is printed on a family's own copies of the games, entered on a phone and passed on."""

from pathlib import Path

from companion import words

words.register("boxes", Path(__file__).parent / "words")
