"""Prepare a fresh card so that it becomes a table at its first start, without a keyboard: `make card`.

Raspberry Pi Imager writes Raspberry Pi OS Lite (trixie, 64-bit) to a card. This puts beside it, on the card's
small first part, what cloud-init reads there: user-data, network-config, meta-data, and the project itself as
one archive, so that the Pi needs no account and no address of ours. Only the standard library is needed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[1]
ARCHIVE = "ghost-companion.tar.gz"
SOURCE = "/usr/local/src/ghost-companion"
LEFT_OUT = ("tests", "bench", "build", "dist", "__pycache__")
ICON = PROJECT / "web/static/icons/icon-192.png"
PACKAGES = "make python3-venv avahi-daemon"
TRIES = 10
"""How often the installer is tried once there is a network: its packages have to be fetched, too."""
WIZARD = "userconfig.service"
"""Asks for a first user at the keyboard of a fresh Raspberry Pi OS."""
KEEPER = "keeper"


def archive(file: Path, project: Path = PROJECT) -> None:
    """The project as one file, without what is only there for its makers."""

    def wanted(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        hidden = any(part.startswith(".") for part in Path(entry.name).parts[1:])
        left_out = set(LEFT_OUT) & set(Path(entry.name).parts) or entry.name.endswith(".egg-info")
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        return None if hidden or left_out else entry

    with tarfile.open(file, "w:gz") as tar:
        tar.add(project, arcname="ghost-companion", filter=wanted)


def install_script(kit: str | None, hotspot: bool) -> str:
    """What the Pi does at its first start; it may be run again."""
    words = ["CLOCK=yes", *([f"KIT={kit}"] if kit else []), *(["HOTSPOT=1"] if hotspot else [])]
    return (
        f"set -eu; export DEBIAN_FRONTEND=noninteractive; mkdir -p {SOURCE}; "
        f"for boot in /boot/firmware /boot; do [ ! -e $boot/{ARCHIVE} ] || "
        f"tar -xzf $boot/{ARCHIVE} --strip-components=1 -C {SOURCE}; done; "
        # Somebody may plug the cable in tomorrow: without a network there is nothing else to do.
        "until apt-get -q -o APT::Update::Error-Mode=any update && "
        f"apt-get -qy --no-install-recommends install {PACKAGES}; do sleep 30; done; "
        f"n=0; until make -C {SOURCE} install {' '.join(words)}; do "
        f"n=$((n + 1)); [ $n -lt {TRIES} ] || exit 1; sleep 30; done"
    )


def user_data(kit: str | None, hotspot: bool, hostname: str, ssh_key: str | None) -> str:
    """Cloud-init's first file. JSON is YAML, so nothing needs escaping of our own."""
    config: dict[str, Any] = {
        "hostname": hostname,
        "manage_etc_hosts": True,
        # It would wait for a keyboard before multi-user.target, and `runcmd` comes after that.
        "bootcmd": [["systemctl", "mask", "--now", WIZARD]],
        "users": [_keeper(ssh_key)],
        "runcmd": [["sh", "-c", install_script(kit, hotspot)]],
        # SPI, I²C and the clock of the lamps hold from the next start on.
        "power_state": {"mode": "reboot", "condition": True, "message": "the companion is installed"},
    }
    return "#cloud-config\n" + json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def _keeper(ssh_key: str | None) -> dict[str, Any]:
    """The one user, so that nobody is asked for one: without a password, and locked but for a key."""
    user: dict[str, Any] = {"name": KEEPER, "lock_passwd": True, "shell": "/bin/bash"}
    if ssh_key:
        user |= {"groups": "sudo,gpio,spi,i2c", "sudo": "ALL=(ALL) NOPASSWD:ALL"}
        user["ssh_authorized_keys"] = [ssh_key]
    return user


def network_config(name: str | None, password: str | None, country: str) -> str:
    """The home's Wi-Fi, its password as the key that is made of it; the cable works in any case."""
    network: dict[str, Any] = {"version": 2, "ethernets": {"eth0": {"dhcp4": True, "optional": True}}}
    if name:
        access = {"password": wifi_key(name, password)} if password else {}
        network["wifis"] = {
            "wlan0": {
                "dhcp4": True,
                "optional": True,
                "regulatory-domain": country,
                "access-points": {name: access},
            }
        }
    return json.dumps({"network": network}, indent=2, ensure_ascii=False) + "\n"


def wifi_key(name: str, password: str) -> str:
    """The key that WPA makes of name and password, so that the password itself is not on the card."""
    return hashlib.pbkdf2_hmac("sha1", password.encode(), name.encode(), 4096, 32).hex()


def manifest(image: Path) -> str:
    """A list for Raspberry Pi Imager (`rpi-imager --repo FILE`) with one image that is on this computer."""
    extracted, size = hashlib.sha256(), 0
    for part in _extracted(image):
        extracted.update(part)
        size += len(part)
    entry = {
        "name": "Ghost companion: Raspberry Pi OS Lite (64-bit)",
        "description": "After writing, run `make card INTO=...` on the part called bootfs",
        "icon": ICON.as_uri(),
        "url": image.resolve().as_uri(),
        "release_date": time.strftime("%Y-%m-%d", time.gmtime(image.stat().st_mtime)),
        "extract_size": size,
        "extract_sha256": extracted.hexdigest(),
        "image_download_size": image.stat().st_size,
        "image_download_sha256": hashlib.sha256(image.read_bytes()).hexdigest(),
        "init_format": "cloudinit-rpi",
        "devices": ["pi5-64bit", "pi4-64bit", "pi3-64bit"],
    }
    return json.dumps({"os_list": [entry]}, indent=2) + "\n"


def _extracted(image: Path) -> Iterator[bytes]:
    with lzma.open(image) if image.suffix == ".xz" else image.open("rb") as file:
        while part := file.read(1 << 20):
            yield part


def write(folder: Path, args: argparse.Namespace) -> list[Path]:
    """Everything that belongs on the card."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {
        "user-data": user_data(args.kit, args.hotspot, args.hostname, args.ssh_key),
        "network-config": network_config(args.wifi, args.password, args.country),
        "meta-data": f"instance-id: ghost-companion-{int(time.time())}\n",
    }
    if args.image:
        made["imager.json"] = manifest(args.image)
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
    archive(folder / ARCHIVE)
    subprocess.run(["sync", "-f", folder], check=False)
    return [folder / name for name in (*made, ARCHIVE)]


def main(words: list[str] | None = None) -> int:
    """What `make card` calls."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("into", type=Path, help="the card's part called bootfs, or any folder")
    parser.add_argument("--kit", help="the kit of this table; it can be chosen later on the phone")
    parser.add_argument("--hostname", default="companion")
    parser.add_argument("--wifi", help="the name of the home's Wi-Fi")
    parser.add_argument("--password", help="its password")
    parser.add_argument("--country", default="DE", help="where it is, for the radio's rules (default: DE)")
    parser.add_argument("--hotspot", action="store_true", help="a Wi-Fi of its own where there is none")
    parser.add_argument("--ssh-key", help="the text of a public key that may log in as `keeper`")
    parser.add_argument(
        "--image", type=Path, help="an image of Raspberry Pi OS: also write a list for Imager"
    )
    args = parser.parse_args(words)
    if args.password and not 8 <= len(args.password) <= 63:
        parser.error("a Wi-Fi password has 8 to 63 characters")
    for path in write(args.into, args):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
