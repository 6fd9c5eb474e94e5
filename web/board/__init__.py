"""The real board and the record: entering a whole board, building one that was dealt, and comparing the two.

Everything here is open to the whole table: nothing looks at more than the public view.
"""

from pathlib import Path

from companion import words

words.register("board", Path(__file__).parent / "words")
