"""The phones: pages, forms, the push stream and the HTTP API of a table."""
