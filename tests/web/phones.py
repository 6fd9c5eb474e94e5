"""Phones for tests: small HTTP clients over real sockets, with a cookie jar and a live stream each."""

import http.client
import re
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import msgspec

from tests.web.sketches import scene_in

PATIENCE = 5.0


class Answer:
    """What came back."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        self.body = answer.read()

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def scene(self) -> dict[str, Any]:
        return scene_in(self.text)

    @property
    def errors(self) -> list[str]:
        return [notice["code"] for notice in self.scene["notices"] if notice["kind"] == "error"]


class Phone:
    """A browser without scripts: it follows redirects, keeps its cookie and fills in the hidden fields."""

    def __init__(self, port: int, language: str = "en", source: str = "127.0.0.1") -> None:
        self.port, self.language, self.source = port, language, source
        self.cookie: str | None = None
        self.streams: list[Stream] = []
        self._tokens: dict[str | None, str] = {}

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """One request, nothing added but the cookie and the language."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, PATIENCE, source_address=(self.source, 0))
        sent = {"Accept-Language": self.language, **({"Cookie": self.cookie} if self.cookie else {})}
        try:
            wire.request(method, path, body, {**sent, **(headers or {})})
            answer = Answer(wire.getresponse())
        finally:
            wire.close()
        if "set-cookie" in answer.headers:
            value = answer.headers["set-cookie"].split(";")[0]
            self.cookie = value if value.split("=")[1] else None
        return answer

    def get(self, path: str, follow: bool = True) -> Answer:
        answer = self.ask("GET", path)
        if follow and answer.status == 303:
            return self.get(answer.headers["location"])
        return answer

    def token(self) -> str:
        """What the forms of this phone carry; it changes with the cookie alone."""
        if self.cookie not in self._tokens:
            found = re.search(r'name="csrf" value="([^"]*)"', self.get("/watch").text)
            assert found
            self._tokens[self.cookie] = found[1]
        return self._tokens[self.cookie]

    def post(self, path: str, follow: bool = True, **fields: Any) -> Answer:
        """Send a form as the page would, with the token that its pages carry."""
        names = {"as_": "as"}
        form = {"csrf": self.token(), **{names.get(name, name): value for name, value in fields.items()}}
        answer = self.send(path, form)
        if follow and answer.status == 303:
            return self.get(answer.headers["location"])
        return answer

    def send(self, path: str, form: dict[str, Any], **headers: str) -> Answer:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode(form), {**kind, **headers})

    def join(self, code: str, name: str) -> "Phone":
        assert self.post("/join", code=code, name=name).status == 200
        assert self.cookie
        return self

    def stream(self, page: str, seat: str | None = None) -> "Stream":
        query = f"page={page}" + (f"&seat={seat}" if seat else "")
        stream = Stream(self, f"/events?{query}")
        self.streams.append(stream)
        return stream

    def close(self) -> None:
        for stream in self.streams:
            stream.close()


def until(happens: Callable[[], object]) -> None:
    """Wait for something that comes by itself."""
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)


def changed(pieces: list[str], runs: list[list[Any]]) -> list[str]:
    """A page after a change of it, as it is told to phones."""
    now, at = list[str](), 0
    for start, gone, *fresh in runs:
        now += pieces[at:start] + fresh
        at = start + gone
    return now + pieces[at:]


class Stream:
    """An open event stream, read event by event."""

    def __init__(self, phone: Phone, path: str, headers: dict[str, str] | None = None) -> None:
        self.wire = socket.create_connection(
            ("127.0.0.1", phone.port), PATIENCE, source_address=(phone.source, 0)
        )
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{phone.port}",
            f"Accept-Language: {phone.language}",
        ]
        lines += [f"Cookie: {phone.cookie}"] if phone.cookie else []
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.wire.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.answer = http.client.HTTPResponse(self.wire)
        self.answer.begin()
        self.status = self.answer.status
        self.raw = b""
        """Everything received so far, as it was sent."""
        self._pieces: list[str] = []

    def events(self) -> Iterator[tuple[str, str]]:
        """Name and data of each event, as they come."""
        name, data = "", []
        while line := self.answer.readline():
            self.raw += line
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
            elif not line.strip() and name:
                yield name, "\n".join(data)
                name, data = "", []

    def next(self, name: str) -> str:
        """The next event of a name."""
        return next(data for found, data in self.events() if found == name)

    def page(self) -> str:
        """The next page, put together as a phone does it; its token is left open."""
        name, data = next(event for event in self.events() if event[0] in ("page", "change"))
        told = msgspec.json.decode(data)
        self._pieces = told if name == "page" else changed(self._pieces, told)
        return "".join(self._pieces)

    def scene(self) -> dict[str, Any]:
        return scene_in(self.page())

    def until(self, wanted: Any) -> dict[str, Any]:
        """The first scene pushed that has what is wanted."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if wanted(scene := self.scene()):
                return scene
        raise AssertionError("it never came")

    def close(self) -> None:
        self.answer.close()
        self.wire.close()
