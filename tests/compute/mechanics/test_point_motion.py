"""The motion of a frame is the derivative of its position."""

import numpy as np
import pytest

import dynamis


@pytest.mark.parametrize("name", ["puma560", "stanford", "panda"])
def test_velocity_and_acceleration_are_derivatives(name: str):
    robot = dynamis.load(name).with_tool("Tx(0.1) Ry(0.2) Tz(0.3)")
    rng = np.random.default_rng(5)
    q, qd, qdd = rng.normal(size=(3, robot.n))
    h = 1e-3

    def path(t: float) -> np.ndarray:
        return q + qd * t + qdd * t * t / 2

    # Central differences of eighth order along q(t): their error is far below 1e-9 here.
    times = h * np.arange(-4, 5)
    positions = robot.frame_motion([path(t) for t in times]).position
    first = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280]) / h
    second = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560]) / h**2
    found = robot.frame_motion(q, qd, qdd)
    np.testing.assert_allclose(found.velocity, first @ positions, atol=1e-10)
    np.testing.assert_allclose(found.acceleration, second @ positions, atol=1e-7)
    J = robot.jacobian(q)
    np.testing.assert_allclose(np.concatenate([found.velocity, found.w]), J @ qd, atol=1e-12)
    np.testing.assert_allclose(found.position, robot.forward_kinematics(q)[:3, 3], atol=1e-14)


def test_link_transforms_in_craigs_form():
    """T01, T12 and T2tool of the bar arm, as the Xu project writes them."""
    arm, (a, b) = dynamis.load("bar-2r"), (0.3, 0.5)

    def craig(angle: float, offset: float) -> np.ndarray:
        c, s = np.cos(angle), np.sin(angle)
        return np.array([[c, -s, 0, offset], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])

    names = [link.name for link in arm.links]
    np.testing.assert_allclose(arm.forward_kinematics([a, b], names[0]), craig(a, 0), atol=1e-15)
    np.testing.assert_allclose(arm.forward_kinematics([a, b], names[1], names[0]), craig(b, 0.5), atol=1e-15)
    np.testing.assert_allclose(arm.forward_kinematics([a, b], "tool", names[1]), craig(0, 0.5), atol=1e-15)


def test_a_frame_on_the_base_stands_still():
    robot = dynamis.load("ur5")
    found = robot.frame_motion(np.ones(6), np.ones(6), np.ones(6), frame=robot.base)
    assert not np.any([found.position, found.velocity, found.acceleration, found.w, found.wd])
