"""The phone side of Gespensterjagd."""
