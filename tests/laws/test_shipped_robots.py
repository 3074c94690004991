"""The torques of the large shipped robots, as independent tools give them from data typed again here.

PUMA 560: the model that Robotics Toolbox for Python ships. Stanford arm: a D-H robot of the same
toolbox, built from Paul's tables. Panda: the URDF of example-robot-data, in Pinocchio. UR5: the
frames, masses and tensors of the manufacturer's ROS description, in Pinocchio; they are other
frames than the D-H frames of the shipped file. (The UR5 of example-robot-data and the UR5 and the
Stanford arm of the toolbox have other data, or misprints, and are not the robots shipped here.)
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
import roboticstoolbox as rtb

from dynamis import Robot, load
from dynamis.base.arrays import Array
from dynamis.scalars.scalars import evaluate

TOLERANCE = 1e-10
STATES = 20


def states(n: int) -> tuple[Array, Array, Array]:
    q, qd, qdd = np.random.default_rng(7).uniform(-3, 3, (3, STATES, n))
    return q, qd, qdd


def close(found: Array, expected: Array) -> None:
    """Relative to the torques of each state."""
    error = np.abs(found - expected).max(axis=-1) / np.linalg.norm(expected, axis=-1)
    assert error.shape == (STATES,)
    assert error.max() <= TOLERANCE


def limits(robot: Robot) -> Array:
    """Rows of what every joint can do: lower, upper [, velocity, effort]."""
    scalars = robot.floats()
    return np.array([[evaluate(value, scalars) for _, value in joint.limits.items()] for joint in robot.joints]).T


# --- PUMA 560 ---


def toolbox_puma() -> Any:
    """The toolbox's model with the Coulomb friction of both directions replaced by their mean."""
    robot = rtb.models.DH.Puma560()
    for link in robot.links:
        mean = (link.Tc[0] - link.Tc[1]) / 2
        link.Tc = [mean, -mean]
    return robot


@pytest.fixture(scope="module")
def puma() -> Any:
    return toolbox_puma()


def test_puma560_with_motors_and_friction(puma: Any) -> None:
    motion = states(6)
    close(load("puma560").inverse_dynamics(*motion), puma.rne(*motion))


def test_puma560_with_the_published_tensors(puma: Any) -> None:
    """s moves inertia from link 2 to link 3; no torque depends on it."""
    motion = states(6)
    published = load("puma560").with_values(s=0)
    close(published.inverse_dynamics(*motion), puma.rne(*motion))
    close(published.inverse_dynamics(*motion), load("puma560").inverse_dynamics(*motion))


def test_puma560_at_rest(puma: Any) -> None:
    q, _, _ = states(6)
    close(load("puma560").inverse_dynamics(q), puma.rne(q, 0 * q, 0 * q))


def test_puma560_coulomb_friction_is_the_mean_of_the_published_two() -> None:
    robot, published = load("puma560"), rtb.models.DH.Puma560()
    q, qd = np.zeros(6), np.full(6, 1e-9)
    friction = (robot.inverse_dynamics(q, qd) - robot.inverse_dynamics(q, -qd)) / 2
    mean = [abs(link.G) * (link.Tc[0] - link.Tc[1]) / 2 for link in published.links]
    np.testing.assert_allclose(friction, mean, rtol=1e-6)


def test_puma560_frames_and_limits() -> None:
    robot, published = load("puma560"), rtb.models.DH.Puma560()
    for q in states(6)[0]:
        np.testing.assert_allclose(robot.forward_kinematics(q), published.fkine(q).A, atol=1e-14)
    np.testing.assert_allclose(limits(robot), published.qlim, rtol=1e-15)


# --- Stanford arm ---

# (m, CoM, diagonal of the inertia about the frame's origin)
STANFORD = [
    (9.29, (0, 0.0175, -0.1105), (0.276, 0.255, 0.071)),
    (5.01, (0, -0.1054, 0), (0.108, 0.018, 0.100)),
    (4.25, (0, 0, -0.6447), (2.51, 2.51, 0.006)),
    (1.08, (0, 0.0092, -0.0054), (0.002, 0.001, 0.001)),
    (0.63, (0, 0, 0.0566), (0.003, 0.003, 0.0004)),
    (0.51, (0, 0, 0.1554), (0.013, 0.013, 0.0003)),
]


def about_com(m: float, c: tuple[float, ...], diagonal: tuple[float, ...]) -> Array:
    r = np.array(c)
    return np.diag(diagonal) - m * (r @ r * np.eye(3) - np.outer(r, r))


def toolbox_stanford() -> Any:
    bodies = [{"m": m, "r": list(c), "I": about_com(m, c, diagonal), "G": 1} for m, c, diagonal in STANFORD]
    return rtb.DHRobot([
        rtb.RevoluteDH(d=0.412, alpha=-pi / 2, **bodies[0]),
        rtb.RevoluteDH(d=0.154, alpha=pi / 2, **bodies[1]),
        rtb.PrismaticDH(theta=-pi / 2, **bodies[2]),
        rtb.RevoluteDH(alpha=-pi / 2, **bodies[3]),
        rtb.RevoluteDH(alpha=pi / 2, **bodies[4]),
        rtb.RevoluteDH(d=0.263, **bodies[5]),
    ])  # fmt: skip


def test_stanford() -> None:
    motion = states(6)
    robot, reference = load("stanford"), toolbox_stanford()
    close(robot.inverse_dynamics(*motion), reference.rne(*motion))
    for q in motion[0]:
        np.testing.assert_allclose(robot.forward_kinematics(q), reference.fkine(q).A, atol=1e-14)


# --- Pinocchio ---


def torques(model: Any, q: Array, qd: Array, qdd: Array) -> Array:
    data = model.createData()
    return np.array([pin.rnea(model, data, *state) for state in zip(q, qd, qdd, strict=True)])


def panda_urdf() -> str:
    """example-robot-data's Panda without the hand and without damping."""
    path = Path(pin.__file__).parents[4] / "share/example-robot-data/robots/panda_description/urdf/panda.urdf"
    root = ElementTree.parse(path).getroot()
    for element in list(root):
        name = element.get("name", "")
        if "hand" in name or "finger" in name:
            root.remove(element)
    return ElementTree.tostring(root, encoding="unicode")


def test_panda() -> None:
    model = pin.buildModelFromXML(panda_urdf())
    assert model.nq == 7
    motion = states(7)
    robot = load("panda")
    close(robot.inverse_dynamics(*motion), torques(model, *motion))
    data, flange = model.createData(), model.getFrameId("panda_link8")
    for q in motion[0]:
        pin.framesForwardKinematics(model, data, q)
        np.testing.assert_allclose(robot.forward_kinematics(q), data.oMf[flange].homogeneous, atol=1e-14)
    theirs = [model.lowerPositionLimit, model.upperPositionLimit, model.velocityLimit, model.effortLimit]
    np.testing.assert_allclose(limits(robot), theirs)


# Every link frame stands on its joint's axis: (translation, rotation in the parent), then mass,
# CoM, axial and radial moment of a cylinder about the CoM, and the axis of the cylinder.
UR5 = [
    ((0, 0, 0.089159), (0, 0, 0), 3.7, (0, -0.00193, -0.02561), 0.01040625, 0.014972358333333331, "z"),
    ((0, 0, 0), (pi / 2, 0, 0), 8.393, (-0.2125, 0, 0.11336), 0.0151074, 0.13388583541666665, "x"),
    ((-0.425, 0, 0), (0, 0, 0), 2.33, (-0.24225, 0, 0.0265), 0.004095, 0.031216803515624995, "x"),
    ((-0.39225, 0, 0.10915), (0, 0, 0), 1.219, (0, -0.01634, -0.0018), 0.0021942, 0.002013889583333333, "z"),
    ((0, -0.09465, 0), (pi / 2, 0, 0), 1.219, (0, 0.01634, -0.0018), 0.0021942, 0.0018310395833333333, "z"),
    ((0, 0.0823, 0), (pi / 2, pi, pi), 0.1879, (0, 0, -0.001159), 0.0001321171875, 8.062475833333332e-05, "z"),
]


def pinocchio_ur5() -> Any:
    model, parent = pin.Model(), 0
    for i, (xyz, rpy, mass, com, axial, radial, axis) in enumerate(UR5, 1):
        place = pin.SE3(pin.rpy.rpyToMatrix(*map(float, rpy)), np.array(xyz, dtype=float))
        parent = model.addJoint(parent, pin.JointModelRZ(), place, f"joint{i}")
        tensor = np.diag([axial if k == axis else radial for k in "xyz"])
        model.appendBodyToJoint(parent, pin.Inertia(mass, np.array(com, dtype=float), tensor), pin.SE3.Identity())
    return model


def test_ur5() -> None:
    model, motion = pinocchio_ur5(), states(6)
    robot = load("ur5")
    close(robot.inverse_dynamics(*motion), torques(model, *motion))
    data = model.createData()
    for q in motion[0]:
        pin.forwardKinematics(model, data, q)
        np.testing.assert_allclose(robot.forward_kinematics(q), data.oMi[6].homogeneous, atol=1e-14)


def in_world(R: Array, p: Array, force: Array, moment: Array) -> Array:
    """A wrench in the axes R about the point p, turned to world axes and moved to the world's origin."""
    return np.concatenate([R @ force, R @ moment + np.cross(p, R @ force)])


@pytest.mark.parametrize(
    ("name", "model"), [("panda", pin.buildModelFromXML(panda_urdf())), ("ur5", pinocchio_ur5())], ids=["panda", "ur5"]
)
def test_reactions_of_all_joints(name: str, model: Any) -> None:
    """These see what no torque sees: the CoM of link 1 along its axis, tensors about other axes."""
    robot, data = load(name), model.createData()
    for q, qd, qdd in zip(*states(robot.n), strict=True):
        pin.forwardKinematics(model, data, q)
        frames = [(place.rotation, place.translation) for place in data.oMi]
        pin.rnea(model, data, q, qd, qdd)
        theirs = [in_world(*frame, f.linear, f.angular) for frame, f in zip(frames, data.f, strict=True)]
        found, at = robot.reactions(q, qd, qdd), robot.link_motions(q).point_position
        ours = [
            in_world(robot.forward_kinematics(q, link.name)[:3, :3], at[i], found.force[i], found.moment[i])
            for i, link in enumerate(robot.links)
        ]
        error = np.abs(np.array(ours) - theirs[1:]).max() / np.linalg.norm(theirs[1])
        assert error <= TOLERANCE


@pytest.mark.parametrize("name", ["stanford", "ur5", "panda"])
def test_a_changed_mass_is_noticed(name: str) -> None:
    """The comparisons above can fail: one gram on the last link shows."""
    motion = states(load(name).n)
    robot = load(name)
    heavier: Robot = robot.with_payload(0.001)
    with pytest.raises(AssertionError):
        close(heavier.inverse_dynamics(*motion), robot.inverse_dynamics(*motion))
