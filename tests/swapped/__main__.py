"""`python -m tests.swapped N`: so many comparisons by chance, counted by game, way out and seat."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from math import inf
from multiprocessing import Pool

from tests.swapped.comparing import Difference, Found, compared

SHOWN = 10


def main() -> int:
    """Compare, tell what was compared, and fail with the seed where something differed."""
    ask = argparse.ArgumentParser(prog="tests.swapped", description=__doc__)
    ask.add_argument("number", type=int)
    ask.add_argument("--seed", type=int, default=0, help="the first game; each game has the next number")
    ask.add_argument("--games", type=int, help="no more games than this, whatever the number")
    ask.add_argument("--seconds", type=float, default=inf, help="no longer than this, whatever the number")
    ask.add_argument("--jobs", type=int, default=1)
    args = ask.parse_args()
    # Whoever ends this ends its helpers, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    begun, done, differences, games = time.monotonic(), Counter[tuple[str, str, str]](), list[Difference](), 0
    for found in _every(args.seed, args.jobs):
        done += found.compared
        differences += found.differences
        games += 1
        enough = done.total() >= args.number or games == args.games or len(differences) >= SHOWN
        if enough or time.monotonic() - begun > args.seconds:
            break
    print(table(done))
    seconds = time.monotonic() - begun
    print(f"{done.total()} comparisons in {games} games, {len(differences)} differences, {seconds:.0f} s")
    for difference in differences[:SHOWN]:
        print(difference)
    return 1 if differences or not done else 0


def _every(seed: int, jobs: int) -> Iterator[Found]:
    """Games from a seed on, in as many processes as wanted."""
    if jobs == 1:
        yield from map(compared, count(seed))
        return
    with _pool(jobs) as pool:
        # Imap would take all numbers there are: they are given to it in heaps.
        for first in count(seed, 8 * jobs):
            yield from pool.imap_unordered(compared, range(first, first + 8 * jobs))


@contextmanager
def _pool(jobs: int) -> Iterator[Pool]:  # type: ignore[valid-type]
    pool = Pool(jobs, lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL))
    try:
        yield pool
    finally:
        pool.terminate()
        pool.join()


def table(done: Counter[tuple[str, str, str]]) -> str:
    """How often each way out of each game was compared, by seat."""
    lines = list[str]()
    for game in sorted({game for game, _, _ in done}):
        for output in sorted({each for name, each, _ in done if name == game}):
            seats = {s: n for (name, each, s), n in sorted(done.items()) if (name, each) == (game, output)}
            lines.append(f"{game:12} {output:16} " + "  ".join(f"{s} {n}" for s, n in seats.items()))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
