"""The story of a finished game as one file, to be kept and shown without the companion."""
