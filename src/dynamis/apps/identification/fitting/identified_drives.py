"""The robot with identified rotors, friction and springs in its joints."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dynamis.apps.identification.fitting.linear_model import TERM, Drive
from dynamis.model.checks import warned_already
from dynamis.model.joint_forces import FORCE_KEYS
from dynamis.model.link import Joint
from dynamis.scalars.scalars import evaluate

if TYPE_CHECKING:
    from dynamis.robot import Robot


def with_drives(robot: Robot, given: Robot, drives: Sequence[Drive], values: Sequence[float]) -> Robot:
    """`robot` with these drives in the joints that move in `given`; what was not identified of them is zero."""
    independent = [k for k, joint in enumerate(given.joints) if not joint.coupling]
    own: dict[str, dict[str, float]] = defaultdict(dict)
    for drive, value in zip(drives, values, strict=True):
        # The offset of a coordinate is that of the joint whose variable it is.
        name = given.joints[independent[drive.joint] if drive.kind == "offset" else drive.joint].name
        own[name][TERM[drive.kind]] = value
        if drive.kind == "stribeck":
            own[name]["stribeck_speed"] = drive.speed
    moving = {joint.name for joint in given.joints}
    with warned_already():
        joints = (_identified(x.joint, own[x.joint.name], given) for x in robot.links)
        links = zip(robot.links, joints, strict=True)
        return replace(robot, links=tuple(replace(x, joint=joint) if joint.name in moving else x for x, joint in links))


def _identified(joint: Joint, found: dict[str, float], given: Robot) -> Joint:
    if not joint.moves:
        return joint
    # Friction that feeds energy in is noise around zero, and no robot file has it.
    values = {key: max(0.0, value) for key, value in found.items() if key not in ("friction_offset", "stribeck")}
    ratio = float(evaluate(joint.gear_ratio, given.floats()))
    fields: dict[str, Any] = (
        dict.fromkeys(FORCE_KEYS, 0) | values | {"friction_offset": found.get("friction_offset", 0)}
    )
    fields["rotor_inertia"] = fields.pop("rotor", 0.0) / ratio**2
    fields["stribeck"] = max(found.get("stribeck", 0.0), -values.get("coulomb", 0.0))
    if not fields["stribeck"]:
        fields["stribeck_speed"] = 0
    if fields["stiffness"]:
        fields["rest"] = joint.rest
    return replace(joint, **fields)
