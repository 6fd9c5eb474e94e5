"""The companion watches itself: health, log, report, dependencies."""
