"""One soak: lives of a daemon, people, enemies, and what is asked of it all."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.journal import Acted, read_entries
from tests.soak.ledger import Ledger
from tests.web.daemon import port_that_stays_free
from tests.web.phones import Phone

GAMES: dict[str, tuple[tuple[str, str], dict[str, Any]]] = {
    "phantom": (("p1", "p2"), {"players": 4}),
    "canterville": (
        ("max", "h1"),
        {
            "players": 4,
            "option-castle": "demo",
            "option-frames": json.dumps(dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 2)),
        },
    ),
    "artefacts": (("blue", "red"), {"players": 4, "option-decks": "virtual"}),
}
"""In turn: the two seats that have programs, and what the host chooses. All other seats are bots'."""
HOUSE = "tests.soak.house"
PAGES = ("watch", "table", "play")
VISITORS = 3
P99, QUIETER = 0.250, 2.0
"""Honest phones are answered in so many seconds, or in so many times what it takes when it is quiet.

What the machine gives to others meanwhile is no fault of the table's and does not count.
"""
STARTING = 1.0
"""What is asked so soon after a start waits for what is loaded then, and is no measure."""
MORE_MEGABYTES = 12.0
"""A life may grow by this between its second third and its last one: bots think and pages are drawn anew."""
MOST_MEGABYTES = 160.0
"""From this on the service is slowed down: `MemoryHigh` in systemd/companion.service."""
SETTLING = 30.0
BAD = re.compile(r"Traceback|Exception ignored|Task was destroyed|never awaited")
DIGITS = re.compile(r'<b class="digits">([0-9a-f]+)</b>')


class Life:
    """The daemon from one start to its end."""

    def __init__(self, folder: Path, port: int, log: Path) -> None:
        self.log, self.alive = log, True
        begun = log.stat().st_size if log.exists() else 0
        command = [sys.executable, "-m", HOUSE, "--port", str(port), "--state", str(folder)]
        with log.open("ab") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        end = time.monotonic() + 60
        while "Ctrl-C" not in (said := log.read_bytes()[begun:].decode(errors="replace")):
            assert time.monotonic() < end, said
            assert self.process.poll() is None, said
            time.sleep(0.05)
        self.ready = time.monotonic()
        self.pin, code = re.search(r"PIN (\d{6})", said), re.search(r"code:\s+([A-Z0-9]{6})", said)
        self.code = code[1] if code else ""

    @property
    def megabytes(self) -> float:
        """Memory that it has now."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        return int(found[1]) / 1024 if found else 0.0

    @property
    def holds(self) -> tuple[int, int]:
        """Its threads and its descriptors."""
        return len(os.listdir(f"/proc/{self.process.pid}/task")), len(
            os.listdir(f"/proc/{self.process.pid}/fd")
        )

    @property
    def in_line(self) -> float:
        """Seconds that it, and we who ask, have stood in line for a processor that others had."""
        return in_line(self.process.pid) + in_line(os.getpid())

    def end(self, how: signal.Signals) -> None:
        """Nobody expects an answer any more, then it is told."""
        self.alive = False
        self.process.send_signal(how)
        self.process.wait(20)


class Soak:
    """Everything around the daemon, and what was found."""

    def __init__(self, folder: Path, say: Callable[[str], object] = print) -> None:
        self.state, self.port, self.say = folder / "state", port_that_stays_free(), say
        self.log, self.code = folder / "log", folder / "code"
        self.ledger = Ledger(self.state)
        self.faults: list[str] = []
        self.quiet: list[float] = []
        self.loud: list[float] = []
        self.kills = self.games = 0
        self._game = ""
        self._took = self.quiet
        self._over = threading.Event()
        self._memory: list[float] = []
        self.life = self._born()
        self.host = Phone(self.port, source="127.0.0.2")
        self.players = [Phone(self.port, source=f"127.0.0.{n}") for n in (3, 4)]
        self.visitors = [Phone(self.port, source=f"127.0.0.{n}") for n in range(5, 5 + VISITORS)]

    def _born(self) -> Life:
        life = Life(self.state, self.port, self.log)
        self.code.write_text(life.code)
        return life

    # People

    def _come_in(self) -> None:
        assert self.life.pin
        assert self.host.post("/host", pin=self.life.pin[1], name="Mrs Kerr").status == 200
        for n, phone in enumerate((*self.players, *self.visitors)):
            name = f"Honest {n}"
            phone.join(self.life.code, name)
            self.ledger.named(name, name)

    def _in(self, life: Life, fault: str) -> None:
        """Something went wrong; it counts only if the daemon was there all the time."""
        time.sleep(0.05)
        if life.alive and life is self.life and not self._over.is_set():
            if (status := life.process.poll()) is not None:
                # What is asked of it until it is born again says nothing more.
                life.alive, fault = False, f"it ended by itself, with {status}"
            self.faults.append(fault)

    def _ask(self, phone: Phone, method: str, path: str, body: bytes | None = None, **headers: str) -> Any:
        """A request, with how long it took; nothing where the daemon went meanwhile."""
        life = self.life
        begun, in_line = time.monotonic(), life.in_line
        try:
            answer = phone.ask(method, path, body, headers)
        except Exception as fault:
            self._in(life, f"{method} {path}: {fault!r}")
            return None
        took = time.monotonic() - begun
        if life.alive and life is self.life and begun > life.ready + STARTING:
            self._took.append(max(0.0, took - max(0.0, life.in_line - in_line)))
        if answer.status >= 500 or answer.status == 429:
            self._in(life, f"{method} {path}: {answer.status}")
        return answer

    def _visit(self, phone: Phone) -> None:
        """Come, watch a page, load it now and then, go."""
        page, until = random.choice(PAGES), time.monotonic() + random.uniform(1, 3)
        life = self.life
        try:
            stream = phone.stream(page)
        except Exception as fault:
            self._in(life, f"stream {page}: {fault!r}")
            return
        if stream.status != 200:
            self._in(life, f"stream {page}: {stream.status}")
        listening = threading.Thread(target=_listen, args=(stream,))
        listening.start()
        while time.monotonic() < until and not self._over.is_set():
            answer = self._ask(phone, "GET", f"/{page}")
            if page == "table" and answer is not None and (found := DIGITS.search(answer.text)):
                self.ledger.showed(found[1])
            time.sleep(0.15)
        phone.streams.remove(stream)
        with suppress(OSError):
            stream.wire.shutdown(2)
        listening.join()
        stream.close()

    def _rename(self, number: int, phone: Phone) -> None:
        name, who, life = f"Honest {number} {random.randrange(99)}", f"Honest {number}", self.life
        self.ledger.asked_name(who, name)
        try:
            answer = phone.forge("/me", follow=False, name=name)
        except Exception as fault:
            self._in(life, f"rename: {fault!r}")
        else:
            if answer.status == 303:
                self.ledger.named(who, name)
            else:
                self._in(life, f"rename: {answer.status}")

    def _play(self, number: int) -> None:
        """A program in a seat: whatever it may do."""
        phone = self.players[number]
        answer = self._ask(phone, "GET", "/api/v1/legal")
        actions = msgspec.json.decode(answer.body).get("actions") if answer is not None else None
        if actions:
            action = random.choice(actions)
            seat = self._seat(number)
            body = msgspec.json.encode({"seat": seat, "action": action})
            done = self._ask(phone, "POST", "/api/v1/act", body, **{"Content-Type": "application/json"})
            if done is not None and done.status == 200:
                self.ledger.acted(f"{number}", seat, action)
        time.sleep(0.1)

    def _seat(self, number: int) -> str:
        return GAMES[self._game][0][number]

    def _run_the_evening(self) -> None:
        """The host: as soon as a game is over the next one begins."""
        with suppress(Exception):
            if "/host/abandon" in (page := self.host.get("/host").text) and "/host/rematch" not in page:
                time.sleep(0.3)
                return
            self._next_game()

    def _next_game(self) -> None:
        following = list(GAMES)[(self.games + 1) % len(GAMES)]
        seats, options = GAMES[following]
        if "/host/rematch" in self.host.get("/host").text:
            self.host.forge("/host/abandon")
        assert self.host.forge("/host/plan", game=following, **options).status == 200
        for phone, seat in zip(self.players, seats, strict=True):
            phone.forge("/seat/take", seat=seat)
        # From now on it may have begun, whether its answer comes before a kill or not.
        self._game = following
        if self.host.forge("/host/start", empty="easy", game=following, **options).status == 200:
            self.games += 1

    # The course

    def run(self, seconds: float) -> list[str]:
        """All of it; what went wrong comes back."""
        self._come_in()
        self._next_game()
        with self._people():
            time.sleep(max(3.0, seconds / 20))
            names = self._names()
            self._took = self.loud
            with self._enemies():
                self._lives(0.55 * seconds)
        self._last_life(0.3 * seconds)
        self._took = self.quiet
        with self._people():
            # The machine may be busier with others than it was before.
            time.sleep(max(2.0, seconds / 40))
        self.life.end(signal.SIGINT)
        self._judge(names)
        return self.faults

    def _lives(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(random.uniform(1.0, 5.0))
            self._kill()

    def _kill(self) -> None:
        self.life.end(signal.SIGKILL)
        self.kills += 1
        self.faults += [f"lost: {each}" for each in self.ledger.missing()]
        self.life = self._born()

    def _last_life(self, seconds: float) -> None:
        """One life without a kill: what it holds, and whether it lets go of it."""
        self._warm_up()
        before = self._held()
        played = self.ledger.checked
        with self._people(), self._enemies():
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                self._memory.append(self.life.megabytes)
                time.sleep(0.2)
        self.faults += [f"lost: {each}" for each in self.ledger.missing()]
        if self.ledger.checked == played:
            self.faults.append("nobody has played for a whole life")
        end = time.monotonic() + SETTLING
        while more(now := self._held(), before) and time.monotonic() < end:
            pass
        if more(now, before):
            self.faults.append(f"threads and descriptors: {before} before, {now} after")

    def _warm_up(self) -> None:
        """Every thread that there will be is there; a crowd at once is no measure of honest phones."""
        self._took = []
        # The bots' thread comes when the first of them is to act.
        seen, end = self._bots_moves(), time.monotonic() + SETTLING
        with self._people():
            while self._bots_moves() == seen and time.monotonic() < end:
                time.sleep(0.1)
        stable, threads = 0, self.life.holds[0]
        while stable < 4:
            self._all_at_once()
            stable = stable + 1 if self.life.holds[0] == threads else 0
            threads = self.life.holds[0]
        time.sleep(1.0)
        self._took = self.loud

    def _bots_moves(self) -> int:
        """How often bots have acted, in all games so far: neither people nor chance."""
        people = {"table"}.union(*(seats for seats, _ in GAMES.values()))
        entries = read_entries((self.state / "journal").read_bytes())[0]
        return sum(isinstance(each, Acted) and each.seat not in people for each in entries)

    def _held(self) -> tuple[int, int]:
        """Threads and descriptors, without those of a bot that is just thinking."""
        looks = []
        for _ in range(10):
            looks.append(self.life.holds)
            time.sleep(0.05)
        threads, descriptors = zip(*looks, strict=True)
        return min(threads), min(descriptors)

    def _all_at_once(self) -> None:
        askers = [
            threading.Thread(target=self._ask, args=(phone, "GET", "/table"))
            for phone in (*self.players, *self.visitors) * 8
        ]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()

    def _judge(self, names: set[str]) -> None:
        if self.life.process.returncode != 0:
            self.faults.append(f"it ended with {self.life.process.returncode}")
        if found := BAD.search(said := self.log.read_text(errors="replace")):
            self.faults.append(said[max(0, found.start() - 200) : found.end() + 2000])
        if new := self._names() - names:
            self.faults.append(f"new files: {sorted(new)}")
        quiet, loud = p99(self.quiet), p99(self.loud)
        if loud > max(P99, QUIETER * quiet):
            self.faults.append(f"honest phones wait: {loud:.3f} s, when it is quiet {quiet:.3f} s")
        if (grown := self.grown()) > MORE_MEGABYTES:
            self.faults.append(f"memory grew by {grown:.1f} MB within a life")
        if (most := max(self._memory, default=0)) > MOST_MEGABYTES:
            self.faults.append(f"memory came to {most:.0f} MB")

    def grown(self) -> float:
        """How much more memory the last third of the last life has than the second one."""
        third = len(self._memory) // 3
        if not third:
            return 0.0
        second, last = self._memory[third : 2 * third], self._memory[2 * third :]
        return statistics.median(last) - statistics.median(second)

    def over_time(self) -> list[float]:
        """The memory of the last life, in ten steps."""
        return self._memory[:: max(1, len(self._memory) // 10)]

    def _names(self) -> set[str]:
        return {
            str(path.relative_to(self.state)) for path in self.state.rglob("*") if path.name != "running.json"
        }

    def told(self) -> str:
        """What was measured."""
        return (
            f"{self.kills} kills, {self.games} games begun, {self.ledger.checked} acknowledged actions and "
            f"{self.ledger.seals} seals found again; {len(self.loud)} answers to honest phones, "
            "without what others had of the processor "
            f"p99 {p99(self.loud) * 1000:.0f} ms, when it was quiet {p99(self.quiet) * 1000:.0f} ms of "
            f"{len(self.quiet)}; at most {max(self._memory, default=0):.0f} MB, "
            f"grown by {self.grown():.1f} MB; {len(self.faults)} faults; "
            f"MB over the last life: {' '.join(f'{each:.0f}' for each in self.over_time())}"
        )

    @contextmanager
    def _people(self) -> Iterator[None]:
        self._over.clear()
        doing: list[Callable[[], None]] = [self._run_the_evening]
        doing += [lambda n=n: self._play(n) for n in range(len(self.players))]
        for n, phone in enumerate(self.visitors, start=len(self.players)):
            doing.append(lambda phone=phone: self._visit(phone))
            doing.append(lambda n=n, phone=phone: (self._rename(n, phone), time.sleep(1.0)))
        threads = [threading.Thread(target=self._again, args=(each,)) for each in doing]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()

    def _again(self, do: Callable[[], None]) -> None:
        while not self._over.is_set():
            if not self.life.alive:
                time.sleep(0.05)
                continue
            do()

    @contextmanager
    def _enemies(self) -> Iterator[None]:
        command = [sys.executable, "-m", "tests.soak.enemies"]
        port = str(self.port)
        enemies = [
            subprocess.Popen([*command, "stranger", port], stderr=subprocess.DEVNULL),
            subprocess.Popen([*command, "guest", port, str(self.code)], stderr=subprocess.DEVNULL),
        ]
        try:
            yield
        finally:
            for enemy in enemies:
                enemy.kill()
                enemy.wait()

    def close(self) -> None:
        """Nothing of it stays, whatever happened."""
        if self.life.process.poll() is None:
            self.life.end(signal.SIGKILL)


def in_line(process: int) -> float:
    """Seconds that the threads of a process were ready to go on, and another one had the processor."""
    waited = 0
    for path in Path(f"/proc/{process}/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has ended
            waited += int(path.read_text().split()[1])
    return waited / 1e9


def more(now: tuple[int, int], before: tuple[int, int]) -> bool:
    """Whether there are more threads or more descriptors."""
    return now[0] > before[0] or now[1] > before[1]


def _listen(stream: Any) -> None:
    with suppress(Exception):
        for _ in stream.events():
            pass


def p99(taken: list[float]) -> float:
    """The time within which 99 of 100 were answered."""
    return sorted(taken)[int(0.99 * (len(taken) - 1))] if taken else 0.0
