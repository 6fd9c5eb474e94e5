"""An evening on the virtual Pi, power cut included: `make test-pi-systemd`. Needs root and some minutes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from hardware.signs import SIGNS
from tests.systemd.virtual_pi.machine import HERE, KERNEL, KERNEL_SCRIPT, MODULES, VirtualPi, make_disk, until
from tests.web import phones
from tests.web.phones import Phone

RIGHT, OK = 19, 26
"""The joystick's pins, as in its kit."""
MOST_MEMORY = 80 << 20
LAYOUT = [
    [colour, value] for colour in ("blue", "red", "green", "white") for value in (1, 1, 2, 2, 3, 3, 4, 5, 6)
]
HIDDEN = {"blue": ("p2", 1), "red": ("p2", 12), "green": ("p4", 25), "white": ("p4", 36)}
STARTED = time.monotonic()


def told(what: str) -> None:
    """A line of progress with its time."""
    print(f"{time.monotonic() - STARTED:6.0f} s  {what}", flush=True)


def ask(phone: Phone, path: str) -> Any:
    """Something from the HTTP API, for the phone's own seat."""
    answer = phone.ask("GET", f"/api/v1/{path}")
    assert answer.status == 200, answer.text
    return json.loads(answer.body)


def act(phone: Phone, **action: Any) -> Any:
    """An action by the phone's seat; it is durable when this returns."""
    kind = {"Content-Type": "application/json"}
    answer = phone.ask("POST", "/api/v1/act", json.dumps({"action": action}), kind)
    assert answer.status == 200, answer.text
    return json.loads(answer.body)


def healthy(pi: VirtualPi) -> bool:
    """Whether the page answers, from outside the Pi."""
    try:
        return Phone(pi.port).ask("GET", "/healthz").status == 200
    except OSError:
        return False


def wait_until_ready(pi: VirtualPi) -> None:
    """As a family would: until the page is there."""
    until(
        lambda: healthy(pi), 300, f"the page never came:\n{pi.sh('journalctl -u companion -n 30 --no-pager')}"
    )
    until(lambda: pi.show("ActiveState") == "active", 60, "it answers, but systemd does not think it ready")


def start_to_ready(pi: VirtualPi) -> float:
    """Seconds from the service's first moment to its own word that it is ready."""
    began, ready = (int(pi.show(f"{name}TimestampMonotonic")) for name in ("ExecMainStart", "ActiveEnter"))
    return (ready - began) / 1e6


def sit_down(pi: VirtualPi) -> dict[str, Phone]:
    """A host and four players come in, and a game begins whose board lies already."""
    pin = json.loads(pi.sh("cat /var/lib/ghost-companion/running.json"))["pin"]
    host = Phone(pi.port)
    assert host.post("/host", pin=pin, name="Mrs Kerr").status == 200
    code = re.search(r"/j/([A-Z0-9]{6})", host.get("/host").text)
    assert code
    seated = {}
    for seat in ("p1", "p2", "p3", "p4"):
        seated[seat] = Phone(pi.port).join(code[1], seat.upper())
        assert seated[seat].post("/seat/take", seat=seat).status == 200
    begun = host.forge("/host/start", players=4, **{"option-layout": json.dumps(LAYOUT)})
    assert begun.status == 200, begun.text
    for ghost, (seat, room) in HIDDEN.items():
        act(seated[seat], type="hide", ghost=ghost, room=room)
    return {"host": host, **seated}


def check_ready_sign(pi: VirtualPi) -> None:
    """Before there is a game the lamps on the wire are a ghost: come in."""
    shape, _ = SIGNS["ready"]
    ghost = {
        lamp_of(6 * row + column + 1) for row in range(6) for column in range(6) if shape[row][column] == "#"
    }
    until(lambda: lit(pi) == ghost, 30, "no ghost on the lamps")
    told("the lamps show a ghost: ready")


def marks(phone: Phone) -> dict[int, list[str]]:
    """What the board shows, in the game's own words, by room."""
    return {int(room): names for room, names in ask(phone, "lamps")["marks"].items()}


def cursor(phone: Phone) -> int | None:
    """The room where the board shows the cursor."""
    return next((room for room, names in marks(phone).items() if "cursor" in names), None)


def lamp_of(room: int) -> int:
    """Where a room is in the chain: six a row, every second row from right to left."""
    row, column = divmod(room - 1, 6)
    return row * 6 + (5 - column if row % 2 else column)


def lit(pi: VirtualPi) -> set[int]:
    """The lamps of the rooms that shine while one looks at them: some pulse."""
    frames = [pi.lamps()[:36] for _ in range(4)]
    return {lamp for frame in frames for lamp, colour in enumerate(frame) if any(colour)}


def hunt_by_button(pi: VirtualPi, table: dict[str, Phone]) -> None:
    """A press moves the cursor, its lamp shines, and OK removes that tile for the hunter whose turn it is."""
    pi.press(RIGHT)
    pi.press(RIGHT)
    until(lambda: cursor(table["p1"]), 30, "no cursor after a press")
    room = cursor(table["p1"])
    assert room
    assert lit(pi) == {lamp_of(marked) for marked in marks(table["p1"])}
    told(f"a press lit lamp {lamp_of(room)}, which is room {room}, and the lines from there")
    for _ in range(2):
        if not removed(table) or removed(table)[-1]["room"] != room:
            pi.press(OK)
            time.sleep(2)
    assert removed(table)[-1]["room"] == room, removed(table)
    told(f"OK removed the tile of room {room} for p1")


def removed(table: dict[str, Phone]) -> Any:
    """The removals so far, as everybody sees them."""
    return ask(table["p1"], "view")["view"]["removed"]


def play_a_turn(table: dict[str, Phone]) -> None:
    """Whoever is to act does the first thing that is legal."""
    (seat,) = ask(table["p1"], "view")["view"]["to_act"]
    act(table[seat], **ask(table[seat], "legal")["actions"][0])


def check_memory(pi: VirtualPi) -> None:
    """What the service takes, as its control group counts it."""
    memory = int(pi.show("MemoryCurrent"))
    assert memory < MOST_MEMORY, memory
    told(f"the service takes {memory / 2**20:.0f} MB with five phones")


def check_watchdog(pi: VirtualPi, table: dict[str, Phone]) -> None:
    """A process that hangs is started afresh, and the phones go on."""
    before = removed(table)
    stopped = time.monotonic()
    pi.sh("kill -STOP $(systemctl show companion.service --property MainPID --value)")
    until(lambda: pi.show("NRestarts") == "1", 120, "the watchdog sleeps")
    told(f"stopped dead, restarted by the watchdog after {time.monotonic() - stopped:.0f} s")
    wait_until_ready(pi)
    assert removed(table) == before
    play_a_turn(table)
    assert len(removed(table)) == len(before) + 1
    told("the game goes on where it was")


def check_update(pi: VirtualPi, table: dict[str, Phone]) -> None:
    """A version that does not start is rolled back, a good one is taken; the game goes on through both."""
    before = removed(table)
    python = "/opt/ghost-companion/current/bin/python /opt/new_versions.py"
    for version, expected, release in (("broken", "the old one runs again", 1), ("good", "updated", 2)):
        said = pi.sh(f"{python} {version}", 600)
        assert expected in said.rpartition("WENT")[2], said
        assert pi.sh("readlink /opt/ghost-companion/current") == f"release-{release}"
        wait_until_ready(pi)
        assert removed(table) == before
        told(f"a {version} new version: {said.rpartition('WENT ')[2]}; the game goes on")


def check_power_cut(pi: VirtualPi, table: dict[str, Phone]) -> None:
    """The plug is pulled right after an action was acknowledged; it is there after the next boot."""
    play_a_turn(table)
    before = removed(table)
    play_a_turn(table)
    pi.pull_the_plug()
    pi.boot()
    wait_until_ready(pi)
    after = removed(table)
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1
    told(f"power cut, booted again: all {len(after)} removals are there, and the phones know their seats")


def check_clean_stop(pi: VirtualPi) -> None:
    """Lamps lit before, dark after; nothing failed."""
    assert any(map(sum, pi.lamps()))
    pi.sh("systemctl stop companion.service")
    assert pi.show("Result") == "success"
    assert not any(map(sum, pi.lamps())), "lamps still lit"
    told("stopped cleanly, lamps dark")


def check_power_off(pi: VirtualPi, table: dict[str, Phone]) -> None:
    """The host's page switches the Pi off."""
    pi.sh("systemctl start companion.service", 300)
    wait_until_ready(pi)
    table["host"].post("/host/shutdown", follow=False, confirm=1)
    assert pi.switched_itself_off(), "it is still on"
    told("switched off from the host's page")


def evening(pi: VirtualPi) -> None:
    """All of it, on one machine."""
    pi.boot()
    wait_until_ready(pi)
    told(f"ready {start_to_ready(pi):.1f} s after its start (emulated)")
    walls = pi.sh(
        "grep -E 'Uid|CapEff|NoNewPrivs|Seccomp:' /proc/$(systemctl show companion -P MainPID)/status"
    )
    assert "CapEff:\t0000000000000000" in walls, walls
    assert "Uid:\t0" not in walls, walls
    check_ready_sign(pi)
    table = sit_down(pi)
    told("five phones joined over port 80, four ghosts hidden")
    play_a_turn(table)
    hunt_by_button(pi, table)
    check_memory(pi)
    check_watchdog(pi, table)
    check_update(pi, table)
    check_power_cut(pi, table)
    check_clean_stop(pi)
    check_power_off(pi, table)


def main() -> int:
    """Build what is missing, then play."""
    if os.geteuid():
        sys.exit("this needs root, for a disk with other owners on it: sudo make test-pi-systemd")
    phones.PATIENCE = 120
    subprocess.run([KERNEL_SCRIPT, KERNEL, HERE / "init", MODULES], check=True)
    with tempfile.TemporaryDirectory(prefix="virtual-pi-disk-") as folder:
        disk = Path(folder) / "disk"
        make_disk(disk, "joystick")
        told("a disk with Debian and the installed companion")
        pi = VirtualPi(disk)
        try:
            evening(pi)
        except BaseException:
            print((pi.folder / "console.log").read_text(errors="replace")[-2000:])
            raise
        finally:
            pi.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
