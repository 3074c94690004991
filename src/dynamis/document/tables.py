"""Plain text tables: what a result prints itself as."""

from __future__ import annotations

from collections.abc import Sequence


def fixed(value: float, decimals: int = 2) -> str:
    """A number with fixed decimals; what is only rounding noise has no minus sign.

    >>> fixed(-0.0027), fixed(-1e-17), fixed(318.194)
    ('-0.00', '0.00', '318.19')
    """
    noise = 1e-7 * 10.0**-decimals
    return f"{0.0 if abs(value) < noise else value:.{decimals}f}"


def short(value: float) -> str:
    """A number in at most six digits: `0.5`, `12`, `1.25e-05`."""
    return f"{value:.6g}"


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Columns under a header and a rule; the first `left` columns and texts stand to the left.

    >>> print(text_table(["joint", "tau"], [["1", "4.36"], ["2", "1.40"]]))
    joint   tau
    -----  ----
    1      4.36
    2      1.40
    """

    def aligned(cell: str, width: int, column: int) -> str:
        return cell.ljust(width) if column < left else cell.rjust(width)

    cells = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    lines = ["  ".join(map(aligned, row, widths, range(len(row)))) for row in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(line.rstrip() for line in lines)
