"""A castle while it is told room by room: what somebody says about one, and what comes of it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion.refusals import NotSaved
from web.games.canterville import drafts
from web.games.canterville.drafts import Castles, RoomAnswer, answered, begun


def test_where_one_can_walk_there_is_no_wall_whatever_was_ticked_besides() -> None:
    """Both ways at once, and rooms that are named exist."""
    told = answered(begun("Ours"), 1, RoomAnswer(walks=(1, 2), walls=(1, 2, 3)))
    assert (told.castle.walks, told.castle.walls) == (((1, 2),), ((1, 3),))
    assert sorted(told.rooms) == [1, 2, 3]
    assert told.done == (1,)


def test_a_castle_that_a_disk_will_not_let_go_of_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    castles = Castles(tmp_path)
    key = castles.add(begun("Aird"))

    def read_only(path: Path) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(drafts, "remove", read_only)
    with pytest.raises(NotSaved):
        castles.remove(key)
    assert list(castles.all()) == [key]
