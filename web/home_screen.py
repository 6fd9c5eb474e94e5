"""The app on a home screen: its manifest, its worker, and the page for a house that does not answer."""

from __future__ import annotations

from pathlib import Path

import msgspec
from flask import Flask, Response, request, send_from_directory

from web.language import asked_for
from web.pages import home_screen as pages


def _language() -> str:
    return asked_for(request.args.get("language") or request.headers.get("Accept-Language", ""))


def _manifest() -> Response:
    return Response(msgspec.json.encode(pages.manifest(_language())), mimetype="application/manifest+json")


def add_routes(app: Flask) -> None:
    """Let phones keep the house on their home screen."""
    static = Path(__file__).parent / "static"
    app.add_url_rule("/manifest.webmanifest", "manifest", _manifest)
    app.add_url_rule("/asleep", "asleep", lambda: pages.asleep(_language()))
    # At the root, because a worker looks after the paths beside and below its own.
    app.add_url_rule("/sw.js", "worker", lambda: send_from_directory(static, "sw.js", max_age=0))
