"""The forms of an evening, by what they are about. Importing this registers them all."""

from web.forms import aids, board, check, demo, doctor, game, host, people, seats, shared_phone

MODULES = (board, check, demo, doctor, game, host, aids, people, seats, shared_phone)
