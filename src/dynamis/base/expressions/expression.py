"""Expressions: what a physical value is before it has a number.

An expression is a number (an exact rational), pi, a named parameter, or a sum, product, quotient,
integer power, sine, cosine or square root of expressions. It is data, a small frozen tree: it can
be printed, asked for its parameters, and evaluated in scalars of any kind (scalars/scalars.py).

>>> from dynamis.base.expressions.parser import parse
>>> length = parse("-l1 + d1/2")
>>> str(length), sorted(length.parameters())
('-l1 + d1/2', ['d1', 'l1'])
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dynamis.base.errors import ArgumentError

MAX_DIGITS = 60


class Expression:
    """The root of the tree's nodes; the operators fold rational constants."""

    __slots__ = ()
    precedence = 4

    def __init_subclass__(cls) -> None:
        """Before `@dataclass` does: an expression is read as it is written, not as its tree."""
        super().__init_subclass__()
        cls.__repr__ = Expression.__repr__

    def __repr__(self) -> str:
        return str(self)

    def parameters(self) -> frozenset[str]:
        """The names of the parameters that this expression uses."""
        return frozenset(node.name for node in walk(self) if isinstance(node, Parameter))

    def __add__(self, other: Expression) -> Expression:
        match self, other:
            case Number(a, x), Number(b, y) if short(a + b):
                return Number(a + b, x or y)
            case Number(Fraction(numerator=0)), _:
                return other
            case _, Number(Fraction(numerator=0)):
                return self
            case _:
                return Sum(self, other)

    def __neg__(self) -> Expression:
        match self:
            case Number(a, x):
                return Number(-a, x)
            case Product(Number(a, x), b):
                return Number(-a, x) * b
            case _:
                return Product(Number(Fraction(-1)), self)

    def __sub__(self, other: Expression) -> Expression:
        return self + -other

    def __mul__(self, other: Expression) -> Expression:
        match self, other:
            case Number(a, x), Number(b, y) if short(a * b):
                return Number(a * b, x or y)
            case (Number(Fraction(numerator=0)), _) | (_, Number(Fraction(numerator=0))):
                return ZERO
            case Number(Fraction(numerator=1, denominator=1)), _:
                return other
            case _, Number(Fraction(numerator=1, denominator=1)):
                return self
            case _, Number():
                return Product(other, self)
            case _:
                return Product(self, other)

    def __truediv__(self, other: Expression) -> Expression:
        match self, other:
            case _, Number(Fraction(numerator=0)):
                raise ArgumentError("division by zero in an expression")
            case Number(a, x), Number(b, y) if short(a / b):
                return Number(a / b, x or y)
            case _, Number(Fraction(numerator=1, denominator=1)):
                return self
            case Number(Fraction(numerator=0)), _:
                return ZERO
            case _:
                return Quotient(self, other)

    def __str__(self) -> str:
        raise NotImplementedError

    def _inside(self, precedence: int) -> str:
        """This text, in brackets where it binds less than `precedence`."""
        return f"({self})" if self.precedence < precedence else str(self)


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """An exact rational number; a decimal in a file is one of these.

    `decimal` says that it was written as one, or is made of such; formulas are printed accordingly.
    """

    value: Fraction
    decimal: bool = field(default=False, compare=False, repr=False)

    def __str__(self) -> str:
        return decimal_text(self.value)

    def parameters(self) -> frozenset[str]:
        """None."""
        return frozenset()

    @property
    def precedence(self) -> int:  # type: ignore[override]
        text = decimal_text(self.value)
        return 1 if text.startswith("-") else 2 if "/" in text else 4


@dataclass(frozen=True, slots=True)
class Pi(Expression):
    """The number pi, exactly."""

    def __str__(self) -> str:
        return "pi"


@dataclass(frozen=True, slots=True)
class Parameter(Expression):
    """A named value."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Sum(Expression):
    """left + right; a difference is the sum with the negative."""

    left: Expression
    right: Expression
    precedence = 1

    def __str__(self) -> str:
        if isinstance(self.right, Sum):
            # Without brackets it would read back as another sum: 1 + (1 + x) as 2 + x.
            return f"{self.left} + ({self.right})"
        right = str(self.right)
        return f"{self.left} - {right[1:]}" if right.startswith("-") else f"{self.left} + {right}"


@dataclass(frozen=True, slots=True)
class Product(Expression):
    """left * right; a negative is the product with -1."""

    left: Expression
    right: Expression
    precedence = 2

    def __str__(self) -> str:
        if self.left == Number(Fraction(-1)):
            right = self.right._inside(2)
            return f"-({right})" if right.startswith("-") else f"-{right}"
        return f"{self.left._inside(2) if not isinstance(self.left, Number) else self.left}*{self.right._inside(3)}"


@dataclass(frozen=True, slots=True)
class Quotient(Expression):
    """left / right."""

    left: Expression
    right: Expression
    precedence = 2

    def __str__(self) -> str:
        return f"{self.left._inside(2)}/{self.right._inside(3)}"


@dataclass(frozen=True, slots=True)
class Power(Expression):
    """base ^ exponent, an integer."""

    base: Expression
    exponent: int
    precedence = 3

    def __str__(self) -> str:
        return f"{self.base._inside(4)}^{self.exponent}"


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """`sin`, `cos` or `sqrt` of an expression; in a density also `exp` and others, which few kinds of scalars know."""

    function: str
    argument: Expression

    def __str__(self) -> str:
        return f"{self.function}({self.argument})"


ZERO: Expression = Number(Fraction(0))
ONE: Expression = Number(Fraction(1))


def walk(expression: Expression) -> Iterator[Expression]:
    """Every node of the tree, without recursion."""
    pending = [expression]
    while pending:
        node = pending.pop()
        yield node
        match node:
            case Sum(a, b) | Product(a, b) | Quotient(a, b):
                pending += (b, a)
            case Power(a, _) | Call(_, a):
                pending.append(a)
            case _:
                pass


def substitute(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """The expression with values in the place of parameters, constants folded.

    >>> from dynamis.base.expressions.parser import parse
    >>> str(substitute(parse("m*l^2/12"), {"m": parse("3"), "l": parse("0.5")}))
    '0.0625'
    """
    match expression:
        case Parameter(name):
            return values.get(name, expression)
        case Sum(a, b):
            return substitute(a, values) + substitute(b, values)
        case Product(a, b):
            return substitute(a, values) * substitute(b, values)
        case Quotient(a, b):
            return substitute(a, values) / substitute(b, values)
        case Power(a, n):
            base = substitute(a, values)
            if isinstance(base, Number) and (base.value or n > 0) and short(base.value**n):
                return Number(base.value**n, base.decimal)
            return Power(base, n)
        case Call(function, a):
            return Call(function, substitute(a, values))
        case _:
            return expression


def multiple_of_pi(expression: Expression, values: Mapping[str, Expression] | None = None) -> Fraction | None:
    """The rational r with expression = r pi, or None if there is none (or it is not seen).

    Parameters are looked up in `values`.

    >>> from dynamis.base.expressions.parser import parse
    >>> multiple_of_pi(parse("-pi/2")), multiple_of_pi(parse("0.3")), multiple_of_pi(parse("0"))
    (Fraction(-1, 2), None, Fraction(0, 1))
    """
    parts = _rational_and_pi(expression, values or {})
    return parts[1] if parts is not None and parts[0] == 0 else None


def short(value: Fraction) -> bool:
    """Whether a constant is folded: longer ones stay sums and products, so that no text makes huge numbers."""
    return max(abs(value.numerator), value.denominator) < 10**MAX_DIGITS


def decimal_text(value: Fraction) -> str:
    """An exact text of a rational that reads well: `0.05`, `12`, `1e-30`, else `1/3`."""
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    digits = str(abs(value.numerator) * 10**places // value.denominator) if rest == 1 else ""
    significant = digits.rstrip("0")
    if rest != 1 or len(significant) > MAX_DIGITS:
        return f"{value.numerator}/{value.denominator}"
    sign = "-" if value < 0 else ""
    if max(len(digits), places) > 24 and len(significant) < 24:
        exponent = len(digits) - places - 1
        return f"{sign}{significant[0]}{'.' * (len(significant) > 1)}{significant[1:]}e{exponent}"
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[: len(digits) - places]}{'.' * (places > 0)}{digits[len(digits) - places :]}"


def _rational_and_pi(expression: Expression, values: Mapping[str, Expression]) -> tuple[Fraction, Fraction] | None:
    """(a, b) with expression = a + b pi, a and b rational."""
    match expression:
        case Number(v):
            return v, Fraction(0)
        case Pi():
            return Fraction(0), Fraction(1)
        case Parameter(name) if name in values:
            return _rational_and_pi(values[name], {})
        case Sum(a, b) | Product(a, b) | Quotient(a, b):
            left, right = _rational_and_pi(a, values), _rational_and_pi(b, values)
        case _:
            return None
    if left is None or right is None:
        return None
    (a, b), (c, d) = left, right
    match expression:
        case Sum():
            return a + c, b + d
        case Product() if not (b and d):
            return a * c, a * d + b * c
        case Quotient() if c and not d:
            return a / c, b / c
        case _:
            return None


def alone(expression: Expression) -> Iterator[str]:
    """The parameters with nothing but numbers beside them: l1 and d of l1/2 - d, none of m*l^2."""
    match expression:
        case Parameter(name):
            yield name
        case Sum(left, right):
            yield from (*alone(left), *alone(right))
        case Product(left, right):
            yield from alone(right) if not left.parameters() else () if right.parameters() else alone(left)
        case Quotient(left, right) if not right.parameters():
            yield from alone(left)
        case _:
            pass
