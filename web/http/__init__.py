"""What HTTP says, whoever speaks: addresses and names, headers, languages, statuses."""
