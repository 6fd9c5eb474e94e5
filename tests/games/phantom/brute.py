"""The Phantom Society a second time: plain lists and dicts, slow, and written from the rules alone.

It shares no code with the engine. Actions are the plain data of the protocol; a game is a dict that is
copied at every step; a room is a pair of row and column.
"""

from __future__ import annotations

import itertools
from copy import deepcopy
from typing import Any

Game = dict[str, Any]
Room = tuple[int, int]
Action = dict[str, Any]
World = dict[str, tuple[Room, str]]
"""For each colour where its ghost is and whose it is."""

COLOURS = ["blue", "red", "green", "white"]
ALL = [(row, column) for row in range(1, 7) for column in range(1, 7)]
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
CHANGING = ["board", "ghosts", "packs", "bids", "shared"]
DEFAULTS: dict[str, Any] = {
    "players": 4,
    "objective": None,
    "master_game": False,
    "packs": {},
    "layout": None,
    "deal": False,
    "tiles": None,
    "trays": None,
    "owners": None,
    "master_without_ghosts": "partner_plays",
    "blocked_master": "pass",
    "tiles_3p": "hunter_two_colours",
    "first_seat": None,
    "reach": "straight_first_tile",
    "friendly_fire": "legal",
    "pass_if_only_allied_tiles": False,
    "bid_timing": "after_board",
    "masters_see_all_ghosts": True,
    "hunter_may_pass": False,
}


def number(room: Room) -> int:
    """The number of a room in the protocol."""
    return (room[0] - 1) * 6 + room[1]


def room(number: int) -> Room:
    """A room from its number in the protocol."""
    return ((number + 5) // 6, (number - 1) % 6 + 1)


# Beginnings


def start(options: dict[str, Any]) -> Game:
    """A table before anything has happened."""
    game: Game = {
        "options": {**DEFAULTS, **options},
        "board": {},
        "laid": 0,
        "ghosts": {colour: {"room": None, "owner": None, "found": False} for colour in COLOURS},
        "packs": {},
        "bids": {},
        "masters": [],
        "hunters": [],
        "objective": None,
        "damage": 0,
        "turn": 0,
        "winner": None,
    }
    players = game["options"]["players"]
    if game["options"]["layout"]:
        for place, (colour, value) in zip(ALL, game["options"]["layout"], strict=True):
            game["board"][place] = (colour, value)
        game["laid"] = 36
    if game["options"]["owners"]:
        for colour, owner in game["options"]["owners"].items():
            game["ghosts"][colour]["owner"] = owner
    one, two = teams(players)
    if game["options"]["master_game"]:
        for seat, pack in game["options"]["packs"].items():
            mine, theirs = (one, two) if seat in one else (two, one)
            game["packs"] = {mine[0]: pack, theirs[0]: "AB"["BA".index(pack)]}
    else:
        game["hunters"], game["masters"] = one, two
        game["objective"] = game["options"]["objective"] or (50 if players == 2 else 45)
    return game


def enter(position: dict[str, Any], options: dict[str, Any]) -> Game:
    """A game already under way, from the plain data of the protocol."""
    game = start({**options, "players": position["players"]})
    game["laid"] = 36
    for place, tile in zip(ALL, position["rooms"], strict=True):
        if tile:
            game["board"][place] = (tile["colour"], tile["value"])
    for colour, ghost in position["ghosts"].items():
        game["ghosts"][colour] = {
            "room": room(ghost["room"]), "owner": ghost["owner"], "found": ghost["revealed"]
        }  # fmt: skip
    game["damage"], game["objective"] = position["damage"], position["objective"]
    game["turn"] = order(game).index(position["to_act"][0])
    skip_turns(game)
    return game


def teams(players: int) -> tuple[list[str], list[str]]:
    """Who sits with whom."""
    return {2: (["p1"], ["p2"]), 3: (["p1"], ["p2", "p3"]), 4: (["p1", "p3"], ["p2", "p4"])}[players]


def phase(game: Game) -> str:
    """The part of the game, from what lies on the table."""
    undecided = game["options"]["master_game"] and not game["masters"]
    if game["winner"]:
        return "over"
    if undecided and game["options"]["bid_timing"] == "before_board":
        return "bidding"
    if game["laid"] < 36:
        return "placing"
    if undecided:
        return "bidding"
    return "hiding" if still_hiding(game) else "playing"


# Who may do what


def moves(game: Game) -> dict[str, list[Action]]:
    """For each seat that may act, everything it may do."""
    now = phase(game)
    if now == "placing":
        return {"table": buildings(game)} if game["options"]["deal"] else placings(game)
    if now == "bidding":
        return bids(game)
    if now == "hiding":
        return {seat: hidings(game, seat) for seat in still_hiding(game)}
    if now == "playing":
        seat = mover(game, game["turn"])
        assert seat is not None
        return {seat: turn_moves(game, seat)}
    return {}


def placings(game: Game) -> dict[str, list[Action]]:
    """The next to lay puts any tile of his on any empty square."""
    options = game["options"]
    players = options["players"]
    laying = {
        2: ["p1", "p2"],
        3: ["p1", "p2", "p1", "p3"] if options["tiles_3p"] == "hunter_two_colours" else ["p1", "p2", "p3"],
        4: ["p1", "p2", "p3", "p4"],
    }[players]
    seat = laying[game["laid"] % len(laying)]
    usual = {
        2: {"blue": "p1", "red": "p2", "green": "p1", "white": "p2"},
        3: {"blue": "p1", "red": "p2", "green": "p1", "white": "p3"},
        4: {"blue": "p1", "red": "p2", "green": "p3", "white": "p4"},
    }[players]
    if players == 3 and len(laying) == 3:
        usual = {"blue": "p1", "red": "p2", "white": "p3"}
    trays = options["trays"] or usual
    found = []
    for colour in COLOURS:
        holder = trays.get(colour)
        if holder is None:
            shared = [who for who, tile in game.get("shared", []) if who == seat and tile == colour]
            if len(shared) >= 3:
                continue
        elif holder != seat:
            continue
        lying = [value for tile_colour, value in game["board"].values() if tile_colour == colour]
        if options["tiles"]:
            left = list(options["tiles"][colour])
            for value in lying:
                left.remove(value)
        else:
            left = [1, 2, 3, 4, 5, 6] if len(lying) < 9 else []
        for value in sorted(set(left)):
            for place in ALL:
                if place not in game["board"]:
                    found.append({"type": "place", "room": number(place), "colour": colour, "value": value})
    return {seat: found}


def buildings(game: Game) -> list[Action]:
    """Chance names a tile that is left, then that tile is laid on the first empty square."""
    if (due := game.get("due")) is not None:
        colour, value = due
        square = min(number(place) for place in ALL if place not in game["board"])
        values = [value] if value else [1, 2, 3, 4, 5, 6]
        return [{"type": "place", "room": square, "colour": colour, "value": each} for each in values]
    found = []
    for colour in COLOURS:
        lying = [value for tile, value in game["board"].values() if tile == colour]
        known = game["options"]["tiles"]
        left: list[Any] = list(known[colour]) if known else [None] * 9
        for value in lying:
            left.remove(value if known else None)
        found += [{"type": "dealt", "colour": colour, "value": value} for value in set(left)]
    return found


def bids(game: Game) -> dict[str, list[Action]]:
    """Each team that has not bid lays a tens and a units card of its pack."""
    if not game["packs"]:
        return {"table": [{"type": "drawn", "packs": {"p1": pack}} for pack in "AB"]}
    found = {}
    for team in teams(game["options"]["players"]):
        if team[0] not in game["bids"]:
            units = [0, 2, 4, 6, 8] if game["packs"][team[0]] == "A" else [1, 3, 5, 7, 9]
            values = [tens + unit for tens in (30, 40, 50) for unit in units]
            for seat in team:
                found[seat] = [{"type": "bid", "thousands": value} for value in values]
    return found


def share(game: Game) -> int:
    """How many ghosts a master leads."""
    return 4 if len(game["masters"]) == 1 else 2


def still_hiding(game: Game) -> list[str]:
    """The masters whose ghosts are not all hidden."""
    waiting = []
    for master in game["masters"]:
        hidden = [g for g in game["ghosts"].values() if g["owner"] == master and g["room"] is not None]
        if len(hidden) < share(game):
            waiting.append(master)
    return waiting


def hidings(game: Game, seat: str) -> list[Action]:
    """Own ghosts again or for the first time, and free ones as long as the share is not full."""
    mine = [colour for colour in COLOURS if game["ghosts"][colour]["owner"] == seat]
    free = [colour for colour in COLOURS if game["ghosts"][colour]["owner"] is None]
    return [
        {"type": "hide", "ghost": colour, "room": number(place)}
        for colour in (mine if len(mine) == share(game) else mine + free)
        for place, (tile, _) in game["board"].items()
        if tile == colour
    ]


def order(game: Game) -> list[str]:
    """Ghost and hunter turns from the first master on, clockwise."""
    clockwise = [f"p{n}" for n in range(1, game["options"]["players"] + 1)]
    first = game["options"]["first_seat"]
    if first not in game["masters"]:
        first = game["masters"][0]
    while clockwise[0] != first:
        clockwise.append(clockwise.pop(0))
    ghosts = itertools.cycle([seat for seat in clockwise if seat in game["masters"]])
    hunters = itertools.cycle([seat for seat in clockwise if seat in game["hunters"]])
    rounds = max(len(game["masters"]), len(game["hunters"]))
    return [seat for _ in range(rounds) for seat in (next(ghosts), next(hunters))]


def mover(game: Game, turn: int) -> str | None:
    """Who plays a turn; nobody where it is skipped."""
    seats = order(game)
    due = seats[turn % len(seats)]
    if due in game["hunters"] or len(game["masters"]) == 1:
        return due
    (partner,) = [master for master in game["masters"] if master != due]
    if not [g for g in game["ghosts"].values() if g["owner"] == due and not g["found"]]:
        return partner if game["options"]["master_without_ghosts"] == "partner_plays" else None
    replaced = game["options"]["blocked_master"] == "partner_plays"
    return partner if replaced and not targets(game, due) and targets(game, partner) else due


def turn_moves(game: Game, seat: str) -> list[Action]:
    """What a hunter or a master may do in his turn."""
    removals = [{"type": "remove", "room": number(place)} for place in sorted(targets(game, seat))]
    if seat in game["hunters"]:
        return removals + ([{"type": "pass"}] if game["options"]["hunter_may_pass"] else [])
    return removals or [{"type": "pass"}]


def targets(game: Game, seat: str) -> set[Room]:
    """The tiles that a seat may remove."""
    board = game["board"]
    if seat in game["hunters"]:
        return set(board)
    hidden = [g for g in game["ghosts"].values() if not g["found"]]
    reached: set[Room] = set()
    for ghost in hidden:
        if ghost["owner"] == seat:
            reached |= reach(board, ghost["room"], game["options"]["reach"])
    own_only = game["options"]["masters_see_all_ghosts"] is not True
    allied = {g["room"] for g in hidden if g["owner"] == seat or not own_only}
    if game["options"]["friendly_fire"] == "forbidden":
        return reached - allied
    if game["options"]["pass_if_only_allied_tiles"] and reached <= allied:
        return set()
    return reached


def reach(board: Any, place: Room, how: str) -> set[Room]:
    """The tiles that a ghost reaches from where it is."""
    if how == "flood_fill":
        return _flood(board, place)
    reached = set()
    for down, right in DIRECTIONS:
        row, column = place[0] + down, place[1] + right
        while (row, column) in ALL and (row, column) not in board:
            row, column = row + down, column + right
        if (row, column) in board:
            reached.add((row, column))
    return reached


def _flood(board: Any, place: Room) -> set[Room]:
    reached, been, todo = set(), {place}, [place]
    while todo:
        row, column = todo.pop()
        for down, right in DIRECTIONS:
            step = (row + down, column + right)
            if step in been or step not in ALL:
                continue
            been.add(step)
            if step in board:
                reached.add(step)
            else:
                todo.append(step)
    return reached


# What is done


def play(game: Game, seat: str, action: Action) -> Game:
    """The game after an action that is allowed."""
    game = {name: deepcopy(part) if name in CHANGING else part for name, part in game.items()}
    kind = action["type"]
    if kind == "place":
        game["board"][room(action["room"])] = (action["colour"], action["value"])
        game["laid"] += 1
        game["due"] = None
        game.setdefault("shared", []).append((seat, action["colour"]))
    elif kind == "dealt":
        game["due"] = (action["colour"], action["value"])
    elif kind == "drawn":
        pack = action["packs"]["p1"]
        game["packs"] = {"p1": pack, "p2": "AB"["BA".index(pack)]}
    elif kind == "bid":
        _bid(game, seat, action["thousands"])
    elif kind == "hide":
        game["ghosts"][action["ghost"]] = {"room": room(action["room"]), "owner": seat, "found": False}
    else:
        if kind == "remove":
            _remove(game, room(action["room"]))
        game["turn"] += 1
        skip_turns(game)
    return game


def skip_turns(game: Game) -> None:
    """Go on to the next turn that somebody plays."""
    while not game["winner"] and mover(game, game["turn"]) is None:
        game["turn"] += 1


def _bid(game: Game, seat: str, thousands: int) -> None:
    one, two = teams(game["options"]["players"])
    game["bids"][(one if seat in one else two)[0]] = thousands
    if len(game["bids"]) == 2:
        one_is_ghosts = game["bids"][one[0]] > game["bids"][two[0]]
        game["masters"], game["hunters"] = (one, two) if one_is_ghosts else (two, one)
        game["objective"] = min(game["bids"].values())


def _remove(game: Game, place: Room) -> None:
    _, value = game["board"].pop(place)
    here = [g for g in game["ghosts"].values() if g["room"] == place and not g["found"]]
    if here:
        here[0]["found"] = True
    else:
        game["damage"] += value
    if game["damage"] >= game["objective"]:
        game["winner"] = "ghosts"
    elif all(g["found"] for g in game["ghosts"].values()):
        game["winner"] = "hunters"


# Counting


def perft(game: Game, depth: int) -> int:
    """How many sequences of so many actions there are."""
    if depth == 1:
        return sum(map(len, moves(game).values()))
    return sum(
        perft(play(game, seat, action), depth - 1)
        for seat, allowed in moves(game).items()
        for action in allowed
    )


# What the table can know


def all_worlds(game: Game) -> list[World]:
    """Every way in which the ghosts can lie and be led, on the board as it is."""
    places = []
    for colour in COLOURS:
        ghost = game["ghosts"][colour]
        lying = [place for place, (tile, _) in game["board"].items() if tile == colour]
        places.append([ghost["room"]] if ghost["found"] else lying)
    masters = game["masters"]
    splits = [masters * 4]
    if len(masters) == 2:
        splits = [split for split in itertools.product(masters, repeat=4) if split.count(masters[0]) == 2]
    return [
        {colour: (where, whose) for colour, where, whose in zip(COLOURS, rooms, owners, strict=True)}
        for rooms in itertools.product(*places)
        for owners in splits
    ]


def still_possible(worlds: list[World], before: Game, seat: str, action: Action, after: Game) -> list[World]:
    """The worlds in which the table would have seen just this."""
    reached = {place: reach(before["board"], place, before["options"]["reach"]) for place in before["board"]}
    kept = []
    for world in worlds:
        if seat in before["masters"] and not _allowed(before, world, seat, action, reached):
            continue
        if action["type"] == "remove" and not _same_find(before, world, room(action["room"]), after):
            continue
        kept.append(world)
    return those_who_give_the_turn(kept, after)


def those_who_give_the_turn(worlds: list[World], game: Game) -> list[World]:
    """The worlds in which the same seat plays the present turn, and the same turns were skipped before it."""
    if game["winner"]:
        return worlds
    seats = order(game)
    seen = mover(game, game["turn"])
    if seats[game["turn"] % len(seats)] in game["hunters"] and not _skipped(game):
        return worlds
    kept = []
    for world in worlds:
        other = in_world(game, world)
        if mover(other, game["turn"]) == seen and all(mover(other, turn) is None for turn in _skipped(game)):
            kept.append(world)
    return kept


def _skipped(game: Game) -> list[int]:
    skipped, turn = [], game["turn"] - 1
    while turn >= 0 and mover(game, turn) is None:
        skipped.append(turn)
        turn -= 1
    return skipped


def in_world(game: Game, world: World) -> Game:
    """The same table if the ghosts were as in a world."""
    other = {**game, "ghosts": {}}
    for colour, (place, owner) in world.items():
        other["ghosts"][colour] = {"room": place, "owner": owner, "found": game["ghosts"][colour]["found"]}
    return other


def _allowed(before: Game, world: World, seat: str, action: Action, reached: dict[Room, set[Room]]) -> bool:
    found = {colour for colour in COLOURS if before["ghosts"][colour]["found"]}
    options = before["options"]
    mine: set[Room] = set()
    allied = set()
    for colour, (place, owner) in world.items():
        if colour in found:
            continue
        if owner == seat:
            mine |= reached[place]
        if owner == seat or options["masters_see_all_ghosts"] is True:
            allied.add(place)
    if options["friendly_fire"] == "forbidden":
        mine -= allied
    elif options["pass_if_only_allied_tiles"] and mine <= allied:
        mine = set()
    return not mine if action["type"] == "pass" else room(action["room"]) in mine


def _same_find(before: Game, world: World, place: Room, after: Game) -> bool:
    """Whether the same ghost, or none, lies under the tile in a world."""
    for colour in COLOURS:
        was, is_ = before["ghosts"][colour]["found"], after["ghosts"][colour]["found"]
        here = world[colour][0] == place and not was
        if here != (is_ and not was):
            return False
    return True
