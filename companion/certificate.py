"""The table's own certificate, by which phones know it over HTTPS: made here by `openssl`, renewed by itself.

Three links. The *root* is what people install on their phones. Its key signs once and is never written down:
whoever steals the card, or the whole table, can make nothing else that those phones would believe. What it
signed is the *issuer*, which browsers hold to the names of a home. Its key stays here and signs the *leaf*,
which phones are shown: a new one where addresses have changed, and once a year.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
import secrets
import shutil
import ssl
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from companion.disk import NotOurs, is_own, is_own_folder, open_own, write_file
from companion.refusals import Illegal, NotSaved
from companion.state_files import HTTPS

ON, ISSUER, SERVED = "on", "issuer.pem", "served.pem"
"""That HTTPS is wanted; root and issuer with the issuer's key; leaf and issuer with the leaf's key."""
LARGEST = 1 << 16
DAY = 24 * 3600
BEGINNING, END = "20250101000000Z", "20491231235959Z"
"""Root and issuer hold this long whatever the clock says: nobody wants to install another on every phone."""
EARLY, LIFE, RENEWED = 60 * DAY, 820 * DAY, 425 * DAY
"""How long before now a leaf begins, how long it lives, and when there is a new one: a table's clock may be
two months fast or a year slow. An iPhone takes none that lives longer than 825 days."""
HOME = [
    ipaddress.ip_network(network)
    for network in (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "127.0.0.0/8",
        "fc00::/7",
        "fe80::/10",
        "::1/128",
    )
]
"""The only addresses that the issuer may speak for."""
NAME = re.compile(r"[a-z0-9_.-]{1,100}")
PEM = re.compile(rb"-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----\n")

TOLD = """
[ca]
default_ca = here
[here]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = subject
[subject]
commonName = supplied
[req]
distinguished_name = none
[none]
[link]
"""
"""What `openssl` is told of every link; what is its own follows."""


class Link(msgspec.Struct, frozen=True):
    """What a file says of its certificate in its first line: until when it serves, and for which names."""

    begins: int
    renewed: int
    names: tuple[str, ...]


class Certificate:
    """The certificate in a state folder, and whether HTTPS is wanted there."""

    def __init__(self, state: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = state / HTTPS
        self._clock, self._lock = clock, threading.Lock()

    @property
    def served(self) -> Path:
        """The file that a server needs: leaf, issuer and the leaf's key."""
        return self.folder / SERVED

    @property
    def wanted(self) -> bool:
        """Whether somebody has switched HTTPS on."""
        return is_own(self.folder / ON)

    def switch(self, on: bool) -> None:
        """Switch it on or off; what phones have installed stays good."""
        try:
            if on:
                self._make_folder()
                write_file(self.folder / ON, b"")
            else:
                (self.folder / ON).unlink(missing_ok=True)
        except OSError as fault:
            raise _not_saved(fault) from fault

    def root(self) -> bytes:
        """What phones install, as DER; nothing where there is none yet."""
        try:
            *_, root = _blocks(self._issuer())
        except FileNotFoundError:
            return b""
        return ssl.PEM_cert_to_DER_cert(root.decode("ascii"))

    @property
    def fingerprint(self) -> str:
        """By which people tell that the root they install is this table's: SHA-256, in pairs."""
        root = self.root()
        return hashlib.sha256(root).digest().hex(":").upper() if root else ""

    def fits(self, names: Iterable[str]) -> bool:
        """Whether what phones are shown is good now, and for these names."""
        try:
            leaf, issuer = _head(_secret(self.served)), _head(self._issuer())
        except (OSError, Illegal):
            return False
        named = {name for name in names if _may(issuer, name)} <= {*leaf.names}
        return named and leaf.begins <= self._now() < leaf.renewed

    def renew(self, names: Iterable[str]) -> None:
        """Make what is missing, too old, or does not name these; the root stays, if there is one."""
        names = sorted(name for name in {*names} if _address(name) or NAME.fullmatch(name))
        with self._lock:
            if self.fits(names):
                return
            try:
                self._make_folder()
                self._make_leaf(names)
            except OSError as fault:
                raise _not_saved(fault) from fault

    def _now(self) -> int:
        """The time, but none before this program was installed: without power a Pi's clock stands still."""
        return int(max(self._clock(), Path(__file__).stat().st_mtime))

    def _make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_own_folder(self.folder):
            raise NotOurs(self.folder)

    def _issuer(self) -> bytes:
        """The issuer's file. What is wrong with it a person decides: a new one goes onto every phone."""
        return _secret(self.folder / ISSUER)

    def _make_leaf(self, names: list[str]) -> None:
        try:
            issued = self._issuer()
        except FileNotFoundError:
            issued = self._make_issuer(names)
        key, issuer, _ = _blocks(issued)
        named = tuple(name for name in names if _may(_head(issued), name))
        own = _new_key()
        begins = self._now() - EARLY
        leaf = _signed(
            own,
            f"{_title(names)}, table",
            "basicConstraints = critical, CA:FALSE\nkeyUsage = critical, digitalSignature\n"
            f"extendedKeyUsage = serverAuth\nsubjectAltName = {', '.join(map(_alternative, named))}\n",
            (_written(begins), _written(begins + LIFE)),
            (issuer, key),
        )
        self._keep(SERVED, Link(begins, begins + RENEWED, named), own + leaf + issuer)

    def _make_issuer(self, names: list[str]) -> bytes:
        """Root and issuer; with the end of this function the root's key is gone."""
        permitted = ["local", *(name for name in names if not _address(name) and not name.endswith(".local"))]
        ca = f"keyUsage = critical, keyCertSign\nnameConstraints = critical, {_permitted(permitted)}\n"
        life, root_key, key = (BEGINNING, END), _new_key(), _new_key()
        title = _title(names)
        root = _signed(root_key, title, f"basicConstraints = critical, CA:TRUE, pathlen:1\n{ca}", life)
        issuer = _signed(
            key,
            f"{title}, issuer",
            f"basicConstraints = critical, CA:TRUE, pathlen:0\nextendedKeyUsage = serverAuth\n{ca}",
            life,
            (root, root_key),
        )
        return self._keep(ISSUER, Link(0, 0, tuple(permitted)), key + issuer + root)

    def _keep(self, name: str, link: Link, blocks: bytes) -> bytes:
        data = msgspec.json.encode(link) + b"\n" + blocks
        write_file(self.folder / name, data)
        return data


def _secret(path: Path) -> bytes:
    """A file with a key; where others could read it, it is not used."""
    with open_own(path) as file:
        if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
            raise Illegal("companion.key_not_secret", file=str(path))
        return file.read(LARGEST)


def _head(data: bytes) -> Link:
    try:
        return msgspec.json.decode(data.partition(b"\n")[0], type=Link)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Illegal("companion.certificate_damaged", folder=HTTPS) from None


def _blocks(data: bytes) -> list[bytes]:
    """The key and the two certificates of a file."""
    found = [match[0] for match in PEM.finditer(data)]
    if len(found) != 3:
        raise Illegal("companion.certificate_damaged", folder=HTTPS)
    return found


def _not_saved(fault: OSError) -> NotSaved:
    return NotSaved("companion.not_saved", fault=fault.strerror or str(fault))


# Names


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _may(issuer: Link, name: str) -> bool:
    """Whether the issuer may speak for a name or an address."""
    if (ip := _address(name)) is not None:
        return any(ip in network for network in HOME)
    return any(name == own or name.endswith(f".{own}") for own in issuer.names)


def _permitted(names: Iterable[str]) -> str:
    ranges = [f"permitted;IP:{network.network_address}/{network.netmask}" for network in HOME]
    return ", ".join([*(f"permitted;DNS:{name}" for name in names), *ranges])


def _alternative(name: str) -> str:
    return f"IP:{name}" if _address(name) else f"DNS:{name}"


def _title(names: Iterable[str]) -> str:
    """What people see in the list of their phone."""
    own = next((name.removesuffix(".local") for name in names if name.endswith(".local")), "")
    return f"Ghost companion ({own or 'table'})"


# openssl


def _written(moment: int) -> str:
    return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(moment))


def _new_key() -> bytes:
    return _openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")


def _signed(
    key: bytes, title: str, extensions: str, life: tuple[str, str], by: tuple[bytes, bytes] | None = None
) -> bytes:
    """A certificate for a key, signed by the (certificate, key) of another, or by itself.

    `openssl ca`, because nothing else of every version takes both dates. Keys go in by its input alone.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "told").write_text(f"{TOLD}subjectKeyIdentifier = hash\n{extensions}", encoding="ascii")
        (folder / "index").touch()
        (folder / "serial").write_text(f"{secrets.randbits(127):032x}\n", encoding="ascii")
        told = ("-config", "told")
        asked = _openssl(
            "req", "-new", *told, "-key", "/dev/stdin", "-subj", f"/CN={title}", data=key, at=place
        )
        (folder / "asked").write_bytes(asked)
        signer = ["-selfsign"]
        if by is not None:
            (folder / "issuer").write_bytes(by[0])
            signer = ["-cert", "issuer"]
        begins, ends = life
        return _openssl(
            *("ca", "-batch", "-notext", *told, *signer, "-keyfile", "/dev/stdin", "-in", "asked"),
            *("-extensions", "link", "-startdate", begins, "-enddate", ends),
            data=by[1] if by else key,
            at=place,
        )


def check_openssl() -> None:
    """Refuse where there is nothing that could make a certificate."""
    if shutil.which("openssl") is None:
        raise Illegal("companion.no_openssl")


def _openssl(*words: str, data: bytes = b"", at: str | None = None) -> bytes:
    check_openssl()
    try:
        done = subprocess.run(["openssl", *words], input=data, capture_output=True, cwd=at, timeout=60)
    except subprocess.TimeoutExpired as fault:
        raise Illegal("companion.no_certificate", fault=str(fault)) from fault
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["openssl"]
        raise Illegal("companion.no_certificate", fault=lines[-1])
    return done.stdout
