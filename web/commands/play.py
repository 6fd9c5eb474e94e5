"""Play on this machine: a simulated board, an address and a QR code for the phones."""

from __future__ import annotations

import argparse

from web.commands import serve

arguments = serve.arguments

WELCOME = """\
  Phones join by this code:  {code}   {url}/j/{code}
  Host and moderator:        {url}/    PIN {pin}
  The board, large:          {url}/table

  Ctrl-C ends the evening; the game is kept.
"""


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    return serve.serve(args, _welcome)


def _welcome(url: str, code: str, pin: str) -> None:
    from web import qr

    print()
    print(qr.for_terminal(f"{url}/j/{code}"))
    print(WELCOME.format(url=url, code=code, pin=pin), flush=True)
