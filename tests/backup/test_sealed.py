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
    sealed = backup.gathered(tmp_path, sealed=True)
    assert set(sealed) == {"boxes/attic.json", "castles/ours.json", "journal"}
    games = [entry for entry in read_entries(sealed["journal"])[0] if isinstance(entry, Started)]
    assert len(games) == 1
    whole = {"boxes/attic.json", "castles/ours.json", "guests.json", "journal"}
    assert set(backup.gathered(tmp_path)) == whole
