"""A backup made by somebody who plays tells nothing of the running game, whatever lies beside it."""

from __future__ import annotations

from pathlib import Path

from companion import backup
from companion.journal import Journal, Started, read_entries
from companion.table import Table


def test_a_sealed_backup_has_boxes_and_castles_and_the_games_before_this_one(tmp_path: Path) -> None:
    for name in ("boxes/attic.json", "castles/ours.json", "guests.json", "keys", "deep/er.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    table = Table(Journal(tmp_path / "journal"))
    for room in (1, 2):
        table.new("phantom", {"players": 4})
        table.act("p1", {"type": "place", "room": room, "colour": "blue", "value": 3})
    table.close()
    sealed = backup.gathered(tmp_path, "none")
    assert set(sealed) == {"boxes/attic.json", "castles/ours.json", "journal"}
    games = [entry for entry in read_entries(sealed["journal"])[0] if isinstance(entry, Started)]
    assert len(games) == 1
    whole = {"boxes/attic.json", "castles/ours.json", "guests.json", "journal"}
    assert set(backup.gathered(tmp_path)) == whole


def test_a_copy_with_the_running_game_has_nothing_of_a_game_that_was_left(tmp_path: Path) -> None:
    """Neither of the one abandoned, nor in what a damaged journal was kept as, nor by the guest book."""
    (tmp_path / "journal.damaged-1").write_text("secrets")
    (tmp_path / "guests.json").write_text("{}")
    table = Table(Journal(tmp_path / "journal"))
    for ghost_room in (1, 2):
        table.new("phantom", {"players": 4})
        table.act("p1", {"type": "place", "room": ghost_room, "colour": "blue", "value": 3})
        if ghost_room == 1:
            table.leave()
    known = table.history()
    table.close()
    copy = backup.gathered(tmp_path, "running")
    assert set(copy) == {"journal"}
    assert [entry.n for entry in read_entries(copy["journal"])[0]] == [1, 2, 3, 4]
    assert copy["journal"].count(b'"do":"act"') == 1
    backup.restore(backup.packed(copy), tmp_path / "new")
    again = Table(Journal(tmp_path / "new" / "journal"))
    assert again.history() == known
    assert again.broken() is None
    again.close()


def test_a_game_that_was_left_is_in_no_copy_with_the_running_game_when_none_goes_on(tmp_path: Path) -> None:
    table = Table(Journal(tmp_path / "journal"))
    table.new("phantom", {"players": 4})
    table.act("p1", {"type": "place", "room": 1, "colour": "blue", "value": 3})
    table.leave()
    table.close()
    assert b'"act"' not in backup.gathered(tmp_path, "running")["journal"]
