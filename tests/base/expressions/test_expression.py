"""Expressions: what a text means, that printing reads back, and that hostile texts are refused."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dynamis import DynamisError
from dynamis.base.expressions.expression import (
    ONE,
    ZERO,
    Call,
    Expression,
    Number,
    Parameter,
    Pi,
    Power,
    decimal_text,
    multiple_of_pi,
)
from dynamis.base.expressions.parser import as_expression, parse
from dynamis.errors import ArgumentError, MissingValuesError
from dynamis.scalars.floats import Floats, number
from dynamis.scalars.scalars import Scalars, evaluate

VALUES = {"x": 0.7, "y": -1.9, "l_1": 2.25}
WORLD = Floats({name: as_expression(value) for name, value in VALUES.items()})


def value(text: str) -> float:
    return evaluate(parse(text), WORLD)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2*3", 7),
        ("(1 + 2)*3", 9),
        ("2 - 3 - 4", -5),
        ("2 - (3 - 4)", 3),
        ("16/4/2", 2),
        ("16/(4/2)", 8),
        ("2*3^2", 18),
        ("-3^2", -9),
        ("(-3)^2", 9),
        ("2^-2", 0.25),
        ("2^(-2)", 0.25),
        ("2**3", 8),
        ("--2", 2),
        ("-+-2", 2),
        ("2*-3", -6),
        ("2 - -3", 5),
        (" 1\t+\n1 ", 2),
        (".5 + 5.", 5.5),
        ("1e3", 1000),
        ("1.5E-3", 0.0015),
        ("0e999", 0),
        ("x", 0.7),
        ("-x^2", -0.49),
        ("x - y", 2.6),
        ("x^0", 1),
        ("l_1/2", 1.125),
        ("2*pi", 2 * math.pi),
        ("sqrt(4)", 2),
        ("sin(x)^2 + cos(x)^2", 1),
        ("sqrt(x^2 + y^2)", math.hypot(0.7, 1.9)),
    ],
)
def test_meaning(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("-l1 + d1/2", "-l1 + d1/2"),
        ("a - b*c", "a - b*c"),
        ("a - b/c", "a - b/c"),
        ("a - (b - c)", "a - (b - c)"),
        ("1 + (1 + x)", "1 + (1 + x)"),
        ("a + (-b + c)", "a + (-b + c)"),
        ("a + (-b)/c", "a - b/c"),
        ("a*(b + c)", "a*(b + c)"),
        ("a/(b*c)", "a/(b*c)"),
        ("-(a + b)", "-(a + b)"),
        ("-(a*b)", "-a*b"),
        ("a*-b", "a*(-b)"),
        ("(a + b)^2", "(a + b)^2"),
        ("(a^2)^3", "(a^2)^3"),
        ("a^-1", "a^-1"),
        ("1/3*a", "1/3*a"),
        ("0.5*a", "0.5*a"),
        ("a*0.5", "0.5*a"),
        ("2*3 + 1", "7"),
        ("0*a + b*1 - 0", "b"),
        ("sin(a + b)", "sin(a + b)"),
        ("1e30 + a", "1e30 + a"),
        ("-0.05", "-0.05"),
    ],
)
def test_printing(text: str, printed: str) -> None:
    assert str(parse(text)) == printed


def numbers() -> st.SearchStrategy[Expression]:
    rationals = st.fractions(max_denominator=10**6).map(Number)
    decimals = st.floats(1e-12, 1e12).map(as_expression)
    return st.one_of(st.integers(-9, 9).map(as_expression), rationals, decimals)


def leaves() -> st.SearchStrategy[Expression]:
    return st.one_of(numbers(), st.sampled_from([Parameter(name) for name in VALUES]), st.just(Pi()))


def larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    def quotient(a: Expression, b: Expression) -> Expression:
        return a / b if b != ZERO else a

    return st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(quotient, inner, inner),
        st.builds(lambda a: -a, inner),
        st.builds(Power, inner, st.integers(-3, 4)),
        st.builds(lambda f, a: Call(f, a), st.sampled_from(["sin", "cos"]), inner),
    )


class Precise(Scalars[Any]):
    """Numbers of 120 digits, in which another grouping of a sum changes nothing that is seen."""

    def constant(self, value: Fraction) -> Any:
        return mpmath.mpf(value.numerator) / value.denominator

    def pi(self) -> Any:
        return +mpmath.mp.pi

    def parameter(self, name: str) -> Any:
        return mpmath.mpf(str(VALUES[name]))

    def cos_sin(self, x: Any, /) -> tuple[Any, Any]:
        return mpmath.cos(x), mpmath.sin(x)

    def sqrt(self, x: Any, /) -> Any:
        return mpmath.sqrt(x)


@settings(max_examples=500)
@given(st.recursive(leaves(), larger, max_leaves=12).filter(lambda e: str(e).count("^") <= 2))
def test_printing_reads_back_with_the_same_value(expression: Expression) -> None:
    with mpmath.workdps(120):
        try:
            before = evaluate(expression, Precise())
        except ZeroDivisionError:
            assume(False)
        again = parse(str(expression))
        assert abs(evaluate(again, Precise()) - before) <= 1e-30 * (1 + abs(before))
    assert again.parameters() == expression.parameters()
    assert str(parse(str(again))) == str(again)


@given(st.fractions())
def test_numbers_print_exactly(number: Fraction) -> None:
    assert parse(decimal_text(number)) == Number(number)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e299, max_value=1e299))
def test_floats_keep_their_value(number: float) -> None:
    assert evaluate(as_expression(number), WORLD) == number
    assert evaluate(parse(str(as_expression(number))), WORLD) == number


def test_decimals_are_exact() -> None:
    assert parse("0.1 + 0.2") == Number(Fraction(3, 10)) == as_expression(0.3) == as_expression(Decimal("0.3"))
    assert as_expression(0.1) == Number(Fraction(1, 10))
    assert parse("1/3*3") == ONE
    assert str(parse("9.80665")) == "9.80665"


@pytest.mark.parametrize(
    "given", [np.float64(0.5), np.float32(0.5), Fraction(1, 2), "0.5", "1/2", Decimal("0.50"), 0.5]
)
def test_kinds_of_numbers(given: Any) -> None:
    assert as_expression(given) == Number(Fraction(1, 2))


def test_integers_of_numpy() -> None:
    assert as_expression(np.int64(3)) == as_expression(3) == as_expression("3")


def test_long_constants_stay_as_they_are_written() -> None:
    """No text makes a huge number: what does not fit in 60 digits is not folded."""
    assert str(parse("1e300*1e300")) == "1e300*1e300"
    assert str(parse("1e30*1e30")) == "1e30*1e30"
    assert str(parse("1e20*1e20")) == "1e40"


@pytest.mark.parametrize(
    ("angle", "expected"),
    [
        ("0", (1, 0)),
        ("pi/2", (0, 1)),
        ("-pi/2", (0, -1)),
        ("pi", (-1, 0)),
        ("3*pi/2", (0, -1)),
        ("7*pi", (-1, 0)),
        ("pi*0.5", (0, 1)),
        ("pi - pi/2", (0, 1)),
        ("2*(pi/4)", (0, 1)),
        ("pi/3", (0.5, math.sqrt(3) / 2)),
        ("2*pi/3", (-0.5, math.sqrt(3) / 2)),
        ("-pi/4", (math.sqrt(2) / 2, -math.sqrt(2) / 2)),
        ("5*pi/6", (-math.sqrt(3) / 2, 0.5)),
        ("quarter", (0, 1)),
        ("quarter*2", (-1, 0)),
    ],
)
def test_cosines_of_right_angles_are_exact(angle: str, expected: tuple[float, float]) -> None:
    scalars = Floats({"quarter": parse("pi/2")})
    assert scalars.cos_sin_of(parse(angle)) == expected
    assert evaluate(parse(f"cos({angle})"), scalars) == expected[0]
    assert evaluate(parse(f"sin({angle})"), scalars) == expected[1]


@given(st.fractions(min_value=-10, max_value=10, max_denominator=24))
def test_cosines_agree_with_the_library(turn: Fraction) -> None:
    cos, sin = Floats({}).cos_sin_of(Number(turn) * Pi())
    assert cos == pytest.approx(math.cos(float(turn) * math.pi), abs=1e-14)
    assert sin == pytest.approx(math.sin(float(turn) * math.pi), abs=1e-14)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pi", Fraction(1)),
        ("-pi/2", Fraction(-1, 2)),
        ("0", Fraction(0)),
        ("1 - 1", Fraction(0)),
        ("pi*2/3", Fraction(2, 3)),
        ("(pi + 1) - 1", Fraction(1)),
        ("3*(pi/6 + pi/3)", Fraction(3, 2)),
        ("turn", Fraction(1, 4)),
        ("-turn*2", Fraction(-1, 2)),
        ("1", None),
        ("pi + 1", None),
        ("pi*pi", None),
        ("1/pi", None),
        ("pi^2", None),
        ("unknown", None),
        ("sin(pi)", None),
    ],
)
def test_multiple_of_pi(text: str, expected: Fraction | None) -> None:
    assert multiple_of_pi(parse(text), {"turn": parse("pi/4")}) == expected


def test_parameters() -> None:
    assert parse("a*sin(b)/c^2 + sqrt(d) - pi").parameters() == {"a", "b", "c", "d"}
    assert parse("2*pi").parameters() == frozenset()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (True, "mass is true; a value is a number or an expression in quotes"),
        (None, "mass is None; a value is a number or an expression in quotes"),
        ([1], "mass is [1]; a value is a number or an expression in quotes"),
        (1j, "mass is 1j; a value is a number or an expression in quotes"),
        (float("nan"), "mass is nan; a value is a finite number"),
        (np.float64("inf"), "mass is inf; a value is a finite number"),
        (Decimal("-Infinity"), "mass is -infinity; a value is a finite number"),
        (10**5000, "mass has too many digits; a number has at most 60"),
    ],
    ids=range(8),
)
def test_values_that_are_none(given: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        as_expression(given, "mass")
    assert str(caught.value) == message
    assert caught.value.key == "mass"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/a", '"1/a" divides by zero with these values'),
        ("1e300*1e300", '"1e300*1e300" is inf with these values; a value is finite'),
        ("sqrt(a - 2)", "sqrt(a - 2) is the root of -2, which is negative"),
    ],
)
def test_values_that_do_not_exist(text: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        number(parse(text), {"a": ZERO})
    assert str(caught.value) == message


def test_numbers_of_missing_parameters() -> None:
    assert number(parse("a + b"), {"a": ONE}) is None
    with pytest.raises(MissingValuesError, match='robot "arm" has no value for b'):
        evaluate(parse("b"), Floats({}, "arm"))


def test_dividing_by_zero_is_a_dynamis_error() -> None:
    with pytest.raises(DynamisError, match="division by zero in an expression"):
        Parameter("x") / ZERO
