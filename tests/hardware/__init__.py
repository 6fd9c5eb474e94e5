"""The board: kits, contacts, lamps, and whole games by presses."""
