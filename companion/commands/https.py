"""Switch HTTPS on or off, whether the companion runs or not, and tell the fingerprint of its certificate."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion https`."""
    parser.add_argument("switch", nargs="?", choices=("on", "off"), help="(default: tell how it is)")
    parser.add_argument(
        "--state", type=Path, metavar="DIR", help="the state folder (default: the user's own)"
    )


def run(args: argparse.Namespace) -> int:
    """Do it; a running companion follows within moments."""
    from companion.certificate import Certificate, check_openssl
    from companion.home import state_folder
    from companion.privileges import as_owner
    from companion.refusals import Refusal
    from companion.terminal import complain, tell

    def switched(folder: Path) -> bytes:
        certificate = Certificate(folder)
        if args.switch:
            certificate.switch(args.switch == "on")
        return f"{certificate.wanted:d}{certificate.fingerprint}".encode()

    try:
        if args.switch == "on":
            check_openssl()
        told = as_owner(args.state or state_folder(), switched).decode()
    except (Refusal, OSError) as fault:
        return complain(fault)
    tell("companion.https_on" if told[0] == "1" else "companion.https_off")
    if told[1:]:
        tell("companion.https_fingerprint", fingerprint=told[1:])
    return 0
