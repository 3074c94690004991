"""Every quantity as a function of CasADi: the same values, and derivatives by CasADi."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

import dynamis
from dynamis.compute.quantities.registry import QUANTITIES
from tests.support.functions import options, states, verb


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_agrees_with_arrays(name: str) -> None:
    robot = dynamis.load("puma560")
    given = states(np.random.default_rng(3), name, robot.n)
    function = robot.casadi.function(name, **options(robot, name))
    assert function.name_in() == list(QUANTITIES[name].inputs)
    assert function.name_out() == list(QUANTITIES[name].outputs)
    found = function(*given)
    expected = verb(robot, name, *given, **options(robot, name))
    for ours, theirs in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
        np.testing.assert_allclose(np.reshape(ours.full(), np.shape(theirs)), theirs, rtol=1e-9, atol=1e-9)


def test_verbs_take_expressions() -> None:
    robot = dynamis.load("bar-2r")
    q = casadi.SX.sym("q", 2)
    potential = robot.on("casadi").potential_energy(q)
    slope = casadi.Function("slope", [q], [casadi.gradient(potential, q)])
    np.testing.assert_allclose(slope([0.1, 0.2]).full().ravel(), robot.gravity_torque([0.1, 0.2]))
