"""One phone for several people: it shows one seat at a time, and nothing while nobody holds it."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from companion.contract import plain
from companion.refusals import Illegal
from tests.web import sketches
from tests.web.conftest import Running
from tests.web.phones import Answer, Phone, Stream
from web.evening import match
from web.push.audience import audience
from web.render import pages
from web.scene import Notice

ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}
OTHER_ROOMS = {"blue": 8, "red": 18, "green": 19, "white": 28}
FRAMES = '{"bats":6,"cats":6,"hedgehogs":6,"mice":6,"owls":6}'
"""Long enough that nobody is shown while the test lasts."""


def two_on_one(house: Running, **options: Any) -> tuple[Phone, Phone]:
    """A host, and one phone on which Ada hunts and Zoé hides ghosts; hiding is next."""
    host = house.host()
    phone = house.guest("Ada")
    host.post("/host/plan", players=2)
    assert phone.post("/seat/take", seat="p1").status == 200
    assert phone.post("/seat/take", seat="p2", name="Zoé").status == 200
    house.start(host, players=2, **options)
    return host, phone


def take(phone: Phone, seat: str) -> str:
    """Somebody taps: gives the token that their page carries."""
    led = phone.post("/hand/take", follow=False, seat=seat, next="/play")
    assert led.status == 303, led.text
    scene = phone.get(led.headers["location"]).scene
    assert scene["seat"] == seat
    return str(scene["hold"])


def act(phone: Phone, seat: str, hold: str, **fields: Any) -> Answer:
    return phone.post("/act", follow=False, seat=seat, hold=hold, **fields)


def forged(phone: Phone, seat: str, hold: str, **fields: Any) -> Answer:
    """The same by a page that is nobody's any more, or never offered it."""
    return phone.forge("/act", follow=False, seat=seat, hold=hold, next="/play", **fields)


def hide_all(phone: Phone, rooms: dict[str, int] = ROOMS) -> None:
    """Zoé takes the phone and hides her ghosts."""
    hold = take(phone, "p2")
    for ghost, room in rooms.items():
        assert act(phone, "p2", hold, type="hide", ghost=ghost, room=room).status == 303


def is_nobodys(scene: dict[str, Any]) -> bool:
    """Whether a page has nothing of any seat."""
    private = ("seat", "shows", "ahead", "picture", "undo")
    empty = ("hold", "legal", "offers", "history")
    return (
        scene["hand"] is not None
        and all(scene[n] is None for n in private)
        and not any(scene[n] for n in empty)
    )


# Nobody's phone


def test_a_phone_that_nobody_holds_shows_nothing_of_any_seat(house: Running) -> None:
    _, phone = two_on_one(house)
    for path in ("/play", "/play/p1", "/play/p2"):
        assert is_nobodys(phone.get(path).scene)
    assert is_nobodys(phone.stream("play", "p2").scene())
    assert phone.get("/play").scene["hand"] == {"seats": ["p1", "p2"], "following": "p2"}


def test_a_phone_with_one_seat_is_not_handed_over(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    assert phones["p2"].get("/play").scene["shows"]["seat"] == "p2"


def test_taking_the_phone_opens_ones_own_page_once(house: Running) -> None:
    """Without script too: the page may be loaded once, and looking again means being asked again."""
    _, phone = two_on_one(house)
    led = phone.post("/hand/take", follow=False, seat="p2", next="/play").headers["location"]
    assert phone.get(led).scene["shows"]["seat"] == "p2"
    assert is_nobodys(phone.get(led).scene)
    assert is_nobodys(phone.get("/play").scene)


def test_a_script_gets_the_page_as_the_answer_to_the_tap(house: Running) -> None:
    _, phone = two_on_one(house)
    scene = phone.post("/hand/take", wants="fragment", seat="p2").scene
    assert scene["seat"] == "p2"
    stream = Phone.stream(phone, "play", f"p2&hold={scene['hold']}")
    assert stream.scene()["shows"]["seat"] == "p2"


def test_who_holds_it_goes_on_holding_it_through_ones_own_forms(house: Running) -> None:
    _, phone = two_on_one(house)
    hold = take(phone, "p2")
    led = act(phone, "p2", hold, type="hide", ghost="blue", room=1).headers["location"]
    scene = phone.get(led).scene
    assert (scene["seat"], scene["hold"]) == ("p2", hold)
    assert scene["shows"]["ghosts"]["blue"]["room"] == 1


def test_a_seat_of_somebody_else_cannot_be_taken(house: Running) -> None:
    _, phone = two_on_one(house)
    assert house.guest("Morag").forge("/hand/take", seat="p2").status == 403
    assert phone.forge("/hand/take", seat="p3").status == 403


# While somebody holds it


def test_while_one_holds_it_the_others_have_only_the_hand_over_screen(house: Running) -> None:
    _, phone = two_on_one(house)
    hide_all(phone)
    hold = take(phone, "p1")
    stream = phone.stream("play", "p2")
    assert is_nobodys(stream.scene())
    for path, fields in {
        "/act": {"type": "remove", "room": 2},
        "/undo": {},
        "/redo": {},
        "/seat/key": {},
        "/seat/offer": {},
        "/seat/leave": {},
    }.items():
        for token in ("", hold):
            refused = phone.forge(path, seat="p2", hold=token, next="/play/p2", **fields)
            assert refused.status == 403
            assert refused.errors == ["forbidden"]
            assert refused.scene["seat"] in (None, "p1")
    assert house.evening.book.sitting("p2").guest


def test_the_cookie_of_a_shared_phone_opens_no_seat_by_the_api_but_a_key_does(house: Running) -> None:
    _, phone = two_on_one(house)
    hold = take(phone, "p2")
    shown = phone.post("/seat/key", seat="p2", hold=hold, next="/play").scene["notices"][0]["text"]
    key = {"Authorization": f"Bearer {shown.split()[-1]}"}
    for path in ("view", "legal", "events"):
        assert phone.ask("GET", f"/api/v1/{path}?seat=p2").status == 403
    assert json.loads(phone.ask("GET", "/api/v1/view").text)["view"]["seat"] == "public"
    program = house.phone()
    assert json.loads(program.ask("GET", "/api/v1/view", headers=key).text)["view"]["seat"] == "p2"


def test_an_offer_of_ones_seat_is_on_ones_own_page_alone(house: Running) -> None:
    host = house.host()
    host.post("/host/plan", players=2)
    for seat in ("p1", "p2"):
        host.post("/seat/take", seat=seat)
    house.start(host, players=2)
    hold = take(host, "p2")
    assert host.post("/seat/offer", follow=False, seat="p2", hold=hold, next="/play").status == 303
    assert host.get("/host").scene["offers"] == []
    led = host.post("/hand/take", follow=False, seat="p1", next="/play").headers["location"]
    assert host.get(led).scene["offers"] == []
    led = host.post("/hand/take", follow=False, seat="p2", next="/play").headers["location"]
    assert [offer["seat"] for offer in host.get(led).scene["offers"]] == ["p2"]


def test_the_others_on_a_phone_are_asked_before_a_move_is_taken_back(house: Running) -> None:
    _, phone = two_on_one(house)
    hide_all(phone)
    hold = take(phone, "p2")
    act(phone, "p2", hold, type="remove", room=2)
    zoe = take(phone, "p2")
    assert phone.post("/undo", follow=False, seat="p2", hold=zoe, next="/play").status == 303
    assert phone.forge("/undo/agree", seat="p1", hold=zoe, next="/play").status == 403
    assert phone.get("/play").scene["hand"]["following"] == "p1"
    ada = take(phone, "p1")
    assert phone.post("/undo/agree", follow=False, seat="p1", hold=ada, next="/play").status == 303
    assert house.evening.table.standing().to_act == ("p2",)
    assert phone.get("/play").scene["hand"]["following"] == "p2"


def test_what_is_refused_to_who_has_just_put_it_down_is_told_to_nobody_else(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, phone = two_on_one(house)
    hold = take(phone, "p2")

    def put_down_meanwhile(*_: Any) -> None:
        house.evening.shared_phones.put_down(phone_id(house, "Ada"))
        raise Illegal("phantom.no_reach", room=5)

    monkeypatch.setattr(match, "act", put_down_meanwhile)
    refused = forged(phone, "p2", hold, type="remove", room=5)
    assert refused.status == 409
    assert is_nobodys(refused.scene)
    assert refused.scene["notices"] == []


def test_a_page_that_was_asked_for_before_it_was_put_down_is_drawn_for_nobody(house: Running) -> None:
    two_on_one(house)
    evening, scenes = house.evening, house.house.page_cache.scenes
    who = evening.guests.find(phone_id(house, "Ada"))
    hold = evening.shared_phones.take(phone_id(house, "Ada"), "p2")
    to = audience(evening, who, "play", None, "en", hold=hold)
    secret = Notice("error", "no ghost of yours reaches it")
    assert scenes.scene(to, (secret,)).seat == "p2"
    evening.shared_phones.put_down(phone_id(house, "Ada"))
    late = scenes.scene(to, (secret,))
    assert late.hand is not None
    assert (late.seat, late.shows, late.notices) == (None, None, ())


# It is put down


def test_it_is_put_down_when_the_turn_passes_to_another_of_its_seats(house: Running) -> None:
    _, phone = two_on_one(house)
    hide_all(phone)
    hold = take(phone, "p2")
    led = act(phone, "p2", hold, type="remove", room=2)
    assert led.headers["location"] == "/play"
    scene = phone.get("/play").scene
    assert is_nobodys(scene)
    assert scene["hand"]["following"] == "p1"
    assert forged(phone, "p2", hold, type="remove", room=3).status == 403


def test_it_stays_in_hand_while_seats_of_other_phones_act(house: Running) -> None:
    host, phone, hamish = house.host(), house.guest("Ada"), house.guest("Hamish")
    host.post("/host/plan", players=3)
    for seat, sits in {"p1": phone, "p2": phone, "p3": hamish}.items():
        sits.post("/seat/take", seat=seat)
    house.start(host, players=3)
    hold = take(phone, "p2")
    for ghost, room in list(ROOMS.items())[:2]:
        act(phone, "p2", hold, type="hide", ghost=ghost, room=room)
    assert house.evening.table.standing().to_act == ("p3",)
    hamish.post("/act", seat="p3", type="hide", ghost="green", room=25)
    assert house.evening.shared_phones.seat(phone_id(house, "Ada"), hold) == "p2"


def test_hunters_who_know_the_same_are_not_sent_through_the_door_between_them(house: Running) -> None:
    """Max and two hunters share a phone: it is put down between him and them, never between the two."""
    host, phone = house.host(), house.guest("Ada")
    house.plan(host, game="canterville", players=3, **{"option-frames": FRAMES})
    assert phone.post("/seat/take", seat="max").status == 200
    for seat, name in {"h1": "Zoé", "h2": "Ben"}.items():
        assert phone.post("/seat/take", seat=seat, name=name).status == 200
    assert host.post("/host/start").status == 200
    hold = mine = led = ""
    doors, steps = 0, list[str]()
    while len(steps) < 24:
        (seat, *_) = house.evening.table.standing().to_act
        if seat == mine:
            scene = phone.get(led).scene
        else:
            doors += 1
            assert is_nobodys(phone.get("/play").scene)
            hold = take(phone, seat)
            scene = {"seat": seat, "hold": hold}
        assert (scene["seat"], scene["hold"]) == (seat, hold)
        action = house.evening.choices[seat][0]
        led = act(phone, seat, hold, action=json.dumps(plain(action))).headers["location"]
        steps.append(seat)
        mine = str(house.evening.shared_phones.seat(phone_id(house, "Ada"), hold) or "")
    changes = [pair for pair in pairwise(steps) if pair[0] != pair[1]]
    assert ("h1", "h2") in changes
    assert doors == 1 + sum("max" in pair for pair in changes)


def phone_id(house: Running, name: str) -> str:
    return next(guest.id for guest in house.evening.book.guests if guest.name == name)


def test_sealed_bids_name_the_next_who_still_has_to_bid(house: Running) -> None:
    """PS-102: and whoever has bid may not look at the other's."""
    _, phone = two_on_one(house, **{"option-master_game": "true"})
    assert phone.get("/play").scene["hand"]["following"] == "p1"
    hold = take(phone, "p1")
    bid = house.evening.choices["p1"][0].thousands
    assert act(phone, "p1", hold, type="bid", thousands=bid).headers["location"] == "/play"
    scene = phone.get("/play").scene
    assert is_nobodys(scene)
    assert scene["hand"]["following"] == "p2"
    led = phone.post("/hand/take", follow=False, seat="p2", next="/play").headers["location"]
    assert set(phone.get(led).scene["shows"]["bids"].values()) == {None}


def test_passing_it_on_by_the_button_puts_it_down(house: Running) -> None:
    _, phone = two_on_one(house)
    hold = take(phone, "p2")
    assert is_nobodys(phone.post("/hand/down", hold=hold, next="/play").scene)
    assert forged(phone, "p2", hold, type="hide", ghost="blue", room=1).status == 403


def test_a_closed_page_puts_it_down(house: Running) -> None:
    _, phone = two_on_one(house)
    hold = take(phone, "p2")
    onlooker = phone.stream("play")
    assert is_nobodys(onlooker.scene())
    stream = phone.stream("play", f"p2&hold={hold}")
    assert stream.scene()["seat"] == "p2"
    stream.close()
    onlooker.scene()
    assert forged(phone, "p2", hold, type="hide", ghost="blue", room=1).status == 403


@pytest.mark.parametrize("page", ["/play", "/play/p1", "/table", "/watch", "/"])
def test_another_page_that_opens_puts_it_down(house: Running, page: str) -> None:
    _, phone = two_on_one(house)
    hold = take(phone, "p2")
    stream = phone.stream("play", f"p2&hold={hold}")
    assert stream.scene()["seat"] == "p2"
    phone.get(page)
    assert is_nobodys(stream.until(lambda scene: scene["hand"]))


def test_news_of_an_old_page_does_not_take_it_out_of_a_new_hand(house: Running) -> None:
    _, phone = two_on_one(house)
    old = take(phone, "p1")
    stream = phone.stream("play", f"p1&hold={old}")
    assert stream.scene()["seat"] == "p1"
    new = take(phone, "p2")
    stream.close()
    phone.forge("/hand/down", follow=False, hold=old, next="/watch")
    assert house.evening.shared_phones.seat(phone_id(house, "Ada"), new) == "p2"


def test_after_a_restart_and_in_a_new_game_nobody_holds_it(run: Callable[..., Running]) -> None:
    house = run()
    host, phone = two_on_one(house)
    hold = take(phone, "p2")
    house.close()
    again = run()
    phone.port = again.port
    stream = phone.stream("play", f"p2&hold={hold}")
    assert is_nobodys(stream.scene())
    stream.close()
    hold = take(phone, "p2")
    host.port = again.port
    host.post("/host/abandon")
    again.start(host, players=2)
    assert again.evening.shared_phones.seat(phone_id(again, "Ada"), hold) is None


# Who needs no hand-over


def test_before_and_after_the_game_there_is_nothing_to_hand_over(house: Running) -> None:
    host, phone = two_on_one(house, **{"option-objective": 1})
    hide_all(phone)
    assert act(phone, "p2", take(phone, "p2"), type="remove", room=2).status == 303
    assert phone.get("/play/p1").scene["stage"] == "result"
    assert phone.get("/play/p2").scene["shows"]["seat"] == "p2"
    host.post("/host/abandon")
    assert phone.get("/play").scene["hand"] is None


def test_partners_without_secrets_share_a_phone_freely(house: Running) -> None:
    host = house.host()
    phone = house.guest("Ada")
    for seat in ("p1", "p3"):
        phone.post("/seat/take", seat=seat)
    house.start(host)
    assert phone.get("/play/p1").scene["shows"]["seat"] == "p1"
    assert phone.get("/play/p3").scene["shows"]["seat"] == "p3"


def test_one_person_with_several_seats_says_so_before_the_game(house: Running) -> None:
    host = house.host()
    phone = house.guest("Ada")
    host.post("/host/plan", players=2)
    for seat in ("p1", "p2"):
        phone.post("/seat/take", seat=seat)
    assert phone.post("/hand/alone", alone=1).scene["me"]["alone"]
    house.start(host, players=2)
    assert phone.get("/play/p2").scene["shows"]["seat"] == "p2"
    assert "Ada" in host.get("/host").scene["says"][0]["text"]


def test_in_a_game_only_the_host_says_so_and_the_table_is_told(house: Running) -> None:
    host, phone = two_on_one(house)
    assert phone.forge("/hand/alone", alone=1).status == 403
    ada = phone_id(house, "Ada")
    told = host.post("/hand/alone", phone=ada, alone=1).scene["says"]
    assert "Ada" in told[-1]["text"]
    assert phone.get("/play/p2").scene["shows"]["seat"] == "p2"
    host.post("/hand/alone", phone=ada, alone="")
    assert is_nobodys(phone.get("/play/p2").scene)
    assert house.guest("Morag").forge("/hand/alone", phone=ada, alone=1).status == 403


# Names


def test_everybody_on_a_phone_has_a_name_of_their_own(house: Running) -> None:
    host, phone = two_on_one(house)
    for who, page in ((phone, "/play"), (host, "/host"), (house.phone(), "/watch")):
        assert [place["name"] for place in who.get(page).scene["places"]] == ["Ada", "Zoé"]


def test_who_gives_no_name_is_a_player_with_a_number(house: Running) -> None:
    host, ada = house.host(), house.guest("Ada", language="de")
    ada.post("/seat/take", seat="p2")
    ada.post("/seat/take", seat="p3")
    host.post("/host/seat", seat="p4", phone=phone_id(house, "Ada"))
    names = [place["name"] for place in host.get("/host").scene["places"]]
    assert names == ["", "Ada", "Spieler 3", "Spieler 4"]


def test_names_are_changed_before_the_game_by_the_phone_and_later_by_the_host(house: Running) -> None:
    host, phone = two_on_one(house)
    assert phone.forge("/seat/name", seat="p2", name="Zoë").status == 403
    assert host.post("/seat/name", seat="p2", name="Zoë").status == 200
    host.post("/host/abandon")
    assert phone.post("/seat/name", seat="p1", name="Ida").scene["places"][0]["name"] == "Ida"
    assert [place["name"] for place in host.get("/host").scene["places"]] == ["Ida", "Zoë"]
    assert host.post("/seat/name", seat="p1", name=" ").status == 409


# Secrecy on the wire


def aside(text: str) -> str:
    """Without tokens, which are random."""
    return re.sub(r"\b[0-9a-f]{32}\b", "token", text)


Heard = tuple[list[Any], dict[str, str]]


class Ears:
    """All that a shared phone receives while a seat's person does not hold it."""

    def __init__(self, phone: Phone, mine: str, theirs: str) -> None:
        self.phone, self.mine, self.theirs = phone, mine, theirs
        self.open = phone.stream("play")
        self.heard: list[Any] = []
        self.pushed: dict[str, str] = {}

    def listen(self, house: Running) -> None:
        """What a phone gets that nobody holds."""
        for path in ("/play", f"/play/{self.mine}", f"/play/{self.theirs}", "/watch", "/table"):
            self._note(self.phone.get(path))
        for path in ("view", "legal"):
            self._note(self.phone.ask("GET", f"/api/v1/{path}?seat={self.theirs}"))
        self._catch_up(self.open, house)

    def hold(self, house: Running, *forms: dict[str, Any]) -> None:
        """What it gets in one's own hand: page, stream, answers to one's own forms and to the other's."""
        led = self.phone.post("/hand/take", follow=False, seat=self.mine, next="/play")
        self._note(led)
        page = self.phone.get(led.headers["location"])
        self._note(page)
        found = re.search(r'"hold":"(\w+)"|name="hold" value="(\w+)"', page.text)
        assert found
        token = found[1] or found[2]
        stream = self.phone.stream("play", f"{self.mine}&hold={token}")
        self._catch_up(stream, house)
        for path in ("/act", "/undo", "/seat/key", "/seat/offer"):
            self._note(self.phone.forge(path, seat=self.theirs, hold=token, type="pass", next="/play"))
        for form in forms:
            self._note(self.phone.post("/act", follow=False, seat=self.mine, hold=token, **form))
            self._catch_up(stream, house)
        self.pushed |= pushes("in hand", stream)
        stream.close()
        self._catch_up(self.open, house)

    def _catch_up(self, stream: Stream, house: Running) -> None:
        while f"id: {house.evening.versions.now}\n".encode() not in stream.raw:
            stream.page()

    def _note(self, answer: Answer) -> None:
        self.heard.append((answer.status, sorted(_headers(answer)), aside(answer.text)))

    def everything(self) -> Heard:
        """Every answer, and every push by its number: a stream may skip what is true no longer."""
        return self.heard, self.pushed | pushes("nobody's", self.open)


def pushes(name: str, stream: Stream) -> dict[str, str]:
    events = aside(stream.raw.decode()).split("\n\n")
    return {f"{name} {found[0]}": event for event in events if (found := re.search(r"^id: \d+", event, re.M))}


def _headers(answer: Answer) -> list[tuple[str, str]]:
    return [(name, aside(value)) for name, value in answer.headers.items()]


def secretly(house: Running, phone: Phone, seat: str, *forms: dict[str, Any], tries: int = 0) -> None:
    """The other one takes the phone, tries what is illegal, acts, and passes it on."""
    hold = take_unseen(house, phone, seat)
    for _ in range(tries):
        assert forged(phone, seat, hold, type="remove", room=99).status in (400, 409)
    for form in forms:
        assert act(phone, seat, hold, **form).status == 303
    phone.forge("/hand/down", follow=False, hold=hold, next="/play")  # maybe it has been put down by itself


def take_unseen(house: Running, phone: Phone, seat: str) -> str:
    """The token of a page that was not looked at: real pages are not scenes."""
    led = phone.post("/hand/take", follow=False, seat=seat, next="/play").headers["location"]
    phone.get(led)
    return led.partition("hold=")[2]


def hotel(run: Callable[..., Running], name: str, renderer: Any, rooms: dict[str, int], tries: int) -> Heard:
    """Ada hunts, Zoé hides ghosts in these rooms; the same public moves."""
    house = run(name, renderer=renderer)
    house.evening.addresses.move("http://192.168.1.7:8000")
    _, phone = two_on_one(house)
    ears = Ears(phone, "p1", "p2")
    ears.listen(house)
    ears.hold(house)
    secretly(house, phone, "p2", *({"type": "hide", "ghost": g, "room": r} for g, r in rooms.items()))
    ears.listen(house)
    for wreck, lift in ((2, 35), (3, 34)):
        ears.hold(house)
        secretly(house, phone, "p2", {"type": "remove", "room": wreck}, tries=tries)
        ears.listen(house)
        ears.hold(house, {"type": "remove", "room": lift})
        ears.listen(house)
    everything = ears.everything()
    house.close()
    return everything


def castle(run: Callable[..., Running], name: str, renderer: Any, rooms: dict[str, int], tries: int) -> Heard:
    """Max and a hunter on one phone: he goes one way or another, the hunters stay."""
    house = run(name, renderer=renderer)
    house.evening.addresses.move("http://192.168.1.7:8000")
    host = house.host()
    house.plan(host, game="canterville", **{"option-frames": FRAMES, "option-hunters": 1})
    phone = house.guest("Ada")
    assert phone.post("/seat/take", seat="h1").status == 200
    assert phone.post("/seat/take", seat="max", name="Zoé").status == 200
    assert host.post("/host/start").status == 200
    ears = Ears(phone, "h1", "max")
    for _ in range(14):
        ears.listen(house)
        seat = house.evening.table.standing().to_act[0]
        choices = [json.loads(_json(action)) for action in house.evening.choices[seat]]
        if seat == "max":
            ears.hold(house)
            # Where he starts is shown to all; where he goes is not.
            ways = [choice for choice in choices if choice["type"] == "move"] or choices[:1]
            own = ways[0 if rooms is ROOMS else -1]
            secretly(house, phone, "max", {"action": _json(own)}, tries=tries)
        else:
            ears.hold(house, {"action": _json(choices[0])})
    everything = ears.everything()
    house.close()
    return everything


def _json(data: Any) -> str:
    import msgspec

    return msgspec.json.encode(data).decode()


@pytest.mark.parametrize("renderer", [sketches, pages], ids=["scenes", "pages"])
@pytest.mark.parametrize("game", [hotel, castle], ids=["phantom", "canterville"])
def test_tables_that_differ_in_the_others_secrets_alone_send_a_shared_phone_the_same(
    run: Callable[..., Running], same_luck: Callable[[], None], game: Any, renderer: Any
) -> None:
    same_luck()
    answers, pushed = game(run, "one", renderer, ROOMS, 0)
    same_luck()
    other_answers, other_pushed = game(run, "other", renderer, OTHER_ROOMS, 2)
    assert len(answers) == len(other_answers) > 50
    for one, other in zip(answers, other_answers, strict=True):
        assert one == other
    both = pushed.keys() & other_pushed.keys()
    assert len(both) > 10
    for id in both:
        assert pushed[id] == other_pushed[id]


def test_the_comparison_would_notice_a_secret(run: Callable[..., Running]) -> None:
    """Zoé's own pages do differ: the test above is able to fail."""
    seen = []
    for name, rooms in (("one", ROOMS), ("other", OTHER_ROOMS)):
        house = run(name)
        _, phone = two_on_one(house)
        hide_all(phone, rooms)
        led = phone.post("/hand/take", follow=False, seat="p2", next="/play").headers["location"]
        seen.append(aside(phone.get(led).text))
        house.close()
    assert seen[0] != seen[1]
