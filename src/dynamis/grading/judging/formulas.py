"""Formulas in verdicts: one line of plain text, in the student's symbols and, where wanted, the student's decimals.

The form is that of `document.forms` (shortest, in textbook order), the text that of `document.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from dynamis.document.forms.simplest import simplest
from dynamis.document.forms.tree import Product, Sum, Tree
from dynamis.document.notation.language import BREAK
from dynamis.document.notation.names import Name
from dynamis.document.notation.notation import OWN_NAMES
from dynamis.document.notation.numerals import Decimals, decimal
from dynamis.document.notation.symbol_table import Names
from dynamis.document.notation.text import ASCII
from dynamis.document.notation.tree_printer import Joints, TreePrinter
from dynamis.expressions.expression import decimal_text
from dynamis.scalars.exact.ring import Exact, Exponents

# Terms beyond which no shorter form is searched for: such a formula is cut anyway.
MAX_SEARCHED = 60
# Three lines of a terminal.
MAX_LENGTH = 240
# Fractions with larger denominators are shown as decimals.
MAX_DENOMINATOR = 100
# A decimal of more places, such as the sine of a decimal, is cut to a few.
MAX_PLACES, FEW_PLACES = 30, 12


@dataclass(frozen=True)
class FormulaStyle:
    """How formulas are written: `symbols` gives symbols other names, such as theta1 for q1 and dtheta1 for dq1.

    `decimal_texts` holds numbers that the student wrote as decimals; with `decimals` all other numbers that end are
    decimals too.
    """

    symbols: Mapping[str, str] = field(default_factory=dict[str, str])
    decimal_texts: Mapping[Fraction, str] = field(default_factory=dict[Fraction, str])
    decimals: bool = False

    def short(self, scalar: Exact) -> str:
        """The formula, cut after a few lines."""
        text = self.full_text(scalar)
        return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 3]}..."

    def full_text(self, scalar: Exact) -> str:
        """The formula.

        >>> from dynamis.scalars.exact.ring import Ring
        >>> from dynamis.scalars.exact.symbols import joint_angle, parameter
        >>> ring = Ring((*joint_angle("q1"), *joint_angle("q2"), parameter("l")))
        >>> s1, s2, c1, c2, l = map(ring.scalar, ring.symbols)
        >>> FormulaStyle().full_text((l * l).times(Fraction(2, 3)) * (s1 * c2 + c1 * s2))
        '2/3*l^2*sin(q1 + q2)'
        """
        return self.tree_text(form(scalar), scalar)

    def tree_text(self, tree: Tree, scalar: Exact) -> str:
        """A tree in the symbols of the ring of `scalar`."""
        language = replace(ASCII, number=self.number, name=self.name)
        return TreePrinter(language, OWN_NAMES, Joints.of(scalar)).written(tree).replace(BREAK, "")

    def name(self, name: Name) -> str:
        """A symbol as the student calls it."""
        text = ASCII.name(name)
        return self._identifiers.get(text, text)

    @cached_property
    def _identifiers(self) -> dict[str, str]:
        """`symbols` by the identifiers that programs have: shoulder_joint for a joint "shoulder joint"."""
        return {Names(OWN_NAMES).parameter(symbol).letter: name for symbol, name in self.symbols.items()}

    def number(self, value: Fraction, style: Decimals = "none") -> str:
        """A number as the student would write it."""
        sign, size = "-" if value < 0 else "", abs(value)
        text = self.decimal_texts.get(size) or decimal(size, "all" if self.decimals else style) or number_text(size)
        places = len(text.partition(".")[2])
        return sign + (text if places <= MAX_PLACES else text[: FEW_PLACES - places])


def form(scalar: Exact) -> Tree:
    """The shortest form; a sum over rates that all have one factor is that factor times the sum of the rates."""
    tree, ring = simplest(scalar, limit=MAX_SEARCHED), scalar.ring
    if not isinstance(tree, Sum):
        return tree
    is_rate = [symbol.kind == "coordinate" and symbol.order > 0 for symbol in ring.symbols]
    factors: dict[Exponents, dict[Exponents, Fraction]] = {}
    for key, number in scalar.terms().items():
        rates = tuple(e if rate else 0 for e, rate in zip(key, is_rate, strict=True))
        factors.setdefault(rates, {})[tuple(e - r for e, r in zip(key, rates, strict=True))] = number
    first = next(iter(factors.values()))
    key, number = next(iter(first.items()))
    ratios = {rates: factor.get(key, Fraction(0)) / number for rates, factor in factors.items()}
    one_factor = all({k: v * ratios[rates] for k, v in first.items()} == factor for rates, factor in factors.items())
    if len(factors) < 2 or not one_factor:
        return tree
    parts = simplest(ring.from_terms(first)), simplest(ring.from_terms(ratios))
    return Product(tuple(f for part in parts for f in (part.factors if isinstance(part, Product) else (part,))))


def number_text(value: Fraction) -> str:
    """`5/12`, or `0.35158` for a fraction of many digits."""
    return str(value) if value.denominator <= MAX_DENOMINATOR else decimal_text(value)
