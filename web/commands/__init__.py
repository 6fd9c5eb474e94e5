"""The commands that phones need, found by the entry point group `companion.commands`."""
