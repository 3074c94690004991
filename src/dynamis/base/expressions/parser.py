"""The small safe parser of expressions: numbers, names, + - * / ^, brackets, sin, cos, sqrt.

    sum     = product {("+" | "-") product}
    product = power {("*" | "/") power}
    power   = {"+" | "-"} atom [("^" | "**") integer]
    atom    = number | "pi" | name | ("sin" | "cos" | "sqrt") "(" sum ")" | "(" sum ")"

A sign binds less than a power: -x^2 is -(x^2). A density may have more functions than these three.

Nothing is evaluated: the text becomes a tree or an error that names the column. Length, depth,
digits and exponents are bounded, so a hostile text is refused at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Generator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Real
from typing import Any

from dynamis.base.errors import ArgumentError, ExpressionError, literal
from dynamis.base.expressions.expression import (
    MAX_DIGITS,
    Call,
    Expression,
    Number,
    Parameter,
    Pi,
    Power,
    Product,
    Quotient,
    Sum,
    short,
)

MAX_LENGTH = 1000
MAX_TOKENS = 400
MAX_DEPTH = 40
MAX_EXPONENT = 8
MAX_DEGREE = 16
MAX_DECIMAL_EXPONENT, MIN_DECIMAL_EXPONENT = 300, -330
MAX_EXACT_DIGITS = 1000
FUNCTIONS = ("sin", "cos", "sqrt")
NOT_FINITE = ("nan", "inf", "infinity")
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator>\*\*|[-+*/^()])|(?P<wrong>\S))",
    re.ASCII,
)


def as_expression(value: Any, key: str | None = None, functions: tuple[str, ...] = FUNCTIONS) -> Expression:
    """A number, a text or an expression as an expression; a float keeps the decimal it prints as.

    >>> str(as_expression(0.1)), str(as_expression("pi/2 - a"))
    ('0.1', 'pi/2 - a')
    """
    match value:
        case Expression():
            return value
        case bool():
            pass
        case str():
            with _naming(key):
                return parse(value, functions)
        case int() if abs(value) >= 10**MAX_DIGITS:
            raise ArgumentError(f"{key or 'a value'} has too many digits; a number has at most {MAX_DIGITS}", key=key)
        case int() | Fraction():
            number = Fraction(value)
            if max(abs(number.numerator), number.denominator) > 10**MAX_EXACT_DIGITS:
                sentence = f"a number of more than {MAX_EXACT_DIGITS} digits; a value is below 1e300"
                raise ArgumentError(f"{key or 'a value'} is {sentence}", key=key)
            return Number(number)
        case Decimal() if not value.is_finite():
            raise ArgumentError(f"{key or 'a value'} is {str(value).lower()}; a value is a finite number", key=key)
        case Decimal():
            with _naming(key):
                return _decimal(_fraction(str(value), 1, str(value)))
        case Real():
            number = float(value)
            if not math.isfinite(number):
                raise ArgumentError(f"{key or 'a value'} is {number}; a value is a finite number", key=key)
            return _decimal(Fraction(repr(number)))
        case _:
            pass
    raise ArgumentError(
        f"{key or 'a value'} is {literal(value)}; a value is a number or an expression in quotes", key=key
    )


@contextmanager
def _naming(key: str | None) -> Generator[None]:
    """Let the errors raised inside say which key they are about."""
    try:
        yield
    except ExpressionError as error:
        error.key = error.key or key
        raise


def parse(text: str, functions: tuple[str, ...] = FUNCTIONS) -> Expression:
    """The expression that `text` writes; `functions` are those it may use.

    >>> parse("2*(l1 + 0.5)^2 - pi/2").parameters()
    frozenset({'l1'})
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            text, MAX_LENGTH + 1, f"an expression has at most {MAX_LENGTH} characters; this one has {len(text)}"
        )
    return _Parser(text, functions).expression()


class _Parser:
    def __init__(self, text: str, functions: tuple[str, ...]) -> None:
        self.text = text
        self.functions = functions
        self.tokens: list[tuple[str, str, int]] = []
        for match in _TOKEN.finditer(text.rstrip(" \t\n\r\f\v")):
            kind = match.lastgroup or "wrong"
            token, column = match[kind], match.start(kind) + 1
            if kind == "wrong":
                name = f'"{token}"' if token.isprintable() else f"the character U+{ord(token):04X}"
                raise ExpressionError(text, column, f"{name} is not allowed; use numbers, names, + - * / ^ ( )")
            self.tokens.append((kind, token, column))
        if len(self.tokens) > MAX_TOKENS:
            column = self.tokens[MAX_TOKENS][2]
            raise ExpressionError(text, column, f"an expression has at most {MAX_TOKENS} numbers, names and signs")
        self.tokens.append(("end", "", len(text) + 1))
        self.position = 0
        self.depth = 0

    def expression(self) -> Expression:
        if len(self.tokens) == 1:
            raise self.error('it is empty; a value is a number or an expression such as "l1/2"', 1)
        result = self.sum()
        kind, token, column = self.tokens[self.position]
        if token == ")":
            raise self.error('this ")" closes no bracket', column)
        if kind == "operator" and token != "(":
            raise self.error(f'"{token}" is not expected here', column)
        if kind != "end":
            raise self.error(f'"{token}" follows without one of + - * / before it', column)
        return result

    def sum(self) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH + 1:
            raise self.error(f"at most {MAX_DEPTH} brackets stand inside each other")
        result = self.product()
        while sign := self.take("+", "-"):
            term = self.product()
            result = result + term if sign == "+" else result - term
        self.depth -= 1
        return result

    def product(self) -> Expression:
        result = self.power()
        while sign := self.take("*", "/"):
            column = self.tokens[self.position][2]
            factor = self.power()
            if sign == "/" and isinstance(factor, Number) and factor.value == 0:
                raise self.error("division by zero", column)
            result = result * factor if sign == "*" else result / factor
        return result

    def power(self) -> Expression:
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign == "-"
        base = self.atom()
        if self.take("^", "**"):
            base = self.raised(base)
        return -base if negative else base

    def raised(self, base: Expression) -> Expression:
        bracket = self.take("(")
        sign = -1 if self.take("-") else 1
        kind, token, column = self.advance()
        if kind != "number" or not token.isdigit() or len(token) > 2 or int(token) > MAX_EXPONENT:
            raise self.error(f"an exponent must be an integer from -{MAX_EXPONENT} to {MAX_EXPONENT}", column)
        if bracket:
            self.expect(")")
        if self.take("^", "**"):
            raise self.error("a power of a power needs brackets")
        exponent = sign * int(token)
        if _degree(base) * abs(exponent) > MAX_DEGREE:
            raise self.error(f"exponents of powers inside powers multiply to at most {MAX_DEGREE}", column)
        match base:
            case Number(value) if value == 0 and exponent < 0:
                raise self.error("division by zero", column)
            case Number(value, decimal) if short(value**exponent):
                return Number(value**exponent, decimal)
            case _:
                return Power(base, exponent) if exponent != 1 else base

    def atom(self) -> Expression:
        kind, token, column = self.advance()
        if kind == "number":
            return _decimal(_fraction(self.text, column, token))
        if kind == "end":
            raise self.error("the text ends where a number, a name or a bracket is expected", column)
        if token == "(":
            inner = self.sum()
            self.expect(")")
            return inner
        if kind != "name":
            raise self.error(f'a number, a name or a bracket is expected before "{token}"', column)
        if self.tokens[self.position][1] == "(":
            if token not in self.functions:
                raise self.error(f'"{token}" is not a function; the functions are {", ".join(self.functions)}', column)
            self.advance()
            argument = self.sum()
            self.expect(")")
            return Call(token, argument)
        if token in self.functions:
            raise self.error(f"{token} needs an argument in brackets", column)
        if token.startswith("__"):
            raise self.error(f'"{token}" is not the name of a parameter', column)
        if token.lower() in NOT_FINITE:
            raise self.error(f"{token} is not a finite number", column)
        return Pi() if token == "pi" else Parameter(token)

    def advance(self) -> tuple[str, str, int]:
        token = self.tokens[self.position]
        self.position = min(self.position + 1, len(self.tokens) - 1)
        return token

    def take(self, *allowed: str) -> str:
        """The next token if it is one of `allowed`, else an empty text."""
        token = self.tokens[self.position][1]
        if token in allowed:
            self.advance()
            return token
        return ""

    def expect(self, token: str) -> None:
        if not self.take(token):
            raise self.error(f'"{token}" is missing')

    def error(self, problem: str, column: int | None = None) -> ExpressionError:
        """About a column; by default that of the next token."""
        return ExpressionError(self.text, column or self.tokens[self.position][2], problem)


def _decimal(value: Fraction) -> Number:
    """A number that is written in digits: a decimal, unless it is whole."""
    return Number(value, value.denominator > 1)


def _degree(expression: Expression) -> int:
    """How far powers are piled up: the largest product of exponents inside each other."""
    match expression:
        case Power(base, exponent):
            return abs(exponent) * _degree(base)
        case Sum(a, b) | Product(a, b) | Quotient(a, b):
            return max(_degree(a), _degree(b))
        case Call(_, a):
            return _degree(a)
        case _:
            return 1


def _fraction(text: str, column: int, token: str) -> Fraction:
    """A decimal as an exact rational, its size bounded before it is built."""
    try:
        decimal = Decimal(token)
    except InvalidOperation:
        raise ExpressionError(text, column, "not a number") from None
    if not decimal.is_finite():
        raise ExpressionError(text, column, f"{token} is not a finite number")
    digits = len(decimal.as_tuple().digits)
    if digits > MAX_DIGITS:
        raise ExpressionError(text, column, f"a number has at most {MAX_DIGITS} digits; this one has {digits}")
    if decimal and decimal.adjusted() > MAX_DECIMAL_EXPONENT:
        raise ExpressionError(text, column, f"a number is below 1e{MAX_DECIMAL_EXPONENT} in size")
    if decimal and decimal.adjusted() < MIN_DECIMAL_EXPONENT:
        raise ExpressionError(text, column, f"a number other than zero is above 1e{MIN_DECIMAL_EXPONENT} in size")
    return Fraction(decimal) if decimal else Fraction(0)
