"""Which lamp is under which room: strips can be laid turned, mirrored, and to and fro."""

from __future__ import annotations

from hardware.kits import Grid, Kit, Strip


def lamp_of_room(kit: Kit) -> dict[int, int]:
    """For every room with a lamp, the number of that lamp in the chain."""
    lamps: dict[int, int] = {}
    for strip in kit.strips:
        if strip.shows == "rooms":
            order = rooms_along(strip, kit.grid)
            lamps |= {room: (strip.first or 0) + n for n, room in enumerate(order[: strip.lamps])}
    return lamps


def rooms_along(strip: Strip, grid: Grid) -> list[int]:
    """The rooms in the order in which the strip runs through them."""
    # A strip turned by a quarter has as many rows of its own as the board has columns.
    turned = strip.rotation in (90, 270)
    rows, columns = (grid.columns, grid.rows) if turned else (grid.rows, grid.columns)
    order = []
    for row in range(rows):
        backwards = strip.serpentine and row % 2 == 1
        for column in reversed(range(columns)) if backwards else range(columns):
            across = columns - 1 - column if strip.mirrored else column
            order.append(_room(row, across, strip.rotation, grid))
    return order


def _room(row: int, column: int, rotation: int, grid: Grid) -> int:
    """The room at a place of the strip's own grid, after the strip was turned clockwise."""
    last_row, last_column = grid.rows - 1, grid.columns - 1
    match rotation:
        case 90:
            row, column = column, last_column - row
        case 180:
            row, column = last_row - row, last_column - column
        case 270:
            row, column = last_row - column, row
    return row * grid.columns + column + 1
