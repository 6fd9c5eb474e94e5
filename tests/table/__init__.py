"""The table itself: pause, undo, redo and resuming."""
