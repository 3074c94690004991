"""Formulas as Unicode text for a terminal, or as plain ASCII."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from dynamis.base.printable import encodable
from dynamis.telling.forms.tree import Function
from dynamis.telling.formula import Sym
from dynamis.telling.layout import COMBINING, beside, wide
from dynamis.telling.notation.language import BREAK, Language
from dynamis.telling.notation.names import GREEK, Name
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.numerals import Decimals, decimal
from dynamis.telling.notation.symbol_printer import entry_name
from dynamis.telling.notation.tree_matrix import TERM_CAP, Printable, TreeMatrix, lines_of

_LOW = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))
_HIGH = dict(zip("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", strict=True))
_INDICES = dict(zip("ijkl", "ᵢⱼₖₗ", strict=True))
_WORD = re.compile(r"[^\W\d_]{3}")
_BOLD = dict(zip("aAαΑ", "𝐚𝐀𝛂𝚨", strict=True))
"""The first letters of the alphabets, and their bold forms."""


def text(
    value: Printable,
    notation: str | Notation = "dynamis",
    width: int = 100,
    ascii_only: bool = False,
    cap: int | None = TERM_CAP,
    symbol: str | Sym = "",
) -> str:
    """A scalar, a vector or a matrix as text whose lines are at most `width` long.

    A formula of more than `cap` terms shows its beginning and says how many terms it has.

    >>> from dynamis.telling.forms.tree import Product, Symbol, Trig
    >>> print(text(Product((Symbol("m2"), Trig("cos", (("q1", 1), ("q2", 1)))))))
    m₂ cos(q₁ + q₂)
    """
    language = ASCII if ascii_only else UNICODE
    matrix = TreeMatrix.of(value, notation, cap)
    written = matrix.written(language)
    if matrix.kind == "formula":
        return "\n    ".join(lines_of(written[0][0], width, language))
    cells = [[cell.replace(BREAK, "") for cell in row] for row in written]
    if sum(max(map(wide, column)) + 3 for column in zip(*cells, strict=True)) + 1 <= width:
        return language.matrix(cells)
    lines: list[str] = []
    for places, i, j in matrix.places(bool(symbol) and not ascii_only):
        left = "".join(f"{entry_name(matrix, symbol, place, language)} = " for place in places)
        lines.append(left + "\n        ".join(lines_of(written[i][j], width, language, len(left), 8)))
    return "\n".join(lines)


def _matrix(cells: list[list[str]], bar: str = "│") -> str:
    widths = [max(map(wide, column)) for column in zip(*cells, strict=True)]
    rows = ["   ".join(c + " " * (w - wide(c)) for c, w in zip(row, widths, strict=True)) for row in cells]
    return "\n".join(f"{bar} {row} {bar}" for row in rows)


def bold(name: str, letter: str) -> str:
    """A name with its letter in bold, where Unicode has it."""
    for first, heavy in _BOLD.items():
        if len(letter) == 1 and 0 <= ord(letter) - ord(first) < 26:
            return name.replace(letter, chr(ord(heavy) + ord(letter) - ord(first)), 1)
    return name


def _number(value: Fraction, decimals: Decimals) -> str:
    return decimal(value, decimals) or str(value)


@lru_cache(maxsize=4096)
def _name(name: Name) -> str:
    name, primes = name.without_primes()
    letter = GREEK.get(name.letter, name.letter)
    dotted = "".join(c + ("", *COMBINING)[name.dots] for c in letter)  # of a word all letters, as no dot is that wide
    if "_" in name.own and _WORD.search(name.subscript):  # m_payload, which mpayload would hide
        return dotted + primes + "_" + name.subscript.replace(",", "_")
    # Low letters ijkl where all of the index has low forms: mᵢⱼ, but m_il.
    low = _LOW | {",": ","} | (_INDICES if set(name.subscript) <= {*_INDICES, *_LOW, ","} else {})
    subscript = "".join(low.get(c, c) for c in name.subscript if c != "," or name.commas)
    return dotted + primes + subscript


def _ascii_name(name: Name) -> str:
    return f"{'d' * name.dots}({name.plain})" if name.dots else name.plain


def _power(base: str, exponent: int) -> str:
    return base + "".join(_HIGH[c] for c in str(exponent))


def _trig(function: Function, angle: str, closed: bool, power: int) -> str:
    raised = "" if power == 1 else _power("", power)
    return f"{function}{raised}{'' if closed else ' '}{angle}"


def _ascii_trig(function: Function, angle: str, closed: bool, power: int) -> str:
    return f"{function}{angle if closed else f'({angle})'}" + ("" if power == 1 else f"^{power}")


def _call(function: str, argument: str) -> str:
    return f"{function}({argument})"


def _fraction(above: str, below: str) -> str:
    """Two quantities, which have their brackets, or a derivative: ∂²T/(∂q₁ ∂q₂)."""
    return f"{above}/({below})" if "∂" in below[1:] else f"{above}/{below}"


def _rest(total: int) -> str:
    return f"… ({total} terms in all)"


def _width(text: str) -> float:
    return len(text) - sum(map(text.count, COMBINING))


UNICODE = Language(
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
    signs={"=": " = ", "x": " × ", ".": " · ", "partial": "∂", "partial2": "∂²", ",": ", "},
    bold=bold,
    transposed=lambda name: f"{name}ᵀ",
    total=lambda over: f"Σ{''.join(_INDICES.get(c, c) for c in over if c != ',')}",
    integral="∫",
    matrix=_matrix,
    measure=_width,
    assemble=beside,
)


def in_encoding(language: Language, encoding: str) -> Language:
    """The language with the nearest that an encoding has in the place of what it lacks, before lines are broken."""

    def near(text: str) -> str:  # marks of lines and matrices stay
        return re.sub("[^\ue000-\uf8ff]+", lambda match: encodable(match[0], encoding), text)

    def spelled(part: Any) -> Any:
        if isinstance(part, str):
            return near(part)
        if isinstance(part, Mapping):
            return {key: near(sign) for key, sign in cast("Mapping[str, str]", part).items()}
        if not callable(part):
            return part

        def write(*words: Any) -> Any:
            text: Any = part(*words)
            return near(text) if isinstance(text, str) else text

        return write

    return replace(language, **{x.name: spelled(getattr(language, x.name)) for x in fields(language)})


ASCII = Language(
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
    matrix=lambda cells: _matrix(cells, "|"),
    measure=_width,
)
