"""What a request becomes: its function, and what goes back."""
