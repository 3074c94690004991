"""Formulas in the sentences of a reading: what stands between dollars, such as `$D qdd + C qd + g = tau$`."""

from __future__ import annotations

import re

from dynamis.base.errors import FormatError, literal
from dynamis.telling.formula import (
    COMMA,
    DOT,
    EQUALS,
    MINUS,
    PLUS,
    Coordinates,
    Formula,
    Frac,
    Group,
    Piece,
    Prose,
    Sym,
    Total,
    Word,
)

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z]+)(?:_(?P<index>\w+))?(?P<transposed>\^T)?(?:\^(?P<power>\d))?"
    r"|(?P<above>\d+)/(?P<below>\d+)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>[-+=,.])|(?P<bracket>[()]))"
)
_SIGNS = {"+": PLUS, "-": MINUS, "=": EQUALS, ",": COMMA, ".": DOT}
_COORDINATES = {"q": 0, "qd": 1, "qdd": 2}


def prose(text: str) -> Prose:
    """A sentence with its formulas.

    >>> prose("the axes $R I R^T$")[0]
    'the axes '
    """
    parts = text.split("$")
    if len(parts) % 2 == 0:
        raise FormatError(f"a dollar without its other one in {literal(text)}")
    return tuple(formula(part) if k % 2 else part for k, part in enumerate(parts) if part)


def plain(text: str) -> str:
    """The sentence as it is typed, without the dollars."""
    return text.replace("$", "")


def formula(text: str) -> Formula:
    """Names with an index (`m_1`), ^T and powers, coordinates q, qd and qdd, `sum_i`, numbers and brackets."""
    rows: list[list[Piece]] = [[]]
    position = 0
    while text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None or (match["bracket"] == ")" and len(rows) == 1):
            raise FormatError(f"{literal(text)} is not a formula at {literal(text[position:])}")
        if match["bracket"] == "(":
            rows.append([])
        elif match["bracket"] == ")":
            inner = tuple(rows.pop())
            rows[-1].append(Group(inner))
        else:
            rows[-1].append(_piece(match))
        position = match.end()
    if len(rows) > 1:
        raise FormatError(f"a bracket of {literal(text)} is not closed")
    return tuple(rows[0])


def _piece(match: re.Match[str]) -> Piece:
    name, index = match["name"], match["index"] or ""
    if match["sign"]:
        return _SIGNS[match["sign"]]
    if match["above"]:
        return Frac((Word(match["above"]),), (Word(match["below"]),))
    if match["number"]:
        return Word(match["number"])
    if name == "sum":
        return Total(index)
    if name in _COORDINATES and not match["transposed"]:
        return Coordinates(_COORDINATES[name], index)
    return Sym(name, index, transposed=bool(match["transposed"]), power=int(match["power"] or 1))
