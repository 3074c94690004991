"""Task files: what they say, and what is wrong with them, with file and line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis import DynamisError, Limits
from dynamis.compute.mechanics.coupling import mixed_joints
from dynamis.files import load_task, tasks
from dynamis.model.formats.tasks.motion_file import OPTIONS
from dynamis.model.joint_limits import joint_limits
from dynamis.motion.tasks import task as tasks_module
from dynamis.trajectories import shortest_time, spherical_wrist_inverse_kinematics, tool_arc, tool_line
from tests.support.coupled_robots import LEVEL_HAND
from tests.support.documents import CASES, agree

EXAMPLES = Path(tasks_module.__file__).parent
TASK = CASES["xu-trajectory"]
REACH = (EXAMPLES / "two-bar-reach.toml").read_text("utf-8")


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "task.toml"
    path.write_text(text, "utf-8")
    return path


def test_the_shipped_task_is_that_of_the_report() -> None:
    task = load_task(EXAMPLES / "two-bar-reach.toml", dynamis.load("bar-2r"))
    agree(task.points[0], TASK["expected"]["q_start"], 1e-9)
    agree(task.points[-1], TASK["expected"]["q_goal"], 1e-9)
    blends = TASK["expected"]["blend_times"]
    agree(task.trajectory.breaks, sorted([0, 4, *blends, *(4 - t for t in blends)]), 1e-9)
    budget = task.budget()
    agree(budget.history.tau[-1], TASK["expected"]["samples"][-1]["total"], 1e-9)
    agree(budget.history.ratio[0], TASK["expected"]["samples"][0]["ratio"], 1e-9)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_examples(path: Path) -> None:
    command = next(line for line in path.read_text("utf-8").splitlines() if "dynamis motion" in line)
    robot, task = command.split()[3:5]
    assert task == path.stem
    budget = load_task(task, dynamis.load(robot)).budget()
    assert budget.residual < 1e-12


def test_shipped_tasks_have_names(tmp_path: Path) -> None:
    from dynamis.cli.commands.motion import SHIPPED

    assert tasks() == sorted(path.stem for path in EXAMPLES.glob("*.toml"))
    assert all(name in SHIPPED for name in tasks())
    arm = dynamis.load("bar-2r")
    with pytest.raises(DynamisError, match='unknown task "two-bar-reech"; did you mean "two-bar-reach"'):
        load_task("two-bar-reech", arm)
    with pytest.raises(DynamisError, match=r'two-bar-reach.toml: no such file; did you mean the shipped task "two-bar'):
        load_task("two-bar-reach.toml", arm)
    with pytest.raises(DynamisError, match="no such file"):
        load_task(tmp_path / "x.toml", arm)
    own = tmp_path / "task"
    own.write_text(REACH, "utf-8")
    assert load_task(own, arm).trajectory.duration == 4


KINDS = {
    "cubic": "duration = 1",
    "quintic": "duration = 1",
    "septic": "duration = 1",
    "parabolic-blends": "duration = 1\nacceleration = 10",
    "trapezoidal": "velocity = 1\nacceleration = [1, 2]\nsynchronised = false",
    "double-s": "velocity = 1\nacceleration = 2\njerk = 50",
    "spline": "times = [0, 1, 2]\nvia = [[0.2, 0.3]]",
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str, tmp_path: Path) -> None:
    text = f'[motion]\nkind = "{kind}"\nstart = [0, 0]\ngoal = [0.5, "pi/4"]\n{KINDS[kind]}\n'
    task = load_task(written(tmp_path, text), dynamis.load("bar-2r"))
    q = task.trajectory.at([0.0, task.trajectory.duration])[0]
    np.testing.assert_allclose(q, [[0, 0], [0.5, np.pi / 4]], atol=1e-12)


TOOL = {
    "tool-line": "goal = { tool = [0.3, 0.3, 0.2] }\nspeed = 0.2\nacceleration = 1\n",
    "tool-arc": "via = [{ tool = [0.4, 0.3, 0.3] }]\ngoal = { tool = [0.3, 0.35, 0.3] }\nduration = 2\n",
    "shortest-time": "goal = [0.5, 0.2, 0, 0, 0.3, 0]\nvelocity = 1\nacceleration = 3\n"
    "effort = [90, 120, 60, 9, 9, 9]\n",
}


@pytest.mark.parametrize("kind", TOOL)
def test_ways_of_the_tool_and_shortest_times(kind: str, tmp_path: Path) -> None:
    puma = dynamis.load("puma560")
    text = f'[motion]\nkind = "{kind}"\nstart = {{ pose = "Tx(0.4) Ty(0.1) Tz(0.3) Ry(2)" }}\n{TOOL[kind]}'
    budget = load_task(written(tmp_path, text), puma).budget()
    assert budget.history.position is not None
    np.testing.assert_allclose(budget.history.position[0], [0.4, 0.1, 0.3], atol=1e-7)
    assert budget.residual < 1e-12
    if kind == "shortest-time":
        assert (np.abs(budget.sizing.peak_torque) <= np.array([90, 120, 60, 9, 9, 9]) * (1 + 1e-9)).all()
        assert budget.sizing.peak_speed.max() <= 1 + 1e-9


def test_degrees_are_those_of_turning_joints(tmp_path: Path) -> None:
    text = '[motion]\nkind = "trapezoidal"\ndegrees = true\nstart = [0, 0]\ngoal = [90, 0.5]\nvelocity = [90, 1]\n'
    task = load_task(written(tmp_path, text + "acceleration = [900, 10]\n"), dynamis.load("genova-rp"))
    np.testing.assert_allclose(task.points[1], [np.pi / 2, 0.5])
    assert task.trajectory.peaks().velocity[0] == pytest.approx(np.pi / 2)


def test_samples_beside_the_task(tmp_path: Path) -> None:
    rows = ["t,q1,q2", *(f"{t},{t * t},{1 - t}" for t in np.linspace(0, 1, 11))]
    (tmp_path / "recorded.csv").write_text("\n".join(rows), "utf-8")
    text = '[motion]\nkind = "samples"\nfile = "recorded.csv"\n'
    task = load_task(written(tmp_path, text), dynamis.load("bar-2r"))
    assert task.budget().history.q[-1] == pytest.approx([1, 0])


def test_poses_and_numerical_inverse_kinematics(tmp_path: Path) -> None:
    puma = dynamis.load("puma560")
    text = (
        '[motion]\nkind = "quintic"\nduration = 1\nstart = { pose = "Tx(0.4) Ty(0.1) Tz(0.3) Ry(2)" }\n'
        "goal = { tool = [0.3, 0.3, 0.2] }\n"
    )
    task = load_task(written(tmp_path, text), puma)
    np.testing.assert_allclose(puma.forward_kinematics(task.points[0])[:3, 3], [0.4, 0.1, 0.3], atol=1e-7)
    np.testing.assert_allclose(puma.forward_kinematics(task.points[1])[:3, 3], [0.3, 0.3, 0.2], atol=1e-7)


def test_a_redundant_arm_starts_far_from_its_limits(tmp_path: Path) -> None:
    text = (
        '[motion]\nkind = "tool-line"\nstart = { pose = "Tx(0.4) Tz(0.4) Ry(pi)" }\n'
        'goal = { pose = "Tx(0.5) Ty(0.1) Tz(0.4) Rz(0.3) Ry(pi)" }\nduration = 1\n'
    )
    panda = dynamis.load("panda")
    task = load_task(written(tmp_path, text), panda)
    T = panda.forward_kinematics(task.trajectory.at([0.0, 1.0])[0])
    np.testing.assert_allclose(T[:, :3, 3], [[0.4, 0, 0.4], [0.5, 0.1, 0.4]], atol=1e-7)
    free = load_task(written(tmp_path, text + "orientation = false\n"), panda)
    assert free.trajectory.orientation_error == 0
    assert np.abs(free.trajectory.at(1.0)[0] - task.trajectory.at(1.0)[0]).max() > 1e-3
    with pytest.raises(DynamisError, match="orientation must be true or false, got 3"):
        load_task(written(tmp_path, text + "orientation = 3\n"), panda)


def test_the_middle_of_ranges_that_depend_on_each_other() -> None:
    """A joint that follows two coordinates has a range too: the start is within all of them."""
    *arm, hand = LEVEL_HAND.links
    high = replace(hand, joint=replace(hand.joint, limits=Limits(lower=1, upper=2)))
    robot = dynamis.Robot("high hand", (*arm, high))
    mixed = mixed_joints(robot)
    assert mixed.positions(tasks_module._middle(robot)) == pytest.approx([1.5])
    for name in ("parallelogram", "panda"):  # what coordinates alone ask for is met where nothing contradicts it
        robot = dynamis.load(name)
        limits = joint_limits(robot)
        np.testing.assert_allclose(tasks_module._middle(robot), (limits.lower + limits.upper) / 2, atol=1e-12)


def test_without_a_branch_the_nearest_one_is_taken(tmp_path: Path) -> None:
    puma = dynamis.load("puma560")
    q = np.radians([10.0, 60, -100, 20, 40, -30])
    for start in (q, *spherical_wrist_inverse_kinematics(puma, puma.forward_kinematics(q)).q):
        pose = 'pose = "Tx(0.4) Ty(0.1) Tz(0.3) Ry(pi) Rz(0.3)"'
        text = f'[motion]\nkind = "cubic"\nstart = {start.tolist()}\ngoal = {{ {pose} }}\nduration = 2\n'
        goal = load_task(written(tmp_path, text), puma).points[-1]
        found = spherical_wrist_inverse_kinematics(puma, puma.forward_kinematics(goal))
        others = found.q[found.within_limits]
        assert np.abs(goal - start).max() == pytest.approx(np.abs(others - start).max(axis=1).min())


@pytest.mark.parametrize("way", ["line", "arc"])
def test_the_shortest_time_along_the_way_of_a_tool(way: str, tmp_path: Path) -> None:
    panda = dynamis.load("panda")
    start, via, goal = [0.1, 0.2, 0.3, -1.4, 0.5, 1.6, 0.7], [0.52, 0.3, 0.45], [0.55, 0.4, 0.4]
    text = (
        f'[motion]\nkind = "shortest-time"\nway = "{way}"\nstart = {start}\ngoal = {{ tool = {goal} }}\n'
        f"acceleration = 10\n{f'via = [{{ tool = {via} }}]' if way == 'arc' else ''}\n"
    )
    found = load_task(written(tmp_path, text), panda)
    path = tool_arc(panda, start, via, goal, 1) if way == "arc" else tool_line(panda, start, goal, 1)
    fast = shortest_time(panda, path, acceleration=10)
    assert found.trajectory.duration == pytest.approx(fast.duration, rel=1e-12)
    assert any("held back by the " in line for line in found.budget().motion)
    agree(panda.forward_kinematics(found.points[-1])[:3, 3], goal, 1e-9)
    free = load_task(written(tmp_path, text + "orientation = false\n"), panda)
    assert free.trajectory.duration != pytest.approx(fast.duration, rel=1e-3)


def test_ways_of_a_shortest_time(tmp_path: Path) -> None:
    arm = dynamis.load("bar-2r")
    text = '[motion]\nkind = "shortest-time"\nstart = [0, 0]\ngoal = [1, 1]\nacceleration = 1\nvelocity = 1\n'
    with pytest.raises(DynamisError, match=r'unknown way "circle" \(known: joints, line, arc\)'):
        load_task(written(tmp_path, text + 'way = "circle"\n'), arm)
    with pytest.raises(DynamisError, match='unknown key "orientation"'):
        load_task(written(tmp_path, text + "orientation = false\n"), arm)
    with pytest.raises(DynamisError, match='unknown key "via"'):
        load_task(written(tmp_path, text + 'way = "line"\nvia = [[0.5, 0.5]]\n'), arm)


def test_an_arc_says_how_its_point_is_written(tmp_path: Path) -> None:
    ur5 = dynamis.load("ur5")
    text = (
        '[motion]\nkind = "tool-arc"\nstart = [0.3, -1.2, 1.5, -0.5, 1, 0.2]\nduration = 2\n'
        "goal = { tool = [0.4, -0.1, 0.4] }\nvia = "
    )
    with pytest.raises(
        DynamisError, match=r"via must be a list of points, via = \[\{ tool = \[x, y, z\] \}\], got one point"
    ):
        load_task(written(tmp_path, text + "[0.4, 0, 0.45]\n"), ur5)
    with pytest.raises(DynamisError, match=r"robot \"ur5\" has 6 joints; a position is \{ tool = \[x, y, z\] \}"):
        load_task(written(tmp_path, text + "[[0.4, 0, 0.45]]\n"), ur5)


WRONG = {
    "start = [0, 0, 0]": 'start has 3 values; robot "bar-2r" has 2 joints; a position is { tool = [x, y, z] }',
    "start = 3": "start must be joint values [q1, ...] or { tool = [x, y, z] }, got 3",
    "start = { tool = [2, 0, 0] }": "the target is out of reach by 1 m: the arm reaches 1 m",
    'start = { tool = [0.1, 0, 0], branch = "elbow left" }': 'unknown branch "elbow left"',
    "start = { tool = [0.1, 0] }": "tool has 2 values; a position is [x, y, z] in m",
    "start = { tool = [0.1, 0, 0], q = [0, 0] }": "start has q and tool; it has one of q, tool",
    'start = { q = [0, 0], branch = "elbow up" }': "branch goes with tool or pose",
    'start = ["a", 0]': 'start has "a"; its values must be numbers, and a is a name',
    'start = { pose = "Tx(0.1) Q" }': "a step of a chain is",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_points(line: str, tmp_path: Path) -> None:
    text = REACH.replace('start = { tool = [0.1, 0, 0], branch = "elbow down" }', line)
    number = 1 + next(k for k, x in enumerate(text.splitlines()) if x.startswith("start"))
    with pytest.raises(DynamisError) as error:
        load_task(written(tmp_path, text), dynamis.load("bar-2r"))
    assert WRONG[line] in str(error.value)
    assert error.value.line == number


REPLACED = {
    ('kind = "parabolic-blends"', 'kind = "tool-line"'): "a tool on a way stays on the branch of its start",
    ('kind = "parabolic-blends"', 'kind = "parabolic"'): 'unknown kind "parabolic"; did you mean "parabolic-blends"?',
    ("duration = 4", "duration = 0.5"): "it needs a >= 4 |dq| / T^2",
    ("duration = 4", "duration = 4\nspeed = 3"): 'unknown key "speed" in [motion]',
    ("acceleration = 5", ""): "[motion] has no acceleration; parabolic-blends needs one",
    ("samples = 1001", "samples = 1"): "samples must be an integer from 2 to 10,000,000, got 1",
    ("samples = 1001", "gravity = 3"): "gravity must be true, false or [x, y, z] in m/s^2, got 3",
    ("samples = 1001", 'frame = "hand"'): '"hand"',
    ('direction = "exerted_by_tool"', ""): "has no direction",
    ("[motion]", "[moves]"): "the file has no [motion], which is required",
    ("tool = true", "tool = 1"): "tool must be true or false, got 1",
    ("samples = 1001", "sample = 3"): "(known: efficiency, frame, gravity, load, motion, payload, samples, segment)",
    ("duration = 4", "durations = 4"): "goal, kind, start, synchronised, velocity, via)",
    ("duration = 4", "duration = 4\nvia = { tool = [0.5, 0, 0] }"): (
        "via must be a list of points, via = [[q1, q2, ...], ...], got one point"
    ),
    (
        "duration = 4",
        "duration = 4\nvia = [0.5, 0]",
    ): "via must be a list of points, via = [[q1, q2, ...], ...], got one point",
    ("duration = 4", "duration = 4\nvia = 3"): "via must be a list of points, via = [[q1, q2, ...], ...], got 3",
}


@pytest.mark.parametrize("change", REPLACED)
def test_wrong_tasks(change: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(DynamisError) as error:
        load_task(written(tmp_path, REACH.replace(*change)), dynamis.load("bar-2r")).budget()
    assert REPLACED[change] in str(error.value)


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "a/../../b.csv", "C:\\x.csv", " "])
def test_a_task_reads_no_files_elsewhere(name: str, tmp_path: Path) -> None:
    text = f"[motion]\nkind = \"samples\"\nfile = '{name}'\n"
    with pytest.raises(DynamisError, match="must be a file in the folder of the task or below it, got"):
        load_task(written(tmp_path, text), dynamis.load("bar-2r"))


PAGE = (Path(__file__).parents[2] / "docs" / "torque-budget.md").read_text("utf-8")


def test_the_page_has_every_kind_and_its_task_is_read(tmp_path: Path) -> None:
    for kind, options in OPTIONS.items():
        row = next(line for line in PAGE.splitlines() if line.startswith("|") and f"`{kind}`" in line)
        assert all(f"`{option}`" in row for option in options)
    text = next(block for block in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "[motion]" in block)
    assert load_task(written(tmp_path, text), dynamis.load("bar-2r")).trajectory.duration == 4
