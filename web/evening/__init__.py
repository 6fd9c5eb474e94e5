"""The evening around a game: who is here, who sits where, what is planned, and what the table was told.

The game itself is the table's business (`companion.table`). Nothing here knows a secret: an evening hands
out views, and it hands each of them to the seat it belongs to.
"""

from pathlib import Path

from companion import words

words.register("evening", Path(__file__).parent / "words")
