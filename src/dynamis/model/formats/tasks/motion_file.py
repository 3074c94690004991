"""Task files: a motion and the loads on it, in TOML. What the words mean for a robot is `motion.tasks.task`.

[motion]
kind = "parabolic-blends"
start = { tool = [0.1, 0, 0], branch = "elbow down" }
goal = { tool = [0.9, 0, 0], branch = "elbow down" }
duration = 4
acceleration = 5

[[load]]
tool = true
force = [-10, 0, 0]
direction = "exerted_by_tool"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from dynamis.base.errors import ArgumentError, FormatError, literal
from dynamis.base.faces import option
from dynamis.base.toml_table import Table
from dynamis.model.formats.frame_conventions import read_placement
from dynamis.model.formats.tasks.payload_table import read_payload
from dynamis.model.formats.tasks.state_file import read_load
from dynamis.model.formats.tasks.values import in_radians, joint_values, number_in, read_gravity
from dynamis.model.loads import Force, Load, ToolWrench
from dynamis.model.payload import Payload
from dynamis.model.placement import Placement
from dynamis.model.robot import RobotModel

_LIMITS = ("velocity", "acceleration")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "parabolic-blends": ("duration", *_LIMITS),
    "trapezoidal": ("duration", *_LIMITS),
    "double-s": ("duration", *_LIMITS, "jerk"),
    "cubic": ("duration", *_LIMITS),
    "quintic": ("duration", *_LIMITS),
    "septic": ("duration", *_LIMITS),
    "spline": ("times", *_LIMITS),
    "tool-line": ("duration", "speed", "acceleration"),
    "tool-arc": ("duration", "speed", "acceleration"),
    "shortest-time": (*_LIMITS, "effort"),
    "samples": (),
}
"""The kinds of motions, and the numbers that they take."""
WAYS = ("joints", "line", "arc")
"""What a shortest time goes along: joint values joined by a spline, or a line or an arc of the tool."""
THROUGH = ("spline", "parabolic-blends", "tool-arc", "shortest-time")
"""The kinds that pass via points."""
OF_JOINTS = (*_LIMITS, "jerk", "effort")
"""Numbers that every joint may have its own of, unless the motion is the tool's."""
POINTS = ("start", "via", "goal")
DWELL = "dwell"
"""The kind of a segment that stands still."""
VIA = ("[q1, q2, ...], ...", "{ tool = [x, y, z] }")
MOST_POINTS = 10_000
MOST_SAMPLES = 10_000_000


@dataclass(frozen=True)
class TaskPoint:
    """Where a motion begins, passes or ends: joint values, a position of the tool [m], or a pose of it.

    Without any of them it is where the segment before has ended.
    """

    line: int | None
    q: list[float] | None = None
    position: list[float] | None = None
    pose: Placement | None = None
    branch: str | None = None


@dataclass(frozen=True)
class TaskFile:
    """A motion in words and numbers; `options` are duration [s], limits and times as they are given."""

    file: str
    line: int | None
    """The line of [motion]."""
    kind: str
    """Empty where the file has no [motion] and needs none."""
    points: tuple[TaskPoint, ...]
    options: dict[str, Any]
    synchronised: bool
    samples_file: Path | None
    frame: str | None
    samples: int | None
    gravity: bool | list[float] | None
    loads: tuple[Load, ...]
    courses: tuple[LoadSamples | None, ...]
    """How each load changes in time; None where it does not."""
    way: str = WAYS[0]
    payload: Payload | None = None
    """What the robot holds: all the time, or in the segments that carry it."""
    payload_line: int | None = None
    efficiency: float | list[float] | None = None
    """Of the gears: one for all joints, or one each."""
    degrees: bool = False
    """Whether the motion is given in degrees."""
    segments: tuple[Segment, ...] = ()
    """The parts of a cycle, one after the other, in the place of one motion."""

    @property
    def speaks_degrees(self) -> bool:
        """Whether the motion, or a segment of it, is given in degrees."""
        return self.degrees or any(segment.task is not None and segment.task.degrees for segment in self.segments)

    def carrying(self, payload: Payload) -> TaskFile:
        """The same with this payload in the place of its own; segments carry it where they carried that.

        Segments that have payloads of their own are refused: which of the two is meant?
        """
        own = next((segment for segment in self.segments if isinstance(segment.payload, Payload)), None)
        if own is not None:
            raise ArgumentError(
                "this segment has a payload of its own, and a payload is given for the task; write payload = true in "
                "the segments that carry the latter",
                key="payload",
            ).at(self.file, own.line)
        return replace(self, payload=payload, payload_line=None)

    def carried(self, segment: Segment) -> Payload | None:
        """What the robot holds during a segment."""
        if isinstance(segment.payload, Payload):
            return segment.payload
        if segment.payload and self.payload is None:
            raise FormatError(
                "payload = true takes the payload of the file, which has none; write payload = 6, or give "
                f"{option('payload')}"
            ).at(self.file, segment.line)
        return None if segment.payload is False else self.payload

    @property
    def curve(self) -> str | None:
        """The line or the arc that leads the tool; None where the joints are led."""
        if self.kind.startswith("tool-"):
            return self.kind.removeprefix("tool-")
        return None if self.way == WAYS[0] else self.way


@dataclass(frozen=True)
class Segment:
    """A part of a cycle: a motion, or with `task` None a dwell of so many seconds; and the payload that it carries."""

    line: int | None
    task: TaskFile | None
    dwell: float
    payload: Payload | bool | None
    """Its own; True for that of the file, False for none, None where no segment says what it carries."""


@dataclass(frozen=True)
class LoadSamples:
    """The values of a load at times [s]: vectors of three, or of a tool wrench force and moment."""

    times: list[float]
    values: list[list[float]]


def read_task(file: Table, robot: RobotModel) -> TaskFile:
    """The task in a file: [motion], [[load]] tables, gravity, samples and the frame to look at."""
    task = read_parts(file, robot)
    file.done()
    return task


def read_parts(file: Table, robot: RobotModel, moves: bool = True) -> TaskFile:
    """The same of a file that has other tables too; without `moves` it need not have a [motion]."""
    frame = file.text("frame") if file.get("frame", None) is not None else None
    samples = _samples(file)
    gravity = read_gravity(file)
    loads = [pair for entry in file.tables("load") for pair in _loads(entry, robot)]
    task = TaskFile(
        file.lines.file, None, "", (), {}, True, None, frame, samples, gravity, tuple(load for load, _ in loads),
        tuple(course for _, course in loads), payload=read_payload(file),
        payload_line=file.line("payload"), efficiency=_efficiency(file, robot),
    )  # fmt: skip
    if "segment" in file:
        if "motion" in file:
            file.fail("motion", "[motion] and [[segment]] exclude each other; a cycle has segments")
        return replace(task, line=file.line("segment"), segments=_segments(task, file.tables("segment"), robot))
    file.allowed_keys += ["segment"]
    return _with_motion(task, file.table("motion"), robot) if moves or "motion" in file else task


def _efficiency(file: Table, robot: RobotModel) -> float | list[float] | None:
    value: Any = file.get("efficiency", None)
    if isinstance(value, list):
        return joint_values(file, "efficiency", cast(list[Any], value), robot, False)
    return None if value is None else number_in(file, "efficiency", value)


def _segments(task: TaskFile, tables: list[Table], robot: RobotModel) -> tuple[Segment, ...]:
    """The segments of a cycle."""
    if len(tables) > MOST_POINTS:
        tables[MOST_POINTS].fail(None, f"the cycle has {len(tables)} segments; no more than {MOST_POINTS} are read")
    told = any("payload" in table for table in tables)
    segments: list[Segment] = []
    for k, table in enumerate(tables):
        value: Any = table.get("payload", None)
        own = value if isinstance(value, bool) else read_payload(table)
        payload = False if own is None and told else own
        if table.get("kind", None) == DWELL:
            segments.append(Segment(table.line(), None, number_in(table, "duration", table.get("duration")), payload))
            table.done()
        else:
            segments.append(Segment(table.line(), _with_motion(task, table, robot, follows=k > 0), 0.0, payload))
    return tuple(segments)


def _with_motion(task: TaskFile, motion: Table, robot: RobotModel, follows: bool = False) -> TaskFile:
    """The task with this motion; one that `follows` another may leave out its start."""
    kind = motion.choice("kind", (*OPTIONS, *((DWELL,) if "segment" in motion.path else ())))
    degrees = motion.flag("degrees")
    options = {key: _numbers(motion, key, kind, robot, degrees) for key in OPTIONS[kind] if key in motion}
    motion.allowed_keys += OPTIONS[kind]
    synchronised = True
    if kind in ("parabolic-blends", "trapezoidal", "double-s"):
        synchronised = motion.flag("synchronised") or "synchronised" not in motion
    way = motion.choice("way", WAYS, WAYS[0]) if kind == "shortest-time" else WAYS[0]
    if kind.startswith("tool-") or way != WAYS[0]:
        orientation = motion.flag("orientation")
        options |= {"orientation": orientation} if "orientation" in motion else {}
    points, samples_file = (), None
    if kind == "samples":
        samples_file = motion.file_below("file", "the task")
    else:
        way_kind = "tool-arc" if way == "arc" else "tool-line" if way == "line" else kind
        points = _points(motion, robot, degrees, way_kind, follows)
    motion.done()
    return replace(
        task, line=motion.line(), kind=kind, points=tuple(points), options=options, synchronised=synchronised,
        samples_file=samples_file, way=way, degrees=degrees,
    )  # fmt: skip


def _loads(table: Table, robot: RobotModel) -> list[tuple[Load, LoadSamples | None]]:
    """The loads of one [[load]] table: constant, or with `times` and a vector for each of them."""
    if "times" not in table:
        return [(load, None) for load in read_load(table, robot)]
    times = [number_in(table, "times", x) for x in table.array("times")]
    if not times or any(b < a for a, b in pairwise(times)) or len(times) > MOST_POINTS:
        table.fail("times", f"times of a load must be a list of up to {MOST_POINTS} times [s] that do not decrease")
    courses = {key: _course(table, key, len(times)) for key in ("force", "moment") if key in table}
    first = {key: course[0] for key, course in courses.items()}
    data: dict[str, Any] = {key: value for key, value in table.data.items() if key != "times"}
    loads = read_load(Table({**data, **first}, table.lines, table.path), robot)
    zeros = [[0.0] * 3] * len(times)

    def course(load: Load) -> LoadSamples:
        force, moment = courses.get("force", zeros), courses.get("moment", zeros)
        if isinstance(load, ToolWrench):
            return LoadSamples(times, [a + b for a, b in zip(force, moment, strict=True)])
        return LoadSamples(times, force if isinstance(load, Force) else moment)

    return [(load, course(load)) for load in loads]


def _course(table: Table, key: str, count: int) -> list[list[float]]:
    """One vector for each of the times, or one for all of them."""
    rows: list[Any] = table.array(key)
    if not any(isinstance(row, list) for row in rows):
        rows = [rows] * count
    if len(rows) != count or any(not isinstance(row, list) or len(cast(list[Any], row)) != 3 for row in rows):
        table.fail(key, f"{key} must be one vector [x, y, z] for each of the {count} times, or one for all of them")
    return [[number_in(table, key, x) for x in row] for row in rows]


def _points(motion: Table, robot: RobotModel, degrees: bool, kind: str, follows: bool) -> tuple[TaskPoint, ...]:
    motion.allowed_keys += ["start"]
    points = [_point(motion, "start", robot, degrees) if "start" in motion or not follows else TaskPoint(None)]
    if kind in THROUGH:
        via: Any = motion.get("via", [])
        between = cast(list[Any], via) if isinstance(via, list) else [None]
        if not all(isinstance(point, list | dict) for point in between):
            got = "one point" if isinstance(via, list | dict) else literal(via)
            motion.fail("via", f"via must be a list of points, via = [{VIA[kind == 'tool-arc']}], got {got}")
        if len(between) > MOST_POINTS:
            motion.fail("via", f"via has {len(between)} points; no more than {MOST_POINTS} are read")
        for k, entry in enumerate(between):
            inner = Table({"via": entry}, motion.lines, (*motion.path, "via", k))
            points.append(_point(inner, "via", robot, degrees))
    return (*points, _point(motion, "goal", robot, degrees))


def _point(table: Table, key: str, robot: RobotModel, degrees: bool) -> TaskPoint:
    value, line = table.get(key), table.line(key)
    if isinstance(value, list):
        return TaskPoint(line, q=_joints(table, key, cast(list[Any], value), robot, degrees))
    if not isinstance(value, dict):
        table.fail(key, f"{key} must be joint values [q1, ...] or {{ tool = [x, y, z] }}, got {literal(value)}")
    inner = Table(cast(dict[str, Any], value), table.lines, (*table.path, key))
    inner.allowed_keys += ["q", "tool", "pose", "branch"]
    places = [name for name in ("q", "tool", "pose") if name in inner]
    branch = inner.text("branch") if "branch" in inner else None
    inner.done()
    if len(places) != 1:
        table.fail(key, f"{key} has {' and '.join(places) or 'no place'}; it has one of q, tool (a position) and pose")
    if "q" in inner:
        return TaskPoint(line, q=_joints(inner, "q", inner.array("q"), robot, degrees), branch=branch)
    if "tool" in inner:
        position = [number_in(inner, "tool", x) for x in inner.array("tool")]
        if len(position) != 3:
            inner.fail("tool", f"tool has {len(position)} values; a position is [x, y, z] in m")
        return TaskPoint(line, position=position, branch=branch)
    return TaskPoint(line, pose=read_placement(inner, "pose"), branch=branch)


def _joints(table: Table, key: str, values: list[Any], robot: RobotModel, degrees: bool) -> list[float]:
    hint = "; a position is { tool = [x, y, z] }" if len(values) == 3 and key in POINTS else ""
    return joint_values(table, key, values, robot, degrees, hint)


def _numbers(table: Table, key: str, kind: str, robot: RobotModel, degrees: bool) -> Any:
    value: Any = table.get(key)
    of_joints = key in OF_JOINTS and not kind.startswith("tool-")
    degrees = degrees and key != "effort"
    if isinstance(value, list):
        entries = cast(list[Any], value)
        if len(entries) > MOST_POINTS:
            table.fail(key, f"{key} has {len(entries)} values; no more than {MOST_POINTS} are read")
        if of_joints:
            return _joints(table, key, entries, robot, degrees)
        return [number_in(table, key, x) for x in entries]
    one = number_in(table, key, value)
    return in_radians([one] * robot.n, robot) if degrees and of_joints else one


def _samples(file: Table) -> int | None:
    value: Any = file.get("samples", None)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 2 <= value <= MOST_SAMPLES):
        file.fail("samples", f"samples must be an integer from 2 to {MOST_SAMPLES:,}, got {literal(value)}")
    return value
