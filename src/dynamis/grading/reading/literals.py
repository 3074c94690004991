"""Matrices as an answer writes them out, in one of four syntaxes.

[a, b; c, d]  [a b; c d]                MATLAB; a new line is a new row
Matrix([[a, b], [c, d]])                SymPy; also without the name, and Matrix(2, 2, [a, b, c, d])
zeros(2, 2)                             both
\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}   LaTeX
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dynamis.grading.reading.cursor import Columns
from dynamis.grading.reading.matrices import MAX_CELLS, Cell, Matrix, Operand, Rows, operand
from dynamis.grading.values import Value

if TYPE_CHECKING:
    from dynamis.grading.reading.parser import AnswerParser

NAMES = ("Matrix", "matrix", "array", "ImmutableMatrix", "ImmutableDenseMatrix")
OPENING = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
MISSING = '"," between two entries, or * between two factors, is missing before this'


def bracketed(parser: AnswerParser) -> Operand:
    """[...]; in LaTeX it may be the bracket of an environment."""
    if parser.tokens[parser.position + 1].text == "begin":
        opened = parser.advance()
        inner = parser.sum()
        parser.expect("]", opened)
        return inner
    rows = _brackets(parser)
    with parser.at(rows[0][0].start):
        return operand(rows)


def named(parser: AnswerParser) -> Operand:
    """Matrix(...), array(...) of rows; a list of scalars is a column."""
    start = parser.token.start
    opened = parser.expect("(")
    shape: tuple[int, ...] = ()
    while parser.token.kind == "number":
        shape = (*shape, _count(parser))
        parser.expect(",")
    flat = parser.tokens[min(parser.position + 1, len(parser.tokens) - 1)].text != "["
    rows = _brackets(parser)
    parser.expect(")", opened)
    with parser.at(start):
        if len(shape) == 2 and len(rows) == 1 and len(rows[0]) == shape[0] * shape[1]:
            rows = [rows[0][k : k + shape[1]] for k in range(0, len(rows[0]), shape[1])]
        found = operand(rows)
    return found.T if flat and not shape and isinstance(found, Matrix) and len(rows) == 1 else found


def zeros(parser: AnswerParser) -> Operand:
    """zeros(2), zeros(2, 1), zeros((2, 2))."""
    start = parser.token.start
    opened = parser.expect("(")
    inner = parser.take("(", "[")
    counts = [_count(parser)]
    while parser.take(","):
        counts.append(_count(parser))
    if inner:
        parser.expect({"(": ")", "[": "]"}[inner])
    parser.expect(")", opened)
    rows, columns = counts[0], counts[-1]
    if len(counts) > 2 or not 1 <= rows * columns <= MAX_CELLS:
        raise parser.source.error(start, f"a matrix of zeros has rows and columns, at most {MAX_CELLS} entries")
    cell = Cell(Value(parser.meeting.ring.zero), start)
    return operand([[cell] * columns] * rows)


def environment(parser: AnswerParser) -> Operand:
    """Between \\begin{bmatrix}, of which `begin` is taken, and \\end{bmatrix}."""
    start = parser.token.start
    _environment_name(parser)
    rows: Rows = [[]]
    while True:
        rows[-1].append(_cell(parser))
        if parser.take("&"):
            continue
        if parser.take("\\\\") and parser.token.text != "end":
            rows.append([])
            continue
        if not parser.take("end"):
            raise parser.error('"&", "\\\\" or \\end is expected')
        _environment_name(parser)
        with parser.at(start):
            return operand(rows)


def _count(parser: AnswerParser) -> int:
    token = parser.advance()
    if token.kind != "number" or not token.text.isdigit() or len(token.text) > 2:
        raise parser.source.error(token.start, "the size of a matrix is a whole number below 100")
    return int(token.text)


def _cell(parser: AnswerParser) -> Cell:
    start = parser.token.start
    value = parser.sum()
    if isinstance(value, Matrix):
        raise parser.source.error(start, "an entry of a matrix is a scalar, and this is a matrix")
    return Cell(value, start)


def _brackets(parser: AnswerParser, is_row: bool = False) -> Rows:
    opened = parser.expect("[")
    rows: Rows = []
    if parser.token.text == "[" and not is_row:
        while parser.token.text == "[":
            rows += _brackets(parser, is_row=True)
            parser.take(",", ";")
        parser.expect("]", opened)
        return rows
    outer = parser.columns
    parser.columns = None if parser.loose else Columns(parser.depth + 1, not _has_comma(parser))
    spaced = parser.columns is not None and parser.columns.spaced
    while True:
        rows.append(_row(parser, spaced))
        if parser.take("]") or ((parser.take(";") or parser.on_new_line()) and parser.take("]")):
            break
        if parser.previous.text != ";" and not parser.on_new_line():
            raise parser.error(
                MISSING if parser.token.kind in ("name", "number", "command") else '"," or "]" is expected'
            )
    parser.columns = outer
    longest = max(rows, key=len)
    if spaced and any(len(row) != len(longest) for row in rows):
        raise parser.source.error(longest[1].start, MISSING)
    return rows


def _row(parser: AnswerParser, spaced: bool) -> list[Cell]:
    """Entries up to a semicolon, a bracket or, in MATLAB, the end of the line."""
    entries = [_cell(parser)]
    while parser.take(",") or (spaced and parser.token.text not in (";", "]", "") and not parser.on_new_line()):
        entries.append(_cell(parser))
    return entries


def _has_comma(parser: AnswerParser) -> bool:
    """Whether commas separate entries in the bracket that was opened."""
    depth = 0
    for k in range(parser.position, len(parser.tokens)):
        text = parser.tokens[k].text
        depth += OPENING.get(text, 0)
        if depth < 0 or (depth == 0 and text == ","):
            return depth == 0
    return False


def _environment_name(parser: AnswerParser) -> None:
    """{bmatrix}: its letters may come as several names; {array} has its columns behind it, as in {cc}."""
    name = ""
    while not name or (name == "array" and parser.token.text == "{"):
        parser.expect("{")
        name = ""
        while parser.token.kind == "name":
            name += parser.advance().text
        parser.expect("}")
        if name != "array":
            return
