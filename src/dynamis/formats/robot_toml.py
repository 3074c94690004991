"""The native robot file: TOML, every value a number or an expression (docs/robot-file.md)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

from dynamis.errors import DynamisError
from dynamis.formats.frames import (
    CONVENTIONS,
    JointFrame,
    modified_dh,
    offset_and_rotation,
    read_placement,
    read_rotation,
    split_chain,
    standard_dh,
)
from dynamis.formats.source import Table, shown
from dynamis.model.inertia import Inertia
from dynamis.model.link import KINDS, Joint, Limits, Link
from dynamis.model.parser import as_expression
from dynamis.model.placement import Placement, triple
from dynamis.model.robot import Frame, RobotModel

GRAVITY = [0, 0, "-9.81"]
JOINT_KEYS = ("limits", "damping", "coulomb", "gear_ratio", "rotor_inertia", "kind")


def read_robot(file: Table) -> RobotModel:
    """The robot that the tables of a file describe."""
    head = file.table("robot")
    convention = head.choice("convention", CONVENTIONS)
    base = head.text("base", "base")
    entries = file.tables("link", required=True)
    names = [_joint_name(entry, k) for k, entry in enumerate(entries, 1)]
    frames, rest = _whole_chain(head, convention, names)
    links = [
        _read_link(entry, names[k], base if k == 0 else entries[k - 1].data.get("name", ""), convention,
                   frames[k] if frames else None)
        for k, entry in enumerate(entries)
    ]  # fmt: skip
    named = [_read_frame(entry) for entry in file.tables("frame")]
    tool = _read_tool(file, links, rest)
    parameters = _read_parameters(file)
    table = file.table("values", {})
    with table.place():
        values = {name: as_expression(value, name) for name, value in table.data.items()}
    gravity = head.get("gravity", GRAVITY)
    with head.place("gravity"):
        gravity = triple(gravity, "gravity")
    name, description, source = head.text("name"), head.text("description", ""), head.text("source", "")
    head.done()
    file.done()
    with _locating(file, links):
        return RobotModel(
            name, tuple(links), base, tuple(named), tool, gravity, parameters, values, description, source
        )


def _joint_name(entry: Table, number: int) -> str:
    joint = entry.data.get("joint")
    named: Any = cast(dict[str, Any], joint).get("name") if isinstance(joint, dict) else None
    return named if isinstance(named, str) else f"q{number}"


def _whole_chain(head: Table, convention: str, names: list[str]) -> tuple[list[JointFrame], Placement]:
    """The frames from `chain = "..."` in [robot], if the robot is written that way."""
    text = head.text("chain", "") if convention == "transforms" else ""
    if not text:
        return [], Placement()
    with head.place("chain"):
        return split_chain(text, names)


def _read_link(entry: Table, joint_name: str, previous: str, convention: str, framed: JointFrame | None) -> Link:
    name = entry.text("name")
    parent = entry.text("parent", previous)
    frame = framed or _read_frame_of_link(entry, convention, joint_name)
    with entry.place():
        joint = _read_joint(entry, joint_name, frame)
        mass = as_expression(entry.get("mass", 0), "mass")
        com = _read_com(entry)
        inertia = _read_inertia(entry, mass)
        entry.done()
        return Link(name, joint, parent, mass, com, inertia)


def _read_frame_of_link(entry: Table, convention: str, joint_name: str) -> JointFrame:
    kind = _kind(entry)
    if convention == "standard-dh":
        return standard_dh(entry.table("dh"), kind)
    if convention == "modified-dh":
        return modified_dh(entry.table("dh"), kind)
    if convention == "offset":
        before = offset_and_rotation(entry) * read_placement(entry, "placement")
        after = read_placement(entry, "after")
        if kind == "fixed":
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
    if isinstance(value, dict):
        return entry.table("joint").choice("kind", KINDS)
    return entry.choice("joint", KINDS)


def _read_joint(entry: Table, name: str, frame: JointFrame) -> Joint:
    kind: Any = _kind(entry)
    if frame.kind is not None and (kind == "prismatic") != (frame.kind == "prismatic"):
        motion = "slides" if frame.kind == "prismatic" else "turns"
        entry.fail("joint", f'joint "{name}" is {kind}, but its step in the chain {motion}')
    table = entry.table("joint") if isinstance(entry.get("joint"), dict) else Table({}, entry.lines, entry.path)
    for key in ("name", "kind"):
        table.get(key, "")
    limits = table.table("limits", {})
    with limits.place():
        position = limits.array("position", [None, None])
        if len(position) != 2:
            limits.fail("position", f"position is {shown(position)}; it is [lower, upper]")
        lower, upper = position
        bounds = Limits.of(lower, upper, limits.get("velocity", None), limits.get("effort", None))
    limits.done()
    with table.place():
        joint = Joint.of(
            name, kind, frame.axis, frame.before, frame.after, bounds, table.get("damping", 0),
            table.get("coulomb", 0), table.get("gear_ratio", 1), table.get("rotor_inertia", 0),
        )  # fmt: skip
    table.done()
    return joint


def _read_com(entry: Table) -> Any:
    """Three values, or a chain of translations in the same notation as the frames."""
    value = entry.get("com", [0, 0, 0])
    if not isinstance(value, str):
        return triple(value, "com")
    placement = Placement.parse(value)
    if placement.rotates():
        entry.fail("com", f'com is "{value}"; a point is reached by Tx, Ty, Tz only')
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
    with table.place():
        if "gyration" in table:
            inertia = Inertia.from_gyration(mass, table.array("gyration"), about=about, allow_unphysical=allow)
        else:
            axes = read_rotation(table, "axes")
            if "matrix" in table:
                matrix = table.array("matrix")
                inertia = Inertia.from_matrix(matrix, about=about, axes=axes, allow_unphysical=allow)
            else:
                six = {key: table.get(key, 0) for key in ("xx", "yy", "zz", "xy", "xz", "yz")}
                inertia = Inertia.of(about=about, axes=axes, allow_unphysical=allow, **six)
                table.asked += ["matrix", "gyration"]
    table.done()
    return inertia


def _read_frame(entry: Table) -> Frame:
    frame = Frame(entry.text("name"), entry.text("link"), read_placement(entry, "placement"))
    entry.done()
    return frame


def _read_tool(file: Table, links: list[Link], rest: Placement) -> Frame | None:
    if "tool" not in file:
        file.get("tool", None)
        return Frame("tool", links[-1].name, rest) if rest.steps else None
    table = file.table("tool")
    tool = Frame("tool", table.text("link", links[-1].name), read_placement(table, "placement"))
    table.done()
    return tool


def _read_parameters(file: Table) -> dict[str, str]:
    table = file.table("parameters", {})
    return {name: table.text(name) for name in table.data}


@contextmanager
def _locating(file: Table, links: list[Link]) -> Generator[None]:
    """Give a robot's error the line of the link and the key that it is about."""
    try:
        yield
    except DynamisError as error:
        key = error.key or ""
        named = [k for k, link in enumerate(links) if link.name == error.link]
        if named:
            # A name used twice is wrong where it stands the second time.
            entry = ("link", named[-1], *(("joint", key) if key in JOINT_KEYS else (key,)))
        else:
            places = [("values", key), ("parameters", key), (key,)]
            entry = next((place for place in places if place in file.lines.found), ("robot", key))
        raise error.at(file.lines.file, file.lines.line(entry)) from None
