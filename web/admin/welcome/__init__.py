"""The first steps of a new table: language, PIN, kit, box, and what games ask for once."""
