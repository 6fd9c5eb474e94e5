"""Names: nobody comes in unseen, as somebody else, or as the companion."""

import pytest

from companion.refusals import Illegal
from tests.web.conftest import Running
from web.people import names


@pytest.mark.parametrize(
    "name", ["", " \t", "\u200b\u2060", "\u3164", "\u2800\u2800", "\u0301\u0302", "\u202e"]
)
def test_name_that_cannot_be_seen_is_none(name: str) -> None:
    with pytest.raises(Illegal, match="a name, please"):
        names.clean(name)


@pytest.mark.parametrize(
    "name",
    [
        "Companion",
        "ＣＯＭＰＡＮＩＯＮ",
        "Сompanion",
        "bot 2",
        "Hôte",
        "h0st",
        "the\u200bhost"[3:],
        "Max · the companion",
        "Max · der Begleiter",
        "Bleu, le c0mpagnon",
    ],
)
def test_nobody_is_called_as_the_house_itself(name: str) -> None:
    with pytest.raises(Illegal, match="the companion’s own"):
        names.clean(name)


@pytest.mark.parametrize("name", ["Zoé", "Ἀθηνᾶ", "Мария", "李小龍", "👻", "O’Neill", "Jean-Max 2"])
def test_everybodys_own_name_stays_as_it_is(name: str) -> None:
    assert names.distinct(name, ["Ada"]) == name


def test_marks_do_not_climb() -> None:
    assert names.clean("Z\u0301\u0302\u0303\u0304\u0305oe") == "\u0179\u0302\u0303oe"


def test_second_of_a_name_gets_a_number_however_it_is_written(house: Running) -> None:
    host = house.host("Ada")
    for name in ("Ada", "ada ", "Αda", "Аdа", "A\u200bda", "Ada 2"):
        house.guest(name)
    called = [guest.name for guest in house.evening.book.guests]
    assert len({names._likeness(name) for name in called}) == 7
    assert called[:2] == ["Ada", "Ada 2"]
    guest = house.guest("Ben")
    assert guest.post("/me", name="ADA").status == 200
    assert house.evening.book.guests[-1].name == "ADA 7"
    assert host.post("/me", name="Ada").status == 200, "one's own name is free"
    assert house.evening.book.guests[0].name == "Ada"
    assert guest.post("/seat/take", seat="p1").status == 200
    assert guest.post("/seat/take", seat="p2", name="Ada").status == 200
    assert house.evening.guests.name_of("p2") == "Ada 7"
