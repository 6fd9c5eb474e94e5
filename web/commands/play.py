"""Play on this machine: a simulated board, an address and a QR code for the phones."""

from __future__ import annotations

import argparse

from web.commands import serve

arguments = serve.arguments

LINES = (
    "evening.terminal_join",
    "evening.terminal_host",
    "evening.terminal_table",
    "evening.terminal_stop",
)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    return serve.serve(args, _welcome)


def _welcome(url: str, code: str, pin: str) -> None:
    from companion.terminal import language
    from companion.words import say
    from web import qr

    print()
    print(qr.for_terminal(f"{url}/j/{code}"))
    for key in LINES:
        print("  " + say(key, language(), url=url, code=code, pin=pin))
    print(flush=True)
