"""Pages drawn from scenes, without a daemon or a browser."""
