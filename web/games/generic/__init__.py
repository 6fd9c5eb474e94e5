"""Pages for a game that brings none of its own."""
