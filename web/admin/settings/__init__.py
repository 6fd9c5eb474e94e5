"""How this phone shows its pages: kept on the phone in a cookie, put into every page on its way out."""

from pathlib import Path

from companion import words

words.register("settings", Path(__file__).parent / "words")
