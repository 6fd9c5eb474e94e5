"""Mutated input: no traceback, nothing lost, and a restart that works."""
