"""The algorithms are written over any scalar: the same text runs on rationals and on symbols."""

import math
from fractions import Fraction

import pytest
import sympy

import dynamis
from dynamis.compute.mechanics.dynamics.energy import potential_energy, twice_kinetic_energy
from dynamis.compute.mechanics.dynamics.newton_euler import newton_euler
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.quantities.reference import plain
from dynamis.scalars.fractions import Fractions
from tests.support.scalars import Symbols, rational_state


@pytest.mark.parametrize("name", ["puma560", "cartesian"])
def test_floats_agree_with_exact_rationals(name: str):
    robot = dynamis.load(name)
    robot = robot.with_values(m1=3, m2="2.5") if name == "cartesian" else robot
    qd = [Fraction(2 * k + 1, 3) * (-1) ** k for k in range(robot.n)]
    qdd = [Fraction(5 - k, 4) for k in range(robot.n)]
    m = mechanism(robot, Fractions(robot.values))
    state = rational_state(m, qd, qdd)
    exact = newton_euler(m, state)
    assert all(isinstance(t, Fraction) for t in exact.tau)
    turning = [math.atan2(s, c) for c, s in zip(state.c, state.s, strict=True)]
    q = [a if joint.revolute else float(x) for a, x, joint in zip(turning, state.q, robot.joints, strict=True)]
    found = robot.inverse_dynamics(q, [float(x) for x in qd], [float(x) for x in qdd])
    assert found == pytest.approx([float(t) for t in exact.tau], rel=1e-14, abs=1e-13)
    energy = sum(twice_kinetic_energy(m, state)) / 2
    assert robot.kinetic_energy(q, [float(x) for x in qd]) == pytest.approx(float(energy), rel=1e-14)
    assert robot.potential_energy(q) == pytest.approx(float(sum(potential_energy(m, state))), rel=1e-13)


def test_the_mass_matrix_is_symmetric_exactly():
    robot = dynamis.load("puma560").with_gravity([0, 0, 0])
    m, zero = mechanism(robot, Fractions(robot.values)), [Fraction(0)] * 6
    columns = [newton_euler(m, rational_state(m, zero, [Fraction(i == j) for i in range(6)])).tau for j in range(6)]
    assert all(columns[i][j] == columns[j][i] for i in range(6) for j in range(6))
    assert any(columns[i][j] for i in range(6) for j in range(i))


def test_symbols_give_de_lucas_equations():
    """(a1 + 2 a2 c2) qdd1 + (a2 c2 + a3) qdd2 - a2 s2 (qd2^2 + 2 qd1 qd2) + a4 c1 + a5 c12, and the second row."""
    q1, q2, u1, u2, w1, w2 = sympy.symbols("q1 q2 u1 u2 w1 w2")
    l1, d1, d2, m1, m2, inertia1, inertia2, g = sympy.symbols("l1 d1 d2 m1 m2 I1 I2 g0")
    m = mechanism(dynamis.load("deluca-2r"), Symbols())
    tau = newton_euler(m, state_at(m, (q1, q2), (u1, u2), (w1, w2), sign=(0, 0))).tau
    a1 = inertia1 + m1 * d1**2 + inertia2 + m2 * d2**2 + m2 * l1**2
    a2, a3 = m2 * l1 * d2, inertia2 + m2 * d2**2
    a4, a5 = g * (m1 * d1 + m2 * l1), g * m2 * d2
    c2, s2, c12 = sympy.cos(q2), sympy.sin(q2), sympy.cos(q1 + q2)
    first = (a1 + 2 * a2 * c2) * w1 + (a2 * c2 + a3) * w2 - a2 * s2 * (u2**2 + 2 * u1 * u2)
    first += a4 * sympy.cos(q1) + a5 * c12
    second = (a2 * c2 + a3) * w1 + a3 * w2 + a2 * s2 * u1**2 + a5 * c12
    assert sympy.simplify(sympy.expand_trig(tau[0] - first)) == 0
    assert sympy.simplify(sympy.expand_trig(tau[1] - second)) == 0


def test_floats_are_a_scalar_like_any_other():
    robot = dynamis.load("ur5")
    q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    m = mechanism(robot, robot.floats())
    tau = newton_euler(m, state_at(m, q, q, q)).tau
    assert list(plain(robot, "inverse_dynamics", q, q, q)[0]) == tau
