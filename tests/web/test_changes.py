"""What is pushed of a page: only what is different, and always enough to make the new one."""

from hypothesis import given
from hypothesis import strategies as st

from tests.web.phones import changed
from web.push.page_cache import DrawnPage, changes

LINES = st.lists(st.sampled_from(["", "a", "b", "c", "<div>", "</div>"]), max_size=12)


@given(LINES, LINES)
def test_every_page_can_be_made_of_every_other(old: list[str], new: list[str]) -> None:
    assert changed(old, [[at, gone, *fresh] for at, gone, fresh in changes(old, new)]) == new


def test_one_line_more_makes_not_the_rest_new() -> None:
    old = ["<main>", "a", "b", "</main>"]
    assert changes(old, ["<main>", "news", "a", "b", "</main>"]) == [(1, 0, ["news"])]
    assert changes(old, ["<main>", "b", "</main>"]) == [(1, 1, [])]
    assert changes(old, ["<main>", "a", "c", "</main>"]) == [(2, 1, ["c"])]


def test_whoever_has_nothing_gets_the_whole_page() -> None:
    frame = DrawnPage(8, "<main>\na\n</main>")
    assert frame.since(None) == b'event: page\nid: 8\ndata: ["<main>","a","</main>"]\n\n'
    before = DrawnPage(7, "<main>\nb\n</main>")
    assert frame.since(before) == b'event: change\nid: 8\ndata: [[1,1,"a"]]\n\n'
