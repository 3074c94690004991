"""Lines of text side by side; letters with dots above them take one column."""

from __future__ import annotations

from collections.abc import Sequence

COMBINING = "\u0307\u0308"


def wide(line: str) -> int:
    """The columns that a line takes; dots above letters take none."""
    return len(line) - sum(map(line.count, COMBINING))


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
