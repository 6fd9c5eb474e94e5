"""The HTTP API for programs: the same actions and views as everywhere, and their OpenAPI document."""
