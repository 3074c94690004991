"""Two derivations, one model: Newton-Euler equals Euler-Lagrange, exactly, for every robot."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Inertia, Joint, Link
from dynamis.equations.equations import Equations
from dynamis.scalars.exact.ring import Exact
from tests.support.closeness import close


def at(scalar: Exact, values: dict[str, float]) -> float:
    """A scalar's polynomial at a point."""
    names = scalar.ring.symbols
    total = 0.0
    for exponents, coefficient in scalar.terms().items():
        term = float(coefficient)
        for name, exponent in zip(names, exponents, strict=True):
            term *= values[name] ** exponent if exponent else 1.0
        total += term
    return total


def point(model: Equations, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> dict[str, float]:
    """The letters of a numeric model at a state, named angles and roots included."""
    values = {"pi": np.pi}
    for j, x, v, a in zip(model.robot.joints, q, qd, qdd, strict=True):
        values |= {f"sin({j.name})": np.sin(x), f"cos({j.name})": np.cos(x), j.name: x}
        values |= {f"d({j.name})": v, f"dd({j.name})": a, f"sign({j.name})": np.sign(v)}
    for name in model.ring.symbols:
        if name not in values and name.startswith(("sin(", "cos(")):
            text = name[4:-1]
            angle = float(Fraction(text[:-3])) * np.pi if text.endswith("*pi") else float(Fraction(text))
            values[name] = np.sin(angle) if name.startswith("sin") else np.cos(angle)
        elif name.startswith("root "):
            values[name] = float(name[5:]) ** 0.5
    return values


NUMERIC = [name for name in dynamis.robots() if not dynamis.load(name).missing_values]
FORMS = [(name, form) for name in dynamis.robots() for form in ("as shipped", "all letters")]


@pytest.mark.parametrize(("name", "form"), [*FORMS, *((name, "numbers") for name in NUMERIC)])
def test_newton_euler_is_euler_lagrange(name: str, form: str):
    robot = dynamis.load(name)
    model = (robot.symbolic(keep_zeros=False) if form == "all letters" else robot).equations(form == "numbers")
    assert model.newton_euler.tau == model.torques
    assert any(model.torques)


@pytest.mark.parametrize("name", ["puma560", "panda", "stanford", "ur5", "genova-3r", "bar-2r"])
def test_exact_is_what_floats_compute(name: str):
    robot = dynamis.load(name)
    model, rng = robot.equations(numeric=True), np.random.default_rng(3)
    q, qd, qdd = rng.normal(size=(3, robot.n))
    values = point(model, q, qd, qdd)
    close([at(t, values) for t in model.torques], robot.inverse_dynamics(q, qd, qdd), tolerance=1e-12)
    close(at(model.kinetic_energy, values), robot.kinetic_energy(q, qd), tolerance=1e-12)
    close(at(model.potential_energy, values), robot.potential_energy(q), tolerance=1e-12)


ANGLES = ["pi/2", "-pi/2", "pi", "pi/6", "-pi/4", "2*pi/3", "pi/12", "pi/7", "0.3", "alpha", "alpha/2", "pi/2 - alpha"]
AXES = [(0, 0, 1), (0, 1, 0), (-1, 0, 0), ("3/5", 0, "4/5"), (1, 1, 0), (1, -2, 2), (1, 0, 2)]
LENGTHS = ["l", "-l/2", 0.25, "2*h", "h/l"]
MASSES = ["m", 2, "m/3"]


@st.composite
def robots(draw: st.DrawFn) -> dynamis.Robot:
    """Trees of one to four links, letters and numbers mixed, skew axes, odd angles."""
    links: list[Link] = []
    for k in range(draw(st.integers(1, 4))):
        chain = f"T{draw(axes)}({draw(st.sampled_from(LENGTHS))}) R{draw(axes)}({draw(st.sampled_from(ANGLES))})"
        after = f"R{draw(axes)}({draw(st.sampled_from(ANGLES))}) Tx(h)" if draw(st.booleans()) else ""
        kind = draw(st.sampled_from(["revolute", "continuous", "prismatic", "fixed"])) if k else "revolute"
        drive = {"damping": "b", "coulomb": 2, "gear_ratio": 10, "rotor_inertia": "J"} if kind != "fixed" else {}
        joint = Joint(f"q{k}", kind, draw(st.sampled_from(AXES)), chain, after, **drive)
        about = draw(st.sampled_from(["com", "origin"]))
        inertia = Inertia.of(about=about, xx="A", yy=1, zz="A", xy="B", allow_unphysical=True)
        parent = draw(st.sampled_from(["base", *(link.name for link in links)])) if links else "base"
        links.append(Link(f"link{k}", joint, parent, draw(st.sampled_from(MASSES)), ("l", 0.5, "-h"), inertia))
    names = dict.fromkeys(["m", "l", "h", "alpha", "A", "B", "b", "J", "g"], "")
    values = {"m": 2.5, "l": 0.75, "h": "1/3", "alpha": 0.7, "A": 2, "B": 0.1, "b": 0.3, "J": 0.01, "g": 9.81}
    return dynamis.Robot("random", tuple(links), gravity=(0, "g", "-g/2"), parameters=names, values=values)


axes = st.sampled_from("xyz")


@settings(max_examples=60)
@given(robots())
def test_random_trees(robot: dynamis.Robot):
    """NE = EL in letters; in numbers the same as floats."""
    assert robot.equations().newton_euler.tau == robot.equations().torques
    model, rng = robot.equations(numeric=True), np.random.default_rng(7)
    assert model.newton_euler.tau == model.torques
    q, qd, qdd = rng.normal(size=(3, robot.n))
    values = point(model, q, qd, qdd)
    close([at(t, values) for t in model.torques], robot.inverse_dynamics(q, qd, qdd), tolerance=1e-12)
