"""The right side of an answer's line: a scalar, or a matrix in one of three syntaxes.

[a, b; c, d]                            MATLAB
Matrix([[a, b], [c, d]])                SymPy; also without the name
\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}   LaTeX
"""

from __future__ import annotations

from dataclasses import dataclass

from dynamis.answers.parser import AnswerParser
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
    if text in NAMES:
        parser.advance()
        parser.expect("(")
        rows = _brackets(parser)
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
        rows = [[_entry(parser)]]
    parser.finished()
    if any(len(row) != len(rows[0]) for row in rows):
        raise parser.source.error(rows[0][0].start, "the rows of this matrix are not equally long")
    return rows


def _entry(parser: AnswerParser) -> Entry:
    start = parser.token.start
    return Entry(parser.sum(), start, parser.token.start)


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
    """{bmatrix}: its letters may come as several names."""
    parser.expect("{")
    while parser.token.kind == "name":
        parser.advance()
    parser.expect("}")
