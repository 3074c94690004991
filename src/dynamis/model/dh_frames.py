"""Denavit-Hartenberg frames: whether a robot is written in them, and which step of a joint is a, d, alpha or theta."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dynamis.model.joint_text import brief
from dynamis.model.link import Z_AXIS, Joint
from dynamis.model.placement import Placement, Step
from dynamis.model.robot import RobotModel

Convention = Literal["standard", "modified", ""]
LETTERS = {"Tx": "a", "Tz": "d", "Rx": "alpha", "Rz": "theta"}


def dh_convention(robot: RobotModel) -> Convention:
    """`standard`, Rz(theta) Tz(d) Tx(a) Rx(alpha), or `modified`, Rx(alpha) Tx(a) Rz(theta) Tz(d); else empty.

    Joints that only slide or turn between offsets along x could be either; their lengths need no D-H names.

    >>> import dynamis
    >>> [dh_convention(dynamis.load(name)) for name in ("puma560", "panda", "genova-2r")]
    ['standard', 'modified', '']
    """
    joints = [link.joint for link in robot.links]
    if any(joint.axis != Z_AXIS for joint in joints):
        return ""
    if all(map(_is_standard, joints)) and any(joint.after.steps for joint in joints):
        return "standard"
    if all(_is_modified(joint) for joint in joints) and any(joint.before.rotates() for joint in joints):
        return "modified"
    return ""


def dh_name(convention: Convention, step: Step, link: int) -> tuple[str, str]:
    """The D-H letter of a step of the joint of a link (from 1) and its number; both empty without a convention.

    >>> dh_name("modified", Step("T", "x", 0), 3)
    ('a', '2')
    """
    letter = LETTERS.get(f"{step.kind}{step.axis}", "") if convention else ""
    before = convention == "modified" and step.axis == "x"
    return letter, str(link - before) if letter else ""


def dh_parameters(joint: Joint) -> dict[str, str]:
    """theta, d, a and alpha of a joint in D-H frames, as they are written; its coordinate is added to theta or d.

    >>> import dynamis
    >>> dh_parameters(dynamis.load("puma560").links[2].joint)
    {'theta': 'q3', 'd': 'd3', 'a': 'a3', 'alpha': '-pi/2'}
    """
    parts: dict[str, list[str]] = {letter: [] for letter in ("theta", "d", "a", "alpha")}
    for step in (*joint.before.steps, *joint.after.steps):
        parts[LETTERS[f"{step.kind}{step.axis}"]].append(brief(step.amount))
    if joint.moves:
        parts["theta" if joint.revolute else "d"].insert(0, joint.name)
    return {letter: " + ".join(texts).replace("+ -", "- ") or "0" for letter, texts in parts.items()}


def _is_standard(joint: Joint) -> bool:
    if joint.kind == "fixed":
        return _within(joint.before, ("Rz", "Tz", "Tx", "Rx")) and not joint.after.steps
    moving = ("Rz", "Tz") if joint.kind == "prismatic" else ("Rz",)
    return _within(joint.before, moving) and _within(joint.after, ("Tz", "Tx", "Rx"))


def _is_modified(joint: Joint) -> bool:
    return _within(joint.before, ("Rx", "Tx", "Rz", "Tz")) and not joint.after.steps


def _within(placement: Placement, order: Sequence[str]) -> bool:
    """Whether the steps are some of these, in their order."""
    rest = iter(order)
    return all(f"{step.kind}{step.axis}" in rest for step in placement.steps)
