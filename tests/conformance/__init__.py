"""One suite that every installed game passes."""
