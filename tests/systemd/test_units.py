"""The units, judged by systemd's own tools where they are installed."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from web.server import running

UNITS = Path(__file__).parents[2] / "systemd"
NAMES = sorted(path.name for path in UNITS.glob("companion*.*"))
ALLOWED = ("localhost", "link-local", "multicast", "10.0.0.0/8", "192.168.0.0/16", "fc00::/7")

analyze = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="needs systemd-analyze (apt: systemd)"
)


def settings(unit: str, name: str) -> list[str]:
    """Every word a unit gives a setting."""
    text = (UNITS / unit).read_text(encoding="utf-8")
    return " ".join(re.findall(rf"^{name}=(.*)$", text, re.MULTILINE)).split()


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=60)


def as_installed(folder: Path) -> Path:
    """A root with the units in their places, and the program they start."""
    units = folder / "usr/lib/systemd/system"
    units.mkdir(parents=True)
    for name in NAMES:
        shutil.copy(UNITS / name, units)
    for program in (
        "opt/ghost-companion/current/bin/companion",
        "usr/bin/systemctl",
        "usr/bin/nmcli",
        "bin/sh",
    ):
        (folder / program).parent.mkdir(parents=True, exist_ok=True)
        (folder / program).write_text("#!/bin/sh\n")
        (folder / program).chmod(0o755)
    for name in ("sysinit", "sockets", "basic", "shutdown", "multi-user", "network", "paths"):
        (units / f"{name}.target").write_text(f"[Unit]\nDescription={name}\n")
    return folder


@analyze
@pytest.mark.parametrize("name", NAMES)
def test_systemd_finds_nothing_wrong_with_a_unit(name: str, tmp_path: Path) -> None:
    root = as_installed(tmp_path)
    verdict = run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", f"--root={root}", name)
    assert (verdict.returncode, verdict.stderr) == (0, "")


def second_of(unit: str) -> str:
    """A unit as the installer makes it for a second board."""
    return subprocess.check_output(
        ["sh", "-c", f'. "{UNITS}/steps.sh"; second_of "{UNITS / unit}"'], text=True
    )


@analyze
def test_the_units_of_a_second_board_are_as_sound_and_as_confined(tmp_path: Path) -> None:
    units = as_installed(tmp_path) / "usr/lib/systemd/system"
    kinds = (".service", ".socket", "-https.socket")
    for kind in kinds:
        (units / f"companion-second{kind}").write_text(second_of(f"companion{kind}"))
    for kind in kinds:
        words = ("--man=no", "--recursive-errors=no", f"--root={tmp_path}", f"companion-second{kind}")
        verdict = run("systemd-analyze", "verify", *words)
        assert (verdict.returncode, verdict.stderr) == (0, "")
    assert exposure(units / "companion-second.service") <= 1.3


def test_two_boards_share_nothing_but_the_program_the_user_and_the_hotspot() -> None:
    shared = ("ghost-companion", "/opt/ghost-companion/current/bin/companion", "/etc/ghost-companion/hotspot")
    first, second = (
        {word.lstrip("-") for word in re.findall(r"[\w/.-]*ghost-companion[\w/.-]*", text)}
        for text in ((UNITS / "companion.service").read_text(), second_of("companion.service"))
    )
    assert first & second == set(shared)
    assert re.findall(r"^ListenStream=(.*)$", second_of("companion.socket"), re.MULTILINE) == ["8080"]
    assert re.findall(r"^ListenStream=(.*)$", second_of("companion-https.socket"), re.MULTILINE) == ["8443"]
    named = re.findall(
        r"^(?:Sockets|StateDirectory|RuntimeDirectory)=(.*)$", second_of("companion.service"), re.MULTILINE
    )
    sockets = "companion-second.socket companion-second-https.socket"
    assert sorted(named) == [sockets, "ghost-companion-second", "ghost-companion-second"]


@analyze
def test_verify_does_see_a_broken_unit(tmp_path: Path) -> None:
    root = as_installed(tmp_path)
    unit = root / "usr/lib/systemd/system/companion.service"
    unit.write_text(unit.read_text().replace("WatchdogSec=15", "WatchdogSec=soon"))
    verdict = run("systemd-analyze", "verify", "--man=no", f"--root={root}", "companion.service")
    assert "ignoring: soon" in verdict.stderr


def exposure(*units: Path) -> float:
    report = run("systemd-analyze", "security", "--offline=true", "--no-pager", *units).stdout
    found = re.search(r"Overall exposure level.*: ([0-9.]+)", report)
    assert found, report
    return float(found[1])


@analyze
def test_the_service_exposes_itself_no_more_than_1_3() -> None:
    assert exposure(UNITS / "companion.service") <= 1.3


@analyze
def test_the_hotspot_exposes_itself_no_more_than_4() -> None:
    assert exposure(UNITS / "companion-hotspot.service") <= 4


@analyze
def test_a_service_with_one_wall_less_would_be_noticed(tmp_path: Path) -> None:
    weaker = tmp_path / "companion.service"
    text = (UNITS / "companion.service").read_text()
    weaker.write_text(text.replace("CapabilityBoundingSet=\n", "").replace("NoNewPrivileges=yes\n", ""))
    assert exposure(weaker) > 1.3


def test_devices_are_named_one_by_one_and_by_their_kernel_names() -> None:
    """`char-spidev` would pass every check and then be refused by the kernel: the class is called spi."""
    assert settings("companion.service", "DevicePolicy") == ["closed"]
    classes = [word for word in settings("companion.service", "DeviceAllow") if word != "rw"]
    assert classes == ["char-gpiochip", "char-spi", "char-i2c", "char-alsa", "/dev/gpiomem", "/dev/pio0"]


def test_the_service_user_may_use_the_devices() -> None:
    members = re.findall(r"^m +ghost-companion +(\w+)$", (UNITS / "sysusers.conf").read_text(), re.MULTILINE)
    assert members == ["gpio", "spi", "i2c", "audio"]


def test_the_ordinary_service_is_not_root_and_only_the_pwm_driver_is() -> None:
    assert settings("companion.service", "User") == ["ghost-companion"]
    assert settings("pwm.conf", "User") == ["root"]
    assert settings("pwm.conf", "CapabilityBoundingSet") == ["CAP_SYS_RAWIO"]


def test_nobody_else_on_the_machine_reads_what_the_table_keeps() -> None:
    """Guests, PINs and secrets of a game lie in the state folder."""
    assert settings("companion.service", "StateDirectory") == ["ghost-companion"]
    assert settings("companion.service", "StateDirectoryMode") == ["0700"]
    assert settings("companion.service", "UMask") == ["0077"]


@pytest.mark.parametrize("unit", ["companion.service", "companion.socket", "companion-https.socket"])
def test_phones_and_names_on_the_home_network_are_not_cut_off(unit: str) -> None:
    assert settings(unit, "IPAddressDeny") == ["any"]
    assert set(ALLOWED) <= set(settings(unit, "IPAddressAllow"))


def test_readiness_and_silence_are_watched() -> None:
    assert settings("companion.service", "Type") == ["notify"]
    assert settings("companion.service", "WatchdogSec") == ["15"]
    assert settings("companion.service", "Restart") == ["on-failure"]


def test_the_word_of_the_daemon_switches_the_pi_off_and_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The word is left in the folder that the unit gives the daemon, by the daemon's own code."""
    assert settings("companion.service", "RuntimeDirectory") == ["ghost-companion"]
    (line,) = re.findall(r"^ExecStopPost=\+(.*)$", (UNITS / "companion.service").read_text(), re.MULTILINE)
    script = shlex.split(line)[2].replace("exec systemctl --no-block", "echo").replace("/run", str(tmp_path))
    (tmp_path / "ghost-companion").mkdir()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "ghost-companion"))
    assert run("sh", "-c", script).stdout == ""
    running.power_may_go()
    assert run("sh", "-c", script).stdout == "poweroff\n"


def test_the_ports_are_held_by_sockets() -> None:
    assert settings("companion.socket", "ListenStream") == ["80"]
    assert settings("companion-https.socket", "ListenStream") == ["443"]
    sockets = settings("companion.service", "Sockets")
    assert sockets == ["companion.socket", "companion-https.socket"]
    # What tells them apart, and that both stop with the word for the one.
    assert [settings(each, "FileDescriptorName") for each in sockets] == [["http"], ["https"]]
    assert settings("companion-https.socket", "Service") == ["companion.service"]
    assert settings("companion-https.socket", "PartOf") == ["companion.socket"]


def test_the_name_on_the_network_is_a_service_that_avahi_can_read() -> None:
    group = ElementTree.parse(UNITS / "avahi/companion.service").getroot()
    assert [each.text for each in group.iter("type")] == ["_http._tcp"]
    assert [each.text for each in group.iter("port")] == ["80"]
