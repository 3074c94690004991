"""How a language of formulas (Unicode text, LaTeX, Typst, MathML, ...) writes their parts; one object per language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dynamis.telling.forms.tree import Function
from dynamis.telling.notation.names import Name
from dynamis.telling.notation.numerals import Decimals

BREAK = "\x1f"
"""Where a line may end: before the + and - of a sum."""
MATRIX, WIDE = "\ue000", "\ue001"
"""While lines are broken, a matrix is a place holder: MATRIX, its number, and as many WIDE as it is wide."""


@dataclass(frozen=True)
class Language:
    """How one language writes scalars, and, where it has whole pages, what else stands in their formulas."""

    number: Callable[[Fraction, Decimals], str]
    """A number that is not negative, and which fractions are decimals."""
    name: Callable[[Name], str]
    power: Callable[[str, int], str]
    trig: Callable[[Function, str, bool, int], str]
    """Function, argument, whether that stands in brackets, power."""
    call: Callable[[str, str], str]
    """Any other function, and its argument without brackets."""
    root: Callable[[int], str]
    fraction: Callable[[str, str], str]
    group: Callable[[str], str]
    """In brackets."""
    rest: Callable[[int], str]
    """What is left out of a sum of so many terms."""
    stacked: bool = True
    """Whether a fraction has a bar, so that what stands above and below it needs no brackets."""
    times: str = " "
    plus: str = " + "
    minus: str = " - "
    negative: str = "-"
    sum_break: str = BREAK
    space: str = " "
    """Between the pieces of a formula."""
    signs: Mapping[str, str] = field(default_factory=dict[str, str])
    """The signs = x . and comma, and those of partial derivatives, with the space around them."""
    word: Callable[[str], str] = str
    bold: Callable[[str, str], str] = lambda name, letter: name
    """A name, and its letter alone."""
    transposed: Callable[[str], str] = lambda name: f"{name}^T"
    total: Callable[[str], str] = str
    """The sum sign over an index."""
    integral: str = ""
    matrix: Callable[[list[list[str]]], str] = str
    matrix_gaps: tuple[float, float] = 3, 4
    """Characters between two columns of a matrix, and those of both of its brackets."""
    measure: Callable[[str], float] = len
    """About how many characters wide a text is."""
    assemble: Callable[[Sequence[str]], str] = "".join
    """Pieces of a line, some of them matrices, side by side."""
    breaks: Callable[[str], str] = str
    """A line with the breaks that may be used."""
    closed: Callable[[list[str]], list[str]] = list[str]
    """The lines of a broken formula, each complete in itself."""

    def length(self, text: str) -> float:
        """About how many characters wide a line with its marks is."""
        return self.measure(text.replace(MATRIX, "").replace(BREAK, ""))
