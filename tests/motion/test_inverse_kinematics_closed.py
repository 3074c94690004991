"""Closed forms: every branch reaches the target, all are distinct, the structure is recognised in any frames."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamis
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.motion.inverse_kinematics.planar import planar_inverse_kinematics
from dynamis.motion.inverse_kinematics.screws import StructureError
from dynamis.motion.inverse_kinematics.spherical_wrist import NAMES, spherical_wrist_inverse_kinematics
from tests.support.solvable_arms import Array, arm, planar_arm, wrist_arm

seeds = st.integers(0, 10**6)


def difference(a: Array, b: Array) -> Array:
    """The largest angle between joint values, whole turns aside."""
    return np.abs(np.angle(np.exp(1j * (a - b)))).max(axis=-1)


@given(seed=seeds, n=st.sampled_from([2, 3]))
def test_planar_arms(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    robot = planar_arm(rng, n)
    q = rng.uniform(-np.pi, np.pi, (20, n))
    T = robot.forward_kinematics(q)
    found = planar_inverse_kinematics(robot, T if n == 3 else T[:, :3, 3])
    assert found.exists.all()
    assert found.names == ("elbow down", "elbow up")
    back = robot.forward_kinematics(found.q)
    wanted, reached = (T[:, None], back) if n == 3 else (T[:, None, :3, 3], back[..., :3, 3])
    assert np.abs(reached - wanted).max() < 1e-9
    assert (difference(found.q, q[:, None]).min(axis=1) < 1e-5).all()
    bent = np.abs(np.sin(found.q[:, 0, 1] - found.q[:, 1, 1])) > 1e-3
    assert (difference(found.q[:, 0], found.q[:, 1])[bent] > 1e-4).all()


def test_xu_project() -> None:
    """Case s001-trajectory: L1 = L2 = 0.5 m, from (0.1, 0) to (0.9, 0), theta2 > 0."""
    two = arm(
        np.array([[0, 0, 1.0]] * 2), np.array([[0, 0, 0], [0.5, 0, 0]]), np.array([1.0, 0, 0]), np.random.default_rng(0)
    )
    found = planar_inverse_kinematics(two, [[0.1, 0, 0], [0.9, 0, 0]])
    down = found.branch("elbow down")
    assert down[0] == pytest.approx([-1.4706289056333368, 2.9412578112666736], abs=1e-12)
    assert down[1] == pytest.approx([-0.45102681179626236, 0.9020536235925247], abs=1e-12)
    assert found.branch("elbow up") == pytest.approx(-down, abs=1e-12)


def test_out_of_reach_says_by_how_much() -> None:
    two = arm(
        np.array([[0, 0, 1.0]] * 2), np.array([[0, 0, 0], [0.5, 0, 0]]), np.array([0.8, 0, 0]), np.random.default_rng(0)
    )
    far = planar_inverse_kinematics(two, [1.0, 0, 0])
    assert far.message == "the target is out of reach by 0.2 m: the arm reaches 0.8 m"
    assert float(far.beyond) == pytest.approx(0.2)
    assert np.isnan(far.q).all()
    near = planar_inverse_kinematics(two, [0.1, 0, 0])
    assert near.message == "the target is out of reach by 0.1 m: the arm comes no nearer than 0.2 m"
    off = planar_inverse_kinematics(two, [0.5, 0, 0.25])
    assert off.message == "the target is out of reach by 0.25 m: it does not lie in the plane of the arm"
    both = planar_inverse_kinematics(two, [[0.5, 0, 0], [0, 1.3, 0]])
    assert both.message == "1 of 2 targets are reached; target 2 is out of reach by 0.5 m: the arm reaches 0.8 m"
    assert both.exists.tolist() == [[True, True], [False, False]]
    stretched = planar_inverse_kinematics(two, [0.8, 0, 0])
    assert stretched.message == "2 branches, 2 within the joint limits"
    assert np.abs(two.forward_kinematics(stretched.q)[:, :3, 3] - [0.8, 0, 0]).max() < 1e-12


@pytest.mark.filterwarnings("error")
def test_a_target_far_away_is_out_of_reach_without_overflow() -> None:
    found = planar_inverse_kinematics(dynamis.load("bar-2r"), [0, 1e300, 0])
    assert not found.exists.any()
    assert "the arm reaches 1 m" in found.message


@given(seed=seeds, general=st.booleans())
def test_spherical_wrists_in_any_frames(seed: int, general: bool) -> None:
    rng = np.random.default_rng(seed)
    robot = wrist_arm(rng, general=general)
    q = rng.uniform(-np.pi, np.pi, (10, 6))
    T = robot.forward_kinematics(q)
    found = spherical_wrist_inverse_kinematics(robot, T)
    assert found.q.shape == (10, 8, 6)
    assert found.exists.any(axis=1).all()
    back = robot.forward_kinematics(found.q[found.exists])
    wanted = np.broadcast_to(T[:, None], (10, 8, 4, 4))[found.exists]
    assert np.abs(back - wanted).max() < 1e-10
    own = np.where(found.exists, difference(found.q, q[:, None]), np.inf).min(axis=1)
    # Near a stretched elbow or a straight wrist the angles are square roots of rounding.
    assert (own < 1e-6).all()


@given(seed=seeds)
def test_branches_are_distinct(seed: int) -> None:
    puma = dynamis.load("puma560")
    q = np.random.default_rng(seed).uniform(-np.pi, np.pi, (10, 6))
    found = spherical_wrist_inverse_kinematics(puma, puma.forward_kinematics(q))
    regular = np.abs(np.sin(q[:, 4])) > 1e-2
    assert found.exists[regular].all()
    for a in range(8):
        for b in range(a):
            gap = difference(found.q[:, a], found.q[:, b])
            assert (gap[regular] > 1e-6).all(), (NAMES[a], NAMES[b])
    T = puma.forward_kinematics(found.q)
    assert np.abs(T - T[:, :1]).max() < 1e-10


def test_the_eight_branches_of_the_robotics_toolbox() -> None:
    rtb = pytest.importorskip("roboticstoolbox")
    theirs, ours = rtb.models.DH.Puma560(), dynamis.load("puma560")
    words = {"l": "left", "r": "right", "u": "elbow up", "d": "elbow down", "n": "no flip", "f": "flip"}
    for q in np.random.default_rng(4).uniform(-2, 2, (20, 6)):
        T = ours.forward_kinematics(q)
        assert np.abs(theirs.fkine(q).A - T).max() < 1e-12
        mine = spherical_wrist_inverse_kinematics(ours, T)
        for config in ("lun", "luf", "ldn", "ldf", "run", "ruf", "rdn", "rdf"):
            solution = theirs.ikine_a(theirs.fkine(q), config)
            name = ", ".join(words[letter] for letter in config)
            assert solution.success
            assert difference(mine.branch(name), solution.q) < 1e-6, name


@given(seed=seeds)
def test_singular_wrists_and_stretched_elbows(seed: int) -> None:
    puma = dynamis.load("puma560")
    q = np.random.default_rng(seed).uniform(-2, 2, 6)
    q[4] = 0.0
    T = puma.forward_kinematics(q)
    found = spherical_wrist_inverse_kinematics(puma, T)
    assert found.exists.any()
    assert np.abs(puma.forward_kinematics(found.q[found.exists]) - T).max() < 1e-7


def test_out_of_reach_of_a_puma() -> None:
    puma = dynamis.load("puma560")
    T = puma.forward_kinematics(np.zeros(6))
    T[:3, 3] *= 10
    found = spherical_wrist_inverse_kinematics(puma, T)
    assert found.message.startswith("the target is out of reach by ")
    assert not found.exists.any()
    # Nearer by what it says, it is reached.
    wrist_free = float(found.beyond)
    assert wrist_free > 1
    T = puma.forward_kinematics(np.zeros(6))
    T[:2, 3] = 0.0
    close = spherical_wrist_inverse_kinematics(puma, T)
    assert close.message.endswith("the wrist point is too near to axis 1")


def test_limits_are_told() -> None:
    puma = dynamis.load("puma560")
    q = np.array([0.1, -0.7, 0.3, 0.4, 0.5, 0.6])
    found = spherical_wrist_inverse_kinematics(puma, puma.forward_kinematics(q))
    own = difference(found.q, q).argmin()
    assert found.within_limits[own]
    assert "within the joint limits" in found.message
    assert found.names[own] == NAMES[own]
    with pytest.raises(UnknownNameError, match='did you mean "left, elbow up, flip"'):
        found.branch("left, elbow up flip")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ur5", 'axes 4, 5 and 6 of robot "ur5" do not meet in a point (they pass it at 0.0473 m); '
         "the closed form is for a spherical wrist: use inverse_kinematics"),
        ("panda", 'the closed form of a spherical wrist is for 6 joints; robot "panda" has 7: use inverse_kinematics'),
        ("stanford", "the closed form of a spherical wrist is for revolute joints; "
         '"q3" of robot "stanford" is prismatic: use inverse_kinematics'),
    ],
)  # fmt: skip
def test_other_structures(name: str, sentence: str) -> None:
    with pytest.raises(StructureError) as caught:
        spherical_wrist_inverse_kinematics(dynamis.load(name), np.eye(4))
    assert str(caught.value) == sentence


def test_structures_that_are_nearly_it() -> None:
    rng = np.random.default_rng(0)
    axes = np.array([[0, 0, 1.0], [0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]])
    points = np.zeros((6, 3))
    with pytest.raises(StructureError, match='axes 2 and 3 of robot "drawn" are not parallel'):
        spherical_wrist_inverse_kinematics(arm(axes, points, np.ones(3), rng), np.eye(4))
    axes[2], axes[4] = axes[1], axes[3]
    with pytest.raises(StructureError, match='axes 4 and 5 of robot "drawn" are parallel'):
        spherical_wrist_inverse_kinematics(arm(axes, points, np.ones(3), rng), np.eye(4))
    with pytest.raises(StructureError, match='joint 2 of robot "drawn" is not parallel to joint 1'):
        planar_inverse_kinematics(arm(axes[:2], points[:2], np.ones(3), rng), np.ones(3))
    with pytest.raises(ArgumentError, match=r"a planar arm of 2 joints takes positions"):
        planar_inverse_kinematics(planar_arm(rng, 2), np.eye(4))


def test_branches_are_a_document() -> None:
    """One row per branch that exists."""
    robot = dynamis.load("puma560")
    poses = robot.forward_kinematics(np.random.default_rng(0).uniform(-1, 1, (3, 6)))
    found = spherical_wrist_inverse_kinematics(robot, poses)
    for name in NAMES:
        assert str(found).count(name) >= 3
    columns = found.columns()
    rows = np.column_stack([columns[f"q{k} [rad]"] for k in range(1, 7)])
    np.testing.assert_array_equal(rows, found.q[found.exists])
    np.testing.assert_array_equal(np.unique(columns["target"]), [1, 2, 3])
    np.testing.assert_array_equal(columns["within limits"], found.within_limits[found.exists])
    one = spherical_wrist_inverse_kinematics(robot, poses[0])
    assert str(one).startswith(one.message)
    assert one.as_dict()["branches"] == list(NAMES)
    far = poses[0].copy()
    far[:3, 3] = 9.0
    assert "out of reach" in str(spherical_wrist_inverse_kinematics(robot, far))
