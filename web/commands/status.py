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
    from companion.home import state_folder
    from companion.privileges import as_owner
    from companion.terminal import complain, language, tell
    from companion.words import Saying
    from web.admin import hotspot
    from web.http import running
    from web.http.addresses import home_address, local_name
    from web.render import qr

    def set_aside(folder: Path) -> bytes:
        return "".join(saying.said(language()) + "\n" for saying in safe_mode.told(folder)).encode()

    state = args.state or state_folder()
    found = running.look(state)
    with contextlib.suppress(OSError):
        print(as_owner(state, set_aside, hand_over=False).decode(), end="")
    if found is None:
        return complain(Saying("evening.terminal_idle"))
    url = f"http://{home_address()}" if found.port == 80 else f"http://{home_address()}:{found.port}"
    if wifi := hotspot.wifi():
        print(qr.for_terminal(hotspot.code(wifi.name, wifi.key)))
        tell("evening.terminal_wifi", name=wifi.name, password=wifi.key)
        print()
    print(qr.for_terminal(url))
    tell("evening.terminal_running", url=url, pin=found.pin)
    if name := local_name():
        tell("evening.terminal_by_name", url=f"http://{name}{url.removeprefix(f'http://{home_address()}')}")
    return 0
