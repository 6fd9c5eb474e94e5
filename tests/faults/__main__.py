"""Plant faults, and say how many are noticed: `python -m tests.faults [--table NAME] [--sample N --seed S]`.

Status 0 if at least 95 % are. First the tests that are named must pass as long as nothing is planted, or they
would prove nothing (`--trust` leaves that out). `--learn FOLDER…` runs these tests in place of the one that
is named, and says which of them noticed first: for whoever writes a new line of a table.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from random import Random

from tests.faults.planted import Fate, Fault, copied_tree, names, plant, run, table

ENOUGH = 0.95
AN_HOUR = 3600


def main() -> int:
    """Plant, run, report."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--table", action="append", choices=names())
    parser.add_argument("--sample", type=int, help="only so many, drawn by chance")
    parser.add_argument("--seed", default="0", help="any text: the same one draws the same faults")
    parser.add_argument("--only", help="only faults of this rule, or with this text in them")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--learn", nargs="+", metavar="FOLDER")
    parser.add_argument("--trust", action="store_true")
    given = parser.parse_args()
    faults = [(name, fault) for name in given.table or names() for fault in table(name).fault]
    faults = [each for each in faults if not given.only or _about(each[1], given.only)]
    if given.sample and given.sample < len(faults):
        print(f"{given.sample} of {len(faults)} faults, drawn by --seed {given.seed}", flush=True)
        faults = drawn(faults, given.sample, given.seed)
    if not given.learn and not given.trust and (said := _unsound(faults)):
        print(said, "A test that fails by itself notices nothing.", sep="\n")
        return 1
    fates: Counter[Fate] = Counter()
    for fate, line in _planted(faults, given.jobs, given.learn):
        fates[fate] += 1
        print(line, flush=True)
    share = fates["caught"] / max(1, fates.total())
    print(f"{fates['caught']} of {fates.total()} planted faults were noticed: {share:.1%}")
    return 0 if share >= ENOUGH else 1


def drawn(faults: list[tuple[str, Fault]], number: int, seed: str) -> list[tuple[str, Fault]]:
    """So many of them by chance, the same for the same seed."""
    return Random(seed).sample(faults, number)


def _about(fault: Fault, text: str) -> bool:
    return text in fault.rules or text in fault.file or text in fault.new


def _unsound(faults: list[tuple[str, Fault]]) -> str:
    """What the named tests say if they fail in a copy of the tree with nothing planted in it."""
    with _copies(1) as trees:
        status, said = run(trees[0], sorted({fault.test for _, fault in faults}), AN_HOUR)
    return said if status else ""


@contextmanager
def _copies(number: int) -> Iterator[list[Path]]:
    """Some copies of the tree."""
    with tempfile.TemporaryDirectory() as folder:
        # Some tests run the copy as nobody, who must be able to read it.
        Path(folder).chmod(0o755)
        trees = [Path(folder) / str(each) for each in range(number)]
        for tree in trees:
            copied_tree(tree)
        yield trees


def _planted(
    faults: list[tuple[str, Fault]], jobs: int, learn: list[str] | None
) -> Iterator[tuple[Fate, str]]:
    """The fate of each fault, planted in one of some copies of the tree."""
    with _copies(jobs) as copies:
        trees: Queue[Path] = Queue()
        for copy in copies:
            trees.put(copy)

        def one(named: tuple[str, Fault]) -> tuple[Fate, str]:
            tree = trees.get()
            try:
                fate, said = plant(tree, named[1], learn)
            finally:
                trees.put(tree)
            return fate, _line(*named, fate, said if learn else "")

        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(one, faults)


def _line(name: str, fault: Fault, fate: Fate, said: str) -> str:
    found = re.search(r"^FAILED (\S+)|^ERROR (\S+)", said, re.MULTILINE)
    noticed = next(filter(None, found.groups()), "") if found else ""
    rules, planted = " ".join(fault.rules) or "-", (fault.new.strip() or "nothing").splitlines()[0][:50]
    return f"{fate:9}{name:12}{rules:24}{fault.file}: {planted!r} {noticed}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
