"""Boot the virtual Pi and run `guest.py` in it with every pin factory: `make test-pi`."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
CACHE = PROJECT / "build" / "virtual-pi-board"
FACTORIES = ("gpiod", "lgpio", "rpigpio")
LONGEST = 900
"""Seconds after which an emulated Pi counts as hung."""


def python_for_a_pi() -> Path:
    """A Python with what the extra `pi` installs, and this project as it lies here."""
    folder = CACHE / "venv"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True)
        pip = [python, "-m", "pip", "install", "-q"]
        subprocess.run([*pip, "--require-hashes", "-r", PROJECT / "requirements/pi.txt"], check=True)
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-e", PROJECT], check=True)
        (folder / "ready").touch()
    return python


def boot(python: Path) -> str:
    """Run the machine until it switches itself off; what it said on its console."""
    # The kernel's test of its timer gives up where the host is too busy to let it tick.
    words = f"console=ttyS0 quiet loglevel=3 panic=-1 no_timer_check PROJECT={PROJECT} PYTHON={python}"
    command = [
        "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-m", "768", "-smp", "2",
        "-nographic", "-no-reboot", "-nic", "none", "-kernel", str(CACHE / "vmlinuz"),
        "-initrd", str(CACHE / "initrd.gz"), "-append", words,
        "-fsdev", "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap",
        "-device", "virtio-9p-pci,fsdev=host,mount_tag=host",
    ]  # fmt: skip
    said = ""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as machine:
        assert machine.stdout is not None
        for line in machine.stdout:
            print(line, end="", flush=True)
            said += line
    return said


def main() -> int:
    """Build what is missing, boot, and say whether all factories passed."""
    subprocess.run([HERE / "kernel.sh", CACHE], check=True)
    said = boot(python_for_a_pi())
    (CACHE / "console.log").write_text(said)
    passed = [factory for factory in FACTORIES if f"GUEST {factory}: 0" in said]
    print(f"passed: {', '.join(passed) or 'none'}")
    return 0 if passed == list(FACTORIES) else 1


if __name__ == "__main__":
    sys.exit(main())
