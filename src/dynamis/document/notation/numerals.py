"""Which fractions are written as decimals."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from operator import is_
from typing import Literal

from dynamis.document.forms.order import atoms
from dynamis.document.forms.tree import Number, Power, Product, Sum, Tree

Decimals = Literal["all", "some", "none"]
"""Where they end: all fractions, all but small ones such as 1/2 and 3/8, or none."""


# What floats keep: a number of more digits is the product of decimals, and nobody reads it.
MOST_DIGITS = 16
KEPT_DIGITS = 12


def rounded(tree: Tree) -> Tree:
    """The tree with its long numbers rounded to KEPT_DIGITS digits; the very same where there are none."""
    match tree:
        case Number(value) if max(len(str(abs(value.numerator))), len(str(value.denominator))) > MOST_DIGITS:
            short = _rounded(value)
            return tree if short == value else Number(short)
        case Product(factors):
            found = tuple(map(rounded, factors))
            return tree if all(map(is_, found, factors)) else Product(found)
        case Sum(terms):
            found = tuple(map(rounded, terms))
            return tree if all(map(is_, found, terms)) else Sum(found)
        case Power(base, exponent):
            found = rounded(base)
            return tree if found is base else Power(found, exponent)
        case _:
            return tree


def _rounded(value: Fraction) -> Fraction:
    """The number in KEPT_DIGITS digits; a decimal of at most MOST_DIGITS digits as it is."""
    with localcontext() as context:
        context.prec = MOST_DIGITS + 1
        quotient = Decimal(value.numerator) / Decimal(value.denominator)
        if len(quotient.normalize().as_tuple().digits) <= MOST_DIGITS and Fraction(quotient) == value:
            return value
        context.prec = KEPT_DIGITS
        return Fraction(+quotient)


def has_decimals(tree: Tree) -> bool:
    """Whether a formula has a number that is written as a decimal where some are."""
    return any(isinstance(atom, Number) and decimal(abs(atom.value)) is not None for atom in atoms(tree))


def decimal(value: Fraction, which: Decimals = "some") -> str | None:
    """A number that ends as a decimal; unless "all" are wanted, small fractions such as 1/2 and 3/8 stay fractions.

    >>> decimal(Fraction(121, 20)), decimal(Fraction(1, 4)), decimal(Fraction(1, 4), "all"), decimal(Fraction(1, 7))
    ('6.05', None, '0.25', None)
    """
    rest = value.denominator
    if rest == 1 or which == "none" or (rest <= 12 and rest % 5 and which == "some"):
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
