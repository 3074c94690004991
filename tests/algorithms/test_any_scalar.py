"""The algorithms run on any scalar: exactly on fractions, in letters on SymPy expressions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy

from dynamis import Force, Inertia, Joint, Link, Robot
from dynamis.algorithms.applied import applied_wrenches
from dynamis.algorithms.energy import potential_energy, twice_kinetic_energy
from dynamis.algorithms.kinematics import com_position, jacobian, poses
from dynamis.algorithms.mechanism import Mechanism, State, float_state, mechanism
from dynamis.algorithms.newton_euler import newton_euler
from dynamis.model.expression import Expression, evaluate
from tests.closeness import close

# Angles whose cosine and sine are rational, so that everything is: (3, 4, 5), (5, 12, 13), ...
PYTHAGORAS = [
    (Fraction(3, 5), Fraction(4, 5)),
    (Fraction(-5, 13), Fraction(12, 13)),
    (Fraction(8, 17), Fraction(-15, 17)),
]


class Exact:
    """A world of fractions; right angles are its only rotations."""

    def number(self, value: Fraction) -> Fraction:
        return value

    def pi(self) -> Fraction:
        raise NotImplementedError

    def parameter(self, name: str) -> Fraction:
        raise NotImplementedError

    def cos_sin(self, angle: Expression) -> tuple[Fraction, Fraction]:
        return {"0": (Fraction(1), Fraction(0)), "pi/2": (Fraction(0), Fraction(1))}[str(angle)]

    def sqrt(self, argument: Expression) -> Fraction:
        raise NotImplementedError


class Letters:
    """A world of SymPy expressions: parameters are symbols."""

    def number(self, value: Fraction) -> Any:
        return sympy.Rational(value.numerator, value.denominator)

    def pi(self) -> Any:
        return sympy.pi

    def parameter(self, name: str) -> Any:
        return sympy.Symbol(name)

    def cos_sin(self, angle: Expression) -> tuple[Any, Any]:
        at = evaluate(angle, self)
        return sympy.cos(at), sympy.sin(at)

    def sqrt(self, argument: Expression) -> Any:
        return sympy.sqrt(evaluate(argument, self))


def spatial_arm() -> Robot:
    """Three turning joints and a sliding one, axes in all directions, exact numbers everywhere."""
    body = Inertia.of(xx="3/10", yy="2/10", zz="4/10", xy="1/20", xz="-1/30", yz="1/40")
    far = Inertia.of(xx=4, yy=5, zz=4, xy="-1/3", about="origin")
    links = (
        Link.of("a", Joint.of("qa", after="Tz(1/3) Rx(pi/2)"), mass=2, com=("1/7", "1/5", 0), inertia=body),
        Link.of("b", Joint.of("qb", before=("1/2", 0, 0)), "a", mass="3/2", com=("1/2", "1/4", "1/9"), inertia=far),
        Link.of("c", Joint.of("qc", axis=("3/5", 0, "4/5")), "b", mass=1, com=(0, "1/3", "1/8"), inertia=body),
        Link.of("d", Joint.of("qd", "prismatic", axis=("2/3", "1/3", "-2/3")), "c", mass=1, com=("1/6", 0, 0)),
    )
    return Robot("exact", links, gravity=("1/2", 1, -9))  # type: ignore[arg-type]


def exact_state(qd: Sequence[Any], qdd: Sequence[Any]) -> State[Fraction]:
    c, s = ([pair[k] for pair in PYTHAGORAS] + [Fraction(0)] for k in (0, 1))
    q = [Fraction(0)] * 3 + [Fraction(2, 7)]
    return State(q, c, s, [Fraction(x) for x in qd], [Fraction(x) for x in qdd], [Fraction(0)] * 4)


QD, QDD = ["1/3", "-2/5", 2, "1/2"], [1, "-7/3", "1/9", "5/2"]


def test_mass_matrix_is_exactly_symmetric_and_gives_the_energy() -> None:
    m: Mechanism[Fraction] = mechanism(spatial_arm(), Exact())
    zero, unit = [0] * 4, [[int(i == j) for j in range(4)] for i in range(4)]
    M = [newton_euler(m, exact_state(zero, e), m.null).tau for e in unit]
    assert [list(row) for row in zip(*M, strict=True)] == M
    assert all(isinstance(entry, Fraction) for row in M for entry in row)
    speed = [Fraction(v) for v in QD]
    twice = sum(M[i][j] * speed[i] * speed[j] for i in range(4) for j in range(4))
    assert twice == sum(twice_kinetic_energy(m, exact_state(QD, zero)))


def test_gravity_torque_is_exactly_that_of_the_jacobians() -> None:
    """g = -sum J_C^T m g."""
    m: Mechanism[Fraction] = mechanism(spatial_arm(), Exact())
    state = exact_state([0] * 4, [0] * 4)
    where = poses(m, state)
    expected = [Fraction(0)] * 4
    for i, body in enumerate(m.bodies):
        linear, _ = jacobian(m, where, i, com_position(m, where, i))
        expected = [total - J.dot(m.gravity) * body.mass for total, J in zip(expected, linear, strict=True)]
    assert newton_euler(m, state).tau == expected


def test_floats_are_the_rounded_fractions() -> None:
    robot, world = spatial_arm(), Exact()
    m, load = mechanism(robot, world), Force("c", (1, "2/3", -3), point=("1/2", 0, 1))  # type: ignore[arg-type]
    state = exact_state(QD, QDD)
    exact = newton_euler(m, state, None, applied_wrenches(robot, m, state, [load], world))
    angles = [float(sympy.atan2(s, c)) for c, s in PYTHAGORAS]
    numbers = [float(Fraction(x)) for x in QD], [float(Fraction(x)) for x in QDD]
    found = robot.reactions([*angles, 2 / 7], *numbers, loads=[load])
    close(found.tau, [float(x) for x in exact.tau])
    close(found.force, [[float(x) for x in w.force] for w in exact.wrenches])
    close(found.moment, [[float(x) for x in w.moment] for w in exact.wrenches])
    height = [float(x) for x in potential_energy(m, state)]
    close(robot.potential_energy([*angles, 2 / 7]), sum(height))


def planar_arm() -> Robot:
    """Two links in a vertical plane; x to the right, y up."""
    links = (
        Link.of("one", Joint.of("q1"), mass="m1", com=("c1", 0, 0), inertia=Inertia.of(zz="I1", allow_unphysical=True)),
        Link.of("two", Joint.of("q2", before=("l1", 0, 0)), "one", mass="m2", com=("c2", 0, 0),
                inertia=Inertia.of(zz="I2", allow_unphysical=True)),
    )  # fmt: skip
    names = ("m1", "m2", "l1", "c1", "c2", "I1", "I2", "g")
    return Robot("2R", links, gravity=(0, "-g", 0), parameters=dict.fromkeys(names, ""))  # type: ignore[arg-type]


def test_the_arm_of_every_textbook() -> None:
    """The planar 2R arm in letters (Craig eq. 6.58 with distributed masses; Spong eq. 6.90)."""
    m1, m2, l1, c1, c2, I1, I2, g = sympy.symbols("m1 m2 l1 c1 c2 I1 I2 g")
    q, v, a = (sympy.symbols(f"{name}1 {name}2") for name in "qva")
    state = State(q, [sympy.cos(x) for x in q], [sympy.sin(x) for x in q], v, a, [0, 0])
    m: Mechanism[Any] = mechanism(planar_arm(), Letters())
    tau = newton_euler(m, state).tau
    M11 = I1 + I2 + m1 * c1**2 + m2 * (l1**2 + c2**2 + 2 * l1 * c2 * sympy.cos(q[1]))
    M12 = I2 + m2 * (c2**2 + l1 * c2 * sympy.cos(q[1]))
    h = m2 * l1 * c2 * sympy.sin(q[1])
    level, tilted = g * sympy.cos(q[0]), g * sympy.cos(q[0] + q[1])
    expected = (
        M11 * a[0] + M12 * a[1] - h * (2 * v[0] * v[1] + v[1] ** 2) + (m1 * c1 + m2 * l1) * level + m2 * c2 * tilted,
        M12 * a[0] + (I2 + m2 * c2**2) * a[1] + h * v[0] ** 2 + m2 * c2 * tilted,
    )
    for found, term in zip(tau, expected, strict=True):
        assert sympy.simplify(sympy.expand_trig(sympy.expand(found - term))) == 0


def test_signs_of_friction() -> None:
    state = float_state([0.0] * 4, [2.0, -0.5, 0.0, -0.0], [0.0] * 4)
    assert [*state.sign] == [1, -1, 0, 0]
