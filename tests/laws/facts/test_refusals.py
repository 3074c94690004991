"""What a refusal says about a robot is so, and it is said wherever it is so: held to the poses of random robots."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import ArgumentError, Frame, Joint, Link, MotionError, Robot, StructureError
from dynamis.arrays import Array
from dynamis.model.merge_fixed import merge_fixed
from dynamis.motion.inverse_kinematics.spherical_wrist import spherical_wrist_inverse_kinematics as closed_form
from dynamis.quantities.reference import plain
from tests.support.special_robots import special_robot, special_state

pytestmark = pytest.mark.filterwarnings("ignore::dynamis.UnphysicalWarning")
SEEDS = st.integers(0, 2**32 - 1)


def branched(seed: int, count: int = 6) -> Robot:
    """Revolute joints, one or two of which may hang on another link than the last; now and then one follows another.

    Some have a follower in front of all others, which carries no frame: axes are numbered with it.
    """
    rng = np.random.default_rng(seed)
    links: list[Link] = []
    for k in range(count):
        axis: Any = ((0, 0, 1), (1, 0, 0), (0, 1, 0))[rng.integers(3)]
        follows: Any = {"q1": 2.0} if k > 1 and rng.random() < 0.1 else {}
        before = "Tx(0.3)" if k < 3 else ""
        parent = f"link{k if rng.random() < 0.9 else rng.integers(1, k + 1)}" if k else "base"
        links.append(Link(f"link{k + 1}", Joint(f"q{k + 1}", axis=axis, before=before, coupling=follows), parent, 1))
    if rng.random() < 0.3:
        links.insert(0, Link("link0", Joint("q0", before="Tx(1)", coupling={"q1": -1.0}), "base", 1))
    return Robot("branched", tuple(links), tool=Frame("tool", f"link{count}", "Tx(0.1)"))


def moved(robot: Robot, k: int) -> float:
    """By how much coordinate k moves the tool's pose, the most of some states."""
    q = np.random.default_rng(0).uniform(-2, 2, (8, robot.n))
    return float(np.abs(robot.jacobian(q, "tool")[..., k]).max())


def axes_at(robot: Robot, q: Array) -> dict[str, Array]:
    """The axis of every joint in base axes."""
    poses = robot.link_poses(q)
    return {
        link.joint.name: poses[k][:3, :3] @ np.array([float(e.value) for e in link.joint.axis])
        for k, link in enumerate(robot.links)
    }


@settings(max_examples=60)
@given(SEEDS)
def test_refusals_of_the_closed_form(seed: int) -> None:
    """A joint that is said not to move the frame does not, at any q; axes that are called parallel are."""
    robot = branched(seed)
    idle = [] if robot.coupled else [c.name for k, c in enumerate(robot.coordinates) if moved(robot, k) < 1e-12]
    try:
        closed_form(robot, robot.forward_kinematics(np.full(robot.n, 0.3), "tool"))
        said = ""
    except StructureError as error:
        said = str(error)
    still = re.search(r'"(\w+)" of robot "branched" does not move frame "tool"', said)
    assert (still is not None) == bool(idle), said
    assert still is None or still[1] in idle
    for text, is_parallel in ((r"are parallel, which", True), (r"are not parallel", False)):
        if match := re.search(rf"axes (\d) and (\d) of .*{text}", said):
            z = axes_at(robot, np.random.default_rng(1).uniform(-2, 2, robot.n))
            one, other = (z[robot.joints[int(match[k]) - 1].name] for k in (1, 2))
            assert (np.linalg.norm(np.cross(one, other)) < 1e-9) == is_parallel


@settings(max_examples=25)
@given(SEEDS)
def test_mass_that_rests_on_the_base(seed: int) -> None:
    """Of links fixed to the base, in rows and branches, those with a mass are named, and no others."""
    rng = np.random.default_rng(seed)
    links: list[Link] = []
    rests: set[str] = set()
    for k in range(6):
        parent = f"link{rng.integers(1, k + 1)}" if k and rng.random() < 0.8 else "base"
        fixed, mass = bool(rng.random() < 0.6) and k < 5, float(rng.choice([0, 1]))
        links.append(Link(f"link{k + 1}", Joint(f"q{k + 1}", "fixed" if fixed else "revolute"), parent, mass))
        if fixed and (parent == "base" or parent in rests):
            rests.add(f"link{k + 1}")
    notes = " ".join(merge_fixed(Robot("fixed", tuple(links))).notes)
    said = re.search(r"rests on the base .* left out: (.*)", notes)
    named = set(re.findall(r"link\d", said[1])) if said else set()
    assert named == {link.name for link in links if link.name in rests and float(link.mass.value)}


@settings(max_examples=25)
@given(SEEDS)
def test_an_arm_that_cannot_be_held(seed: int) -> None:
    """The coordinate that is named needs that much at rest where it is said; where nothing is said, none needs more."""
    x = special_state(seed)
    rng, robot = np.random.default_rng(seed), x.robot
    ends = np.array([x.q, x.q + rng.uniform(0.5, 1, robot.n)])
    hold = np.abs(robot.inverse_dynamics(ends, loads=x.loads, gravity=x.gravity))
    effort = np.maximum(hold.max(axis=0), 0.1) * rng.choice([0.8, 3.0], robot.n) + 1e-3
    try:
        dynamis.shortest_time(robot, ends, velocity=2, effort=effort, steps=20, loads=x.loads, gravity=x.gravity)
    except MotionError as error:
        said = re.search(r"joint (\d) cannot hold the arm at (\d+)% .* take[s]? (\S+) of", str(error))
        if said:
            j, needs = int(said[1]) - 1, float(said[3])
            assert needs >= effort[j] * (1 - 1e-3)
            on_the_way = ends[0] + np.linspace(0, 1, 2001)[:, None] * (ends[1] - ends[0])
            of_j = np.abs(robot.inverse_dynamics(on_the_way, loads=x.loads, gravity=x.gravity))[:, j]
            assert np.abs(of_j - needs).min() <= 1e-2 * max(needs, 1e-3)
        return
    except dynamis.DynamisError:
        return
    assert (hold <= effort).all()


@settings(max_examples=40)
@given(SEEDS, st.sampled_from(["forward_dynamics", "inverse_mass_matrix", "operational_inertia", "consistent_inverse"]))
def test_divided_by_zero_in_every_state(seed: int, name: str) -> None:
    """It is said where M is singular at every q, or the rows of J are dependent, and not where neither is so."""
    robot = special_robot(seed, masses=False)
    q = np.random.default_rng(seed).uniform(-1, 1, (20, robot.n))
    M = plain(robot, "mass_matrix", q)[0]
    singular = bool((np.linalg.eigvalsh(M)[:, 0] <= 1e-12 * max(np.abs(M).max(), 1e-300)).all())
    dependent = bool((np.linalg.matrix_rank(robot.jacobian(q, "tool"), tol=1e-9) < 6).all())
    try:
        dynamis.sweep(robot, name, {"q": dynamis.box(-1, 1)}, dynamis.sobol(4)).parts.measured(0, 0, 4)
    except ArgumentError as error:
        if "divided by zero in every state" in str(error):
            assert singular or (dependent and name in ("operational_inertia", "consistent_inverse"))
    else:
        assert name != "inverse_mass_matrix" or not (singular and not M.any())


def test_divided_by_zero_is_said() -> None:
    """A link that slides without mass beside one with: M has a row of zeros."""
    links = Link("a", Joint("q1"), mass=1, com=(0.1, 0, 0)), Link("b", Joint("q2", "prismatic"), "base")
    robot = Robot("light", links, tool=Frame("tool", "a"))
    with pytest.raises(ArgumentError, match="forward_dynamics is divided by zero in every state"):
        dynamis.sweep(robot, "forward_dynamics", {"q": dynamis.box(-1, 1)}, dynamis.sobol(4)).parts.measured(0, 0, 4)
