"""HTTPS: the host's switch, a guide for every kind of phone, the certificate, and the way over."""

from __future__ import annotations

from flask import Response, request

from companion.certificate import Certificate, check_openssl
from companion.refusals import Forbidden
from web.admin.layout import paper, refused_on
from web.evening import joining
from web.http.addresses import without_port
from web.people.identity import COOKIE
from web.scene import Notice
from web.site.routes import Call, Reply, host_form, page
from web.texts import texts

SYSTEMS = {"ios": 3, "android": 3, "windows": 2, "mac": 2, "linux": 3}
"""How many steps it takes there until a certificate is trusted."""


def draw(call: Call, notices: tuple[Notice, ...] = (), name: str = "guide") -> str:
    """The guide, with the switch for whoever runs the evening."""
    guest, secured, https = call.caller.guest, call.evening.addresses.secured, texts(call.language, "https")
    facts = {
        "h": https,
        "title": https("arrived" if name == "arrived" else "title"),
        "secured": secured,
        "why": secured.fault.said(call.language) if secured and secured.fault else "",
        "wanted": _certificate(call).wanted,
        "encrypted": request.is_secure,
        "systems": SYSTEMS,
        "over": f"https://{without_port(request.host)}:{secured.port}/arrive" if secured else "",
        "runs": guest is not None and (guest.host or guest.moderator),
    }
    return paper(f"https/{name}.html", call, notices, **facts)


@page("/https")
def guide(call: Call) -> str:
    """For everybody: nobody needs to have joined to trust the table."""
    return draw(call)


@host_form("/https", refused_on(draw))
def switch(call: Call) -> str:
    """On or off; the server follows within moments."""
    if call.fields.get("on"):
        check_openssl()
    _certificate(call).switch(bool(call.fields.get("on")))
    return "/https"


@page("/https/ghost-companion.crt")
def certificate(call: Call) -> Response:
    """What phones install."""
    if not (root := _certificate(call).root()):
        raise Forbidden("evening.no_such_page")
    return Response(root, mimetype="application/x-x509-ca-cert")


@page("/arrive")
def arrive(call: Call) -> str | Reply:
    """The first page over HTTPS.

    Some browsers take the way here from HTTP for one from another site, and keep the cookie back: it comes
    with the next step, which somebody takes here.
    """
    return draw(call, name="arrived") if request.is_secure else Reply("/https")


@page("/arrive/now")
def go_on(call: Call) -> Reply:
    """Whoever joined over HTTP gets a new key, and goes on where they belong."""
    old = request.cookies.get(COOKIE, "")
    if request.is_secure and call.caller.from_here and call.caller.guest is None and old:
        return Reply("/", joining.come_over(call.evening, old))
    return Reply("/")


def _certificate(call: Call) -> Certificate:
    if call.evening.certificate is None:
        raise Forbidden("evening.no_such_page")
    return call.evening.certificate
