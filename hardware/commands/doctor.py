"""Walk through every lamp and button of a kit, and find what is wrong with the board or the machine."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from companion.terminal import language
from companion.words import LANGUAGES

if TYPE_CHECKING:
    from companion.words import Saying
    from hardware.board import WiredBoard
    from hardware.kits import Kit


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said after `companion doctor`."""
    parser.add_argument("kit", nargs="?", default="joystick", help="the kit, or its file (default: joystick)")
    parser.add_argument("--check", action="store_true", help="look at kit and machine only, ask nothing")
    parser.add_argument("--beside", metavar="KIT", help="only whether both boards can share this Pi")
    parser.add_argument("--quick", action="store_true", help="whole strips, and a contact a row and a column")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="write what was learned as a kit of its own"
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE.zip", help="write how this table is, for who helps"
    )
    parser.add_argument("--with-secrets", action="store_true", help="with the last game, if it is over")
    parser.add_argument("--state", type=Path, metavar="DIR", help="the state folder of the report")
    parser.add_argument("--language", choices=LANGUAGES, default=language(), help="default: the system's")


def run(args: argparse.Namespace) -> int:
    """Examine; 0 is healthy, 1 is not."""
    from companion.clock import SystemClock
    from companion.refusals import Refusal
    from companion.table import Table
    from companion.terminal import complain
    from companion.words import Saying
    from hardware import boards, kits, machine

    try:
        kit = kits.load(args.kit)
        if args.beside:
            return _share(kit, kits.load(args.beside), args.language)
        here = machine.this_machine()
        problems = machine.problems(kit, here)
        _say(problems if here.is_pi else [Saying("hardware.doctor_no_pi")], args.language)
        if args.report:
            return _report(args, problems)
        if args.check:
            return 1 if problems else 0
        clock = SystemClock()
        board = boards.open(args.kit, Table(clock=clock), clock)
    except Refusal as refusal:
        print(refusal.message(args.language), file=sys.stderr)
        return 1
    try:
        findings = talk(board, args.language, sys.stdin, args.write, args.quick)
    except OSError as fault:
        return complain(fault)
    finally:
        board.close()
    return 1 if problems or findings else 0


def _share(kit: Kit, other: Kit, language: str) -> int:
    """Whether two boards can share a Pi, each with a companion of its own."""
    from companion.words import Saying
    from hardware.checks import clashes

    found = [Saying(f"hardware.{key}", **facts) for _, key, facts in clashes(kit, other)]
    _say(found or [Saying("hardware.doctor_beside", kit=kit.name, other=other.name)], language)
    return 1 if found else 0


def _report(args: argparse.Namespace, problems: Sequence[Saying]) -> int:
    """Write the report instead of asking anything."""
    from companion import report
    from companion.home import state_folder
    from companion.terminal import complain, tell

    try:
        state = args.state or state_folder()
        report.save(args.report, report.bundle(state, problems, args.with_secrets))
    except OSError as fault:
        return complain(fault)
    tell("companion.report_written", file=args.report)
    return 0


def talk(
    board: WiredBoard, language: str, source: TextIO, file: Path | None, quick: bool = False
) -> list[Saying]:
    """Ask until all is known or nobody answers; contacts answer too. What was found comes back."""
    from companion.privileges import as_owner
    from companion.words import Saying, say
    from hardware.written import kit_text

    visit = board.examine(quick)

    def ask() -> None:
        if visit.question is None:
            print(say("hardware.doctor_done", language), flush=True)
            return
        choices = ", ".join(say(f"hardware.answer_{word}", language) for word in visit.question.answers)
        print(f"{visit.question.saying.said(language)} [{choices}]", flush=True)

    visit.asked = ask
    ask()
    for line in source:
        if visit.question is None:
            break
        board.answer(_word(line, visit.question.answers, language))
        if visit.question is None:
            break
    # Nobody answers any more: what was not looked at is not well.
    unfinished = [Saying("hardware.doctor_unfinished")] if visit.question else []
    board.dismiss()
    findings = [*visit.findings, *unfinished]
    _say(findings or [Saying("hardware.doctor_healthy")], language)
    if visit.sampled:
        print(say("hardware.doctor_sampled", language))
    if file:
        text = kit_text(visit.kit).encode()
        # Root may be asking, and the folder be the service's: nothing there leads anywhere else.
        as_owner(file.parent, lambda own: _written(own / file.name, text), hand_over=False)
        print(say("hardware.doctor_wrote", language, file=file))
    return findings


def _written(file: Path, text: bytes) -> bytes:
    from companion.disk import write_file

    write_file(file, text)
    return b""


def _word(said: str, words: Sequence[str], language: str) -> str:
    """What was said, or the doctor's word for it if it was said in another language. No is always no."""
    from companion.words import say
    from hardware.doctor import NO

    meant = (
        word for word in (*words, NO) if said.strip().lower() == say(f"hardware.answer_{word}", language)
    )
    return next(meant, said)


def _say(sayings: list[Saying], language: str) -> None:
    for saying in sayings:
        print(saying.said(language))
