"""The expressions of a robot file as trees, so that formulas and fixed angles are printed by one writer."""

from __future__ import annotations

from fractions import Fraction

from dynamis.base.expressions import expression as ex
from dynamis.telling.forms.tree import Call, Number, Power, Product, Root, Sum, Symbol, Tree, negate_tree


def tree_of(expression: ex.Expression) -> Tree:
    """The expression as it is written: 2*alpha/3 stays a quotient, decimals stay decimals.

    >>> from dynamis.base.expressions.parser import parse
    >>> tree_of(parse("-2*alpha/3")) == Product((Number(Fraction(-2)), Symbol("alpha"), Power(Number(Fraction(3)), -1)))
    True
    """
    match expression:
        case ex.Number(v):
            return Number(v)
        case ex.Pi():
            return Symbol("pi")
        case ex.Parameter(name):
            return Symbol(name)
        case ex.Sum():
            return Sum(tuple(map(tree_of, _terms(expression))))
        case ex.Product() | ex.Quotient():
            return _product(expression)
        case ex.Power(base, exponent):
            return Power(tree_of(base), exponent)
        case ex.Call("sqrt", ex.Number(Fraction(numerator=n, denominator=1))):
            return Root(n)
        case ex.Call(function, argument):
            return Call(function, tree_of(argument))
        case _:
            raise TypeError(f"not an expression: {expression!r}")


def _terms(expression: ex.Expression) -> list[ex.Expression]:
    """a, b and c of a + b + c."""
    if isinstance(expression, ex.Sum):
        return [*_terms(expression.left), *_terms(expression.right)]
    return [expression]


def _product(expression: ex.Expression) -> Tree:
    number, decimal = Fraction(1), False
    factors: list[Tree] = []
    for factor, exponent in _factors(expression, 1):
        if isinstance(factor, ex.Number) and (factor.value or exponent > 0):
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
    product = factors[0] if len(factors) == 1 else Product(tuple(factors))
    return product if number > 0 else negate_tree(product)


def _factors(expression: ex.Expression, exponent: int) -> list[tuple[ex.Expression, int]]:
    """(factor, 1 or -1) for each factor of a product or a quotient."""
    match expression:
        case ex.Product(a, b):
            return [*_factors(a, exponent), *_factors(b, exponent)]
        case ex.Quotient(a, b):
            return [*_factors(a, exponent), *_factors(b, -exponent)]
        case _:
            return [(expression, exponent)]
