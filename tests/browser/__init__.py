"""Whole evenings in a real browser: real phones' sizes, the real daemon, nothing replaced."""
