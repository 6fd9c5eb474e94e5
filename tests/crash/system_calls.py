"""What a process asked of the system, in order, as strace saw it: files written and synced, answers sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

CALLS = "read,recvfrom,recvmsg,write,writev,sendto,sendmsg,fdatasync,fsync,rename"
WHOLE = re.compile(r"(\d+) +(\w+)\((.*)")
UNFINISHED = " <unfinished ...>"
RESUMED = re.compile(r"(\d+) +<\.\.\. \w+ resumed>(.*)")
HANDLE = re.compile(r"\d+<([^>]*)>")

Did = Literal["asked", "answered", "pushed", "written", "synced", "renamed"]


class Call(NamedTuple):
    """One thing that went in or out; `what` is a path of the site, or the name of a file."""

    did: Did
    what: str = ""


def tracing(into: Path) -> tuple[str, ...]:
    """What to put before a command so that its calls are written down; the command stays our own child."""
    return ("strace", "-D", "-f", "-q", "-y", "-s", "80", "-e", f"trace={CALLS}", "-o", str(into))


def calls(trace: Path) -> list[Call]:
    """The calls that matter. What is sent counts from its beginning, a sync when it has come back."""
    return [
        call
        for name, given in _in_order(trace.read_text(errors="replace").splitlines())
        for call in _call(name, given)
    ]


def _in_order(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names of calls with what was given to them; those that another thread interrupted are put together."""
    begun: dict[str, tuple[str, str]] = {}
    for line in lines:
        if found := WHOLE.match(line):
            thread, name, given = found.groups()
            if not given.endswith(UNFINISHED) or "write" in name or "send" in name:
                yield name, given
            else:
                begun[thread] = name, given.removesuffix(UNFINISHED)
        elif (found := RESUMED.match(line)) and found[1] in begun:
            name, given = begun.pop(found[1])
            yield name, given + found[2]


def _call(name: str, given: str) -> Iterator[Call]:
    handle = HANDLE.match(given)
    target = handle[1] if handle else ""
    file = target.rsplit("/", 1)[-1]
    if name == "rename":
        yield Call("renamed", given.split('"')[3].rsplit("/", 1)[-1])
    elif "sync" in name:
        yield Call("synced", file)
    elif not target.startswith("socket:"):
        if "write" in name:
            yield Call("written", file)
    elif found := re.search(r'"(?:POST|GET) (/\S*) HTTP', given):
        yield Call("asked", found[1])
    elif '"HTTP/1.1 ' in given:
        yield Call("answered")
    elif "event: " in given:
        yield Call("pushed")
