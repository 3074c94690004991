"""Writing URDF: a robot of any convention comes back with the same dynamics and the same frames."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings

from dynamis import DynamisError, Inertia, Joint, Link, Robot
from dynamis.base.toml_table import parse_toml
from dynamis.errors import MissingValuesError
from dynamis.model.formats.robot_file.read import read_robot
from dynamis.model.formats.urdf.read import read_urdf
from dynamis.model.formats.urdf.write import roll_pitch_yaw, write_urdf
from dynamis.model.placement import Placement
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.scalars import evaluate
from tests.support.closeness import close, largest
from tests.support.strategies import Case, robots

STANDARD_DH = """
[robot]
name = "rpr & <friends>"
convention = "standard-dh"
gravity = [0, 0, -9.81]

[values]
l = 0.4

[[link]]
name = "shoulder"
dh = { theta = 0.3, d = "l", a = 0.1, alpha = "pi/2" }
joint = { kind = "revolute", name = "q1", damping = 0.2, coulomb = 0.1, gear_ratio = -60, rotor_inertia = 2e-4 }
mass = 4
com = [-0.05, 0.1, 0.02]
inertia = { about = "com", xx = 0.1, yy = 0.12, zz = 0.09, xy = 0.01 }

[[link]]
name = "slide"
dh = { theta = "-pi/3", d = 0.2, a = 0.05, alpha = 0.7 }
joint = { kind = "prismatic", limits = { position = [-0.1, 0.6], velocity = 1.5 } }
mass = 2
com = [0.01, 0, -0.2]
inertia = { about = "origin", xx = 0.2, yy = 0.21, zz = 0.1, axes = "Rx(0.4)" }

[[link]]
name = "wrist"
dh = { theta = 0, d = 0.1, a = 0.2, alpha = "-pi/2" }
joint = { kind = "revolute", limits = { position = [-2, 2.5], effort = 30 } }
mass = 1.5
com = [-0.1, 0, 0.03]
inertia = { about = "com", xx = 0.01, yy = 0.02, zz = 0.015, yz = -0.001 }

[[frame]]
name = "camera"
link = "slide"
placement = "Tx(0.1) Ry(0.3) Rz(-1.2)"

[tool]
placement = "Tz(0.15) Rx(pi/4)"
"""


def dh_robot() -> Robot:
    return Robot.from_model(read_robot(parse_toml(STANDARD_DH, "dh.toml")))


def again(robot: RobotModel) -> Robot:
    return Robot.from_model(read_urdf(write_urdf(robot), "again.urdf"))


def assert_same(one: Robot, other: Robot, frames: tuple[str, ...]) -> None:
    """Torques, reactions at the moving joints and poses of frames at random states."""
    q, qd, qdd = np.random.default_rng(1).uniform(-2, 2, (3, 5, one.n))
    moving = [[link.joint.moves for link in robot.links] for robot in (one, other)]
    ours, theirs = (robot.reactions(q, qd, qdd) for robot in (one, other))
    np.testing.assert_allclose(theirs.tau, ours.tau, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(theirs.wrench[:, moving[1]], ours.wrench[:, moving[0]], rtol=1e-12, atol=1e-12)
    for name in frames:
        found, expected = (robot.forward_kinematics(q, name) for robot in (other, one))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_a_standard_dh_robot_comes_back() -> None:
    robot = dh_robot()
    assert_same(robot, again(robot), ("tool", "camera"))


def test_joints_keep_their_names_limits_friction_and_motors() -> None:
    robot = dh_robot()
    scalars = robot.floats()
    for before, after in zip(robot.joints, again(robot).joints, strict=True):
        assert after.name == before.name
        assert after.limits == before.limits
        for key in ("damping", "coulomb", "gear_ratio", "rotor_inertia"):
            assert evaluate(getattr(after, key), scalars) == evaluate(getattr(before, key), scalars)
    assert [joint.kind for joint in again(robot).joints] == ["continuous", "prismatic", "revolute"]


def test_a_payload_is_a_fixed_link_with_inertia() -> None:
    robot = dh_robot().with_payload(3, (0.02, 0.01, 0.1), Inertia.of(xx=0.02, yy=0.03, zz=0.04, axes="Ry(0.3)"))
    assert '<joint name="payload_joint" type="fixed">' in write_urdf(robot)
    assert_same(robot, again(robot), ("tool", "camera", "payload"))


def test_a_second_writing_says_the_same() -> None:
    robot = again(dh_robot().with_payload(3))
    assert_same(robot, again(robot), ("tool", "camera", "payload", "shoulder", "slide", "wrist"))
    assert {frame.name for frame in again(robot).frames} == {"camera", "payload"}


@settings(max_examples=100)
@given(robots(joints=(1, 8), friction=True))
def test_random_trees_come_back(case: Case) -> None:
    """Everything but gravity, which the file does not hold."""
    robot = case.robot()
    assume(robot.n > 0)
    back = again(robot).with_gravity(case.gravity)
    before, after = (r.reactions(case.q, case.qd, case.qdd) for r in (robot, back))
    moving = [link.joint.moves for link in robot.links]
    close(after.tau, before.tau, tolerance=1e-12, scale=max(largest(before.wrench), abs(before.tau).max()))
    close(after.wrench, before.wrench[moving], tolerance=1e-12, scale=largest(before.wrench))
    close(back.forward_kinematics(case.q), robot.forward_kinematics(case.q), tolerance=1e-12)


def test_names_are_escaped() -> None:
    link = Link('<"arm" & co>', Joint("a<b", axis=(1, 0, 0)), "the base", mass=1)
    robot = Robot("r & <r>", (link,), base="the base")
    back = again(robot)
    assert (back.name, back.base, back.links[0].name, back.joints[0].name) == (
        "r & <r>", "the base", '<"arm" & co>', "a<b",
    )  # fmt: skip


def test_names_that_are_taken_get_an_ending() -> None:
    """The tool of a robot with a link called "tool", and a frame whose joint's name is taken."""
    link = Link("tool", Joint("eye_fixed"), mass=1)
    robot = Robot("r", (link,), frames=(Frame("eye", "tool"),))
    assert [frame.name for frame in again(robot).frames] == ["tool_frame", "eye"]
    assert '<joint name="eye_fixed_fixed" type="fixed">' in write_urdf(robot)


def test_a_joint_without_limits() -> None:
    link = Link("a", Joint("j", "prismatic"), mass=1)
    text = write_urdf(Robot("r", (link,)))
    assert '<limit lower="-1e+30" upper="1e+30" effort="1e+30" velocity="1e+30" />' in text
    assert again(Robot("r", (link,))).joints[0].limits == link.joint.limits


def test_couplings_are_mimics() -> None:
    finger = Link("b", Joint("right", "prismatic", coupling={"left": -1}, coupling_offset="0.08"), mass=1)
    turn = Link("c", Joint("wheel", coupling={"right": "pi/3"}, coupling_offset="pi/4"), mass=1)
    robot = Robot("gripper", (Link("a", Joint("left", "prismatic"), mass=1), finger, turn))
    assert '<mimic joint="left" multiplier="-1" offset="0.08" />' in write_urdf(robot)
    assert again(robot).couplings[1] == robot.couplings[1]
    q, qd, qdd = [[0.3]], [[2.0]], [[-1.0]]
    close = {"rtol": 1e-14, "atol": 0}
    np.testing.assert_allclose(again(robot).inverse_dynamics(q, qd, qdd), robot.inverse_dynamics(q, qd, qdd), **close)


def test_a_joint_that_follows_two_has_no_place_in_a_urdf() -> None:
    mean = Link("c", Joint("wrist", coupling={"m1": "1/2", "m2": "1/2"}), mass=1)
    robot = Robot("differential", (Link("a", Joint("m1"), mass=1), Link("b", Joint("m2"), mass=1), mean))
    with pytest.raises(DynamisError, match=r'^joint "wrist" is coupled to m1, m2; <mimic> of a URDF follows one joint'):
        write_urdf(robot)


def test_gravity_is_said_in_a_comment() -> None:
    text = write_urdf(dh_robot().with_gravity([0, 1.5, "-9.81/2"]))
    assert "<!--gravity is not part of URDF; this robot's is (0, 1.5, -4.905) m/s^2 in base axes-->" in text


def test_a_robot_without_values_is_refused() -> None:
    robot = Robot("r", (Link("a", Joint("j"), mass="m"),), parameters={"m": "mass"})
    with pytest.raises(MissingValuesError, match='robot "r" has no value for m'):
        write_urdf(robot)


@pytest.mark.parametrize("pitch", [0.0, 0.7, math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9, 1e-9 - math.pi / 2])
@pytest.mark.parametrize(("yaw", "roll"), [(0.0, 0.0), (1.1, -2.3), (-3.1, 0.4), (math.pi, math.pi / 2)])
def test_roll_pitch_yaw_give_the_rotation_back(roll: float, pitch: float, yaw: float) -> None:
    scalars = dh_robot().floats()
    R, _ = Placement.angles("zyx", x=roll, y=pitch, z=yaw).evaluate(scalars)
    x, y, z = roll_pitch_yaw(R)
    again, _ = Placement.angles("zyx", x=x, y=y, z=z).evaluate(scalars)
    np.testing.assert_allclose([list(row) for row in again], [list(row) for row in R], rtol=0, atol=1e-15)
