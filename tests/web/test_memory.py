"""What is freed is given back to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
from pathlib import Path
from web.server import memory

if sys.argv[1] == "small":
    memory.stay_small()

def megabytes():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024

def in_a_thread(do):
    thread = threading.Thread(target=do)
    thread.start()
    thread.join()

def pages():
    # After the first one that goes, room for what is as large is taken from a heap.
    large = [b"x" * 2_000_000]
    large.clear()
    for _ in range(20):
        large.append(b"x" * 1_000_000)
        kept.append(b"x" * 5_000)

kept, before = [], megabytes()
in_a_thread(pages)
print(megabytes() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted as Linux tells it")
def test_what_is_large_is_given_back() -> None:
    def left(how: str) -> float:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, how], capture_output=True, check=True, text=True
        )
        return float(done.stdout)

    assert left("small") < 2
    assert left("as it is") > 15


CROWD = """
from collections import deque
from web.server import memory

memory.look_for_garbage()
alive = most = 0

class Line:
    def __init__(self):
        global alive, most
        self.other, alive = self, alive + 1
        most = max(most, alive)
    def __del__(self):
        global alive
        alive -= 1

here = deque(maxlen=60_000)
for _ in range(1_000_000):
    here.append(Line())
print(most)
"""


def test_what_a_crowd_leaves_is_found_though_it_grew_old() -> None:
    done = subprocess.run([sys.executable, "-c", CROWD], capture_output=True, check=True, text=True)
    assert int(done.stdout) < 5 * 60_000
