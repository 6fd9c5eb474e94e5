"""The command line, one module a command, found by the entry point group `companion.commands`."""
