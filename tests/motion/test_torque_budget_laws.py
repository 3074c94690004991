"""Laws of the torque budget: the parts make the torque, each part is what it is called, the shares make 1."""

from __future__ import annotations

import re
from fractions import Fraction
from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import dynamis
from dynamis.base.arrays import Array
from dynamis.compute.mechanics.efficient.christoffel import christoffel
from dynamis.compute.mechanics.efficient.torque_components import component_names, pairs
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.quantities.reference import plain
from tests.support.closeness import FLOOR, close
from tests.support.strategies import Case, robots

ADD_UP = 1e-12


def size(*parts: Any) -> float:
    return max(float(np.abs(x).max(initial=0.0)) for x in parts)


@settings(max_examples=30)
@given(robots(friction=True, loads=True))
def test_the_parts_make_the_torque(case: Case) -> None:
    """On trees with all kinds of joints, friction, rotors, loads, any gravity; on both paths."""
    assume(case.moving)
    robot = case.robot()
    around: dict[str, Any] = {"loads": case.loads, "gravity": case.gravity_given}
    motion = case.q, case.qd, case.qdd
    tau = robot.inverse_dynamics(*motion, **around)
    found = robot.torque_components(*motion, **around)
    causes = robot.parameter_torques(*motion, **around)
    # The wrenches that a joint turns over are part of the scale: a torque is what is left of them.
    scale = max(size(found.parts, causes), size(robot.recursion(*motion, **around).n), FLOOR)
    close(found.parts.sum(axis=-1), tau, scale, ADD_UP)
    close(found.total, tau, scale, ADD_UP)
    close(causes.sum(axis=-1), tau, scale, ADD_UP)
    close(found.parts[:, 5 : 5 + robot.n].sum(axis=-1), found.centrifugal, scale, ADD_UP)
    close(found.parts[:, 5 + robot.n :].sum(axis=-1), found.coriolis, scale, ADD_UP)
    close(plain(robot, "torque_components", *motion, **around)[0], found.parts, scale, ADD_UP)


@settings(max_examples=20)
@given(robots(friction=True, loads=True))
def test_every_part_is_what_it_is_called(case: Case) -> None:
    """Each part is the torque of inverse dynamics when all else is switched off."""
    assume(case.moving)
    robot, n = case.robot(), len(case.moving)
    around: dict[str, Any] = {"loads": case.loads, "gravity": case.gravity_given}
    found = robot.torque_components(case.q, case.qd, case.qdd, **around)
    rest = np.zeros(n)

    def tau(qd: Array, qdd: Array, **some: Any) -> Array:
        return robot.inverse_dynamics(case.q, qd, qdd, **{"gravity": False, **some})

    moving = robot.coriolis_torque
    rotors = np.array([case.parts[i].reflected for i in case.moving]) * case.qdd
    expected = {
        "inertial": tau(rest, case.qdd) - rotors,
        "rotor": rotors,
        "gravity": robot.gravity_torque(case.q, gravity=case.gravity_given),
        "friction": tau(case.qd, rest) - moving(case.q, case.qd),
        "applied": tau(rest, rest, loads=case.loads),
    }
    unit = np.diag(case.qd)
    for j in range(n):
        expected[f"centrifugal {j + 1}"] = moving(case.q, unit[j])
    for j, k in pairs(n):
        alone = moving(case.q, unit[j]) + moving(case.q, unit[k])
        expected[f"Coriolis {j + 1},{k + 1}"] = moving(case.q, unit[j] + unit[k]) - alone
    assert sorted(expected) == sorted(component_names(n)) == sorted(found.names)
    scale = max(size(found.parts), size(robot.recursion(case.q, case.qd, case.qdd, **around).n), FLOOR)
    for name, theirs in expected.items():
        close(found.part(name), theirs, scale)


def at(value: Any, q: Array) -> float:
    """An exact polynomial in sines, cosines and lengths, at numbers."""
    numbers: dict[str, float] = {"pi": pi}
    for i, x in enumerate(q, 1):
        numbers |= {f"sin(q{i})": sin(x), f"cos(q{i})": cos(x), f"q{i}": float(x)}
    for name in value.ring.symbols:
        if fixed := re.fullmatch(r"(sin|cos)\(([\d/]+)\)", name):
            numbers[name] = {"sin": sin, "cos": cos}[fixed[1]](Fraction(fixed[2]))
    total = 0.0
    for exponents, factor in value.terms().items():
        term = float(factor)
        for name, power in zip(value.ring.symbols, exponents, strict=True):
            term *= numbers[name] ** power if power else 1.0
        total += term
    return total


@pytest.mark.parametrize("name", ["bar-2r", "genova-2r", "genova-3r", "genova-rp", "stanford"])
def test_parts_are_those_of_the_exact_christoffel_symbols(name: str) -> None:
    robot = dynamis.load(name)
    model, n = robot.equations(numeric=True), robot.n
    q, qd, qdd = np.random.default_rng(7).uniform(-2, 2, (3, n))
    found = robot.torque_components(q, qd, qdd)
    gamma = np.array(
        [
            [[at(model.christoffel(j, k, i), q) for k in range(1, n + 1)] for j in range(1, n + 1)]
            for i in range(1, n + 1)
        ]
    )
    M = np.array([[at(model.M[i, j], q) for j in range(n)] for i in range(n)])
    scale = size(found.parts)
    close(found.part("inertial"), M @ qdd, scale, ADD_UP)
    for j in range(n):
        close(found.part(f"centrifugal {j + 1}"), gamma[:, j, j] * qd[j] ** 2, scale, ADD_UP)
    for j, k in pairs(n):
        close(found.part(f"Coriolis {j + 1},{k + 1}"), 2 * gamma[:, j, k] * qd[j] * qd[k], scale, ADD_UP)
    close(found.part("gravity"), [at(x, q) for x in model.gravity], scale, ADD_UP)
    m = mechanism(robot, robot.floats())
    close(christoffel(m, state_at(m, list(q), list(qd), list(qdd))), gamma, size(gamma), ADD_UP)


@settings(max_examples=20)
@given(robots(friction=True))
def test_christoffel_symbols_make_the_coriolis_matrix(case: Case) -> None:
    assume(case.moving)
    robot = case.robot()
    m = mechanism(robot, robot.floats())
    gamma = np.array(christoffel(m, state_at(m, case.q.tolist(), case.qd.tolist(), case.qdd.tolist())))
    np.testing.assert_array_equal(gamma, gamma.transpose(0, 2, 1))
    scale = size(robot.mass_matrix(case.q)) * size(case.qd) + FLOOR
    close(gamma @ case.qd, robot.coriolis_matrix(case.q, case.qd), scale)


@settings(max_examples=15)
@given(robots(friction=True, loads=True, joints=(1, 7)))
def test_shares_of_a_motion_make_one(case: Case) -> None:
    assume(case.moving)
    robot = case.robot()
    t = np.linspace(0.0, 1.0, 50)[:, None]
    q = case.q + case.qd * t + case.qdd * t**2 / 2
    motion = t[:, 0], q, case.qd + case.qdd * t, np.broadcast_to(case.qdd, q.shape)
    budget = dynamis.torque_budget(robot, motion, loads=case.loads, gravity=case.gravity_given)
    around: dict[str, Any] = {"loads": case.loads, "gravity": case.gravity_given}
    parts, causes = budget.parts.largest, robot.parameter_torques(*motion[1:], **around)
    scale = max(size(parts, causes), size(robot.recursion(*motion[1:], **around).n), FLOOR)
    assert budget.residual * parts.max() <= ADD_UP * scale
    for shares in (budget.effects, budget.causes, budget.by_link):
        for values, torque in ((shares.of_peak, budget.sizing.peak_torque), (shares.of_rms, budget.sizing.rms_torque)):
            # In units of the torque again, where what cannot be told from rounding is small.
            heard = torque != 0
            close((values.sum(axis=1) * torque)[heard], torque[heard], scale, ADD_UP)


def test_operations() -> None:
    """All parts of a six-joint arm and its total in about a thousand operations."""
    cost = dynamis.load("puma560").cost("torque_components")
    assert cost.multiplications <= 401
    assert cost.additions <= 330
