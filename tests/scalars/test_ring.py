"""The ring: normal forms, relations, division, derivatives; and the world's fixed angles."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamis
from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.parser import parse
from dynamis.exact.closed_form.exact_robot import exact_scalars
from dynamis.scalars.exact.angles import angle_of, prime_factors
from dynamis.scalars.exact.counterexample import value
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.scalars import evaluate
from tests.support.rings import ring

RING = ring("ml", joints=("q1", "q2"), roots=(2,), inverses=("l",))


@st.composite
def scalars(draw: st.DrawFn) -> Exact:
    total = RING.number(draw(st.integers(-3, 3)))
    for _ in range(draw(st.integers(0, 4))):
        term = RING.number(draw(st.fractions(-2, 2, max_denominator=5)))
        for name in draw(st.lists(st.sampled_from(RING.symbols), max_size=5)):
            term = term * RING.scalar(name)
        total = total + term
    return total


@given(scalars(), scalars(), scalars())
def test_ring_axioms(a: Exact, b: Exact, c: Exact):
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert not a - a
    assert hash(a * b) == hash(b * a)


@given(scalars(), scalars())
def test_normal_forms_are_values(a: Exact, b: Exact):
    """A product evaluated is the product of the values, on the circle and with the true root."""
    point = {"sin(q1)": Fraction(3, 5), "cos(q1)": Fraction(-4, 5)}
    point |= {"sin(q2)": Fraction(5, 13), "cos(q2)": Fraction(12, 13)}
    point |= {"m": Fraction(7, 3), "l": Fraction(2, 5)}
    assert float(value(a * b, point)) == pytest.approx(float(value(a, point) * value(b, point)), abs=1e-9)


def test_relations():
    s, c, root, inverse, length = (RING.scalar(name) for name in ("sin(q1)", "cos(q1)", "sqrt(2)", "1/l", "l"))
    assert s * s + c * c == RING.number(1)
    assert root * root == RING.number(2)
    assert inverse * length == RING.number(1)
    assert (s * s * s).terms() == (s - s * c * c).terms()


def test_division():
    m, length, root = (RING.scalar(name) for name in ("m", "l", "sqrt(2)"))
    assert m / length * length == m
    assert m / root * root == m
    assert (m.times(3) / RING.number(6)) == m.times(Fraction(1, 2))
    for wrong in (m, m + length):
        with pytest.raises(
            ArgumentError, match="exact scalars divide by numbers and by what the model itself divides by, not by"
        ):
            _ = m / wrong


def test_prime_factors():
    assert prime_factors(360) == {2: 3, 3: 2, 5: 1}
    assert prime_factors(1) == {}
    assert math.prod(p**k for p, k in prime_factors(10**18 + 9).items()) == 10**18 + 9


@pytest.mark.parametrize("twelfths", range(-30, 31))
def test_multiples_of_15_degrees_are_exact(twelfths: int):
    joint = dynamis.Joint("q", before=f"Rx({twelfths}*pi/12) Ry(pi/12)")
    scalars = exact_scalars(dynamis.Robot("r", (dynamis.Link("a", joint, mass=1),)))
    cosine, sine = scalars.cos_sin_of(parse(f"{twelfths}*pi/12"))
    assert float(value(cosine, {})) == pytest.approx(math.cos(twelfths % 24 * math.pi / 12), abs=1e-15)
    assert float(value(sine, {})) == pytest.approx(math.sin(twelfths % 24 * math.pi / 12), abs=1e-15)
    assert cosine * cosine + sine * sine == scalars.ring.number(1)


def test_angles_taken_apart():
    angle = angle_of(parse("pi/2 - 2*alpha + 0.3 + beta/2"), {"beta": parse("pi/3")})
    assert angle.pi == Fraction(1, 2) + Fraction(1, 6)
    assert angle.named == {parse("alpha"): Fraction(-2), parse("0.3"): 1}
    with pytest.raises(ArgumentError, match="takes a named angle more than 24 times"):
        angle_of(parse("25*alpha"), {})


def test_a_root_of_symbols_is_refused_with_a_sentence():
    link = dynamis.Link("a", dynamis.Joint("q"), mass=1, com=("sqrt(l)", 0, 0))
    robot = dynamis.Robot("r", (link,), parameters={"l": "length [m]"})
    with pytest.raises(ArgumentError, match=r"sqrt\(l\) has symbols under the root"):
        _ = robot.equations().torques


def test_roots_of_numbers_are_canonical():
    link = dynamis.Link("a", dynamis.Joint("q"), mass=1, com=("sqrt(8)", "sqrt(1/2)", "sqrt(0.9)"))
    model = dynamis.Robot("r", (link,)).equations()
    a, b, c = model.mechanism.bodies[0].com
    assert a == b.times(4)
    assert c * c == model.ring.number(Fraction(9, 10))
    assert evaluate(parse("sqrt(0)"), model.scalars) == model.ring.zero
