"""Let bots of each level play each other, and tell who wins how often.

A pair is a level for each side: `--pair ghosts:strong hunters:normal`; a comma may stand between them, too.
The same seed gives the same games. Ctrl-C ends it with the games played so far.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from companion.commands.simulate import INTERRUPTED, _option, _positive

if TYPE_CHECKING:
    from companion.league import Job, Pair, Played, Score, Standings


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion league`."""
    parser.add_argument("game", help="phantom, or another installed game")
    parser.add_argument("--games", type=_positive, default=400, help="how many games a pair (default: 400)")
    parser.add_argument("--seed", type=int, default=1, help="which games (default: 1)")
    parser.add_argument("--jobs", type=_positive, default=1, help="processes that play at the same time")
    parser.add_argument("--players", type=int, help="how many play (default: the game's own)")
    parser.add_argument(
        "--option", action="append", default=[], type=_option, metavar="NAME=VALUE",
        help="an option of the game, its value as JSON or as a plain word; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--pair", action="append", default=[], nargs="+", metavar="SIDE:LEVEL",
        help="only these levels against each other; may be repeated (default: each against each)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the table as JSON")


def run(args: argparse.Namespace) -> int:
    """Play, and print what it came to."""
    from companion import league
    from companion.refusals import Refusal
    from companion.terminal import complain

    given = dict(args.option) | ({} if args.players is None else {"players": args.players})
    status, scores = 0, []
    try:
        options = league.options_of(args.game, given)
        names = league.sides(args.game, options)
        pairs = [_pair(words) for words in args.pair] or list(league.every_pair(args.game, names))
        for pair in pairs:
            league.check(args.game, pair, names)
        for pair in pairs:
            jobs = [league.Job(args.game, options, pair, args.seed, n) for n in range(args.games)]
            games: list[Played] = []
            try:
                for each in _watched(league.played(jobs, args.jobs), jobs):
                    games.append(each)
            finally:
                if games:
                    scores.append(league.score(pair, games))
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (Refusal, RuntimeError) as fault:
        return complain(fault)
    if scores:
        _show(league.Standings(args.game, options, args.seed, tuple(scores)), args.json)
    return status


def _pair(words: list[str]) -> Pair:
    """The level of each side, from `ghosts:strong,hunters:normal` or the same in several words."""
    from companion.refusals import Malformed

    pair = {}
    for word in ",".join(words).split(","):
        side, colon, level = word.partition(":")
        if not side or not colon or not level:
            raise Malformed("companion.no_pair", pair=word)
        pair[side] = level
    return pair


def _watched(games: Any, jobs: list[Job]) -> Any:
    """The games as they come, with a bar on the terminal."""
    from rich.console import Console
    from rich.progress import track

    title = " v ".join(f"{side} {level}" for side, level in jobs[0].pair.items())
    return track(games, title, total=len(jobs), console=Console(stderr=True), transient=True)


def _show(came_to: Standings, as_json: bool) -> None:
    if as_json:
        import msgspec

        print(msgspec.json.format(msgspec.json.encode(came_to), indent=2).decode())
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{came_to.game}, seed {came_to.seed}", title_justify="left")
    for column in ("pair", "games", "first side wins", "95 %", "actions", "ms mean / p99 / worst"):
        table.add_column(column, justify="left" if column == "pair" else "right")
    for score in came_to.pairs:
        table.add_row(*_row(score))
    # As wide as it is, also where it goes into a file.
    Console(width=None if Console().is_terminal else 140).print(table)


def _row(score: Score) -> tuple[str, ...]:
    times = [f"{ms.mean:.1f} / {ms.p99:.0f} / {ms.worst:.0f}" for ms in score.thinking.values()]
    return (
        " v ".join(f"{side} {level}" for side, level in score.levels.items()),
        str(score.games),
        f"{score.share:.1%}",
        f"{score.low:.1%} to {score.high:.1%}",
        f"{score.actions:.1f}",
        "\n".join(times),
    )
