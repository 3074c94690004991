"""What is being done, on a terminal, while it takes long."""

from __future__ import annotations

import sys
from types import TracebackType

from dynamis.cli.terminal import cursor_stream
from dynamis.printable import visible

WIDTH = 78


class Progress:
    """Shows one line on stderr, over and over, and wipes it at the end; nothing where stderr is no terminal.

    >>> with Progress("deriving") as progress:
    ...     progress("Mass matrix")
    """

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.shown = sys.stderr.isatty()

    def __call__(self, what: str) -> None:
        if self.shown:
            self._write(f"{self.verb}: {what}"[:WIDTH])

    def clear(self) -> None:
        """Wipe the line, so that something else can be printed in its place."""
        if self.shown:
            self._write("")
            self._write("", width=0)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def _write(self, line: str, width: int = WIDTH) -> None:
        print(f"\r{visible(line):<{width}}", end="", file=cursor_stream(sys.stderr), flush=True)
