"""A castle while it is told room by room: what somebody says about one, and what comes of it."""

from __future__ import annotations

from web.games.canterville.drafts import RoomAnswer, answered, begun


def test_where_one_can_walk_there_is_no_wall_whatever_was_ticked_besides() -> None:
    """Both ways at once, and rooms that are named exist."""
    told = answered(begun("Ours"), 1, RoomAnswer(walks=(1, 2), walls=(1, 2, 3)))
    assert (told.castle.walks, told.castle.walls) == (((1, 2),), ((1, 3),))
    assert sorted(told.rooms) == [1, 2, 3]
    assert told.done == (1,)
