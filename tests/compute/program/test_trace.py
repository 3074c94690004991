"""Traced scalars are the numbers that they stand for, with less to compute."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamis.compute.program.program import Program, program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Node, Trace

OPERATIONS = ("+", "-", "*", "/", "neg", "sin", "cos", "sqrt", "sign", "square")


def evaluated(made: Program, x: list[float]) -> list[float]:
    """The program on floats, operation by operation."""
    values: list[float] = []
    for op, a, b, c in made.operations:
        match op:
            case "input":
                values.append(x[int(a.split(":")[1])])
            case "constant":
                values.append(a)
            case _:
                values.append(applied(op, *(values[k] for k in (a, b, c) if k is not None)))
    return [values[k] for places in made.results for k in places]


def applied(op: str, *x: float) -> float:
    match op:
        case "+":
            return x[0] + x[1]
        case "-":
            return x[0] - x[1]
        case "*":
            return x[0] * x[1]
        case "/":
            return x[0] / x[1] if x[1] else math.copysign(math.inf, x[1]) * x[0] if x[0] else math.nan
        case "neg":
            return -x[0]
        case "sign":
            return float(np.sign(x[0]))
        case "square":
            return x[0] * x[0]
        case "fma":
            return x[0] * x[1] + x[2]
        case "fms":
            return x[0] * x[1] - x[2]
        case "fnma":
            return x[2] - x[0] * x[1]
        case _:
            return math.nan if not math.isfinite(x[0]) or (op == "sqrt" and x[0] < 0) else getattr(math, op)(x[0])


def traced(trace: Trace, op: str, *x: Any) -> Any:
    """The same on nodes."""
    if op == "sqrt":
        return trace.sqrt(x[0])
    if not any(isinstance(v, Node) for v in x):
        return applied(op, *x)
    if op in ("sin", "cos", "sign"):
        return getattr(trace, op)(x[0])
    return x[0] / x[1] if op == "/" else applied(op, *x)


@given(st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 30), st.integers(0, 30)), max_size=40))
def test_any_expression_is_what_it_would_be_in_floats(steps: list[tuple[str, int, int]]) -> None:
    """Shortened and fused programs give the value of the expression, as far as rounding lets them."""
    x = [0.7, -1.3, 2.1]
    trace = Trace()
    nodes: list[Any] = [*(trace.input(f"x:{k}") for k in range(3)), 0.0, 1.0, -1.0, 2.5]
    floats: list[float] = [*x, 0.0, 1.0, -1.0, 2.5]
    for op, i, j in steps:
        i, j = i % len(nodes), j % len(nodes)
        arguments = (i, j) if op in "+-*/" else (i,)
        value = applied(op, *(floats[k] for k in arguments))
        if not 1e-3 < abs(value) < 1e3:
            continue  # Near a zero or a pole, rounding decides.
        nodes.append(traced(trace, op, *(nodes[k] for k in arguments)))
        floats.append(value)
    made = program([Operand("x", (3,))], [(Operand("y", (len(nodes),)), nodes)])
    for form in (made, made.fused):
        np.testing.assert_allclose(evaluated(form, x), floats, rtol=1e-6)


def test_what_is_known_is_not_computed() -> None:
    trace = Trace()
    x, y, z = (trace.input(f"x:{k}") for k in range(3))
    assert x * 0.0 == 0.0
    assert x - x == 0.0
    assert x / x == 1.0
    assert x * 1.0 is x
    assert x + 0.0 is x
    assert x.__neg__().__neg__() is x
    assert x + y is y + x
    assert x * y is y * x
    assert (x - z) + (y + z) is x + y
    assert (x + y) * 2.0 * 0.5 is x + y
    assert trace.cos(-x) is trace.cos(x)
    assert (-x) * (-y) is x * y


def test_a_square_root_of_a_number_is_a_number() -> None:
    """The mass matrix of one joint is constant, and so is its Cholesky factor."""
    trace = Trace()
    assert trace.sqrt(6.25) == 2.5
    assert math.isnan(trace.sqrt(-1.0))
    assert isinstance(trace.sqrt(trace.input("x:0")), Node)


def test_an_algorithm_may_not_branch_on_a_traced_value() -> None:
    with pytest.raises(TypeError, match="may not branch"):
        bool(Trace().input("x:0"))


def test_equal_programs_have_equal_digests() -> None:
    def made(factor: float) -> Program:
        x = Trace().input("x:0")
        return program([Operand("x", (1,))], [(Operand("y", (1,)), [x * factor])])

    assert made(3.0).digest == made(3.0).digest
    assert made(3.0).digest != made(math.nextafter(3.0, 4.0)).digest
    assert made(3.0).digest != made(-3.0).digest


def test_products_are_fused_once() -> None:
    """A product that is used twice stays a product; one that meets a sum is fused with it."""
    trace = Trace()
    x, y, z = (trace.input(f"x:{k}") for k in range(3))
    xy = x * y
    shared = program([Operand("x", (3,))], [(Operand("y", (2,)), [xy + z, xy])]).fused
    assert [op for op, *_ in shared.operations if op != "input"] == ["*", "+"]
    single = program([Operand("x", (3,))], [(Operand("y", (3,)), [x * y + z, x * z - y, z - x * x])]).fused
    assert [op for op, *_ in single.operations if op != "input"] == ["fma", "fms", "fnma"]
