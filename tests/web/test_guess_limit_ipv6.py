"""Guesses over IPv6: whoever has a whole network of addresses is still one household.

A real daemon in a network of its own, where this process may add as many addresses as it likes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GUESSING = r"""
import http.client, json, re, subprocess, sys, time
from urllib.parse import urlencode

HOUSE, NEAR, FAR = "fd00:5::1", [f"fd00:5::{n:x}" for n in range(16, 48)], "fd00:6::9"
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
for address in (HOUSE, *NEAR, FAR):
    subprocess.run(["ip", "-6", "addr", "add", f"{address}/64", "dev", "lo", "nodad"], check=True)
serving = ["serve", "--host", HOUSE, "--port", "8765", "--state", sys.argv[1], "--kit", "none"]
daemon = subprocess.Popen([sys.executable, "-m", "companion", *serving], stdout=subprocess.PIPE)
daemon.stdout.readline()

def ask(source, method, path, form=None):
    wire = http.client.HTTPConnection(HOUSE, 8765, 20, source_address=(source, 0))
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
    wire.request(method, path, urlencode(form) if form else None, kind)
    answer = wire.getresponse()
    found = answer.status, answer.read().decode()
    wire.close()
    return found

def guess(source):
    token = re.search(r'name="csrf" value="([^"]*)"', ask(source, "GET", "/watch")[1])[1]
    return ask(source, "POST", "/host", {"csrf": token, "pin": "000000", "name": "Thief"})[0]

print(json.dumps({"near": [guess(each) for each in NEAR], "far": guess(FAR)}))
daemon.terminate()
daemon.wait()
"""


def test_a_network_of_ipv6_addresses_has_the_guesses_of_one_house(tmp_path: Path) -> None:
    own_network = ["unshare", "--user", "--map-root-user", "--net"]
    if not shutil.which("unshare") or subprocess.run([*own_network, "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody make a network of his own")
    command = [*own_network, sys.executable, "-c", GUESSING, str(tmp_path / "state")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert answers["near"][0] == 403
    assert answers["near"][-1] == 429
    assert answers["near"] == sorted(answers["near"])
    assert answers["far"] == 403
