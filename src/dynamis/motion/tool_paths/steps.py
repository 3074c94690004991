"""The joints that follow a tool: one smooth curve q(s), whose distance from the tool's way is measured.

From the start the flow q' = J^+(q) x'(s) is followed by Runge and Kutta's steps, each brought onto the way by the
smallest correction; a step that needs more than a small one is halved. Through these knots, with q, q' and q'' of each,
stand quintic Hermite pieces: they are q(s), so that its derivatives are exact. Where the tool leaves its way between
two knots by more than TOLERANCE, a knot is put between them: on the way, and else where the curve was.
"""

from __future__ import annotations

import numpy as np

from dynamis.base.arrays import Array
from dynamis.motion.inverse_kinematics.numerical import inverse_kinematics
from dynamis.motion.inverse_kinematics.targets import angle_between
from dynamis.motion.position_limits import PositionLimits, between, percent
from dynamis.motion.tool_paths.task import ToolTask
from dynamis.motion.trajectories.piecewise import JointTrajectory
from dynamis.motion.trajectories.polynomials import hermite_trajectory
from dynamis.motion.trajectories.trajectory import MotionError

LONGEST_STEP = 1 / 64
"""The longest step of s; most motions take it throughout."""
SHORTEST_STEP = LONGEST_STEP / 2**14
MAX_CORRECTION = 1e-5
"""A step whose correction [rad or m] is larger is halved."""
ON_THE_WAY = 1e-11
"""The largest error after a correction (of the position, over the length of the task)."""
SINGULAR_RATIO = 1e-6
"""The share of the largest singular value of J below which the joints' velocities are not bounded."""
PATH_TOLERANCE = 1e-12
"""The tool's distance [m over the task's length, rad] from its way between two knots that adds no knot."""
REFINEMENT_ROUNDS = 8
MAX_PATH_ERROR = 1e-8
"""A tool that stays further from its way after all rounds is refused."""
CURVE = "joints along a tool's way"


def follow(task: ToolTask, q: Array) -> JointTrajectory:
    """The joints over s from joint values q; a sentence says where the robot cannot go on."""
    if not task.rank:
        raise MotionError(f'no joint of robot "{task.robot.name}" moves frame "{task.frame}", so it has no way')
    limits = PositionLimits(task.robot, "start from other joint values")
    places, D = _refine_knots(task, *_knots(task, q, limits))
    limits.check_curve(D, places)
    return hermite_trajectory(CURVE, D, places)


def largest_errors(task: ToolTask, joints: JointTrajectory) -> tuple[float, float]:
    """The largest distances of the tool from its way [m, rad], sampled between all knots; no angle where it is free."""
    s = between(joints.breaks)
    T = task.robot.forward_kinematics(joints.at(s)[0], task.frame)
    position = np.linalg.norm(T[:, :3, 3] - task.curve.at(s)[0], axis=-1)
    return float(position.max()), 0.0 if task.turn is None else float(
        angle_between(T[:, :3, :3], task.turn.at(s)).max()
    )


def _knots(task: ToolTask, q: Array, limits: PositionLimits) -> tuple[Array, Array]:
    """Places s (k) and q, q', q'' there (k, 3, n), by steps along the flow."""
    s, h, x = 0.0, LONGEST_STEP, q[None]
    places, knots = [s], [_knot(task, limits, x, s)]
    while s < 1.0:
        after = 1.0 if s + h > 1.0 - 1e-9 else s + h
        y, moved, left = task.corrected(_runge_kutta(task, x, s, after - s, knots[-1][1]), np.array([after]))
        if not (np.isfinite(y).all() and moved[0] <= MAX_CORRECTION and left[0] <= ON_THE_WAY):
            h /= 2
            if h < SHORTEST_STEP:
                raise MotionError(_obstacle(task, x[0], s))
            continue
        s, x, h = after, y, min(2 * h, LONGEST_STEP)
        places.append(s)
        knots.append(_knot(task, limits, x, s))
    return np.array(places), np.array(knots)


def _runge_kutta(task: ToolTask, q: Array, s: float, h: float, first: Array) -> Array:
    """Four evaluations of q' = J^+ x', of which `first` is the first."""

    def slope(q: Array, s: float) -> Array:
        return task.inverse(q).solve(task.velocity(np.array([s])))

    k1 = first[None]
    k2 = slope(q + h / 2 * k1, s + h / 2)
    k3 = slope(q + h / 2 * k2, s + h / 2)
    k4 = slope(q + h * k3, s + h)
    return q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def _knot(task: ToolTask, limits: PositionLimits, q: Array, s: float) -> Array:
    """q, q', q'' at one place: (3, n)."""
    first, second, quality = task.rates(q, np.array([s]))
    if quality[0] < SINGULAR_RATIO:
        raise MotionError(
            f"the robot is singular {percent(s)} of the way along (q = {_short(q[0])}), where the tool's velocity "
            "does not give the joints'; lead the tool around that pose"
        )
    limits.check(q, np.array([s]))
    return np.stack([q[0], first[0], second[0]])


def _refine_knots(task: ToolTask, places: Array, knots: Array) -> tuple[Array, Array]:
    """Knots added where the tool leaves its way."""
    for left in range(REFINEMENT_ROUNDS, -1, -1):
        s, curve = between(places), hermite_trajectory(CURVE, knots, places)
        off = np.abs(task.error(curve.at(s)[0], s)).max(axis=-1)
        away = np.flatnonzero(off.reshape(len(places) - 1, -1).max(axis=1) > PATH_TOLERANCE)
        if not away.size:
            return places, knots
        if not left and not off.max() <= MAX_PATH_ERROR:
            k = int(np.argmax(off))
            raise MotionError(
                f"{percent(s[k])} of the way along the robot is so near to a singular pose that its joints cannot be "
                "followed; lead the tool around that pose"
            )
        if left:
            middle = (places[away] + places[away + 1]) / 2
            q, first, second = curve.at(middle)
            q, _, _ = task.corrected(q, middle)
            J = task.inverse(q)
            first = J.solve(task.velocity(middle)) + J.free(first)
            second = task.second(J, q, first, middle) + J.free(second)
            places = np.insert(places, away + 1, middle)
            knots = np.insert(knots, away + 1, np.stack([q, first, second], axis=1), axis=0)
    return places, knots


def _obstacle(task: ToolTask, q: Array, s: float) -> str:
    """Why the robot cannot go on from here: what lies ahead is out of reach, or on another branch."""
    ahead = np.array([min(1.0, s + LONGEST_STEP)])
    p = task.curve.at(ahead)[0][0]
    target: Array = p
    if task.turn is not None:
        target = np.eye(4)
        target[:3, :3], target[:3, 3] = task.turn.at(ahead)[0], p
    nearest = inverse_kinematics(task.robot, target, frame=task.frame, start=q, starts=20, limits=False)
    here = task.curve.at(np.array([s]))[0][0]
    where = f"{percent(s)} of the way along, at {_short(here)} m,"
    if nearest.success:
        return (
            f"{where} the tool's way meets a singular pose and the branch of its start ends; "
            "start from other joint values"
        )
    away = f"{float(nearest.position_error):.3g} m"
    if task.turn is not None:
        away += f" and {float(nearest.orientation_error):.3g} rad"
    return (
        f"{where} the tool is out of reach: the nearest pose found for what comes next ({percent(float(ahead[0]))}) "
        f"is {away} away; make the way end before it"
    )


def _short(values: Array) -> str:
    return f"[{', '.join(f'{x:.4g}' for x in values)}]"
