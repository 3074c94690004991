"""Formulas in verdicts: one line of plain text, in the student's symbols and, where wanted, the student's decimals.

The form is that of `document.forms` (shortest, in textbook order), the text that of `document.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dynamis.document.forms.simplest import simplest
from dynamis.document.forms.tree import Coordinate, Power, Product, Sign, Sum, Symbol, Tree, Trig
from dynamis.document.notation.conventions import OWN_NAMES
from dynamis.document.notation.numerals import Decimals, decimal
from dynamis.document.notation.text import ASCII
from dynamis.document.notation.writer import BREAK, Joints, Writer
from dynamis.expressions.expression import decimal_text
from dynamis.scalars.exact.ring import Exact, Exponents

# Terms beyond which no shorter form is searched for: such a formula is cut anyway.
MAX_SEARCHED = 60
# Three lines of a terminal.
MAX_LENGTH = 240
# Fractions with larger denominators are shown as decimals.
MAX_DENOMINATOR = 100


@dataclass(frozen=True)
class FormulaStyle:
    """How formulas are written: `symbols` gives symbols of the ring other names, such as theta1 for q1.

    `written` holds numbers that the student wrote as decimals; with `decimals` all other numbers that end are
    decimals too.
    """

    symbols: Mapping[str, str] = field(default_factory=dict[str, str])
    written: Mapping[Fraction, str] = field(default_factory=dict[Fraction, str])
    decimals: bool = False

    def short(self, scalar: Exact) -> str:
        """The formula, cut after a few lines."""
        text = self.whole(scalar)
        return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 3]}..."

    def whole(self, scalar: Exact) -> str:
        """The formula.

        >>> from dynamis.scalars.exact.ring import Ring
        >>> from dynamis.scalars.exact.symbols import joint_angle, parameter
        >>> ring = Ring((*joint_angle("q1"), *joint_angle("q2"), parameter("l")))
        >>> s1, s2, c1, c2, l = map(ring.scalar, ring.symbols)
        >>> FormulaStyle().whole((l * l).times(Fraction(2, 3)) * (s1 * c2 + c1 * s2))
        '2/3*l^2*sin(q1 + q2)'
        """
        style: Decimals = "some" if scalar.ring.decimals else "none"

        def number(value: Fraction, _: Decimals) -> str:
            return self.number(value, style)

        joints = [s.of for s in scalar.ring.symbols if s.kind == "coordinate" and s.order == 1]
        numbers = {self.symbols.get(name, name): k for k, name in enumerate(joints)}
        tree = self.renamed(form(scalar))
        return Writer(replace(ASCII, number=number), OWN_NAMES, Joints(numbers)).written(tree).replace(BREAK, "")

    def renamed(self, tree: Tree) -> Tree:
        """The tree in the student's symbols."""
        match tree:
            case Symbol(name):
                return Symbol(self.symbols.get(name, name))
            case Coordinate(joint, order):
                dots = "d" * order
                return Symbol(self.symbols.get(f"{dots}({joint})" if order else joint, f"{dots}{joint}"))
            case Sign(joint):
                return Sign(self.symbols.get(joint, joint))
            case Trig(function, angle):
                return Trig(function, tuple((self.symbols.get(name, name), times) for name, times in angle))
            case Power(base, exponent):
                return Power(self.renamed(base), exponent)
            case Product(factors):
                return Product(tuple(map(self.renamed, factors)))
            case Sum(terms):
                return Sum(tuple(map(self.renamed, terms)))
            case _:
                return tree

    def number(self, value: Fraction, style: Decimals = "none") -> str:
        """A number as the student would write it."""
        sign, size = "-" if value < 0 else "", abs(value)
        return sign + (self.written.get(size) or decimal(size, "all" if self.decimals else style) or number_text(size))


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
