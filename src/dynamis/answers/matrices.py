"""The right side of an answer's line: a scalar, or a matrix in one of three syntaxes.

[a, b; c, d]                            MATLAB
Matrix([[a, b], [c, d]])                SymPy; also without the name
\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}   LaTeX
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dynamis.answers.parser import CLOSING, AnswerParser
from dynamis.answers.values import Value

NAMES = ("Matrix", "matrix", "array", "ImmutableMatrix", "ImmutableDenseMatrix")


@dataclass(frozen=True)
class Entry:
    """One scalar of an answer and where it is written."""

    value: Value
    start: int
    end: int


Rows = list[list[Entry]]


def read_rows(parser: AnswerParser) -> Rows:
    """All of a line's right side as rows; a scalar is a matrix of one entry."""
    text = parser.token.text
    if text in CLOSING and parser.tokens[parser.position + 1].text == "begin":
        opened = parser.advance()  # \\left[\\begin{matrix} ...
        rows = _environment(parser)
        parser.expect(CLOSING[text], opened)
    elif text in NAMES:
        rows = _named(parser)
    elif text == "(" and not parser.loose and parser.tokens[parser.position + 1].text in ("[", *NAMES):
        parser.advance()  # simplify([...]), of which the brackets are left
        rows = _named(parser) if parser.token.text in NAMES else _brackets(parser)
        parser.expect(")")
    elif text == "[":
        start = parser.position
        rows = _brackets(parser)
        if len(rows) == len(rows[0]) == 1 and parser.loose and parser.token.kind != "end":
            parser.position = start  # a bracket in a formula
            rows = [[_entry(parser)]]
    elif text == "begin":
        rows = _environment(parser)
    else:
        first = _entry(parser)
        rows = [[first]] if parser.token.text != "begin" else _times(first, _environment(parser), parser)
    parser.finished()
    if any(len(row) != len(rows[0]) for row in rows):
        raise parser.source.error(rows[0][0].start, "the rows of this matrix are not equally long")
    return rows


def _named(parser: AnswerParser) -> Rows:
    """Matrix([[...], [...]])."""
    parser.advance()
    parser.expect("(")
    rows = _brackets(parser)
    parser.expect(")")
    return rows


def _entry(parser: AnswerParser) -> Entry:
    start = parser.token.start
    return Entry(parser.sum(), start, parser.token.start)


def _times(factor: Entry, rows: Rows, parser: AnswerParser) -> Rows:
    """A scalar before a matrix."""
    found: Rows = []
    for row in rows:
        with parser.at(factor.start):
            found.append([replace(cell, value=parser.arithmetic.product(factor.value, cell.value)) for cell in row])
    return found


def _brackets(parser: AnswerParser) -> Rows:
    opened = parser.expect("[")
    parser.columns = True
    rows: Rows = []
    if parser.token.text == "[":
        while parser.take("["):
            rows.append(_row(parser, "]"))
            parser.take(",")
        parser.expect("]", opened)
        return rows
    while not rows or parser.previous.text == ";":
        rows.append(_row(parser, ";", "]"))
    return rows


def _row(parser: AnswerParser, *ends: str) -> list[Entry]:
    """Entries up to one of `ends`, which is taken."""
    entries = [_entry(parser)]
    while parser.take(","):
        entries.append(_entry(parser))
    if not parser.take(*ends):
        if parser.token.kind in ("name", "number", "command"):
            raise parser.error('"," between two entries, or * between two factors, is missing before this')
        raise parser.error(f'"," or "{ends[-1]}" is expected')
    return entries


def _environment(parser: AnswerParser) -> Rows:
    parser.advance()
    _environment_name(parser)
    rows: Rows = [[]]
    while True:
        rows[-1].append(_entry(parser))
        if parser.take("&"):
            continue
        if parser.take("\\\\") and parser.token.text != "end":
            rows.append([])
            continue
        if not parser.take("end"):
            raise parser.error('"&", "\\\\" or \\end is expected')
        _environment_name(parser)
        return rows


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
