"""The smallest game with a secret, and pages of its own."""
