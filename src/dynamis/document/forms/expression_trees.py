"""The expressions of a robot file as trees, so that formulas and fixed angles are printed by one writer."""

from __future__ import annotations

from fractions import Fraction

from dynamis.document.forms.tree import Call, Number, Power, Product, Root, Sum, Symbol, Tree, negated
from dynamis.expressions import expression as given


def tree_of(expression: given.Expression) -> Tree:
    """The expression as it is written: 2*alpha/3 stays a quotient, decimals stay decimals.

    >>> from dynamis.expressions.parser import parse
    >>> tree_of(parse("-2*alpha/3")) == Product((Number(Fraction(-2)), Symbol("alpha"), Power(Number(Fraction(3)), -1)))
    True
    """
    match expression:
        case given.Number(v):
            return Number(v)
        case given.Pi():
            return Symbol("pi")
        case given.Parameter(name):
            return Symbol(name)
        case given.Sum():
            return Sum(tuple(map(tree_of, _terms(expression))))
        case given.Product() | given.Quotient():
            return _product(expression)
        case given.Power(base, exponent):
            return Power(tree_of(base), exponent)
        case given.Call("sqrt", given.Number(Fraction(numerator=n, denominator=1))):
            return Root(n)
        case given.Call(function, argument):
            return Call(function, tree_of(argument))
        case _:
            raise TypeError(f"not an expression: {expression!r}")


def _terms(expression: given.Expression) -> list[given.Expression]:
    """a, b and c of a + b + c."""
    if isinstance(expression, given.Sum):
        return [*_terms(expression.left), *_terms(expression.right)]
    return [expression]


def _product(expression: given.Expression) -> Tree:
    number, decimal = Fraction(1), False
    factors: list[Tree] = []
    for factor, exponent in _factors(expression, 1):
        if isinstance(factor, given.Number) and (factor.value or exponent > 0):
            number, decimal = number * factor.value**exponent, decimal or factor.decimal
        else:
            tree = tree_of(factor)
            if isinstance(tree, Power) and exponent < 0:
                tree, exponent = tree.base, -tree.exponent
            factors.append(tree if exponent == 1 else Power(tree, exponent))
    if not factors:
        return Number(number)
    if number.denominator > 1 and not decimal:
        factors.append(Power(Number(Fraction(number.denominator)), -1))
        number = Fraction(number.numerator)
    if abs(number) != 1:
        factors.insert(0, Number(abs(number)))
    found = factors[0] if len(factors) == 1 else Product(tuple(factors))
    return found if number > 0 else negated(found)


def _factors(expression: given.Expression, exponent: int) -> list[tuple[given.Expression, int]]:
    """(factor, 1 or -1) for each factor of a product or a quotient."""
    match expression:
        case given.Product(a, b):
            return [*_factors(a, exponent), *_factors(b, exponent)]
        case given.Quotient(a, b):
            return [*_factors(a, exponent), *_factors(b, -exponent)]
        case _:
            return [(expression, exponent)]
