"""The card of `make card` in a clean Debian: cloud-init accepts it, and it installs: `make test-card`.

Needs root, debootstrap and a network. Cloud-init's own boot is left out: no systemd runs in here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

from tests.install.clean_root import (
    PROJECT,
    awake,
    check_installed,
    check_libraries,
    clean_root,
    put_config,
    told,
)


def main() -> int:
    """Write the card, let cloud-init judge it, do what it says."""
    started = time.monotonic()
    with clean_root("trixie") as root, awake(root):
        put_config(root)
        boot = root.folder / "boot/firmware"
        words = ["--kit", "joystick", "--wifi", "Canterville", "--password", "otis otis"]
        subprocess.run([sys.executable, PROJECT / "systemd/card.py", boot, *words], check=True)
        root.run("apt-get", "update", "-qq")
        # Cloud-init leaves the judgement of a Wi-Fi to netplan, as Raspberry Pi OS does.
        judges = ("cloud-init", "netplan.io", "python3-netplan")
        root.run("apt-get", "install", "-qq", "-y", "--no-install-recommends", *judges)
        for name, kind in {"user-data": "cloud-config", "network-config": "network-config"}.items():
            checked = root.run(
                "cloud-init", "schema", "-c", f"/boot/firmware/{name}", "-t", kind, check=False
            )
            assert "Valid" in checked.stdout + checked.stderr, checked
            told(f"cloud-init calls {name} valid", started)
        config = json.loads(root.text("/boot/firmware/user-data").partition("\n")[2])
        root.run(*config["runcmd"][0])
        check_installed(root)
        told(check_libraries(root), started)
        assert "--kit joystick" in root.text("/etc/ghost-companion/environment")
    return 0


if __name__ == "__main__":
    sys.exit(main())
