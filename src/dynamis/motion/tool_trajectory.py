"""A tool that moves along a line or an arc, and the joints that make it do so, exactly.

With the tool's pose as a function of s and s of time, the joints follow from inverse kinematics, and

    qd = q' sd,   qdd = q'' sd^2 + q' sdd,   J q' = x',   J q'' = x'' - J' q'

On the way the joint values are followed from the start, step by step, so that they stay on its branch; at any time
they are found from the nearest of those by Newton's steps, to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.errors import ArgumentError
from dynamis.motion.piecewise import JointTrajectory, Profile
from dynamis.motion.polynomials import quintic
from dynamis.motion.targets import target_array
from dynamis.motion.tool_path import Arc, Curve, Line, Turn
from dynamis.motion.tool_steps import ToolWay, follow
from dynamis.motion.trajectory import Array, Motion, MotionError, joint_values, positive, times
from dynamis.motion.trapezoidal import trapezoidal
from dynamis.robot import Robot

UNIFORM = JointTrajectory("uniform", (Profile(np.array([0.0, 1.0]), np.array([[0.0, 1.0]]), 1.0),))
"""s = t, over 1 s: the way itself, as `shortest_time` wants it."""


@dataclass(frozen=True, eq=False)
class ToolTrajectory:
    """A motion of the tool along `way`, with s from 0 to 1 by the time law `law`."""

    kind: str
    way: ToolWay
    law: JointTrajectory

    @property
    def duration(self) -> float:
        """[s]"""
        return self.law.duration

    @property
    def n(self) -> int:
        """The number of joints."""
        return self.way.robot.n

    @property
    def length(self) -> float:
        """The way of the tool's point [m]."""
        return self.way.curve.length

    def at(self, t: ArrayLike) -> Motion:
        """q, qd, qdd at times t [s]: t.shape + (n,) each."""
        inside, _ = times(t, self.duration)
        s, sd, sdd = (x.reshape(-1, 1) for x in self.law.at(t))
        q, first, second = self.way.at(np.clip(s[:, 0], 0.0, 1.0))
        found = q, first * sd, second * sd**2 + first * sdd
        shape = (*inside.shape, self.n)
        return found[0].reshape(shape), found[1].reshape(shape), found[2].reshape(shape)

    def uniform(self) -> ToolTrajectory:
        """The same way with s = t over 1 s, so that velocities are those over s."""
        return replace(self, law=UNIFORM)


def tool_line(
    robot: Robot, start: ArrayLike, goal: ArrayLike, duration: float | None = None, *, speed: float | None = None,
    acceleration: float | None = None, frame: str = "tool", law: JointTrajectory | None = None,
) -> ToolTrajectory:  # fmt: skip
    """The tool on a straight line from where joint values `start` have it to `goal`, a position or a pose.

    A robot of six joints turns the tool to the orientation of a pose, or keeps it for a position; one of two or three
    joints moves the position alone. In time s follows a quintic over `duration`, or a trapezoidal velocity with `speed`
    [m/s] and `acceleration` [m/s^2] of the tool's point, or a `law` of your own (one joint, from 0 to 1).

    >>> import dynamis
    >>> puma = dynamis.load("puma560")
    >>> q = [0.1, -0.7, 0.3, 0.4, 0.5, 0.6]
    >>> moving = tool_line(puma, q, puma.forward_kinematics(q)[:3, 3] + [0.1, 0.0, 0.05], 2.0)
    >>> half = puma.forward_kinematics(moving.at(1.0)[0])[:3, 3] - puma.forward_kinematics(q)[:3, 3]
    >>> half.round(12)
    array([0.05 , 0.   , 0.025])
    """
    q, T, end, pose = _ends(robot, start, goal, frame)
    line = Line(T[:3, 3], end)
    return _moving("tool on a line", robot, frame, line, T, pose, q, duration, speed, acceleration, law)


def tool_arc(
    robot: Robot, start: ArrayLike, via: ArrayLike, goal: ArrayLike, duration: float | None = None, *,
    speed: float | None = None, acceleration: float | None = None, frame: str = "tool",
    law: JointTrajectory | None = None,
) -> ToolTrajectory:  # fmt: skip
    """The tool on the circular arc from where joint values `start` have it, through the point `via`, to `goal`.

    All else as for `tool_line`.
    """
    q, T, end, pose = _ends(robot, start, goal, frame)
    between, is_pose = target_array(via)
    if is_pose or between.shape != (3,):
        raise ArgumentError(f"via has shape {between.shape}; it is a point (3) [m]", key="via")
    arc = Arc.through(T[:3, 3], between, end)
    return _moving("tool on an arc", robot, frame, arc, T, pose, q, duration, speed, acceleration, law)


def _ends(robot: Robot, start: Any, goal: Any, frame: str) -> tuple[Array, Array, Array, Array | None]:
    """Joint values and pose at the start; position and, for a pose, orientation at the goal."""
    q = joint_values("start", start, robot.n)
    T = robot.forward_kinematics(q, frame)
    end, pose = target_array(goal)
    if end.ndim != (2 if pose else 1):
        raise ArgumentError(f"goal has shape {end.shape}; it is one position (3) or one pose (4, 4)", key="goal")
    if robot.n not in (2, 3, 6):
        raise MotionError(
            f'robot "{robot.name}" has {robot.n} joints; a way of the tool gives the joints of robots with 6 '
            "(position and orientation), or 2 or 3 (position)"
        )
    if robot.n < 6 and pose:
        raise ArgumentError(
            f'goal is a pose; robot "{robot.name}" has {robot.n} joints, which take a position (3)', key="goal"
        )
    return q, T, end[:3, 3] if pose else end, end[:3, :3] if pose else None


def _moving(
    kind: str, robot: Robot, frame: str, curve: Curve, T: Array, R: Array | None, q: Array,
    duration: float | None, speed: float | None, acceleration: float | None, law: JointTrajectory | None,
) -> ToolTrajectory:  # fmt: skip
    turn = None if robot.n < 6 else Turn.between(T[:3, :3], T[:3, :3] if R is None else R)
    timing = _law(curve, duration, speed, acceleration, law)
    return ToolTrajectory(kind, follow(robot, frame, curve, turn, q), timing)


def _law(
    curve: Curve, duration: float | None, speed: float | None, acceleration: float | None, law: JointTrajectory | None
) -> JointTrajectory:
    if law is not None:
        if law.n != 1 or float(law.at(0.0)[0][0]) != 0 or float(law.at(law.duration)[0][0]) != 1:
            raise ArgumentError("law is not a trajectory of one joint from 0 to 1", key="law")
        return law
    if speed is None and acceleration is None:
        if duration is None:
            raise MotionError("the motion has no duration; give duration=..., or speed=... and acceleration=...")
        return quintic([0.0], [1.0], duration)
    if speed is None or acceleration is None:
        raise MotionError("a trapezoidal velocity of the tool needs both speed=... and acceleration=...")
    v, a = positive("speed", speed, "m/s"), positive("acceleration", acceleration, "m/s^2")
    if not curve.length:
        raise MotionError("the tool's point does not move, so it has no speed; give duration=...")
    return trapezoidal([0.0], [1.0], v / curve.length, a / curve.length, duration=duration)
