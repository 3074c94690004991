"""Which fractions are written as decimals."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from operator import is_
from typing import Literal

from dynamis.telling.forms.order import atoms
from dynamis.telling.forms.tree import Number, Power, Product, Sum, Tree

Decimals = Literal["all", "some", "none"]
"""Where they end: all fractions, all but small ones such as 1/2 and 3/8, or none."""


# 5/12 is a fraction to everybody, 7/16 to few.
SMALL_DENOMINATOR = 12
# What floats keep: a number of more digits is the product of decimals, and nobody reads it.
MOST_DIGITS = 16
KEPT_DIGITS = 12


def round_tree(tree: Tree, digits: int | None = None) -> Tree:
    """The tree with its long numbers rounded; the very same where there are none.

    Long are numbers of more than `digits` digits, which are rounded to as many; by default those of more than
    MOST_DIGITS, which are rounded to KEPT_DIGITS.
    """
    match tree:
        case Number(value) if _length(value) > (digits or MOST_DIGITS):
            short = _round_number(value, digits or MOST_DIGITS, digits or KEPT_DIGITS)
            return tree if short == value else Number(short)
        case Product(factors):
            parts = tuple(round_tree(factor, digits) for factor in factors)
            return tree if all(map(is_, parts, factors)) else Product(parts)
        case Sum(terms):
            parts = tuple(round_tree(term, digits) for term in terms)
            return tree if all(map(is_, parts, terms)) else Sum(parts)
        case Power(base, exponent):
            parts = round_tree(base, digits)
            return tree if parts is base else Power(parts, exponent)
        case _:
            return tree


def _length(value: Fraction) -> int:
    return max(len(str(abs(value.numerator))), len(str(value.denominator)))


def _round_number(value: Fraction, most: int, kept: int) -> Fraction:
    """The number in `kept` digits, and all those before the point; a decimal of at most `most` digits as it is."""
    with localcontext() as context:
        context.prec = most + 1
        quotient = Decimal(value.numerator) / Decimal(value.denominator)
        if len(quotient.normalize().as_tuple().digits) <= most and Fraction(quotient) == value:
            return value
        context.prec = max(kept, len(str(abs(value.numerator) // value.denominator)))
        return Fraction(Decimal(value.numerator) / Decimal(value.denominator))


def manner(*trees: Tree) -> Decimals:
    """How the numbers of a formula are written, so that no sum has both 1/4 and 0.3.

    With a decimal in it, all that end are decimals; but beside a fraction that does not end, such as 2/15, small ones
    are fractions, too: 2/15 a + 1/5 b.
    """
    numbers = {abs(atom.value) for tree in trees for atom in atoms(tree) if isinstance(atom, Number)}
    ending = {number for number in numbers if number.denominator == 1 or decimal(number, "all") is not None}
    if not any(decimal(number) for number in ending):
        return "some"
    return "none" if ending < numbers and all(number.denominator <= SMALL_DENOMINATOR for number in ending) else "all"


def decimal(value: Fraction, which: Decimals = "some") -> str | None:
    """A number that ends as a decimal; unless "all" are wanted, small fractions such as 1/2 and 3/8 stay fractions.

    >>> decimal(Fraction(121, 20)), decimal(Fraction(1, 4)), decimal(Fraction(1, 4), "all"), decimal(Fraction(1, 7))
    ('6.05', None, '0.25', None)
    """
    rest = value.denominator
    if rest == 1 or which == "none" or (rest <= SMALL_DENOMINATOR and rest % 5 and which == "some"):
        return None
    places = 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest, power = rest // prime, power + 1
        places = max(places, power)
    if rest > 1:
        return None
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
