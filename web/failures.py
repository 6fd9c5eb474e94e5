"""Our own faults in the log: what kind and where, never what about. A fault's message may hold a secret."""

from __future__ import annotations

import logging
from types import TracebackType
from typing import cast

Named = tuple[type[BaseException], BaseException, TracebackType | None]
"""What `logging` is given of an exception."""


def note(log: logging.Logger, what: str, fault: BaseException) -> None:
    """Write down that something of ours failed, in the log of the part where it did.

    The fault itself is held back, and with it what it says and what led to it: whoever formats the log
    cannot tell it.
    """
    log.error("%s", what, exc_info=cast(Named, (type(fault), None, fault.__traceback__)))
