"""The torques of states as a result: they agree with the verbs, whatever else is asked for."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from dynamis import Force, Moment, state_torques


@pytest.mark.parametrize("batch", [(), (3,), (2, 2)])
def test_it_holds_what_the_verbs_compute(batch: tuple[int, ...]) -> None:
    robot = dynamis.load("puma560")
    q, qd = np.random.default_rng(1).uniform(-1, 1, (2, *batch, 6))
    loads = [Force(robot.links[-1].name, (0, 0, -10))]
    found = state_torques(
        robot, q, qd, loads=loads, reactions="parent_tip", recursion=True, compare_gravity=True, gravity=False
    )
    np.testing.assert_allclose(found.tau, robot.inverse_dynamics(q, qd, loads=loads), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found.tau, robot.reactions(q, qd, loads=loads, convention="parent_tip").tau)
    np.testing.assert_array_equal(
        state_torques(robot, q, qd, loads=loads, recursion=True).tau, robot.inverse_dynamics(q, qd, loads=loads)
    )
    assert found.qdd.shape == (*batch, 6)
    assert found.reactions is not None
    assert found.recursion is not None
    assert found.without_gravity is not None
    np.testing.assert_allclose(found.recursion.tau, found.tau)
    without = robot.inverse_dynamics(q, qd, loads=loads, gravity=False)
    np.testing.assert_allclose(found.without_gravity.tau, without, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.as_dict()["tau_of_gravity"], robot.gravity_torque(q), atol=1e-12)
    assert str(found).count("reactions without gravity") == max(1, int(np.prod(batch)))


def test_nothing_more_is_computed_than_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Torques alone take inverse dynamics alone, reactions bring their torques, and printing computes nothing."""
    robot = dynamis.load("bar-2r")
    names: list[str] = []
    run = dynamis.Robot._run

    def counted(self: dynamis.Robot, name: str, *rest: object, **more: object) -> object:
        names.append(name)
        return run(self, name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(dynamis.Robot, "_run", counted)
    found = state_torques(robot, [[0.1, 0.2], [0.3, 0.4]])
    assert names == ["inverse_dynamics"]
    found = state_torques(robot, [[0.1, 0.2], [0.3, 0.4]], reactions="joint", recursion=True)
    assert names == ["inverse_dynamics", "reactions", "recursion"]
    assert found.to_json()
    assert str(found)
    assert len(names) == 3


def test_joints_beyond_their_limits_are_named() -> None:
    ur5 = dynamis.load("ur5")
    assert state_torques(ur5, np.zeros(6)).beyond_limits() == []
    (sentence,) = state_torques(ur5, [7, 0, 0, 0, 0, 0]).beyond_limits()
    assert sentence.startswith(f"joint 1 ({ur5.joints[0].name}) at 7 is beyond its limits")


def test_numbers_are_those_of_coordinates() -> None:
    """The second coordinate of q1, q2 = 2 q1 and q3 is q3: a coupled joint has no number."""
    limits = dynamis.Limits(lower=-1, upper=1)
    joints = (
        dynamis.Joint("q1"),
        dynamis.Joint("q2", coupling={"q1": 2}, limits=limits),
        dynamis.Joint("q3", limits=limits),
    )
    links = [dynamis.Link(f"link{k}", joint, f"link{k - 1}" if k else "base", 1) for k, joint in enumerate(joints)]
    robot = dynamis.Robot("arm", tuple(links))
    coupled, free = state_torques(robot, [0.6, 2.0]).beyond_limits()
    assert coupled.startswith("coupled joint (q2) at 1.2 is beyond its limits")
    assert free.startswith("joint 2 (q3) at 2 is beyond its limits")


def test_what_a_state_is_under_stands_below_its_torques():
    robot, load = dynamis.load("genova-2r"), Moment("link1", (0, 0, 2))
    assert "\nwithout gravity\nload: link=link1 moment=0,0,2 axes=world" in str(
        state_torques(robot, [0.1, 0.2], loads=[load], gravity=False)
    )
    assert "gravity [0, 0, -9.81] m/s²" in str(state_torques(robot, [0.1, 0.2], gravity=[0, 0, -9.81]))
    assert "gravity" not in str(state_torques(robot, [0.1, 0.2]))
