"""The limits of a motion from those of the robot and from what was asked for; what is missing, and what stands in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dynamis.apps.identification.excitation.excite import Excite
from dynamis.apps.identification.excitation.limits import MotionLimits
from dynamis.base.arguments import per_joint, real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, MissingMassError, name_list
from dynamis.base.faces import option
from dynamis.compute.mechanics.coupling import mixed_joints
from dynamis.model.joint_limits import joint_limits

TURN = np.pi
"""A revolute joint without a range moves half a turn to both sides."""
SPEED = {"rad": 1.0, "m": 0.25}
"""Velocities of joints without a limit [rad/s or m/s]: what a person can follow and stop."""
SPEED_RISE_TIME = 0.25
"""Joints without a limit of acceleration take so many seconds to their largest velocity."""
RANDOM_POSES = 512
"""Random poses that tell how large the region of the tool is."""


def motion_limits(asked: Excite) -> tuple[MotionLimits, tuple[str, ...]]:
    """The limits, and sentences about those that the robot does not have."""
    robot, frame = asked.robot, asked.frame
    n, own, mixed = robot.n, joint_limits(robot), mixed_joints(robot)
    said: list[str] = []
    names = [x.name for x in robot.coordinates]
    low = own.lower if asked.lower is None else per_joint("lower", asked.lower, n)
    high = own.upper if asked.upper is None else per_joint("upper", asked.upper, n)
    open_ended = ~(np.isfinite(low) & np.isfinite(high))
    if (slides := np.flatnonzero(open_ended & ~own.revolute)).size:
        raise ArgumentError(
            f'prismatic joint {slides[0] + 1} ("{names[slides[0]]}") of robot "{robot.name}" has no range; give lower '
            f"and upper ({option('lower', '...')}, {option('upper', '...')}), or limits in its file",
            key="lower",
        )
    if open_ended.any():
        said.append(f"No range: {_joints(names, open_ended)}; half a turn to both sides of 0 is taken (lower, upper).")
        low, high = np.where(np.isfinite(low), low, -TURN), np.where(np.isfinite(high), high, TURN)
    if (empty := np.flatnonzero(low > high)).size:
        j = empty[0]
        raise ArgumentError(
            f"lower is above upper for joint {j + 1}: {low[j]:.4g} and {high[j]:.4g}; no position is left", key="lower"
        )
    speed = own.velocity if asked.velocity is None else _not_negative("velocity", asked.velocity, n)
    if (unknown := ~np.isfinite(speed)).any():
        defaults = np.array([SPEED[x.length] for x in robot.coordinates])
        units = " and ".join(
            f"{SPEED[u]:g} {u}/s" for u in dict.fromkeys(x.length for x in np.array(robot.coordinates)[unknown])
        )
        said.append(f"No velocity limit: {_joints(names, unknown)}; {units} is taken (velocity).")
        speed = np.where(unknown, defaults, speed)
    if asked.acceleration is None:
        said.append(
            f"No acceleration limit: all joints; that which reaches the largest velocity in {SPEED_RISE_TIME:g} s "
            "is taken "
            "(acceleration)."
        )
        rise = speed / SPEED_RISE_TIME
    else:
        rise = _not_negative("acceleration", asked.acceleration, n)
    effort = own.effort if asked.torque is None else _not_negative("torque", asked.torque, n)
    if not np.isfinite(effort).all():
        said.append(f"No torque limit: {_joints(names, ~np.isfinite(effort))}; none is kept (torque).")
    strength: Array | None = effort if np.isfinite(effort).any() else None
    try:
        robot.inverse_dynamics(np.zeros(n))
    except MissingMassError:
        if strength is not None:
            said.append("The robot has no masses: torque limits cannot be kept, watch the torques.")
        strength = None
    none = np.full(len(mixed.joints), np.inf)
    faces = _half_spaces(asked.box, asked.planes)
    middle, half = (low + high) / 2, (high - low) / 2
    reach = 1.0
    if len(faces) or frame != "tool":
        poses = middle + half * np.random.default_rng(0).uniform(-1, 1, (RANDOM_POSES, n))
        reach = max(float(np.ptp(robot.forward_kinematics(poses, frame)[:, :3, 3], axis=0).max()), 1e-6)
    limits = MotionLimits(
        robot, np.vstack([np.eye(n), mixed.A]), np.concatenate([np.zeros(n), mixed.b]),
        np.concatenate([low, mixed.limits.lower]), np.concatenate([high, mixed.limits.upper]),
        np.concatenate([speed, mixed.limits.velocity]), np.concatenate([rise, none]), strength, faces, frame, reach,
    )  # fmt: skip
    return limits, tuple(said)


def _half_spaces(box: Any, planes: Any) -> Array:
    """Rows (n, d) with n.p >= d, |n| = 1, of the faces of the box and of the planes."""
    rows: list[Array] = []
    if box is not None:
        corners = real_values("box", box)
        if corners.shape != (2, 3) or np.isnan(corners).any():
            raise ArgumentError(
                "box must be its lowest and its highest corner, ((x, y, z), (x, y, z)) [m]; inf for an open side",
                key="box",
            )
        if not (corners[0] < corners[1]).all():
            axis = int(np.argmin(corners[0] < corners[1]))
            raise ArgumentError(
                f"the box is empty: its lowest {'xyz'[axis]}, {corners[0, axis]:g} m, must be below its highest, "
                f"{corners[1, axis]:g} m",
                key="box",
            )
        for sign, corner in ((1.0, corners[0]), (-1.0, corners[1])):
            rows += [np.array([*(sign * np.eye(3)[k]), sign * corner[k]]) for k in range(3) if np.isfinite(corner[k])]
    if planes is not None:
        given = real_values("planes", planes)
        if given.ndim != 2 or given.shape[1] != 4 or not np.isfinite(given).all() or not given[:, :3].any(axis=1).all():
            raise ArgumentError(
                "planes must be a list of (nx, ny, nz, d): the tool stays where n.p >= d [m], n is not zero",
                key="planes",
            )
        rows += [*(given / np.linalg.norm(given[:, :3], axis=1, keepdims=True))]
    return np.array(rows).reshape(-1, 4)


def _not_negative(name: str, values: Any, n: int) -> Array:
    array = per_joint(name, values, n)
    if (array < 0).any():
        j = int(np.argmax(array < 0))
        raise ArgumentError(f"{name} of joint {j + 1} must be >= 0, got {array[j]:g}", key=name)
    return array


def _joints(names: Sequence[str], which: Any) -> str:
    chosen = [name for name, take in zip(names, which, strict=True) if take]
    return "all joints" if len(chosen) == len(names) and len(names) > 1 else name_list(chosen)
