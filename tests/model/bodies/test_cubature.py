"""The true error of the cubature is within its estimate, on densities smooth, peaked, bent and torn."""

from __future__ import annotations

from collections.abc import Callable
from math import atan, cos, erf, exp, pi, sin, sqrt
from typing import Any

import mpmath
import numpy as np
import pytest

import dynamis
from dynamis import Body
from dynamis.errors import ExpressionError
from dynamis.model.bodies.array_functions import Arrays
from dynamis.model.bodies.cubature import GAUSS, KRONROD_NODES, KRONROD_WEIGHTS, integrate
from dynamis.model.bodies.density import density_of
from dynamis.scalars.scalars import evaluate

mp: Any = mpmath

# A density in z over the unit cube, the same for mpmath, and where it is bent or torn.
ALONG_Z: dict[str, tuple[str, Callable[[Any], Any], list[float]]] = {
    "exponential": ("exp(z)", mp.exp, []),
    "sharp peak": ("exp(-2000*z^2)", lambda z: mp.exp(-2000 * z**2), [-0.1, 0, 0.1]),
    "needle beside the nodes": ("exp(-1e6*(z - 0.3217)^2)", lambda z: mp.exp(-1e6 * (z - mp.mpf("0.3217")) ** 2),
                                [0.3117, 0.3217, 0.3317]),
    "corner": ("abs(z)", mp.fabs, [0]),
    "corner beside the middle": ("abs(z - 0.123)", lambda z: abs(z - mp.mpf("0.123")), [0.123]),
    "corner as a root": ("sqrt((z - 0.123)^2)", lambda z: abs(z - mp.mpf("0.123")), [0.123]),
    "jump": ("1 + sign(z - 0.1)", lambda z: 1 + mp.sign(z - mp.mpf("0.1")), [0.1]),
    "slab": ("1 + sign(z - 0.1)*sign(0.11 - z)",
             lambda z: 1 + mp.sign(z - mp.mpf("0.1")) * mp.sign(mp.mpf("0.11") - z), [0.1, 0.11]),
    "root at the edge": ("sqrt(0.5 + z)", lambda z: mp.sqrt(z + 0.5), []),
    "pole outside": ("1/(0.52 - z)", lambda z: 1 / (mp.mpf("0.52") - z), [0.4, 0.48]),
    "steep": ("1 + tanh(50*z)", lambda z: 1 + mp.tanh(50 * z), [0]),
    "arcs": ("4 + asin(2*z) + acos(2*z)*atan(z)", lambda z: 4 + mp.asin(2 * z) + mp.acos(2 * z) * mp.atan(z), []),
    "waves": ("2 + cos(40*z) + sin(z)", lambda z: 2 + mp.cos(40 * z) + mp.sin(z), [-0.25, 0, 0.25]),
    "tangent": ("1 + tan(z)^2", lambda z: 1 + mp.tan(z) ** 2, []),
    "logarithm": ("log(1.5 + z)", lambda z: mp.log(z + mp.mpf("1.5")), []),
    "hyperbolic": ("cosh(3*z) + sinh(z)", lambda z: mp.cosh(3 * z) + mp.sinh(z), []),
}  # fmt: skip


def by_mpmath(f: Callable[[Any], Any], bends: list[float], power: int) -> float:
    with mp.workdps(30):
        texts = [str(x) for x in bends]
        return mp.quad(lambda z: f(z) * z**power, [mp.mpf("-0.5"), *map(mp.mpf, texts), mp.mpf("0.5")], maxdegree=12)


@pytest.mark.parametrize("name", ALONG_Z)
def test_the_error_is_within_the_estimate_along_a_line(name: str):
    text, f, bends = ALONG_Z[name]
    found = Body.box([1, 1, 1], density=text).properties()
    mass, first, second = (by_mpmath(f, bends, power) for power in range(3))
    com = first / mass
    assert abs(found.mass - mass) <= found.error * mass
    inertia = np.diag([1.0, 1.0, 0.0]) * float(second - mass * com**2) + np.diag([1.0, 1.0, 2.0]) * float(mass) / 12
    assert np.linalg.norm(found.inertia - inertia) <= found.error * np.linalg.norm(inertia) * (1 + 1e-6) + 1e-16
    assert abs(found.com[2] - com) <= found.error * sqrt(np.trace(inertia) / 2 / float(mass)) + 1e-17
    assert found.error <= 1e-9


PEAK = sqrt(pi / 100) * erf(5)
IN_SPACE: dict[str, tuple[Body, float]] = {
    "peak in a box": (Body.box([1, 1, 1], density="exp(-100*(x^2 + y^2 + z^2))"), PEAK**3),
    "oblique corner": (Body.box([1, 1, 1], density="abs(x - y)"), 1 / 3),
    "ball": (Body.sphere(1, density="exp(-x^2 - y^2 - z^2)"), 2 * pi * (sqrt(pi) / 2 * erf(1) - exp(-1))),
    "peak in a ball": (Body.sphere(1, density="exp(-100*(x^2 + y^2 + z^2))"), (pi / 100) ** 1.5),
    "tip in a ball": (Body.sphere(1, density="sqrt(x^2 + y^2 + z^2)"), pi),
    "core in a ball": (Body.sphere(1, density="1/(0.01 + x^2 + y^2 + z^2)"), 4 * pi * (1 - 0.1 * atan(10))),
    "layers of a ball": (Body.sphere(1, density="2 + sign(x^2 + y^2 + z^2 - 0.25)"), 4 * pi * (1 - 2 / 24)),
    "bore of a lying cylinder": (
        Body.cylinder(1, 2, density="1 + sign(y^2 + z^2 - 0.3)", axis="x"),
        4 * pi * 0.7,
    ),
    "cone about its axis": (Body.cone(1, 3, density="sqrt(x^2 + y^2)"), pi / 2),
    "cylinder": (Body.cylinder(1, 2, density="exp(z)"), pi * (exp(1) - exp(-1))),
    "lying cylinder": (Body.cylinder(1, 2, density="exp(x)", axis="x"), pi * (exp(1) - exp(-1))),
    "corner of a cube": (
        Body.tetrahedron([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], density="exp(x + y + z)"),
        exp(1) / 2 - 1,
    ),
    "capsule": (Body.capsule(1, 2, density="2 + sin(z)"), 2 * (2 * pi + 4 * pi / 3)),
    "ellipsoid": (Body.ellipsoid([1, 2, 3], density="2 + sin(z)"), 16 * pi),
    "cone": (Body.cone(1, 2, density="2 + sin(x)"), 4 * pi / 3),
    "tube": (Body.hollow_cylinder(2, 1, 1, density="1/(1 + x^2 + y^2)"), pi * np.log(2.5)),
    "plate": (Body.plate([1, 1], density="exp(x + y)"), (2 * np.sinh(0.5)) ** 2),
    "bar": (Body.bar(1, density="2 + cos(3*z)"), 2 + 2 * sin(1.5) / 3),
}


@pytest.mark.parametrize("name", IN_SPACE)
def test_the_error_is_within_the_estimate_in_space(name: str):
    body, mass = IN_SPACE[name]
    found = body.properties()
    assert abs(found.mass - mass) <= found.error * mass
    assert 0 < found.error <= (1e-3 if name == "oblique corner" else 1e-9)


@pytest.mark.parametrize("k", [1, 5, 20])
def test_the_estimate_of_a_product(k: int):
    found = integrate(lambda u, v, w: [np.exp(-k * u) * np.cos(k * v)])
    assert abs(found.value[0] - (1 - exp(-k)) / k * sin(k) / k) <= found.error[0] <= 1e-9


@pytest.mark.parametrize(("at", "thickness"), [(0.5, 0.003), (0.07, 0.004), (0.318, 0.01), (0.995, 0.005)])
def test_a_jump_beside_a_smooth_change(at: float, thickness: float):
    """A thin layer across one axis, with a density that changes along another."""
    found = integrate(lambda u, v, w: [np.exp(u) * (np.abs(w - at) < thickness)], 1e-11)
    inside = min(at + thickness, 1) - (at - thickness)
    assert abs(found.value[0] - (exp(1) - 1) * inside) <= found.error[0] <= 1e-10 * found.value[0]


def test_the_rule_is_exact_to_its_degree():
    """The 7-point Gauss rule to degree 13, the 15-point Kronrod rule to degree 22."""
    for weights, degree in ((GAUSS, 13), (KRONROD_WEIGHTS, 22)):
        powers = np.arange(degree + 3)
        off = np.abs(weights @ KRONROD_NODES[:, None] ** powers - 1 / (powers + 1))
        assert off[: degree + 1].max() < 2e-16
        assert off[degree + 2] > 1e-16 if weights is KRONROD_WEIGHTS else off[degree + 1] > 1e-9


def test_errors_go_through_sums_of_parts():
    """Beside a heavy part the error is small; a hole of nearly the same mass makes it large."""
    odd = Body.box([1, 1, 1], density="1 + abs(x - y)")
    alone = odd.properties().error
    assert alone > 1e-9
    heavy = (odd + Body.box([1, 1, 1], density=1000).at("Tx(1)")).properties().error
    rest = (odd - Body.box([0.98, 0.98, 0.98], density=1.4)).allowing_overlap().properties().error
    assert heavy < 0.1 * alone < alone < rest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "1 + sign(x - y + 0.1*z)",
            r"the integrals of the density do not converge: with \d+ points their estimated error is",
        ),
        ("1/(x^2 + y^2 + 0.001*z^2)", r"the density is not finite inside the body, at \(0, 0, 0\)"),
        ("exp(1000*x + 1000)", "not finite inside the body, at"),
        ("log(x)", r"log\(x\) is the logarithm of a number that is not positive inside the body"),
        ("asin(3*x + 3)", r"asin\(3\*x \+ 3\) is the angle of a sine beyond 1 inside the body"),
        ("1/sqrt(0.5 + z)", "not finite inside the body, at|do not converge"),
        ("-exp(x)", r'the density "-exp\(x\)" is -1.6\d+ at \(0.49'),
        ("1 - 3*exp(-1e3*(x - 0.07)^2)", r"is -0.17\d* at \(0.1006, "),
        ("sinus(x)", r'"sinus" is not a function; the functions are sin, cos, tan, sqrt, exp, log, abs'),
        ("exp*x", "exp needs an argument in brackets"),
        ("exp(x)*rho", r"exp\(x\) is defined for numbers only; give its symbols values"),
        ("exp(k)", r"exp\(k\) is defined for numbers only; give its symbols values"),
    ],
)
def test_what_is_refused(text: str, message: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dynamis.model.bodies.cubature.MAX_CELLS", 400)
    with pytest.raises(dynamis.DynamisError, match=message):
        Body.box([1, 1, 1], density=text).link_values()


def test_functions_of_numbers_are_numbers():
    assert str(density_of("1000*exp(0)")) == "1000"
    body = Body.box([1, 1, 1], density="rho*exp(k)")
    assert body.with_values(rho=2, k=1).properties().mass == pytest.approx(2 * exp(1), rel=1e-15)
    assert body.with_values(rho=2, k=1).properties().error == 0
    assert body.parameters() == {"rho", "k"}
    graded = Body.box([1, 1, 1], density="rho*exp(k*x)").with_values(rho=2, k=1)
    assert graded.properties().mass == pytest.approx(4 * np.sinh(0.5), rel=1e-12)


def test_other_values_have_fewer_functions():
    with pytest.raises(ExpressionError, match="the functions are sin, cos, sqrt"):
        Body.sphere("exp(1)", mass=1)
    assert cos(1) == pytest.approx(evaluate(density_of("cos(1)"), Arrays({})))
