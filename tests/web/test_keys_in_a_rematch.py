"""A program's key belongs to one seat and to who sits there: in a rematch it follows nobody elsewhere."""

from __future__ import annotations

from typing import Any

ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}


def asked(phone: Any, key: str, path: str) -> Any:
    """What a program with this key gets."""
    return phone.ask("GET", f"/api/v1/{path}", headers={"Authorization": f"Bearer {key}"})


def key_of(phone: Any, seat: str) -> str:
    notice = phone.post("/seat/key", seat=seat).scene["notices"][0]
    return str(notice["text"].rsplit(" ", 1)[1])


def played_out(house: Any, phones: dict[str, Any]) -> None:
    """A short game by forms, until it is over."""
    for ghost, room in ROOMS.items():
        assert phones["p2"].post("/act", seat="p2", type="hide", ghost=ghost, room=room).status == 200
    for _ in range(40):
        scene = house.phone().get("/watch").scene
        if scene["stage"] == "result":
            return
        seat = scene["to_act"][0]
        action = phones[seat].get("/play").scene["legal"][seat][0]
        assert phones[seat].post("/act", seat=seat, **action).status == 200
    raise AssertionError("this game does not end")


def test_a_key_does_not_open_the_seat_that_its_phone_moves_to(house: Any) -> None:
    host, phones = house.host(), house.players("Ada", "Hamish")
    house.start(host, players=2, **{"option-objective": 5})
    keys = {seat: key_of(phones[seat], seat) for seat in ("p1", "p2")}
    assert all(asked(house.phone(), key, "view").status == 200 for key in keys.values())
    played_out(house, phones)
    assert host.post("/host/rematch").status == 200
    moved = {seat: phones[seat].get("/play").scene["seat"] for seat in ("p1", "p2")}
    assert moved == {"p1": "p2", "p2": "p1"}
    for key in keys.values():
        assert asked(house.phone(), key, "view").status == 401
