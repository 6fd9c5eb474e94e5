"""What the pages of the manor say, as data."""
