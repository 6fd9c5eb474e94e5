"""The line protocol, through a process of its own."""
