"""What each phone sees, and how it hears of a change: scenes, pages drawn once, streams."""
