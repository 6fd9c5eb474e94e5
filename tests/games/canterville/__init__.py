"""Gespensterjagd: its rules, its castles, its secrets."""
