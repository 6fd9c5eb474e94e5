"""Somebody who guesses, from many addresses, as fast as it goes: nothing opens, nobody else notices."""
