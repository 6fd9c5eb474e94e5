"""The table's own Wi-Fi: phones stay on it, no foreign name opens anything, the address is that of now."""

from __future__ import annotations

import configparser
import http.client
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from web.http import addresses, hotspot
from web.http.addresses import Names
from web.render import pages
from web.server import running, server

HOTSPOT = Path(__file__).parents[2] / "systemd/hotspot"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A daemon over real sockets, the same for all: nothing here changes it."""
    ready = threading.Event()
    sockets = server.listen("127.0.0.1", 0)
    with server.opened(tmp_path_factory.mktemp("state"), "simulated", pages) as house:
        thread = threading.Thread(target=server.serve, args=(house, sockets, Names(), ready.set))
        thread.start()
        assert ready.wait(10)
        port = sockets[0].getsockname()[1]
        # Its first thread for pages begins here and not in a test.
        assert ask(port, "localhost", "/healthz")[0] == 200
        yield port
        house.evening.shutdown()
        thread.join(10)


def ask(port: int, host: str, path: str) -> tuple[int, str, str]:
    """A request as a phone sends it that believes to speak with somebody else."""
    wire = http.client.HTTPConnection("127.0.0.1", port, 5)
    wire.request("GET", path, headers={"Host": host})
    answer = wire.getresponse()
    told = answer.status, answer.getheader("Location", ""), answer.read().decode()
    wire.close()
    return told


@pytest.mark.parametrize(
    ("host", "path", "status", "body"),
    [
        ("connectivitycheck.gstatic.com", "/generate_204", 204, ""),
        ("captive.apple.com", "/hotspot-detect.html", 200, "Success"),
        ("www.apple.com", "/library/test/success.html", 200, "Success"),
        ("clients3.google.com", "/generate_204", 204, ""),
        ("connectivitycheck.android.com", "/gen_204", 204, ""),
        ("connect.rom.miui.com", "/generate_204", 204, ""),
        ("www.msftconnecttest.com", "/connecttest.txt", 200, "Microsoft Connect Test"),
        ("www.msftncsi.com", "/ncsi.txt", 200, "Microsoft NCSI"),
        ("detectportal.firefox.com", "/success.txt?ipv4", 200, "success"),
        ("detectportal.firefox.com", "/canonical.html", 200, hotspot.FIREFOX),
        ("nmcheck.gnome.org", "/check_network_status.txt", 200, "NetworkManager is online"),
        ("network-test.debian.org", "/nm", 200, "NetworkManager is online"),
        ("fedoraproject.org", "/static/hotspot.txt", 200, "OK"),
    ],
)
def test_a_phone_on_the_hotspot_hears_that_it_is_online(
    host: str, path: str, status: int, body: str, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hotspot, "ADDRESS", "127.0.0.1")
    told = ask(port, host, path)
    assert told[0] == status
    assert body in told[2]


def test_any_other_name_on_the_hotspot_leads_to_the_table_and_opens_nothing(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hotspot, "ADDRESS", "127.0.0.1")
    for path in ("/", "/host", "/api/v1/view", "/events"):
        assert ask(port, "news.example", path) == (302, "http://127.0.0.1/", "")


def test_on_any_other_network_a_foreign_name_is_refused(port: int) -> None:
    for path in ("/", *hotspot.PROBES):
        assert ask(port, "captive.apple.com", path)[0] == 421


def test_ipv4_in_ipv6_s_clothes_is_the_hotspot_too() -> None:
    assert hotspot.reply(f"::ffff:{hotspot.ADDRESS}", "/generate_204") == hotspot.ProbeReply(204)
    assert hotspot.reply("192.168.1.7", "/generate_204") is None
    assert hotspot.reply(None, "/generate_204") is None


def test_the_wifi_code_is_there_while_the_hotspot_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_WIFI_NAME", 'Ghosts; "ours"')
    monkeypatch.setenv("COMPANION_WIFI_KEY", "abcd-efgh-jkmn")
    assert hotspot.name_and_key() is None
    monkeypatch.setattr(hotspot, "ADDRESS", "127.0.0.1")
    told = hotspot.name_and_key()
    assert told == ('Ghosts; "ours"', "abcd-efgh-jkmn")
    assert hotspot.code(*told) == 'WIFI:T:WPA;S:Ghosts\\; \\"ours\\";P:abcd-efgh-jkmn;;'


def test_the_address_is_the_hotspots_where_no_other_network_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_route(wire: socket.socket, address: object) -> None:
        raise OSError("network is unreachable")

    class Unplugged(socket.socket):
        connect = no_route

    near = addresses._near_address()
    monkeypatch.setattr(addresses.socket, "socket", Unplugged)
    if near:
        assert addresses.home_address() == near
    monkeypatch.setattr(addresses.socket, "if_nameindex", lambda: [(1, "lo"), (2, "no-such-wire")])
    assert addresses.home_address() == "127.0.0.1"
    monkeypatch.setattr(hotspot, "is_open", lambda: True)
    assert addresses.home_address() == hotspot.ADDRESS


def test_phones_are_told_a_new_address_when_the_network_comes_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (wire,) = server.listen("0.0.0.0", 0)
    with wire, server.opened(tmp_path, "simulated", pages) as house:
        monkeypatch.setattr(server, "home_address", lambda: "192.168.1.7")
        before = house.evening.versions.now
        server._follow_address(house.evening, wire)
        server._follow_address(house.evening, wire)
        assert house.evening.addresses.base_url == f"http://192.168.1.7:{wire.getsockname()[1]}"
        assert house.evening.versions.now == before + 1


def test_the_installer_and_the_daemon_mean_the_same_address() -> None:
    assert f"address1={hotspot.ADDRESS}/24" in (HOTSPOT / "ghost-companion.nmconnection").read_text()
    assert f"address=/#/{hotspot.ADDRESS}" in (HOTSPOT / "dnsmasq.conf").read_text()


def test_phones_on_the_hotspot_are_kept_apart_and_nobody_listens_without_the_password() -> None:
    profile = configparser.ConfigParser()
    profile.read(HOTSPOT / "ghost-companion.nmconnection")
    assert profile["wifi"]["ap-isolation"] == "1"
    security = profile["wifi-security"]
    assert security["key-mgmt"] == "wpa-psk"
    # WPA2 alone, and AES alone: what is older can be opened by whoever listens.
    assert (security["proto"], security["pairwise"], security["group"]) == ("rsn", "ccmp", "ccmp")


@pytest.mark.parametrize(
    "script", ["install.sh", "uninstall.sh", "steps.sh", "hotspot/setup.sh", "companion"]
)
def test_a_script_can_be_read_by_the_smallest_shell(script: str) -> None:
    done = subprocess.run(["sh", "-n", HOTSPOT.parent / script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("online", "opens"), [(0, False), (1, True)])
def test_the_hotspot_opens_only_where_no_known_network_came(
    online: int, opens: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unit's own commands; NetworkManager's two programs write down how they are called."""
    called = tmp_path / "called"
    for name, ends in (("nm-online", online), ("nmcli", 0)):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\necho {name} "$@" >>{called}\nexit {ends}\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    unit = (HOTSPOT.parent / "companion-hotspot.service").read_text().splitlines()
    said = dict(line.split("=", 1) for line in unit if line.startswith("Exec"))
    if subprocess.run(said["ExecCondition"], shell=True).returncode == 0:
        for step in ("ExecStart", "ExecStop"):
            subprocess.run(said[step], shell=True, check=True)
    asked = ["nm-online --quiet --timeout=30"]
    switched = ["nmcli --wait 30 connection up ghost-companion", "nmcli connection down ghost-companion"]
    assert called.read_text().splitlines() == asked + (switched if opens else [])


def test_status_shows_the_address_as_a_code_and_the_wifi_if_there_is_one(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    running.note(tmp_path, port, "123456")
    assert main(["status", "--state", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert f"running: http://{addresses.home_address()}:{port}/, PIN 123456" in told
    assert "▀" in told
    assert "Wi-Fi" not in told
    monkeypatch.setattr(hotspot, "ADDRESS", "127.0.0.1")
    monkeypatch.setenv("COMPANION_WIFI_NAME", "Ghost companion")
    monkeypatch.setenv("COMPANION_WIFI_KEY", "abcd-efgh-jkmn")
    main(["status", "--state", str(tmp_path)])
    assert "Wi-Fi: Ghost companion" in capsys.readouterr().out
