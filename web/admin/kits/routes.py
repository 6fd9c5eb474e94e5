"""Make a kit: answers by pictures, checked as one goes; drawing, template and lists to see; then its file.

The answers are the address of the page: nothing is kept until somebody keeps the kit.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

from flask import Response, request

from companion.board import KitMaker, kit_maker
from companion.disk import make_folder, write_file
from companion.refusals import Forbidden, Illegal, NotSaved
from companion.words import say
from web.admin.layout import paper, refused_on
from web.scene import Notice
from web.site.routes import Call, form, page
from web.texts import texts

PATH = "/kits/make"
NOT_ANSWERS = ("csrf", "keep", "replace")

Answers = Mapping[str, list[str]]


def maker() -> KitMaker:
    """Where kits are made."""
    found = kit_maker()
    if found is None:
        raise Forbidden("welcome.no_kits")
    return found


def _asked() -> Answers:
    """The answers in the address of the page."""
    return request.args.to_dict(flat=False)


def _draw(call: Call, notices: tuple[Notice, ...], answers: Answers, **more: object) -> str:
    call.runs()
    k, sketch = texts(call.language, "kits"), maker().sketch(answers, call.language)
    problems = [problem.said(call.language) for problem in sketch.problems]
    return paper("kits/make.html", call, notices, k=k, title=k("title"),
                 sketch=sketch, problems=problems, query=urlencode(answers, doseq=True),
                 wished={name: values[0] for name, values in answers.items()}, **more)  # fmt: skip


def _refused(call: Call, notices: tuple[Notice, ...], **of: str) -> str:
    """The page with what was answered, or, if that is what is wrong, as it begins."""
    try:
        return _draw(call, notices, _sent(call) or _asked())
    except Illegal:
        return _draw(call, notices, {})


on_page = refused_on(_refused)


@page(PATH, on_page)
def show(call: Call) -> str:
    """Everything that is asked, and what comes of the answers so far."""
    return _draw(call, (), _asked())


@page(f"{PATH}/<name>", on_page)
def hand_out(call: Call, name: str) -> Response:
    """A drawing, a template or a list of the kit that the address describes."""
    call.runs()
    kind, content = maker().file(_asked(), name, call.language)
    headers = {} if kind.startswith("image/") else {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=kind, headers=headers)


@form(PATH, on_page)
def keep(call: Call) -> str | Response:
    """Look at other answers; or keep the kit, so that it is in the list of all."""
    call.runs()
    answers = _sent(call)
    if not call.fields.get("keep"):
        return f"{PATH}?{urlencode(answers, doseq=True)}"
    sketch = maker().sketch(answers, call.language)
    if sketch.problems:
        raise Illegal("kits.not_yet")
    file = _folder(call) / f"{sketch.name}.toml"
    if file.exists() and not call.fields.get("replace"):
        raise Illegal("kits.exists", name=sketch.name)
    try:
        make_folder(file.parent)
        write_file(file, sketch.text.encode())
    except OSError as fault:
        raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault
    done = Notice("done", say("kits.kept", call.language, name=sketch.name))
    return Response(_draw(call, (done,), answers, kept=sketch.name))


def _sent(call: Call) -> Answers:
    return {name: values for name, values in call.repeated.items() if name not in NOT_ANSWERS}


def _folder(call: Call) -> Path:
    """Where this table keeps kits of its own."""
    if call.evening.shelf is None:
        raise Forbidden("kits.no_folder")
    return call.evening.shelf.folder.parent / "kits"
