"""What is broken, as a page tells it: all of it to whoever can mend it, and what the doctor asks."""

from __future__ import annotations

from companion.words import say
from web.evening.evening import Evening
from web.push.audience import Audience
from web.push.memo import Memo
from web.scene import Consultation

LAMPS_OUT, NOTHING_SAVED = "hardware.lamps_out", "companion.nothing_saved"
"""The faults that everybody notices, and should not have to wonder about."""


class HealthSeen:
    """The health of board and record."""

    def __init__(self, evening: Evening, kept: Memo) -> None:
        self._evening, self._kept = evening, kept

    def faults(self, to: Audience) -> tuple[str, ...]:
        """All that is broken for whoever can mend it; the others only hear why it is dark."""
        aside = tuple(saying.said(to.language) for saying in self._evening.set_aside.told)
        if to.page == "front":
            # Whoever could mend it may have to come in anew: the guest book itself may be set aside.
            return aside
        # Somebody follows the board and says when its faults change; otherwise there is only the disk's.
        keep = self._kept.settled if self._evening.board else self._kept.once
        found = keep("faults", self._evening.doctor.faults)
        if to.page in ("host", "moderator", "doctor"):
            return (*aside, *(fault.said(to.language) for fault in found))
        out = any(fault.key == LAMPS_OUT for fault in found)
        lost = tuple(fault.said(to.language) for fault in found if fault.key == NOTHING_SAVED)
        told = [(aside, "evening.set_aside"), (out, "evening.lamps_out")]
        return (*lost, *(say(key, to.language) for so, key in told if so))

    def doctor(self, language: str) -> Consultation | None:
        """How far the doctor has come with the board; none without a board."""
        board, doctor = self._evening.board, self._evening.doctor
        if board is None:
            return None
        if (visit := doctor.visit) is None:
            return Consultation()
        findings = tuple(found.said(language) for found in (*doctor.unready, *visit.findings))
        question = visit.question
        if question is None:
            return Consultation(findings=findings, over=True)
        return Consultation(
            question=question.saying.said(language),
            answers=tuple((word, say(f"hardware.answer_{word}", language)) for word in question.answers),
            wants_number=question.wants_number,
            findings=findings,
            contacts=tuple(board.buttons) if board.simulated else (),
            strips=visit.strips() if board.simulated else {},
        )
