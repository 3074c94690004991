"""Inverse kinematics of coupled joints, q = A y + b: closed forms and numbers, against Pinocchio."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis import Frame, Joint, Limits, Link, Robot
from dynamis.base.arrays import Array
from dynamis.motion.inverse_kinematics.numerical import inverse_kinematics
from dynamis.motion.inverse_kinematics.planar import planar_inverse_kinematics
from dynamis.motion.inverse_kinematics.screws import StructureError
from dynamis.motion.inverse_kinematics.spherical_wrist import spherical_wrist_inverse_kinematics
from tests.support.pinocchio_trees import Reference
from tests.support.solvable_arms import planar_arm, wrist_arm
from tests.support.strategies import Case, coupled, robots

seeds = st.integers(0, 10**6)


def driven(arm: Robot, A: Array, b: Array, limits: Limits | None = None) -> Robot:
    """The arm with all of its joints driven by motors on the base, q = A y + b."""
    motors = [Link(f"motor{k + 1}", Joint(f"y{k + 1}", limits=limits or Limits()), mass=0.1) for k in range(A.shape[1])]
    links: list[Link] = []
    for link, row, offset in zip(arm.links, A, b, strict=True):
        factors = {f"y{k + 1}": float(x) for k, x in enumerate(row) if x}
        links.append(replace(link, joint=replace(link.joint, coupling=factors, coupling_offset=float(offset))))
    return replace(arm, links=(*motors, *links))


def mixing(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    """A well conditioned A with zeros among its entries, and b."""
    while True:
        A = (rng.uniform(-2, 2, (n, n)) * (rng.random((n, n)) < 0.6)).round(3)
        if A.any(axis=1).all() and np.linalg.matrix_rank(A) == n and np.linalg.cond(A) < 100:
            return A, rng.uniform(-1, 1, n)


@given(seed=seeds, n=st.sampled_from([2, 3]))
def test_planar_arms(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    A, b = mixing(rng, n)
    arm = planar_arm(rng, n)
    robot, y = driven(arm, A, b), rng.uniform(-2, 2, (20, n))
    T = robot.forward_kinematics(y)
    assert np.abs(T - arm.forward_kinematics(y @ A.T + b)).max() < 1e-12
    branches = planar_inverse_kinematics(robot, T if n == 3 else T[:, :3, 3])
    assert branches.exists.all()
    back, target = robot.forward_kinematics(branches.q), T[:, None]
    assert np.abs((back - target)[..., slice(None) if n == 3 else slice(3, 4)]).max() < 1e-9
    turns = (branches.q - y[:, None]) @ A.T / (2 * np.pi)
    assert (np.abs(turns - turns.round()).max(axis=-1).min(axis=-1) < 1e-5).all()


@settings(max_examples=25)
@given(seed=seeds)
def test_spherical_wrists(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A, b = mixing(rng, 6)
    arm = wrist_arm(rng)
    robot, y = driven(arm, A, b), rng.uniform(-1, 1, (5, 6))
    T = robot.forward_kinematics(y)
    branches = spherical_wrist_inverse_kinematics(robot, T)
    plain = spherical_wrist_inverse_kinematics(arm, T)
    assert (branches.exists == plain.exists).all()
    assert branches.exists.any(axis=-1).all()
    error = np.abs(robot.forward_kinematics(np.nan_to_num(branches.q)) - T[:, None]).max(axis=(-1, -2))
    assert error[branches.exists].max() < 1e-8
    turns = (branches.q @ A.T + b - plain.q) / (2 * np.pi)
    assert np.abs(turns - turns.round())[branches.exists].max() < 1e-8


def test_whole_turns_are_sought_within_the_limits_of_coordinates() -> None:
    """Two motors at the base drive a 2R arm by belts: q2 = y2 - y1 with a y2 that makes half a turn only."""
    rng = np.random.default_rng(3)
    half = Limits(lower=-3.2, upper=3.2)  # type: ignore[arg-type]
    A, b = np.array([[1.0, 0.0], [-1.0, 1.0]]), np.zeros(2)
    robot = driven(planar_arm(rng, 2), A, b, half)
    y = rng.uniform(-3.2, 3.2, (200, 2))
    branches = planar_inverse_kinematics(robot, robot.forward_kinematics(y)[:, :3, 3])
    assert branches.within_limits.any(axis=-1).all()
    inside = branches.q[branches.within_limits]
    assert np.abs(inside).max() <= 3.2 + 1e-9


def test_couplings_that_cannot_be_inverted_are_refused() -> None:
    rng = np.random.default_rng(0)
    level = np.array([[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]])
    with pytest.raises(StructureError) as caught:
        planar_inverse_kinematics(driven(planar_arm(rng, 3), level, np.zeros(3)), np.eye(4))
    assert str(caught.value) == (
        'the planar closed form is for joints that can be chosen freely; robot "drawn" moves 3 joints by 2 coordinates '
        "in a way that cannot be inverted: use inverse_kinematics"
    )
    with pytest.raises(StructureError, match="moves 2 joints by 2 coordinates in a way that cannot be inverted"):
        planar_inverse_kinematics(driven(planar_arm(rng, 2), np.ones((2, 2)), np.zeros(2)), np.zeros(3))
    with pytest.raises(StructureError, match='is for 6 joints; robot "drawn" has 2 that carry frame "tool"'):
        spherical_wrist_inverse_kinematics(driven(planar_arm(rng, 2), np.eye(2), np.zeros(2)), np.eye(4))


@settings(max_examples=40)
@given(robots(joints=(1, 6)), st.integers(0, 2**32 - 1))
def test_random_trees_reach_what_pinocchio_says(case: Case, seed: int) -> None:
    """The target is Pinocchio's placement of the tool, and so is the check of what was found."""
    if not case.moving:
        return
    robot, A, b = coupled(case, seed)
    rng = np.random.default_rng(seed)
    y = rng.uniform(-2, 2, A.shape[1])

    def tool(y: Array) -> Array:
        reference = Reference.of(replace(case, q=A @ y + b, qd=0 * (A @ y), qdd=0 * (A @ y)))
        pin.forwardKinematics(reference.model, reference.data, reference.q)
        return (reference.data.oMi[case.tool_on + 1] * reference.tool).homogeneous

    target = tool(y)
    assert np.abs(robot.forward_kinematics(y) - target).max() < 1e-10
    for start in (y + rng.uniform(-0.05, 0.05, robot.n), None):
        solution = inverse_kinematics(robot, target, start=start, limits=False)
        if start is not None or solution.success:
            assert solution.success, solution.message
            assert np.abs(tool(solution.q) - target).max() < 1e-7


def gripper_arm(limits: Limits) -> Robot:
    """A differential: the wrist's bend is the mean of two motors, its own limits narrower than theirs."""
    return Robot("differential", (
        Link("motor1", Joint("m1"), mass=0.1),
        Link("motor2", Joint("m2"), mass=0.1),
        Link("bend", Joint("bend", coupling={"m1": "1/2", "m2": "1/2"}, limits=limits), mass=1),  # type: ignore[arg-type,dict-item]
        Link("roll", Joint("roll", axis=(1, 0, 0), coupling={"m1": "1/2", "m2": "-1/2"}), "bend", mass=1),  # type: ignore[dict-item]
    ), tool=Frame("tool", "roll", "Tx(0.3) Ty(0.1)"))  # type: ignore[arg-type]  # fmt: skip


def test_a_joint_that_follows_several_coordinates_keeps_its_own_limits() -> None:
    rng = np.random.default_rng(1)
    narrow = gripper_arm(Limits(lower=-1, upper=1))  # type: ignore[arg-type]
    inside, outside = np.array([0.9, 0.3]), np.array([2.9, 0.3])
    wide = gripper_arm(Limits())
    for q, reachable in ((inside, True), (outside, False)):
        target = narrow.forward_kinematics([q.sum(), q[0] - q[1]])
        solution = inverse_kinematics(narrow, target, start=rng.uniform(-1, 1, 2), starts=30)
        assert bool(solution.success) == reachable
        assert abs(solution.q.mean()) <= 1 + 1e-9
        assert inverse_kinematics(wide, target).success
        assert inverse_kinematics(narrow, target, limits=False).success


def test_a_whole_turn_of_a_motor_is_none_of_a_geared_joint() -> None:
    """q = y/3: the start picks among three poses of the motor, and the tool is where it should be."""
    geared = Robot("geared", (
        Link("motor", Joint("y", limits=Limits(lower="-10*pi", upper="10*pi")), mass=0.1),  # type: ignore[arg-type]
        Link("arm", Joint("q", coupling={"y": "1/3"}), mass=1),  # type: ignore[dict-item]
    ), tool=Frame("tool", "arm", "Tx(1)"))  # type: ignore[arg-type]  # fmt: skip
    for y in np.linspace(-9, 9, 7):
        target = geared.forward_kinematics([y])
        solution = inverse_kinematics(geared, target, start=[y + 0.3])
        assert solution.success
        assert solution.q[0] == pytest.approx(y, abs=1e-6)
