"""Box profiles."""
