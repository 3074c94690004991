"""Formulas as Typst mathematics, for the body of `$ ... $`."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from dynamis.base.printable import in_a_line
from dynamis.telling.forms.tree import Function
from dynamis.telling.formula import Sym
from dynamis.telling.notation.language import BREAK, Language
from dynamis.telling.notation.names import GREEK, Name
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.numerals import Decimals, decimal
from dynamis.telling.notation.symbol_printer import entry_name
from dynamis.telling.notation.tree_matrix import TERM_CAP, Printable, TreeMatrix, lines_of

_VARIANTS = {"vartheta": "theta.alt", "varphi": "phi.alt"}
_DOTS = ("", "dot", "dot.double")
CALLS = ("sin", "cos", "sqrt")


def typst(
    value: Printable,
    notation: str | Notation = "dynamis",
    width: int = 100,
    cap: int | None = TERM_CAP,
    symbol: str | Sym = "",
) -> str:
    """A scalar, a vector or a matrix as Typst mathematics, without dollar signs.

    >>> from dynamis.telling.forms.tree import Coordinate, Product, Symbol, Trig
    >>> print(typst(Product((Symbol("m2"), Trig("sin", (("q2", 1),)), Coordinate("q1", 1)))))
    m_(2) sin(q_(2)) dot(q)_(1)
    """
    matrix = TreeMatrix.of(value, notation, cap)
    written = matrix.written(TYPST)
    if matrix.kind == "formula":
        first, *more = lines_of(written[0][0], width, TYPST)
        return first if not more else " \\\n".join([f"& {first}", *(f'& quad "" {line}' for line in more)])
    cells = [[cell.replace(BREAK, "") for cell in row] for row in written]
    if sum(max(map(TYPST.length, column)) for column in zip(*cells, strict=True)) <= width:
        gap = "column-gap: #1em, " if len(cells[0]) > 1 else ""
        return f"mat({gap}" + "; ".join(", ".join(row) for row in cells) + ")"
    lines: list[str] = []
    for places, i, j in matrix.places(bool(symbol)):
        left = " = ".join(entry_name(matrix, symbol, place, TYPST) for place in places)
        first, *more = lines_of(written[i][j], width, TYPST, len(left))
        lines += [f"{left} &= {first}", *(f'& quad "" {line}' for line in more)]
    return " \\\n".join(lines)


def typst_string(text: str) -> str:
    """A string of Typst, in its quotes.

    >>> typst_string('a"b')
    '"a\\\\"b"'
    """
    inner = in_a_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inner}"'


@lru_cache(maxsize=4096)
def _width(text: str) -> float:
    # An exponent stands above the index, a numerator above the denominator.
    text = re.sub(r"(_\(\w+\))\^\w", r"\1", re.sub(r"frac\(\d+, (\d+)\)", r"\1", text))
    shown = re.sub(r"\b(frac|dot\.double|dot|sqrt|bold|mat|thin|quad)\b", "", text)
    shown = re.sub(r'[_() ";^]', "", re.sub(r"\b(?!sin|cos)[a-z]{2,}(\.alt|\.op|\.c)?\b", "x", shown))
    # A sign stands between spaces, each wider than half a letter.
    return len(re.sub(r"[+=-]", "xxx", shown))


def _number(value: Fraction, decimals: Decimals) -> str:
    if value.denominator == 1:
        return str(value)
    return decimal(value, decimals) or f"frac({value.numerator}, {value.denominator})"


@lru_cache(maxsize=4096)
def _name(name: Name) -> str:
    name, primes = name.without_primes()
    letter = _VARIANTS.get(name.letter, name.letter)
    if name.letter not in GREEK and not (len(name.letter) == 1 and name.letter.isalpha()):
        letter = typst_string(name.letter)
    dotted = f"{_DOTS[name.dots]}({letter}){primes}" if name.dots else f"{letter}{primes}"
    if set(name.subscript) <= set("ijklc0123456789,") and set(name.subscript) & set("ijkl"):
        return f"{dotted}_({' '.join(name.subscript)})"  # An index ij is two letters, not a word.
    parts = re.findall(r"\d+|[A-Za-z]+|,|[^\dA-Za-z,]+", name.subscript)
    written = " ".join(
        part if part.isdigit() or re.fullmatch("[A-Za-z,]", part) else typst_string(part) for part in parts
    )
    return f"{dotted}_({written})" if name.subscript else dotted


def _trig(function: Function, angle: str, closed: bool, power: int) -> str:
    raised = "" if power == 1 else f"^{power}"
    space = " " if raised or not closed else ""
    return f"{function}{raised}{space}{angle}"


TYPST = Language(
    number=_number,
    name=_name,
    power=lambda base, exponent: f"{base}^{exponent}" if exponent > 0 else f"{base}^({exponent})",
    trig=_trig,
    call=lambda function, argument: f"{function if function in CALLS else typst_string(function)}({argument})",
    root=lambda radicand: f"sqrt({radicand})",
    transposed=lambda name: f"{name}^T ",  # S^T(x) would put the argument into the exponent
    fraction=lambda above, below: f"frac({above.strip()}, {below.strip()})",
    group=lambda inner: f"({inner})",
    rest=lambda total: f'dots.c "({total} terms in all)"',
    space=" thin ",
    signs={
        "=": " = ", "x": " times ", ".": " dot.op ", "partial": " partial ", "partial2": " partial^2 ", ",": ", ",
    },
    word=lambda text: f'"{text}"' if text.isalpha() else text,
    bold=lambda name, letter: re.sub(rf"(?<![a-z]){re.escape(letter)}(?![a-z])", f"bold({letter})", name, count=1),
    total=lambda over: f"sum_({over}) ",
    integral="integral",
    matrix=lambda cells: "mat(" + "; ".join(map(", ".join, cells)) + ")",
    measure=_width,
)  # fmt: skip
