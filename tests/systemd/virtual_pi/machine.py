"""The machine: a disk with the companion installed on it, QEMU around it, a shell on its second serial line.

Everything in the guest is real but the hardware at its end: Debian's kernel and systemd, udev,
`/dev/gpiochip0`, `/dev/spidev0.0`, ext4 on a disk that survives a power cut. Only the emulated processor is
slow, so the unit gets more time to start (see `DROP_IN`).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from hardware.frames import Frame
from hardware.lights.wire import from_spi
from tests.install.clean_root import CACHE, awake, clean_root, make, put_source

HERE = Path(__file__).parent
KERNEL = CACHE / "virtual-pi"
KERNEL_SCRIPT = HERE.parents[1] / "virtual_pi/kernel.sh"
MODULES = "virtio_blk virtio_net crc32c_generic ext4"
"""What it takes to reach its disk and the phones."""
PINS = "/sys/devices/platform/gpio-sim.0/gpiochip0"
LAMPS = "/sys/kernel/debug/spi-capture"

BUSY_HOST = "no_timer_check"
"""The kernel's test of its timer gives up where the host is too busy to let it tick."""

DROP_IN = """[Service]
# A Pi 4's /proc/cpuinfo. A private /proc would hide it again: the one wall that is missing here.
BindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo
ProtectProc=default
# An emulated processor is slow, and other work on the host makes it slower.
TimeoutStartSec=240
"""
SHELL = """[Unit]
DefaultDependencies=no
After=systemd-journald.socket
[Service]
ExecStart=/bin/sh
StandardInput=tty
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS1
Restart=always
[Install]
WantedBy=sysinit.target
"""


def make_disk(image: Path, kit: str) -> None:
    """A disk with Debian and the companion on it, installed by its own installer."""
    with clean_root("bookworm") as root:
        with awake(root):
            put_source(root)
            make(root, "install", f"KIT={kit}")
            units = root.folder / "etc/systemd/system"
            (units / "companion.service.d").mkdir()
            (units / "companion.service.d/virtual-pi.conf").write_text(DROP_IN)
            (units / "test-shell.service").write_text(SHELL)
            root.run("systemctl", "enable", "test-shell.service")
            shutil.copy(HERE / "new_versions.py", root.folder / "opt")
            root.run("systemd-machine-id-setup")
        shutil.rmtree(root.folder / "source")
        subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root.folder, image, "3G"], check=True)


class VirtualPi:
    """A Pi that can be switched on, asked, and have its plug pulled."""

    def __init__(self, disk: Path) -> None:
        self.disk = disk
        self.folder = Path(tempfile.mkdtemp(prefix="virtual-pi-"))
        self.port = _free_port()
        self._marks = itertools.count()

    def boot(self) -> None:
        """Switch it on, and wait until its shell answers."""
        serial = self.folder / "serial"
        serial.unlink(missing_ok=True)
        self._qemu = subprocess.Popen(
            [
                *(
                    "qemu-system-x86_64",
                    "-accel",
                    "tcg,thread=multi",
                    "-cpu",
                    "max",
                    "-m",
                    "1024",
                    "-smp",
                    "2",
                ),
                *("-display", "none", "-monitor", "none", "-no-reboot"),
                *("-kernel", KERNEL / "vmlinuz", "-initrd", KERNEL / "initrd.gz"),
                *("-append", f"console=ttyS0 quiet panic=-1 {BUSY_HOST} net.ifnames=0 systemd.firstboot=off"),
                *("-drive", f"file={self.disk},format=raw,if=virtio"),
                *(
                    "-nic",
                    f"user,model=virtio-net-pci,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-10.0.2.15:80",
                ),
                *("-serial", f"file:{self.folder}/console.log"),
                *("-serial", f"unix:{serial},server=on,wait=off"),
            ],
            stdin=subprocess.DEVNULL,
        )
        self._wire = _connected(serial)
        until(self._shell_answers, 180, "no shell in the guest")
        self.sh("mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null; true")

    def sh(self, command: str, seconds: float = 120) -> str:
        """Run something in the guest as root; what it printed comes back."""
        mark = f"mark{next(self._marks)}"
        self._wire.settimeout(seconds)
        # The marks are put together in the guest, so that an echo of this line is not taken for the answer.
        self._wire.sendall(
            f"printf '%s-%s\\n' begin {mark}; {command}; printf '%s-%s\\n' end {mark}\n".encode()
        )
        heard = b""
        while f"end-{mark}".encode() not in heard:
            heard += self._wire.recv(65536)
        text = heard.decode(errors="replace").replace("\r", "")
        return text.rpartition(f"begin-{mark}\n")[2].partition(f"end-{mark}")[0].strip()

    def _shell_answers(self) -> bool:
        with contextlib.suppress(TimeoutError):
            return self.sh("echo here", 5) == "here"
        return False

    def show(self, name: str) -> str:
        """A property of the service, as systemd has it."""
        return self.sh(f"systemctl show companion.service --property {name} --value")

    def press(self, pin: int) -> None:
        """Close a contact to ground for a moment, and wait until it is open again."""
        contact = f"{PINS}/sim_gpio{pin}/pull"
        self.sh(f"echo pull-down >{contact}; sleep 0.3; echo pull-up >{contact}; sleep 0.3")

    def lamps(self) -> Frame:
        """What the lamps were last told, read from the kernel's SPI."""
        return from_spi(bytes.fromhex(self.sh(f"od -An -v -tx1 {LAMPS}/last | tr -d ' \\n'")), "GRB")

    def pull_the_plug(self) -> None:
        """No goodbye."""
        self._qemu.kill()
        self._qemu.wait()
        self._wire.close()

    def switched_itself_off(self, seconds: float = 120) -> bool:
        """Whether the machine powered down by itself."""
        try:
            return self._qemu.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            return False

    def close(self) -> None:
        """Take it away."""
        self.pull_the_plug()
        shutil.rmtree(self.folder)


def until(happens: object, seconds: float, otherwise: str) -> None:
    """Wait for something in the guest, which has a clock of its own."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if callable(happens) and happens():
            return
        time.sleep(0.5)
    raise AssertionError(otherwise)


def _connected(path: Path) -> socket.socket:
    wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    for _ in range(100):
        with contextlib.suppress(OSError):
            wire.connect(os.fspath(path))
            return wire
        time.sleep(0.1)
    raise AssertionError("QEMU does not start")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
