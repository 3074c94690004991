"""What is being done, on a terminal, while it takes long."""

from __future__ import annotations

import sys
from types import TracebackType

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
            line = f"{self.verb}: {what}"[:WIDTH]
            print(f"\r{line:<{WIDTH}}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            print(f"\r{'':<{WIDTH}}\r", end="", file=sys.stderr, flush=True)
