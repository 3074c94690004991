"""The lines of an equation: which there are, which stand beside each other, and which equations have numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dynamis.document.blocks import Block, Equation, Rule, Section
from dynamis.document.layout import wide

if TYPE_CHECKING:
    from dynamis.document.formula import Formula
    from dynamis.document.notation.formula_printer import FormulaPrinter
    from dynamis.document.notation.matrix_entries import Places

Rows = list[tuple[str, list[str]]]
"""Equations under each other: (left side, lines of the right side); an empty left side goes on."""
MARGIN = 8
"""Columns of a text that are left and right of its equations."""
PAPER = 100
"""Characters of an equation that a printed page has room for."""
LINE = 112
"""Characters of the same equation as text, which has blanks between factors."""
GAP = 6
"""Characters between equations that stand beside each other."""
TALL, WIDE = 145, 455
"""The height of a drawing on paper, in points, and its width at most; a taller one is made smaller."""
LEGIBLE = 0.715
"""As small as a drawing becomes: its labels are 7 points high then, their indices 5."""


def drawing_scale(width: float, height: float) -> float:
    """How large a drawing stands on paper, as a share of its size."""
    return min(1.0, max(TALL / height, LEGIBLE), WIDE / width)


def packed(rows: Rows, widths: list[int], room: int, equals: str) -> Rows:
    """The lines of an equation, short ones beside each other; the first `widths` of them are so wide."""
    packed: Rows = []
    used = 0
    for k, (left, lines) in enumerate(rows):
        width = widths[k] if k < len(widths) else LINE
        used += 3 + width
        if packed and not left and used <= room and len(lines) == len(packed[-1][1]) == 1:
            before, (line,) = packed[-1]
            packed[-1] = (before, [line + equals + lines[0]])
        else:
            packed.append((left, lines))
            used = width
    return packed


def plan(
    equation: Equation, text: FormulaPrinter, page_width: int, matrix_width: int
) -> tuple[list[Formula], Places | None, list[int]]:
    """The lines before the result, which entries of a matrix it only names (see `names_needed`), and how wide the
    lines are as text.

    They are chosen by how wide they are as text, which `text` writes, so that a page has the same lines in every
    format; a format with more or less room has wider or narrower matrices. When the time is over there is only the
    first line.
    """
    from dynamis.document.formula import Val

    width = page_width - MARGIN
    room = text.language.length(text.inline(equation.left_side)) + 3
    ways = [way for way in equation.ways if text.has_symbols(way)]
    candidates = ways[:1] if text.late else ways
    narrow = min(width, matrix_width + MARGIN)  # vectors have no gaps between columns
    fitting = [w for k, w in enumerate(candidates) if k == 0 or text.fits(w, narrow, room)]
    named: Places | None = frozenset()
    if equation.right is not None:
        is_matrix = isinstance(equation.right, list) and isinstance(equation.right[0], list)
        most = (matrix_width if is_matrix else narrow) - room
        named = text.names_needed(equation.left, equation.right, most, equation.axes)
    texts = [text.inline(way) for way in fitting]
    if equation.right is not None and named is not None and not named:
        texts.append(text.inline((Val(equation.right),)))
    different = [k for k in range(len(texts)) if texts[k : k + 1] != texts[k + 1 : k + 2]]
    widths = [room * (k == 0) + max(map(wide, texts[at].split("\n"))) for k, at in enumerate(different)]
    return [fitting[k] for k in different if k < len(fitting)], named, widths


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
