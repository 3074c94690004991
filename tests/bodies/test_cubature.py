"""The bound of the cubature holds, on densities smooth, peaked, bent and torn, whose integrals are known otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import atan, cos, erf, exp, factorial, pi, sin, sqrt
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Body
from dynamis.bodies import ball_functions as functions
from dynamis.bodies.balls import Balls
from dynamis.bodies.cubature import BOUNDS, NODES, ORDER, WEIGHTS, integrate
from dynamis.bodies.density import density_of
from dynamis.bodies.radii import in_radii
from dynamis.expressions.expression import evaluate

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
def test_the_bound_holds_along_a_line(name: str):
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
def test_the_bound_holds_in_space(name: str):
    body, mass = IN_SPACE[name]
    found = body.properties()
    assert abs(found.mass - mass) <= found.error * mass
    assert 0 < found.error <= (1e-3 if name == "oblique corner" else 1e-9)


@pytest.mark.parametrize("k", [1, 5, 20])
def test_the_bound_of_a_product(k: int):
    def f(u: Sequence[Balls]) -> list[Balls]:
        rate = Balls.constant(k, u[0].length)
        return [functions.exp(-rate * u[0]) * functions.cos_sin(rate * u[1])[0]]

    found = integrate(f)
    assert abs(found.value[0] - (1 - exp(-k)) / k * sin(k) / k) <= found.error[0] <= 1e-9


def test_bounds_go_through_sums_of_parts():
    """Beside a heavy part the error is small; a hole of nearly the same mass makes it large."""
    odd = Body.box([1, 1, 1], density="1 + abs(x - y)")
    alone = odd.properties().error
    assert alone > 1e-9
    heavy = (odd + Body.box([1, 1, 1], density=1000).at("Tx(1)")).properties().error
    rest = (odd - Body.box([0.98, 0.98, 0.98], density=1.4)).allowing_overlap().properties().error
    assert heavy < 0.1 * alone < alone < rest


def test_constants_of_the_bounds():
    """That of c_14 is the error of the rule for t^14 itself; the rest hold for every |t - 1/2|^m."""
    exact = Fraction(factorial(7) ** 4, 15 * factorial(14) ** 2)
    assert BOUNDS[-1] == pytest.approx(float(exact), rel=1e-11)
    assert pytest.approx(float(exact), rel=1e-5) == 1 / 15 - WEIGHTS @ NODES**ORDER
    assert np.all(np.diff(BOUNDS) < 0)
    for m in range(1, ORDER):
        odd = np.abs(NODES - 0.5) ** m
        assert abs(WEIGHTS @ odd - 0.5**m / (m + 1)) <= BOUNDS[m - 1]


@pytest.mark.parametrize("name", functions.FUNCTIONS)
@given(st.floats(-0.9, 0.9), st.floats(0.001, 0.09), st.floats(-1, 1), st.floats(-1, 1))
@settings(max_examples=25, deadline=None)
def test_series_hold_the_derivatives(name: str, start: float, width: float, at: float, slope: float):
    """The coefficients of f(a + s t + t^2) at a place inside of a ball lie inside of the balls."""
    shift = 1.0 if name in ("log", "sqrt") else 0.0
    a = Balls.of([start + shift, slope, 0.05, 0, 0, 0], [width, 0, 0, 0, 0, 0])
    found = functions.FUNCTIONS[name](a)
    x = start + shift + at * width
    if min(abs(x), abs(start) - width) < 0.01 and name in ("abs", "sign"):
        assert found.low[0] <= abs(x) * (name == "abs") <= found.high[0] + (name == "sign")
        return
    f: Any = {"abs": lambda v: v if x > 0 else -v, "sign": lambda v: mp.sign(x)}.get(name) or getattr(
        mp, "ln" if name == "log" else name
    )
    with mp.workdps(40):
        expected = mp.taylor(lambda t: f(mp.mpf(x) + mp.mpf(slope) * t + mp.mpf(0.05) * t**2), 0, 5)
    for k, value in enumerate(expected):
        assert abs(value - found.mid[k, 0]) <= found.rad[k, 0] + 1e-14


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exp(-(x^2 + y^2 + z^2)/2)", "exp(-rr/2)"),
        ("1/(z^2 + 1 + y^2 + x^2)^2", "1/(rr^2 + 2*rr + 1)"),
        ("sqrt(x^2 + y^2)*z", "sqrt(ss)*z"),
        ("exp(x^2 + y^2 + z)", "exp(ss + z)"),
        ("exp(x + y + z)", "exp(x + y + z)"),
        ("sin(x^3 + y^2)", "sin(x^3 + y^2)"),
        ("abs(x^2 - y^2)", "abs(x^2 - y^2)"),
        ("exp((x^2 + y^2 + z^2)^2)", "exp(rr^2)"),
    ],
)
def test_sums_of_squares_become_a_letter(text: str, expected: str):
    found = in_radii(density_of(text), {"rr": ("x", "y", "z"), "ss": ("x", "y")})
    assert str(found) == expected


def test_what_is_unknown_stays_unknown():
    """A quotient by what may be 0 has no bound; what does not depend on it keeps its own."""
    x = Balls.of([0.0, 1.0], [1.0, 0.0])
    one = Balls.constant(1, 2)
    assert np.isinf((one / x).rad).all()
    assert not np.isnan((one / x * Balls.constant(0, 2)).rad).any()
    assert np.isinf(functions.exp(Balls.of([1e4, 1.0])).rad).all()
    bent = functions.absolute(x)
    assert (bent.low[0], bent.high[0]) == (pytest.approx(0, abs=1e-14), pytest.approx(1))
    assert bent.rad[1] == pytest.approx(1)
    assert functions.sign(Balls.of([0.0, 0.0], [1.0, 0.0])).rad[1] == 0
    assert np.isinf(functions.sign(x).rad[1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 + sign(x - y + 0.1*z)", r"the density does not settle: after \d+ points the error of its integrals may"),
        ("1/(x^2 + y^2 + 0.001*z^2)", r"the density is not finite inside the body|does not settle: .* has no bound"),
        ("exp(1000*x + 1000)", "not finite inside the body|no bound"),
        ("log(x)", r"log\(x\) is the logarithm of a number that is not positive inside the body"),
        ("asin(3*x + 3)", r"asin\(3\*x \+ 3\) is the angle of a sine beyond 1 inside the body"),
        ("-exp(x)", r'the density "-exp\(x\)" is -1.6\d+ at \(0.49'),
        ("1 - 3*exp(-1e3*(x - 0.07)^2)", r"is -0.17\d* at \(0.1006, "),
        ("sinus(x)", r'"sinus" is not a function; the functions are sin, cos, tan, sqrt, exp, log, abs'),
        ("exp*x", "exp needs an argument in brackets"),
        ("exp(x)*rho", r"exp\(x\) is known in numbers only; give its letters values"),
        ("exp(k)", r"exp\(k\) is known in numbers only; give its letters values"),
    ],
)
def test_what_is_refused(text: str, message: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dynamis.bodies.cubature.MAX_CELLS", 400)
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
    with pytest.raises(dynamis.ExpressionError, match="the functions are sin, cos, sqrt"):
        Body.sphere("exp(1)", mass=1)
    assert cos(1) == pytest.approx(evaluate(density_of("cos(1)"), functions.BallWorld({})).mid[0, 0])
