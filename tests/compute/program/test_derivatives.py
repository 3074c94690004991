"""Derivatives of programs: against finite differences, and against the analytic derivatives of the dynamics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings

import dynamis
from dynamis.compute.backends.backend import backend_for
from dynamis.compute.program.derivatives import pullback, pushforward, transpose
from dynamis.compute.program.program import Program, program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Node, Trace
from tests.support.strategies import Case, coupled, robots

RNG = np.random.default_rng(7)


def run(of: Program, *arrays: Any) -> list[np.ndarray]:
    results = backend_for("numpy").function("test", of, "")(*arrays)
    return list(results) if isinstance(results, tuple) else [results]


def small(compute: Any) -> Program:
    """y = compute(trace, a, b) of the two entries of x."""
    trace = Trace()
    y: Node = compute(trace, trace.input("x:0"), trace.input("x:1"))
    return program([Operand("x", (2,))], [(Operand("y", ()), [y])])


OPERATIONS = {
    "+": lambda t, a, b: a + b,
    "-": lambda t, a, b: a - b,
    "*": lambda t, a, b: a * b * 3.0,
    "/": lambda t, a, b: a / b,
    "constant /": lambda t, a, b: 2.0 / b - 1.0,
    "neg": lambda t, a, b: -a,
    "sin": lambda t, a, b: t.sin(a * b),
    "cos": lambda t, a, b: t.cos(a * b),
    "sqrt": lambda t, a, b: t.sqrt(a * a + b),
    "sign": lambda t, a, b: t.sign(a - b) * b,
    "round": lambda t, a, b: t.nearest(a) * b,
    "min": lambda t, a, b: t.least(a, b) * b,
    "max": lambda t, a, b: t.greatest(a, b) * b,
    "max of a constant": lambda t, a, b: t.greatest(a, 0.7) * b,
    "square": lambda t, a, b: a * a,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation(name: str) -> None:
    of = small(OPERATIONS[name])
    x = np.array([[0.4, 1.3], [1.7, 0.9], [0.9, 1.1]])
    step = 1e-6 * np.eye(2)
    differences = np.stack([(run(of, x + h)[0] - run(of, x - h)[0]) / 2e-6 for h in step], -1)
    back = pullback(of, [0])
    np.testing.assert_allclose(run(back, x, np.ones((3, 1)))[0], differences, atol=1e-8)
    v = np.array([0.3, -2.0])
    np.testing.assert_allclose(run(pushforward(of, [0]), x, v)[0], differences @ v, atol=1e-8)
    twice = [(run(back, x + h, np.ones((3, 1)))[0] - run(back, x - h, np.ones((3, 1)))[0]) @ v / 2e-6 for h in step]
    second = run(pullback(back, [0, 1]), x, np.ones((3, 1)), v)
    np.testing.assert_allclose(second[0], np.stack(twice, -1), atol=1e-7)
    np.testing.assert_allclose(second[1][:, 0], differences @ v, atol=1e-8)


def jacobians(robot: dynamis.Robot, name: str, x: np.ndarray) -> list[np.ndarray]:
    if name == "inverse_dynamics":
        d = robot.inverse_dynamics_derivatives(*x)
        return [d.dtau_dq, d.dtau_dqd, robot.mass_matrix(x[0])]
    d = robot.forward_dynamics_derivatives(*x)
    return [d.dqdd_dq, d.dqdd_dqd, d.dqdd_dtau]


def agrees(robot: dynamis.Robot, name: str) -> None:
    of = robot.compile(name).program
    x, v, w = RNG.uniform(-1, 1, (3, 4, robot.n)), RNG.uniform(-1, 1, (3, 4, robot.n)), RNG.uniform(-1, 1, (4, robot.n))
    J = jacobians(robot, name, x)
    expected = [np.einsum("...ij,...i", a, w) for a in J]
    forward = pushforward(of, [0, 1, 2])
    for of_w in (pullback(of, [0, 1, 2]), transpose(forward, [3, 4, 5])):
        for ours, analytic in zip(run(of_w, *x, w), expected, strict=True):
            np.testing.assert_allclose(ours, analytic, atol=1e-9 * max(1, np.abs(analytic).max()))
    along = sum(np.einsum("...ij,...j", a, b) for a, b in zip(J, v, strict=True))
    np.testing.assert_allclose(run(forward, *x, *v)[0], along, atol=1e-9 * max(1, np.abs(along).max()))
    assert len(pullback(of, [0, 1, 2]).operations) < 5 * len(of.operations) + 3 * robot.n


@given(robots(joints=(1, 4)).filter(lambda case: bool(case.moving)))
@settings(max_examples=6, phases=(Phase.generate,))
def test_the_dynamics_of_random_robots(case: Case) -> None:
    """Trees, prismatic joints, rotors, damping; dry friction counts as constant."""
    agrees(case.robot(), "inverse_dynamics")
    agrees(case.robot(), "forward_dynamics")


@given(robots(joints=(2, 4)).filter(lambda case: len(case.moving) > 1))
@settings(max_examples=3, phases=(Phase.generate,))
def test_coupled_joints(case: Case) -> None:
    robot, *_ = coupled(case, 1)
    agrees(robot, "inverse_dynamics")


def test_cheaper_than_the_matrices_of_derivatives() -> None:
    robot = dynamis.load("ur5")
    for name in ("inverse_dynamics", "forward_dynamics"):
        gradient = pullback(robot.compile(name).program, [0, 1, 2])
        assert len(gradient.operations) < len(robot.compile(f"{name}_derivatives").program.operations)


def test_parameters_by_the_regressor() -> None:
    """The torque is linear in mass and inertias about the frame: its gradient is a column of the regressor."""
    robot = dynamis.load("bar-2r")
    of = robot.compile("inverse_dynamics", parameters=["link2.inertia.zz"]).program
    x, w = RNG.uniform(-1, 1, (3, 5, 2)), RNG.uniform(-1, 1, (5, 2))
    column = robot.inertial_parameter_names().index("Izz2")
    expected = np.einsum("...i,...i", robot.regressor(*x)[..., column], w)
    np.testing.assert_allclose(run(pullback(of, [3]), *x, [1.0], w)[0][:, 0], expected)


def test_names_stay_apart() -> None:
    of = dynamis.load("bar-2r").compile("inverse_dynamics").program
    for _ in range(2):
        of = pullback(pushforward(of, [0]), [0])
        assert len({x.name for x in of.inputs}) == len(of.inputs)
