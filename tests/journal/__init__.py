"""Journals: damage, full disks, two at once."""
