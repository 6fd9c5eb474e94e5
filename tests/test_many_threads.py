"""Many threads read what nobody has read before: a kind is found out about once, and nobody looks on."""

from __future__ import annotations

import subprocess
import sys

CROWD = """
import sys, threading
import msgspec
from companion.contract import read

sys.setswitchinterval(1e-6)
FIELDS = [(f"field{n}", "int | str | None", None) for n in range(12)]
for _ in range(12):
    kinds = [msgspec.defstruct(f"Kind{n}", FIELDS, tag=True, module=__name__) for n in range(12)]
    any_of_them = kinds[0]
    for kind in kinds[1:]:
        any_of_them |= kind
    gate = threading.Barrier(6)

    def first(n):
        gate.wait()
        read({"type": f"Kind{n}"}, kinds[0] if n == 0 else any_of_them, "kind")

    threads = [threading.Thread(target=first, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_actions_of_a_kind_that_nobody_has_read_yet_may_come_from_many_threads_at_once() -> None:
    """A process of its own: what goes wrong here takes all of it along."""
    crowd = subprocess.run([sys.executable, "-c", CROWD], capture_output=True, text=True)
    assert (crowd.returncode, crowd.stderr) == (0, "")
