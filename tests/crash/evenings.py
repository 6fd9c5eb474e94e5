"""A real companion that is killed, and a model of what it must still know afterwards."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from companion.contract import MODERATOR, plain
from companion.table import Table

Request = dict[str, Any]
LONGEST_BURST = 60
"""Requests sent at once before a kill: so many that their answers do not fit into its pipe."""
SHORT_PIPE = 4096


class Companion:
    """`companion headless --journal`, as a process of its own."""

    def __init__(self, journal: Path) -> None:
        command = [sys.executable, "-m", "companion", "headless", "--journal", str(journal)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.process.stdout is not None
        # Whoever is not read waits in the middle of an answer, however fast his disk is.
        fcntl.fcntl(self.process.stdout, fcntl.F_SETPIPE_SZ, SHORT_PIPE)

    def send(self, *requests: Request) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(json.dumps(request).encode() + b"\n" for request in requests))
        self.process.stdin.flush()

    def answer(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, request: Request) -> Any:
        self.send(request)
        return self.answer()

    def kill(self) -> list[Any]:
        """End it without warning; the answers that had already left it come back."""
        assert self.process.stdout is not None
        self.process.kill()
        rest = self.process.stdout.read().split(b"\n")[:-1]
        self._reap()
        return [json.loads(line) for line in rest]

    def quit(self) -> str:
        """End it in good order; what it said on the side comes back."""
        assert self.ask({"cmd": "quit"})["ok"]
        _, told = self.process.communicate(timeout=60)
        assert self.process.returncode == 0
        return told.decode()

    def _reap(self) -> None:
        self.process.wait(60)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            # Requests it never read may still be on their way.
            with suppress(BrokenPipeError):
                pipe.close()

    def knows(self) -> Any:
        """The open record, and the whole truth of the running game."""
        history = self.ask({"cmd": "history"})
        if not history["ok"]:
            return None
        return [history["history"], self.ask({"cmd": "view", "seat": MODERATOR})["view"]]


class Model:
    """The same game in memory: what was asked for, and what must be known after it."""

    def __init__(self, requests: list[Request]) -> None:
        self.requests: list[Request] = []
        self.table = Table()
        for request in requests:
            self.follow(request)

    def follow(self, request: Request) -> None:
        """Do what a request asks for."""
        match request["cmd"]:
            case "new":
                options = {"players": request["players"], **request["options"]}
                self.table.new(request["game"], options, seed=request["seed"])
                self.requests.clear()
            case "act":
                self.table.act(request["seat"], request["action"])
            case "undo":
                self.table.undo(request["seat"])
            case "redo":
                self.table.redo(request["seat"])
        self.requests.append(request)

    def knows(self) -> Any:
        """What a companion that has done all this must know."""
        if self.table.game is None:
            return None
        known = plain(self.table.history()), plain(self.table.view(MODERATOR).shows)
        return json.loads(json.dumps(known))

    def next_request(self, chance: Random) -> Request:
        """Something that can be asked for now: mostly an action."""
        if self.table.game is None or self.table.standing().result or chance.random() < 0.02:
            return new_game(chance)
        done = [line for line in self.table.history() if not line.undone]
        if chance.random() < 0.1 and any(line.seat != "table" for line in done):
            return {"cmd": "undo", "seat": MODERATOR}
        if chance.random() < 0.5 and self.requests[-1]["cmd"] == "undo":
            return {"cmd": "redo", "seat": MODERATOR}
        seat = chance.choice(self.table.standing().to_act)
        return {"cmd": "act", "seat": seat, "action": plain(chance.choice(self.table.legal(seat)))}


def new_game(chance: Random) -> Request:
    """Any of the three games, with sealed bids and draws or without."""
    game = chance.choice(("phantom", "phantom", "canterville", "artefacts"))
    seed = chance.randrange(10**6)
    if game == "canterville":
        options: Request = {"frames": {"cats": 3, "bats": 3, "mice": 3, "owls": 3}}
        return {"cmd": "new", "game": game, "players": 3, "options": options, "seed": seed}
    if game == "artefacts":
        return {"cmd": "new", "game": game, "players": 4, "options": {"decks": "virtual"}, "seed": seed}
    options = {"master_game": True} if chance.random() < 0.3 else {}
    return {"cmd": "new", "game": game, "players": chance.choice((2, 3, 4)), "options": options, "seed": seed}


class Evening:
    """One journal through many lives of a companion."""

    def __init__(self, journal: Path, chance: Random) -> None:
        self.journal = journal
        self.chance = chance
        self.fates: list[tuple[list[Request], Any]] = [([], None)]
        """How the last life can have ended: the requests done in its game, and what is known then."""
        self.cut_short = 0
        """How many kills fell before everything asked for was answered."""

    def resume(self) -> tuple[Companion, Model]:
        """Start anew: everything acknowledged must be known, and nothing that was never asked."""
        companion = Companion(self.journal)
        knows = companion.knows()
        done = [requests for requests, known in self.fates if known == knows]
        assert done, f"what is known now fits none of the {len(self.fates)} ways it can have ended"
        return companion, Model(done[0])

    def live(self, first: Request | None = None) -> None:
        """Resume, play on for a while, and be killed in the middle of a few requests sent at once."""
        chance = self.chance
        companion, model = self.resume()
        for _ in range(chance.randrange(25)):
            request = model.next_request(chance)
            assert companion.ask(request)["ok"], request
            model.follow(request)
        fates, burst = [(list(model.requests), model.knows())], []
        for n in range(chance.randrange(1, LONGEST_BURST)):
            burst.append(first if first and n == 0 else model.next_request(chance))
            model.follow(burst[-1])
            fates.append((list(model.requests), model.knows()))
        companion.send(*burst)
        answers = [companion.answer() for _ in range(chance.randrange(min(len(burst), 6)))]
        answers += companion.kill()
        assert all(answer["ok"] for answer in answers), answers
        # What was acknowledged must have happened; what was not may have.
        self.fates = fates[len(answers) :]
        self.cut_short += len(answers) < len(burst)
