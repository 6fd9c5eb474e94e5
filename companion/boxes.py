"""Box profiles: what is printed on a family's own copy of a game, told once, kept, and shared as a file.

What a profile holds is the game's business (`Game.box`); here it is read, checked and put on a shelf.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.contract import Game, View, plain, read
from companion.disk import NotOurs, is_own, make_folder, open_plain, remove, write_file
from companion.refusals import Illegal, Malformed, NotSaved, Refusal, TooLarge
from companion.words import Saying

VERSION = 1
LARGEST_FILE = 1 << 16
LONGEST_NAME = 40


class Profile(msgspec.Struct, frozen=True):
    """A named box of one game. `box` has the type that the game says."""

    name: str
    game: str
    box: Any


class ProfileFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A profile as it lies in a file; `box_profile` is the version of this format."""

    box_profile: int
    name: str
    game: str
    box: dict[str, Any]


class BoxProblems(Illegal):
    """A profile that cannot be, with everything that is wrong with it."""

    def __init__(self, problems: tuple[Saying, ...]) -> None:
        super().__init__("companion.box_problems", problems=problems)
        self.problems = problems


def from_file(data: bytes) -> Profile:
    """The profile in a file, checked; a refusal names every problem."""
    if len(data) > LARGEST_FILE:
        raise TooLarge("companion.box_too_large", most=LARGEST_FILE)
    try:
        content = msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as fault:
        raise Malformed("companion.not_json", fault=str(fault)) from None
    version = content.get("box_profile") if isinstance(content, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise Malformed("companion.box_too_new", version=version, known=VERSION)
    file: ProfileFile = read(content, ProfileFile, "box profile")
    return checked(Profile(file.name, file.game, read(file.box, _kind(games.find(file.game)), "box")))


def to_file(profile: Profile) -> bytes:
    """A profile as the content of a file."""
    file = ProfileFile(VERSION, profile.name, profile.game, plain(profile.box))
    return msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n"


def checked(profile: Profile) -> Profile:
    """The same profile, if nothing is wrong with it."""
    game = games.find(profile.game)
    _kind(game)
    problems = (*_name_problems(profile.name), *game.box_problems(profile.box))
    if problems:
        raise BoxProblems(problems)
    return profile


def options(profile: Profile) -> dict[str, Any]:
    """The options that a game with this box is begun with."""
    return games.find(profile.game).box_options(profile.box)


def learned(name: str, game: str, view: View) -> Profile:
    """The box of a table, from a view that has seen all of it."""
    box = games.find(game).learn_box(view)
    if box is None:
        raise Illegal("companion.box_not_seen")
    return checked(Profile(name, game, box))


def _kind(game: Game[Any]) -> type[msgspec.Struct]:
    if game.box is None:
        raise Illegal("companion.box_of_no_use", game=game.name)
    return game.box


def _name_problems(name: str) -> Iterator[Saying]:
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        yield Saying("companion.box_name", most=LONGEST_NAME)


class Shelf:
    """The boxes of a household: a folder with one file each. A file that cannot be read harms no other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def profiles(self) -> tuple[Profile, ...]:
        """Every box that can be read, by name."""
        found = [profile for _, profile in self._files() if isinstance(profile, Profile)]
        return tuple(sorted(found, key=lambda profile: key(profile.name)))

    def faults(self) -> tuple[tuple[str, Refusal], ...]:
        """The files on the shelf that cannot be read, and why."""
        return tuple((path.name, fault) for path, fault in self._files() if isinstance(fault, Refusal))

    def find(self, name: str) -> Profile:
        """A box by its name; capitals do not matter."""
        for profile in self.profiles():
            if key(profile.name) == key(name):
                return profile
        raise Illegal("companion.box_missing", name=name, names=tuple(each.name for each in self.profiles()))

    def add(self, profile: Profile, replace: bool = False, instead_of: str = "") -> None:
        """Put a box on the shelf, or in one step in the place of another; a namesake gives way if told so."""
        path = self._path_of(checked(profile).name)
        if path and not replace:
            raise Illegal("companion.box_exists", name=profile.name)
        path = path or (self._path_of(instead_of) if instead_of else None)
        try:
            make_folder(self.folder)
            write_file(path or self._free_path(profile), to_file(profile))
        except OSError as fault:
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault

    def remove(self, name: str) -> None:
        """Take a box off the shelf."""
        path = self._path_of(self.find(name).name)
        assert path is not None
        try:
            remove(path)
        except OSError as fault:
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault

    def _files(self) -> Iterator[tuple[Path, Profile | Refusal]]:
        for path in sorted(self.folder.glob("*.json")):
            try:
                if not is_own(path):
                    raise Malformed("companion.box_unreadable", file=path.name, fault=str(NotOurs(path)))
                yield path, load(path)
            except Refusal as refusal:
                yield path, refusal

    def _path_of(self, name: str) -> Path | None:
        for path, profile in self._files():
            if isinstance(profile, Profile) and key(profile.name) == key(name):
                return path
        return None

    def _free_path(self, profile: Profile) -> Path:
        """A file name that every system can write: the game first, then what is left of the box's name."""
        letters = unicodedata.normalize("NFKD", profile.name).encode("ascii", "ignore").decode().lower()
        stem = "-".join([profile.game, *re.findall("[a-z0-9]+", letters)])
        names = (f"{stem}.json" if n == 1 else f"{stem}-{n}.json" for n in count(1))
        return next(path for name in names if not (path := self.folder / name).exists())


def load(path: Path) -> Profile:
    """The profile in a file on the disk."""
    try:
        # A file from anywhere; a pipe or a device is not waited for.
        with open_plain(path) as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as fault:
        raise Malformed(
            "companion.box_unreadable", file=path.name, fault=fault.strerror or str(fault)
        ) from None
    return from_file(data)


def key(name: str) -> str:
    """What of a name tells boxes apart: neither capitals nor how an accent is written."""
    return unicodedata.normalize("NFC", name).casefold()
