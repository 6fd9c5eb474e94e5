"""The sealed record: seals during play, records at the end, and whoever tampers with them."""
