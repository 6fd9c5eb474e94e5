"""What a table can agree on, offered in words."""
