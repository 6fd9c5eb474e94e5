"""The forms of an evening, by what they are about. Importing this registers them all."""

from web.evening.forms import board, demo, game, host, papers, people, seats

MODULES = (board, demo, game, host, papers, people, seats)
