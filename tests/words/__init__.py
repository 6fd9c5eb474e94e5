"""What the companion says, in every language."""
