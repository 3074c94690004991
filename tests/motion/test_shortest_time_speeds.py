"""The largest speeds along a path: those of toppra, an independent program for the same problem."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.motion.shortest_time.shortest_time import ShortestTime, shortest_time
from dynamis.motion.shortest_time.speeds import NoSpeedError, largest_speeds
from tests.support.arms import with_friction

UR5, PUMA = dynamis.load("ur5"), with_friction(dynamis.load("puma560"), coulomb=0.5)
MIDDLE = np.array([0, -1.2, 1.2, 0, 0.5, 0])


def by_toppra(found: ShortestTime, *constraints: Any) -> float:
    """The duration that toppra finds along the same path."""
    toppra = pytest.importorskip("toppra")
    path: Any = found.limits.path

    class Geometry:
        dof, path_interval = path.n, np.array([0.0, path.duration])

        def __call__(self, s: Any, order: int = 0) -> Any:
            return path.at(s)[order]

        def eval(self, s: Any) -> Any:
            return self(s)

        def evald(self, s: Any) -> Any:
            return self(s, 1)

        def evaldd(self, s: Any) -> Any:
            return self(s, 2)

    grid = np.linspace(0, path.duration, 2001)
    instance = toppra.algorithm.TOPPRA(list(constraints), Geometry(), gridpoints=grid, solver_wrapper="seidel")
    _, sd, _ = instance.compute_parameterization(0.0, 0.0)
    return float(np.sum(2 * np.diff(grid) / (sd[1:] + sd[:-1])))


@pytest.mark.parametrize("seed", range(3))
def test_velocity_and_acceleration_limits(seed: int) -> None:
    toppra = pytest.importorskip("toppra")
    points = MIDDLE + np.random.default_rng(seed).uniform(-0.7, 0.7, (4, 6))
    found = shortest_time(UR5, points, velocity=2.0, acceleration=8.0, effort=1e6)
    both = np.array([[-1.0, 1.0]] * 6)
    known = by_toppra(
        found,
        toppra.constraint.JointVelocityConstraint(2 * both),
        toppra.constraint.JointAccelerationConstraint(8 * both),
    )
    assert found.duration == pytest.approx(known, rel=5e-3)


@pytest.mark.parametrize("seed", range(2))
def test_torque_limits_with_dry_friction(seed: int) -> None:
    """toppra keeps the limits at the points of its grid alone, and so it may be a little faster."""
    toppra = pytest.importorskip("toppra")
    points = MIDDLE + np.random.default_rng(seed).uniform(-0.7, 0.7, (4, 6))
    effort = np.array([97.6, 186.4, 89.4, 24.2, 20.1, 21.3])
    found = shortest_time(PUMA, points, effort=effort)
    bare = with_friction(PUMA)
    known = by_toppra(
        found,
        toppra.constraint.JointTorqueConstraint(
            bare.inverse_dynamics, effort[:, None] * [-1, 1], np.full(6, 0.5), discretization_scheme=1
        ),
    )
    assert found.duration == pytest.approx(known, rel=1e-2)


def test_one_row_is_bang_bang() -> None:
    """|u| <= 2 over a path of length 1: speeds up to its middle, sd^2 = 2 there."""
    h = np.full(100, 0.01)
    a, b, r = np.tile([1.0, -1.0], (100, 1)), np.zeros((100, 2)), np.full((100, 2), 2.0)
    sd, sdd = largest_speeds(h, a, b, r, np.full(101, np.inf))
    s = np.linspace(0, 1, 101)
    assert np.allclose(sd**2, 4 * np.minimum(s, 1 - s), rtol=0, atol=1e-13)
    assert np.allclose(np.abs(sdd), 2.0)


def test_what_no_speed_keeps_is_told_with_its_step() -> None:
    a, b, r = np.ones((10, 1)), np.zeros((10, 1)), np.ones((10, 1))
    a[4], r[4] = 0.0, -1.0
    with pytest.raises(NoSpeedError) as caught:
        largest_speeds(np.full(10, 0.1), a, b, r, np.ones(11))
    assert caught.value.step == 4
