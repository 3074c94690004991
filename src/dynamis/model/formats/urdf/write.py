"""Writing URDF: any robot whose parameters have values, for the tools of ROS.

URDF puts the frame of a link on its joint, so a link keeps its axes and its origin moves to its
joint point P (where D-H frames stand away from it): with T_parent_link(q) = before motion(q) after,

    joint origin:  R0 = R_before R_after,  t0 = P_parent->O_parent + p_before
    axis:          k = R_after^T axis
    link:          O - P = R_after^T p_after, added to the CoM and to the frames on the link
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

from dynamis.base.errors import ArgumentError, name_list
from dynamis.base.expressions.expression import ZERO, Expression
from dynamis.model.formats.urdf.values import NO_LIMIT
from dynamis.model.joint_forces import ALWAYS, FORCE_KEYS
from dynamis.model.link import Joint, Link
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import evaluate
from dynamis.scalars.vectors import Matrix, Vector


def write_urdf(robot: RobotModel) -> str:
    """The robot as a URDF text, its numbers with all their digits.

    Frames and the tool become massless links on fixed joints; a name that is taken gets `_frame`
    added. Rotor inertia and gear ratio, for which URDF has no place, go into a <transmission> that
    `read_urdf` reads back. Gravity, which URDF does not know, is written as a comment only, and so
    are forces of joints other than damping and Coulomb friction. A
    revolute joint without a range is written as continuous; a limit that URDF asks for and the
    robot does not have is 1e30. A joint that is coupled to one other becomes its <mimic>; one that is coupled to
    several has no place in a URDF and is an error.

    >>> import dynamis
    >>> print("\\n".join(write_urdf(dynamis.load("genova-2r")).splitlines()[11:17]))
      <joint name="q1" type="continuous">
        <parent link="base" />
        <child link="link1" />
        <origin xyz="0 0 0" rpy="0 0 0" />
        <axis xyz="0 0 1" />
      </joint>
    """
    scalars = robot.floats()
    root = ET.Element("robot", name=robot.name)
    gravity = ", ".join(_text(evaluate(entry, scalars)) for entry in robot.gravity)
    root.append(ET.Comment(f"gravity is not part of URDF; this robot's is ({gravity}) m/s^2 in base axes"))
    ET.SubElement(root, "link", name=robot.base)
    origins = {robot.base: Vector(0.0, 0.0, 0.0)}
    for link in robot.links:
        origins[link.name] = _write_link(root, link, origins[link.parent], scalars)
    for frame, link_name, joint_name in _frame_names(robot):
        R, p = frame.placement.evaluate(scalars)
        ET.SubElement(root, "link", name=link_name)
        _write_joint(root, joint_name, "fixed", frame.link, link_name, R, origins[frame.link] + p)
    for joint in robot.joints:
        _write_motor(root, joint, scalars)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _write_link(root: ET.Element, link: Link, parent_origin: Vector[float], scalars: Floats) -> Vector[float]:
    """A link and its joint; the result is the origin of its frame from its joint point."""
    joint = link.joint
    before_R, before_p = joint.before.evaluate(scalars)
    after_R, after_p = joint.after.evaluate(scalars)
    origin = after_R.T @ after_p
    body = ET.SubElement(root, "link", name=link.name)
    _write_inertial(body, link, origin, scalars)
    element = _write_joint(
        root, joint.name, _kind(joint), link.parent, link.name, before_R.times(after_R), parent_origin + before_p
    )
    if joint.moves:
        axis: Vector[float] = Vector(*(evaluate(entry, scalars) for entry in joint.axis))
        ET.SubElement(element, "axis", xyz=_texts(after_R.T @ axis))
        _write_limits(element, joint, scalars)
        if others := without_a_place(joint):
            values = ", ".join(f"{key} = {_text(evaluate(getattr(joint, key), scalars))}" for key in others)
            element.append(ET.Comment(f"forces that are not part of URDF: {values}"))
        damping, friction = evaluate(joint.forces.damping, scalars), evaluate(joint.forces.coulomb, scalars)
        if damping or friction:
            ET.SubElement(element, "dynamics", damping=_text(damping), friction=_text(friction))
        _write_mimic(element, joint, scalars)
    return origin


def without_a_place(joint: Joint) -> list[str]:
    """The forces of a joint for which a URDF has no place: it has them as comments."""
    return [key for key in FORCE_KEYS if key not in ALWAYS and getattr(joint, key) != ZERO]


def _write_mimic(element: ET.Element, joint: Joint, scalars: Floats) -> None:
    if len(joint.coupling) > 1:
        followed = name_list(name for name, _ in joint.coupling)
        raise ArgumentError(
            f'joint "{joint.name}" is coupled to {followed}; <mimic> of a URDF follows one joint: write a .toml'
        )
    for name, factor in joint.coupling:
        multiplier, offset = evaluate(factor, scalars), evaluate(joint.coupling_offset, scalars)
        ET.SubElement(element, "mimic", joint=name, multiplier=_text(multiplier), offset=_text(offset))


def _write_inertial(body: ET.Element, link: Link, origin: Vector[float], scalars: Floats) -> None:
    mass = evaluate(link.mass, scalars)
    com: Vector[float] = Vector(*(evaluate(entry, scalars) for entry in link.com))
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = link.inertia.about_com(mass, com, scalars)
    six = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
    if mass == 0 and not any(six.values()):
        return
    inertial = ET.SubElement(body, "inertial")
    ET.SubElement(inertial, "origin", xyz=_texts(origin + com), rpy="0 0 0")
    ET.SubElement(inertial, "mass", value=_text(mass))
    ET.SubElement(inertial, "inertia", {key: _text(value) for key, value in six.items()})


def _write_joint(
    root: ET.Element, name: str, kind: str, parent: str, child: str, R: Matrix[float], p: Vector[float]
) -> ET.Element:
    element = ET.SubElement(root, "joint", name=name, type=kind)
    ET.SubElement(element, "parent", link=parent)
    ET.SubElement(element, "child", link=child)
    ET.SubElement(element, "origin", xyz=_texts(p), rpy=_texts(roll_pitch_yaw(R)))
    return element


def _kind(joint: Joint) -> str:
    free = joint.limits.lower is None and joint.limits.upper is None
    return "continuous" if joint.kind == "revolute" and free else joint.kind


def _write_limits(element: ET.Element, joint: Joint, scalars: Floats) -> None:
    def text(limit: Expression | None, none: int = NO_LIMIT) -> str:
        return _text(float(none) if limit is None else evaluate(limit, scalars))

    limits, attributes = joint.limits, dict[str, str]()
    if _kind(joint) != "continuous":
        attributes = {"lower": text(limits.lower, -NO_LIMIT), "upper": text(limits.upper)}
    if attributes or limits.velocity is not None or limits.effort is not None:
        ET.SubElement(element, "limit", attributes, effort=text(limits.effort), velocity=text(limits.velocity))


def _write_motor(root: ET.Element, joint: Joint, scalars: Floats) -> None:
    ratio, inertia = evaluate(joint.gear_ratio, scalars), evaluate(joint.rotor_inertia, scalars)
    if ratio == 1 and inertia == 0:
        return
    transmission = ET.SubElement(root, "transmission", name=f"{joint.name}_transmission")
    ET.SubElement(transmission, "type").text = "transmission_interface/SimpleTransmission"
    ET.SubElement(transmission, "joint", name=joint.name)
    actuator = ET.SubElement(transmission, "actuator", name=f"{joint.name}_motor")
    ET.SubElement(actuator, "mechanicalReduction").text = _text(ratio)
    ET.SubElement(actuator, "motorInertia").text = _text(inertia)


def _frame_names(robot: RobotModel) -> list[tuple[Frame, str, str]]:
    """The frames, the tool first, each with a name for its link and one for its joint."""
    links = {robot.base, *(link.name for link in robot.links)}
    joints = {link.joint.name for link in robot.links}
    frames: list[tuple[Frame, str, str]] = []
    for frame in (*([robot.tool] if robot.tool else []), *robot.frames):
        link = _free(frame.name, links, "_frame")
        joint = _free(f"{link}_fixed", joints, "_fixed")
        links.add(link)
        joints.add(joint)
        frames.append((frame, link, joint))
    return frames


def _free(name: str, names: set[str], ending: str) -> str:
    while name in names:
        name += ending
    return name


def roll_pitch_yaw(R: Matrix[float]) -> tuple[float, float, float]:
    """Roll, pitch, yaw [rad] with R = Rz(yaw) Ry(pitch) Rx(roll), accurate at pitch = pi/2 too.

    >>> roll_pitch_yaw(Matrix(Vector(0.0, 0.0, 1.0), Vector(0.0, 1.0, 0.0), Vector(-1.0, 0.0, 0.0)))
    (0.0, 1.5707963267948966, 0.0)
    """
    across = math.hypot(R.a.x, R.b.x)
    pitch = math.atan2(-R.c.x, across)
    yaw = math.atan2(R.b.x, R.a.x) if across > 1e-15 else 0.0
    # The roll that goes with this yaw: the second row of Rz(-yaw) R is (0, cos roll, -sin roll).
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * R.a.z - c * R.b.z, c * R.b.y - s * R.a.y)
    return _clean(roll), _clean(pitch), _clean(yaw)


def _clean(angle: float) -> float:
    return 0.0 if abs(angle) < 1e-15 else angle


def _texts(values: Iterable[Any]) -> str:
    return " ".join(_text(value) for value in values)


def _text(value: float) -> str:
    """The shortest decimal that reads back as the same float."""
    text = repr(float(value) + 0.0)
    return text.removesuffix(".0")
