"""Loads that change along a motion: at every sample the budget is that of the load at that time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from numpy.typing import NDArray

import dynamis
from dynamis import DynamisError, Force, Moment, ToolWrench
from dynamis.controllers import LoadOverTime
from dynamis.files import load_task
from dynamis.scalars.floats import number
from dynamis.trajectories import quintic
from tests.support.strategies import Case, robots

PUMA = dynamis.load("puma560")
MOVING = quintic(np.zeros(6), np.linspace(0.2, 0.8, 6), 1.0)
TABLE = [0.0, 0.33, 1.0], [[0, 0, 0], [0, 3, 3], [0, 0, -3]]


def wrench(t: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([np.sin(t), np.cos(t), t, 0 * t, t, -t], axis=1) * 10


def test_every_sample_is_that_of_its_load() -> None:
    """Against inverse dynamics, components, shares and reactions under the constant load of that instant."""
    still = Force("link3", (0, 0, -5), point=(0.1, 0, 0))
    loads = [
        still,
        LoadOverTime(ToolWrench("exerted_by_tool"), wrench),
        LoadOverTime(Moment("link2", (9, 9, 9)), TABLE),
    ]
    budget = dynamis.torque_budget(PUMA, MOVING, loads=loads, samples=51, gravity=(0.5, 0, -9))
    h = budget.history
    assert 0.33 in h.t
    for k, t in enumerate(h.t):
        w = wrench(np.array([t]))[0]
        moment = [float(np.interp(t, TABLE[0], column)) for column in np.array(TABLE[1]).T]
        now = [still, ToolWrench("exerted_by_tool", force=w[:3], moment=w[3:]), Moment("link2", moment)]  # type: ignore[arg-type]
        state: dict[str, Any] = {"loads": now, "gravity": (0.5, 0, -9)}
        motion = h.q[k], h.qd[k], h.qdd[k]
        np.testing.assert_array_equal(h.tau[k], PUMA.inverse_dynamics(*motion, **state))
        assert h.parts is not None
        assert h.bearings is not None
        np.testing.assert_array_equal(h.parts[k], PUMA.torque_components(*motion, **state).parts)
        np.testing.assert_array_equal(h.bearings[k], PUMA.bearing_loads(*motion, **state))
    assert budget.residual < 1e-14
    assert budget.causes.names[-3:] == ("load 1 (force on link3)", "load 2 (tool wrench)", "load 3 (moment on link2)")
    assert budget.loads == (
        "load 1 (force on link3): force [0, 0, -5] N on link3 at [0.1, 0, 0] m in its frame, in world axes",
        "load 2 (tool wrench): force over time [N] and moment over time [N m] at the tool (the frame of link6), "
        "in world axes, exerted by the tool",
        "load 3 (moment on link2): moment over time [N m] on link2, in world axes",
    )
    np.testing.assert_allclose(budget.causes.of_peak.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(budget.causes.of_rms.sum(axis=1), 1, rtol=1e-12)


@settings(max_examples=15)
@given(robots(friction=True, loads=True, joints=(1, 5)))
def test_a_load_that_does_not_change_is_the_constant_one(case: Case) -> None:
    assume(case.moving)
    assume(case.loads)
    robot = case.robot()
    t = np.linspace(0, 1, 7)
    motion = t, case.q + t[:, None] * case.qd, np.tile(case.qd, (7, 1)), np.tile(case.qdd, (7, 1))
    constant = dynamis.torque_budget(robot, motion, loads=case.loads)
    values = robot.values

    def course(load: Any) -> LoadOverTime:
        entries = [*load.force, *load.moment] if isinstance(load, ToolWrench) else load.vector
        row = [float(number(x, values) or 0) for x in entries]
        return LoadOverTime(load, lambda t: np.tile(row, (len(t), 1)))

    changing = dynamis.torque_budget(robot, motion, loads=[course(load) for load in case.loads])
    np.testing.assert_array_equal(constant.history.tau, changing.history.tau)
    np.testing.assert_array_equal(constant.bearings, changing.bearings)


def test_long_motions_over_threads() -> None:
    loads = [LoadOverTime(ToolWrench("exerted_by_environment"), wrench)]
    one, many = (dynamis.torque_budget(PUMA, MOVING, loads=loads, samples=40_000, threads=k) for k in (1, 3))
    np.testing.assert_array_equal(one.history.tau, many.history.tau)
    few = dynamis.torque_budget(PUMA, MOVING, loads=loads, times=one.history.t[[0, 17_000, 39_999]])
    np.testing.assert_array_equal(few.history.tau, one.history.tau[[0, 17_000, 39_999]])


def test_values_at_the_samples() -> None:
    t = np.linspace(0, 1, 5)
    zero = np.zeros((5, 6))
    values = np.outer(t, [0, 0, -10])
    budget = dynamis.torque_budget(PUMA, (t, zero, zero, zero), loads=[LoadOverTime(Force("link3", (0, 0, 0)), values)])
    applied = budget.part("applied")
    np.testing.assert_allclose(applied, np.outer(t, applied[-1]), atol=1e-12)
    assert np.abs(applied[-1]).max() > 0


FORCE = Force("link3", (0, 0, 0))
WRONG: list[tuple[Any, str]] = [
    (lambda: LoadOverTime(3, TABLE), "load must be a Force, a Moment or a ToolWrench, got 3"),  # type: ignore[arg-type]
    (lambda: LoadOverTime(FORCE, ([0, 1], [[0, 0, 0]])), "have shape (1, 3); 2 times of a Force make (2, 3)"),
    (lambda: LoadOverTime(FORCE, ([1, 0], [[0, 0, 0]] * 2)), "a list of finite times [s] that do not decrease"),
    (lambda: LoadOverTime(FORCE, ("a", [[0, 0, 0]] * 2)), "a list of finite times [s] that do not decrease"),
    (lambda: LoadOverTime(FORCE, ([0], [[0, 0, np.nan]])), "the values of a load over time are not all finite"),
    (lambda: LoadOverTime(FORCE, ([0], [[0]], 3)), "a load over time must be (times, values), got 3 lists"),
    (lambda: LoadOverTime(FORCE, wrench), "have shape (11, 6); 11 times of a Force make (11, 3)"),
    (lambda: LoadOverTime(FORCE, lambda t: None), "have shape (0,); 11 times of a Force make (11, 3)"),
    (lambda: LoadOverTime(Force("arm", (0, 0, 0)), TABLE), '"arm"'),
]


@pytest.mark.parametrize(("make", "sentence"), WRONG, ids=[sentence[:40] for _, sentence in WRONG])
def test_what_is_refused(make: Any, sentence: str) -> None:
    with pytest.raises(DynamisError) as caught:
        dynamis.torque_budget(PUMA, MOVING, loads=[make()], times=np.linspace(0, 1, 11))
    assert sentence in str(caught.value)


def test_one_load_is_no_list() -> None:
    load = LoadOverTime(FORCE, TABLE)
    with pytest.raises(DynamisError, match="loads must be a list of loads, got one load"):
        dynamis.torque_budget(PUMA, MOVING, loads=load)  # type: ignore[arg-type]
    with pytest.raises(DynamisError, match="tool is a load"):
        dynamis.torque_budget(PUMA, MOVING, tool=load)  # type: ignore[arg-type]


HEAD = '[motion]\nkind = "quintic"\nstart = [0, 0]\ngoal = [1, 1]\nduration = 1\n\n[[load]]\n'


def written(tmp_path: Path, load: str) -> Path:
    path = tmp_path / "task.toml"
    path.write_text(HEAD + load, "utf-8")
    return path


def test_task_files(tmp_path: Path) -> None:
    arm = dynamis.load("bar-2r")
    text = 'tool = true\ndirection = "exerted_by_environment"\ntimes = [0, 0.5, 1]\n'
    text += 'force = [[0, 0, 0], [0, "-2*5", 0], [0, -10, 0]]\nmoment = [0, 0, 1]\n'
    budget = load_task(written(tmp_path, text), arm).budget()
    wanted = LoadOverTime(
        ToolWrench("exerted_by_environment"),
        ([0, 0.5, 1], [[0, 0, 0, 0, 0, 1], [0, -10, 0, 0, 0, 1], [0, -10, 0, 0, 0, 1]]),
    )
    same = dynamis.torque_budget(arm, quintic([0, 0], [1, 1], 1), loads=[wanted])
    np.testing.assert_array_equal(budget.history.tau, same.history.tau)
    both = 'link = "link2"\ntimes = [0, 1]\nforce = [[0, 0, 0], [0, 1, 0]]\nmoment = [[0, 0, 1], [0, 0, 0]]\n'
    task = load_task(written(tmp_path, both), arm)
    assert [type(load) for load in task.loads] == [LoadOverTime, LoadOverTime]
    assert task.budget().loads == (
        "load 1 (force on link2): force over time [N] on link2 at the origin of its frame, in world axes",
        "load 2 (moment on link2): moment over time [N m] on link2, in world axes",
    )


FILES = {
    'link = "link2"\ntimes = [0, 1]\nforce = [[0, 0, 0]]\n': "force must be one vector [x, y, z] for each of the 2",
    'link = "link2"\ntimes = [1, 0]\nforce = [0, 0, 0]\n': "times of a load must be a list of up to",
    'link = "link2"\ntimes = []\nforce = [0, 0, 0]\n': "times of a load must be a list of up to",
    'link = "link2"\ntimes = 3\nforce = [0, 0, 0]\n': "times must be a list in square brackets, got 3",
    'link = "link2"\ntimes = [0, 1]\n': "has neither force nor moment",
    'link = "link2"\ntimes = [0, "a"]\nforce = [0, 0, 0]\n': "a is a name",
    'link = "link2"\ntimes = [0, 1]\nforce = [[0, 0, 0], 3]\n': "force must be one vector",
    'link = "link9"\ntimes = [0, 1]\nforce = [0, 0, 1]\n': "link9",
    'link = "link2"\ntimes = [0, 1]\nforce = [0, 0, 1]\nspeed = 3\n': "speed",
}


@pytest.mark.parametrize("text", FILES)
def test_faults_of_files(text: str, tmp_path: Path) -> None:
    with pytest.raises(DynamisError) as caught:
        load_task(written(tmp_path, text), dynamis.load("bar-2r"))
    assert FILES[text] in str(caught.value)
    assert "task.toml:" in str(caught.value)
