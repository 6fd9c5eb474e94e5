"""Phones for tests: small HTTP clients over real sockets, with a cookie jar and a live stream each."""

import http.client
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from tests.web.forms import Form, Misfit, Sent, forms, sent_by
from tests.web.sketches import scene_in

PATIENCE = 30.0
"""Seconds to wait for what comes by itself: far more than it takes, for a machine may be busy with others."""
TOKEN = re.compile(r'name="csrf" value="([^"]*)"')
NAMES = {"as_": "as"}
"""Fields that cannot be written as they are called."""


def doors(path: str, said: Mapping[str, Any]) -> Iterator[str]:
    """The pages on which a form that goes to an address may stand, the likely ones first."""
    if path == "/join":
        yield f"/j/{said.get('code', '')}"
    if "seat" in said:
        yield f"/play/{said['seat']}"
    yield from ("/play", "/host", "/moderator", "/")
    if path == "/boxes/save" and not said.get("was"):
        yield f"/boxes/new?game={said.get('game')}"
    elif path.startswith("/boxes/"):
        yield f"/boxes/box?name={quote(said.get('was') or said.get('name', ''))}"
    while path.rpartition("/")[0]:
        yield path
        path = path.rpartition("/")[0]
    yield from (path, "/kits/make", "/my-phone", "/table", "/welcome/paper")


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
    def is_page(self) -> bool:
        return self.headers.get("content-type", "").startswith("text/html")

    @property
    def scene(self) -> dict[str, Any]:
        return scene_in(self.text)

    @property
    def errors(self) -> list[str]:
        return [notice["code"] for notice in self.scene["notices"] if notice["kind"] == "error"]


class Phone:
    """A browser without scripts: it follows redirects, keeps its cookie, sends forms as pages draw them."""

    def __init__(
        self,
        port: int,
        language: str = "en",
        source: str = "127.0.0.1",
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """With `trust` it speaks HTTPS."""
        self.port, self.language, self.source, self.trust = port, language, source, trust
        self.cookie: str | None = None
        self.streams: list[Stream] = []
        self._tokens: dict[str | None, str] = {}
        self._at, self._shown, self._led = "", "", ""

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """One request, nothing added but the cookie and the language."""
        line: dict[str, Any] = {"timeout": PATIENCE, "source_address": (self.source, 0)}
        if self.trust:
            wire = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.trust, **line)
        else:
            wire = http.client.HTTPConnection("127.0.0.1", self.port, **line)
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
        if path == self._led:
            self._led = ""
        if answer.status == 200 and answer.is_page:
            self._at, self._shown = path, answer.text
            if token := TOKEN.search(self._shown):
                self._tokens[self.cookie] = token[1]
        return answer

    def token(self) -> str:
        """What the forms of this phone carry; it changes with the cookie alone."""
        if self.cookie not in self._tokens:
            self.get("/watch")
        return self._tokens[self.cookie]

    def post(
        self, path: str, follow: bool = True, page: Answer | None = None, wants: str = "", **fields: Any
    ) -> Answer:
        """Fill in these fields of a form of this phone's pages, and send it with all else that it carries.

        The page is the one given, or else one that this phone can go to now: where it is, its home, …
        """
        said = {NAMES.get(name, name): value for name, value in fields.items()}
        form, sent = self._filled(path, said, page)
        return self._answer(path, sent, follow, wants, form.kind)

    def forge(
        self,
        path: str,
        follow: bool = True,
        wants: str = "",
        headers: Mapping[str, str] | None = None,
        **fields: Any,
    ) -> Answer:
        """Send fields that no page of this phone would send: an old page, a broken or a hostile browser."""
        sent = {"csrf": self.token(), **{NAMES.get(name, name): value for name, value in fields.items()}}
        sent = {name: value for name, value in sent.items() if value is not None}
        return self._answer(path, sent, follow, wants, headers=headers)

    def _filled(self, path: str, said: dict[str, Any], given: Answer | None) -> tuple[Form, Sent]:
        misfits = []
        for page, html in self._pages(path, said, given):
            try:
                return sent_by(html, path, said)
            except Misfit as misfit:
                misfits.append(f"{page} {misfit}")
        raise Misfit(f"no page sends {said} to {path}:\n" + "\n".join(misfits))

    def _pages(self, path: str, said: dict[str, Any], given: Answer | None) -> Iterator[tuple[str, str]]:
        """The pages on which a form may stand, as they are now."""
        if given is not None:
            yield "the page given", given.text
            return
        if self._led:
            self.get(self._led)  # a browser is there already
        shown = self._shown
        if 'name="hold"' in shown:
            yield "the page in hand", shown  # it can be opened only once
        for page in dict.fromkeys(filter(None, [said.get("next"), self._at, *doors(path, said)])):
            answer = self.get(page)
            if answer.status == 200 and answer.is_page:
                yield page, answer.text
        yield "the last answer", shown

    def _answer(
        self,
        path: str,
        sent: Mapping[str, Any],
        follow: bool,
        wants: str,
        kind: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        headers = {**(headers or {}), **({"X-Companion": wants} if wants else {})}
        if kind == "multipart/form-data" or any(isinstance(value, bytes) for value in sent.values()):
            body, headers["Content-Type"] = in_parts(sent)
        else:
            body, headers["Content-Type"] = urlencode(sent, doseq=True), "application/x-www-form-urlencoded"
        answer = self.ask("POST", path, body, headers)
        if follow and answer.status == 303:
            return self.get(answer.headers["location"])
        self._led = answer.headers["location"] if answer.status == 303 else ""
        if answer.is_page and not self._led:
            self._shown = answer.text
        return answer

    def form(self, page: str, action: str, id: str | None = None) -> Form:
        """The form of a page that goes to an address."""
        found = [one for one in forms(self.get(page).text) if one.action == action and id in (None, one.id)]
        assert found, f"{page} has no form for {action}"
        return found[0]

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


def in_parts(sent: Mapping[str, Any]) -> tuple[bytes, str]:
    """A form with a file in it, and what it is called."""
    parts = b""
    for name, values in sent.items():
        for value in values if isinstance(values, list) else [values]:
            file = isinstance(value, bytes)
            parts += f'--x\r\nContent-Disposition: form-data; name="{name}"'.encode()
            parts += b'; filename="chosen"' if file else b""
            parts += b"\r\n\r\n" + (value if file else str(value).encode()) + b"\r\n"
    return parts + b"--x--\r\n", "multipart/form-data; boundary=x"


def until(happens: Callable[[], object]) -> None:
    """Wait for something that comes by itself."""
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)


def changed(lines: list[str], runs: list[list[Any]]) -> list[str]:
    """A page after a change of it, as it is told to phones."""
    now, at = list[str](), 0
    for start, gone, *fresh in runs:
        now += lines[at:start] + fresh
        at = start + gone
    return now + lines[at:]


class Stream:
    """An open event stream, read event by event."""

    def __init__(self, phone: Phone, path: str, headers: Mapping[str, str] | None = None) -> None:
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{phone.port}",
            f"Accept-Language: {phone.language}",
        ]
        lines += [f"Cookie: {phone.cookie}"] if phone.cookie else []
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        with ExitStack() as opened:  # what a daemon leaves unanswered because it goes is closed, too
            self.wire = opened.enter_context(self._line(phone))
            self.answer = opened.enter_context(closing(http.client.HTTPResponse(self.wire)))
            self.wire.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            self.answer.begin()
            opened.pop_all()
        self.status = self.answer.status
        self.raw = b""
        """Everything received so far, as it was sent."""
        self._lines: list[str] = []

    def _line(self, phone: Phone) -> socket.socket:
        line = socket.create_connection(("127.0.0.1", phone.port), PATIENCE, (phone.source, 0))
        return phone.trust.wrap_socket(line, server_hostname="127.0.0.1") if phone.trust else line

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
        self._lines = told if name == "page" else changed(self._lines, told)
        return "\n".join(self._lines)

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
