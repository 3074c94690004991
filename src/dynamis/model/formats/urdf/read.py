"""URDF: the robot file of ROS (wiki.ros.org/urdf/XML).

The root link becomes the base; links on fixed joints are merged into their parents and stay as
frames. A fixed link at the end that is called as tools are called is the tool (`_TOOLS`). Gravity is not in a URDF:
it is (0, 0, -9.81).
Collisions and what simulators add are not read; `visuals.py` reads visuals for pictures.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dynamis.base.errors import DynamisError, ModelError, UnknownNameError, name_list
from dynamis.base.expressions.expression import ONE, ZERO, Expression, Number
from dynamis.model.checks import unphysical
from dynamis.model.degrees_meant import DegreesMeant, with_places
from dynamis.model.fields import check_name
from dynamis.model.formats.urdf.values import (
    EXPAND,
    NO_LIMIT,
    angle,
    decimal,
    number,
    origin,
    origin_values,
    rotation,
    three,
)
from dynamis.model.formats.xml_tree import Element, parse_xml
from dynamis.model.inertia import Inertia
from dynamis.model.link import KINDS, Axis, Joint, Limits, Link
from dynamis.model.merge_fixed import merge_fixed
from dynamis.model.robot import MAX_LINKS, Frame, RobotModel

# Where the entries of a model's error stand in the file: in <inertial>, or in a part of <joint>.
_LINK_KEYS = ("mass", "com", "inertia")
_JOINT_PARTS = {"limits": "limit", "damping": "dynamics", "coulomb": "dynamics", "axis": "axis", "coupling": "mimic"}

# What URDFs call the frame of the tool, the surest name first; in a name such as left_arm_tool0 or hand_tcp_frame, too.
_TOOLS = tuple(
    re.compile(rf"(.+[_-])?({name})([_-](link|frame))?", re.IGNORECASE)
    for name in ("tool", "tool0", "tcp|tool[_-]?center[_-]?point", "eef?|end[_-]?effector", "flange", "hand")
)


def read_urdf(text: str, file: str) -> RobotModel:
    """The robot that a URDF text describes; `file` is its name in errors."""
    root = parse_xml(text, file)
    _refuse_xacro(root)
    if root.tag != "robot":
        root.fail(f"the file starts with <{root.tag}>; a URDF starts with <robot>")
    name = root.require("name")
    links, joints = _by_name(root, "link"), _by_name(root, "joint")
    ends = {joint: _parent_and_child(element, joint, links) for joint, element in joints.items()}
    base = _root_link(links, joints, ends, root)
    motors = _motors(root, joints)
    bodies = [
        _read_link(child, links[child], parent, _read_joint(joint, joints[joint], motors.get(joint, {})))
        for joint, (parent, child) in ends.items()
    ]
    by_child = {child: joints[joint] for joint, (_, child) in ends.items()}
    if not bodies:
        root.fail(f'robot "{name}" has no joint; at least one that moves is needed')
    notes = (*_base_note(base, links[base]), *_mimic_note(joints))
    with root.place(), _placing_errors(links, by_child):
        robot = RobotModel(name, tuple(bodies), base, tool=_tool(bodies), notes=notes)
        return merge_fixed(with_places(robot, file, partial(_line_of_angles, by_child)))


def _line_of_angles(joints: Mapping[str, Element], found: DegreesMeant) -> int | None:
    """The line of an <origin> or a <limit>."""
    joint = joints[found.link]
    return (joint.first("limit" if found.key == "limits" else "origin") or joint).line


def _refuse_xacro(root: Element) -> None:
    for element in root.walk():
        for name in (element.tag, *element.attributes):
            if name.startswith("xacro:"):
                element.fail(f"{name} is xacro, which is not URDF yet; {EXPAND}")


def _by_name(root: Element, tag: str) -> dict[str, Element]:
    """The <link>s or <joint>s by name, in document order."""
    elements: dict[str, Element] = {}
    for element in root.all(tag):
        name = element.require("name")
        if name in elements:
            first = elements[name].line
            element.fail(f'{tag} name "{name}" is used twice, first in line {first}; each {tag} has its own name')
        with element.place():
            check_name(tag, name)
        elements[name] = element
    if len(elements) > MAX_LINKS:
        root.fail(f"the robot has {len(elements)} {tag}s; at most {MAX_LINKS} are read")
    return elements


def _parent_and_child(joint: Element, name: str, links: Mapping[str, Element]) -> tuple[str, str]:
    ends: list[str] = []
    for tag in ("parent", "child"):
        end = joint.first(tag)
        if end is None:
            joint.fail(f'joint "{name}" has no <{tag}>; a joint has a <parent> and a <child>')
        link = end.require("link")
        if link not in links:
            within = f'<{tag}> of joint "{name}"'
            raise UnknownNameError("link", link, links, within=within).at(end.file, end.line)
        ends.append(link)
    return ends[0], ends[1]


def _root_link(
    links: Mapping[str, Element], joints: Mapping[str, Element], ends: Mapping[str, tuple[str, str]], root: Element
) -> str:
    """The one link that no joint carries; every other link has one joint."""
    carried_by: dict[str, str] = {}
    for joint, (_, child) in ends.items():
        if child in carried_by:
            raise ModelError(
                f'link "{child}" is the child of joint "{carried_by[child]}" and of joint "{joint}"; '
                "a link has one parent, loops are not read"
            ).at(root.file, joints[joint].line)
        carried_by[child] = joint
    roots = [name for name in links if name not in carried_by]
    if not links:
        root.fail("the robot has no <link>; at least two links and a joint are needed")
    if not roots:
        root.fail("every link is the child of a joint, in a cycle; one link, the root, is on no joint")
    if len(roots) > 1:
        links[roots[1]].fail(
            f"{len(roots)} links are on no joint: {name_list(roots)}; only one link, the root, is on none"
        )
    return roots[0]


def _read_joint(name: str, joint: Element, motor: Mapping[str, Any]) -> Joint:
    kind = _kind(name, joint)
    before = origin(joint)
    if kind == "fixed":
        with joint.place():
            return Joint(name, "fixed", before=before)
    axis, dynamics = joint.first("axis"), joint.first("dynamics")
    with (axis or joint).place():
        moving = Joint(
            name, kind, (ONE, ZERO, ZERO) if axis is None else three(axis, "xyz"), before, limits=_limits(joint, kind),
            damping=_optional(dynamics, "damping") or ZERO, coulomb=_optional(dynamics, "friction") or ZERO,
            **motor,
        )  # fmt: skip
    return _couple_mimic(moving, joint.first("mimic"))


def _couple_mimic(joint: Joint, mimic: Element | None) -> Joint:
    """The joint with its <mimic joint multiplier offset>, if it has one."""
    if mimic is None:
        return joint
    factor, offset = _optional(mimic, "multiplier"), _optional(mimic, "offset") or Number(Fraction(0))
    with mimic.place():
        return replace(
            joint,
            coupling=((mimic.require("joint"), ONE if factor is None else factor),),
            coupling_offset=angle(offset) if joint.revolute else offset,
        )


def _kind(name: str, joint: Element) -> Any:
    kind = joint.require("type")
    if kind in ("floating", "planar"):
        joint.fail(f'joint "{name}" is {kind}; the joints that are read are {", ".join(KINDS)}')
    if kind not in KINDS:
        raise UnknownNameError("type", kind, KINDS, within=f'joint "{name}"').at(joint.file, joint.line)
    return kind


def _limits(joint: Element, kind: str) -> Limits:
    """An end of the range that is left out is 0 (as URDF has it); both left out: no range."""
    limit = joint.first("limit")
    lower, upper, velocity, effort = (_optional(limit, key) for key in ("lower", "upper", "velocity", "effort"))
    if kind == "continuous":
        lower = upper = None
    elif lower is not None or upper is not None:
        lower, upper = lower or Number(Fraction(0)), upper or Number(Fraction(0))
    ends = (None if end is None or abs(end.value) >= NO_LIMIT else end for end in (lower, upper, velocity, effort))
    return Limits(*ends)


def _optional(element: Element | None, attribute: str) -> Number | None:
    return number(element, attribute) if element is not None and attribute in element.attributes else None


def _read_link(name: str, link: Element, parent: str, joint: Joint) -> Link:
    mass, com, inertia = _inertial(name, link)
    with link.place():
        return Link(name, joint, parent, mass, com, inertia)


def _inertial(name: str, link: Element) -> tuple[Expression, Axis, Inertia]:
    """Mass, CoM and inertia; the inertia is about the CoM, in axes turned by the rpy of its origin.

    Many a published inertia is one that no body has, so those warn and are no error.
    """
    inertial = link.first("inertial")
    if inertial is None:
        return ZERO, (ZERO, ZERO, ZERO), Inertia()
    mass, tensor = inertial.first("mass"), inertial.first("inertia")
    if mass is None or tensor is None:
        missing = "mass" if mass is None else "inertia"
        inertial.fail(f'<inertial> of link "{name}" has no <{missing}>; it has a <mass> and an <inertia>')
    value = number(mass, "value")
    if value.value < 0:
        error = ModelError(f'link "{name}" has mass {value}; a mass is >= 0', link=name, key="mass")
        raise error.at(mass.file, mass.line)
    xx, yy, zz, xy, xz, yz = (number(tensor, key) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    rows = (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)
    wrong = unphysical(np.array([[float(entry.value) for entry in row] for row in rows]))
    inertia = Inertia(rows, axes=rotation(inertial), allow_unphysical=wrong is not None)
    return value, origin_values(inertial, "xyz"), inertia


def _base_note(base: str, link: Element) -> tuple[str, ...]:
    mass, _, _ = _inertial(base, link)
    return () if mass == ZERO else (f'base link "{base}" does not move: its mass {mass} kg is left out',)


def _mimic_note(joints: Mapping[str, Element]) -> tuple[str, ...]:
    """What is not read: <mimic> of a joint that was made fixed, as in some published files, and a second <mimic>."""
    idle = [name for name, joint in joints.items() if joint.first("mimic") and joint.attributes.get("type") == "fixed"]
    several = [name for name, joint in joints.items() if len(joint.all("mimic")) > 1 and name not in idle]
    notes = (f"<mimic> of a fixed joint has no effect and is ignored: {name_list(idle)}",) if idle else ()
    return (*notes, *([f"only the first <mimic> of a joint is read: {name_list(several)}"] if several else ()))


def _tool(links: Sequence[Link]) -> Frame | None:
    """The fixed link that is called as tools are, else the frame of the only link that carries no moving one."""
    if any(link.name == "tool" and not link.joint.moves for link in links):
        return Frame("tool", "tool")
    parent = {link.name: link.parent for link in links}
    moving = [link.name for link in links if link.joint.moves]
    carrying: set[str] = set()
    for name in moving:
        above = parent[name]
        while above in parent and above not in carrying:
            carrying.add(above)
            above = parent[above]
    tips = [name for name in moving if name not in carrying]
    ends = [
        link.name
        for link in links
        if not link.joint.moves
        and link.name not in parent.values()
        and (_carrier(link.name, parent, moving) in tips or len(tips) > 1)
    ]
    for names in _TOOLS:
        if called := [name for name in ends if names.fullmatch(name)]:
            return Frame("tool", called[0]) if len(called) == 1 else None
    return Frame("tool", tips[0]) if len(tips) == 1 else None


def _carrier(name: str, parent: Mapping[str, str], moving: Sequence[str]) -> str:
    """The moving link, or the base, that a link stands on through fixed joints."""
    while name in parent and name not in moving:
        name = parent[name]
    return name


def _motors(root: Element, joints: Mapping[str, Element]) -> dict[str, dict[str, Expression]]:
    """What <transmission>s say of the rotors, where they give a motorInertia (as write_urdf does).

    URDF has no place of its own for it, so a transmission without one is left alone.
    """
    motors: dict[str, dict[str, Expression]] = {}
    for transmission in root.all("transmission"):
        joint, actuator = transmission.first("joint"), transmission.first("actuator")
        inertia = actuator.first("motorInertia") if actuator else None
        if joint is None or actuator is None or inertia is None:
            continue
        name = joint.require("name")
        if name not in joints:
            raise UnknownNameError("joint", name, joints, within="<transmission>").at(joint.file, joint.line)
        parts = {"rotor_inertia": inertia, "gear_ratio": actuator.first("mechanicalReduction")}
        motors[name] = {
            key: decimal(part, "the text", part.text.strip()) for key, part in parts.items() if part is not None
        }
    return motors


@contextmanager
def _placing_errors(links: Mapping[str, Element], joints: Mapping[str, Element]) -> Generator[None]:
    """Give a model's error the line of what it is about; `joints` are by their child link."""
    try:
        yield
    except DynamisError as error:
        if error.link is not None and error.link in joints:
            outer = links[error.link] if error.key in _LINK_KEYS else joints[error.link]
            part = "inertial" if error.key in _LINK_KEYS else _JOINT_PARTS.get(error.key or "", "")
            place = outer.first(part) or outer
            error.at(place.file, place.line)
        raise
