"""The shortest time of joints with dry friction: torques within limits at every instant, at reversals and ends too."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from dynamis.base.arrays import Array
from dynamis.motion.shortest_time.grid import path_grid
from dynamis.motion.shortest_time.shortest_time import ShortestTime, shortest_time
from dynamis.motion.trajectories.spline import chord_times, through
from dynamis.robot import Robot
from tests.support.arms import cartesian, with_friction
from tests.support.joint_forces import random_forces

TOLERANCE = 1e-4
"""As docs/motion.md promises."""
PUMA, UR5 = dynamis.load("puma560"), with_friction(dynamis.load("ur5"), coulomb=1.5)
AWAY = np.array([0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4])
"""How far from a reversal or an end the torques are looked at [s]."""


def drawn(kind: str, seed: int) -> tuple[Robot, Array, Array | None]:
    """A robot with dry friction, waypoints, and effort limits."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 7))
    match kind:
        case "puma560":
            points = np.array([0, -0.8, 0.5, 0, 0.4, 0]) + rng.uniform(-0.8, 0.8, (count, 6))
            hold = np.abs(PUMA.gravity_torque(points)).max(axis=0)
            return PUMA, points, np.maximum(1.5 * hold + 10, [97.6, 186.4, 89.4, 24.2, 20.1, 21.3])
        case "ur5":
            return UR5, np.array([0, -1.2, 1.2, 0, 0.5, 0]) + rng.uniform(-0.7, 0.7, (count, 6)), None
        case "2R":
            arm = with_friction(dynamis.load("bar-2r"), coulomb=2.0)
            return arm, rng.uniform(-2, 2, (count, 2)), np.array([100.0, 30.0])
        case "2R, viscous":
            arm = with_friction(dynamis.load("bar-2r"), coulomb=2.0, damping=1.5)
            return arm, rng.uniform(-2, 2, (count, 2)), np.array([100.0, 30.0])
        case "2R, Stribeck and springs":
            arm = random_forces(rng, 2).on(dynamis.load("bar-2r"))
            return arm, rng.uniform(-2, 2, (count, 2)), np.array([150.0, 80.0])
        case _:
            return with_friction(cartesian(), coulomb=2.0), rng.uniform(-2, 2, (count, 2)), np.array([30.0, 10.0])


def instants(found: ShortestTime) -> Array:
    """Thousands of equal steps, the steps of the grid, and the nearest neighbourhood of the reversals and the ends."""
    t = np.linspace(0, found.duration, 5001)
    sign = np.sign(found.at(t)[1])
    k, joint = np.nonzero(sign[:-1] * sign[1:] < 0)
    low, high, left = t[k], t[k + 1], sign[k, joint]
    for _ in range(60):
        middle = (low + high) / 2
        same = np.sign(found.at(middle)[1][np.arange(len(k)), joint]) == left
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    turns = np.concatenate([low, high, [0.0, found.duration]])
    assert len(k) > 0
    near = (turns[:, None] + np.concatenate([AWAY, -AWAY])).ravel()
    edges = np.concatenate([np.nextafter(found.grid, -1.0), found.grid, np.nextafter(found.grid, np.inf)])
    return np.clip(np.concatenate([t, near, edges]), 0.0, found.duration)


@pytest.mark.parametrize("kind", ["puma560", "ur5", "2R", "2R, viscous", "2R, Stribeck and springs", "prismatic"])
@pytest.mark.parametrize("seed", range(3))
def test_torques_stay_within_their_limits_at_every_instant(kind: str, seed: int) -> None:
    robot, points, effort = drawn(kind, seed)
    found = shortest_time(robot, points, effort=effort)
    q, qd, qdd = found.at(instants(found))
    used = np.abs(robot.inverse_dynamics(q, qd, qdd)) / found.limits.effort
    assert used.max() <= 1 + TOLERANCE
    assert (np.abs(qd) <= found.limits.velocity * (1 + TOLERANCE)).all()
    # And no slower than the limits ask for: one of them is used up nearly all the time.
    assert np.median(found.share) > 0.98
    assert max(phase.end - phase.start for phase in found.phases()) > 1e-3


def test_a_joint_that_stands_still_has_friction_of_either_sign() -> None:
    """What a spline leaves of the slope of equal values is rounding, and so is the sign of its friction."""
    robot = with_friction(dynamis.load("bar-2r"), coulomb=3.0)
    found = shortest_time(robot, [[0.0, 0.7], [0.4, 0.7], [1.1, 0.7]], effort=[60.0, 15.0])
    q, qd, qdd = found.at(np.linspace(0, found.duration, 3001))
    for sign in (-1.0, 1.0):
        tau = robot.inverse_dynamics(q, qd, qdd) - 3.0 * np.sign(qd) * [0, 1] + [0, 3.0 * sign]
        assert (np.abs(tau) <= np.array([60.0, 15.0]) * (1 + TOLERANCE)).all()


def test_every_reversal_has_a_narrow_step() -> None:
    """Also two of them that lie between neighbouring points of the grid."""
    rng = np.random.default_rng(5)
    points = rng.uniform(-1, 1, (6, 3))
    points[:, 2] = np.cumsum(np.full(6, 0.1))
    points[3, 2] = points[2, 2] - 1e-7  # goes back a little
    t = chord_times(points, None)
    path = through(points, t, 3, np.zeros(3), np.zeros(3))
    grid = path_grid(path, 40, np.array([True, True, True]))
    assert (np.diff(grid) > 0).all()
    fine = np.linspace(0, path.duration, 200_001)[1:-1]
    first = path.at(fine)[1]
    k, _ = np.nonzero(first[:-1] * first[1:] < 0)
    assert len(k) > 6
    narrow = np.diff(grid) < 1e-5 * path.duration
    for place in fine[k]:
        step = np.searchsorted(grid, place) - 1
        assert narrow[max(step - 1, 0) : step + 2].any()


def test_a_joint_whose_friction_takes_all_is_told_with_its_place() -> None:
    robot = with_friction(dynamis.load("bar-2r"), coulomb=29.0)
    with pytest.raises(dynamis.DynamisError, match=r"no motion along the path keeps the limits at \d+% of its way"):
        shortest_time(robot, [[-1.0, 0.2], [0.4, 0.9], [-0.3, -0.2]], effort=[60.0, 30.0])
