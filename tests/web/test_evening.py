"""The life of an evening: from an empty lobby to the rematch, over real sockets."""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from companion import games
from companion.refusals import Illegal
from tests.web.conftest import Running, hide
from web.access import credentials
from web.people import book_changes, presence
from web.people.guest_book import NOBODY, Book, Guest, Planned
from web.push import streams

OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}


def test_first_page_offers_the_way_in_to_a_stranger(house: Running) -> None:
    scene = house.phone().get("/").scene
    assert scene["page"] == "front"
    assert scene["stage"] == "lobby"
    assert scene["host_missing"]
    assert scene["join"] is None


def test_host_enters_by_pin_and_is_sent_to_the_hosts_page(house: Running) -> None:
    host = house.host("Mrs Kerr")
    scene = host.get("/").scene
    assert scene["page"] == "host"
    assert scene["me"]["name"] == "Mrs Kerr"
    assert scene["me"]["host"]
    assert scene["join"]["url"].endswith(scene["join"]["code"])
    assert scene["plan"]["games"].count("phantom") == 1


def test_phone_joins_by_link_and_takes_a_seat(house: Running) -> None:
    code = house.evening.codes.table_code().code
    ada = house.phone()
    assert ada.get(f"/j/{code}").scene["code"] == code
    scene = ada.post("/join", code=code.lower(), name="  Ada ").scene
    assert scene["page"] == "play"
    assert scene["seat"] is None
    scene = ada.post("/seat/take", seat="p1").scene
    assert [place["name"] for place in scene["places"]] == ["Ada", "", "", ""]
    assert scene["places"][0]["mine"]


def test_seat_taken_by_one_is_refused_to_the_next(house: Running) -> None:
    house.players("Ada")
    late = house.guest("Late")
    answer = late.forge("/seat/take", seat="p1")
    assert answer.status == 403
    assert answer.errors == ["forbidden"]


def test_whole_game_with_bots_comes_to_a_result_and_a_rematch_moves_everybody_one_seat_on(
    house: Running,
) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish", "Zoe", "Jurgen")
    stream = phones["p1"].stream("play")
    house.start(host, **{"option-objective": 6})
    hide(phones, ROOMS, OWNERS)
    for seat in phones:
        house.bot(seat)
    scene = stream.until(lambda scene: scene["stage"] == "result")
    assert scene["shows"]["result"]["winner"] in ("ghosts", "hunters")
    host.post("/host/seat", seat="p1", phone=scene["me"]["id"])
    host.post("/host/rematch")
    scene = phones["p1"].get("/play").scene
    assert scene["stage"] == "setup"
    assert scene["seat"] == "p2"
    assert [place["role"] for place in scene["places"] if place["mine"]] == ["master"]


def test_two_player_game_is_played_by_forms_alone(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2, **{"option-objective": 5})
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    for _ in range(40):
        scene = house.phone().get("/watch").scene
        if scene["stage"] == "result":
            break
        seat = scene["to_act"][0]
        page = phones[seat].get("/play").scene
        action = page["legal"][seat][0]
        answer = phones[seat].post("/act", seat=seat, **action)
        assert answer.status == 200, answer.text
    assert scene["shows"]["result"] is not None


def test_every_phone_is_pushed_every_change(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish", "Zoe", "Jurgen")
    streams = [phone.stream("play") for phone in phones.values()]
    streams.append(house.phone().stream("watch"))
    house.start(host)
    for stream in streams:
        assert stream.until(lambda scene: scene["phase"] == "hiding")


def test_master_alone_sees_where_his_ghosts_hide(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish", "Zoe", "Jurgen")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    seen = {
        seat: phone.get("/play").scene["shows"]["ghosts"]["blue"]["room"] for seat, phone in phones.items()
    }
    assert seen == {"p1": None, "p2": 1, "p3": None, "p4": 1}
    assert host.get("/host").scene["shows"]["ghosts"]["blue"]["room"] is None


def test_one_phone_may_hold_two_seats_and_be_host(house: Running) -> None:
    host = house.host()
    host.post("/seat/take", seat="p1")
    host.post("/seat/take", seat="p2")
    host.post("/hand/alone", alone=1)
    house.start(host, players=2)
    assert host.get("/play/p1").scene["shows"]["seat"] == "p1"
    assert host.get("/play/p2").scene["shows"]["seat"] == "p2"
    assert host.get("/play").scene["seat"] == "p2"
    assert host.get("/host").scene["seat"] == "host"


def test_seat_is_handed_to_another_phone_by_a_code_that_works_once(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    offer = phones["p2"].post("/seat/offer", seat="p2").scene["offers"][0]
    other = house.phone()
    scene = other.post("/join", code=offer["join"]["code"], name="Morag").scene
    assert scene["seat"] == "p2"
    assert phones["p2"].get("/play").scene["seat"] == "public"
    assert "Morag" in scene["says"][-1]["text"]
    third = house.phone()
    assert third.post("/join", code=offer["join"]["code"], name="Third").status == 403


def test_a_seat_offered_again_is_no_longer_given_for_the_first_code(house: Running) -> None:
    host, phones = house.host(), house.players("Ada", "Hamish")
    house.start(host, players=2)
    page = phones["p2"].get("/play")
    first, second = (
        phones["p2"].post("/seat/offer", page=page, seat="p2").scene["offers"][0]["join"]["code"]
        for _ in range(2)
    )
    assert house.phone().post("/join", code=first, name="Third").status == 403
    assert house.phone().post("/join", code=second, name="Morag").status == 200


def test_in_a_running_game_only_the_host_gives_seats(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada")
    house.start(host, players=2)
    assert phones["p1"].post("/seat/take", seat="p2").status == 403
    late = house.guest("Late")
    assert late.forge("/seat/take", seat="p2").status == 403
    host.post("/host/seat", seat="p2", phone=late.get("/play").scene["me"]["id"])
    assert late.get("/play").scene["seat"] == "p2"
    assert "Late" in phones["p1"].get("/play").scene["says"][-1]["text"]


def test_player_who_becomes_moderator_in_a_game_is_announced_to_all(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    phones["p1"].post("/moderator", pin=house.evening.pin.shown)
    phones["p2"].post("/moderator/agree", seat="p2")
    assert phones["p1"].get("/moderator").scene["seat"] == "moderator"
    for phone in (phones["p2"], host, house.phone()):
        assert "Ada" in phone.get("/watch").scene["says"][-1]["text"]
    phones["p1"].post("/moderator/resign")
    assert phones["p2"].get("/play").scene["says"], "resigning must not take the notice away"


def test_moderator_alone_plays_a_whole_game_for_everybody(house: Running) -> None:
    moderator = house.moderator("Referee")
    house.start(moderator, players=2, **{"option-objective": 4})
    for ghost, room in ROOMS.items():
        moderator.post("/act", seat="moderator", as_="p2", type="hide", ghost=ghost, room=room)
    for _ in range(40):
        scene = moderator.get("/moderator").scene
        if scene["stage"] == "result":
            break
        seat = scene["to_act"][0]
        moderator.post("/act", seat="moderator", as_=seat, **scene["legal"][seat][0])
    assert scene["stage"] == "result"


def test_moderator_sets_the_record_straight(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    repair = '{"type":"repair","set":{"damage":7}}'
    assert host.forge("/act", seat="moderator", action=repair).status == 403
    assert phones["p1"].forge("/act", seat="p1", action=repair).status == 403
    house.moderator(phone=host)
    # A program's repair: the page offers those that people need, in words.
    assert host.forge("/act", seat="moderator", action=repair, next="/moderator").status == 200
    assert phones["p1"].get("/play").scene["shows"]["damage"] == 7


def test_paused_game_takes_no_move_until_the_host_lets_it_go_on(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    host.post("/host/pause")
    hidden = {"seat": "p2", "type": "hide", "ghost": "blue", "room": 1}
    answer = phones["p2"].forge("/act", **hidden)
    assert answer.status == 409
    assert answer.scene["paused"]
    host.post("/host/resume")
    assert phones["p2"].post("/act", **hidden).status == 200


def test_undo_that_needs_consent_asks_the_other_side_on_its_phone(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish", "Zoe", "Jurgen")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    room = phones["p2"].get("/play").scene["legal"]["p2"][0]["room"]
    phones["p2"].post("/act", seat="p2", type="remove", room=room)
    asking = phones["p2"].post("/undo", seat="p2").scene
    assert asking["undo"]["by"] == "p2"
    assert asking["undo"]["ask"] == []
    assert phones["p4"].get("/play").scene["undo"]["ask"] == []
    assert phones["p1"].get("/play").scene["undo"]["ask"] == ["p1"]
    scene = phones["p1"].post("/undo/agree", seat="p1").scene
    assert scene["undo"] is None
    assert scene["history"][-1]["undone"]
    assert scene["to_act"] == ["p2"]
    assert phones["p2"].get("/play").scene["can_redo"]


def test_declined_undo_leaves_the_move(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    room = phones["p2"].get("/play").scene["legal"]["p2"][0]["room"]
    phones["p2"].post("/act", seat="p2", type="remove", room=room)
    phones["p2"].post("/undo", seat="p2")
    scene = phones["p1"].post("/undo/decline", seat="p1").scene
    assert scene["undo"] is None
    assert not scene["history"][-1]["undone"]


def test_hiding_is_taken_back_without_asking_anybody(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    phones["p2"].post("/act", seat="p2", type="hide", ghost="blue", room=1)
    scene = phones["p2"].post("/undo", seat="p2").scene
    assert scene["shows"]["ghosts"]["blue"]["room"] is None
    assert scene["undo"] is None


def test_abandoned_game_leads_back_to_the_lobby_and_a_second_start_needs_that(house: Running) -> None:
    host = house.host()
    house.start(host, players=2)
    assert host.forge("/host/start", players=2).status == 409
    assert host.post("/host/abandon").scene["stage"] == "lobby"
    house.start(host, players=3)
    assert len(host.get("/host").scene["places"]) == 3


def test_stale_page_is_refused_with_the_new_state_shown(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    old = phones["p2"].get("/play")
    first, second = (action["room"] for action in old.scene["legal"]["p2"][:2])
    tap = {"page": old, "seat": "p2", "type": "remove"}
    assert phones["p2"].post("/act", room=first, **tap).status == 200
    hunter = phones["p1"].get("/play").scene["legal"]["p1"]
    last = next(action["room"] for action in hunter if action["room"] not in (first, second))
    phones["p1"].post("/act", seat="p1", type="remove", room=last)
    answer = phones["p2"].post("/act", room=second, **tap)
    assert answer.status == 409
    assert answer.errors == ["stale"]
    assert len(answer.scene["shows"]["removed"]) == 2


def test_page_from_before_another_masters_move_is_still_good(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish", "Zoe", "Jurgen")
    house.start(host, **{"option-owners": OWNERS})
    page = phones["p4"].get("/play")
    phones["p2"].post("/act", seat="p2", type="hide", ghost="blue", room=1)
    answer = phones["p4"].post("/act", page=page, seat="p4", type="hide", ghost="green", room=25)
    assert answer.status == 200


def test_script_gets_the_fragment_at_once_and_a_hint_where_to_go(house: Running) -> None:
    ada = house.guest("Ada")
    answer = ada.post("/seat/take", wants="fragment", seat="p1")
    assert answer.status == 200
    assert answer.text.startswith('<div id="live"')
    assert answer.scene["seat"] == "p1" or answer.scene["places"][0]["mine"]
    assert ada.post("/leave", wants="fragment").headers["x-companion-go"] == "/"


def test_each_phone_is_spoken_to_in_its_own_language(house: Running) -> None:
    zoe = house.guest("Zoé", language="fr-CH,fr;q=0.9,en;q=0.5")
    assert zoe.get("/play").scene["language"] == "fr"
    answer = zoe.forge("/seat/take", seat="p9")
    assert "place" in answer.scene["notices"][0]["text"] or answer.scene["language"] == "fr"
    zoe.post("/me", language="de")
    assert zoe.get("/play").scene["language"] == "de"


def test_box_of_the_house_is_offered_and_its_tiles_are_played_with(house: Running) -> None:
    from companion.boxes import Profile
    from companion.games.phantom import GAME

    tiles = {colour: [1, 1, 2, 2, 3, 3, 4, 5, 6] for colour in ("blue", "red", "green", "white")}
    assert GAME.box is not None

    box = msgspec.convert({"tiles": tiles}, GAME.box)
    assert house.evening.shelf
    house.evening.shelf.add(Profile("Our box", "phantom", box))
    host = house.host()
    assert [box["name"] for box in host.get("/host").scene["plan"]["boxes"]] == ["Our box"]
    host.post("/host/start", players=2, box="Our box")
    phase = host.get("/host").scene["phase"]
    assert phase == "placing"
    legal = house.evening.table.legal("p1")
    assert {action.value for action in legal} == {1, 2, 3, 4, 5, 6}
    assert house.evening.book.plan.box == "Our box"


def test_show_me_is_a_learning_game_under_way_with_true_lines_lit(house: Running) -> None:
    stranger = house.phone()
    scene = stranger.get("/demo").scene
    assert (scene["game"], scene["stage"]) == ("phantom", "playing")
    assert scene["shows"]["privacy"] == "learning"
    lit = {int(room) for room, marks in scene["lamps"]["marks"].items() if "target" in marks}
    assert lit == {action["room"] for action in scene["legal"]["p2"]}
    action = scene["legal"]["p2"][0]
    assert stranger.post("/demo/phantom/act", next="/demo/phantom", **action).scene["to_act"] == ["p1"]
    assert house.evening.stage == "lobby"


@pytest.mark.parametrize("game", ["phantom", "canterville", "artefacts"])
def test_every_game_shows_itself_to_whoever_asks(house: Running, game: str) -> None:
    """Under way, at the visitor's turn, with nothing of it in the open that is the visitor's alone."""
    stranger, path = house.phone(), f"/demo/{game}"
    scene = stranger.get(path).scene
    assert (scene["game"], scene["to_act"]) == (game, [scene["seat"]])
    assert scene["legal"][scene["seat"]]
    assert scene["open"]["seat"] == "public"
    again = stranger.post(f"{path}/again", next=path).scene
    assert again["history"] != scene["history"]
    helped = stranger.post(f"{path}/help", next=path).scene
    assert len(helped["history"]) > len(again["history"])
    assert helped["says"][0]["text"] == "The companion made this move for you, as you asked."
    assert house.evening.stage == "lobby"


def test_show_me_knows_no_other_game(house: Running) -> None:
    stranger = house.phone()
    assert stranger.get("/demo/chess").status == 403
    assert stranger.forge("/demo/chess/again").status == 403


def test_show_me_waits_for_the_visitor_and_bots_wait_for_an_eye(house: Running) -> None:
    """Nobody moves for the visitor by themselves; the bots move while somebody looks."""
    demo = house.house.demos.find("phantom")
    demo.prepare()
    demo.looked_at(1)
    before = demo.version
    assert demo.visitors_turn
    assert demo._timer is None
    demo.help()
    assert not demo.visitors_turn
    assert demo._timer is not None
    demo.looked_at(-1)
    assert demo._timer is None
    assert demo.version == before + 1


def test_master_game_with_sealed_bids_that_nobody_else_sees(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish", "Zoe", "Jurgen")
    house.start(host, preset="", **{"option-master_game": "true", "option-packs": {"p1": "A"}})
    assert phones["p1"].get("/play").scene["phase"] == "bidding"
    phones["p1"].post("/act", seat="p1", type="bid", thousands=48)
    seen = {seat: phone.get("/play").scene["shows"]["bids"]["p1"] for seat, phone in phones.items()}
    assert seen["p2"] is None
    assert seen["p4"] is None
    assert "48" not in str(phones["p2"].get("/play").scene["history"])
    scene = phones["p2"].post("/act", seat="p2", type="bid", thousands=31).scene
    assert scene["phase"] == "hiding"
    assert scene["shows"]["bids"] == {"p1": 48, "p2": 31}


def test_tournament_goes_on_with_everybody_in_their_team(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    options = {"option-master_game": "true", "option-tournament.games": 3, "option-packs": {"p1": "A"}}
    house.start(host, players=2, **options)
    phones["p1"].post("/act", seat="p1", type="bid", thousands=30)
    phones["p2"].post("/act", seat="p2", type="bid", thousands=59)
    master = house.evening.choices and next(iter(house.evening.choices))
    hide({master: phones[master]}, ROOMS, dict.fromkeys(ROOMS, master))
    for seat in phones:
        house.bot(seat)
    stream = host.stream("host")
    stream.until(lambda scene: scene["stage"] == "result")
    host.post("/host/seat", seat="p1", phone=phones["p1"].get("/play").scene["me"]["id"])
    host.post("/host/rematch")
    assert phones["p1"].get("/play").scene["seat"] == "p1"
    assert host.get("/host").scene["shows"]["tournament"]["played"] == 1


def test_host_hands_the_evening_to_another_phone(house: Running) -> None:
    host, ada = house.host(), house.guest("Ada")
    host.post("/host/phone", phone=ada.get("/play").scene["me"]["id"], host="1")
    assert ada.get("/host").status == 200
    assert host.get("/host").status == 403
    back = host.get("/play").scene["me"]["id"]
    answer = ada.post("/host/phone", wants="fragment", phone=back, host="1", next="/host")
    assert (answer.status, answer.headers["x-companion-go"]) == (204, "/play")
    assert host.get("/host").status == 200


def test_evening_is_as_it_was_after_a_restart(run: Callable[..., Running]) -> None:
    first = run("same")
    host = first.host()
    phones = first.players("Ada", "Hamish")
    first.start(host, players=2)
    phones["p1"].post("/moderator", pin=first.evening.pin.shown)
    phones["p2"].post("/moderator/agree", seat="p2")
    host.post("/host/pause")
    first.close()
    second = run("same")
    for phone in (host, *phones.values()):
        phone.port = second.port
    scene = phones["p2"].get("/play").scene
    assert scene["seat"] == "p2"
    assert scene["paused"]
    assert "Ada" in scene["says"][-1]["text"]
    assert host.get("/host").status == 200
    assert phones["p1"].get("/moderator").status == 200


def test_page_from_before_a_restart_is_seen_to_be_old(run: Callable[..., Running]) -> None:
    first = run("same")
    host = first.host()
    phones = first.players("Ada", "Hamish")
    first.start(host, players=2)
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    old = phones["p2"].get("/play")
    first.close()
    phones["p2"].port = run("same").port
    room = old.scene["legal"]["p2"][0]["room"]
    answer = phones["p2"].post("/act", page=old, seat="p2", type="remove", room=room)
    assert answer.errors == ["stale"]


def test_who_is_here_asleep_and_away_is_shown_to_all(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PULSE", 0.05)
    monkeypatch.setattr(presence, "GRACE", 0.2)
    host = house.host().stream("host")
    ada = house.guest("Ada")
    ada.post("/seat/take", seat="p1")
    stream = ada.stream("play")
    host.until(lambda scene: scene["places"][0]["presence"] == "here")
    stream.close()
    host.until(lambda scene: scene["places"][0]["presence"] == "asleep")
    monkeypatch.setattr(presence, "ASLEEP", 0.3)
    host.until(lambda scene: scene["places"][0]["presence"] == "away")


def test_new_code_reaches_every_open_page_before_the_old_one_dies(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "PULSE", 0.05)
    stream = house.host().stream("host")
    old = stream.scene()["join"]["code"]
    monkeypatch.setattr(credentials, "CODE_SECONDS", 0.0)
    stream.until(lambda scene: scene["join"]["code"] != old)


def test_new_evening_shows_the_phones_of_last_time_the_door(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    assert host.forge("/host/new-evening").status == 409
    host.post("/host/abandon")
    assert phones["p1"].forge("/host/new-evening").status == 403
    scene = host.post("/host/new-evening").scene
    assert [phone["name"] for phone in scene["phones"]] == ["Mrs Kerr"]
    assert phones["p1"].get("/play").status == 403
    assert {place["presence"] for place in scene["places"]} == {"nobody"}


def test_full_table_forgets_whoever_has_no_part_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_changes, "MOST_GUESTS", 3)
    host, idle, here = (Guest(id, id, id, host=id == "host") for id in ("host", "idle", "here"))
    book = Book(plan=Planned("phantom"), guests=(host, idle, here))
    later = book_changes.add_guest(book, Guest("new", "New", "key"), {"here"})
    assert [guest.id for guest in later.guests] == ["host", "here", "new"]
    with pytest.raises(Illegal):
        book_changes.add_guest(later, Guest("last", "Last", "key"), {"here", "new"})


def test_whoever_joins_again_and_again_drives_out_nobody_but_themself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(book_changes, "MOST_GUESTS", 4)
    book = Book(plan=Planned("phantom"), guests=tuple(Guest(n, n, n, home=n) for n in ("ada", "zoe")))
    for n in range(10):
        book = book_changes.add_guest(book, Guest(f"enemy{n}", "Enemy", "key", home="there"))
    assert [guest.id for guest in book.guests] == ["ada", "zoe", "enemy8", "enemy9"]


def test_whoever_has_sat_this_evening_is_not_driven_out(house: Running) -> None:
    """From many addresses, and by somebody who sits down everywhere."""
    ada = house.guest("Ada", source="127.0.0.9")
    ada.post("/seat/take", seat="p1")
    ada.post("/seat/leave", seat="p1")
    book = house.evening.book
    for n in range(2 * book_changes.MOST_GUESTS):
        book = book_changes.add_guest(book, Guest(f"enemy{n}", "Enemy", "key", home=f"there {n}"))
    assert len(book.guests) == book_changes.MOST_GUESTS
    assert "Ada" in [guest.name for guest in book.guests]


def test_a_table_full_of_people_who_have_sat_lets_a_host_in(house: Running) -> None:
    book = house.evening.book
    guests = [
        Guest(f"g{n}", f"G {n}", "key", sat=True, home=f"{n % 9}") for n in range(book_changes.MOST_GUESTS)
    ]
    house.evening.change(replace(book, guests=tuple(guests)))
    assert house.phone().forge("/join", code=house.evening.codes.table_code().code, name="Ada").status == 409
    assert house.host().get("/host").status == 200


def test_an_address_has_its_share_of_the_guest_book_and_no_more() -> None:
    book = Book(plan=Planned("phantom"), guests=(Guest("ada", "Ada", "ada", home="home"),), seats={})
    for n in range(book_changes.A_HOUSEHOLD):
        book = book_changes.add_guest(book, Guest(f"enemy{n}", "Enemy", "key", home="there"))
        book = book_changes.take_seat(book, book.guests[-1], "p1")
        book = book_changes.put_on_seat(book, "p1", NOBODY)
    with pytest.raises(Illegal, match=f"{book_changes.A_HOUSEHOLD} phones have joined from this address"):
        book_changes.add_guest(book, Guest("last", "Last", "key", home="there"))
    # But whoever has the PIN comes in, and the first who came from there stay.
    host = book_changes.add_guest(book, Guest("host", "Mrs Kerr", "key", home="there"), runs=True)
    assert host.guests == (*book.guests[:-1], host.guests[-1])
    assert book_changes.add_guest(book, Guest("zoe", "Zoe", "zoe", home="home")).guest("ada")


def test_a_guest_is_known_to_come_from_where_they_joined(house: Running) -> None:
    house.guest("Ada", source="127.0.0.9")
    assert [guest.home for guest in house.evening.book.guests] == ["127.0.0.9"]


def test_plan_that_cannot_be_played_yet_is_kept_and_says_what_is_missing(house: Running) -> None:
    host = house.host()
    house.plan(host, "canterville", **{"option-hunters": 2})
    plan = host.get("/host").scene["plan"]
    assert plan["game"] == "canterville"
    assert "frames" in plan["problem"]
    assert host.forge("/host/start").status == 409
    frames = '{"cats":4,"hedgehogs":4,"owls":4,"bats":4,"mice":4}'
    house.plan(host, **{"option-frames": frames})
    scene = host.get("/host").scene
    assert scene["plan"]["problem"] == ""
    assert [place["seat"] for place in scene["places"]] == ["max", "h1", "h2"]
    assert host.post("/host/start").scene["stage"] == "setup"


def test_real_card_is_told_by_whoever_plays(house: Running) -> None:
    host = house.host()
    host.post("/host/plan", game="artefacts")
    ada, watcher = house.guest("Ada"), house.guest("Watcher")
    ada.post("/seat/take", seat="blue")
    host.post("/host/start")
    scene = ada.get("/play").scene
    assert scene["to_act"] == ["table"]
    action = next(iter(ada.form("/play", "/manor/act").fields["action"].words))
    assert "table" not in watcher.get("/play").scene["legal"]
    assert watcher.forge("/act", seat="table", action=action).status == 403
    assert ada.post("/manor/act", seat="table", action=action).status == 200


def test_another_set_of_rules_brings_all_of_its_own(house: Running) -> None:
    """What an earlier set, or the question about the lamps, has left behind is let go."""
    host = house.host()

    def privacy(**fields: str) -> str:
        (told,) = host.post("/host/plan", **fields).scene["plan"]["upfront"]
        return str(told["value"])

    assert privacy(privacy="fair") == "fair"
    family = next(name for name, preset in games.find("phantom").presets.items() if "privacy" in preset)
    wanted = games.find("phantom").presets[family]["privacy"]
    assert privacy(preset=family, privacy="fair") == wanted
    assert privacy(privacy="eyes_closed") == "eyes_closed"
    assert privacy(preset="") == "fair"
