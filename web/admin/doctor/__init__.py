"""The doctor's visit to the board: every lamp and every contact, one question at a time."""
