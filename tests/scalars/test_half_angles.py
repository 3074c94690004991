"""Quotients and roots of trigonometric polynomials are exact, and are found wherever they exist."""

from __future__ import annotations

import random
from math import cos, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis.scalars.exact.half_angles import quotient, square_root
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import half_angle, joint_angle
from tests.support.rings import ring

RING = ring(("a", "b"), joints=("q1", "q2", "q3"))


@st.composite
def sums(draw: st.DrawFn) -> Exact:
    """A few products of parameters, sines and cosines; not zero."""
    total = RING.zero
    for _ in range(draw(st.integers(1, 3))):
        term = RING.number(draw(st.sampled_from([1, -1, 2, 3])))
        for name in draw(st.lists(st.sampled_from(RING.symbols), max_size=3, unique=True)):
            term = term * RING.scalar(name)
        total = total + term
    return total or RING.one


@settings(max_examples=60, deadline=None)
@given(sums(), sums())
def test_a_factor_divides_its_product(a: Exact, b: Exact):
    assert quotient(a * b, b) == a


@settings(max_examples=60, deadline=None)
@given(sums(), sums())
def test_a_quotient_is_one(a: Exact, b: Exact):
    ratio = quotient(a, b)
    assert ratio is None or ratio * b == a


@settings(max_examples=60, deadline=None)
@given(sums(), st.sampled_from([1, 3, -2]))
def test_a_square_has_its_root(a: Exact, number: int):
    square = (a * a).times(number)
    result = square_root(square)
    assert result is not None
    factor, root = result
    assert (root * root).times(factor) == square


@settings(max_examples=60, deadline=None)
@given(sums())
def test_what_has_a_root_is_its_square(a: Exact):
    result = square_root(a)
    assert result is None or (result[1] * result[1]).times(result[0]) == a


def test_no_quotient_and_no_root():
    sine, a = RING.scalar(RING.angles[0][0]), RING.scalar("a")
    assert quotient(a, sine) is None
    assert square_root(a * sine) is None


def test_products_of_half_angles_have_one_normal_form():
    """Whatever the order of the factors, as the relations are a Groebner basis; even ones have no half angles."""
    rng = random.Random(1)
    angles = [pair for name in ("a", "b") for pair in (joint_angle(name), half_angle(name))]
    ring = Ring(tuple(symbol for pair in angles for symbol in pair))
    point: dict[str, float] = {}
    for pair, angle in zip(angles, (0.7, 0.35, -2.2, -1.1), strict=True):
        point |= zip(pair, (sin(angle), cos(angle)), strict=True)
    for _ in range(200):
        factors = [ring.scalar(rng.choice(ring.symbols)) for _ in range(6)]
        forward, backward, value = ring.one, ring.one, 1.0
        for x in factors:
            forward, value = forward * x, value * x.at(point, float)
        for x in rng.sample(factors, 6):
            backward = x * backward
        assert forward == backward
        assert forward.at(point, float) == pytest.approx(value)
        halves = [sum(str(x) in map(str, half_angle(name)) for x in factors) for name in ("a", "b")]
        assert any(symbol.is_half for symbol in forward.symbols()) == any(count % 2 for count in halves)
