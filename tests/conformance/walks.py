"""Games played by chance through the contract alone, and the whole range of what could be tried in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from random import Random
from typing import Any, NamedTuple, get_args

import msgspec

from companion import games
from companion.contract import HOST, MODERATOR, PUBLIC, TABLE, Game, Seat, read_options

LONGEST_GAME = 3000
LARGEST_RANGE = 4000


class Moment(NamedTuple):
    """A state on the way, and what was done in it; nothing at the end."""

    state: Any
    seat: Seat | None
    action: Any


class Walk:
    """One game from its start to its end, every choice left to chance."""

    def __init__(self, name: str, options: dict[str, Any], seed: int) -> None:
        self.game: Game[Any] = games.find(name)
        self.options = options
        self.chance = Random(seed)
        self.moments = list(self._play())

    def _play(self) -> Iterator[Moment]:
        state = self.game.start(read_options(self.game, self.options))
        for _ in range(LONGEST_GAME):
            waiting = self.game.to_act(state)
            if not waiting:
                yield Moment(state, None, None)
                return
            seat, action = self.choice(state, waiting)
            yield Moment(state, seat, action)
            state, _ = self.game.apply(state, seat, action)
        raise AssertionError("this game does not end")

    def choice(self, state: Any, waiting: Sequence[Seat]) -> tuple[Seat, Any]:
        """Something that somebody may do; chance draws like at a real table."""
        seat = self.chance.choice(waiting)
        drawn = self.game.chance(state, self.chance) if seat == TABLE else None
        return seat, drawn if drawn is not None else self.chance.choice(self.game.legal(state, seat))

    @property
    def moves(self) -> list[tuple[Seat, Any]]:
        """Everything that was done."""
        return [(moment.seat, moment.action) for moment in self.moments if moment.seat is not None]

    def some(self, number: int = 3) -> list[Any]:
        """A few of its states: one from each part of the game, never the same twice."""
        states = [moment.state for moment in self.moments]
        size = max(1, len(states) // number)
        parts = [states[start : start + size] for start in range(0, len(states), size)]
        return [self.chance.choice(part) for part in parts][:number]


def seats_of(game: Game[Any], state: Any) -> list[Seat]:
    """Every seat that looks at a game."""
    return [*(chair.seat for chair in game.chairs(state)), PUBLIC, HOST, MODERATOR]


def actors_of(game: Game[Any], state: Any) -> list[Seat]:
    """Every seat that may ever act by the rules."""
    return [*(chair.seat for chair in game.chairs(state)), TABLE]


def key(action: Any) -> bytes:
    """An action as something that can be looked up and sorted."""
    return msgspec.json.encode(action)


def order(action: Any) -> Any:
    """The order of `legal`: by type, then field by field, nothing before something."""
    return _rank(msgspec.to_builtins(action))


def _rank(value: Any) -> Any:
    if isinstance(value, dict):
        tag = value.get("type", "")
        return (4, tag, tuple((_rank(each)) for name, each in value.items() if name != "type"))
    if isinstance(value, list | tuple):
        return (3, "", tuple(map(_rank, value)))
    if isinstance(value, str):
        return (2, value, ())
    return (0, "", ()) if value is None else (1, "", (value,))


# The whole range of an action's type


def whole_range(walk: Walk, state: Any) -> list[Any]:
    """Every action of every type: all values of a closed type, and of an open one all that the game knows.

    Numbers run from one below the lowest that was ever legal in this game to one above the highest.
    """
    seen = _values_seen(walk)
    seats = [*actors_of(walk.game, state), "nobody"]
    found: list[Any] = []
    for kind in get_args(walk.game.action):
        fields = msgspec.structs.fields(kind)
        domains = [
            _domain(msgspec.inspect.type_info(f.type), seen.get((kind, f.name)), seats) for f in fields
        ]
        size = 1
        for domain in domains:
            size *= len(domain)
        combinations = product(*domains)
        if size > LARGEST_RANGE:
            combinations = (tuple(map(walk.chance.choice, domains)) for _ in range(LARGEST_RANGE))  # type: ignore[assignment]
        found += [kind(*values) for values in combinations]
    return found


def _values_seen(walk: Walk) -> dict[tuple[type, str], list[Any]]:
    """For each field of each type of action, what it ever was in a legal one."""
    seen: dict[tuple[type, str], dict[bytes, Any]] = {}
    for moment in walk.moments:
        for seat in walk.game.to_act(moment.state):
            for action in islice(walk.game.legal(moment.state, seat), 300):
                for name in action.__struct_fields__:
                    value = getattr(action, name)
                    seen.setdefault((type(action), name), {})[key(value)] = value
    return {field: list(values.values()) for field, values in seen.items()}


def _domain(kind: Any, seen: list[Any] | None, seats: list[Seat]) -> list[Any]:
    match kind:
        case msgspec.inspect.LiteralType(values=values):
            return list(values)
        case msgspec.inspect.BoolType():
            return [False, True]
        case msgspec.inspect.IntType():
            return list(range(min(seen) - 1, max(seen) + 2)) if seen else [-1, 0, 1, 37]
        case msgspec.inspect.StrType():
            return [*(seen or seats), "nothing"]
        case msgspec.inspect.UnionType(types=types) if not seen:
            return _domain(types[0], None, seats)
        case msgspec.inspect.UnionType(types=types) if all(_is_closed(each) for each in types):
            return [value for each in types for value in _domain(each, None, seats)]
        case msgspec.inspect.NoneType():
            return [None]
        case msgspec.inspect.StructType(cls=cls):
            return seen or ([cls()] if not cls.__struct_fields__ or _all_optional(cls) else [None])
        case msgspec.inspect.DictType():
            return [*(seen or []), {}]
        case msgspec.inspect.VarTupleType() | msgspec.inspect.ListType():
            return [*(seen or []), ()]
    return seen or [None]


def _is_closed(kind: Any) -> bool:
    return isinstance(kind, msgspec.inspect.LiteralType | msgspec.inspect.NoneType | msgspec.inspect.BoolType)


def _all_optional(cls: Any) -> bool:
    return all(not field.required for field in msgspec.structs.fields(cls))
