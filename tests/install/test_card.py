"""A card that becomes a table by itself: what cloud-init will read, and the project beside it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import lzma
import shutil
import subprocess
import tarfile
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def card() -> ModuleType:
    spec = importlib.util.spec_from_file_location("card", PROJECT / "systemd/card.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def written(card: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bootfs")
    words = ["--kit", "sensing", "--wifi", 'Lord "Canterville"', "--password", "otis otis", "--country", "GB"]
    assert card.main([str(folder), *words]) == 0
    return folder


def test_cloud_init_finds_its_files(written: Path) -> None:
    assert {path.name for path in written.iterdir()} == {
        "user-data", "network-config", "meta-data", "ghost-companion.tar.gz",
    }  # fmt: skip
    first, _, body = (written / "user-data").read_text(encoding="utf-8").partition("\n")
    assert first == "#cloud-config"
    config = json.loads(body)
    assert config["hostname"] == "companion"
    assert config["power_state"]["mode"] == "reboot"
    assert "packages" not in config  # cloud-init would try once, and the network may come later
    (words,) = config["runcmd"]
    assert words[:2] == ["sh", "-c"]
    assert "install CLOCK=yes KIT=sensing" in words[2]


def configured(card: ModuleType, ssh_key: str | None = None) -> dict[str, Any]:
    text: str = card.user_data("sensing", False, "companion", ssh_key)
    config: dict[str, Any] = json.loads(text.partition("\n")[2])
    return config


def test_nobody_is_asked_for_a_first_user(card: ModuleType) -> None:
    """Raspberry Pi OS would wait for a keyboard, and what is to run at the end would never run."""
    config = configured(card)
    assert config["bootcmd"] == [["systemctl", "mask", "--now", "userconfig.service"]]
    assert config["users"] == [{"name": "keeper", "lock_passwd": True, "shell": "/bin/bash"}]


def test_a_key_opens_what_no_password_does(card: ModuleType) -> None:
    (user,) = configured(card, "ssh-ed25519 AAAA me")["users"]
    assert user["lock_passwd"] is True
    assert user["ssh_authorized_keys"] == ["ssh-ed25519 AAAA me"]
    assert "sudo" in user["groups"]


@pytest.mark.skipif(not shutil.which("cloud-init"), reason="needs cloud-init; `make test-card` has it")
@pytest.mark.parametrize("ssh_key", [None, "ssh-ed25519 AAAA me"])
def test_cloud_init_calls_it_valid(card: ModuleType, tmp_path: Path, ssh_key: str | None) -> None:
    (tmp_path / "user-data").write_text(card.user_data("sensing", True, "companion", ssh_key))
    judge = ["cloud-init", "schema", "-c", str(tmp_path / "user-data"), "-t", "cloud-config"]
    checked = subprocess.run(judge, capture_output=True, text=True, timeout=60)
    assert "Valid" in checked.stdout + checked.stderr, checked


def test_the_wifi_is_there_and_its_password_is_not(card: ModuleType, written: Path) -> None:
    text = (written / "network-config").read_text(encoding="utf-8")
    wifi = json.loads(text)["network"]["wifis"]["wlan0"]
    assert wifi["regulatory-domain"] == "GB"
    assert wifi["access-points"] == {
        'Lord "Canterville"': {"password": card.wifi_key('Lord "Canterville"', "otis otis")}
    }
    assert all("otis" not in path.read_text("utf-8") for path in written.iterdir() if path.suffix != ".gz")


def test_the_key_is_the_one_of_the_standard(card: ModuleType) -> None:
    """The first test vector of IEEE 802.11i, annex H.4."""
    key = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
    assert card.wifi_key("IEEE", "password") == key


def test_the_first_start_unpacks_the_project_and_runs_its_installer(written: Path, tmp_path: Path) -> None:
    """The very script of the card, with folders of ours and a make that writes down its words."""
    config = json.loads((written / "user-data").read_text(encoding="utf-8").partition("\n")[2])
    script = (
        config["runcmd"][0][2]
        .replace("/boot/firmware", str(written))
        .replace("/usr/local/src", str(tmp_path))
    )
    (tmp_path / "make").write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/said\n[ -e {tmp_path}/tried ] || '
                                   f"{{ touch {tmp_path}/tried; exit 1; }}\n")  # fmt: skip
    (tmp_path / "sleep").write_text("#!/bin/sh\n")
    (tmp_path / "apt-get").write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/fetched\n'
                                      f"[ $(wc -l <{tmp_path}/fetched) -gt 20 ]\n")  # fmt: skip
    for name in ("make", "sleep", "apt-get"):
        (tmp_path / name).chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    assert subprocess.run(["sh", "-c", script], env=env, timeout=60).returncode == 0
    fetched = [line.split()[-1] for line in (tmp_path / "fetched").read_text().splitlines()]
    assert fetched == [*["update"] * 21, "avahi-daemon"]  # the network was late
    said = (tmp_path / "said").read_text().splitlines()
    assert said == [f"-C {tmp_path}/ghost-companion install CLOCK=yes KIT=sensing"] * 2
    for name in ("Makefile", "systemd/install.sh", "hardware/kits/sensing.toml", "companion/releases.py"):
        assert (tmp_path / "ghost-companion" / name).is_file()


def test_the_archive_leaves_the_makers_things_at_home(written: Path) -> None:
    with tarfile.open(written / "ghost-companion.tar.gz") as tar:
        names = tar.getnames()
        assert {entry.uid for entry in tar} == {0}
    parts = {part for name in names for part in Path(name).parts}
    assert not parts & {"tests", "bench", ".venv", ".git", "__pycache__"}
    assert not any(name.endswith(".egg-info") for name in names)


@pytest.mark.parametrize("packed", [False, True])
def test_imagers_list_tells_the_truth_about_an_image(card: ModuleType, tmp_path: Path, packed: bool) -> None:
    content = bytes(range(256)) * 9000
    image = tmp_path / ("os.img.xz" if packed else "os.img")
    image.write_bytes(lzma.compress(content) if packed else content)
    (entry,) = json.loads(card.manifest(image))["os_list"]
    assert entry["extract_size"] == len(content)
    assert entry["extract_sha256"] == hashlib.sha256(content).hexdigest()
    assert entry["image_download_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert entry["init_format"] == "cloudinit-rpi"
    icon = Path(unquote(urlsplit(entry["icon"]).path))
    assert icon.read_bytes().startswith(b"\x89PNG")


def test_a_password_that_no_wifi_can_have_is_refused(card: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        card.main([str(tmp_path), "--wifi", "x", "--password", "short"])
