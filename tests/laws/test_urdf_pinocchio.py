"""Published URDFs, read by dynamis and by Pinocchio: same torques, same wrenches, same frames.

Every file of the example-robot-data package is here: read as it is, refused with a sentence, or,
where it has mimic joints, read with its <mimic> elements taken out (Pinocchio gives such a joint a
coordinate of its own unless told otherwise). With them, they are in test_coupled_joints.py.
"""

from __future__ import annotations

import re
import zlib

import numpy as np
import pytest

import dynamis
from dynamis import DynamisError, Robot
from dynamis.model.formats.urdf.read import read_urdf
from dynamis.model.formats.urdf.write import write_urdf
from dynamis.scalars.scalars import evaluate
from tests.support.published_urdfs import FILES, MIMIC, Witness, load, published

NOTHING_MOVES = "has no moving joint; at least one is needed"
REFUSED = {
    "hector_description/robots/quadrotor_base.urdf": "has no joint; at least one that moves is needed",
    "iris_description/robots/iris_simple.urdf": NOTHING_MOVES,
    "ur_description/urdf/ur3.urdf": "<robot> has no name, which is required",
}
ASTRAY = {
    "alex_description/urdf/alex_psyonic_hands.urdf": (
        'unknown joint "index_q1" in coupling of joint "Left_index_q2"; did you mean "Left_index_q1"?'
    )
}
READ = sorted(FILES.keys() - REFUSED.keys())


def states(robot: Robot, seed: str) -> np.ndarray:
    """Random q, qd, qdd: (count, 3, n); fewer for the big robots."""
    random = np.random.default_rng(zlib.crc32(seed.encode()))
    return random.uniform(-2, 2, (2 if robot.n > 20 else 4, 3, robot.n))


def relative_errors(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> dict[str, float]:
    """The worst error of each answer, against the size of what it is about.

    A torque is measured by the largest torque that its joint has in any of the states, a force or
    moment by the largest one of its joint (with a floor of 1e-4 of the largest in the robot, so
    that rounding at an idle joint does not count); poses have entries of 1 and metres as they are.
    """
    worst: dict[str, float] = {}
    for key, found in ours.items():
        expected = theirs[key]
        size = np.abs(expected) if key == "tau" else np.linalg.norm(expected, axis=-1, keepdims=True)
        scale = 1.0 if key == "poses" else np.maximum(size.max(axis=0), 1e-4 * size.max())
        worst[key] = float((np.abs(found - expected) / np.where(scale == 0, 1, scale)).max())
    return worst


def answers(robot: Robot, moves: np.ndarray, frames: list[str]) -> dict[str, np.ndarray]:
    q, qd, qdd = moves[:, 0], moves[:, 1], moves[:, 2]
    reactions = robot.reactions(q, qd, qdd)
    return {
        "tau": robot.inverse_dynamics(q, qd, qdd),
        "force": reactions.force,
        "moment": reactions.moment,
        "poses": poses(robot, q, frames),
    }


def poses(robot: Robot, q: np.ndarray, frames: list[str]) -> np.ndarray:
    """Of links all at once, of a few as of other frames: one by one."""
    links, all_at_once = [link.name for link in robot.links], robot.link_poses(q)
    alone = {
        name: robot.forward_kinematics(q, name) for k, name in enumerate(frames) if name not in links or k % 8 == 0
    }
    return np.stack([alone[x] if x in alone else all_at_once[:, links.index(x)] for x in frames], axis=1)


def witnessed(witness: Witness, moves: np.ndarray) -> tuple[dict[str, np.ndarray], list[str]]:
    found: dict[str, list[np.ndarray]] = {"tau": [], "force": [], "moment": [], "poses": []}
    for q, qd, qdd in moves:
        witness.move(q, qd, qdd)
        found["tau"].append(witness.tau)
        found["force"].append(witness.wrenches[:, :3])
        found["moment"].append(witness.wrenches[:, 3:])
        found["poses"].append(np.array(list(witness.poses().values())))
    return {key: np.array(value) for key, value in found.items()}, list(witness.poses())


def test_every_file_is_accounted_for() -> None:
    assert len(FILES) == 69
    assert REFUSED.keys() | MIMIC <= FILES.keys()
    assert not REFUSED.keys() & MIMIC


@pytest.mark.parametrize("name", sorted(REFUSED.keys() | ASTRAY.keys()))
def test_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(DynamisError, match=re.escape({**REFUSED, **ASTRAY}[name])):
        read_urdf(FILES[name].read_text(encoding="utf-8"), name)


@pytest.mark.parametrize("name", READ)
def test_torques_wrenches_and_frames_are_those_of_pinocchio(name: str) -> None:
    text = published(name)
    robot = load(text)
    moves = states(robot, name)
    theirs, frames = witnessed(Witness(text, robot), moves)
    errors = relative_errors(answers(robot, moves, frames), theirs)
    # Angles such as 1.57079632679 are read as pi/2, 5e-12 away: that is all of the difference.
    assert max(errors.values()) < 1e-10, errors


@pytest.mark.parametrize("name", READ)
def test_written_and_read_again(name: str) -> None:
    """The same robot comes back, and what was written is the same robot to Pinocchio, to rounding."""
    robot = load(published(name))
    text = write_urdf(robot)
    again = load(text)
    moves = states(robot, name)
    theirs, frames = witnessed(Witness(text, again), moves)
    before, after = answers(robot, moves, frames), answers(again, moves, frames)
    for expected in (before, theirs):
        errors = relative_errors(after, expected)
        # Rotations that were multiplied in a merge may come within 1e-11 of a right angle, and are read as one.
        assert errors.pop("poses") < 1e-11
        assert max(errors.values()) < 1e-12, errors
    assert written_values(again) == written_values(robot)
    assert {frame.name for frame in again.frames} == {frame.name for frame in robot.frames}


def written_values(robot: Robot) -> list[object]:
    """What a file says of the joints beside their geometry; revolute without a range is continuous."""
    found: list[object] = [robot.name, robot.base]
    for joint in robot.joints:
        free = joint.revolute and joint.limits.lower is None and joint.limits.upper is None
        kind = "continuous" if free else joint.kind
        found.append((joint.name, kind, joint.limits, joint.damping, joint.coulomb))
    return found


@pytest.mark.parametrize("name", ["panda", "puma560", "stanford", "ur5"])
def test_a_shipped_robot_written_as_urdf_is_the_same_to_pinocchio(name: str) -> None:
    """D-H robots, whose link frames stand away from their joints, through the writer."""
    robot = dynamis.load(name)
    moves = states(robot, name)
    text = write_urdf(robot)
    witness = Witness(text, robot)
    theirs, frames = witnessed(witness, moves)
    tool = [frames.index("tool")]
    theirs["poses"] = theirs["poses"][:, tool]
    ours = answers(robot, moves, ["tool"])
    ours["tau"] = ours["tau"] - rotor_torques(robot, moves[:, 2])
    assert max(relative_errors(ours, theirs).values()) < 1e-12


def rotor_torques(robot: Robot, qdd: np.ndarray) -> np.ndarray:
    """What the rotors add to the torques; a URDF cannot tell Pinocchio about them."""
    scalars = robot.floats()
    inertias = [evaluate(j.gear_ratio, scalars) ** 2 * evaluate(j.rotor_inertia, scalars) for j in robot.joints]
    return np.array(inertias) * qdd
