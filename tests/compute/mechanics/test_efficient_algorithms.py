"""The algorithms in few operations are the plain ones, exactly: in rational numbers and symbols nothing is rounded."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

import dynamis
from dynamis.compute.mechanics.dynamics.newton_euler import newton_euler
from dynamis.compute.mechanics.efficient import articulated_body, forward_dynamics
from dynamis.compute.mechanics.efficient.composite_body import mass_matrix
from dynamis.compute.mechanics.efficient.coriolis_matrix import coriolis_matrix
from dynamis.compute.mechanics.efficient.derivatives import inverse_dynamics_derivatives
from dynamis.compute.mechanics.efficient.factor import factor
from dynamis.compute.mechanics.efficient.gravity_torque import gravity_torque
from dynamis.compute.mechanics.efficient.inverse_dynamics import inverse_dynamics
from dynamis.compute.mechanics.mechanism import Mechanism, State, Wrench, at_rest, mechanism, state_at
from dynamis.scalars.fractions import Fractions
from dynamis.scalars.vectors import Vector
from tests.support.duals import Dual
from tests.support.scalars import Symbols, rational_state

ARMS = ["puma560", "ur5", "cartesian", "planar"]


def planar() -> dynamis.Robot:
    """Links that turn about z alone, on joints of all kinds; the last two leave the plane."""

    def link(name: str, parent: str, kind: str, axis: tuple[int, int, int], before: str) -> dynamis.Link:
        inertia = dynamis.Inertia.of(xx="0.3", yy="0.25", zz="0.2", xy="0.04", xz="0.03", yz="0.02")
        joint = dynamis.Joint(name, kind, axis, before=before)
        return dynamis.Link(name, joint, parent, 2, ("0.1", "0.2", "0.3"), inertia)

    return dynamis.Robot("planar", (
        link("a", "base", "revolute", (0, 0, 1), "Tx(0.2)"), link("b", "a", "prismatic", (1, 0, 0), "Ty(0.1)"),
        link("c", "b", "fixed", (0, 0, 1), "Tz(0.3)"), link("d", "c", "revolute", (0, 0, -1), "Tx(0.5)"),
        link("e", "d", "revolute", (0, 0, 1), "Tx(0.4)"), link("f", "d", "revolute", (1, 0, 0), "Ty(0.2)"),
        link("g", "f", "revolute", (0, 0, 1), "Tx(0.1)"),
    ))  # fmt: skip


def arm(name: str) -> tuple[Mechanism[Fraction], State[Fraction]]:
    robot = planar() if name == "planar" else dynamis.load(name)
    robot = robot.with_values(m1=3, m2="2.5") if name == "cartesian" else robot
    qd = [Fraction(2 * k + 1, 3) * (-1) ** k for k in range(robot.n)]
    m = mechanism(robot, Fractions(robot.values))
    return m, rational_state(m, qd, [Fraction(5 - k, 4) for k in range(robot.n)])


def some_loads(m: Mechanism[Fraction]) -> list[Wrench[Fraction] | None]:
    f, n = (Vector(*(Fraction(x) for x in v)) for v in ((1, -2, 3), (4, 5, -6)))
    return [None if i % 2 else Wrench(f, n) for i in range(len(m.bodies))]


@pytest.mark.parametrize("name", ARMS)
def test_inverse_and_forward_dynamics(name: str) -> None:
    m, state = arm(name)
    loads = some_loads(m)
    tau = newton_euler(m, state, None, loads).tau
    assert inverse_dynamics(m, state, None, loads) == tau
    assert articulated_body.forward_dynamics(m, state, tau, None, loads) == state.qdd
    assert forward_dynamics.forward_dynamics(m, state, tau, None, loads) == state.qdd
    assert gravity_torque(m, state) == newton_euler(m, at_rest(m, state)).tau


@pytest.mark.parametrize("name", ARMS)
def test_coriolis_matrix(name: str) -> None:
    m, state = arm(name)
    zero = [Fraction(0)] * m.n
    free = replace(state, qdd=zero, sign=zero)
    damping = [body.forces.damping * state.qd[body.joint] for body in m.bodies if body.joint is not None]
    C = coriolis_matrix(m, state)
    found = [sum(a * v for a, v in zip(row, state.qd, strict=True)) for row in C]
    assert [a + b for a, b in zip(found, damping, strict=True)] == newton_euler(m, free, m.null).tau


@pytest.mark.parametrize("name", ARMS)
def test_the_inverse_of_the_mass_matrix(name: str) -> None:
    m, state = arm(name)
    M = np.array(mass_matrix(m, state))
    assert np.array_equal(M @ np.array(factor(m, M.tolist()).inverse()), np.eye(m.n, dtype=int))


@pytest.mark.parametrize("name", ARMS)
def test_derivatives(name: str) -> None:
    """Against Newton-Euler on dual rationals, with loads that are fixed on their links."""
    m, state = arm(name)
    one = np.array([[Fraction(i == j) for j in range(2 * m.n)] for i in range(2 * m.n)])
    values: Any = state
    pairs = [*zip(values.c, values.s, strict=True)]
    duals: Any = replace(
        values,
        q=[Dual(x, one[i]) for i, x in enumerate(values.q)],
        c=[Dual(c, -s * one[i]) for i, (c, s) in enumerate(pairs)],
        s=[Dual(s, c * one[i]) for i, (c, s) in enumerate(pairs)],
        qd=[Dual(v, one[m.n + i]) for i, v in enumerate(values.qd)],
    )
    tau: Any = newton_euler(m, duals, None, some_loads(m)).tau
    expected = np.array([(t if isinstance(t, Dual) else Dual(t, 0 * one[0])).parts for t in tau])
    by_q, by_qd = inverse_dynamics_derivatives(m, state, None, some_loads(m))
    assert np.array_equal(by_q, expected[:, : m.n])
    assert np.array_equal(by_qd, expected[:, m.n :])


def test_symbols() -> None:
    """De Luca's 2R arm with symbols for all: C_12 as in the books, dtau/dq as SymPy differentiates tau."""
    q, u, w = (sympy.symbols(f"{name}1 {name}2") for name in "quw")
    m = mechanism(dynamis.load("deluca-2r"), Symbols())
    state = state_at(m, q, u, w, sign=(0, 0))
    m2, l1, d2 = sympy.symbols("m2 l1 d2")
    assert sympy.simplify(coriolis_matrix(m, state)[0][1] + m2 * l1 * d2 * sympy.sin(q[1]) * (u[0] + u[1])) == 0
    tau, (by_q, by_qd) = newton_euler(m, state).tau, inverse_dynamics_derivatives(m, state)
    for i in range(2):
        for j in range(2):
            assert sympy.simplify(by_q[i][j] - sympy.diff(tau[i], q[j])) == 0
            assert sympy.simplify(by_qd[i][j] - sympy.diff(tau[i], u[j])) == 0
