"""The composite bodies' mass matrix is the one from the Jacobians, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dynamis
from dynamis.compute.mechanics.dynamics import mass_matrix
from dynamis.compute.mechanics.efficient import common_frames, composite_body
from dynamis.compute.mechanics.efficient.regrouping.regrouped import regroup_mechanism
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.scalars.fractions import Fractions
from tests.support.functions import function
from tests.support.large_robots import chain, star
from tests.support.scalars import rational_state


@pytest.mark.parametrize("name", ["puma560", "ur5", "cartesian"])
def test_in_rationals(name: str) -> None:
    """Joint by joint, and in common frames of one, two and all bodies."""
    robot = dynamis.load(name)
    robot = robot.with_values(m1=3, m2="2.5") if name == "cartesian" else robot
    zero = [Fraction(0)] * robot.n
    m = mechanism(robot, Fractions(robot.values))
    state = rational_state(m, zero, zero)
    expected = mass_matrix.mass_matrix(m, state)
    assert composite_body.mass_matrix(m, state) == expected
    for span in (1, 2, 6):
        assert common_frames.mass_matrix(m, state, span) == expected


@pytest.mark.parametrize(("robot", "common"), [(chain(10), False), (chain(11), True), (star(100), False)])
def test_long_chains_have_common_frames(robot: dynamis.Robot, common: bool) -> None:
    m = mechanism(robot, robot.floats())
    assert common_frames.are_shorter(regroup_mechanism(m, state_at(m, [0.5] * robot.n))) == common


def test_operations_of_long_chains() -> None:
    """An entry takes 6 multiplications; carried through every joint it took 34 operations."""
    counts = [function(chain(n), "mass_matrix").program.fused.counts() for n in (24, 48)]
    multiplications = [x["*"] + x["fma"] + x["fms"] + x["fnma"] for x in counts]
    assert multiplications[0] < 4050
    assert multiplications[1] < 11_100
