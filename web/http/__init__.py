"""The line to the phones: sockets, requests, who is calling, and what an answer looks like on the wire."""
