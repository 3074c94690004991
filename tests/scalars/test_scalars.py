"""Every kind of scalars keeps the same laws; what a kind cannot do is refused with one error."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from math import inf, isnan, nan, sqrt
from pathlib import Path
from typing import Any

import pytest

import dynamis
from benchmarks.dynamics.casadi_peer import CasadiScalars
from dynamis.base.errors import ArgumentError, MissingValuesError
from dynamis.base.expressions.parser import parse
from dynamis.compute.program.trace import Node, Trace
from dynamis.compute.program.traced_scalars import TracedScalars
from dynamis.model.bodies.array_functions import Arrays
from dynamis.model.bodies.polynomial import Polynomials
from dynamis.scalars import scalars as contract
from dynamis.scalars.exact.numbers import value
from dynamis.scalars.exact.scalars import ExactScalars
from dynamis.scalars.floats import Floats, number
from dynamis.scalars.fractions import Fractions
from dynamis.scalars.scalars import Scalars, ScalarsError, evaluate
from tests.support.rings import ring
from tests.support.scalars import Symbols

VALUES = {"a": parse("3/2")}
FLOATS = Floats(VALUES)
RING = ring(("pi",), roots=(2, 3))
casadi: Any = import_module("casadi")

KINDS: Mapping[str, tuple[Scalars[Any], Callable[[Any], float]]] = {
    "floats": (FLOATS, float),
    "fractions": (Fractions(VALUES), float),
    "exact": (ExactScalars(RING, VALUES, {}), lambda x: float(value(x).mid())),
    "traced, known": (TracedScalars(FLOATS, Trace()), float),
    "CasADi": (CasadiScalars(VALUES, casadi=casadi), lambda x: float(casadi.DM(x))),
    "polynomials": (Polynomials(VALUES), lambda x: number(x.expression(), {}) or 0.0),
    "arrays": (Arrays({"a": 1.5}), float),
    "SymPy": (Symbols(), lambda x: float(x.subs("a", 1.5) if hasattr(x, "subs") else x)),
}
# What a kind refuses; all else it can do.
REFUSES = {
    "fractions": {"pi", "cos_sin", "sqrt"},
    "exact": {"cos_sin", "sqrt", "sign", "least", "greatest", "nearest"},
    "CasADi": {"nearest"},
    "polynomials": {"cos_sin", "sqrt", "sign", "least", "greatest", "nearest"},
    "arrays": {"cos_sin", "sqrt", "sign", "least", "greatest", "nearest"},
    "SymPy": {"sign", "least", "greatest", "nearest"},
}
OPERATIONS: Mapping[str, Callable[[Scalars[Any], Any], Any]] = {
    "pi": lambda s, x: s.pi(),
    "cos_sin": lambda s, x: s.cos_sin(x),
    "sqrt": lambda s, x: s.sqrt(x),
    "sign": lambda s, x: s.sign(x),
    "least": lambda s, x: s.least(x, x),
    "greatest": lambda s, x: s.greatest(x, x),
    "nearest": lambda s, x: s.nearest(x),
}
each_kind = pytest.mark.parametrize("kind", KINDS)


def can(kind: str, operation: str) -> bool:
    return operation not in REFUSES.get(kind, ())


@each_kind
def test_constants_are_a_field(kind: str) -> None:
    scalars, as_float = KINDS[kind]
    x, y = scalars.constant(Fraction(3, 4)), scalars.constant(Fraction(-5, 2))
    assert as_float(x + y) == -1.75
    assert as_float(x * y - x) == -2.625
    assert as_float(-x) == -0.75
    assert as_float(x + scalars.zero) == as_float(x * scalars.one) == 0.75
    assert as_float(scalars.one / (x + x)) == pytest.approx(2 / 3, rel=1e-15)


@each_kind
def test_expressions(kind: str) -> None:
    scalars, as_float = KINDS[kind]
    assert as_float(scalars.parameter("a")) == 1.5
    assert as_float(evaluate(parse("2*a^2 - (a + 1)/5 + 1/4^2"), scalars)) == pytest.approx(4.0625, rel=1e-15)
    assert as_float(evaluate(parse("a^-2"), scalars)) == pytest.approx(1 / 2.25, rel=1e-15)
    if can(kind, "pi"):
        assert as_float(evaluate(parse("pi/2"), scalars)) == pytest.approx(1.5707963267948966, rel=1e-15)


@each_kind
@pytest.mark.parametrize("angle", ["0", "pi/2", "-pi", "3*pi/2", "pi/6", "pi/4"])
def test_angles_of_the_model(kind: str, angle: str) -> None:
    scalars, as_float = KINDS[kind]
    if kind == "fractions" and angle in ("pi/6", "pi/4"):
        with pytest.raises(ScalarsError, match=f"Fractions have no cosine of {angle}"):
            scalars.cos_sin_of(parse(angle))
        return
    c, s = scalars.cos_sin_of(parse(angle))
    assert as_float(c * c + s * s) == pytest.approx(1, rel=1e-15)
    exact = kind not in ("arrays", "SymPy")
    assert as_float(c) == pytest.approx(FLOATS.cos_sin_of(parse(angle))[0], rel=1e-15, abs=0 if exact else 1e-15)


@each_kind
@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_a_kind_cannot_do_is_refused(kind: str, operation: str) -> None:
    scalars, _ = KINDS[kind]
    x = scalars.constant(Fraction(9, 4))
    if can(kind, operation):
        OPERATIONS[operation](scalars, x)
    else:
        with pytest.raises(ScalarsError, match=f"{type(scalars).__name__} have no .*; choose scalars that have it"):
            OPERATIONS[operation](scalars, x)


@each_kind
def test_functions_of_scalars(kind: str) -> None:
    scalars, as_float = KINDS[kind]
    x, y, zero = (scalars.constant(Fraction(k, 4)) for k in (9, -6, 0))
    if can(kind, "cos_sin"):
        c, s = scalars.cos_sin(x)
        assert as_float(c * c + s * s) == pytest.approx(1, rel=1e-15)
    if can(kind, "sqrt"):
        assert as_float(scalars.sqrt(x)) == 1.5
        assert as_float(scalars.sqrt(x + x)) == pytest.approx(sqrt(4.5), rel=1e-15)
    if can(kind, "sign"):
        assert [as_float(scalars.sign(v)) for v in (x, y, zero)] == [1, -1, 0]
    if can(kind, "least"):
        assert as_float(scalars.least(x, y)) == as_float(scalars.least(y, x)) == -1.5
        assert as_float(scalars.greatest(x, y)) == as_float(scalars.greatest(y, x)) == 2.25
    if can(kind, "nearest"):
        halves = (Fraction(k, 2) for k in (3, 5, -5, 4))
        assert [as_float(scalars.nearest(scalars.constant(v))) for v in halves] == [2, 2, -2, 2]


def test_a_root_of_the_model() -> None:
    for scalars in (FLOATS, TracedScalars(FLOATS, Trace())):
        assert evaluate(parse("sqrt(a + 3/4)"), scalars) == 1.5
        with pytest.raises(ArgumentError, match=r"sqrt\(-a\) is the root of -1.5, which is negative"):
            evaluate(parse("sqrt(-a)"), scalars)
    with pytest.raises(ArgumentError, match=r"exp\(a\) is defined for numbers only; give its symbols values"):
        evaluate(parse("exp(a)", ("exp",)), FLOATS)


def test_floats_beyond_a_domain_are_nan_as_in_machine_code() -> None:
    assert all(isnan(x) for x in (*FLOATS.cos_sin(inf), FLOATS.sqrt(-1.0), FLOATS.least(nan, 1.0), FLOATS.nearest(nan)))
    assert FLOATS.nearest(-inf) == -inf


def test_traced_scalars_are_nodes_where_an_input_enters() -> None:
    trace = Trace()
    x = trace.input("x")
    scalars = TracedScalars(FLOATS, trace, {"b": x})
    assert evaluate(parse("b"), scalars) is x
    c, s = scalars.cos_sin_of(parse("b"))
    assert (c.op, s.op, evaluate(parse("sqrt(b)"), scalars).op) == ("cos", "sin", "sqrt")
    assert scalars.cos_sin(x) == (c, s)
    results = (scalars.sign(x), scalars.least(2.0, x), scalars.greatest(x, 2.0), scalars.nearest(x))
    assert all(isinstance(node, Node) for node in results)
    assert [node.op for node in results] == ["sign", "min", "max", "round"]
    with pytest.raises(MissingValuesError, match="no value for missing"):
        scalars.parameter("missing")


def test_every_kind_of_scalars_is_listed() -> None:
    root = Path(dynamis.__file__).parent
    for path in root.rglob("*.py"):
        for kind in re.findall(r"^class (\w+)\(Scalars\[", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert re.search(rf"^    {kind} +{path.relative_to(root)} ", contract.__doc__ or "", re.MULTILINE), kind
