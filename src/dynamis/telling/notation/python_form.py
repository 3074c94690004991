"""Formulas as Python source: an expression in sin, cos, sqrt, sign, pi and the model's symbols."""

from __future__ import annotations

from fractions import Fraction

from dynamis.telling.forms.tree import Function
from dynamis.telling.notation.language import Language
from dynamis.telling.notation.names import Name
from dynamis.telling.notation.notation import OWN_NAMES
from dynamis.telling.notation.numerals import Decimals, decimal
from dynamis.telling.notation.tree_matrix import Printable, TreeMatrix


def python(value: Printable) -> str:
    """A scalar as an expression, a vector or a matrix as lists; velocities are dq1, accelerations ddq1.

    >>> from dynamis.telling.forms.tree import Coordinate, Product, Symbol, Trig
    >>> python(Product((Symbol("m2"), Trig("sin", (("q2", 1),)), Coordinate("q1", 1))))
    'm2*sin(q2)*dq1'
    """
    matrix = TreeMatrix.of(value, OWN_NAMES, cap=None)
    written = matrix.written(PYTHON)
    if matrix.kind == "formula":
        return written[0][0]
    rows = [f"[{', '.join(row)}]" if matrix.kind == "matrix" else row[0] for row in written]
    return f"[{', '.join(rows)}]"


def _number(value: Fraction, decimals: Decimals) -> str:
    return decimal(value, decimals) or str(value)


def _name(name: Name) -> str:
    return name.letter


def _trig(function: Function, angle: str, closed: bool, power: int) -> str:
    return (f"{function}{angle}" if closed else f"{function}({angle})") + (f"**{power}" if power != 1 else "")


PYTHON = Language(
    number=_number,
    name=_name,
    power=lambda base, exponent: f"{base}**{exponent}",
    trig=_trig,
    call=lambda function, argument: f"{function}({argument})",
    root=lambda radicand: f"sqrt({radicand})",
    fraction=lambda above, below: f"{above}/{below}",
    group=lambda inner: f"({inner})",
    rest=str,
    stacked=False,
    times="*",
    sum_break="",
)
