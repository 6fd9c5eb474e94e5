"""Another world in the place of the true one: whatever leaves the companion stays the same, byte for byte."""
