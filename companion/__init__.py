"""A companion for physical board games of ghosts: the core. It does no input or output of its own."""

__version__ = "0.1.0"
