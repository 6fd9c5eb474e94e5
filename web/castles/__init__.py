"""Castles of one's own: kept in the state folder, entered room by room on a phone, passed on as a file."""
