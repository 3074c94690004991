"""Hostile texts are refused at once, with a column and a sentence; the worst allowed ones are quick."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis.base.expressions.expression import Parameter, multiple_of_pi
from dynamis.base.expressions.parser import MAX_DEPTH, parse
from dynamis.errors import ExpressionError

HOSTILE = {
    "__import__('os')": (12, '"\'" is not allowed; use numbers, names, + - * / ^ ( )'),
    "__import__": (1, '"__import__" is not the name of a parameter'),
    "a.b": (2, '"." is not allowed; use numbers, names, + - * / ^ ( )'),
    "2^3^4^5": (5, "a power of a power needs brackets"),
    "((((x^8)^8)^8)": (10, "exponents of powers inside powers multiply to at most 16"),
    "(" * 10**4: (1001, "an expression has at most 1000 characters; this one has 10000"),
    "x" * 10**6: (1001, "an expression has at most 1000 characters; this one has 1000000"),
    "(" * 390: (42, "at most 40 brackets stand inside each other"),
    "sin(" * 99: (165, "at most 40 brackets stand inside each other"),
    "+".join("a" * 201): (401, "an expression has at most 400 numbers, names and signs"),
    "1e999999": (1, "a number is below 1e300 in size"),
    "2*1e-999999": (3, "a number other than zero is above 1e-330 in size"),
    "9" * 5000: (1001, "an expression has at most 1000 characters; this one has 5000"),
    "9" * 900: (1, "a number has at most 60 digits; this one has 900"),
    "lambda x: x": (9, '":" is not allowed; use numbers, names, + - * / ^ ( )'),
    "a, b": (2, '"," is not allowed; use numbers, names, + - * / ^ ( )'),
    "π/2": (1, '"π" is not allowed; use numbers, names, + - * / ^ ( )'),
    "1 + ١": (5, '"١" is not allowed; use numbers, names, + - * / ^ ( )'),
    "a\x1b[31m": (2, "the character U+001B is not allowed; use numbers, names, + - * / ^ ( )"),
    "": (1, 'it is empty; a value is a number or an expression such as "l1/2"'),
    "   ": (1, 'it is empty; a value is a number or an expression such as "l1/2"'),
    "nan": (1, "nan is not a finite number"),
    "-Inf": (2, "Inf is not a finite number"),
    "1 + infinity": (5, "infinity is not a finite number"),
    "2x": (2, '"x" follows without one of + - * / before it'),
    "a b": (3, '"b" follows without one of + - * / before it'),
    "2(3)": (2, '"(" follows without one of + - * / before it'),
    "a)": (2, 'this ")" closes no bracket'),
    "(a": (3, '")" is missing'),
    "()": (2, 'a number, a name or a bracket is expected before ")"'),
    "*a": (1, 'a number, a name or a bracket is expected before "*"'),
    "a +": (4, "the text ends where a number, a name or a bracket is expected"),
    "sin": (1, "sin needs an argument in brackets"),
    "exp(2)": (1, '"exp" is not a function; the functions are sin, cos, sqrt'),
    "eval(x)": (1, '"eval" is not a function; the functions are sin, cos, sqrt'),
    "x^0.5": (3, "an exponent must be an integer from -8 to 8"),
    "x^9": (3, "an exponent must be an integer from -8 to 8"),
    "x^y": (3, "an exponent must be an integer from -8 to 8"),
    "1/0": (3, "division by zero"),
    "1/(2 - 2)": (3, "division by zero"),
    "0^-1": (4, "division by zero"),
}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:30])
def test_hostile_texts_are_refused_at_once(text: str) -> None:
    column, problem = HOSTILE[text]
    start = time.perf_counter()
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert time.perf_counter() - start < 1
    assert caught.value.column == column
    assert str(caught.value).endswith(f", column {column}: {problem}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "a" + "+(a" * 39 + ")/b" * 39,
        "-(a" * 39 + ")/b" * 39,
        "sqrt(" * 40 + "x" + ")" * 40,
        "*".join(["1e300^8"] * 99),
        "+".join(["1e-300"] * 110),
        "+".join(f"1/{10**50 + k}" for k in range(17)),
        "*".join(["0.123456789^8"] * 70),
    ],
    ids=lambda text: text[:20],
)
def test_the_worst_allowed_texts_are_quick(text: str) -> None:
    start = time.perf_counter()
    expression = parse(text)
    assert str(parse(str(expression))) == str(expression)
    expression.parameters()
    multiple_of_pi(expression)
    assert time.perf_counter() - start < 1


def test_forty_brackets_are_allowed() -> None:
    assert parse("(" * MAX_DEPTH + "x" + ")" * MAX_DEPTH) == Parameter("x")


@settings(max_examples=500)
@given(st.text(alphabet="x1.9e+-*/^() pisqrtn_,é\n", max_size=30))
def test_any_text_is_an_expression_or_an_expression_error(text: str) -> None:
    expression, column = None, 1
    try:
        expression = parse(text)
    except ExpressionError as error:
        column = error.column
    assert 1 <= column <= len(text) + 1
    assert expression is None or str(parse(str(expression))) == str(expression)
