"""Coupled joints in closed form: every law is proved, and the numbers are those of the floats."""

from __future__ import annotations

import numpy as np
import pytest

from dynamis import Robot
from dynamis.compute.quantities.reference import plain
from dynamis.exact.derivations.robots.named_terms import expand_torques, recursive_form
from dynamis.exact.derive import derive
from dynamis.telling.renderers.page import render
from tests.support.coupled_robots import ROBOTS


@pytest.mark.parametrize("name", ROBOTS)
def test_every_law_is_proved(name: str) -> None:
    """NE = EL, M symmetric and that of T, Mdot - 2 C skew, g = dU/dq, tau = Y pi, power."""
    model = ROBOTS[name].equations()
    assert [proof.claim for proof in model.prove() if not proof.holds] == []
    assert [f.valid.holds for f in model.factorisations] == [True] * 3
    assert model.factorisations[0].skew.holds
    assert model.positive_definite().holds


@pytest.mark.parametrize("name", ROBOTS)
def test_closed_forms_are_the_numbers_of_the_floats(name: str) -> None:
    """The formulas as Python code, with the values of the robot, beside Newton-Euler on floats."""
    robot = ROBOTS[name]
    model = robot.equations()
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, robot.n))
    (tau,) = plain(robot, "inverse_dynamics", q, qd, qdd)
    joints = dict(zip((j.name for j in robot.joints), joint_values(robot, q), strict=True))
    point: dict[str, float] = {"pi": np.pi}
    for joint, x in joints.items():
        point |= {f"sin({joint})": np.sin(x), f"cos({joint})": np.cos(x), joint: x}
    for coordinate, v, a in zip(robot.coordinates, qd, qdd, strict=True):
        point |= {f"d({coordinate.name})": v, f"dd({coordinate.name})": a}
    for moving, v in zip(robot.joints, joint_values(robot, qd, rates=True), strict=True):
        point[f"sign(d({moving.name}))"] = np.sign(v)
    np.testing.assert_allclose([value(entry, point, robot) for entry in model.torques], tau, rtol=1e-10, atol=1e-12)
    (M,) = plain(robot, "mass_matrix", q)
    np.testing.assert_allclose([[value(x, point, robot) for x in row] for row in model.M.rows()], M, rtol=1e-10)


def joint_values(robot: Robot, y: np.ndarray, rates: bool = False) -> np.ndarray:
    from dynamis.compute.mechanics.coupling import coupling_matrix

    A, b = coupling_matrix(robot)
    return A @ y + (0 if rates else b)


def value(scalar: object, point: dict[str, float], robot: Robot) -> float:
    """A polynomial at a point; fixed angles and roots by their texts."""
    total = 0.0
    for exponents, coefficient in scalar.terms().items():  # type: ignore[attr-defined]
        term = float(coefficient)
        for symbol, power in zip(scalar.ring.symbols, exponents, strict=True):  # type: ignore[attr-defined]
            if power:
                term *= symbol_value(symbol, point, robot) ** power
        total += term
    return total


def symbol_value(symbol: str, point: dict[str, float], robot: Robot) -> float:
    from dynamis.base.expressions.parser import parse
    from dynamis.scalars.scalars import evaluate

    if symbol in point:
        return point[symbol]
    return float(evaluate(parse(symbol), robot.floats()))


@pytest.mark.parametrize("name", ["parallelogram", "belt", "screw", "differential"])
def test_the_recursive_form_is_the_same(name: str) -> None:
    model = ROBOTS[name].equations()
    assert expand_torques(recursive_form(model), model.ring) == model.torques


@pytest.mark.parametrize(
    "method", ["energies", "lagrange", "jacobians", "moving-frames", "newton-euler", "coefficients", "base-parameters"]
)
def test_pages_state_the_coupling(method: str) -> None:
    page = derive(ROBOTS["level hand"].equations(), method, steps=True)
    text = render(page, "text")
    if method in ("energies", "lagrange", "moving-frames", "newton-euler"):
        assert "q₃ = −q₁ − q₂" in text
    if method == "newton-euler":
        assert "τ₁ = u₁ − u₃" in text
    assert "None" not in text
