"""The Phantom Society for four players as an OpenSpiel Python game: the peer that the benchmarks run beside.

It shares no code with the companion. Written as OpenSpiel's own Python games are: a `pyspiel.Game`, a mutable
`pyspiel.State`, actions as small integers, tables worked out once at import.

Players 0 and 2 hunt, 1 and 3 are masters. An action is, in this order: a tile of value v laid on a room
(216), a ghost of a colour hidden in a room (144), a room's tile removed (36), a pass.
"""

from __future__ import annotations

from typing import Any

import pyspiel

SIZE = 6
ROOMS = SIZE * SIZE
VALUES = 6
COLOURS = 4
PER_COLOUR = 9
PLAYERS = 4
OBJECTIVE = 45
DEFAULT_VALUES = (1, 2, 3, 4, 5, 6, 3, 2, 1)

HIDE = ROOMS * VALUES
REMOVE = HIDE + COLOURS * ROOMS
PASS = REMOVE + ROOMS

PLACING, HIDING, HUNT, OVER = range(4)


def _ray(room: int, down: int, right: int) -> list[int]:
    row, column = divmod(room, SIZE)
    ray = []
    while 0 <= (row := row + down) < SIZE and 0 <= (column := column + right) < SIZE:
        ray.append(row * SIZE + column)
    return ray


_RAYS = [
    [
        ray
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (down or right) and (ray := _ray(room, down, right))
    ]
    for room in range(ROOMS)
]

_GAME_TYPE = pyspiel.GameType(
    short_name="python_phantom_society",
    long_name="Python Phantom Society",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=PLAYERS,
    min_num_players=PLAYERS,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
)
_GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=PASS + 1,
    max_chance_outcomes=0,
    num_players=PLAYERS,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    # 36 tiles laid, 4 ghosts hidden, 36 removals at most with a turn of the masters before each.
    max_game_length=ROOMS + COLOURS + 2 * ROOMS,
)


class PhantomGame(pyspiel.Game):
    """The game: what OpenSpiel registers and makes states from."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(_GAME_TYPE, _GAME_INFO, params or {})

    def new_initial_state(self) -> PhantomState:
        """An empty board; every player has the nine tiles of one colour."""
        return PhantomState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> None:
        """Playouts need no observer."""
        raise NotImplementedError


class PhantomState(pyspiel.State):
    """A moment of the game, changed in place by each action."""

    def __init__(self, game: PhantomGame) -> None:
        super().__init__(game)
        self._phase = PLACING
        self._player = 0
        self._turn = 1
        self._laid = 0
        self._trays = [
            [DEFAULT_VALUES.count(value) for value in range(1, VALUES + 1)] for _ in range(COLOURS)
        ]
        self._colour = [-1] * ROOMS
        self._value = [0] * ROOMS
        self._covered = [False] * ROOMS
        self._ghost_room = [-1] * COLOURS
        self._owner = [-1] * COLOURS
        self._revealed = [False] * COLOURS
        self._damage = 0
        self._hunters_won = False

    def current_player(self) -> int:
        """Who is to act, or that the game is over."""
        return pyspiel.PlayerId.TERMINAL if self._phase == OVER else self._player

    def _legal_actions(self, player: int) -> list[int]:
        if self._phase == PLACING:
            values = [value for value, left in enumerate(self._trays[player]) if left]
            return [
                room * VALUES + value
                for room, covered in enumerate(self._covered)
                if not covered
                for value in values
            ]
        if self._phase == HIDING:
            free = [colour for colour in range(COLOURS) if self._owner[colour] < 0]
            return [
                HIDE + colour * ROOMS + room
                for colour in free
                for room in range(ROOMS)
                if self._colour[room] == colour
            ]
        if player % 2 == 0:
            return [REMOVE + room for room, covered in enumerate(self._covered) if covered]
        return [REMOVE + room for room in sorted(self._targets(player))] or [PASS]

    def _targets(self, player: int) -> set[int]:
        """The first tile on each line from each of a master's hidden ghosts."""
        covered = self._covered
        targets = set()
        for colour in range(COLOURS):
            if self._owner[colour] == player and not self._revealed[colour]:
                for ray in _RAYS[self._ghost_room[colour]]:
                    for room in ray:
                        if covered[room]:
                            targets.add(room)
                            break
        return targets

    def _apply_action(self, action: int) -> None:
        if action < HIDE:
            self._lay(*divmod(action, VALUES))
        elif action < REMOVE:
            self._hide(*divmod(action - HIDE, ROOMS))
        else:
            if action != PASS:
                self._remove(action - REMOVE)
            if self._phase != OVER:
                self._player = self._next_player()

    def _lay(self, room: int, value: int) -> None:
        self._trays[self._player][value] -= 1
        self._colour[room] = self._player
        self._value[room] = value + 1
        self._covered[room] = True
        self._laid += 1
        self._player = (self._player + 1) % PLAYERS
        if self._laid == ROOMS:
            self._phase, self._player = HIDING, 1

    def _hide(self, colour: int, room: int) -> None:
        self._ghost_room[colour] = room
        self._owner[colour] = self._player
        if self._owner.count(self._player) == 2:
            self._player = 3
        if -1 not in self._owner:
            self._phase, self._player = HUNT, 1

    def _remove(self, room: int) -> None:
        self._covered[room] = False
        colour = self._colour[room]
        if self._ghost_room[colour] == room:
            self._revealed[colour] = True
            if all(self._revealed):
                self._phase, self._hunters_won = OVER, True
            return
        self._damage += self._value[room]
        if self._damage >= OBJECTIVE:
            self._phase = OVER

    def _next_player(self) -> int:
        """Masters and hunters in turn; the partner plays for a master without ghosts.

        The seat by turn order is kept apart from who plays, because a partner may stand in.
        """
        self._turn = (self._turn + 1) % PLAYERS
        due = self._turn
        if due % 2 == 0 or any(self._leads(due)):
            return due
        return (due + 2) % PLAYERS

    def _leads(self, player: int) -> list[bool]:
        return [
            owner == player and not revealed
            for owner, revealed in zip(self._owner, self._revealed, strict=True)
        ]

    def _action_to_string(self, player: int, action: int) -> str:
        if action < HIDE:
            return f"lay {action % VALUES + 1} on {action // VALUES + 1}"
        if action < REMOVE:
            return f"hide {(action - HIDE) // ROOMS} in {(action - HIDE) % ROOMS + 1}"
        return "pass" if action == PASS else f"remove {action - REMOVE + 1}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._phase == OVER

    def returns(self) -> list[float]:
        """One for each player of the side that won, minus one for the others."""
        if self._phase != OVER:
            return [0.0] * PLAYERS
        hunters = 1.0 if self._hunters_won else -1.0
        return [hunters, -hunters] * 2

    def __str__(self) -> str:
        return f"covered:{self._covered} ghosts:{self._ghost_room} damage:{self._damage}"


pyspiel.register_game(_GAME_TYPE, PhantomGame)
