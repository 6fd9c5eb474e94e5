"""Where this machine is found, by which names it may be asked for, and what one household's address is."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys
from functools import lru_cache
from pathlib import Path

from web.http import hotspot

LOOPBACK = "127.0.0.1"


OWN_ADDRESS = 0x8915
"""What Linux calls the question for an interface's address (SIOCGIFADDR)."""


AVAHI = Path("/run/avahi-daemon/socket")


def neighbourhood(address: str) -> str:
    """An address as far as one household can vary it: IPv4 whole, IPv6 its network."""
    ip = _ip(address)
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
    return str(ip or address)


@lru_cache(256)
def _ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """A number as an address, without the zone, and IPv4 in IPv6's clothes as what it is."""
    try:
        ip = ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


class Names:
    """The names under which this machine may be asked for; others are somebody's DNS trick."""

    def __init__(self, *more: str) -> None:
        own = socket.gethostname().lower().removesuffix(".local")
        self.allowed = {"localhost", own, f"{own}.local", *(name.lower() for name in more if name)}
        self.allow = lru_cache(64)(self._allow)

    def _allow(self, host: str, own_address: str | None) -> bool:
        """Whether a Host header names us: one of our names, our own address, or one of a home network.

        A number cannot be made to point elsewhere, so addresses of home networks are safe even where a
        router or a container stands between.
        """
        name = without_port(host)
        if name.rstrip(".").lower() in self.allowed:
            return True
        ip = _ip(name)
        if ip is None:
            return False
        return ip.is_private or ip.is_loopback or ip.is_link_local or ip == _ip(own_address or "")


def without_port(host: str) -> str:
    """The name or number in a Host header."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def local_name() -> str:
    """The name under which phones find this machine by mDNS; empty where nobody here answers to one."""
    answers = sys.platform in ("darwin", "win32") or AVAHI.exists()
    return f"{socket.gethostname().lower().removesuffix('.local')}.local" if answers else ""


def home_address() -> str:
    """The address under which phones in the house find this machine; no packet is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        try:
            wire.connect(("192.0.2.1", 9))
            return str(wire.getsockname()[0])
        except OSError:
            return hotspot.ADDRESS if hotspot.is_open() else _near_address() or LOOPBACK


def _near_address() -> str:
    """An address in a network that leads nowhere else, as behind a lonely switch; empty for none."""
    if sys.platform != "linux":
        return ""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                asked = fcntl.ioctl(wire, OWN_ADDRESS, struct.pack("256s", name.encode()[:15]))
                if (found := socket.inet_ntoa(asked[20:24])) != LOOPBACK:
                    return found
    return ""
