"""HTTPS beside HTTP: real lines, judged by a client that trusts the table's root and nothing else."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import backup, certificate
from companion.certificate import DAY, ISSUER, ON, SERVED, Certificate
from companion.cli import main
from companion.contract import plain
from companion.refusals import Refusal
from tests.web import sketches
from tests.web.conftest import Running
from tests.web.phones import PATIENCE, Phone, until
from tests.web.test_api import key_of
from web.http.addresses import Names
from web.people.identity import COOKIE, SECURE_COOKIE
from web.render import pages
from web.server import running, secure, server

Run = Callable[..., Running]
OWN = frozenset({*Names("table.example").allowed, "127.0.0.1", "10.42.0.1", "::1"})
NO_TIME = 0.05


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with a certificate, which takes a moment to make."""
    state = tmp_path_factory.mktemp("made")
    Certificate(state).renew(OWN)
    return state


@pytest.fixture
def state(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "state")
    return tmp_path / "state"


@pytest.fixture
def house(run: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> Running:
    """A table that speaks both."""
    monkeypatch.setattr(server, "BETWEEN_LOOKS", NO_TIME)
    Certificate(state).switch(True)
    house = run()
    until(lambda: house.evening.addresses.secured)
    return house


def agreed(folder: Path, root: bytes, name: str) -> ssl.SSLObject:
    """TLS between a server with this chain and a client that trusts this root and asks for this name."""
    trust = ssl.create_default_context(cadata=ssl.DER_cert_to_PEM_cert(root))
    serve = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serve.load_cert_chain(folder)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trust.wrap_bio(back, there, server_hostname=name)
    host = serve.wrap_bio(there, back, server_side=True)
    for _ in range(4):
        for side in (client, host):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return client


def names_in(wire: ssl.SSLObject | ssl.SSLSocket) -> set[str]:
    shown = wire.getpeercert()
    assert shown
    return {str(name) for _, name in shown["subjectAltName"]}


# The certificate


@pytest.mark.parametrize("name", ["localhost", "table.example", "127.0.0.1", "10.42.0.1"])
def test_who_trusts_the_root_believes_the_table_under_its_own_names(made: Path, name: str) -> None:
    own = Certificate(made)
    assert name in names_in(agreed(own.served, own.root(), name))


def test_who_trusts_the_root_believes_nobody_elses_name(made: Path) -> None:
    own = Certificate(made)
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        agreed(own.served, own.root(), "bank.example")


def forged(made: Path, tmp_path: Path, name: str) -> Path:
    """What a thief with the issuer's key can make."""
    key, issuer, _ = certificate._blocks((made / "https" / ISSUER).read_bytes())
    own, now = certificate._new_key(), int(time.time())
    life = (certificate._written(now - DAY), certificate._written(now + DAY))
    told = f"basicConstraints = critical, CA:FALSE\nsubjectAltName = {name}\n"
    leaf = certificate._signed(own, "thief", told, life, (issuer, key))
    (tmp_path / "forged.pem").write_bytes(own + leaf + issuer)
    return tmp_path / "forged.pem"


@pytest.mark.parametrize(("name", "asked"), [("DNS:bank.example", "bank.example"), ("IP:8.8.8.8", "8.8.8.8")])
def test_not_even_the_stolen_key_of_the_issuer_vouches_for_the_internet(
    made: Path, tmp_path: Path, name: str, asked: str
) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        agreed(forged(made, tmp_path, name), Certificate(made).root(), asked)


def test_a_forgery_within_the_home_shows_that_the_others_fail_for_their_names_alone(
    made: Path, tmp_path: Path
) -> None:
    assert agreed(forged(made, tmp_path, "DNS:other.local"), Certificate(made).root(), "other.local")


def public(told: bytes) -> str:
    """The public key of a certificate or a key."""
    kind = ["x509", "-noout", "-pubkey"] if b"CERTIFICATE" in told else ["pkey", "-pubout"]
    return subprocess.run(["openssl", *kind], input=told, capture_output=True, check=True).stdout.decode()


def test_the_key_of_the_root_is_kept_nowhere(made: Path) -> None:
    everything = b"".join(path.read_bytes() for path in made.rglob("*") if path.is_file())
    keys = [match[0] for match in certificate.PEM.finditer(everything) if b"KEY" in match[0]]
    assert len(keys) == 2
    root = ssl.DER_cert_to_PEM_cert(Certificate(made).root()).encode()
    assert public(root) not in {public(key) for key in keys}


def test_a_leaf_lives_as_long_as_an_iphone_allows_and_the_root_much_longer(made: Path) -> None:
    trust = ssl.create_default_context(cadata=(made / "https" / ISSUER).read_text().partition("\n")[2])
    ends = {ssl.cert_time_to_seconds(str(shown["notAfter"])) for shown in trust.get_ca_certs()}
    assert min(ends) > ssl.cert_time_to_seconds("Jan  1 00:00:00 2049 GMT")
    shown = agreed(Certificate(made).served, Certificate(made).root(), "localhost").getpeercert()
    assert shown
    life = [ssl.cert_time_to_seconds(str(shown[end])) for end in ("notBefore", "notAfter")]
    assert 800 * DAY < life[1] - life[0] <= 825 * DAY


def test_it_is_renewed_after_a_year_by_the_same_root(state: Path) -> None:
    now = time.time()
    clock = Certificate(state, lambda: now)
    root, first = clock.root(), clock.served.read_bytes()
    now += 360 * DAY
    clock.renew(OWN)
    assert clock.served.read_bytes() == first
    now += 20 * DAY
    clock.renew(OWN)
    assert clock.served.read_bytes() != first
    assert clock.root() == root
    assert clock.fits(OWN)


@pytest.mark.parametrize("clock", [0.0, 1e9], ids=["1970", "2001"])
def test_a_clock_that_is_years_slow_makes_no_certificate_of_the_past(state: Path, clock: float) -> None:
    slow = Certificate(state, lambda: clock)
    slow.served.unlink()
    slow.renew(OWN)
    assert agreed(slow.served, slow.root(), "localhost")


def test_what_a_clock_that_was_years_fast_made_is_made_anew(state: Path) -> None:
    fast = Certificate(state, lambda: time.time() + 3000 * DAY)
    fast.renew(OWN)
    right = Certificate(state)
    with pytest.raises(ssl.SSLCertVerificationError, match="not yet valid"):
        agreed(right.served, right.root(), "localhost")
    right.renew(OWN)
    assert agreed(right.served, right.root(), "localhost")


def test_what_was_never_permitted_is_left_out_and_the_rest_is_served(state: Path) -> None:
    own = Certificate(state)
    assert own.fits({*OWN, "8.8.8.8", "another.example", "notlocal", "bad, name"})
    own.renew({*OWN, "10.1.2.3", "8.8.8.8", "another.example", "notlocal", "ghosts.local", "bad, name"})
    assert names_in(agreed(own.served, own.root(), "ghosts.local")) >= {"10.1.2.3", "ghosts.local"}
    assert not {"8.8.8.8", "another.example", "notlocal"} & names_in(
        agreed(own.served, own.root(), "localhost")
    )


# Its files


def test_nobody_else_reads_the_keys(made: Path) -> None:
    folder = made / "https"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {
        ISSUER: 0o600,
        SERVED: 0o600,
    }


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o620])
def test_a_key_that_others_can_read_is_not_used(run: Run, state: Path, mode: int) -> None:
    own = Certificate(state)
    own.switch(True)
    (own.folder / ISSUER).chmod(mode)
    own.served.unlink()
    house = run()
    until(lambda: house.evening.addresses.secured)
    secured = house.evening.addresses.secured
    assert secured
    assert secured.fault
    assert "chmod 600" in secured.fault.said("en")
    assert not own.served.exists()
    assert house.phone().get("/healthz").status == 200


@pytest.mark.parametrize("harm", [b"", b"{}\n", b'{"begins":0,"renewed":0,"names":[]}\n'])
def test_a_damaged_issuer_is_left_for_people_to_decide(state: Path, harm: bytes) -> None:
    own = Certificate(state)
    own.served.unlink()
    (own.folder / ISSUER).write_bytes(harm)
    with pytest.raises(Refusal) as refused:
        own.renew(OWN)
    assert "damaged" in refused.value.message("en")
    assert (own.folder / ISSUER).read_bytes() == harm


@pytest.mark.parametrize("harm", ["open", "empty", "flipped"])
def test_a_damaged_leaf_is_simply_made_anew(
    run: Run, state: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    own = Certificate(state)
    before = own.served.read_bytes()
    if harm == "open":
        own.served.chmod(0o644)
    else:
        own.served.write_bytes(
            b"" if harm == "empty" else before.replace(b"CERTIFICATE-----\nM", b"CERTIFICATE-----\nN")
        )
    monkeypatch.setattr(server, "BETWEEN_LOOKS", NO_TIME)
    monkeypatch.setattr(secure, "AGAIN", NO_TIME)
    own.switch(True)
    house = run()
    until(lambda: house.evening.addresses.secured and house.evening.addresses.secured.port)
    assert own.served.read_bytes() != before
    assert house.secure_phone().get("/healthz").status == 200


@pytest.mark.parametrize("name", [ISSUER, SERVED, ON, "."])
def test_no_link_leads_it_elsewhere(state: Path, tmp_path: Path, name: str) -> None:
    own, elsewhere = Certificate(state), tmp_path / "elsewhere"
    path = own.folder / name
    if name == ON:
        elsewhere.touch()
    else:
        path.rename(elsewhere)
    path.unlink(missing_ok=True)
    path.symlink_to(elsewhere)
    before = elsewhere.read_bytes() if elsewhere.is_file() else sorted(elsewhere.iterdir())
    assert not own.wanted
    if name == SERVED:
        own.renew(OWN)
        assert not path.is_symlink()
    elif name != ON:
        with pytest.raises(Refusal):
            own.renew([*OWN, "10.9.9.9"])
    assert before == (elsewhere.read_bytes() if elsewhere.is_file() else sorted(elsewhere.iterdir()))


def test_no_backup_has_a_key_and_a_restore_leaves_the_certificate(state: Path) -> None:
    fingerprint = Certificate(state).fingerprint
    (state / "boxes").mkdir()
    (state / "boxes" / "ours.json").write_text("{}")
    packed = backup.pack(state)
    assert [*backup.unpack(packed)] == ["boxes/ours.json"]
    backup.restore(packed, state)
    assert Certificate(state).fingerprint == fingerprint
    assert (state / "before-restore-1").is_dir()


# Switching it


def test_by_default_nothing_is_made_and_nothing_listens(run: Run, tmp_path: Path) -> None:
    house = run()
    assert house.evening.addresses.secured is None
    assert not (tmp_path / "state" / "https").exists()
    assert "https" not in house.phone().get("/my-phone").text


def test_the_host_switches_it_on_and_off_and_nobody_else_does(
    run: Run, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "BETWEEN_LOOKS", NO_TIME)
    house = run(renderer=pages)
    host, ada = house.host(), house.guest("Ada")
    assert ada.forge("/https", on="1").status == 403
    assert house.evening.addresses.secured is None
    assert host.post("/https", on="1").status == 200
    until(lambda: house.evening.addresses.secured)
    secured = house.evening.addresses.secured
    assert secured
    assert secured.fingerprint in host.get("/table").text
    assert "https" in ada.get("/my-phone").text
    phone = house.secure_phone()
    assert phone.get("/healthz").status == 200
    stream = phone.stream("watch")
    assert host.post("/https").status == 200
    until(lambda: house.evening.addresses.secured is None)
    stream.wire.settimeout(PATIENCE)
    with contextlib.suppress(ConnectionError):
        while stream.wire.recv(4096):
            continue
    with pytest.raises(ConnectionError):
        phone.get("/healthz")


def test_without_openssl_the_host_is_told_what_to_do(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    host = run("off").host()
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = host.post("/https", on="1")
    assert answer.status == 409
    assert "apt install openssl" in answer.text
    assert main(["https", "on", "--state", str(tmp_path)]) == 1
    assert "apt install openssl" in capsys.readouterr().err
    assert not Certificate(tmp_path).wanted


def test_the_command_switches_it_and_status_says_where(
    house: Running, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secured = house.evening.addresses.secured
    assert secured
    running.note(state, house.port, "123456", secured.port)
    assert main(["status", "--state", str(state)]) == 0
    said = capsys.readouterr().out
    assert f":{secured.port}/" in said
    assert secured.fingerprint in said
    assert main(["https", "off", "--state", str(state)]) == 0
    until(lambda: house.evening.addresses.secured is None)
    assert main(["https", "--state", str(state)]) == 0
    assert "off" in capsys.readouterr().out


def test_a_new_address_is_in_the_next_handshake_and_nobody_is_cut_off(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = house.secure_phone()
    stream = phone.stream("watch")
    shown = house.evening.certificate
    assert shown
    before = shown.served.read_bytes()
    monkeypatch.setattr("web.server.server.hotspot.ADDRESS", "10.77.0.1")
    until(lambda: shown.served.read_bytes() != before)

    def there() -> bool:
        with phone.trust.wrap_socket(  # type: ignore[union-attr]
            socket.create_connection(("127.0.0.1", phone.port), 5), server_hostname="127.0.0.1"
        ) as wire:
            return "10.77.0.1" in names_in(wire)

    until(there)
    house.host("Mrs Kerr")
    assert stream.scene()["stage"] == "lobby"


def test_while_it_is_off_a_socket_of_systemd_sends_everybody_away(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        daemon = server.Daemon(tmp_path / "state", "simulated", sketches)
        ready = threading.Event()
        place = server.SecurePlace(0, held.dup())
        served = threading.Thread(
            target=server.serve,
            args=(daemon, server.listen("127.0.0.1", 0), Names(), ready.set, place),
        )
        served.start()
        assert ready.wait(PATIENCE)
        with socket.create_connection(held.getsockname(), 5) as wire:
            assert wire.recv(1) == b""
        daemon.evening.shutdown()
        served.join(PATIENCE)
        daemon.close()


# Lines


def test_a_line_on_which_nothing_is_agreed_ends(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secure, "HEAD_SECONDS", 0.2)
    port = house.secure_phone().port
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), 5) as silent:
        assert silent.recv(1) == b""
    assert time.monotonic() - begun >= 0.2
    with socket.create_connection(("127.0.0.1", port), 5) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        # What was not read when the line is closed makes it a reset.
        with contextlib.suppress(ConnectionResetError):
            assert b"HTTP" not in plain.recv(100)


def test_in_a_crowd_that_agrees_on_nothing_the_oldest_gives_way(house: Running) -> None:
    phone = house.secure_phone(source="127.0.0.9")
    crowd = [socket.create_connection(("127.0.0.1", phone.port), 5, ("127.0.0.9", 0)) for _ in range(80)]
    try:
        assert crowd[0].recv(1) == b""
        assert phone.get("/healthz").status == 200
    finally:
        for wire in crowd:
            wire.close()


def test_a_line_that_is_gone_leaves_nothing_of_tls_to_be_collected(house: Running) -> None:
    """A few hundred kilobytes each: long before there are many things, there is no memory."""

    def alive() -> int:
        return sum(isinstance(each, ssl.SSLObject) for each in gc.get_objects())

    house.secure_phone().get("/healthz")
    gc.collect()
    gc.disable()
    try:
        before = alive()
        for path in ("/healthz", "/table", "/no such page", "/events?page=watch"):
            for _ in range(5):
                secured = house.evening.addresses.secured
                assert secured
                assert house.evening.certificate
                trust = ssl.create_default_context(
                    cadata=ssl.DER_cert_to_PEM_cert(house.evening.certificate.root())
                )
                with (
                    socket.create_connection(("127.0.0.1", secured.port), 5) as wire,
                    trust.wrap_socket(wire, server_hostname="127.0.0.1") as line,
                ):
                    line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                    assert line.recv(8) == b"HTTP/1.1"
        until(lambda: alive() <= before)
    finally:
        gc.enable()


def test_an_evening_goes_on_over_it(house: Running) -> None:
    """Joined, seated, pushed to and acting, all encrypted."""
    host = house.host()
    ada = house.secure_phone().join(house.evening.codes.table_code().code, "Ada")
    assert ada.post("/seat/take", seat="p1").status == 200
    zoe = house.guest("Zoe")
    assert zoe.post("/seat/take", seat="p2").status == 200
    stream = ada.stream("play")
    house.start(host, players=2)
    scene = stream.until(lambda scene: scene["stage"] == "setup")
    assert scene["me"]["name"] == "Ada"
    for ghost, room in {"blue": 1, "red": 12, "green": 25, "white": 36}.items():
        assert zoe.post("/act", seat="p2", type="hide", ghost=ghost, room=room).status == 200
    turn = next(seat for seat in house.evening.choices)
    assert turn in ("p1", "p2")
    stream.until(lambda scene: scene["stage"] == "playing")
    while "p1" not in house.evening.choices:
        room = house.evening.choices["p2"][0].room
        assert zoe.post("/act", seat="p2", type="remove", room=room).status == 200
    action = house.evening.choices["p1"][0]
    told = plain(action)
    assert (
        ada.post("/act", seat="p1", **{name: told[name] for name in told if told[name] is not None}).status
        == 200
    )


# Cookies, and going over


def cookie_given(phone: Phone, code: str) -> str:
    answer = phone.post("/join", follow=False, code=code, name="Ada")
    return answer.headers["set-cookie"]


def test_the_cookie_of_each_side_is_for_that_side_alone(house: Running) -> None:
    code = house.evening.codes.table_code().code
    over_tls = cookie_given(house.secure_phone(), code)
    assert over_tls.startswith(f"{SECURE_COOKIE}=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Strict"} <= set(over_tls.split("; "))
    assert "Domain" not in over_tls
    over_http = cookie_given(house.phone(), code)
    assert over_http.startswith(f"{COOKIE}=")
    assert "Secure" not in over_http
    for phone, given in ((house.phone(), over_tls), (house.secure_phone(), over_http)):
        phone.cookie = given.partition(";")[0]
        assert phone.get("/play").scene["page"] == "front"


def test_whoever_goes_over_keeps_the_seat_and_the_old_key_opens_nothing(house: Running) -> None:
    players = house.players("Ada", "Zoe")
    ada = players["p1"]
    overheard = ada.cookie
    listening = ada.stream("play")
    assert listening.scene()["me"]["name"] == "Ada"
    over = house.secure_phone()
    over.cookie = overheard
    assert over.get("/play").scene["page"] == "front"
    assert "/arrive/now" in over.get("/arrive").text
    # From another site nobody is led over.
    answer = over.ask("GET", "/arrive/now", headers={"Sec-Fetch-Site": "cross-site"})
    assert "set-cookie" not in answer.headers
    assert over.get("/arrive/now").scene["me"]["name"] == "Ada"
    assert over.cookie
    assert over.cookie.startswith(SECURE_COOKIE)
    assert over.get("/play").scene["places"][0]["mine"]
    # The stream that somebody may have opened with the old key ends, and so does everything else.
    assert listening.next("go") == "/"
    thief = house.phone()
    thief.cookie = overheard
    assert thief.get("/play").scene["page"] == "front"
    again = house.secure_phone()
    again.cookie = overheard
    assert again.get("/arrive/now").scene["page"] == "front"


def test_what_opened_a_seat_over_http_opens_it_no_more(house: Running) -> None:
    """The page that showed a program's key, or a code for another phone, may have been overheard."""
    ada = house.players("Ada", "Hamish")["p1"]
    house.start(house.host(), players=2)
    heard = {"Authorization": f"Bearer {key_of(ada, 'p1')}"}
    ada.post("/seat/offer", seat="p1")
    (offer,) = house.evening.codes.offers(house.evening.book.seats["p1"].guest or "")
    assert house.phone().ask("GET", "/api/v1/legal", headers=heard).status == 200
    over = house.secure_phone()
    over.cookie = ada.cookie
    over.get("/arrive/now")
    assert over.get("/play").scene["places"][0]["mine"]
    assert house.phone().ask("GET", "/api/v1/legal", headers=heard).status == 401
    assert house.phone().forge("/join", follow=False, code=offer.code, name="Eve").status == 403


def test_over_http_nobody_arrives(house: Running) -> None:
    ada = house.guest("Ada")
    key = ada.cookie
    assert ada.get("/arrive", follow=False).headers["location"] == "/https"
    assert ada.get("/arrive/now", follow=False).status == 303
    assert ada.cookie == key


def test_a_form_from_the_other_side_is_a_forgery(house: Running) -> None:
    ada = house.secure_phone().join(house.evening.codes.table_code().code, "Ada")
    for scheme, status in (("http", 403), ("https", 303)):
        origin = {"Origin": f"{scheme}://127.0.0.1:{ada.port}"}
        assert ada.forge("/me", follow=False, headers=origin, name="Eve").status == status


def test_a_foreign_name_is_refused_over_it_too(house: Running) -> None:
    assert house.secure_phone().ask("GET", "/", headers={"Host": "evil.example"}).status == 421


# The guide


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_the_guide_tells_every_phone_what_to_do(house: Running, language: str) -> None:
    secured = house.evening.addresses.secured
    assert secured
    page = house.phone(language=language).get("/https").text
    assert f'<html lang="{language}"' in page or f'lang="{language}"' in page
    for told in ("iPhone", "Android", "Windows", "Mac", "Linux", secured.fingerprint):
        assert told in page
    assert f'href="https://127.0.0.1:{secured.port}/arrive"' in page
    assert re.search(r'href="(/https/[^"]+\.crt)"', page)


def test_the_certificate_that_is_handed_out_has_the_fingerprint_that_is_told(house: Running) -> None:
    secured = house.evening.addresses.secured
    assert secured
    answer = house.phone().get("/https/ghost-companion.crt")
    assert answer.headers["content-type"] == "application/x-x509-ca-cert"
    assert hashlib.sha256(answer.body).digest().hex(":").upper() == secured.fingerprint
    assert ssl.DER_cert_to_PEM_cert(answer.body)
