"""The first steps of a new table: language, PIN, kit, box, castle. Reachable again from the host's page."""
