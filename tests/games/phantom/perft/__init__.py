"""Counted positions: how many sequences of one, two, three … actions there are from each."""
