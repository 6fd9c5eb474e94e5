"""`companion status` says where phones find the table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli import main
from web.server import running
from web.server.running import Running


@pytest.mark.parametrize(("port", "told"), [(80, ""), (8000, ":8000"), (8080, ":8080")])
def test_the_address_names_the_port_unless_it_is_the_usual_one(
    port: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(running, "look", lambda state: Running(port=port, pin="123456"))
    monkeypatch.setattr("web.http.addresses.home_address", lambda: "192.0.2.7")
    monkeypatch.setattr("web.http.addresses.local_name", lambda: None)
    assert main(["status", "--state", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert re.findall(r"http://192\.0\.2\.7(:\d+)?", said) == [told]
    assert "123456" in said
