"""Formulas as LaTeX, for KaTeX, MathJax and papers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from dynamis.telling.forms.tree import Function
from dynamis.telling.formula import Sym
from dynamis.telling.notation.language import BREAK, MATRIX, Language
from dynamis.telling.notation.latex_width import latex_width
from dynamis.telling.notation.names import GREEK, Name
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.numerals import Decimals, decimal
from dynamis.telling.notation.symbol_printer import entry_name
from dynamis.telling.notation.tree_matrix import TERM_CAP, Printable, TreeMatrix, lines_of

_DOTS = ("", "\\dot", "\\ddot")
_COMMANDS = {letter: command for command, letter in GREEK.items()}


def latex(
    value: Printable,
    notation: str | Notation = "dynamis",
    width: int = 90,
    cap: int | None = TERM_CAP,
    symbol: str | Sym = "",
) -> str:
    """A scalar, a vector or a matrix (pmatrix) as LaTeX, without dollar signs.

    What is wider than about `width` characters breaks at its sums (`aligned`); a matrix that is too
    wide is given entry by entry, as those of `symbol`.

    >>> from dynamis.telling.forms.tree import Coordinate, Product, Symbol, Trig
    >>> print(latex(Product((Symbol("m2"), Trig("sin", (("q2", 1),)), Coordinate("q1", 1)))))
    m_{2} \\sin(q_{2}) \\dot{q}_{1}
    """
    matrix = TreeMatrix.of(value, notation, cap)
    written = matrix.written(_SMALL_BRACKETS)
    if matrix.kind == "formula":
        first, *more = lines_of(written[0][0], width, LATEX)
        return first if not more else _aligned_lines([f"&{first}", *(f"&\\quad {{}}{line}" for line in more)])
    cells = [[cell.replace(BREAK, "") for cell in row] for row in written]
    if sum(max(map(LATEX.length, column)) for column in zip(*cells, strict=True)) <= width:
        return LATEX.matrix(cells)
    lines: list[str] = []
    for places, i, j in matrix.places(bool(symbol)):
        left = " = ".join(entry_name(matrix, symbol, place, LATEX) for place in places)
        first, *more = lines_of(written[i][j], width, LATEX, LATEX.length(left))
        lines += [f"{left} &= {first}", *(f"&\\quad {{}}{line}" for line in more)]
    return _aligned_lines(lines)


def _aligned_lines(lines: list[str]) -> str:
    return "\\begin{aligned} " + " \\\\ ".join(lines) + " \\end{aligned}"


def _number(value: Fraction, decimals: Decimals) -> str:
    if value.denominator == 1:
        return str(value)
    return decimal(value, decimals) or f"\\frac{{{value.numerator}}}{{{value.denominator}}}"


@lru_cache(maxsize=4096)
def _name(name: Name) -> str:
    name, primes = name.without_primes()
    letter = f"\\{name.letter}" if name.letter in GREEK else name.letter
    if name.letter not in GREEK and not (len(name.letter) == 1 and name.letter.isalpha()):
        letter = f"\\mathrm{{{_plain(name.letter)}}}"
    if len(name.letter) == 1 and not name.letter.isascii() and name.letter not in _COMMANDS:
        letter = f"\\text{{{name.letter}}}"  # pdfLaTeX refuses accents in formulas
    dotted = f"{_DOTS[name.dots]}{{{letter}}}{primes}" if name.dots else f"{letter}{primes}"
    return f"{dotted}_{{{_plain(name.subscript)}}}" if name.subscript else dotted


def _plain(word: str) -> str:
    """A word without commands: an underscore is one, a Greek letter has its own."""
    text = "".join(f"\\{_COMMANDS[c]}{{}}" if c in _COMMANDS else c for c in word)
    return text.replace("_", "\\_").replace("′", "'")


def _trig(function: Function, angle: str, closed: bool, power: int) -> str:
    raised = "" if power == 1 else f"^{{{power}}}"
    return f"\\{function}{raised}{'' if closed else ' '}{angle}"


def _call(function: str, argument: str) -> str:
    if function == "sqrt":
        return f"\\sqrt{{{argument}}}"
    return f"\\{function}({argument})" if function in ("sin", "cos") else f"\\mathrm{{{function}}}({argument})"


def _group(inner: str) -> str:
    """Brackets that grow; of a fixed size where a line may end between them."""
    if "frac" not in inner and MATRIX not in inner:
        return f"({inner})"
    if BREAK not in inner:
        return f"\\left({inner}\\right)"
    size = "Big" if "\\frac" in inner else "Bigg"
    return f"\\{size}l({inner}\\{size}r)"


def _matrix(cells: list[list[str]]) -> str:
    """Rows; those of fractions stand a little apart, so that these do not touch."""
    rows = [*map(" & ".join, cells)]
    text = rows[0]
    for above, below in pairwise(rows):
        gap = "[2pt]" if "frac" in above and "frac" in below else ""
        text += f" \\\\{gap} {below}"
    return f"\\begin{{pmatrix}} {text} \\end{{pmatrix}}"


LATEX = Language(
    number=_number,
    name=_name,
    power=lambda base, exponent: f"{base}^{{{exponent}}}",
    trig=_trig,
    call=_call,
    root=lambda radicand: f"\\sqrt{{{radicand}}}",
    fraction=lambda above, below: f"\\frac{{{above.strip()}}}{{{below.strip()}}}",
    group=_group,
    rest=lambda total: f"\\cdots\\ \\text{{({total} terms in all)}}",
    space="\\, ",
    signs={
        "=": " = ", "x": " \\times ", ".": " \\cdot ", "partial": "\\partial ", "partial2": "\\partial^{2} ", ",": ", ",
    },
    word=lambda text: f"\\mathrm{{{text}}}" if text.isalpha() else text,
    bold=lambda name, letter: name.replace(letter, f"\\boldsymbol{{{letter}}}", 1),
    transposed=lambda name: f"{name}^{{T}}",
    total=lambda over: f"\\sum_{{{over}}} ",
    integral="\\int",
    matrix=_matrix,
    matrix_gaps=(2, 3),
    measure=latex_width,
)  # fmt: skip
_SMALL_BRACKETS = replace(LATEX, group="({})".format)
