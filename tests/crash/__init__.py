"""Kills at random moments."""
