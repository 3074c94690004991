"""The ten runs of the Genova report: every printed number, and all of them to full precision."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dynamis import Inertia, Robot, load
from dynamis.library import exercises, read
from dynamis.model.formats.robot_file.joint_table import Exercise
from tests.support.documents import CASES, agree, named, two_decimals

RUNS = [name.removeprefix("genova-") for name in named("genova-")]
SHIPPED = {"2": "genova-2r", "3": "genova-rp", "4": "genova-3r"}
MOTIONS = {
    "P_abs": "point_position",
    "C_abs": "com_position",
    "w": "w",
    "wdot": "wd",
    "v_P": "point_velocity",
    "vdot_P": "point_acceleration",
    "v_C": "com_velocity",
    "vdot_C": "com_acceleration",
}


def exercise(run: str) -> Exercise:
    found = read(f"exercise-{run}")
    assert isinstance(found, Exercise)
    return found


def shipped(run: str) -> Robot:
    """The library's robot with the values of the exercise."""
    given = CASES[f"genova-{run}"]["inputs"]
    robot = load(SHIPPED[run[0]])
    values = {f"l{i}": length for i, length in enumerate(given["l"], 1)}
    values |= {f"m{i}": mass for i, mass in enumerate(given["m"], 1)}
    values |= {f"I{i}": tensor[2][2] for i, tensor in enumerate(given["I"], 1)}
    return robot.with_values({name: value for name, value in values.items() if name in robot.parameters})


ROBOTS = [(run, kind) for run in RUNS for kind in ("joint table", "library")]


def robot_of(run: str, kind: str) -> Robot:
    return load(f"exercise-{run}") if kind == "joint table" else shipped(run)


def state(run: str) -> dict[str, Any]:
    found = exercise(run)
    return {"q": found.q, "qd": found.qd, "qdd": found.qdd}


def test_all_ten_runs_ship() -> None:
    assert sorted(exercises()) == sorted(f"exercise-{run}" for run in RUNS)
    assert len(RUNS) == 10


@pytest.mark.parametrize("run", RUNS)
def test_the_file_says_what_the_report_says(run: str) -> None:
    found, case = exercise(run), CASES[f"genova-{run}"]
    given = case["inputs"]
    assert found.q == [row[0] for row in given["q"]]
    assert (found.qd, found.qdd, found.gravity) == (given["qd"], given["qdd"], bool(given["g_flag"]))
    assert found.printed_tau == case["expected"]["tau"]
    assert found.printed_reactions == case["expected"]["vr"]
    assert found.loads == ()


@pytest.mark.parametrize(("run", "kind"), ROBOTS)
def test_printed_numbers(run: str, kind: str) -> None:
    printed, gravity = CASES[f"genova-{run}"]["expected"], exercise(run).gravity
    found = robot_of(run, kind).reactions(**state(run), gravity=gravity, convention="parent_tip")
    assert two_decimals(found.tau) == two_decimals(printed["tau"])
    assert two_decimals(found.wrench) == two_decimals(printed["vr"])


@pytest.mark.parametrize(("run", "kind"), ROBOTS)
def test_full_precision(run: str, kind: str) -> None:
    full, gravity = CASES[f"genova-{run}"]["full"], exercise(run).gravity
    robot = robot_of(run, kind)
    found = robot.reactions(**state(run), gravity=gravity, convention="parent_tip")
    agree(found.tau, full["tau"])
    agree(robot.inverse_dynamics(**state(run), gravity=gravity), full["tau"])
    agree(found.wrench, full["vr"])


@pytest.mark.parametrize(("run", "kind"), ROBOTS)
def test_reactions_about_the_moving_joint_point(run: str, kind: str) -> None:
    """In the convention "joint" the drive's component is in the wrench: it is tau, and the rest is the report's."""
    full, gravity = CASES[f"genova-{run}"]["full"], exercise(run).gravity
    robot = robot_of(run, kind)
    found = robot.reactions(**state(run), gravity=gravity, convention="joint")
    rest = found.wrench.copy()
    for i, joint in enumerate(robot.joints):
        drive = 5 if joint.revolute else 2
        agree(rest[i, drive], full["tau"][i])
        rest[i, drive] = 0
    agree(rest, full["vr_moment_about_moving_P"])


@pytest.mark.parametrize(("run", "kind"), ROBOTS)
def test_forward_recursion(run: str, kind: str) -> None:
    found = robot_of(run, kind).link_motions(**state(run))
    forward = CASES[f"genova-{run}"]["full"]["forward"]
    for theirs, ours in MOTIONS.items():
        agree(getattr(found, ours), [link[theirs] for link in forward])


@pytest.mark.parametrize("run", [run for run in RUNS if run.endswith("-gravity")])
def test_gravity_torque_does_not_depend_on_the_motion(run: str) -> None:
    still, moving = CASES[f"genova-{run.removesuffix('-gravity')}"]["full"], CASES[f"genova-{run}"]["full"]
    gravity_torque = load(f"exercise-{run}").inverse_dynamics(state(run)["q"])
    agree(gravity_torque, np.subtract(moving["tau"], still["tau"]))


@pytest.mark.parametrize(("gravity", "tau"), [(False, [5.1128, 1.3712, 0.1532]), (True, [5.1128, 104.1832, 6.7745])])
def test_3r_arm_that_turns_about_its_own_axis(gravity: bool, tau: list[float]) -> None:
    found = load("genova-3r").with_values(a2=0).inverse_dynamics(**state("4.1"), gravity=gravity)
    agree(found.round(4), tau)


@pytest.mark.parametrize(("gravity", "tau"), [(False, [1.2186, 0.0139]), (True, [113.6828, 20.1452])])
def test_rp_arm_that_is_planar(gravity: bool, tau: list[float]) -> None:
    robot = load("genova-rp")
    first, second = robot.links
    planar = replace(second, com=(second.com[1], second.com[2], second.com[0]), inertia=Inertia.of(xx=0.3, zz=0.3))
    found = replace(robot, links=(first, planar)).reactions(**state("3.1"), gravity=gravity)
    agree(found.tau.round(4), tau)
    # In the plane: no force along z of the base, which is -x of link 2, and no moment about its y and z.
    agree(found.wrench[1][[0, 4, 5]], [0, 0, 0])
