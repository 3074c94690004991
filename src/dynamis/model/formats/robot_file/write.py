"""Writing the native file: what it writes, `read_robot` reads back as the same robot."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from dynamis.base.errors import ArgumentError, ExpressionError
from dynamis.base.expressions.expression import ONE, ZERO, Expression, Number, decimal_text
from dynamis.base.expressions.parser import MAX_LENGTH, MAX_TOKENS, parse
from dynamis.base.printable import visible
from dynamis.model.inertia import Inertia
from dynamis.model.joint_forces import FORCE_KEYS
from dynamis.model.link import Joint, Link
from dynamis.model.robot import Frame, RobotModel

MAX_TEXT = 24
_BARE = re.compile(r"-?\d+(\.\d+)?")


def write_toml(robot: RobotModel) -> str:
    """The robot as a native file, in the convention "offset".

    Symbols and decimals are kept exactly; only fractions of more than 24 characters, which merged
    links have, are rounded to floats.
    """
    head = ["[robot]", f"name = {_text(robot.name)}"]
    if robot.description:
        head.append(f"description = {_text(robot.description)}")
    if robot.source:
        head.append(f"source = {_text(robot.source)}")
    if robot.base != "base":
        head.append(f"base = {_text(robot.base)}")
    head += ['convention = "offset"', f"gravity = {_list(robot.gravity)}"]
    parts = ["\n".join(head)]
    if any(robot.parameters.values()) or robot.missing_values:
        parts.append("\n".join(["[parameters]", *(f"{k} = {_text(v)}" for k, v in robot.parameters.items())]))
    if robot.values:
        parts.append("\n".join(["[values]", *(f"{k} = {_value(v)}" for k, v in robot.values.items())]))
    parts += [_link(link) for link in robot.links]
    parts += [_frame("[[frame]]", frame) for frame in robot.frames]
    if robot.tool is not None:
        parts.append(_frame("[tool]", robot.tool))
    return "\n\n".join(parts) + "\n"


def _link(link: Link) -> str:
    joint = link.joint
    lines = ["[[link]]", f"name = {_text(link.name)}", f"parent = {_text(link.parent)}"]
    if joint.before.steps:
        lines.append(f"placement = {_text(str(joint.before))}")
    if joint.moves:
        lines.append(f"axis = {_list(joint.axis)}")
    if joint.after.steps:
        lines.append(f"after = {_text(str(joint.after))}")
    if link.mass != ZERO:
        lines.append(f"mass = {_value(link.mass)}")
    if any(entry != ZERO for entry in link.com):
        lines.append(f"com = {_list(link.com)}")
    if link.inertia != Inertia():
        lines.append(f"inertia = {_inertia(link.inertia)}")
    return "\n".join([*lines, *_joint(joint)])


def _joint(joint: Joint) -> list[str]:
    lines = ["[link.joint]", f"name = {_text(joint.name)}", f"kind = {_text(joint.kind)}"]
    limits = dict(joint.limits.items())
    pairs: list[str] = []
    both = "lower" in limits and "upper" in limits
    if both:
        pairs.append(f"position = {_list([limits['lower'], limits['upper']])}")
    pairs += [f"{key} = {_value(value)}" for key, value in limits.items() if not both or key in ("velocity", "effort")]
    if pairs:
        lines.append(f"limits = {{ {', '.join(pairs)} }}")
    drive = (*((key, getattr(joint, key), ZERO) for key in FORCE_KEYS),
             ("gear_ratio", joint.gear_ratio, ONE), ("rotor_inertia", joint.rotor_inertia, ZERO),
             ("coupling_offset", joint.coupling_offset, ZERO))  # fmt: skip
    if joint.coupling:
        followed = (f"{_text(name)} = {_value(factor)}" for name, factor in joint.coupling)
        lines.append(f"coupling = {{ {', '.join(followed)} }}")
    return [*lines, *(f"{key} = {_value(value)}" for key, value, default in drive if value != default)]


def _inertia(inertia: Inertia) -> str:
    m = inertia.matrix
    pairs = [f"about = {_text(inertia.about)}"]
    if inertia.axes.steps:
        pairs.append(f"axes = {_text(str(inertia.axes))}")
    if m[0][1] == m[1][0] and m[0][2] == m[2][0] and m[1][2] == m[2][1]:
        six = {"xx": m[0][0], "yy": m[1][1], "zz": m[2][2], "xy": m[0][1], "xz": m[0][2], "yz": m[1][2]}
        pairs += [f"{key} = {_value(value)}" for key, value in six.items() if value != ZERO]
    else:
        pairs.append(f"matrix = [{', '.join(_list(row) for row in m)}]")
    if inertia.allow_unphysical:
        pairs.append("allow_unphysical = true")
    return f"{{ {', '.join(pairs)} }}"


def _frame(header: str, frame: Frame) -> str:
    lines = [header] if header == "[tool]" else [header, f"name = {_text(frame.name)}"]
    lines.append(f"link = {_text(frame.link)}")
    if frame.placement.steps:
        lines.append(f"placement = {_text(str(frame.placement))}")
    return "\n".join(lines)


def _list(values: Iterable[Expression]) -> str:
    return f"[{', '.join(map(_value, values))}]"


def _value(expression: Expression) -> str:
    """A decimal bare, anything else in quotes; a quotient that is long to read is rounded to 17 digits."""
    if isinstance(expression, Number):
        text = decimal_text(expression.value)
        if _BARE.fullmatch(text) and len(text) <= MAX_TEXT:
            return text
        if len(text) > MAX_TEXT:
            return repr(float(expression.value))
    text = str(expression)
    if len(text) > MAX_LENGTH or text.count("*") + text.count("+") > MAX_TOKENS // 3:
        try:
            parse(text)
        except ExpressionError:
            raise ArgumentError(
                f'a value of the robot is a formula of {len(text)} characters ("{text[:30]}..."), more than a file '
                "holds; give some of its symbols values before it is written"
            ) from None
    return _text(text)


def _text(text: str) -> str:
    """In quotes; control characters, which TOML does not allow (DEL) or which hide text, are escapes."""
    return visible(json.dumps(text, ensure_ascii=False))
