"""Paths of this site."""

from __future__ import annotations


def local_path(path: str) -> str | None:
    """A path of this site, and nothing that leads elsewhere."""
    safe = (
        path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and len(path) < 100
    )
    return path if safe else None
