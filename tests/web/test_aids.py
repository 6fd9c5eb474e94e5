"""What helps hunters on their phones: the map, pencil marks, hints; and that it stays theirs."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from companion.games.phantom.actions import Remove
from tests.web.conftest import LAYOUT, Running, hide
from tests.web.phones import PATIENCE, Phone
from tests.web.test_castles import act, evening
from web.render import pages
from web.texts import texts

ROOMS = {"blue": 1, "red": 10, "green": 19, "white": 28}
OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}


def begun(house: Running, **options: Any) -> tuple[Phone, dict[str, Phone]]:
    """A hunt in which p2 has wrecked a room: p3 is to act."""
    host, phones = house.host(), house.players("Ada", "Ben", "Cora", "Dan")
    house.start(host, **options)
    hide(phones, ROOMS, OWNERS)
    assert phones["p2"].post("/act", seat="p2", type="remove", room=2).status == 200
    return host, phones


def test_the_map_is_on_hunters_phones_and_for_all_where_the_table_agreed(house: Running) -> None:
    host, phones = begun(house, **{"option-map": "possible"})
    seen = phones["p1"].get("/play").scene["map"]
    assert seen["possible"] == phones["p1"].get("/table").scene["map"]["possible"]
    # Of two masters' eight lines one reaches room 2: all four ghosts can still be nearly anywhere, and are.
    assert set(ROOMS.values()) <= set(seen["possible"])
    assert not set(seen["possible"]) & set(seen["impossible"])
    assert seen["percent"] == {}
    assert phones["p3"].post("/act", seat="p3", type="remove", room=36).status == 200
    told = phones["p1"].get("/play").scene["map"]
    assert told["ruled_out"] == []
    assert 36 not in told["possible"]
    for reader in (phones["p2"].get("/play"), host.get("/host")):
        assert reader.scene["map"] is None


def test_without_agreement_there_is_neither_map_nor_hint(house: Running) -> None:
    _, phones = begun(house, **{"option-pencil": "false"})
    scene = phones["p1"].get("/play").scene
    assert (scene["map"], scene["may_hint"], scene["pencil"]) == (None, False, None)
    assert phones["p1"].forge("/hint", seat="p1").errors == ["illegal"]
    assert phones["p1"].forge("/pencil", seat="p1", room=5, mark="safe").errors == ["illegal"]


def test_pencil_marks_are_the_hunters_own_or_the_teams_and_outlast_a_restart(
    run: Callable[..., Running],
) -> None:
    house = run()
    host, phones = begun(house)
    assert phones["p1"].post("/pencil", seat="p1", room=5, mark="red").status == 200
    assert (
        phones["p3"].post("/pencil", seat="p3", room=6, mark="note", note="why?", sheet="team").status == 200
    )
    house.close()
    again = run()
    for phone in (host, *phones.values()):
        phone.port = again.port
    own = [(5, "red", "", False), (6, "note", "why?", True)]
    assert [tuple(mark.values()) for mark in phones["p1"].get("/play").scene["pencil"]] == own
    assert [mark["room"] for mark in phones["p3"].get("/play").scene["pencil"]] == [6]
    for reader in (phones["p2"].get("/play"), host.get("/host"), phones["p1"].get("/table")):
        assert reader.scene["pencil"] is None
        assert reader.scene["sheets"] == {}
        assert "why?" not in reader.text
    assert phones["p2"].forge("/pencil", seat="p2", room=5, mark="safe").errors == ["illegal"]
    judge = again.moderator()
    assert {sheet: len(marks) for sheet, marks in judge.get("/moderator").scene["sheets"].items()} == {
        "p1": 1,
        "hunter": 1,
    }
    # The same mark again rubs it out.
    phones["p1"].post("/pencil", seat="p1", room=5, mark="red")
    assert [mark["room"] for mark in phones["p1"].get("/play").scene["pencil"]] == [6]


def test_a_pencil_mark_wakes_nobody_who_may_not_see_it(house: Running) -> None:
    _, phones = begun(house)
    streams = {seat: phone.stream("play") for seat, phone in phones.items()}
    for stream in streams.values():
        stream.until(lambda scene: scene["places"] and all(p["presence"] == "here" for p in scene["places"]))
    phones["p1"].post("/pencil", follow=False, seat="p1", room=7, mark="safe")
    assert streams["p1"].until(lambda scene: scene["pencil"])["pencil"][0]["room"] == 7
    for seat in ("p2", "p3", "p4"):
        streams[seat].wire.settimeout(0.3)
        with pytest.raises(TimeoutError):
            streams[seat].scene()
        streams[seat].wire.settimeout(PATIENCE)


def test_on_a_room_that_both_have_marked_ones_own_mark_lies_over_the_teams(house: Running) -> None:
    _, phones = begun(house)
    phones["p1"].post("/pencil", seat="p1", room=5, mark="red")
    phones["p3"].post("/pencil", seat="p3", room=5, mark="safe", sheet="team")
    seen = {seat: phones[seat].get("/play").scene["pencil"] for seat in ("p1", "p3")}
    assert {seat: [tuple(mark.values()) for mark in marks] for seat, marks in seen.items()} == {
        "p1": [(5, "red", "", False)],
        "p3": [(5, "safe", "", True)],
    }


def test_marks_are_gone_at_the_end(house: Running) -> None:
    _, phones = begun(house, **{"option-objective": 2})
    phones["p1"].post("/pencil", seat="p1", room=5, mark="red")
    assert house.evening.book.pencil
    assert phones["p3"].post("/act", seat="p3", type="remove", room=36).status == 200
    assert house.evening.stage == "result"
    assert not house.evening.book.pencil


def test_a_hint_is_for_one_phone_and_one_moment(house: Running) -> None:
    _, phones = begun(house, **{"option-hints": "true"})
    before = phones["p3"].get("/play").scene
    assert before["may_hint"]
    assert before["hint"] == ""
    assert "room" in phones["p3"].post("/hint", seat="p3").scene["hint"]
    assert phones["p1"].get("/play").scene["hint"] == ""
    assert phones["p1"].forge("/hint", seat="p1").errors == ["illegal"]
    assert phones["p3"].post("/act", seat="p3", type="remove", room=36).status == 200
    assert phones["p3"].get("/play").scene["hint"] == ""


# The castle


def test_the_castle_has_its_map_on_hunters_phones_and_for_all_and_max_has_none(
    run: Callable[..., Running],
) -> None:
    house, phones = evening(run, "state", **{"option-map": "likely"})
    act(phones["max"], "max", {"type": "move", "room": 37})
    watcher, judge = house.guest("Zoe"), house.moderator()
    for reader, path in ((phones["h1"], "/play"), (phones["h2"], "/play"), (watcher, "/table")):
        page = reader.get(path).text
        assert page.count('class="veil') > 20, path
        assert "map-told" in page, path
    assert 'class="veil' in watcher.get("/watch").text
    assert 'class="veil' in judge.get("/moderator").text
    own = phones["max"].get("/play").text
    assert 'class="veil' not in own
    assert "map-told" not in own


def test_every_room_of_the_castle_can_be_written_on_and_the_marks_are_the_hunters(
    run: Callable[..., Running],
) -> None:
    house, phones = evening(run, "state")
    act(phones["max"], "max", {"type": "move", "room": 37})
    for room, mark in ((5, "max"), (9, "safe")):
        assert phones["h1"].post("/pencil", seat="h1", room=room, mark=mark).status == 200
    note = {"room": 54, "mark": "note", "note": "why?", "sheet": "team"}
    assert phones["h2"].post("/pencil", seat="h2", **note).status == 200
    page = phones["h1"].get("/play").text
    assert page.count('class="sign-pencil') == 3
    assert all(f'class="to-mark" data-room="{room}"' in page for room in range(1, 55))
    assert phones["h3"].get("/play").text.count('class="sign-pencil') == 1
    for reader, path in ((phones["max"], "/play"), (phones["h1"], "/table")):
        text = reader.get(path).text
        assert "why?" not in text
        assert "to-mark" not in text
    assert phones["max"].forge("/pencil", seat="max", room=5, mark="safe").status == 409
    assert "perhaps Max" in house.moderator().get("/moderator").text


def test_a_hint_in_the_castle_is_closed_on_max_phone_and_open_on_a_hunters(
    run: Callable[..., Running],
) -> None:
    _, phones = evening(run, "state", **{"option-hints": "true", "option-pencil": "false"})
    assert "to-mark" not in phones["h1"].get("/play").text
    asked = phones["max"].post("/hint", seat="max").text
    assert "hint-said when-held" in asked
    assert "hint-said" not in phones["h1"].get("/play").text
    act(phones["max"], "max", {"type": "move", "room": 37})
    assert "hint-said" not in phones["max"].get("/play").text
    told = phones["h1"].post("/hint", seat="h1").text
    assert "hint-said" in told
    assert "hint-said when-held" not in told


# The manor


@pytest.mark.parametrize("hands", ["open", "private"])
def test_a_hint_in_the_manor_is_on_the_phone_that_asked_and_closed_with_its_hand(
    run: Callable[..., Running], hands: str
) -> None:
    house = run(moment=60.0, renderer=pages)
    host, ada, zoe = house.host(), house.guest("Ada"), house.guest("Zoe")
    plan = {"players": "2", "option-decks": "virtual", "option-hints": "true", "option-hands": hands}
    house.plan(host, "artefacts", **plan)
    for phone, seats in ((ada, ("blue", "yellow")), (zoe, ("red", "green"))):
        for seat in seats:
            assert phone.post("/seat/take", seat=seat).status == 200
    assert host.post("/host/start").status == 200
    seat = next(iter(house.evening.choices))
    asker, other = (ada, zoe) if seat in ("blue", "yellow") else (zoe, ada)
    assert 'action="/hint"' in asker.get("/play").text
    told = asker.post("/hint", seat=seat).text
    assert "hint-said" in told
    assert ("hint-said when-held" in told) == (hands == "private")
    assert "hint-said" not in other.get("/play").text
    assert asker.forge("/pencil", seat=seat, room=5, mark="safe").status == 409


def test_without_agreement_the_manor_has_no_hints(run: Callable[..., Running]) -> None:
    house = run(moment=60.0, renderer=pages)
    host, ada = house.host(), house.guest("Ada")
    house.plan(host, game="artefacts", players="1")
    for chair in house.evening.chairs():
        assert ada.post("/seat/take", seat=chair.seat).status == 200
    assert host.post("/host/start").status == 200
    seat = next(iter(house.evening.choices))
    assert 'action="/hint"' not in ada.get("/play").text
    assert ada.forge("/hint", seat=seat).status == 409


# Tokens on the board alone


def overlooked(house: Running) -> tuple[Phone, dict[str, Phone], str]:
    """Nothing lay under eight of the nine blue tiles, people said; now somebody lifts the ninth."""
    host, phones = house.host(), house.players("Ada", "Ben", "Cora", "Dan")
    house.start(host, **{"option-keeper": "honour", "option-objective": 200})
    table = house.evening.table
    blue = [room for room, (colour, _) in enumerate(LAYOUT, start=1) if colour == "blue"]
    while blue:
        seat = table.standing().to_act[0]
        choices = table.legal(seat)
        if seat in ("p1", "p3") and isinstance(choices[0], Remove):
            table.act(seat, Remove(blue.pop(0)))
            if not blue:
                return host, phones, seat
        elif isinstance(choices[0], Remove):
            table.act(seat, [one for one in choices if one.room not in blue][-1])
        else:
            table.act(seat, choices[0])
    raise AssertionError("nobody asked")


@pytest.mark.parametrize(
    ("language", "button", "why"),
    [
        ("en", "Something else lay there", "the blue ghost lay in room 1 and was overlooked"),
        ("fr", "Autre chose s’y trouvait", "était dans la pièce 1 et n’a pas été vu"),
        ("de", "Dort lag etwas anderes", "lag in Raum 1 und wurde übersehen"),
    ],
)
def test_whoever_found_what_the_record_does_not_allow_is_led_to_the_repair(
    run: Callable[..., Running], language: str, button: str, why: str
) -> None:
    house = run(moment=60.0, renderer=pages)
    host, phones, seat = overlooked(house)
    phone, other = phones[seat], phones["p1" if seat == "p3" else "p3"]
    phone.post("/me", language=language)
    page = unescape(phone.get("/play").text)
    assert button in page
    assert "contradiction" not in page
    assert button not in unescape(other.get("/play").text)
    action = '{"type": "found", "ghost": null}'
    assert action in page
    assert other.forge("/doubt", seat=other_seat(seat), action=action).status == 409
    told = unescape(phone.post("/doubt", seat=seat, action=action).text)
    assert "contradiction" in told
    assert why in told
    assert "contradiction" not in other.get("/play").text
    # It is for one moment, and leads whoever can to where it is put right.
    assert host.post("/host/phone", phone=house.evening.book.sitting(seat).guest, host="1").status == 200
    assert 'href="/check"' in phone.get("/play").text
    assert phone.post("/act", seat=seat, action='{"type": "found", "ghost": "blue"}').status == 200
    assert "contradiction" not in phone.get("/play").text


def other_seat(seat: str) -> str:
    """The other hunter."""
    return "p1" if seat == "p3" else "p3"


def test_the_map_names_the_model_by_which_it_says_how_likely() -> None:
    for language, model in (("en", "“careful”"), ("fr", "« prudent »"), ("de", "„vorsichtig“")):
        assert model in texts(language)("map_key_likely").replace("\u202f", " ")
