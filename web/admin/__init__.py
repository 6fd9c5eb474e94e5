"""What whoever runs the evening looks after besides the game: boxes, backup, first steps, the board."""
