"""Play many whole games by random players, and sum them up.

Ctrl-C ends it with the games played so far. The same seed gives the same games.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.simulate import Played, Summary

INTERRUPTED = 130
"""The exit status that shells know for Ctrl-C."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion simulate`."""
    parser.add_argument("game", help="phantom, or another installed game")
    parser.add_argument("--players", type=int, help="how many play (default: the game's own)")
    parser.add_argument("--games", type=_positive, default=100, help="how many games (default: 100)")
    parser.add_argument("--seed", type=int, help="play the same games again")
    parser.add_argument(
        "--option", action="append", default=[], type=_option, metavar="NAME=VALUE",
        help="an option of the game, its value as JSON or as a plain word; may be repeated",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be 1 or more")
    return number


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def run(args: argparse.Namespace) -> int:
    """Play, and print what it came to."""
    from random import SystemRandom

    from companion.refusals import Refusal
    from companion.simulate import simulate, summary
    from companion.terminal import complain

    options = dict(args.option) | ({} if args.players is None else {"players": args.players})
    seed = SystemRandom().randrange(10**9) if args.seed is None else args.seed
    played: list[Played] = []
    status = 0
    try:
        games = simulate(args.game, options, args.games, seed)
        for each in _watched(games, args.games):
            played.append(each)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (Refusal, RuntimeError) as fault:
        status = complain(fault)
    if played:
        _show(summary(args.game, options, seed, args.games, played), args.json)
    return status


def _watched(games: Any, number: int) -> Any:
    """The games as they come, with a bar on the terminal."""
    from rich.console import Console
    from rich.progress import track

    return track(games, "playing", total=number, console=Console(stderr=True), transient=True)


def _show(came_to: Summary, as_json: bool) -> None:
    if as_json:
        import msgspec

        print(msgspec.json.format(msgspec.json.encode(came_to), indent=2).decode())
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("won by", "because", "games", "share", title=_title(came_to), title_justify="left")
    for ending in came_to.endings:
        table.add_row(ending.winner, ending.reason, str(ending.games), f"{ending.share:.1%}")
    numbers = Table("", "mean", "least", "most")
    for name, spread in {"actions": came_to.actions, **came_to.gauges}.items():
        if spread is not None:
            numbers.add_row(name, f"{spread.mean:.1f}", str(spread.least), str(spread.most))
    console = Console()
    console.print(table)
    console.print(numbers)


def _title(came_to: Summary) -> str:
    cut = "" if came_to.games == came_to.asked else f" of {came_to.asked}"
    return f"{came_to.game}: {came_to.games}{cut} games, seed {came_to.seed}"
