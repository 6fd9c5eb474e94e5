"""An evening without rest: bots, phones that come and go, kills, failing lamps, and two enemies."""
