"""What is pushed of a page: only what is different, and always enough to make the new one."""

from hypothesis import given
from hypothesis import strategies as st

from tests.web.phones import changed
from web.frames import Frame, changes

LINES = st.lists(st.sampled_from([b"", b"a", b"b", b"c", b"<div>", b"</div>", b"1 2 3"]), max_size=12)


@given(LINES, LINES)
def test_every_page_can_be_made_of_every_other(old: list[bytes], new: list[bytes]) -> None:
    told: list[str] = []
    for at, gone, fresh in changes(old, new):
        told += (f"{at} {gone} {len(fresh)}", *(line.decode() for line in fresh))
    assert changed([line.decode() for line in old], told) == [line.decode() for line in new]


def test_one_line_more_makes_not_the_rest_new() -> None:
    old = [b"<main>", b"a", b"b", b"</main>"]
    assert changes(old, [b"<main>", b"news", b"a", b"b", b"</main>"]) == [(1, 0, [b"news"])]
    assert changes(old, [b"<main>", b"b", b"</main>"]) == [(1, 1, [])]
    assert changes(old, [b"<main>", b"a", b"c", b"</main>"]) == [(2, 1, [b"c"])]


def test_whoever_has_nothing_gets_the_whole_page() -> None:
    frame = Frame(8, [b"<main>", b"a", b"</main>"])
    assert frame.since(None) == b"event: page\nid: 8\ndata: <main>\ndata: a\ndata: </main>\n\n"
    assert (
        frame.since(Frame(7, [b"<main>", b"b", b"</main>"]))
        == b"event: change\nid: 8\ndata: 1 1 1\ndata: a\n\n"
    )
