"""Lines of text side by side, and tables of them; letters with dots above them take one column."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

COMBINING = "\u0307\u0308"
LEAST = 24
"""A last column that wraps is at least this wide."""


def wide(line: str) -> int:
    """The columns that a line takes; dots above letters take none."""
    return sum(letter not in COMBINING for letter in line)


def beside(parts: Sequence[str]) -> str:
    """Blocks of lines side by side, their middles on one line.

    >>> print(beside(["a = ", "1\\n2\\n3", " b"]))
        1
    a = 2 b
        3
    """
    blocks = [part.split("\n") for part in parts]
    height = max(map(len, blocks))
    rows = [""] * height
    for block in blocks:
        width = max(map(wide, block))
        top = (height - 1) // 2 - (len(block) - 1) // 2
        for k in range(height):
            line = block[k - top] if 0 <= k - top < len(block) else ""
            rows[k] += line + " " * (width - wide(line))
    return "\n".join(row.rstrip() for row in rows)


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool] = (), width: int = 0) -> str:
    """Columns under a header and a rule, those of `right` aligned to the right.

    With a `width`, a last column of text that goes beyond it is wrapped.

    >>> print(text_table(["joint", "tau"], [["1", "4.36"], ["2", "1.40"]], [False, True]))
    joint   tau
    -----  ----
    1      4.36
    2      1.40
    """
    right = [*right, *[False] * (len(header) - len(right))]
    cells = [list(header), *map(list, rows)]
    widths = [max(wide(row[k].split("\n")[0]) for row in cells) for k in range(len(header))]
    room = width - sum(widths[:-1]) - 2 * (len(widths) - 1)
    if width > 0 and widths[-1] > room >= LEAST and not right[-1]:
        cells = [line for row in cells for line in _wrapped(row, room)]
        widths[-1] = max(wide(row[-1]) for row in cells)

    def line(row: list[str]) -> str:
        blanks = [" " * (w - wide(cell)) for cell, w in zip(row, widths, strict=True)]
        parts = [b + cell if r else cell + b for cell, b, r in zip(row, blanks, right, strict=True)]
        return "  ".join(parts).rstrip()

    head, *body = map(line, cells)
    return "\n".join([head, "  ".join("-" * w for w in widths).rstrip(), *body])


def _wrapped(row: list[str], room: int) -> list[list[str]]:
    """A row with its last cell on as many lines as it needs."""
    lines = wrap(row[-1], room, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) or [""]
    return [[*(row[:-1] if k == 0 else [""] * (len(row) - 1)), line] for k, line in enumerate(lines)]
