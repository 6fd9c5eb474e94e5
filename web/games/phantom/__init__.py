"""The phone side of The Phantom Society."""
