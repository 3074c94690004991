"""A robot as people read it: tables of joints and links, the chain of transforms; and as JSON."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from dynamis.document.tables import short, text_table
from dynamis.expressions.expression import Expression, Number
from dynamis.model.checks import inertia_about_com
from dynamis.model.inertia import Inertia
from dynamis.model.link import Joint, Link
from dynamis.model.robot import Frame, RobotModel
from dynamis.printable import visible
from dynamis.scalars.floats import number

WIDTH = 100
# A number of more characters is shown in six digits.
BRIEF = 9


def describe(robot: RobotModel) -> str:
    """The robot as text: who it is, its joints from 1, its links, its frames, its parameters."""
    parts = [_head(robot), _joint_table(robot), _drive_table(robot), _link_table(robot), _chain(robot), _frames(robot)]
    parts += [_parameters(robot), "\n".join(f"note: {note}" for note in robot.notes)]
    return visible("\n\n".join(part for part in parts if part))


def as_dict(robot: RobotModel) -> dict[str, Any]:
    """The robot as plain data: expressions as texts, and their numbers where they are known."""

    def value(expression: Expression | None) -> Any:
        if expression is None:
            return None
        found = number(expression, robot.values)
        return found if isinstance(expression, Number) else {"expression": str(expression), "value": found}

    def joint(j: Joint) -> dict[str, Any]:
        return {
            "name": j.name, "number": robot.joints.index(j) + 1 if j.moves else None, "kind": j.kind,
            "axis": [value(e) for e in j.axis], "before": str(j.before), "after": str(j.after),
            "limits": {key: value(e) for key, e in j.limits.items()}, "unit": j.unit,
            "damping": value(j.damping), "coulomb": value(j.coulomb),
            "gear_ratio": value(j.gear_ratio), "rotor_inertia": value(j.rotor_inertia),
        }  # fmt: skip

    def link(k: Link) -> dict[str, Any]:
        tensor = inertia_about_com(k, robot)
        given = [[str(entry) for entry in row] for row in k.inertia.matrix]
        return {
            "name": k.name, "parent": k.parent, "joint": joint(k.joint), "mass": value(k.mass),
            "com": [value(e) for e in k.com],
            "inertia": {"about": k.inertia.about, "axes": str(k.inertia.axes), "matrix": given},
            "inertia_about_com": None if tensor is None else tensor.tolist(),
        }  # fmt: skip

    def frame(f: Frame | None) -> dict[str, Any] | None:
        return f and {"name": f.name, "link": f.link, "placement": str(f.placement)}

    return {
        "name": robot.name, "description": robot.description, "source": robot.source, "joints": robot.n,
        "base": robot.base, "gravity": [value(e) for e in robot.gravity],
        "links": [link(k) for k in robot.links], "frames": [frame(f) for f in robot.frames],
        "tool": frame(robot.tool), "parameters": dict(robot.parameters),
        "values": {name: number(e, {}) for name, e in robot.values.items()},
        "missing_values": list(robot.missing_values), "notes": list(robot.notes),
    }  # fmt: skip


def motion_text(joint: Joint) -> str:
    """The moving step of a joint: `Rz(q1)`, `Tx(-q2)`, `R[0.6, 0.8, 0](q3)`."""
    letter = "R" if joint.turns else "T"
    if along := frame_axis(joint):
        return f"{letter}{along[0]}({'-' if along[1] < 0 else ''}{joint.name})"
    return f"{letter}[{', '.join(map(_brief, joint.axis))}]({joint.name})"


def frame_axis(joint: Joint) -> tuple[str, int] | None:
    """("z", -1) where the axis of a joint is one of the frame's, in its direction or against it; else None."""
    axis = [entry.value if isinstance(entry, Number) else None for entry in joint.axis]
    for k, name in enumerate("xyz"):
        if axis[k] in (1, -1) and all(axis[m] == 0 for m in range(3) if m != k):
            return name, int(axis[k] or 0)
    return None


def frame_text(joint: Joint) -> str:
    """The transform of a link on its parent as a chain."""
    places = joint.before, joint.after
    before, after = ([f"{s.kind}{s.axis}({_brief(s.amount)})" for s in place.steps] for place in places)
    return " ".join([*before, *([motion_text(joint)] if joint.moves else []), *after]) or "1"


def _brief(expression: Expression) -> str:
    """As it is written, or in six digits where that is long: a table is for the eye, files and JSON are exact."""
    text = str(expression)
    if len(text) <= BRIEF or expression.parameters() or "pi" in text:
        return text
    value = number(expression, {})
    return text if value is None else short(value)


def _wrapped(text: str) -> str:
    return fill(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _fits(table: str) -> bool:
    return all(len(line) <= WIDTH for line in table.splitlines())


def _head(robot: RobotModel) -> str:
    moving = "1 joint" if robot.n == 1 else f"{robot.n} joints"
    total = [number(link.mass, robot.values) for link in robot.links]
    masses = [mass for mass in total if mass is not None]
    weight = f", {short(sum(masses))} kg" if len(masses) == len(total) else ""
    gravity = ", ".join(_with_value(entry, robot) for entry in robot.gravity)
    links = "1 link" if len(robot.links) == 1 else f"{len(robot.links)} links"
    lines = [f"{robot.name}: {moving}, {links}{weight}", fill(robot.description, WIDTH)]
    lines += [
        fill(f"source: {robot.source}", WIDTH) if robot.source else "",
        f"gravity [{gravity}] m/s^2 in frame {robot.base}",
    ]
    if robot.missing_values:
        lines.append(_wrapped(f"no values yet for: {', '.join(robot.missing_values)}"))
    return "\n".join(line for line in lines if line)


def _joint_table(robot: RobotModel) -> str:
    rows: list[list[str]] = []
    count = 0
    for link in robot.links:
        joint = link.joint
        count += joint.moves
        limits = {name: _with_value(e, robot, brief=True) for name, e in joint.limits.items()}
        ends = [limits.get("lower", ""), limits.get("upper", "")]
        position = " .. ".join(ends) if any(ends) else ""
        rows.append([
            str(count) if joint.moves else "-", joint.name, joint.kind, f"{link.parent} -> {link.name}",
            frame_text(joint), position, limits.get("velocity", ""), limits.get("effort", ""),
        ])  # fmt: skip
    header = ["", "joint", "kind", "parent -> link", "transform", "limits", "velocity", "effort"]
    keep = [k for k in range(len(header)) if k < 5 or any(row[k] for row in rows)]
    whole = text_table([header[k] for k in keep], [[row[k] for k in keep] for row in rows], left=5)
    if _fits(whole):
        return whole
    narrow = [k for k in keep if header[k] != "transform"]
    table = text_table([header[k] for k in narrow], [[row[k] for k in narrow] for row in rows], left=4)
    return "\n".join([table, "", *(_wrapped(f"{row[3]}: {row[4]}") for row in rows)])


def _drive_table(robot: RobotModel) -> str:
    """Friction and rotors, if any joint has them."""
    rows = [
        [
            str(k),
            joint.name,
            *(_with_value(e, robot) for e in (joint.damping, joint.coulomb, joint.gear_ratio, joint.rotor_inertia)),
        ]
        for k, joint in enumerate(robot.joints, 1)
    ]
    if all(row[2:] == ["0", "0", "1", "0"] for row in rows):
        return ""
    return text_table(["", "joint", "damping", "coulomb", "gear ratio", "rotor inertia [kg m^2]"], rows, left=2)


def _link_table(robot: RobotModel) -> str:
    rows: list[list[str]] = []
    for link in robot.links:
        tensor, given = inertia_about_com(link, robot), link.inertia
        six = [
            short(tensor[i][j]) if tensor is not None else str(given.matrix[i][j])
            for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        ]
        form = "" if tensor is not None else _form(given)
        rows.append([link.name, _with_value(link.mass, robot), *(_with_value(e, robot) for e in link.com), *six, form])
    header = ["link", "mass [kg]", "com x [m]", "y", "z", "Ixx [kg m^2]", "Iyy", "Izz", "Ixy", "Ixz", "Iyz", "given"]
    odd = any(row[-1] for row in rows)
    rows = rows if odd else [row[:-1] for row in rows]
    note = "inertia about the CoM, in link axes" + (" except where it says otherwise" if odd else "")
    whole = text_table(header[: len(rows[0])], rows)
    if not _fits(whole):
        bodies = text_table(header[:5], [row[:5] for row in rows])
        tensors = text_table(["link", *header[5 : len(rows[0])]], [[row[0], *row[5:]] for row in rows])
        whole = f"{bodies}\n\n{tensors}"
    return f"{whole}\n{note}"


def _form(inertia: Inertia) -> str:
    """How a symbolic tensor is given, where that is not about the CoM in link axes."""
    about = ["about the origin"] if inertia.about == "origin" else []
    return ", ".join(about + ([f"in axes {inertia.axes}"] if inertia.axes.steps else []))


def _chain(robot: RobotModel) -> str:
    parents = [link.parent for link in robot.links]
    if parents != [robot.base, *(link.name for link in robot.links[:-1])]:
        return ""
    steps = " ".join(frame_text(link.joint) for link in robot.links if frame_text(link.joint) != "1")
    tool = f" {robot.tool.placement}" if robot.tool and robot.tool.placement.steps else ""
    return _wrapped(f"chain: {steps}{tool}")


def _frames(robot: RobotModel) -> str:
    frames = [*robot.frames, *([robot.tool] if robot.tool else [])]
    return "\n".join(
        _wrapped(
            f"frame {frame.name}: "
            + (f"{frame.placement} on {frame.link}" if frame.placement.steps else f"that of {frame.link}")
        )
        for frame in frames
    )


def _parameters(robot: RobotModel) -> str:
    if not robot.parameters:
        return ""
    rows = [[name, str(robot.values.get(name, "-")), text] for name, text in robot.parameters.items()]
    return text_table(["parameter", "value", "meaning"], rows, left=3)


def _with_value(expression: Expression, robot: RobotModel, brief: bool = False) -> str:
    """`0.5`, `m1 = 22`, or `m1` where it has no value."""
    found = number(expression, robot.values)
    if found is None:
        return str(expression)
    if isinstance(expression, Number) or brief:
        return short(found)
    return f"{expression} = {short(found)}"
