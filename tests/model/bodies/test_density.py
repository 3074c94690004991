"""Densities that vary: exact for polynomials, cubature with a bound otherwise (Akdogan, The Inertia Tensor)."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Body
from dynamis.base.expressions.parser import parse
from dynamis.bodies import exact_body
from dynamis.errors import ArgumentError
from dynamis.model.bodies import density as density_module
from dynamis.model.bodies.monomial_integrals import EXACT
from dynamis.scalars.scalars import evaluate
from tests.support.solid_sizes import ROUND, SIZES

SOLIDS = [s for s in SIZES if s in EXACT]
COEFFICIENT = st.integers(0, 5)


def numerically(monkeypatch: pytest.MonkeyPatch, shape: str, density: str, axis: str = "z") -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(density_module, "EXACT", {})
        return Body.solid(shape, density=density, axis=axis, **SIZES[shape]).properties()


@pytest.mark.parametrize(
    ("shape", "axis"), [(s, "z") for s in SOLIDS] + [(s, a) for s in ROUND for a in "xy" if s in EXACT]
)
def test_polynomials_are_exact(shape: str, axis: str, monkeypatch: pytest.MonkeyPatch):
    """The closed form is the cubature, to the cubature's own bound."""
    density = "3 + x + 2*x*y^2 + y^3*z^2 + z^4 + (x - y + 2*z)^2 + 5*(x*y*z)^2 + z"
    exact = Body.solid(shape, density=density, axis=axis, **SIZES[shape]).properties()
    found = numerically(monkeypatch, shape, density, axis)
    assert exact.error == 0
    assert 0 < found.error < 1e-9
    assert exact.mass == pytest.approx(found.mass, rel=1e-10)
    np.testing.assert_allclose(found.com, exact.com, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.inertia, exact.inertia, rtol=0, atol=1e-10 * exact.inertia.max())


def test_a_constant_in_disguise_is_constant():
    for shape in SIZES:
        plain = Body.solid(shape, density=3, **SIZES[shape]).properties()
        wordy = Body.solid(shape, density="3 + x - x + y*0", **SIZES[shape]).properties()
        np.testing.assert_allclose(wordy.inertia, plain.inertia, rtol=0, atol=1e-10 * plain.inertia.max())


def test_the_box_of_the_lecture_in_letters():
    """rho a b c and m (b^2 + c^2)/12 by the integrals themselves, not by the formula of the table."""
    exact = exact_body(Body.box(["a", "b", "c"], density="rho + 0*x"))
    assert exact.mass == evaluate(parse("rho*a*b*c"), exact.scalars)
    for k, text in enumerate(("b^2 + c^2", "a^2 + c^2", "a^2 + b^2")):
        assert [*[*exact.inertia][k]][k] == evaluate(parse(f"rho*a*b*c*({text})/12"), exact.scalars)


def test_letters_against_sympy():
    """A cylinder whose density grows along its axis and outward, with every size a letter."""
    r, h, rho, t, z, p = sympy.symbols("r h rho t z p", positive=True)
    density = rho * (1 + z / h + t**2 / r**2)

    def integral(f: Any) -> Any:
        return sympy.integrate(f * density * t, (t, 0, r), (p, 0, 2 * sympy.pi), (z, -h / 2, h / 2))

    mass, first, square = integral(1), integral(z), integral(z**2)
    across = integral((t * sympy.sin(p)) ** 2) + square - first**2 / mass
    exact = exact_body(Body.cylinder("r", "h", density="rho*(1 + z/h + (x^2 + y^2)/r^2)"))
    for found, expected in ((exact.mass, mass), (exact.com.z, first / mass), (exact.inertia.a.x, across)):
        text = str(sympy.expand(sympy.simplify(expected))).replace("**", "^")
        assert found == evaluate(parse(text), exact.scalars)


@given(st.lists(COEFFICIENT, min_size=4, max_size=4))
@settings(max_examples=20)
def test_integrals_are_linear_in_the_density(c: list[int]):
    terms = ["1", "x^2", "z + 1", "y^4"]
    whole = " + ".join(f"{k}*({t})" for k, t in zip(c, terms, strict=True)) + " + 1"
    box = [0.5, 0.6, 0.7]
    found = Body.box(box, density=whole).properties().about([0, 0, 0])
    expected = Body.box(box, density=1).properties().about([0, 0, 0])
    for k, t in zip(c, terms, strict=True):
        if k:
            expected = expected + k * Body.box(box, density=f"{t} + 0*x").properties().about([0, 0, 0])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13 * expected.max())


def test_cubature_of_what_is_no_polynomial():
    """cos over a bar, a quotient over a box, with closed forms."""
    bar = Body.bar(1, density="2 + cos(3*z)").properties()
    mass = 2 + 2 * sin(1.5) / 3
    assert bar.mass == pytest.approx(mass, rel=1e-12)
    second = 2 / 12 + (sin(1.5) / 6 + 2 / 9 * cos(1.5) - 4 * sin(1.5) / 27 + 0)
    t = np.linspace(-0.5, 0.5, 200_001)
    assert second == pytest.approx(np.trapezoid((2 + np.cos(3 * t)) * t**2, t), rel=1e-9)
    assert bar.inertia[0, 0] == pytest.approx(second, rel=1e-11)
    box = Body.box([2, 1, 1], density="1/(2 + x)").properties()
    assert box.mass == pytest.approx(np.log(3), rel=1e-12)
    assert box.com[0] == pytest.approx(2 / np.log(3) - 2, rel=1e-11)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"density": "1 - 9*x"},
            r'the density "1 - 9\*x" is -3.4\d+ at \(0.49.*\); a density must be >= 0 everywhere',
        ),
        ({"density": "1/x"}, "is -"),
        ({"density": "sqrt(x)"}, r"sqrt\(x\) is the root of a negative number inside the body"),
        ({"density": "cos(x)*rho"}, r'the density "cos\(x\)\*rho" is integrated numerically \(it is not a polynomial'),
        ({"density": "x - x"}, "the density integrates to the mass 0; a mass must be > 0"),
    ],
)
def test_wrong_densities(values: dict[str, Any], message: str):
    with pytest.raises(dynamis.DynamisError, match=message):
        _ = Body.box([1, 1, 1], **values).pieces(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 2, 3)])
def test_the_corners_of_a_tetrahedron_in_any_order(order: tuple[int, ...]):
    for corners in (SIZES["tetrahedron"]["vertices"], [["a", 0, 0], [0, "b", 0], [0, 0, "c"], [0, 0, 0]]):
        turned = [corners[k] for k in order]
        for density in (2, "2 + x", "2 + x^8*y^8"):
            found = Body.tetrahedron(turned, density=density).with_values(a=1, b=2, c="sqrt(3)").properties()
            assert found.mass == pytest.approx(
                Body.tetrahedron(corners, density=density).with_values(a=1, b=2, c="sqrt(3)").properties().mass,
                rel=1e-9,
            )
            assert found.mass > 0
    letters = Body.tetrahedron([["a", 0, 0], [0, "b", 0], [0, 0, "c"], [0, 0, 0]], density="rho").link_values()
    assert str(letters[0]) == "a*b*c*rho/6"


def test_a_polynomial_too_long_to_multiply_out_goes_to_cubature():
    """Over a box of numbers; with letters it is an error that says what to do."""
    text = "*".join(["(1 + x + y + z + x*y + y*z)^8"] * 3)
    assert Body.box([0.1, 0.1, 0.1], density=text).properties().error > 0
    with pytest.raises(ArgumentError, match="more than 2000 terms; give some of its symbols values"):
        Body.box([0.1, 0.1, "c"], density=text).link_values()


def test_high_powers_are_refused_or_done():
    found = Body.sphere(1, density="(x^2)^8 + 1").properties()
    assert found.mass == pytest.approx(4 * pi / 3 + 4 * pi / (17 * 19), rel=1e-12)
    with pytest.raises(ArgumentError, match="degree above 64"):
        Body.sphere("r", density="*".join(["(x^2)^8"] * 6)).link_values()
