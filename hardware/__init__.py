"""Kits, buttons, sensors and lamps: the physical board of a table."""
