"""The native robot file: TOML, every value a number or an expression (docs/robot-file.md)."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

from dynamis.base.errors import DynamisError, literal
from dynamis.base.expressions.expression import Expression
from dynamis.base.expressions.parser import as_expression
from dynamis.base.toml_table import Table, parse_toml
from dynamis.model.degrees_meant import DegreesMeant, with_places
from dynamis.model.formats.frame_conventions import (
    CONVENTIONS,
    JointFrame,
    modified_dh,
    offset_and_rotation,
    read_placement,
    read_rotation,
    split_chain,
    standard_dh,
)
from dynamis.model.formats.robot_file.joint_table import Exercise, read_exercise
from dynamis.model.inertia import Inertia
from dynamis.model.joint_forces import FORCE_KEYS
from dynamis.model.link import KINDS, Joint, Limits, Link
from dynamis.model.placement import Placement, triple
from dynamis.model.robot import MAX_LINKS, Frame, RobotModel

GRAVITY = [0, 0, "-9.81"]
MAX_COM_STEPS = 50
BODY_KEYS = ("part", "hole", "body", "density", "allow_overlap")
JOINT_KEYS = (
    "limits", *FORCE_KEYS, "gear_ratio", "rotor_inertia", "coupling", "coupling_offset", "kind",
)  # fmt: skip


def read_robot_file(text: str, file: str) -> RobotModel | Exercise:
    """The robot of a TOML text; or the exercise, if its format is "joint-table"."""
    table = parse_toml(text, file)
    if "format" not in table:
        return read_robot(table)
    table.choice("format", ("joint-table",))
    return read_exercise(table)


def read_robot(file: Table) -> RobotModel:
    """The robot that the tables of a file describe."""
    head = file.table("robot")
    convention = head.choice("convention", CONVENTIONS)
    base = head.text("base", "base")
    entries = file.tables("link", required=True)
    if len(entries) > MAX_LINKS:
        file.fail("link", f"there are {len(entries)} links; at most {MAX_LINKS} are read")
    names = _joint_names(entries)
    parameters = _read_parameters(file)
    frames, rest = _robot_chain(head, convention, names, entries, {*parameters, *file.table("values", {}).data})
    table = file.table("values", {})
    with table.place():
        values = {name: as_expression(value, name) for name, value in table.data.items()}
    notes: list[str] = []
    links = [
        _read_link(entry, names[k], base if k == 0 else entries[k - 1].data.get("name", ""), convention,
                   frames[k] if frames else None, values, notes)
        for k, entry in enumerate(entries)
    ]  # fmt: skip
    frames_on_links = [_read_frame(entry) for entry in file.tables("frame")]
    tool = _read_tool(file, links, rest)
    gravity = head.get("gravity", GRAVITY)
    with head.place("gravity"):
        gravity = triple(gravity, "gravity")
    name, description, source = head.text("name"), head.text("description", ""), head.text("source", "")
    head.done()
    file.done()
    with _placing_errors(file, links):
        robot = RobotModel(
            name,
            tuple(links),
            base,
            tuple(frames_on_links),
            tool,
            gravity,
            parameters,
            values,
            description,
            source,
            tuple(notes),
        )
    return with_places(robot, file.lines.file, partial(_line_of_angles, file, [link.name for link in links]))


def _line_of_angles(file: Table, links: list[str], found: DegreesMeant) -> int | None:
    """The line of the key that has the number, or of its table."""
    if found.link:
        k = links.index(found.link)
        path, data = ("link", k), file.tables("link")[k].data
    else:
        frames = [k for k, x in enumerate(file.tables("frame")) if f"frame {x.data.get('name')}" == found.key]
        path, data = (("frame", frames[0]), file.tables("frame")[frames[0]].data) if frames else (("tool",), {})
    if found.key == "limits":
        return file.lines.line((*path, "joint", "limits"))
    written = [f"{abs(x):g}" for x in found.values]

    def keys(of: Mapping[str, object]) -> list[str]:
        return [key for key, value in of.items() if any(text in str(value) for text in written)]

    values = keys(file.table("values", {}).data)
    if values and not keys(data):
        return file.lines.line(("values", values[0]))
    return file.lines.line((*path, *(keys(data) or ["placement"])[:1]))


def _joint_names(entries: list[Table]) -> list[str]:
    """The given names; else q1, q2, ... for the joints that move."""
    names: list[str] = []
    moving = 0
    for entry in entries:
        fixed = _kind(entry) == "fixed"
        moving += not fixed
        default = f"{entry.text('name')} fixed" if fixed else f"q{moving}"
        is_table = isinstance(entry.get("joint"), dict)
        names.append(entry.table("joint").text("name", default) if is_table else default)
    return names


def _robot_chain(
    head: Table, convention: str, names: list[str], entries: list[Table], symbols: set[str]
) -> tuple[list[JointFrame], Placement]:
    """The frames from `chain = "..."` in [robot], if the robot is written that way."""
    text = head.text("chain", "") if convention == "transforms" else ""
    if not text:
        return [], Placement()
    for entry in entries:
        if _kind(entry) == "fixed":
            entry.fail("joint", "a chain has no step for a fixed joint; write the frames link by link")
        if "parent" in entry:
            entry.fail("parent", "a chain is serial, so parent has no place; write the frames link by link")
    with head.place("chain"):
        frames, rest = split_chain(text, names)
    for step in [step for part in (*(frame.before for frame in frames), rest) for step in part.steps]:
        if unknown := sorted(step.amount.parameters() - symbols):
            joints = ", ".join(names)
            head.fail("chain", f"step {step} of the chain: {unknown[0]} is neither a joint ({joints}) nor a parameter")
    return frames, rest


def _read_link(
    entry: Table, joint_name: str, previous: str, convention: str, chain_frame: JointFrame | None,
    values: Mapping[str, Expression], notes: list[str],
) -> Link:  # fmt: skip
    name = entry.text("name")
    parent = entry.text("parent", previous)
    frame = chain_frame or _read_frame_of_link(entry, convention, joint_name)
    with entry.place():
        joint = _read_joint(entry, joint_name, frame)
        entry.allowed_keys += BODY_KEYS
        if any(key in entry for key in BODY_KEYS):
            from dynamis.model.formats.robot_file.link_body import read_link_body  # most robots need no bodies

            entry.allowed_keys += ["mass", "com", "inertia"]
            mass, com, inertia = read_link_body(entry, name, values, notes)
        else:
            mass = as_expression(entry.get("mass", 0), "mass")
            com = _read_com(entry)
            inertia = _read_inertia(entry, mass)
        for key in JOINT_KEYS:
            if key in entry:
                entry.fail(key, f'{key} belongs to the joint: joint = {{kind = "{joint.kind}", {key} = ...}}')
        entry.done()
        return Link(name, joint, parent, mass, com, inertia)


def _read_frame_of_link(entry: Table, convention: str, joint_name: str) -> JointFrame:
    kind = _kind(entry)
    if convention == "standard-dh":
        return standard_dh(entry.table("dh"), kind)
    if convention == "modified-dh":
        return modified_dh(entry.table("dh"), kind)
    if convention == "offset":
        before = offset_and_rotation(entry)
        after = read_placement(entry, "after")
        if kind == "fixed":
            if "axis" in entry:
                entry.fail("axis", "a fixed joint has no axis")
            return JointFrame(before, after=after)
        return JointFrame(before, entry.array("axis"), after)
    text = entry.text("frame")
    with entry.place("frame"):
        if kind == "fixed":
            return JointFrame(Placement.parse(text))
        (frame,), after = split_chain(text, [joint_name])
        return JointFrame(frame.before, frame.axis, after, frame.kind)


def _kind(entry: Table) -> str:
    value = entry.get("joint")
    if value == "rigid" or (isinstance(value, dict) and cast(dict[str, Any], value).get("kind") == "rigid"):
        entry.fail("joint", 'a rigid joint is written "fixed"')
    if isinstance(value, dict):
        return entry.table("joint").choice("kind", KINDS)
    return entry.choice("joint", KINDS)


def _read_joint(entry: Table, name: str, frame: JointFrame) -> Joint:
    kind: Any = _kind(entry)
    if frame.kind is not None and (kind == "prismatic") != (frame.kind == "prismatic"):
        motion = "translates" if frame.kind == "prismatic" else "rotates"
        entry.fail("joint", f'joint "{name}" is {kind}, but its step in the chain {motion}')
    table = entry.table("joint") if isinstance(entry.get("joint"), dict) else Table({}, entry.lines, entry.path)
    for key in ("name", "kind"):
        table.get(key, "")
    limits = table.table("limits", {})
    with limits.place():
        lower, upper = limits.get("lower", None), limits.get("upper", None)
        if "position" in limits:
            position = limits.array("position")
            if len(position) != 2 or lower is not None or upper is not None:
                limits.fail(
                    "position", f"position must be [lower, upper], instead of lower and upper, got {literal(position)}"
                )
            lower, upper = position
        limits.allowed_keys.append("position")
        bounds = Limits(lower, upper, limits.get("velocity", None), limits.get("effort", None))
    limits.done()
    with table.place():
        joint = Joint(
            name, kind, frame.axis, frame.before, frame.after, bounds,
            **{key: table.get(key, 0) for key in FORCE_KEYS},
            gear_ratio=table.get("gear_ratio", 1), rotor_inertia=table.get("rotor_inertia", 0),
            coupling=tuple(table.table("coupling", {}).data.items()),
            coupling_offset=table.get("coupling_offset", 0),
        )  # fmt: skip
    table.done()
    return joint


def _read_com(entry: Table) -> Any:
    """Three values, or a chain of translations in the same notation as the frames."""
    value = entry.get("com", [0, 0, 0])
    if not isinstance(value, str):
        return triple(value, "com")
    placement = Placement.parse(value)
    if placement.rotates() or len(placement.steps) > MAX_COM_STEPS:
        entry.fail("com", f"com must be three values or at most {MAX_COM_STEPS} steps Tx, Ty, Tz, got {literal(value)}")
    zero = as_expression(0)
    sums = {"x": zero, "y": zero, "z": zero}
    for step in placement.steps:
        sums[step.axis] = sums[step.axis] + step.amount
    return sums["x"], sums["y"], sums["z"]


def _read_inertia(entry: Table, mass: Any) -> Inertia:
    if "inertia" not in entry:
        entry.get("inertia", None)
        return Inertia()
    table = entry.table("inertia")
    about: Any = table.choice("about", ("com", "origin"))
    allow = table.flag("allow_unphysical")
    forms = [key for key in ("gyration", "matrix") if key in table]
    six = [key for key in ("xx", "yy", "zz", "xy", "xz", "yz") if key in table]
    if len(forms) + bool(six) > 1:
        table.fail(forms[0], f"{forms[0]} and {(forms[1:] + six)[0]} exclude each other; an inertia has one form")
    with table.place():
        if "gyration" in table:
            inertia = Inertia.from_gyration(mass, table.array("gyration"), about=about, allow_unphysical=allow)
        else:
            axes = read_rotation(table, "axes")
            if "matrix" in table:
                matrix: Any = table.array("matrix")
                inertia = Inertia(matrix, about=about, axes=axes, allow_unphysical=allow)
            else:
                six = {key: table.get(key, 0) for key in ("xx", "yy", "zz", "xy", "xz", "yz")}
                inertia = Inertia.of(about=about, axes=axes, allow_unphysical=allow, **six)
                table.allowed_keys += ["matrix", "gyration"]
    table.done()
    return inertia


def _read_frame(entry: Table) -> Frame:
    with entry.place():
        frame = Frame(entry.text("name"), entry.text("link"), read_placement(entry, "placement"))
    entry.done()
    return frame


def _read_tool(file: Table, links: list[Link], rest: Placement) -> Frame | None:
    if "tool" not in file:
        file.get("tool", None)
        return Frame("tool", links[-1].name, rest) if rest.steps else None
    table = file.table("tool")
    if rest.steps:
        table.fail("placement", f"the chain ends in the tool {rest}; leave that out, or [tool]")
    tool = Frame("tool", table.text("link", links[-1].name), read_placement(table, "placement"))
    table.done()
    return tool


def _read_parameters(file: Table) -> dict[str, str]:
    table = file.table("parameters", {})
    return {name: table.text(name) for name in table.data}


@contextmanager
def _placing_errors(file: Table, links: list[Link]) -> Generator[None]:
    """Give a robot's error the line of the link and the key that it is about."""
    try:
        yield
    except DynamisError as error:
        key = error.key or ""
        links_with_name = [k for k, link in enumerate(links) if link.name == error.link]
        if links_with_name:
            # A name used twice is wrong where it stands the second time.
            entry = ("link", links_with_name[-1], *(("joint", key) if key in JOINT_KEYS else (key,)))
        else:
            name = key.removeprefix("value of ").removeprefix("frame ")
            frames_with_name = [k for k, entry in enumerate(file.tables("frame")) if entry.data.get("name") == name]
            places = [("values", name), ("parameters", name), *(("frame", k) for k in frames_with_name[-1:]), (key,)]
            entry = next((place for place in places if place in file.lines.numbers), ("robot", key))
        raise error.at(file.lines.file, file.lines.line(entry)) from None
