"""What the board adds to the command line."""
