"""Our own faults in the log: what kind and where, never what about. A fault's message may hold a secret."""

from __future__ import annotations

import logging
import traceback

log = logging.getLogger(__name__)


def note(what: str, fault: BaseException) -> None:
    """Write down that something of ours failed."""
    where = "".join(traceback.format_tb(fault.__traceback__))
    log.error("%s: %s\n%s", what, type(fault).__name__, where)
