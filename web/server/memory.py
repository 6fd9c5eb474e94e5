"""What is freed is given back: an evening under siege has no more memory than it needs.

By itself glibc gives each thread a heap of its own, whose holes no other thread fills; and once a large page
has come and gone, it keeps room for all that are as large. mallopt(3) tells it otherwise.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc

ARENA_MAX, MMAP_THRESHOLD = -8, -3
"""mallopt(3): the most heaps there may be, and the size of what is given back as soon as it goes."""
HEAPS, LARGE = 1, 128 * 1024
GARBAGE, OLDER = 10_000, 2
"""Things made and not yet gone before it is looked which of them hold each other, and after how many such
looks older ones are looked through, too."""


def stay_small() -> None:
    """One heap for all threads, and nothing large in it; said before there are threads.

    Where there is no glibc this does nothing.
    """
    with contextlib.suppress(AttributeError, TypeError, OSError):
        c = ctypes.CDLL(None)
        c.mallopt(ARENA_MAX, HEAPS)
        c.mallopt(MMAP_THRESHOLD, LARGE)


def look_for_garbage() -> None:
    """Let the garbage collector look seldom for what is young, and soon for what is old.

    What is there now stays: it need not be looked through again and again. A page makes thousands of things
    that go by themselves, and must not be held up by a search among them. But lines of a crowd, and pages of
    guests who come and go, are old when they go, and hold each other.
    """
    gc.freeze()
    gc.set_threshold(GARBAGE, OLDER, OLDER)
