"""The line to the phones: sockets and requests, threads and the event loop, the Flask application."""
