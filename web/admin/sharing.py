"""What one table gives another: a short text, and a link with it for a phone's camera.

The link goes in a QR code, so it must be short; and it must open on a table that we do not know, so it names
the one thing that tables have in common. Whoever gets it confirms it there before anything is kept.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from urllib.parse import quote, unquote

from flask import redirect, request
from werkzeug import Response

from web.people.identity import Caller
from web.render import qr
from web.scene import Qr

HOUSE = "http://companion.local"
"""What a table on a Pi is called where nobody gave it another name."""
LONGEST_LINK = 1500
"""Letters that a phone's camera still reads from the screen of another phone."""
FIELD = "text"


def packed(mark: str, data: bytes) -> str:
    """Data as a short text that begins with the mark of its kind."""
    return mark + base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def opened(mark: str, text: str, most: int) -> bytes:
    """The data in a link, in its text alone, or in a file that was pasted whole. What is none is refused."""
    text = text.strip()
    if f"?{FIELD}=" in text.partition("\n")[0]:
        text = unquote(text.partition(f"?{FIELD}=")[2])
    if not text.startswith(mark):
        return text.encode()
    letters = "".join(text.removeprefix(mark).split()).rstrip("=")
    try:
        data = base64.b64decode(letters + "=" * (-len(letters) % 4), b"-_", validate=True)
        return zlib.decompressobj().decompress(data, most)
    except (binascii.Error, zlib.error) as fault:
        raise ValueError(str(fault)) from None


def link(path: str, text: str) -> str:
    """Where a text is taken in, on whichever table."""
    return f"{HOUSE}{path}?{FIELD}={quote(text, safe=':')}"


def code(path: str, text: str) -> Qr | None:
    """The link as a picture; null where it would be too fine for a camera."""
    whole = link(path, text)
    return qr.drawn(whole) if len(whole) <= LONGEST_LINK else None


def sent_home(caller: Caller, base_url: str) -> Response | None:
    """The way to the address under which phones are known here, for whoever came by the table's name."""
    by_number = request.host.startswith("[") or request.host.partition(":")[0].replace(".", "").isdecimal()
    if caller.guest is not None or by_number:
        return None
    return redirect(base_url + request.full_path, 303)
