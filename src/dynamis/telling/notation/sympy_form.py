"""Formulas as SymPy objects: for interchange only, nothing in dynamis computes with them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.parser import parse
from dynamis.base.extras import import_extra
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.telling.forms.tree import (
    Call,
    Coordinate,
    Number,
    Power,
    Product,
    Rest,
    Root,
    Sign,
    Sum,
    Symbol,
    Tree,
    Trig,
)
from dynamis.telling.notation.notation import OWN_NAMES
from dynamis.telling.notation.symbol_table import Names
from dynamis.telling.notation.tree_matrix import Printable, TreeMatrix


def to_sympy(value: Printable) -> Any:
    """A scalar as a SymPy expression, a vector or a matrix as a SymPy Matrix.

    Letters are plain symbols of the same name; velocities are dq1, accelerations ddq1.
    """
    sympy = import_extra("sympy", "to_sympy needs", "sympy")
    matrix = TreeMatrix.of(value, OWN_NAMES, cap=None)
    converter = _Converter(sympy, matrix.joints.names(OWN_NAMES))
    if matrix.kind == "formula":
        return converter.of(matrix.formula)
    return sympy.Matrix([[converter.of(tree) for tree in row] for row in matrix.rows])


class _Converter(Scalars[Any]):
    """Trees, and the expressions of fixed angles, as SymPy expressions."""

    def __init__(self, sympy: Any, names: Names) -> None:
        self.sympy, self.names = sympy, names

    def of(self, tree: Tree) -> Any:
        sympy = self.sympy
        match tree:
            case Number(v):
                return self.constant(v)
            case Symbol("pi"):
                return sympy.pi
            case Symbol(name):
                return self.parameter(name)
            case Root(radicand):
                return sympy.sqrt(radicand)
            case Coordinate(joint, order):
                return sympy.Symbol(self.names.joint(joint, order).letter)
            case Sign(joint, function):
                called = sympy.sign if function == "sign" else sympy.Function(function)
                return called(sympy.Symbol(self.names.joint(joint, 1).letter))
            case Trig(function, angle):
                total = sympy.Add(*(times * self.angle(name) for name, times in angle))
                return getattr(sympy, function)(total)
            case Power(base, exponent):
                return self.of(base) ** exponent
            case Product(factors):
                return sympy.Mul(*map(self.of, factors))
            case Sum(terms):
                return sympy.Add(*map(self.of, terms))
            case Call(function, argument):
                return getattr(sympy, function)(self.of(argument))
            case Rest(total):
                raise ArgumentError(f"a capped form does not show all of its {total} terms; ask with cap=None")

    def angle(self, name: str) -> Any:
        """A joint, or a fixed angle such as 1/7*pi."""
        if name in self.names.numbers or name.isidentifier():
            return self.sympy.Symbol(self.names.joint(name).letter)
        return evaluate(parse(name), self)

    def constant(self, value: Fraction) -> Any:
        return self.sympy.Rational(value.numerator, value.denominator)

    def pi(self) -> Any:
        return self.sympy.pi

    def parameter(self, name: str) -> Any:
        return self.sympy.Symbol(self.names.parameter(name).letter)

    def cos_sin(self, x: Any, /) -> tuple[Any, Any]:
        return self.sympy.cos(x), self.sympy.sin(x)

    def sqrt(self, x: Any, /) -> Any:
        return self.sympy.sqrt(x)
