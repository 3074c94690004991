"""Scalars: what an algorithm may do with a number, said once for every kind of number.

An algorithm uses + - * / on numbers and, for everything else, the `Scalars` that it is given: constants and
parameters of the model, sines and cosines, square roots, comparisons. The same text then runs on

    Floats          scalars/floats.py                 Python's floats: the plain reference
    Fractions       scalars/fractions.py              rationals, right angles only
    ExactScalars    scalars/exact/scalars.py          polynomials over the rationals: closed forms and proofs
    BothScalars     exact/derivations/bodies/masses.py  exact polynomials in pairs: by density and by mass
    TracedScalars   compute/program/traced_scalars.py   nodes of a trace: programs for the backends, CasADi among them

and expressions of a file are evaluated, besides, on

    _Balls          scalars/exact/numbers.py          balls of FLINT: rigorous bounds of numbers
    Polynomials     model/bodies/polynomial.py              sums with like terms collected: inertia formulas for files
    Arrays          model/bodies/array_functions.py         NumPy arrays: densities at many points
    _NamedScalars   exact/derivations/robots/named_terms.py formulas whose larger parts have names: derivations
    _Converter      telling/notation/sympy_form.py   SymPy expressions

A kind states only what it can do; what it does not state is refused here, with one error (`ScalarsError`). What ends
in `_of` takes an expression of the model, so that a kind can be exact (cos(pi/2) = 0) and can name the expression in
an error; the others take scalars.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Never, Protocol, TypeVar

from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import (
    Call,
    Expression,
    Number,
    Parameter,
    Pi,
    Power,
    Product,
    Quotient,
    Sum,
)


class Scalar(Protocol):
    """One number of any kind."""

    def __add__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __neg__(self) -> Any: ...


S = TypeVar("S", bound=Scalar)


class ScalarsError(ArgumentError):
    """An operation that a kind of scalars does not have; `kind` and `operation` name both."""

    def __init__(self, kind: str, operation: str, message: str = "") -> None:
        self.kind, self.operation = kind, operation
        super().__init__(message or f"{kind} have no {operation}; choose scalars that have it, such as Floats")


class Scalars(Protocol[S]):
    """What an algorithm may do with a number beside + - * /. Pairs are (cosine, sine)."""

    def constant(self, value: Fraction) -> S:
        """A rational number."""
        self.refuse(f"constant {value}")

    @property
    def zero(self) -> S:
        """The number 0."""
        return self.constant(Fraction(0))

    @property
    def one(self) -> S:
        """The number 1."""
        return self.constant(Fraction(1))

    def pi(self) -> S:
        """The number pi."""
        self.refuse("pi")

    def parameter(self, name: str) -> S:
        """A named parameter of the model."""
        self.refuse(f"parameter {name}")

    def cos_sin_of(self, angle: Expression) -> tuple[S, S]:
        """Cosine and sine of an angle of the model [rad]."""
        return self.cos_sin(evaluate(angle, self))

    def sqrt_of(self, argument: Expression) -> S:
        """The square root of an expression of the model."""
        return self.sqrt(evaluate(argument, self))

    def function_of(self, name: str, argument: Expression) -> S:
        """Another function of an expression, such as exp in a density."""
        raise ArgumentError(f"{name}({argument}) is defined for numbers only; give its symbols values")

    def cos_sin(self, x: S, /) -> tuple[S, S]:
        """Cosine and sine of a scalar [rad]."""
        self.refuse("sines and cosines")

    def sqrt(self, x: S, /) -> S:
        """The square root of a scalar; of a negative number it is NaN where there is one."""
        self.refuse("square roots")

    def decay(self, x: S, /) -> S:
        """exp(-x), for x >= 0."""
        self.refuse("exponentials")

    def sign(self, x: S, /) -> S:
        """-1, 0 or 1."""
        self.refuse("signs")

    def least(self, x: S, y: S, /) -> S:
        """The smaller of two; NaN if x is."""
        self.refuse("order")

    def greatest(self, x: S, y: S, /) -> S:
        """The larger of two; NaN if x is."""
        self.refuse("order")

    def nearest(self, x: S, /) -> S:
        """The nearest integer; the even one of two."""
        self.refuse("rounding")

    def value(self, x: S, /) -> S:
        """The scalar itself; in a program its sign stays in it, so that all sums of products with it are alike."""
        return x

    def refuse(self, operation: str) -> Never:
        """Raise the error of an operation that this kind does not have."""
        raise ScalarsError(type(self).__name__.lstrip("_"), operation)


def evaluate(expression: Expression, scalars: Scalars[S]) -> S:
    """The value of an expression.

    >>> from dynamis.base.expressions.parser import parse
    >>> from dynamis.scalars.floats import Floats
    >>> evaluate(parse("2*cos(pi/3) + l"), Floats({"l": parse("0.5")}))
    1.5
    """
    at: Any = scalars
    match expression:
        case Number(v):
            return at.constant(v)
        case Pi():
            return at.pi()
        case Parameter(name):
            return at.parameter(name)
        case Product(Number(Fraction(numerator=-1, denominator=1)), b):
            return -evaluate(b, at)
        case Sum(a, b):
            return evaluate(a, at) + evaluate(b, at)
        case Product(a, b):
            return evaluate(a, at) * evaluate(b, at)
        case Quotient(a, Number(v)):
            return evaluate(a, at) * at.constant(1 / v)
        case Quotient(a, b):
            return evaluate(a, at) / evaluate(b, at)
        case Power(a, n):
            power, base = at.one, evaluate(a, at)
            for _ in range(abs(n)):
                power = power * base
            return power if n >= 0 else at.one / power
        case Call("cos", a):
            return at.cos_sin_of(a)[0]
        case Call("sin", a):
            return at.cos_sin_of(a)[1]
        case Call("sqrt", a):
            return at.sqrt_of(a)
        case Call(name, a):
            return at.function_of(name, a)
        case _:
            raise TypeError(f"not an expression: {expression!r}")
