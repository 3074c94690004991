"""Division by sums of parameters: exact, in normal form, and a fraction on the page."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy

import dynamis
from dynamis import Joint, Link, Robot
from dynamis.base.errors import ArgumentError
from dynamis.telling.forms.simplest import simplest
from dynamis.telling.forms.tree import expand
from dynamis.telling.notation import latex, python, text, to_sympy
from tests.support.rings import ring


def arm(mass: str) -> Robot:
    link = Link("a", Joint("q1"), mass=mass, com=("l", 0, 0))
    names = dict.fromkeys(["m", "a", "b", "l", "g"], "")
    return dynamis.Robot("arm", (link,), gravity=(0, "-g", 0), parameters=names)


@pytest.mark.parametrize(
    ("mass", "expected"),
    [
        ("m/(a + b)", "m l g cos(q₁)/(a + b)"),
        ("m*a/(a + b)", "m a l g cos(q₁)/(a + b)"),
        ("m*a/(a + b) + m*b/(a + b)", "m l g cos q₁"),
        ("m*(a^2 - b^2)/(a + b)", "m l (a − b) g cos q₁"),
        ("m/(a + b)^2", "m l g cos(q₁)/((a + b)²)"),
        ("m/(a^2 - b^2)", "m l g cos(q₁)/((a − b) (a + b))"),
        ("m/(2*a - b) + m/a", "m l (1/a + 1/(2 a − b)) g cos q₁"),
        ("m/(b + a/m)", "m² l g cos(q₁)/(a + b m)"),
        ("m/(1 + sqrt(2))", "m l (√2 − 1) g cos q₁"),
        ("m*(a + b)^(-1)", "m l g cos(q₁)/(a + b)"),
    ],
)
def test_quotients_on_the_page(mass: str, expected: str):
    model = arm(mass).equations()
    shown = simplest(model.gravity[0])
    assert expand(shown, model.ring) == model.gravity[0]
    assert all(proof.holds for proof in model.prove())
    assert text(model.gravity[0]) == expected


@pytest.mark.parametrize("mass", ["m*a/(a + b)", "m/(a^2 - b^2) + m/a", "m/(b + a/m)", "m/(a + cos(b))"])
def test_printed_values(mass: str):
    """SymPy computes the same from the file's own expression."""
    scalar = arm(mass).equations().gravity[0]
    wanted = sympy.sympify(mass.replace("^", "**")) * sympy.Symbol("l") * sympy.Symbol("g")
    wanted = wanted * sympy.cos(sympy.Symbol("q1"))
    assert sympy.simplify(to_sympy(scalar) - wanted) == 0
    assert sympy.simplify(sympy.sympify(python(scalar)) - wanted) == 0
    assert "\\frac" in latex(scalar)


def test_equal_quotients_have_equal_normal_forms():
    world = ring("abm", inverses=("a", "a + b", "a - b"))
    a, b, m = (world.scalar(name) for name in "abm")
    one, plus, minus = world.number(1), a + b, a - b
    assert a / plus == one - b / plus
    assert one / a - one / plus == b / (a * plus)
    assert (one / minus + one / plus) == a.times(2) / (a * a - b * b)
    assert m / plus / minus == m / (a * a - b * b)
    assert hash(one / (a.times(2) + b.times(2))) == hash((one / plus).times(Fraction(1, 2)))


def test_normal_forms_agree_with_values():
    """Random quotients: equal polynomials if and only if equal values."""
    world = ring("ab", inverses=("a", "a + b", "a + 2*b"))
    a, b, one = world.scalar("a"), world.scalar("b"), world.number(1)
    pieces = [a, b, one / a, one / (a + b), one / (a + b + b)]
    values = [2.0, 3.0, 1 / 2, 1 / 5, 1 / 8]
    chance = random.Random(3)
    seen: dict[float, object] = {}
    for _ in range(300):
        chosen = [chance.choices(range(5), k=3) for _ in range(3)]
        scalar, value = world.zero, 0.0
        for i, j, k in chosen:
            scalar, value = scalar + pieces[i] * pieces[j] * pieces[k], value + values[i] * values[j] * values[k]
        known = {"a": Fraction(2), "b": Fraction(3), "1/a": Fraction(1, 2), "1/(a + b)": Fraction(1, 5)}
        at = known | {"1/(a + 2*b)": Fraction(1, 8)}
        total = Fraction(0)
        for exponents, number in scalar.terms().items():
            for name, e in zip(world.symbols, exponents, strict=True):
                number *= at[name] ** e
            total += number
        assert float(total) == pytest.approx(value)
        product = scalar * (a + b) * (a + b) * (a + b) * (a + b + b) * (a + b + b) * (a + b + b) * a * a * a
        assert not any(symbol.kind == "inverse" for symbol in product.symbols())
        assert seen.setdefault(hash(scalar), scalar) == scalar


def test_dividing_by_what_is_zero():
    with pytest.raises(ArgumentError, match='"a - a" is zero'):
        _ = arm("m/(a - a)").equations().M[0, 0]


def test_a_model_with_sums_below_has_coefficients_and_base_parameters():
    model = arm("m*a/(a + b)").equations()
    assert model.coefficients.p == 2
    assert model.base_parameters
    assert arm("m/(a + b)").equations().positive_definite().holds is None  # a + b may be negative


def test_an_axis_of_whole_length_needs_no_root():
    link = Link("a", Joint("q1", axis=(1, 2, 2)), mass="m", com=("l", 0, 0))
    model = dynamis.Robot("r", (link,), parameters=dict.fromkeys(["m", "l"], "")).equations()
    assert model.ring.roots == ()
    assert text(model.M[0, 0]) == "8/9 m l²"
