"""Say whether a companion runs here, where phones find it, and the host's PIN."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion status`."""
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games and boxes are kept")


def run(args: argparse.Namespace) -> int:
    """Print it; exit status 1 where nothing runs."""
    import web.evening  # noqa: F401  whose words are spoken here
    from companion import safe_mode
    from companion.certificate import Certificate
    from companion.home import state_folder
    from companion.privileges import as_owner
    from companion.refusals import Refusal
    from companion.terminal import complain, language, tell
    from companion.words import Saying
    from web.http import hotspot
    from web.http.addresses import home_address, local_name
    from web.render import qr
    from web.server import running

    def set_aside(folder: Path) -> bytes:
        return "".join(saying.said(language()) + "\n" for saying in safe_mode.told(folder)).encode()

    def fingerprint(folder: Path) -> bytes:
        certificate = Certificate(folder)
        return certificate.fingerprint.encode() if certificate.wanted else b""

    state = args.state or state_folder()
    found = running.look(state)
    with contextlib.suppress(OSError):
        print(as_owner(state, set_aside, hand_over=False).decode(), end="")
    if found is None:
        return complain(Saying("evening.terminal_idle"))
    url = f"http://{home_address()}" if found.port == 80 else f"http://{home_address()}:{found.port}"
    if wifi := hotspot.name_and_key():
        print(qr.for_terminal(hotspot.code(*wifi)))
        tell("evening.terminal_wifi", name=wifi[0], password=wifi[1])
        print()
    print(qr.for_terminal(url))
    tell("evening.terminal_running", url=url, pin=found.pin)
    if name := local_name():
        tell("evening.terminal_by_name", url=f"http://{name}{url.removeprefix(f'http://{home_address()}')}")
    with contextlib.suppress(OSError, Refusal):
        if found.secure_port and (shown := as_owner(state, fingerprint, hand_over=False).decode()):
            port = "" if found.secure_port == 443 else f":{found.secure_port}"
            address = f"https://{name or home_address()}{port}"
            tell("evening.terminal_https", url=address, fingerprint=shown)
    return 0
