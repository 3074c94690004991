"""Where the command line prints: control characters are shown, and characters that the terminal lacks are spelled."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TextIO, cast


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


def cursor_stream(stream: TextIO) -> TextIO:
    """The stream itself, for our own carriage returns."""
    return stream.stream if isinstance(stream, Terminal) else stream
