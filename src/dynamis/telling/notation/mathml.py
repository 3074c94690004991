"""Formulas as presentation MathML, which browsers show without any library."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from html import escape
from itertools import pairwise

from dynamis.telling.forms.tree import Function
from dynamis.telling.notation.language import BREAK, MATRIX, Language
from dynamis.telling.notation.names import GREEK, Name
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.numerals import Decimals, decimal
from dynamis.telling.notation.text import bold
from dynamis.telling.notation.tree_matrix import TERM_CAP, Printable, TreeMatrix

_DOTS = ("", "\u02d9", "\u00a8")
_TAGS = re.compile(r"<(/?)([a-z]+)[^>]*?(/?)>")
_SIGN = re.compile(r"^((?:<mrow>)*)<mo>(?=[+\u2212]<)")
_ROW_ENDS = re.compile(r"<mrow>(?:<mo>\(</mo>)?|(?:<mo>\)</mo>)?</mrow>")
UNBROKEN_CHARACTERS = 40
"""Characters of a formula between which a browser breaks no line."""
_PLUS, _MINUS, _TIMES = "<mo>+</mo>", "<mo>\u2212</mo>", "<mo>\u2062</mo>"


_THIN = '<mspace width="0.17em"/>'


def mathml(value: Printable, notation: str | Notation = "dynamis", cap: int | None = TERM_CAP) -> str:
    """A scalar, a vector or a matrix as a <math> element.

    >>> from dynamis.telling.forms.tree import Symbol
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
    # As small as in a line of text, also where sums have their full size.
    return f'<mfrac displaystyle="false"><mn>{value.numerator}</mn><mn>{value.denominator}</mn></mfrac>'


@lru_cache(maxsize=4096)
def _name(name: Name) -> str:
    name, primes = name.without_primes()
    letter = f"<mi>{escape(GREEK.get(name.letter, name.letter))}</mi>"
    if name.dots:
        letter = f'<mover accent="true">{letter}<mo>{_DOTS[name.dots]}</mo></mover>'
    above = f"<mo>{'′' * len(primes)}</mo>"
    if not name.subscript:
        return f"<msup>{letter}{above}</msup>" if primes else letter
    below = _subscript(name.subscript)
    return f"<msubsup>{letter}{below}{above}</msubsup>" if primes else f"<msub>{letter}{below}</msub>"


def _subscript(text: str) -> str:
    """A number, a word, or indices, each of them slanted: ij, 0i."""
    if set(text) <= set("ijkl0123456789,") and set(text) & set("ijkl"):
        return _row("".join(f"<mi>{c}</mi>" if c.isalpha() else _word(c) for c in text))
    tag = "mn" if text.isdigit() else "mtext"
    return f"<{tag}>{escape(text)}</{tag}>"


def _power(base: str, exponent: int) -> str:
    if base.startswith("<msub>") and base.endswith("</msub>") and base.count("<msub>") == 1:
        return f"<msubsup>{base[6:-7]}<mn>{exponent}</mn></msubsup>"
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
    """Brackets that grow only where they must: Chromium leaves blanks beside those that could grow and do not."""
    grown = any(mark in inner for mark in ("<mfrac>", "<mtable>", MATRIX))
    sign = "<mo>" if grown else '<mo stretchy="false">'
    return f"<mrow>{sign}(</mo>{inner}{sign})</mo></mrow>"


def _in_rows(text: str) -> str:
    """Breaks outside of brackets; inside of brackets, which are rows, where there is a long way between two breaks.

    None inside of a fraction, a power or a root.
    """
    inside: list[str] = []
    chunks = text.split(BREAK)
    depths: list[int | None] = []
    for chunk in chunks:
        depths.append(len(inside) if all(tag == "mrow" for tag in inside) else None)
        for end, tag, alone in _TAGS.findall(chunk):
            if end:
                inside.pop()
            elif not alone:
                inside.append(tag)
    return BREAK.join(_pieces(chunks, depths, 0))


def _pieces(chunks: list[str], depths: list[int | None], depth: int) -> list[str]:
    whole = "".join(chunks)
    if _width(whole) <= UNBROKEN_CHARACTERS or not any(d is not None and d >= depth for d in depths[1:]):
        return [whole]
    starts = [0, *(k for k, d in enumerate(depths) if k and d == depth), len(chunks)]
    return [
        piece for start, end in pairwise(starts) for piece in _pieces(chunks[start:end], depths[start:end], depth + 1)
    ]


def _close_rows(lines: list[str]) -> list[str]:
    """Every piece with as many rows closed as opened: those that are broken end with the piece and begin again.

    The brackets of these have the size of letters, unless there are matrices between them; a sign at the beginning of
    a piece stands between two terms.
    """
    closed: list[str] = []
    depth = 0
    for line in lines:
        after = depth + line.count("<mrow>") - line.count("</mrow>")
        piece = "<mrow>" * depth + (line if MATRIX in line else _small_brackets(line)) + "</mrow>" * after
        closed.append(_SIGN.sub(r'\1<mo form="infix">', piece) if closed else piece)
        depth = after
    return closed


def _small_brackets(line: str) -> str:
    """A piece whose brackets do not grow, where their other ones are in other pieces."""
    opened: list[re.Match[str]] = []
    lone: list[re.Match[str]] = []
    for row in _ROW_ENDS.finditer(line):
        if row[0].startswith("<mrow>"):
            opened.append(row)
        elif opened:
            opened.pop()
        else:
            lone.append(row)
    for row in sorted([*opened, *lone], key=lambda row: -row.start()):
        line = line[: row.start()] + row[0].replace("<mo>", '<mo stretchy="false">') + line[row.end() :]
    return line


def _width(text: str) -> int:
    return len(re.sub(r"<[^>]*>", "", text))


def _bold(name: str, letter: str) -> str:
    """A single letter with its bold form: browsers follow the character, not mathvariant."""
    plain = letter.removeprefix("<mi>").removesuffix("</mi>")
    return name.replace(letter, f"<mi>{bold(plain, plain)}</mi>", 1)


def _word(text: str) -> str:
    if text.replace(".", "").isdigit():
        return f"<mn>{text}</mn>"
    return f"<mo>{text}</mo>" if text in "[]," else f"<mtext>{escape(text)}</mtext>"


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
    negative='<mo form="prefix">\u2212</mo>',
    space="<mspace width='0.15em'/>",
    signs={
        "=": "<mo>=</mo>", "x": "<mo>×</mo>", ".": "<mo>·</mo>", "partial": "<mo>∂</mo>",
        "partial2": "<msup><mo>∂</mo><mn>2</mn></msup>", ",": "<mo>,</mo>",
    },
    word=_word,
    bold=_bold,
    transposed=lambda name: f"<msup>{_row(name)}<mi>T</mi></msup>",
    total=lambda over: f"<munder><mo>∑</mo>{_subscript(over)}</munder>",
    integral="<mo>∫</mo>",
    matrix=_matrix,
    measure=_width,
    breaks=_in_rows,
    closed=_close_rows,
)  # fmt: skip
