"""A companion that writes down what it does to files: every write, every sync, every answer, in order.

Run as `python -m tests.crash.traced TRACE headless --journal FILE`. It is the real program; the last calls to
the system are written down as they are made.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Callable
from typing import Any

from companion import cli


class Notebook:
    """The trace, a line for each call; it is written straight away, whatever happens next."""

    def __init__(self, path: str) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(self, *words: object) -> None:
        """One line."""
        os.write(self._handle, (" ".join(map(str, words)) + "\n").encode())


class Watched:
    """A file whose writes are noted."""

    def __init__(self, file: Any, notebook: Notebook, name: str) -> None:
        self._file, self._notebook, self._name = file, notebook, name

    def write(self, data: bytes) -> Any:
        written = self._file.write(data)
        self._notebook.note("write", self._name, bytes(data).count(b"\n"))
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *fault: object) -> None:
        self._file.close()


def watch(notebook: Notebook) -> None:
    """Note every sync, every rename, every write to a file opened for it, and every answer."""
    opened = builtins.open

    def open_watched(path: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        file = opened(path, mode, *more, **named)
        if "b" in mode and any(letter in mode for letter in "wax+"):
            return Watched(file, notebook, os.path.basename(str(path)))
        return file

    def noted(call: Callable[..., Any], word: str) -> Callable[..., Any]:
        def calling(*given: Any, **named: Any) -> Any:
            answer = call(*given, **named)
            handle = given[0] if given and isinstance(given[0], int) else None
            about = os.readlink(f"/proc/self/fd/{handle}") if handle is not None else given[-1]
            notebook.note(word, os.path.basename(str(about)))
            return answer

        return calling

    builtins.open = open_watched
    os.fsync, os.fdatasync = noted(os.fsync, "sync"), noted(os.fdatasync, "sync")
    os.replace = noted(os.replace, "rename")
    sys.stdout = _Answers(sys.stdout, notebook)  # type: ignore[assignment]


class _Answers:
    """Standard output, whose lines are the answers."""

    def __init__(self, stream: Any, notebook: Notebook) -> None:
        self._stream = stream
        self.buffer = Watched(stream.buffer, notebook, "answer")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


if __name__ == "__main__":
    watch(Notebook(sys.argv[1]))
    sys.argv = ["companion", *sys.argv[2:]]
    sys.exit(cli.main())
