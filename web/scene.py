"""A scene: everything one page may show to one phone, and nothing else.

The evening builds scenes, `web.render.pages` draws them. A page never sees a table, a state or another
phone's scene, so it cannot show what its reader may not know. Scenes are values: equal scenes are drawn
once, and the bytes are shared by every phone that sees the same.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.contract import Result, Seat
from companion.picture import Gauge, Glow, Palette, Picture
from companion.table import Line
from companion.words import Saying
from web.checkup import Checkup

Page = Literal[
    "front", "join", "play", "host", "moderator", "table", "watch", "demo", "doctor", "lay", "check", "gone"
]
"""`front` and `join` are for strangers; `demo` is "Show me"; on `lay` a board is entered or built, on `check`
compared with the record; `gone` has only notices: what went wrong."""

PLAYERS: tuple[Page, ...] = ("play", "demo")
"""The pages that show a seat's own view, to be played from."""

Stage = Literal["lobby", "setup", "playing", "result"]
"""No game yet; the board is being laid and secrets hidden; the hunt is on; the game is over."""

Presence = Literal["here", "asleep", "away", "bot", "nobody"]
"""A live page; a page hidden or just lost; not seen for a while; a bot sits there; nobody has the seat."""

CSRF = "\x01"
"""What pages put into the hidden field `csrf`. Each phone has its own token in its place, put in
on the way out, or by the phone where it is pushed: so that phones which see the same can share it."""
MOMENT = "\x02"
"""Stands for the version in the same way: so that a form which is the same looks the same."""


class Notice(msgspec.Struct, frozen=True):
    """A sentence for this phone alone, already in its language."""

    kind: Literal["error", "done"]
    text: str
    code: str = ""
    """The code of the refusal, as in the protocol: `illegal`, `not_your_turn`, `stale`, …"""
    rule: str | None = None


class Phone(msgspec.Struct, frozen=True):
    """Somebody's phone or screen at this table. The id is no secret: it opens nothing."""

    id: str
    name: str
    seats: tuple[Seat, ...] = ()
    host: bool = False
    moderator: bool = False
    presence: Presence = "away"
    language: str = "en"
    alone: bool = False
    """Whether one person plays all its seats."""


class Place(msgspec.Struct, frozen=True):
    """A chair of the game with whoever sits on it."""

    seat: Seat
    role: str | None
    name: str
    """The person's name; empty for a bot and for an empty chair: the page has words for those."""
    phone: str | None
    """The id of the phone that holds it."""
    bot: str | None
    """The level of the bot that plays it."""
    presence: Presence
    to_act: bool = False
    mine: bool = False
    left_by: str | None = None
    """The phone that has left it in this game, and takes it back by one tap."""


class Hand(msgspec.Struct, frozen=True):
    """A phone that several people share and nobody holds: who may take it."""

    seats: tuple[Seat, ...]
    following: Seat | None = None
    """Whom to pass it to: who is to act or to answer; null where nobody of this phone is waited for."""


class Qr(msgspec.Struct, frozen=True):
    """A QR code to draw: a square of `size` units (border included), its dark parts one SVG path."""

    size: int
    path: str


class Join(msgspec.Struct, frozen=True):
    """How another phone gets in: a short code, the same as a link, the same as a picture. It expires."""

    code: str
    url: str
    qr: Qr
    minutes: int
    """For how long at least it stays good; 0 for one that is good until it is used."""


class Secured(msgspec.Struct, frozen=True):
    """How this table is reached over HTTPS, or why it is not."""

    urls: tuple[str, ...] = ()
    port: int = 0
    fingerprint: str = ""
    """Of the certificate that phones install."""
    fault: Saying | None = None


class Wifi(msgspec.Struct, frozen=True):
    """The table's own Wi-Fi, for whoever is in the room: to be scanned before anything else."""

    name: str
    key: str
    qr: Qr


class Offer(msgspec.Struct, frozen=True):
    """A seat of this phone that waits to be picked up by another phone with this link."""

    seat: Seat
    join: Join


class UndoAsked(msgspec.Struct, frozen=True):
    """Somebody wants to take back the last move, and one seat of each side must agree."""

    by: Seat
    name: str
    agreed: tuple[Seat, ...]
    ask: tuple[Seat, ...]
    """The seats of *this phone* that are asked: show "agree" and "decline" for these, nothing if empty."""


class ModeratorAsked(msgspec.Struct, frozen=True):
    """Somebody asks to be moderator, and the others must agree."""

    name: str
    plays: bool
    ask: tuple[Seat, ...]
    """The seats of *this phone* that are asked."""


class Option(msgspec.Struct, frozen=True):
    """One choice of the host's set-up, in words. Its form field is `option-<name>`."""

    name: str
    label: str
    hint: str
    by_the_rules: str
    """What it is as long as nobody chooses anything."""
    words: dict[str, str]
    """Each value with its words; none where a number is asked for."""
    value: str = ""
    """What the plan says now, as the form field would send it; empty means: left to the rules."""
    span: tuple[int | None, int | None] | None = None
    """The least and the most of a number."""


class Preset(msgspec.Struct, frozen=True):
    """A set of rules: its name in the form, what it is called, and what it changes, option by option."""

    name: str
    label: str
    does: tuple[tuple[str, str], ...]


class BoxChoice(msgspec.Struct, frozen=True):
    """A box profile: which tiles and printed room names this family's box has."""

    name: str
    title: str
    chosen: bool = False


class Plan(msgspec.Struct, frozen=True):
    """What the host has chosen for the next game, and what there is to choose from."""

    game: str
    players: int
    preset: str
    """Empty for none."""
    upfront: tuple[Option, ...]
    """The options that stand among the first choices (`GamePages.upfront`)."""
    games: tuple[str, ...]
    presets: tuple[Preset, ...]
    companion: str
    """The role that the companion plays; empty for none."""
    level: str
    roles: tuple[str, ...]
    """The roles that it can be given."""
    options: tuple[Option, ...]
    elsewhere: dict[str, Any]
    """What was chosen on other pages, by option, as plain data."""
    boxes: tuple[BoxChoice, ...]
    levels: tuple[str, ...]
    """The levels of bots."""
    problem: str = ""
    """Why this cannot be played yet, already in this phone's language; empty where it can."""


class Lamps(msgspec.Struct, frozen=True):
    """What the shared board shows: in game terms, and as the colours really sent to the strips."""

    rooms: dict[int, Glow] = {}
    marks: dict[int, tuple[str, ...]] = {}
    gauges: dict[str, Gauge] = {}
    seats: dict[str, Glow] = {}
    strips: dict[str, list[str]] = {}
    """Six hexadecimal digits a lamp; empty without a board."""
    dark: bool = False
    """The board belongs to one seat now, and screens show nothing of it."""
    buttons: tuple[str, ...] = ()
    """The buttons of the simulated board that can be clicked here."""
    sign: str = ""
    """What a simulated board says of itself while no game is on (`companion.board.Sign`)."""
    palette: Palette = "standard"
    """For whose eyes they shine."""


class MapSeen(msgspec.Struct, frozen=True):
    """The hunters' map at one moment, from what everybody knows."""

    worlds: int
    """How many ways there are for those who hide to be where they are; none: it contradicts itself."""
    possible: frozenset[int]
    impossible: frozenset[int]
    percent: dict[int, int] = {}
    """How likely somebody is in each room; empty where the table plays without it."""
    ruled_out: tuple[int, ...] | None = None
    """The rooms where somebody could be until the last action; null before there was one."""
    corrections: tuple[tuple[str, ...], ...] = ()
    """If it contradicts itself: the smallest sets of things told wrong that would make sense of it."""


class Pencilled(msgspec.Struct, frozen=True):
    """A pencil mark as its reader sees it."""

    room: int
    says: str
    note: str = ""
    shared: bool = False


class Character(msgspec.Struct, frozen=True):
    """What the bot on a seat was like in the game that is over, already in this phone's language."""

    seat: Seat
    name: str
    line: str


class Consultation(msgspec.Struct, frozen=True):
    """The doctor's visit to the board, in the language of whoever answers."""

    question: str = ""
    """What is asked now; empty before the visit and after it."""
    answers: tuple[tuple[str, str], ...] = ()
    """The words that answer it, each with what the button says."""
    wants_number: bool = False
    findings: tuple[str, ...] = ()
    over: bool = False
    contacts: tuple[str, ...] = ()
    """The contacts of a simulated board, to be touched here; a real one is touched by a finger."""
    strips: dict[str, list[str]] = {}
    """The lamps of a simulated board, as in `Lamps`."""


class Scored(msgspec.Struct, frozen=True):
    """How often somebody has won tonight, of how many games."""

    name: str
    won: int
    played: int


class Sealed(msgspec.Struct, frozen=True):
    """How far the chain of seals has come, for whoever wants to note it (`companion.seals`)."""

    n: int
    digits: str
    """As many of them as a person notes."""
    happened: tuple[tuple[str, int], ...] = ()
    """What happened to this game that is no part of it, and how often (`Table.happenings`)."""


class Says(msgspec.Struct, frozen=True):
    """Something the whole table was told about the evening, already in this phone's language."""

    n: int
    text: str


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """What one page shows to one phone at one moment."""

    page: Page
    language: str
    """`en`, `fr` or `de`."""
    csrf: str = CSRF
    version: int
    """The hidden field `version` of every form: the moment this page shows."""
    stage: Stage
    me: Phone | None = None
    """Null for a stranger."""
    joined: bool = False
    """Whether whoever looks has joined; on a page that all share `me` does not say it."""
    game: str | None = None
    """The name of the running game (its words are `<game>.…`), or of the planned one in the lobby."""
    seat: Seat | None = None
    """Whose eyes this page has: a seat of this phone, `moderator`, `host` or `public`."""
    shows: Any = None
    """What that seat may know (`companion.games.<game>.view.Shows`); null in the lobby."""
    ground: Any = None
    """The printed board under everything, where tables have different ones (`Game.ground`)."""
    ahead: Any = None
    """What can be foreseen from what that seat knows, where a game helps its players (`Game.ahead`)."""
    copied: int = 0
    """How many of the steps that people copy on the real board they have copied (`Table.copying`)."""
    result: Result | None = None
    """Who has won, and why; null while it goes on."""
    errands: tuple[dict[str, Any], ...] = ()
    """What the companion has decided for hands to do on the real board (`Table.errands`), as plain events."""
    phase: str | None = None
    to_act: tuple[Seat, ...] = ()
    legal: dict[Seat, tuple[dict[str, Any], ...]] = {}
    """What may be done from this page: for its seat, for `table` (a real card that somebody drew), for the
    moderator for every seat to act. As plain data; a form sends one of them as JSON in the field `action`, or
    its fields one by one, with the seat it is for in `seat`."""
    picture: Picture | None = None
    """In its turn the lamps as they would be for its eyes alone: its true lines. Draw it as a secret."""
    lamps: Lamps | None = None
    """The shared lamps, as everybody sees them."""
    map: MapSeen | None = None
    """The hunters' map, where the table plays with it: on hunters' phones and on pages for all."""
    pencil: tuple[Pencilled, ...] | None = None
    """A hunter's own marks and those of the team, where the table allows them."""
    sheets: dict[str, tuple[Pencilled, ...]] = {}
    """For the moderator: all marks, by the seat or the role that they belong to."""
    doubts: tuple[tuple[str, ...], ...] | None = None
    """What may have been told wrong, where this seat could not say what it found; null without a doubt."""
    may_hint: bool = False
    """Whether this page may ask for a strong bot's opinion now."""
    hint: str = ""
    """The opinion that was asked for. Unless it is a hunter's it is a secret."""
    places: tuple[Place, ...] = ()
    phones: tuple[Phone, ...] = ()
    """Everybody at the table, for the host's and moderator's pages; empty elsewhere."""
    history: tuple[Line, ...] = ()
    """The open record, oldest first."""
    says: tuple[Says, ...] = ()
    """Public notices, oldest first: a player became moderator, a seat changed hands."""
    heard: int = 0
    """The last of them that was seen on this phone."""
    seen: int = 0
    """The last line of the record whose news were seen on this phone."""
    notices: tuple[Notice, ...] = ()
    paused: bool = False
    undo: UndoAsked | None = None
    moderator_asked: ModeratorAsked | None = None
    can_undo: bool = False
    can_redo: bool = False
    join: Join | None = None
    """Only where the reader may let others in."""
    be_host: Join | None = None
    """How the first phone becomes host: on the table's own screen, while nobody is."""
    addresses: tuple[str, ...] = ()
    """Where a browser finds this table: by number, and by name where the network knows one."""
    secured: Secured | None = None
    """On the table page: the same over HTTPS, where that is switched on."""
    wifi: Wifi | None = None
    """On the table page, while the table has a Wi-Fi of its own; only where the reader may let others in."""
    offers: tuple[Offer, ...] = ()
    plan: Plan | None = None
    """Only on the host's page."""
    host_missing: bool = False
    """Nobody is host yet: the front page asks for the PIN first."""
    code: str = ""
    """On the page `join`: the code from the link, to be sent back by its form."""
    new_table: bool = False
    """Nobody has taken the first steps yet, nor said that they can wait; only on the host's page."""
    at_once: bool = False
    """For whoever runs the evening: the whole board can be dealt by one tap (`BoardEntry.at_once`)."""
    brightness: int = 100
    """Of the real lamps, in per cent; the host's page sets it."""
    palette: Palette = "standard"
    """Of the real lamps; the host's page sets it."""
    faults: tuple[str, ...] = ()
    """What is broken on the board, for whoever runs the evening; elsewhere only that the lamps are out."""
    seal: Sealed | None = None
    """On the table page, and on every page of a game that is over."""
    characters: tuple[Character, ...] = ()
    """On every page of a game that is over: what its bots were like."""
    score: tuple[Scored, ...] = ()
    """On every page of a game that is over: the score of the evening, the best first."""
    same_board: bool = False
    """On those pages: whether the next game can have the same board."""
    set_aside: bool = False
    """Whether something of that was set aside at a start, and nobody has said that they have read it."""
    hand: Hand | None = None
    """On the page `play` of a shared phone that nobody holds; then there is nothing of any seat."""
    hold: str = ""
    """The hidden field `hold` of every form: that this page is in the hand of its seat."""
    sketch: Any = None
    """On the page `lay`: the board as it is being entered, as the game wants it; null where none is."""
    check: Checkup | None = None
    """On the pages of whoever runs the evening: board and record compared; null where there is nothing to."""
    check_due: bool = False
    """Nobody has looked yet whether the real board is as recorded."""
    doctor: Consultation | None = None
    """Only on the doctor's page; null where there is no board."""
    open: Open | None = None
    """The same moment as everybody sees it, where a game is on."""


class Open(Scene, frozen=True, kw_only=True, eq=False):
    """A moment without a reader: what lies open on the table, and nobody's secret.

    All pages of that moment have the same one, so that what is drawn from it is drawn once for all of them.
    """
