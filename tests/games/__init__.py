"""One folder of tests a game."""
