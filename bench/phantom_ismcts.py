"""Our strong bot of The Phantom Society against OpenSpiel's own ISMCTS, sides swapped on every board.

Both think for the same processor time a decision: ISMCTS all of it, ours at most as much on average. ISMCTS
is generously fed: its worlds are drawn from those that exactly fit what its seat has seen. Boards are laid at
random, the same for both games of a pair. `python -m bench.phantom_ismcts [GAMES] [SEED]`
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from random import Random
from time import process_time
from typing import Any

import numpy as np
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.ismcts import ISMCTSBot

from bench import openspiel_phantom as peer
from bench.phantom_playouts import PEER, as_number, in_step, is_fresh
from companion import bots
from companion.bots import Moment
from companion.games.phantom import GAME
from companion.games.phantom.state import State
from companion.league import interval

SECONDS = 0.05
GAMES, TARGET = 200, 0.70


class Ismcts(ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's bot with a clock in place of a count, and an information state made of what a seat sees."""

    def __init__(self, seed: int) -> None:
        chance = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, chance)
        super().__init__(PEER, evaluator, 1.4, max_simulations=1, random_state=chance)
        self.simulations = 0

    def get_state_key(self, state: Any) -> Any:
        """What lies open, the ghosts that were found among it, and for masters all ghosts."""
        player = state.current_player()
        seen = tuple(action for action in state.history() if action >= peer.REMOVE)
        open_ = tuple(
            room if out else -1 for room, out in zip(state._ghost_room, state._revealed, strict=True)
        )
        return player, seen, open_, (tuple(state._ghost_room), tuple(state._owner)) if player % 2 else ()

    def run_search(self, state: Any) -> Any:
        """As it is, but for the clock."""
        self.reset()
        legal = state.legal_actions()
        if len(legal) == 1:
            return [(legal[0], 1.0)]
        self._root_node = self.create_new_node(state)
        ends = process_time() + SECONDS
        while process_time() < ends:
            self.run_simulation(self.sample_root_state(state))
            self.simulations += 1
        return self.get_final_policy(state, self._root_node)


def in_a_world(other: Any, state: State, seat: str, chance: Random) -> Any:
    """Their state with the ghosts of a world that this seat holds possible."""
    drawn = other.clone()
    if state.phase == "playing":
        world = GAME.worlds(GAME.view(state, seat)).sample(chance)
        drawn._ghost_room = [ghost.room - 1 for ghost in world.ghosts]
        drawn._owner = [int(ghost.owner[1]) - 1 for ghost in world.ghosts]
    return drawn


def play(job: tuple[int, int, str]) -> tuple[bool, list[float], int, int]:
    """One game in which we have a side: whether we won, our times, their decisions and simulations."""
    seed, board, ours = job
    state, other = in_step(Random(f"{seed} {board}").random, stop="hiding")
    chance, theirs = Random(f"{seed} {board} {ours}"), Ismcts(seed * 1000 + board)
    fates = {seat: chance.getrandbits(64) for seat in ("p1", "p2", "p3", "p4")}
    strong, times, decisions = bots.load("phantom", "strong"), [], 0
    while state.result is None:
        seat = "p2" if state.phase == "hiding" and "p2" in state.movers else GAME.to_act(state)[0]
        legal = [action for action in GAME.legal(state, seat) if is_fresh(state, action)]
        if GAME.camp(state, seat) == ours:
            began = process_time()
            action = strong.choose(Moment(GAME, GAME.view(state, seat), legal, chance, fates[seat]))
            times.append(process_time() - began)
        else:
            now, who = state, seat
            theirs.set_resampler(lambda real, _, now=now, who=who: in_a_world(real, now, who, chance))
            number = theirs.step(other)
            action = next(each for each in legal if as_number(each) == number)
            decisions += 1
        other.apply_action(as_number(action))
        state, _ = GAME.apply(state, seat, action)
    return state.result.winner == ours, times, decisions, theirs.simulations


def main() -> int:
    """Play, and print both sides."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    jobs = [(seed, board, side) for board in range(games // 2) for side in ("ghosts", "hunters")]
    with ProcessPoolExecutor(2) as pool:
        played = list(pool.map(play, jobs))
    times = sorted(time for _, taken, _, _ in played for time in taken)
    simulations = sum(each[3] for each in played) / sum(each[2] for each in played)
    for side in ("ghosts", "hunters"):
        won = [each[0] for each, job in zip(played, jobs, strict=True) if job[2] == side]
        print(f"our {side} win {sum(won) / len(won):.1%} of {len(won)}")
    wins = sum(each[0] for each in played)
    low, high = interval(wins, len(played))
    mean = sum(times) / len(times)
    print(f"a decision: ours {1000 * mean:.0f} ms on average, {1000 * times[-1]:.0f} ms at most;", end=" ")
    print(f"ISMCTS {1000 * SECONDS:.0f} ms, {simulations:.0f} simulations")
    met = wins / len(played) >= TARGET and mean <= SECONDS
    print(f"ours win {wins / len(played):.1%} of {len(played)}, 95 %: {low:.1%} to {high:.1%}", end=" ")
    print(f"(target {TARGET:.0%}: {'met' if met else 'MISSED'})")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
