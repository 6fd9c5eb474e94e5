"""Forms of coming and going: join, say who one is, become host or moderator, leave."""

from __future__ import annotations

from companion.contract import HOST, MODERATOR
from companion.refusals import Malformed
from companion.words import LANGUAGES
from web.access.credentials import hashed
from web.evening import joining, roles
from web.people import book_changes
from web.site.routes import BACK, Call, Reply, form


@form("/join")
def join(call: Call) -> Reply:
    """Join by a code."""
    language = call.fields.get("language")
    key, ticket = joining.join(
        call.evening,
        call.field("code"),
        call.fields.get("name", ""),
        language if language in LANGUAGES else None,
        call.caller.address,
        call.caller.guest,
    )
    return Reply("/host" if ticket.host else "/play", key)


@form("/me")
def me(call: Call) -> Reply:
    """Another name or language."""
    language = call.fields.get("language")
    if language is not None and language not in LANGUAGES:
        raise Malformed("evening.which_field", field="language")
    if call.caller.guest is None:
        return Reply(language=language)
    joining.introduce(call.evening, call.guest(), call.fields.get("name"), language)
    return BACK


@form("/seen")
def seen(call: Call) -> Reply:
    """What there was to be told, announcements and news of the game, was seen on this phone."""
    with call.evening.lock:
        call.evening.change(book_changes.has_seen(call.evening.book, call.guest(), call.number("told") or 0))
        call.evening.seen_news.up_to(call.guest().id, min(call.number("line") or 0, call.evening.lines))
        call.evening.versions.bump()
    return BACK


@form("/leave")
def leave(call: Call) -> Reply:
    """Leave the table."""
    joining.leave(call.evening, call.guest().id)
    return Reply("/", forget=True)


@form("/host")
def become_host(call: Call) -> Reply:
    """Become host by the PIN."""
    return Reply("/host", _enter(call, HOST))


@form("/moderator")
def become_moderator(call: Call) -> Reply:
    """Become moderator by the PIN; the table is told. In a running game the others agree first."""
    key, before, guests = _enter(call, MODERATOR), call.caller.guest, call.evening.guests
    now = guests.by_key(hashed(key)) if key else guests.find(before.id if before else None)
    return Reply("/moderator" if now is None or now.moderator else "/play", key)


@form("/moderator/agree")
def agree_to_moderator(call: Call) -> None:
    """Let whoever asks be moderator."""
    roles.agree(call.evening, call.own_seat())


@form("/moderator/decline")
def decline_moderator(call: Call) -> None:
    """Let them be none."""
    roles.decline(call.evening, call.own_seat())


def _enter(call: Call, role: str) -> str | None:
    name, pin = call.fields.get("name", ""), call.field("pin")
    caller = call.caller
    return roles.enter(call.evening, role, pin, name, caller.address, caller.guest, caller.own_screen)


@form("/host/resign")
def resign_host(call: Call) -> Reply:
    """Be host no more."""
    roles.resign(call.evening, HOST, call.guest())
    return Reply("/play")


@form("/moderator/resign")
def resign_moderator(call: Call) -> Reply:
    """Be moderator no more."""
    roles.resign(call.evening, MODERATOR, call.guest())
    return Reply("/play")
