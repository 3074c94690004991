"""Formulas as Typst mathematics, for the body of `$ ... $`."""

from __future__ import annotations

import re
from fractions import Fraction

from dynamis.document.forms.tree import Function
from dynamis.document.notation.conventions import Convention
from dynamis.document.notation.forms import CAP, Sheet, Shown, lines_of
from dynamis.document.notation.names import GREEK, Name
from dynamis.document.notation.numerals import Decimals, decimal
from dynamis.document.notation.writer import BREAK, Dialect
from dynamis.document.renderers.escapes import typst_string

_VARIANTS = {"vartheta": "theta.alt", "varphi": "phi.alt"}
_DOTS = ("", "dot", "dot.double")
CALLS = ("sin", "cos", "sqrt")


def typst(
    shown: Shown, convention: str | Convention = "spong", width: int = 100, cap: int | None = CAP, symbol: str = ""
) -> str:
    """A scalar, a vector or a matrix as Typst mathematics, without dollar signs.

    >>> from dynamis.document.forms.tree import Coordinate, Product, Symbol, Trig
    >>> print(typst(Product((Symbol("m2"), Trig("sin", (("q2", 1),)), Coordinate("q1", 1)))))
    m_(2) sin(q_(2)) dot(q)_(1)
    """
    sheet = Sheet.of(shown, convention, cap)
    written = sheet.written(TYPST)
    if sheet.kind == "formula":
        first, *more = lines_of(written[0][0], width, _length)
        return first if not more else " \\\n".join([f"& {first}", *(f'& quad "" {line}' for line in more)])
    cells = [[cell.replace(BREAK, "") for cell in row] for row in written]
    if sum(max(map(_length, column)) for column in zip(*cells, strict=True)) <= width:
        gap = "column-gap: #1em, " if len(cells[0]) > 1 else ""
        return f"mat({gap}" + "; ".join(", ".join(row) for row in cells) + ")"
    found: list[str] = []
    for places, i, j in sheet.places(symbol):
        left = " = ".join(f"{symbol}_({place})" if symbol else f"[{place}]" for place in places)
        first, *more = lines_of(written[i][j], width, _length, len(left))
        found += [f"{left} &= {first}", *(f'& quad "" {line}' for line in more)]
    return " \\\n".join(found)


def _length(text: str) -> int:
    return len(re.sub(r"[_() ]|frac|dot|double|sqrt", "", text))


def _number(value: Fraction, decimals: Decimals) -> str:
    if value.denominator == 1:
        return str(value)
    return decimal(value, decimals) or f"frac({value.numerator}, {value.denominator})"


def _name(name: Name) -> str:
    letter = _VARIANTS.get(name.letter, name.letter)
    if name.letter not in GREEK and not (len(name.letter) == 1 and name.letter.isalpha()):
        letter = typst_string(name.letter)
    dotted = f"{_DOTS[name.dots]}({letter})" if name.dots else letter
    parts = re.findall(r"\d+|[A-Za-z]+|,|[^\dA-Za-z,]+", name.subscript)
    written = " ".join(
        part if part.isdigit() or re.fullmatch("[A-Za-z,]", part) else typst_string(part) for part in parts
    )
    return f"{dotted}_({written})" if name.subscript else dotted


def _trig(function: Function, short: str, angle: str, closed: bool, power: int) -> str:
    raised = "" if power == 1 else f"^{power}"
    if short:
        return f"{function[0]}_({short}){raised}"
    space = " " if raised or not closed else ""
    return f"{function}{raised}{space}{angle}"


TYPST = Dialect(
    number=_number,
    name=_name,
    power=lambda base, exponent: f"{base}^{exponent}",
    trig=_trig,
    call=lambda function, argument: f"{function if function in CALLS else typst_string(function)}({argument})",
    root=lambda radicand: f"sqrt({radicand})",
    fraction=lambda above, below: f"frac({above}, {below})",
    group=lambda inner: f"({inner})",
    rest=lambda total: f'dots.c "({total} terms in all)"',
    sum_break=BREAK,
)
