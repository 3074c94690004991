"""A mechanism in other axes is the same mechanism: plain Newton-Euler gives the same torques."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis import Robot, load
from dynamis.compute.mechanics.dynamics.applied_loads import applied_wrenches
from dynamis.compute.mechanics.dynamics.newton_euler import newton_euler
from dynamis.compute.mechanics.efficient.regrouping.dh_frames import align_frames
from dynamis.compute.mechanics.mechanism import Mechanism, State, Wrench, mechanism, state_at
from dynamis.scalars.vectors import Vector
from tests.support.closeness import close
from tests.support.parallel_arms import arms
from tests.support.strategies import Case, robots


def check(m: Mechanism[float], state: State[float], loads: list[Wrench[float] | None]) -> None:
    expected = newton_euler(m, state, None, loads)
    other, turned, changes = align_frames(m, state)
    pairs = zip(changes, loads, strict=True)
    moved = [load if load is None or change is None else change.wrench(load) for change, load in pairs]
    found = newton_euler(other, turned, None, moved).tau
    size = max(abs(x) for w in expected.wrenches for v in (w.force, w.moment) for x in v)
    close(found, expected.tau, size, 1e-12)
    for body, view in zip(other.bodies, changes, strict=True):
        if view is not None:
            assert list(body.k) == [0.0, 0.0, 1.0]
            np.testing.assert_allclose([[*row] for row in view.B.times(view.B.T)], np.eye(3), atol=1e-14)


@settings(max_examples=100)
@given(robots(friction=True, loads=True))
def test_random_trees(case: Case) -> None:
    robot = case.robot()
    m = mechanism(robot, robot.floats())
    state = state_at(m, case.q.tolist(), case.qd.tolist(), case.qdd.tolist())
    check(m, state, applied_wrenches(robot, m, state, case.loads))


@settings(max_examples=100)
@given(arms(), st.integers(0, 99))
def test_simple_and_oblique_frames_mixed(robot: Robot, seed: int) -> None:
    m = mechanism(robot, robot.floats())
    rng = np.random.default_rng(seed)
    loads = [Wrench(Vector(*rng.normal(size=3).tolist()), Vector(*rng.normal(size=3).tolist())) for _ in m.bodies]
    check(m, state_at(m, *rng.uniform(-3, 3, (3, m.n)).tolist()), list(loads))


@settings(max_examples=30)
@given(robots(joints=(6, 12), kinds=("revolute",), chain=True))
def test_what_is_won(case: Case) -> None:
    """From a link with new axes to the next: a rotation about x, and an offset in the plane of x and z."""
    robot = case.robot()
    m = mechanism(robot, robot.floats())
    m, _, changes = align_frames(m, state_at(m, *[[0.0] * len(case.parts)] * 3))
    for view, body in zip(changes, m.bodies[1:], strict=False):
        if view is not None:
            assert list(body.R0.a) == [1.0, 0.0, 0.0]
            assert body.R0.b.x == body.R0.c.x == 0.0
            assert body.t0.y == 0.0 or abs(body.R0.c.y) <= 0.05
    assert sum(view is not None for view in changes) > len(changes) / 2


def test_simple_frames_stay() -> None:
    for name in ("ur5", "puma560", "panda", "stanford"):
        robot = load(name)
        m, zeros = mechanism(robot, robot.floats()), [0.0] * robot.n
        assert align_frames(m, state_at(m, zeros, zeros, zeros))[0] is m
