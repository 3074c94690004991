"""Matrices as an answer writes them out, in one of four syntaxes.

[a, b; c, d]  [a b; c d]                MATLAB; a new line is a new row
Matrix([[a, b], [c, d]])                SymPy; also without the name, and Matrix(2, 2, [a, b, c, d])
zeros(2, 2)  ones(2, 2)  eye(2)         both
\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}   LaTeX
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from dynamis.apps.grading.reading.trees import Number, Rows, Tree
from dynamis.apps.grading.values import MAX_CELLS

if TYPE_CHECKING:
    from dynamis.apps.grading.reading.parser import Parser

NAMES = ("Matrix", "matrix", "array", "ImmutableMatrix", "ImmutableDenseMatrix")
FILLED = ("zeros", "ones", "eye")
OPENING = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
MISSING = '"," between two entries, or * between two factors, is missing before this'
Cells = list[list[Tree]]
BELOW_DIAGONAL = Number(Fraction(0), -1)
"""Stands for the entry on the other side of the diagonal."""


def parse_brackets(parser: Parser) -> Tree:
    """[...]; in LaTeX it may be the bracket of an environment."""
    if parser.ahead(1).text == "begin":
        opening = parser.advance()
        inner = parser.sum()
        parser.expect("]", opening)
        return inner
    by_entry, nested = parser.names.by_entry, parser.ahead(1).text == "["
    rows = _brackets(parser)
    if by_entry and not nested and len(rows) == 1:  # a list, beside arrays of NumPy
        return _matrix(parser, [[cell] for cell in rows[0]], rows[0][0].start, 1)
    return _matrix(parser, rows, rows[0][0].start, 2 if by_entry and nested else None)


def matrix_call(parser: Parser) -> Rows:
    """Matrix(...), array(...) of rows; a list of scalars is a column."""
    start = parser.token.start
    opening = parser.expect("(")
    shape: tuple[int, ...] = ()
    while parser.token.kind == "number":
        shape = (*shape, _count(parser))
        parser.expect(",")
    flat = parser.ahead(1).text != "["
    rows: Sequence[Sequence[Tree]] = _brackets(parser)
    parser.expect(")", opening)
    if len(shape) == 2 and len(rows) == 1 and len(rows[0]) == shape[0] * shape[1]:
        rows = [rows[0][k : k + shape[1]] for k in range(0, len(rows[0]), shape[1])]
    elif flat and not shape and len(rows) == 1:
        return _matrix(parser, [[cell] for cell in rows[0]], start, 1 if parser.names.by_entry else None)
    return _matrix(parser, rows, start, 2 if parser.names.by_entry else None)


def parse_filled_matrix(parser: Parser, name: str) -> Rows:
    """zeros(2, 1), zeros((2, 2)), ones, eye; zeros(2), a vector in NumPy and a matrix elsewhere."""
    start = parser.token.start
    opening = parser.expect("(")
    inner = parser.take("(", "[")
    counts = [_count(parser)]
    while parser.take(","):
        counts.append(_count(parser))
    if inner:
        parser.expect({"(": ")", "[": "]"}[inner])
    parser.expect(")", opening)
    by_entry = parser.names.by_entry
    axes = 2 if name == "eye" else len(counts)
    rows, columns = counts[0], 1 if by_entry and axes == 1 else counts[-1]
    if len(counts) > 2 or not 1 <= rows * columns <= MAX_CELLS:
        raise parser.source.error(start, f"{name} takes a number of rows and of columns, at most {MAX_CELLS} entries")
    ones = [[name == "ones" or (name == "eye" and i == j) for j in range(columns)] for i in range(rows)]
    cells = tuple(tuple(Number(Fraction(one), start) for one in row) for row in ones)
    return Rows(cells, start, axes if by_entry else None)


def environment(parser: Parser) -> Rows:
    """Between \\begin{bmatrix}, of which `begin` is taken, and \\end{bmatrix}."""
    start = parser.token.start
    _environment_name(parser)
    rows: Cells = [[]]
    while True:
        mirrored = parser.ahead(1).text in ("&", "\\\\", "end") and parser.take("*", "ast", "star")
        rows[-1].append(BELOW_DIAGONAL if mirrored else parser.sum())
        if parser.take("&"):
            continue
        if parser.take("\\\\") and parser.token.text != "end":
            rows.append([])
            continue
        if not parser.take("end"):
            raise parser.error('"&", "\\\\" or \\end is expected')
        _environment_name(parser)
        return _fill_symmetric(parser, _matrix(parser, rows, start))


def _fill_symmetric(parser: Parser, matrix: Rows) -> Rows:
    """A symmetric matrix with its entries in the place of the `*` on the other side of the diagonal."""
    cells = matrix.rows
    if not any(cell is BELOW_DIAGONAL for row in cells for cell in row):
        return matrix
    if len(cells) != len(cells[0]):
        raise parser.source.error(matrix.start, "a matrix with * for its symmetric entries has as many rows as columns")
    rows = [
        [cells[j][i] if cell is BELOW_DIAGONAL else cell for j, cell in enumerate(row)] for i, row in enumerate(cells)
    ]
    if any(cell is BELOW_DIAGONAL for row in rows for cell in row):
        raise parser.source.error(matrix.start, "two * of this matrix stand for each other")
    return Rows(tuple(map(tuple, rows)), matrix.start, matrix.axes)


def _matrix(parser: Parser, rows: Sequence[Sequence[Tree]], start: int, axes: int | None = None) -> Rows:
    if any(len(row) != len(rows[0]) for row in rows):
        raise parser.source.error(start, "the rows of this matrix differ in length")
    return Rows(tuple(map(tuple, rows)), start, axes)


def _count(parser: Parser) -> int:
    """A number of rows or columns; n, len(q) and numel(q) are that of the joints."""
    token = parser.advance()
    if token.text in ("len", "length", "numel") and parser.names.vector(parser.ahead(1).text):
        opening = parser.expect("(")
        parser.advance()
        parser.expect(")", opening)
    if token.kind == "name":
        return parser.names.robot.n
    if token.kind != "number" or not token.text.isdigit() or len(token.text) > 2:
        raise parser.source.error(token.start, "the size of a matrix must be an integer below 100")
    return int(token.text)


def _brackets(parser: Parser, is_row: bool = False) -> Cells:
    opening = parser.expect("[")
    rows: Cells = []
    if parser.token.text == "[" and not is_row:
        while parser.token.text == "[":
            rows += _brackets(parser, is_row=True)
            parser.take(",", ";")
        parser.expect("]", opening)
        return rows
    outer = parser.columns, parser.spaced
    parser.columns = None if parser.loose else parser.depth + 1
    spaced: list[bool] = []
    while True:
        parser.spaced = not parser.loose and not _has_comma(parser)
        spaced.append(parser.spaced)
        rows.append(_row(parser, parser.spaced))
        if parser.take("]") or ((parser.take(";") or parser.on_new_line()) and parser.take("]")):
            break
        if parser.previous.text != ";" and not parser.on_new_line():
            raise parser.error(
                MISSING if parser.token.kind in ("name", "number", "command") else '"," or "]" is expected'
            )
    parser.columns, parser.spaced = outer
    longest, blanks = max(zip(rows, spaced, strict=True), key=lambda row: len(row[0]))
    if blanks and any(len(row) != len(longest) for row in rows):
        raise parser.source.error(longest[1].start, MISSING)
    return rows


def _row(parser: Parser, spaced: bool) -> list[Tree]:
    """Entries up to a semicolon, a bracket or, in MATLAB, the end of the line."""
    entries = [parser.sum()]
    while (parser.take(",") and parser.token.text not in ("]", ")")) or (
        spaced and parser.token.text not in (";", "]", "") and not parser.on_new_line()
    ):
        entries.append(parser.sum())
    return entries


def _has_comma(parser: Parser) -> bool:
    """Whether commas separate entries in the row that begins."""
    depth = 0
    for k in range(parser.position, len(parser.tokens)):
        text = parser.tokens[k].text
        depth += OPENING.get(text, 0)
        if depth < 0 or (depth == 0 and text in (",", ";")):
            return text == ","
    return False


def _environment_name(parser: Parser) -> None:
    """{bmatrix}: the name may come in several tokens; {array} is followed by its columns, as in {cc}."""
    name = ""
    while not name or (name == "array" and parser.token.text == "{"):
        parser.expect("{")
        name = ""
        while parser.token.kind == "name":
            name += parser.advance().text
        parser.expect("}")
        if name != "array":
            return
