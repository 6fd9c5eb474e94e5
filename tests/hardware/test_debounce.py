"""One press is one press, whatever the contact does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.contacts import STUCK, Contacts
from hardware.debounce import QUIET


class Heard:
    """Contacts with one button, and what is believed of it."""

    def __init__(self, closed: bool = False) -> None:
        self.events: list[tuple[bool, float]] = []
        self.contacts = Contacts(lambda _, closed, now: self.events.append((closed, now)))
        self.contacts.add("ok", closed, 0.0)

    def edge(self, closed: bool, now: float) -> None:
        self.contacts.edge("ok", closed, now)

    @property
    def presses(self) -> int:
        return sum(closed for closed, _ in self.events)


def test_the_first_edge_counts_at_once() -> None:
    heard = Heard()
    heard.edge(True, 1.0)
    assert heard.events == [(True, 1.0)]


def test_a_bouncing_press_is_one_press() -> None:
    heard = Heard()
    for n in range(15):
        heard.edge(n % 2 == 0, 1.0 + n * 0.0007)
    heard.contacts.advance(2.0)
    assert heard.events == [(True, 1.0)]


def test_a_release_that_hid_in_the_bounce_is_noticed_when_it_is_quiet() -> None:
    heard = Heard()
    heard.edge(True, 1.0)
    heard.edge(False, 1.005)
    due = heard.contacts.due()
    assert due is not None
    heard.contacts.advance(due)
    assert heard.events == [(True, 1.0), (False, 1.005 + QUIET)]


def test_two_quick_taps_are_two_presses_even_if_nobody_looked_between() -> None:
    heard = Heard()
    for start in (1.0, 1.2):
        heard.edge(True, start)
        heard.edge(False, start + 0.01)
    assert heard.presses == 2


def test_a_thousand_edges_a_second_are_one_press_and_are_reported() -> None:
    heard = Heard()
    for n in range(2000):
        now = 1 + n / 1000
        heard.contacts.advance(now)
        heard.edge(n % 2 == 0, now)
    assert heard.presses == 1
    assert [fault.key for fault in heard.contacts.faults(3.0)] == ["hardware.rattles"]
    assert heard.contacts.faults(10.0) == []


def test_a_button_held_for_a_minute_is_reported_as_stuck() -> None:
    heard = Heard()
    heard.edge(True, 1.0)
    assert heard.contacts.faults(STUCK) == []
    assert [fault.key for fault in heard.contacts.faults(STUCK + 1)] == ["hardware.stuck"]


def test_a_button_held_at_the_start_is_no_press() -> None:
    heard = Heard(closed=True)
    heard.contacts.advance(100.0)
    assert heard.events == []
    assert [fault.key for fault in heard.contacts.faults(100.0)] == ["hardware.stuck"]


@given(st.lists(st.floats(0.0001, 0.5), min_size=1, max_size=60))
def test_beliefs_alternate_and_end_with_what_the_wire_says(gaps: list[float]) -> None:
    heard, now, closed = Heard(), 0.0, False
    for gap in gaps:
        now += gap
        closed = not closed
        heard.contacts.advance(now)
        heard.edge(closed, now)
    heard.contacts.advance(now + 1)
    beliefs = [believed for believed, _ in heard.events]
    assert beliefs == [n % 2 == 0 for n in range(len(beliefs))]
    assert (beliefs[-1] if beliefs else False) is closed
