"""Who sits where, under which name, with which picture."""

from __future__ import annotations

from collections.abc import Sequence

from companion.contract import Seat
from web import games
from web.scene import Place, Scene
from web.texts import Texts, game_says, game_texts


def place_of(scene: Scene, seat: Seat | None) -> Place | None:
    """The chair of a seat."""
    return next((place for place in scene.places if place.seat == seat), None)


def name_of(scene: Scene, t: Texts, seat: Seat | None) -> str:
    """What the table calls a seat: the person's name, or words for a bot and an empty chair."""
    if seat in ("host", "moderator", "table"):
        return t(f"who_{seat}")
    place = place_of(scene, seat)
    if place is None:
        return seat or ""
    if scene.page == "demo" and place.mine:
        return t("demo_guest")
    return called(scene.places, place, scene.game, t)


def called(places: Sequence[Place], place: Place, game: str | None, t: Texts) -> str:
    """A chair by the name of who sits there: a person, the companion in a role, or nobody yet."""
    if place.name:
        return place.name
    if not place.bot:
        return t("seat_empty", number=1 + places.index(place))
    role = part(place, game, t)
    alike = [other.seat for other in places if other.bot and not other.name and part(other, game, t) == role]
    number = f" {1 + alike.index(place.seat)}" if len(alike) > 1 else ""
    return t("seat_bot", role=f"{role[:1].upper()}{role[1:]}{number}")


def part(place: Place, game: str | None, t: Texts) -> str:
    """What the companion plays on a chair, as short as the game says it: a role, or a colour."""
    g = game_texts(t.language, game or "")
    keys = (f"bot_{place.role}", f"seat_{place.seat}")
    return next((g(key) for key in keys if g.has(key)), role_word(t, game, place.role))


def seat_number(scene: Scene, seat: Seat) -> int:
    """The place of a seat around the table, counted from 1."""
    return 1 + next(number for number, place in enumerate(scene.places) if place.seat == seat)


def role_word(t: Texts, game: str | None, role: str | None) -> str:
    """A role as a person says it."""
    return game_says(t.language, game or "", f"role_{role or 'player'}", str(role))


def face(game: str | None, role: str | None) -> str:
    """The picture of a role; whoever has none is a hand at the table."""
    return games.find(game or "").faces.get(role or "", "hand")


def seat_words(scene: Scene, t: Texts, seat: str) -> str:
    """A seat and its role: Seat 2, ghost master."""
    place = place_of(scene, seat)
    number = seat_number(scene, seat) if place else seat
    word = place_word(scene, t, place) if place else role_word(t, scene.game, None)
    return t("seat_words", number=number, role=word)


def place_word(scene: Scene, t: Texts, place: Place) -> str:
    """What one is on a chair: a colour where the game has words for its seats, else a role."""
    g, key = game_texts(t.language, scene.game or ""), f"seat_{place.seat}"
    return g(key) if g.has(key) else role_word(t, scene.game, place.role)


def waiting_for(scene: Scene, t: Texts) -> str:
    """The names of those to act."""
    return _names(scene, t, scene.to_act)


def _names(scene: Scene, t: Texts, seats: Sequence[Seat]) -> str:
    """Who sits there; nobody is named twice who plays several seats."""
    return t.among([*dict.fromkeys(name_of(scene, t, seat) for seat in seats)])


def awaited(scene: Scene, t: Texts, seats: Sequence[Seat]) -> str:
    """Whom the game waits for, in a sentence."""
    return thinking(scene, t, seats) or t("waiting_for", name=_names(scene, t, seats))


def thinking(scene: Scene, t: Texts, seats: Sequence[Seat]) -> str:
    """That the companion thinks, where all of these seats are its own; else nothing.

    It is said for as long as the turn lasts, whether it still thinks or not, so that nobody reads in it how
    hard the choice was.
    """
    places = [place for place in scene.places if place.seat in seats]
    if scene.paused or not places or len(places) < len(seats) or not all(place.bot for place in places):
        return ""
    return t("thinking", n=len(places), name=t.among([name_of(scene, t, seat) for seat in seats]))
