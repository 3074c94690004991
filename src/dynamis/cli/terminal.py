"""The terminal: its width and its colours, control characters made visible, and progress in one line."""

from __future__ import annotations

import locale
import os
import re
import sys
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TextIO, cast

PROGRESS_WIDTH = 78
"""Characters of the line of progress."""
_CODES = {
    "\ue010": "\x1b[1m", "\ue011": "\x1b[33m", "\ue012": "\x1b[31m", "\ue013": "\x1b[0m", "\ue014": "\x1b[32m",
    "\ue015": "\x1b[36m",
}  # fmt: skip
"""The escape codes of the marks of `dynamis.base.printable`: bold, yellow, red, the end of all, green, cyan."""


def page_width(most: int = 100) -> int:
    """The width of a page: that of the terminal (or of COLUMNS) where there is one, at most `most`."""
    from shutil import get_terminal_size

    return max(min(get_terminal_size((most, 24)).columns, most), 40)


def has_colours(stream: TextIO) -> bool:
    """Whether text there may be bold or coloured: on a terminal, unless NO_COLOR is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_marked(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    """Print a text with marks of weight and colour: as escape codes on a terminal that has them, else without."""
    out: TextIO = sys.stdout if stream is None else stream
    parts = re.split(f"([{''.join(_CODES)}])", text + end)
    if not has_colours(out):
        out.write("".join(part for part in parts if part not in _CODES))
        return
    raw = out.stream if isinstance(out, Terminal) else out
    for part in parts:
        (raw if part in _CODES else out).write(_CODES.get(part, part))


def remark(kind: str, sentence: object) -> None:
    """Print `error: ...`, `warning: ...` or `note: ...` on stderr; on a terminal its first word has a colour."""
    from dynamis.base.printable import ERROR, PLAIN, STRONG, WARNING, visible

    mark = {"error": ERROR, "interrupted": ERROR, "warning": WARNING}.get(kind, STRONG)
    lines = visible(str(sentence)).split("\n")
    if sys.stderr.isatty():
        lines[0] = wrap_sentence(lines[0], len(kind) + 2)
    print_marked(f"{mark}{kind}:{PLAIN} {chr(10).join(lines)}", sys.stderr)


def wrap_sentence(sentence: str, before: int = 0) -> str:
    """A sentence in lines of the terminal, behind so many characters; words stay whole."""
    from textwrap import fill

    width = page_width(1000)
    text = fill(" " * before + sentence, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return text[before:]


class WarningPrinter:
    """Prints a warning unless it was printed before: a robot that is made anew with other values is checked anew."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, message: Warning | str, *_: Any, **__: Any) -> None:
        if str(message) not in self.texts:
            self.texts.append(str(message))
            remark("warning", message)


def warnings_so_far() -> tuple[str, ...]:
    """The warnings that were printed, which pages repeat."""
    printer = warnings.showwarning
    return tuple(printer.texts) if isinstance(printer, WarningPrinter) else ()


class Terminal:
    """A stream whose text is safe to print; all else is that of `stream`, which takes our own cursor movements."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        from dynamis.base.printable import encodable, visible

        self.stream.write(encodable(visible(text), self.encoding))
        return len(text)

    @property
    def encoding(self) -> str:
        """What the stream takes; of a terminal what its locale says: Python writes UTF-8 under LC_ALL=C, too."""
        own = getattr(self.stream, "encoding", None) or "utf-8"
        asked = os.environ.keys() & {"PYTHONUTF8", "PYTHONIOENCODING"}
        return locale.getencoding() if own == "utf-8" and self.stream.isatty() and not asked else own

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

    It says how long the work has taken and, of work that is told as "3 of 10 s", how long the rest will take.

    >>> with Progress("deriving") as progress:
    ...     progress("Mass matrix")
    """

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.visible = sys.stderr.isatty()
        self.begun = monotonic()
        self.phase, self.share = self.begun, 0.0  # of what is counted now: when it began, and how much is done

    def __call__(self, what: str) -> None:
        if self.visible:
            times = f" ({self._times(what)})"
            self._write(f"{self.verb}: {what}"[: PROGRESS_WIDTH - len(times)] + times)

    def _times(self, what: str) -> str:
        now = monotonic()
        counted = re.match(r"([\d.,e+-]+) of ([\d.,e+-]+)", what)
        done, total = (float(text.replace(",", "")) for text in counted.groups()) if counted else (0.0, 1.0)
        share = done / total if total else 0.0
        if share < self.share:
            self.phase = now
        self.share = share
        elapsed = f"{_duration(now - self.begun)} elapsed"
        if not 0.01 <= share < 1 or now == self.phase:
            return elapsed
        return f"{elapsed}, {_duration((now - self.phase) * (1 / share - 1))} left"

    def clear(self) -> None:
        """Wipe the line, so that something else can be printed in its place."""
        if self.visible:
            self._write("")
            self._write("", width=0)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *exception: object) -> None:
        self.clear()

    def _write(self, line: str, width: int = PROGRESS_WIDTH) -> None:
        from dynamis.base.printable import visible

        stream = sys.stderr.stream if isinstance(sys.stderr, Terminal) else sys.stderr  # takes carriage returns
        print(f"\r{visible(line):<{width}}", end="", file=stream, flush=True)


def _duration(seconds: float) -> str:
    """`7 s`, `2:05 min`, `1:02:03 h`.

    >>> _duration(7.4), _duration(125), _duration(3723)
    ('7 s', '2:05 min', '1:02:03 h')
    """
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    if whole < 60:
        return f"{whole} s"
    return f"{minutes}:{rest:02} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02} h"
