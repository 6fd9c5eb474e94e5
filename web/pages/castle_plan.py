"""What the host may choose for a hunt: only what the game would take."""

from __future__ import annotations


def offered(option: str, values: tuple[str, ...], players: int) -> tuple[str, ...]:
    """The values of an option that make sense at a table of so many, Max among them."""
    match option:
        case "trap":
            # It lies before one hunter, or stays in the box: a mere yes would not say before whom. GJ-52.
            return ("false", *(f"h{number}" for number in range(1, players)))
        case "frame_locked":
            # No, and to choose each round, are the same. GJ-Q10.
            return ("true", "free_kind_each_round")
    return values
