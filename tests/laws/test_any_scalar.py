"""The algorithms are written over any scalar: the same text runs on rationals and on symbols."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
import sympy

import dynamis
from dynamis.expressions.expression import Expression, evaluate, multiple_of_pi
from dynamis.mechanics.energy import potential_energy, twice_kinetic_energy
from dynamis.mechanics.mechanism import State, float_state, mechanism
from dynamis.mechanics.newton_euler import newton_euler
from dynamis.model.robot import RobotModel
from dynamis.quantities.reference import plain

QUARTERS = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}


@dataclass(frozen=True)
class Rationals:
    """Exact numbers: right angles only, and every decimal as it is written."""

    robot: RobotModel

    def number(self, value: Fraction) -> Fraction:
        return value

    def pi(self) -> Fraction:
        raise AssertionError("pi is not rational; an angle goes through cos_sin")

    def parameter(self, name: str) -> Fraction:
        return evaluate(self.robot.values[name], self)

    def cos_sin(self, angle: Expression) -> tuple[Fraction, Fraction]:
        turn = multiple_of_pi(angle, self.robot.values)
        assert turn is not None
        c, s = QUARTERS[int(2 * turn) % 4]
        return Fraction(c), Fraction(s)

    def sqrt(self, argument: Expression) -> Fraction:
        raise AssertionError("no square roots in this robot")


@dataclass(frozen=True)
class Symbols:
    """SymPy symbols for every parameter."""

    def number(self, value: Fraction) -> Any:
        return sympy.Rational(value.numerator, value.denominator)

    def pi(self) -> Any:
        return sympy.pi

    def parameter(self, name: str) -> Any:
        return sympy.Symbol(name)

    def cos_sin(self, angle: Expression) -> tuple[Any, Any]:
        value = evaluate(angle, self)
        return sympy.cos(value), sympy.sin(value)

    def sqrt(self, argument: Expression) -> Any:
        return sympy.sqrt(evaluate(argument, self))


# cos q and sin q on Pythagorean triples, so that q itself is never needed.
TRIPLES = [(3, 4, 5), (-5, 12, 13), (8, -15, 17), (7, 24, 25), (-20, -21, 29), (12, 35, 37)]


def rational_state(n: int, qd: list[Fraction], qdd: list[Fraction]) -> State[Fraction]:
    c, s = ([Fraction(t[k], t[2]) for t in TRIPLES[:n]] for k in (0, 1))
    sign = [Fraction((v > 0) - (v < 0)) for v in qd]
    return State([Fraction(k + 1, 7) for k in range(n)], c, s, qd, qdd, sign)


@pytest.mark.parametrize("name", ["puma560", "cartesian"])
def test_floats_agree_with_exact_rationals(name: str):
    robot = dynamis.load(name)
    robot = robot.with_values(m1=3, m2="2.5") if name == "cartesian" else robot
    qd = [Fraction(2 * k + 1, 3) * (-1) ** k for k in range(robot.n)]
    qdd = [Fraction(5 - k, 4) for k in range(robot.n)]
    state = rational_state(robot.n, qd, qdd)
    m = mechanism(robot, Rationals(robot))
    exact = newton_euler(m, state)
    assert all(isinstance(t, Fraction) for t in exact.tau)
    turning = [math.atan2(s, c) for c, s in zip(state.c, state.s, strict=True)]
    q = [a if joint.turns else float(x) for a, x, joint in zip(turning, state.q, robot.joints, strict=True)]
    found = robot.inverse_dynamics(q, [float(x) for x in qd], [float(x) for x in qdd])
    assert found == pytest.approx([float(t) for t in exact.tau], rel=1e-14, abs=1e-13)
    energy = sum(twice_kinetic_energy(m, state)) / 2
    assert robot.kinetic_energy(q, [float(x) for x in qd]) == pytest.approx(float(energy), rel=1e-14)
    assert robot.potential_energy(q) == pytest.approx(float(sum(potential_energy(m, state))), rel=1e-13)


def test_the_mass_matrix_is_symmetric_exactly():
    robot = dynamis.load("puma560").with_gravity([0, 0, 0])
    m, zero = mechanism(robot, Rationals(robot)), [Fraction(0)] * 6
    columns = [newton_euler(m, rational_state(6, zero, [Fraction(i == j) for i in range(6)])).tau for j in range(6)]
    assert all(columns[i][j] == columns[j][i] for i in range(6) for j in range(6))
    assert any(columns[i][j] for i in range(6) for j in range(i))


def test_symbols_give_de_lucas_equations():
    """(a1 + 2 a2 c2) qdd1 + (a2 c2 + a3) qdd2 - a2 s2 (qd2^2 + 2 qd1 qd2) + a4 c1 + a5 c12, and the second row."""
    q1, q2, u1, u2, w1, w2 = sympy.symbols("q1 q2 u1 u2 w1 w2")
    l1, d1, d2, m1, m2, inertia1, inertia2, g = sympy.symbols("l1 d1 d2 m1 m2 I1 I2 g0")
    q = (q1, q2)
    state = State(q, [sympy.cos(x) for x in q], [sympy.sin(x) for x in q], (u1, u2), (w1, w2), (0, 0))
    tau = newton_euler(mechanism(dynamis.load("deluca-2r"), Symbols()), state).tau
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
    tau = newton_euler(mechanism(robot, robot.world()), float_state(q, q, q)).tau
    assert list(plain(robot, "inverse_dynamics", q, q, q)[0]) == tau
