"""The table's own Wi-Fi, where every name leads to this machine and there is no internet.

A phone that joins a Wi-Fi asks a well-known place whether it is online, and leaves again if nobody answers
as it expects. Here it is told what it wants to hear, so that it stays. Whatever else is asked for under a
foreign name is sent to the table's own address, and gets nothing before that: a foreign name opens no page.
"""

from __future__ import annotations

import os
import socket
from typing import NamedTuple

ADDRESS = "10.42.0.1"
"""The table's own address on its Wi-Fi, as the installer sets it up (systemd/hotspot)."""


class ProbeReply(NamedTuple):
    """What a phone wants to hear."""

    status: int
    kind: str = "text/plain"
    body: str = ""
    location: str = ""


APPLE = ProbeReply(200, "text/html", "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>")
FIREFOX = '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
LINUX = ProbeReply(200, body="NetworkManager is online\n")
PROBES = {
    # Android and ChromeOS
    "/generate_204": ProbeReply(204),
    "/gen_204": ProbeReply(204),
    # iPhone, iPad, Mac
    "/hotspot-detect.html": APPLE,
    "/library/test/success.html": APPLE,
    # Windows
    "/connecttest.txt": ProbeReply(200, body="Microsoft Connect Test"),
    "/ncsi.txt": ProbeReply(200, body="Microsoft NCSI"),
    # Firefox
    "/success.txt": ProbeReply(200, body="success\n"),
    "/canonical.html": ProbeReply(200, "text/html", FIREFOX),
    # Linux: Gnome, Arch, Debian, Fedora
    "/check_network_status.txt": LINUX,
    "/nm-check.txt": LINUX,
    "/nm": LINUX,
    "/static/hotspot.txt": ProbeReply(200, body="OK"),
    # Kindle
    "/kindle-wifi/wifistub.html": ProbeReply(200, "text/html", "81ce4465-7167-4dcb-835b-dcc9e44c112a"),
}
"""By path alone: each of these is asked for under many names."""


def reply(own_address: str | None, path: str) -> ProbeReply | None:
    """The answer to a request under a foreign name; null where it did not come over the table's own Wi-Fi."""
    if (own_address or "").removeprefix("::ffff:") != ADDRESS:
        return None
    return PROBES.get(path, ProbeReply(302, location=f"http://{ADDRESS}/"))


def is_open() -> bool:
    """Whether this machine has its own Wi-Fi open now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        try:
            wire.bind((ADDRESS, 0))
        except OSError:
            return False
    return True


def name_and_key() -> tuple[str, str] | None:
    """By which a phone joins the table's own Wi-Fi; null where it is not open."""
    name, key = (os.environ.get(f"COMPANION_WIFI_{part}", "") for part in ("NAME", "KEY"))
    return (name, key) if name and key and is_open() else None


def code(name: str, key: str) -> str:
    """What the QR code of a Wi-Fi says."""
    return f"WIFI:T:WPA;S:{_escaped(name)};P:{_escaped(key)};;"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,:"' else letter for letter in text)
