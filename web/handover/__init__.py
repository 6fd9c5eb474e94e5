"""One phone for several people: what is said while it goes from hand to hand, and the forms of it.

Who holds a phone is kept by `web.people.shared_phones`; its screen is drawn by `web.handover.page`.
"""

from pathlib import Path

from companion import words

words.register("handover", Path(__file__).parent / "words")
