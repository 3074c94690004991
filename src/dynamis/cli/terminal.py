"""The terminal: control characters are made visible, characters that it lacks are spelled, and progress is one line."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TextIO, cast

WIDTH = 78
"""Characters of the line of progress."""


class Terminal:
    """A stream whose text is safe to print; all else is that of `stream`, which takes our own cursor movements."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        from dynamis.printable import encodable, visible

        self.stream.write(encodable(visible(text), getattr(self.stream, "encoding", None) or "utf-8"))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def safe_output() -> Generator[None]:
    """stdout and stderr as Terminals."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast(TextIO, Terminal(out)), cast(TextIO, Terminal(err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


class Progress:
    """Shows one line on stderr, over and over, and wipes it at the end; nothing where stderr is not a terminal.

    >>> with Progress("deriving") as progress:
    ...     progress("Mass matrix")
    """

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.visible = sys.stderr.isatty()

    def __call__(self, what: str) -> None:
        if self.visible:
            self._write(f"{self.verb}: {what}"[:WIDTH])

    def clear(self) -> None:
        """Wipe the line, so that something else can be printed in its place."""
        if self.visible:
            self._write("")
            self._write("", width=0)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *exception: object) -> None:
        self.clear()

    def _write(self, line: str, width: int = WIDTH) -> None:
        from dynamis.printable import visible

        stream = sys.stderr.stream if isinstance(sys.stderr, Terminal) else sys.stderr  # takes carriage returns
        print(f"\r{visible(line):<{width}}", end="", file=stream, flush=True)
