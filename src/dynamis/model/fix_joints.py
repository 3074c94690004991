"""A robot some of whose joints stand still: they become fixed joints, at positions that are given.

Links keep their frames, so that their masses, CoMs and inertias are the same numbers as before. A joint that follows
fixed joints alone is fixed, too; one that follows others besides keeps following these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import atan2, cos, hypot, sin
from typing import Any, TypeVar

from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.base.expressions.expression import ONE, ZERO, Expression
from dynamis.base.expressions.parser import as_expression
from dynamis.model.checks import warned_already
from dynamis.model.link import NO_LIMITS, Joint
from dynamis.model.placement import Placement
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import evaluate

M = TypeVar("M", bound=RobotModel)


def fix_joints(robot: M, positions: Mapping[str, Any]) -> M:
    """The robot with joints fixed at these positions [rad or m].

    >>> import dynamis
    >>> arm = dynamis.load("bar-2r")
    >>> stiff = fix_joints(arm, {"q2": 0.3})
    >>> bool(abs(stiff.gravity_torque([0.5]) - arm.gravity_torque([0.5, 0.3])[0]) < 1e-12)
    True
    """
    joints = {joint.name: joint for joint in robot.joints}
    held: dict[str, Expression] = {}
    for name, position in positions.items():
        if name not in joints:
            raise UnknownNameError("joint", name, list(joints), within=f'robot "{robot.name}"', key="fixed")
        if joints[name].coupling:
            others = " and ".join(other for other, _ in joints[name].coupling)
            raise ArgumentError(f'joint "{name}" follows {others}; fix that instead', key="fixed")
        held[name] = as_expression(position, f"position of {name}")
    changed: dict[str, Joint] = {}
    waiting = dict(joints)
    while waiting:
        # Joints that others follow come first.
        ready = [x for x in waiting.values() if not any(other in waiting for other, _ in x.coupling)]
        for joint in ready:
            del waiting[joint.name]
            changed[joint.name] = _hold_joint(robot, joint, held)
    links = [replace(x, joint=changed[x.joint.name]) if x.joint.moves else x for x in robot.links]
    if not any(x.joint.moves for x in links):
        raise ArgumentError(f'all joints of robot "{robot.name}" are fixed; at least one must move', key="fixed")
    with warned_already():
        return replace(robot, links=tuple(links))


def _hold_joint(robot: RobotModel, joint: Joint, held: dict[str, Expression]) -> Joint:
    """The joint as it is when others are held; a joint that stands still is added to those."""
    if joint.coupling:
        own = [factor * held[other] for other, factor in joint.coupling if other in held]
        offset = sum(own, joint.coupling_offset)
        rest = tuple((other, factor) for other, factor in joint.coupling if other not in held)
        if rest:
            return replace(joint, coupling=rest, coupling_offset=offset) if own else joint
        held[joint.name] = offset
    if joint.name not in held:
        return joint
    before = joint.before * _joint_motion(robot, joint, held[joint.name])
    return Joint(joint.name, "fixed", joint.axis, before, joint.after, NO_LIMITS, ZERO, ZERO, ONE, ZERO)


def _joint_motion(robot: RobotModel, joint: Joint, position: Expression) -> Placement:
    """The motion of a joint by `position`, as a chain."""
    if joint.kind == "prismatic":
        return Placement.offset(position * part for part in joint.axis)
    along = [k for k, part in enumerate(joint.axis) if part != ZERO]
    if len(along) == 1:
        return Placement.angles("xyz", **{"xyz"[along[0]]: position * joint.axis[along[0]]})
    floats = robot.floats()
    x, y, z = (float(evaluate(part, floats)) for part in joint.axis)
    angle = float(evaluate(position, floats))
    c, s, v = cos(angle), sin(angle), 1 - cos(angle)
    # R = Rz Ry Rx of Rodrigues' matrix.
    r00, r10, r20 = c + x * x * v, y * x * v + z * s, z * x * v - y * s
    r21, r22 = z * y * v + x * s, c + z * z * v
    return Placement.angles("zyx", z=atan2(r10, r00), y=atan2(-r20, hypot(r00, r10)), x=atan2(r21, r22))
