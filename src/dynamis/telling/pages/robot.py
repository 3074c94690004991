"""A robot as people read it: tables of joints and links, the chain of transforms; and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import degrees
from typing import Any

from dynamis.base.expressions.expression import ZERO, Expression, Number
from dynamis.base.numbers import short
from dynamis.model.checks import inertia_about_com
from dynamis.model.dh_frames import dh_convention, dh_parameters
from dynamis.model.inertia import Inertia
from dynamis.model.joint_forces import ALWAYS, FORCE_KEYS, force_unit
from dynamis.model.joint_text import frame_text
from dynamis.model.link import Joint, Link
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.floats import number
from dynamis.telling.blocks import Block, Column, Document, Items, Note, Section, Table, Words
from dynamis.telling.result import Result

NUMBER = ".6g"


@dataclass(frozen=True)
class RobotDescription(Result):
    """A robot as `print` and `dynamis show` tell it."""

    robot: RobotModel

    def document(self) -> Document:
        """Who the robot is, its joints numbered from 1, its links, its frames, its parameters."""
        robot = self.robot
        names = [coordinate.name for coordinate in robot.coordinates]
        couplings = zip(robot.joints, robot.couplings, strict=True)
        coupled = tuple(f"coupled: {joint.name} = {row.text(names)}" for joint, row in couplings if joint.coupling)
        blocks: list[Block] = [_head(robot), _joint_table(robot), *([Items(coupled)] if coupled else [])]
        blocks += [*_dh_table(robot), *_drive_table(robot), _link_table(robot)]
        blocks += [*_chain(robot), Items(tuple(map(_frame, [*robot.frames, *([robot.tool] if robot.tool else [])])))]
        if robot.parameters:
            rows = ((name, str(robot.values.get(name, "-")), text) for name, text in robot.parameters.items())
            blocks.append(Table(("parameter", "value", "meaning"), tuple(rows)))
        blocks.append(Section("", tuple(Note(note) for note in robot.notes)))
        return Document("", tuple(blocks), data=lambda: robot_data(robot))


def joint_count(robot: RobotModel) -> str:
    """`6 joints`, or `4 joints (2 independent)` where some are coupled."""
    free = f" ({robot.n} independent)" if robot.coupled else ""
    return f"{_count_noun(len(robot.joints), 'joint')}{free}"


def robot_data(robot: RobotModel) -> dict[str, Any]:
    """The robot as plain data: expressions as texts, and their numbers where they are known."""

    def value(expression: Expression | None) -> Any:
        if expression is None:
            return None
        result = number(expression, robot.values)
        return result if isinstance(expression, Number) else {"expression": str(expression), "value": result}

    numbers = {coordinate.name: k for k, coordinate in enumerate(robot.coordinates, 1)}

    def joint(j: Joint) -> dict[str, Any]:
        return {
            "name": j.name, "number": numbers.get(j.name), "kind": j.kind,
            "axis": [value(e) for e in j.axis], "before": str(j.before), "after": str(j.after),
            "limits": {key: value(e) for key, e in j.limits.items()}, "unit": j.unit,
            **{key: value(getattr(j, key)) for key in _force_keys((j,))},
            "gear_ratio": value(j.gear_ratio), "rotor_inertia": value(j.rotor_inertia),
            "coupling": {name: value(factor) for name, factor in j.coupling},
            "coupling_offset": value(j.coupling_offset),
        }  # fmt: skip

    def link(k: Link) -> dict[str, Any]:
        tensor = inertia_about_com(k, robot)
        entries = [[str(entry) for entry in row] for row in k.inertia.matrix]
        return {
            "name": k.name, "parent": k.parent, "joint": joint(k.joint), "mass": value(k.mass),
            "com": [value(e) for e in k.com],
            "inertia": {"about": k.inertia.about, "axes": str(k.inertia.axes), "matrix": entries},
            "inertia_about_com": None if tensor is None else tensor.tolist(),
        }  # fmt: skip

    def frame(f: Frame | None) -> dict[str, Any] | None:
        return f and {"name": f.name, "link": f.link, "placement": str(f.placement)}

    return {
        "name": robot.name, "description": robot.description, "source": robot.source, "joints": len(robot.joints),
        "coordinates": [coordinate.name for coordinate in robot.coordinates],
        "base": robot.base, "gravity": [value(e) for e in robot.gravity],
        "links": [link(k) for k in robot.links], "frames": [frame(f) for f in robot.frames],
        "tool": frame(robot.tool), "parameters": dict(robot.parameters),
        "values": {name: number(e, {}) for name, e in robot.values.items()},
        "missing_values": list(robot.missing_values), "notes": list(robot.notes),
    }  # fmt: skip


def _head(robot: RobotModel) -> Section:
    masses = [number(link.mass, robot.values) for link in robot.links]
    weight = "" if None in masses else f", {short(sum(mass for mass in masses if mass is not None))} kg"
    gravity = ", ".join(_text(_value(entry, robot)) for entry in robot.gravity)
    lines = [robot.description, f"source: {robot.source}" if robot.source else ""]
    lines.append(f"gravity [{gravity}] m/s^2 in frame {robot.base}")
    lines.append(f"no values yet for: {', '.join(robot.missing_values)}" if robot.missing_values else "")
    title = f"{robot.name}: {joint_count(robot)}, {_count_noun(len(robot.links), 'link')}{weight}"
    return Section(title, tuple(Words((line,)) for line in lines if line))


def _count_noun(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _joint_table(robot: RobotModel) -> Table:
    rows: list[list[Any]] = []
    numbers = {coordinate.name: k for k, coordinate in enumerate(robot.coordinates, 1)}
    for link in robot.links:
        joint = link.joint
        place = numbers.get(joint.name, "=") if joint.moves else "-"
        ends, unit = _limits(joint, ("lower", "upper"), robot)
        (velocity,), speed = _limits(joint, ("velocity",), robot)
        effort = joint.limits.effort
        rows.append([
            place, joint.name, joint.kind, f"{link.parent} -> {link.name}",
            " .. ".join(ends) if any(ends) else "", unit if any(ends) else "",
            velocity, f"{speed}/s" if velocity else "",
            "" if effort is None else _text(_value(effort, robot, brief=True)), "" if effort is None else joint.unit,
            frame_text(joint),
        ])  # fmt: skip
    names = (
        "", "joint", "kind", "parent -> link", "limits", "unit", "velocity", "unit", "effort", "unit", "transform",
    )  # fmt: skip
    columns = [Column(name, form=NUMBER if name in ("limits", "velocity", "effort") else "") for name in names]
    keep = [k for k in range(len(names)) if k < 4 or k == len(names) - 1 or any(row[k] for row in rows)]
    cells = tuple(tuple(row[k] for k in keep) for row in rows)
    return Table(tuple(columns[k] for k in keep), cells, keys=2, splits=(len(keep) - 1,))


def _limits(joint: Joint, names: tuple[str, ...], robot: RobotModel) -> tuple[list[str], str]:
    """Limits of a joint, and their unit: degrees of angles whose numbers are known."""
    given = dict(joint.limits.items())
    limits = [given.get(name) for name in names]
    values = [None if limit is None else number(limit, robot.values) for limit in limits]
    if joint.revolute and all(limit is None or value is not None for limit, value in zip(limits, values, strict=True)):
        return ["" if value is None else short(degrees(value)) for value in values], "deg"
    return [
        "" if limit is None else _text(_value(limit, robot, brief=True)) for limit in limits
    ], "rad" if joint.revolute else "m"


def _dh_table(robot: RobotModel) -> list[Block]:
    """The D-H parameters, if the robot is written in D-H frames."""
    convention = dh_convention(robot)
    if not convention:
        return []
    modified = convention == "modified"
    letters = ("alpha", "a", "d", "theta") if modified else ("theta", "d", "a", "alpha")
    units = {"theta": "rad", "d": "m", "a": "m", "alpha": "rad"}
    heads = {letter: f"{letter} i{'-1' * (modified and letter in ('a', 'alpha'))}" for letter in letters}
    columns = [Column(heads[letter], units[letter], NUMBER) for letter in letters]
    rows = [(i, *(dh_parameters(link.joint)[letter] for letter in letters)) for i, link in enumerate(robot.links, 1)]
    note = Words((f"Denavit-Hartenberg parameters, {convention} convention",))
    return [Section("", (Table((Column("link i"), *columns), tuple(rows)), note))]


def _drive_table(robot: RobotModel) -> list[Table]:
    """Friction, springs and rotors, if any joint has them."""
    keys = _force_keys(robot.joints)
    numbers = {coordinate.name: k for k, coordinate in enumerate(robot.coordinates, 1)}
    rows = [
        (
            numbers.get(j.name, "="),
            j.name,
            *(x for key in keys for x in (_value(getattr(j, key), robot), force_unit(key, j.revolute))),
            _value(j.rotor_inertia, robot),
            "kg m^2" if j.revolute else "kg",
            _value(j.gear_ratio, robot),
        )
        for j in robot.joints
    ]
    if all(row[2::2] == (*(0 for _ in keys), 0, 1) for row in rows):
        return []
    names = *(x for key in keys for x in (key.replace("_", " "), "unit")), "rotor inertia", "unit", "gear ratio"
    columns = [Column(name, form="" if name == "unit" else NUMBER) for name in names]
    return [Table(("", "joint", *columns), tuple(rows), keys=2)]


def _force_keys(joints: Iterable[Joint]) -> list[str]:
    """Damping and Coulomb friction, and what else any of these joints has."""
    joints = list(joints)
    return [key for key in FORCE_KEYS if key in ALWAYS or any(getattr(j, key) != ZERO for j in joints)]


def _link_table(robot: RobotModel) -> Section:
    rows: list[tuple[Any, ...]] = []
    for link in robot.links:
        tensor, inertia = inertia_about_com(link, robot), link.inertia
        places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        six = [str(inertia.matrix[i][j]) if tensor is None else float(tensor[i][j]) for i, j in places]
        form = _form(inertia) if tensor is None else ""
        rows.append((link.name, _value(link.mass, robot), *(_value(e, robot) for e in link.com), *six, form))
    heads = [("mass", "kg"), *((f"com {axis}", "m") for axis in "xyz")]
    heads += [(name, "kg m^2") for name in ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")]
    columns = [Column("link"), *(Column(name, unit, NUMBER) for name, unit in heads), Column("given")]
    note = "inertia about the CoM, in link axes"
    if any(row[-1] for row in rows):
        note += " except where it says otherwise"
    else:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Section("", (Table(tuple(columns), tuple(rows), splits=(5,)), Words((note,))))


def _form(inertia: Inertia) -> str:
    """How a symbolic tensor is given, where that is not about the CoM in link axes."""
    about = ["about the origin"] if inertia.about == "origin" else []
    return ", ".join(about + ([f"in axes {inertia.axes}"] if inertia.axes.steps else []))


def _chain(robot: RobotModel) -> list[Words]:
    """The transforms of a serial chain in a row."""
    if [link.parent for link in robot.links] != [robot.base, *(link.name for link in robot.links[:-1])]:
        return []
    steps = [text for link in robot.links if (text := frame_text(link.joint)) != "1"]
    if robot.tool and robot.tool.placement.steps:
        steps.append(str(robot.tool.placement))
    return [Words((f"chain: {' '.join(steps)}",))]


def _frame(frame: Frame) -> str:
    place = f"{frame.placement} on {frame.link}" if frame.placement.steps else f"that of {frame.link}"
    return f"frame {frame.name}: {place}"


def _value(expression: Expression, robot: RobotModel, brief: bool = False) -> float | str:
    """0.5, `m1 = 22`, or `m1` where it has no value; with `brief` the number alone."""
    value = number(expression, robot.values)
    if value is None:
        return str(expression)
    return value if isinstance(expression, Number) or brief else f"{expression} = {short(value)}"


def _text(value: float | str) -> str:
    return value if isinstance(value, str) else short(value)
