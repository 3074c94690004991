"""The lines of a table in a text file, one after another, so that it need not fit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from dynamis.errors import FormatError

MAX_LINE = 1_000_000
"""Characters: a table of 40 000 columns."""
MAX_EMPTY = 100_000
"""Lines without numbers, beyond one per line with numbers."""


def table_lines(file: IO[str]) -> Iterator[str]:
    """The lines with their ends.

    >>> import io
    >>> list(table_lines(io.StringIO("t,q1\\n0,1\\n")))
    ['t,q1\\n', '0,1\\n']
    """
    room = MAX_EMPTY
    while line := file.readline(MAX_LINE):
        if len(line) == MAX_LINE:
            raise FormatError(f"has a line of more than {MAX_LINE} characters; it is not a table")
        room += -1 if line.isspace() or line[0] == "#" else 1
        if room < 0:
            raise FormatError(f"has more than {MAX_EMPTY} lines without numbers; it is not a table")
        yield line
