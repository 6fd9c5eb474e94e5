"""The story and the sealed record as files, for whoever may see the end of a game, which is everybody."""

from __future__ import annotations

import re
from functools import lru_cache

from flask import Response

from companion import records, verify
from companion.refusals import Illegal, Malformed
from companion.words import Saying, say
from web.push.audience import Audience
from web.scene import Notice
from web.site.routes import Call, Reply, form, page
from web.story import file

NOTED = re.compile(rf"([0-9a-f]{{{verify.FEWEST_DIGITS},64}})(?:@\d+)?")


@page("/story.html")
def story(call: Call) -> Response:
    """The file, once the game is over."""
    with call.evening.lock:
        if call.evening.stage != "result":
            raise Illegal("evening.no_story")
        # A spectator's eyes, whoever asks: the file may be passed on to anybody.
        scene = call.pages.scenes.scene(Audience("watch", call.language))
    named = {"Content-Disposition": f'attachment; filename="{scene.game}-story.html"'}
    return Response(file.draw(scene), mimetype="text/html", headers=named)


@page("/record.json")
def record(call: Call) -> Response:
    """Every move with its seal, once the game is over."""
    found = call.evening.table.record()
    named = {"Content-Disposition": f'attachment; filename="{found.game}-record.json"'}
    return Response(records.written(found), mimetype="application/json", headers=named)


@form("/record/check")
def check(call: Call) -> Reply:
    """Look for a seal that somebody noted in the record, which must be without a fault."""
    noted = NOTED.fullmatch("".join(call.field("seal")[:200].lower().replace("…", "").split()))
    if noted is None:
        raise Malformed("story.seal_short", least=verify.FEWEST_DIGITS)
    found = call.evening.table.record()
    for fault in _faults(records.written(found)):
        raise Illegal("companion.as_told", text=fault.said(call.language))
    if (n := verify.seal_with(found, noted[1])) is None:
        raise Illegal("story.seal_foreign", seal=noted[1])
    told = say("story.seal_fine", call.language, n=n, of=len(found.entries))
    return Reply(notice=Notice("done", told))


@lru_cache(1)
def _faults(record: bytes) -> tuple[Saying, ...]:
    """What is wrong with a record. A game is played through once, however many ask."""
    return verify.verify(verify.read_record(record)).faults
