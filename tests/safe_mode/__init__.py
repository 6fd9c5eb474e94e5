"""A state that does not open, and a table that opens all the same."""
