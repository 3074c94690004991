"""The composite bodies' mass matrix is the one from the Jacobians, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dynamis
from dynamis.mechanics.dynamics import mass_matrix
from dynamis.mechanics.efficient import composite_body
from dynamis.mechanics.mechanism import mechanism
from dynamis.scalars.fractions import Fractions
from tests.support.scalars import rational_state


@pytest.mark.parametrize("name", ["puma560", "ur5"])
def test_in_rationals(name: str) -> None:
    robot = dynamis.load(name)
    zero = [Fraction(0)] * robot.n
    m = mechanism(robot, Fractions(robot.values))
    state = rational_state(m, zero, zero)
    assert composite_body.mass_matrix(m, state) == mass_matrix.mass_matrix(m, state)
