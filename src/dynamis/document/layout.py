"""Lines of text side by side, and tables of them; letters with dots above them take one column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap

COMBINING = "\u0307\u0308"
LEAST = 24
"""A column that wraps is at least this wide."""


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

    With a `width`, columns of text share the room that the others leave, and wrap.

    >>> print(text_table(["joint", "tau"], [["1", "4.36"], ["2", "1.40"]], [False, True]))
    joint   tau
    -----  ----
    1      4.36
    2      1.40
    """
    right = [*right, *[False] * (len(header) - len(right))]
    cells = [list(header), *map(list, rows)]
    widths = [max(wide(row[k].split("\n")[0]) for row in cells) for k in range(len(header))]
    if width > 0 and (rooms := _rooms(widths, right, width)):
        cells = [line for row in cells for line in _wrapped(row, rooms)]
        widths = [max(wide(row[k]) for row in cells) for k in range(len(header))]

    def line(row: list[str]) -> str:
        blanks = [" " * (w - wide(cell)) for cell, w in zip(row, widths, strict=True)]
        parts = [b + cell if r else cell + b for cell, b, r in zip(row, blanks, right, strict=True)]
        return "  ".join(parts).rstrip()

    head, *body = map(line, cells)
    return "\n".join([head, "  ".join("-" * w for w in widths).rstrip(), *body])


def _rooms(widths: list[int], right: Sequence[bool], width: int) -> dict[int, int]:
    """The widths of the columns that wrap; none where the table has room, or too little room for all of them."""
    over = sum(widths) + 2 * (len(widths) - 1) - width
    texts = sorted((k for k in range(len(widths)) if not right[k] and widths[k] > LEAST), key=lambda k: widths[k])
    room = sum(widths[k] for k in texts) - over
    if over <= 0 or room < LEAST * len(texts):
        return {}
    rooms: dict[int, int] = {}
    for count, k in enumerate(texts):
        rooms[k] = min(widths[k], room // (len(texts) - count))
        room -= rooms[k]
    return rooms


def _wrapped(row: list[str], rooms: dict[int, int]) -> list[list[str]]:
    """A row with its long cells on as many lines as they need."""
    cells = [
        wrap(cell, rooms[k], subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) or [""]
        if k in rooms
        else [cell]
        for k, cell in enumerate(row)
    ]
    return [list(line) for line in zip_longest(*cells, fillvalue="")]
