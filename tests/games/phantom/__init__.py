"""The Phantom Society, rule by rule."""
