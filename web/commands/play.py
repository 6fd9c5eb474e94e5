"""Play on this machine: a simulated board, an address and a QR code for the phones."""

from __future__ import annotations

import argparse

from web.commands import serve

arguments = serve.arguments


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    return serve.serve(args, _welcome)


def _welcome(**found: str) -> None:
    """The way in for the host; once there is one, for everybody else."""
    from companion.terminal import language
    from companion.words import say
    from web.render import qr

    for_host = ("evening.terminal_be_host", "evening.terminal_join")
    for_guests = ("evening.terminal_join", "evening.terminal_host")
    print()
    print(qr.for_terminal(f"{found['url']}/j/{found['host'] or found['code']}"))
    for key in (
        *(for_host if found["host"] else for_guests),
        "evening.terminal_table",
        "evening.terminal_stop",
    ):
        print("  " + say(key, language(), **found))
    print(flush=True)
