"""The lines of an equation: which there are, which stand beside each other, and which equations have numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from dynamis.telling.blocks import Block, Equation, Rule, Section

if TYPE_CHECKING:
    from dynamis.telling.formula import Formula
    from dynamis.telling.notation.formula_printer import FormulaPrinter
    from dynamis.telling.notation.language import Language
    from dynamis.telling.notation.matrix_entries import Places

Rows = list[tuple[str, list[str]]]
"""Equations under each other: (left side, lines of the right side); an empty left side goes on."""
EQUATION_MARGIN = 8
"""Columns of a text that are left and right of its equations."""
PAPER_WIDTH = 100
"""Characters of an equation that a printed page has room for."""
EQUALS_WIDTH = 3
"""Characters of an equals sign with its blanks."""
EQUATION_GAP = 6
"""Characters between equations that stand beside each other."""
DRAWING_HEIGHT, DRAWING_WIDTH = 145, 455
"""The height of a drawing on paper, in points, and its width at most; a taller one is made smaller."""
MIN_DRAWING_SCALE = 0.715
"""As small as a drawing becomes: its labels are 7 points high then, their indices 5."""


def drawing_scale(width: float, height: float) -> float:
    """How large a drawing stands on paper, as a share of its size."""
    return min(1.0, max(DRAWING_HEIGHT / height, MIN_DRAWING_SCALE), DRAWING_WIDTH / width)


def pack_lines(
    lines: list[tuple[str, list[str], float]], room: float, language: Language, gap: str
) -> tuple[Rows, float]:
    """The lines of an equation (left side, lines of the right side, their width), short ones beside each other, and so
    the entries that it names; and how wide the last line is."""
    rows: Rows = []
    used = inf
    for k, (left, parts, right_width) in enumerate(lines):
        width = right_width + (language.length(left) + EQUALS_WIDTH if left else 0)
        entry = bool(left) and k > 1 and bool(lines[k - 1][0])
        space = EQUATION_GAP if entry else EQUALS_WIDTH
        fits = used + space + width <= room and len(parts) == len(rows[-1][1]) == 1
        if fits and (entry or not left):
            before, (line,) = rows[-1]
            sign = language.signs["="]
            rows[-1] = (before, [line + (f"{gap}{left}{sign}" if entry else sign) + parts[0]])
            used += space + width
        else:
            rows.append((left, parts))
            used = width
    return rows, used


def plan(
    equation: Equation, text: FormulaPrinter, page_width: int, matrix_width: int
) -> tuple[list[Formula], Places | None]:
    """The lines before the result, and which entries of a matrix it only names (see `names_needed`).

    They are chosen by how wide they are as text, which `text` writes, so that a page has the same lines in every
    format; a format with more or less room has wider or narrower matrices. When the time is over there is only the
    first line.
    """
    from dynamis.telling.formula import Val

    width = page_width - EQUATION_MARGIN
    room = text.language.length(text.inline(equation.left_side)) + 3
    ways = [way for way in equation.ways if text.has_symbols(way)]
    candidates = ways[:1] if text.late else ways
    narrow = min(width, matrix_width + EQUATION_MARGIN)  # vectors have no gaps between columns
    fitting = [w for k, w in enumerate(candidates) if k == 0 or text.fits(w, narrow, room)]
    named: Places | None = frozenset()
    if equation.right is not None:
        is_matrix = isinstance(equation.right, list) and isinstance(equation.right[0], list)
        most = (matrix_width if is_matrix else narrow) - room
        named = text.names_needed(equation.left, equation.right, most, equation.axes)
    texts = [text.inline(way) for way in fitting]
    if equation.right is not None and named is not None and not named:
        texts.append(text.inline((Val(equation.right),)))
    sums = [*map(_summands, texts), None]
    return [way for k, way in enumerate(fitting) if sums[k] != sums[k + 1]], named


def _summands(text: str) -> list[str]:
    """The terms of a sum with their signs, in one order for all; a matrix, of several lines, is one.

    >>> _summands("b (c + a) − a") == _summands("−a + b (c + a)")
    True
    """
    if "\n" in text:
        return [text]
    terms, depth = list[str](), 0
    for word in (f"− {text[1:]}" if text.startswith("−") else f"+ {text}").split(" "):
        if depth == 0 and word in ("+", "−"):
            terms.append(word)
        else:
            terms[-1] += f" {word}"
            depth += word.count("(") - word.count(")")
    return sorted(terms)


def labels(blocks: tuple[Block, ...]) -> Iterator[str]:
    """The labels of the equations, in order; a document in a document has none."""
    for block in blocks:
        match block:
            case Equation(label=label) | Rule(label=label) if label:
                yield label
            case Section(missing=None):
                yield from labels(block.blocks)
            case _:
                pass
