"""Formulas as Unicode text for a terminal, or as plain ASCII."""

from __future__ import annotations

from fractions import Fraction

from dynamis.document.forms.tree import Function
from dynamis.document.notation.conventions import Convention
from dynamis.document.notation.forms import CAP, Sheet, Shown, lines_of
from dynamis.document.notation.names import GREEK, Name
from dynamis.document.notation.numerals import Decimals, decimal
from dynamis.document.notation.writer import BREAK, Dialect

_LOW = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))
_HIGH = dict(zip("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", strict=True))
_DOTS = ("", "\u0307", "\u0308")


def text(
    shown: Shown,
    convention: str | Convention = "spong",
    width: int = 100,
    ascii_only: bool = False,
    cap: int | None = CAP,
    symbol: str = "",
) -> str:
    """A scalar, a vector or a matrix as text whose lines are at most `width` long.

    A formula of more than `cap` terms shows its beginning and says how many terms it has.

    >>> from dynamis.document.forms.tree import Product, Symbol, Trig
    >>> print(text(Product((Symbol("m2"), Trig("cos", (("q1", 1), ("q2", 1)))))))
    m₂ cos(q₁ + q₂)
    """
    dialect = ASCII if ascii_only else UNICODE
    sheet = Sheet.of(shown, convention, cap)
    written = sheet.written(dialect)
    if sheet.kind == "formula":
        return "\n    ".join(lines_of(written[0][0], width, _length))
    cells = [[cell.replace(BREAK, "") for cell in row] for row in written]
    widths = [max(map(_length, column)) for column in zip(*cells, strict=True)]
    if sum(widths) + 3 * len(widths) + 1 <= width:
        bar = "|" if ascii_only else "│"
        padded = [[cell + " " * (w - _length(cell)) for cell, w in zip(row, widths, strict=True)] for row in cells]
        return "\n".join(f"{bar} {'   '.join(row)} {bar}" for row in padded)
    found: list[str] = []
    for places, i, j in sheet.places("" if ascii_only else symbol):
        left = "".join(f"{_entry(symbol, place, ascii_only)} = " for place in places)
        found.append(left + "\n        ".join(lines_of(written[i][j], width, _length, len(left), 8)))
    return "\n".join(found)


def _entry(symbol: str, place: str, ascii_only: bool) -> str:
    return f"{symbol}[{place}]" if ascii_only or not symbol else _name(Name(symbol, place))


def _length(line: str) -> int:
    """Dots above letters take no room."""
    return sum(letter not in _DOTS[1:] for letter in line)


def _number(value: Fraction, decimals: Decimals) -> str:
    return decimal(value, decimals) or str(value)


def _name(name: Name) -> str:
    letter = GREEK.get(name.letter, name.letter)
    subscript = "".join(_LOW.get(c, c) for c in name.subscript if c != "," or name.commas)
    return letter + _DOTS[name.dots] + subscript


def _ascii_name(name: Name) -> str:
    return f"{'d' * name.dots}({name.plain})" if name.dots else name.plain


def _power(base: str, exponent: int) -> str:
    return base + "".join(_HIGH[c] for c in str(exponent))


def _trig(function: Function, short: str, angle: str, closed: bool, power: int) -> str:
    raised = "" if power == 1 else _power("", power)
    if short:
        return function[0] + "".join(_LOW.get(c, c) for c in short) + raised
    return f"{function}{raised}{'' if closed else ' '}{angle}"


def _ascii_trig(function: Function, short: str, angle: str, closed: bool, power: int) -> str:
    raised = "" if power == 1 else f"^{power}"
    return f"{function[0]}{short}{raised}" if short else f"{function}{angle if closed else f'({angle})'}{raised}"


def _call(function: str, argument: str) -> str:
    return f"{function}({argument})"


def _fraction(above: str, below: str) -> str:
    return f"{above}/{below}"


def _rest(total: int) -> str:
    return f"… ({total} terms in all)"


UNICODE = Dialect(
    number=_number,
    name=_name,
    power=_power,
    trig=_trig,
    call=_call,
    root=lambda radicand: f"√{radicand}",
    fraction=_fraction,
    stacked=False,
    group=lambda inner: f"({inner})",
    rest=_rest,
    minus=" − ",
    negative="−",
    sum_break=BREAK,
)
ASCII = Dialect(
    number=_number,
    name=_ascii_name,
    power=lambda base, exponent: f"{base}^{exponent}",
    trig=_ascii_trig,
    call=_call,
    root=lambda radicand: f"sqrt({radicand})",
    fraction=_fraction,
    stacked=False,
    group=lambda inner: f"({inner})",
    rest=lambda total: f"... ({total} terms in all)",
    times="*",
    sum_break=BREAK,
)
