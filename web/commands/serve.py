"""Serve the table to phones, as the service on a Pi does."""

from __future__ import annotations

import argparse
import os
import socket
from collections.abc import Callable
from pathlib import Path

from web.server.stopping import End

PORT, HTTPS_PORT = 8000, 8443


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion serve` and `companion play`."""
    parser.add_argument("--host", default="0.0.0.0", help="the address to listen on (default: all)")
    parser.add_argument("--port", type=int, default=PORT, help=f"the port to listen on (default: {PORT})")
    parser.add_argument(
        "--https-port",
        type=int,
        default=HTTPS_PORT,
        help=f"the port for HTTPS, where that is switched on: companion https (default: {HTTPS_PORT})",
    )
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games and boxes are kept")
    parser.add_argument("--kit", default="simulated", help="the kit that is wired (default: simulated)")
    parser.add_argument(
        "--name", action="append", default=[], help="another name under which phones may find this machine"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until stopped. The PIN stays out of the log: `companion status` shows it to those who may."""
    return serve(args, lambda url, **_: print(f"companion: {url}", flush=True))


def serve(args: argparse.Namespace, announce: Callable[..., None]) -> int:
    """Open everything, say where, and serve."""
    from companion import logs, notify
    from companion.home import state_folder
    from companion.journal import JournalInUse, JournalTooNew
    from companion.terminal import complain
    from web.server import memory, running, server

    memory.stay_small()
    logs.set_up()
    folder = args.state or state_folder()
    # What the doctor wrote of this board can be chosen like any other kit.
    os.environ.setdefault("COMPANION_KITS", str(folder / "kits"))
    try:
        given = notify.sockets()
        sockets = [wire for name, wire in given if name != "https"] or server.listen(args.host, args.port)
        held = next((wire for name, wire in given if name == "https"), None)
        end: End = "again"
        while end == "again":
            end = _serve_once(args, folder, sockets, held, announce)
        if end == "rest":
            running.power_may_go()
    except (JournalInUse, JournalTooNew, OSError) as fault:
        return complain(fault)
    except KeyboardInterrupt:
        # Before everything was open: there is nothing to close.
        return 130
    return 0


def _serve_once(
    args: argparse.Namespace,
    folder: Path,
    sockets: list[socket.socket],
    held: socket.socket | None,
    announce: Callable[..., None],
) -> End:
    """From the first lamp to the last. The sockets stay open: whoever asks meanwhile waits."""
    from companion import safe_mode
    from web.http.addresses import Names
    from web.render import pages
    from web.server import running, server

    secure_port = held.getsockname()[1] if held else args.https_port
    with server.opened(folder, args.kit, pages) as daemon:

        def ready() -> None:
            evening = daemon.evening
            safe_mode.succeeded(folder)
            running.note(folder, sockets[0].getsockname()[1], evening.pin.shown, secure_port)
            announce(
                url=evening.addresses.base_url,
                code=evening.codes.table_code().code,
                host="" if evening.guests.has_host else evening.codes.host_code().code,
                pin=evening.pin.shown,
            )

        try:
            secure = server.SecurePlace(secure_port, held.dup() if held else None)
            return server.serve(daemon, [wire.dup() for wire in sockets], Names(*args.name), ready, secure)
        finally:
            running.forget(folder)
