"""The people around the table: who they are, who is here, who sits where, and who holds a shared phone."""
