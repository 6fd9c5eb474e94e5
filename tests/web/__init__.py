"""The phones, over real sockets."""
