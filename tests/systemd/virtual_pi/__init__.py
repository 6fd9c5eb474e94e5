"""A Pi that is not there: the installed companion under real systemd, with simulated pins, lamps and disk."""
