"""A finished game out of its journal: what everybody at the table saw at its end."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from companion.contract import PUBLIC
from companion.disk import read_own
from companion.journal import Journal
from companion.privileges import as_owner
from companion.state_files import LARGEST_JOURNAL
from companion.table import Table
from web.push.scenes import sealed
from web.scene import Place, Scene


def scene(journal: Path, language: str) -> Scene | None:
    """The end of a journal's last game; null where it goes on. The file is only read."""
    # By its folder's owner, never through a link, and no more than a journal has: root may be asking.
    data = as_owner(
        journal.parent, lambda own: read_own(own / journal.name, LARGEST_JOURNAL), hand_over=False
    )
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "games.journal"
        copy.write_bytes(data)
        table = Table(Journal(copy))
        try:
            over = table.game is not None and table.standing().phase == "over"
            return _end(table, language) if over else None
        finally:
            table.close()


def _end(table: Table, language: str) -> Scene:
    view, game, standing = table.view(PUBLIC), table.game, table.standing()
    assert game is not None
    return Scene(
        page="watch",
        language=language,
        version=table.version,
        stage="result",
        game=game.name,
        seat=PUBLIC,
        shows=view.shows,
        ground=game.ground(view),
        ahead=game.ahead(view),
        phase=standing.phase,
        # Who sat where is written in the guest book, not here: seats have to do.
        places=tuple(
            Place(chair.seat, chair.role, chair.seat, None, None, "nobody") for chair in table.chairs()
        ),
        history=table.history(),
        seal=sealed(table),
    )
