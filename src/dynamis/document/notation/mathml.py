"""Formulas as presentation MathML, which browsers show without any library."""

from __future__ import annotations

import re
from fractions import Fraction
from html import escape

from dynamis.document.forms.tree import Function
from dynamis.document.notation.language import BREAK, Language
from dynamis.document.notation.names import GREEK, Name
from dynamis.document.notation.notation import Notation
from dynamis.document.notation.numerals import Decimals, decimal
from dynamis.document.notation.text import bold
from dynamis.document.notation.tree_matrix import CAP, Printable, TreeMatrix

_DOTS = ("", "\u02d9", "\u00a8")
_TAGS = re.compile(r"<(/?)([a-z]+)[^>]*?(/?)>")
_PLUS, _MINUS, _TIMES = "<mo>+</mo>", "<mo>\u2212</mo>", "<mo>\u2062</mo>"


_THIN = '<mspace width="0.17em"/>'


def mathml(value: Printable, notation: str | Notation = "dynamis", cap: int | None = CAP) -> str:
    """A scalar, a vector or a matrix as a <math> element.

    >>> from dynamis.document.forms.tree import Symbol
    >>> mathml(Symbol("m1")).removeprefix('<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">')
    '<mrow><msub><mi>m</mi><mn>1</mn></msub></mrow></math>'
    """
    matrix = TreeMatrix.of(value, notation, cap)
    cells = [[cell.replace(BREAK, "") for cell in row] for row in matrix.written(MATHML)]
    body = _row(cells[0][0]) if matrix.kind == "formula" else _matrix(cells)
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{body}</math>'


def _matrix(cells: list[list[str]]) -> str:
    table = "".join(f"<mtr>{''.join(f'<mtd>{_row(cell)}</mtd>' for cell in row)}</mtr>" for row in cells)
    return _group(f"<mtable>{table}</mtable>")


def _row(inner: str) -> str:
    return f"<mrow>{inner}</mrow>"


def _number(value: Fraction, decimals: Decimals) -> str:
    whole = str(value) if value.denominator == 1 else decimal(value, decimals)
    if whole:
        return f"<mn>{whole}</mn>"
    return f"<mfrac><mn>{value.numerator}</mn><mn>{value.denominator}</mn></mfrac>"


def _name(name: Name) -> str:
    name, primes = name.without_primes()
    letter = f"<mi>{escape(GREEK.get(name.letter, name.letter))}</mi>"
    if name.dots:
        # Without the attribute `accent`, with which some browsers set the dots into the letter.
        letter = f"<mover>{letter}<mo>{_DOTS[name.dots]}</mo></mover>"
    above = f"<mo>{'′' * len(primes)}</mo>"
    if not name.subscript:
        return f"<msup>{letter}{above}</msup>" if primes else letter
    tag = "mn" if name.subscript.isdigit() else "mtext"
    below = f"<{tag}>{escape(name.subscript)}</{tag}>"
    return f"<msubsup>{letter}{below}{above}</msubsup>" if primes else f"<msub>{letter}{below}</msub>"


def _power(base: str, exponent: int) -> str:
    return f"<msup>{_row(base)}<mn>{exponent}</mn></msup>"


def _trig(function: Function, angle: str, closed: bool, power: int) -> str:
    head = f"<mi>{function}</mi>"
    head = head if power == 1 else f"<msup>{head}<mn>{power}</mn></msup>"
    # As in print: a thin space before the function, and one before an angle without brackets.
    return f"{_THIN}{head}<mo>\u2061</mo>{angle if closed else _THIN + _row(angle)}"


def _call(function: str, argument: str) -> str:
    if function == "sqrt":
        return f"<msqrt>{_row(argument)}</msqrt>"
    return f"<mi>{function}</mi><mo>\u2061</mo>{_group(argument)}"


def _group(inner: str) -> str:
    return f"<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>"


def _in_rows(text: str) -> str:
    """Breaks between elements and inside of brackets, which are rows; not inside of a fraction or a power."""
    inside: list[str] = []
    kept = ""
    for chunk in text.split(BREAK):
        kept += (BREAK if kept and all(tag == "mrow" for tag in inside) else "") + chunk
        for end, tag, alone in _TAGS.findall(chunk):
            if end:
                inside.pop()
            elif not alone:
                inside.append(tag)
    return kept


def _closed(lines: list[str]) -> list[str]:
    """Every line with as many rows closed as opened: those that are broken end with the line and begin again."""
    closed: list[str] = []
    depth = 0
    for line in lines:
        after = depth + line.count("<mrow>") - line.count("</mrow>")
        closed.append("<mrow>" * depth + line + "</mrow>" * after)
        depth = after
    return closed


def _bold(name: str, letter: str) -> str:
    """A single letter with its bold form: browsers follow the character, not mathvariant."""
    plain = letter.removeprefix("<mi>").removesuffix("</mi>")
    return name.replace(letter, f"<mi>{bold(plain, plain)}</mi>", 1)


def _word(text: str) -> str:
    if text.replace(".", "").isdigit():
        return f"<mn>{text}</mn>"
    return f"<mo>{text}</mo>" if text in "[]" else f"<mtext>{escape(text)}</mtext>"


MATHML = Language(
    number=_number,
    name=_name,
    power=_power,
    trig=_trig,
    call=_call,
    root=lambda radicand: f"<msqrt><mn>{radicand}</mn></msqrt>",
    fraction=lambda above, below: f"<mfrac>{_row(above)}{_row(below)}</mfrac>",
    group=_group,
    rest=lambda total: f"<mo>\u22ef</mo><mtext>\u00a0({total} terms in all)</mtext>",
    times=_TIMES,
    plus=_PLUS,
    minus=_MINUS,
    negative=_MINUS,
    space="<mspace width='0.15em'/>",
    signs={
        "=": "<mo>=</mo>", "x": "<mo>×</mo>", ".": "<mo>·</mo>", "partial": "<mo>∂</mo>",
        "partial2": "<msup><mo>∂</mo><mn>2</mn></msup>", ",": "<mo>,</mo>",
    },
    word=_word,
    bold=_bold,
    transposed=lambda name: f"<msup>{_row(name)}<mi>T</mi></msup>",
    total=lambda over: f"<munder><mo>∑</mo><mtext>{escape(over)}</mtext></munder>",
    integral="<mo>∫</mo>",
    matrix=_matrix,
    visible=lambda text: re.sub(r"<[^>]*>", "", text),
    breaks=_in_rows,
    closed=_closed,
)  # fmt: skip
