"""What a torque budget says of the motion itself: limits that it passes, how it was made, and how it is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.base.errors import ArgumentError, DynamisError
from dynamis.files import load_task, tasks
from dynamis.trajectories import cubic, quintic, septic, shortest_time, tool_line
from tests.support.coupled_robots import LEVEL_HAND
from tests.support.documents import agree

READY = np.array([0.1, 0.2, 0.3, -1.4, 0.5, 1.6, 0.7])


def test_positions_beyond_the_joints_stops_are_told() -> None:
    panda = dynamis.load("panda")
    there = READY + np.array([0, 0, 0, 1.6, 0, -1.7, 0])
    budget = dynamis.torque_budget(panda, quintic(READY, there, 20))
    agree(budget.sizing.highest, np.maximum(READY, there), 1e-12)
    agree(budget.sizing.lowest, np.minimum(READY, there), 1e-12)
    beyond = [(joint, limit) for joint, limit, _, _ in budget.sizing.beyond]
    assert beyond == [(4, "upper position"), (6, "lower position")]
    assert "note: joint 4 goes to 0.2 rad; its upper position limit is -0.0698 rad" in budget.table("sizing")
    assert budget.as_dict()["sizing"]["upper"][3] == -0.0698


def test_a_motion_up_to_a_stop_is_within_it() -> None:
    panda = dynamis.load("panda")
    there = READY.copy()
    there[3] = -0.0698
    assert dynamis.torque_budget(panda, septic(READY, there, 20)).sizing.beyond == []


def test_a_joint_that_follows_several_coordinates_has_limits_too() -> None:
    motion = quintic([0.0, 0.0], [0.5, 0.5], 1)
    sizing = dynamis.torque_budget(LEVEL_HAND, motion).sizing
    assert [row[:2] for row in sizing.beyond] == [("level", "velocity"), ("level", "lower position")]
    assert sizing.beyond[1][2:] == pytest.approx((-1.0, -0.8))
    assert sizing.mixed.joints == ("level",)
    text = dynamis.torque_budget(LEVEL_HAND, motion).table("sizing")
    assert "note: joint level goes to -1 rad; its lower position limit is -0.8 rad" in text
    assert "note: joint level needs 1.875 rad/s; its velocity limit is 1 rad/s" in text
    assert dynamis.torque_budget(LEVEL_HAND, quintic([0.0, 0.0], [0.5, -0.5], 1)).sizing.beyond == []


def test_notes_have_units() -> None:
    text = dynamis.torque_budget(dynamis.load("panda"), quintic(READY, READY + 0.9, 0.3)).table("sizing")
    assert "note: joint 1 needs 135.829 N m; its effort limit is 87 N m" in text
    assert "note: joint 1 needs 5.625 rad/s; its velocity limit is 2.175 rad/s" in text


@pytest.mark.parametrize("name", tasks())
def test_shipped_tasks_stay_within_the_limits_of_their_robots(name: str) -> None:
    own = {
        "two-bar-reach": "bar-2r",
        "puma-lift": "puma560",
        "panda-line": "panda",
        "niryo-lift": "niryo-one-estimated",
    }
    robot = own[name]
    assert load_task(name, dynamis.load(robot)).budget().sizing.beyond == []


def test_the_lift_lifts() -> None:
    position, _, _ = load_task("puma-lift", dynamis.load("puma560")).budget().tool_motion()
    assert position[-1, 2] > position[0, 2] + 0.3


def test_the_differentiation_of_samples_is_said(tmp_path: Path) -> None:
    t = np.linspace(0, 1, 21)
    np.savetxt(tmp_path / "q.csv", np.c_[t, np.sin(t), t], delimiter=",", header="t,q1,q2", comments="")
    (tmp_path / "task.toml").write_text('[motion]\nkind = "samples"\nfile = "q.csv"\n', "utf-8")
    budget = load_task(tmp_path / "task.toml", dynamis.load("bar-2r")).budget()
    assert budget.motion == (
        "q is sampled: qd and qdd are the exact derivatives of the cubic spline through the samples",
    )
    assert str(budget).splitlines()[2] == budget.motion[0]
    assert budget.as_dict()["motion"] == list(budget.motion)


def test_the_limits_that_hold_a_motion_back_are_said() -> None:
    arm = dynamis.load("bar-2r")
    fast = shortest_time(arm, [[0, 0], [1, -1], [2, 0]], velocity=5, acceleration=50, effort=[20, 8])
    budget = dynamis.torque_budget(arm, fast)
    assert len(budget.motion) == len(fast.phases())
    assert budget.motion[0].startswith("0.000 .. ")
    assert all(phase.limit in line for phase, line in zip(fast.phases(), budget.motion, strict=True))
    assert any("held back by the torque of joint 1" in line for line in str(budget).splitlines())


def test_many_phases_are_not_all_said(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = dynamis.load("bar-2r")
    fast = shortest_time(arm, [[0, 0], [1, -1], [2, 0]], velocity=5, acceleration=50, effort=[20, 8])
    monkeypatch.setattr("dynamis.motion.shortest_time.shortest_time.LISTED_PHASES", 2)
    more = len(fast.phases()) - 2
    assert fast.sentences()[2:] == [f"... and {more} more: see phases() of the motion"]


def test_the_tools_distance_from_its_way_is_said() -> None:
    panda = dynamis.load("panda")
    goal = panda.forward_kinematics(READY)[:3, 3] + [0.1, 0.0, -0.1]
    line = tool_line(panda, READY, goal, 2.0)
    (sentence,) = dynamis.torque_budget(panda, line).motion
    assert sentence.startswith("tool on a line of 0.141421 m, never more than ")
    assert sentence.endswith(" rad off it")
    (free,) = tool_line(panda, READY, goal, 2.0, orientation=False).sentences()
    assert "rad" not in free


def test_a_motion_of_ones_own_need_not_speak() -> None:
    t = np.linspace(0, 1, 11)[:, None] * [1.0, 1.0]
    budget = dynamis.torque_budget(dynamis.load("bar-2r"), (t[:, 0], t, 0 * t + 1, 0 * t))
    assert budget.motion == ()


def test_shown_in_one_line() -> None:
    arm = dynamis.load("bar-2r")
    swing = cubic([0, 0], [1, 1], 2)
    fast = shortest_time(arm, [[0, 0], [1, 1]], velocity=1, acceleration=5)
    assert repr(swing) == "<JointTrajectory cubic: 2 joints, 2 s>"
    assert repr(dynamis.torque_budget(arm, swing)) == "<TorqueBudget of bar-2r: 2 joints, 2 s in 1001 samples>"
    assert repr(fast).startswith("<ShortestTime: 2 joints, ")
    line = tool_line(arm, [0.3, 0.8], [0.2, 0.7, 0], 2)
    assert repr(line) == f"<ToolTrajectory tool on a line: 2 joints, {line.length:g} m in 2 s>"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ((0,), "joint must be an integer from 1 to 2, got 0"),
        ((3,), "joint must be an integer from 1 to 2, got 3"),
        ((-1,), "joint must be an integer from 1 to 2, got -1"),
        ((True,), "joint must be an integer from 1 to 2, got true"),
        ((1, 5, "mean"), 'unknown torque "mean"'),
    ],
)
def test_shares_of_joints_that_are_not_there(given: tuple[Any, ...], sentence: str) -> None:
    budget = dynamis.torque_budget(dynamis.load("bar-2r"), cubic([0, 0], [1, 1], 2))
    with pytest.raises(DynamisError) as error:
        budget.causes.largest(*given)
    assert sentence in str(error.value)


def test_one_joint_is_one() -> None:
    with pytest.raises(ArgumentError, match='the motion has 1 joint; robot "bar-2r" has 2'):
        dynamis.torque_budget(dynamis.load("bar-2r"), cubic([0], [1], 2))
