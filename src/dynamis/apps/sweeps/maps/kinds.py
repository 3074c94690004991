"""The maps that people ask for: what each sweeps and keeps, and the layers that it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dynamis.apps.sweeps.draws.points import Draw, sobol
from dynamis.apps.sweeps.draws.samples import Samples
from dynamis.apps.sweeps.maps.layer import Layer
from dynamis.apps.sweeps.maps.workspace_map import WorkspaceMap
from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.ranges import box
from dynamis.apps.sweeps.reach import reach
from dynamis.apps.sweeps.reductions import exceeds
from dynamis.apps.sweeps.sweep import Sweep, sweep
from dynamis.base.arguments import mapping
from dynamis.base.errors import ArgumentError, check_name
from dynamis.compute.backends.numpy_backend import evaluate_program
from dynamis.library import require_robot
from dynamis.model.joint_limits import joint_limits
from dynamis.model.loads import Load
from dynamis.robot import Robot

DEFAULT_STATES = 2**21
"""Of a map if nothing else is asked for: some 400 per cell, and a second or less."""
RELATIVE_ROUNDING = 1e-12
"""Torques that are this small beside the largest are zeros that were rounded, as those of a vertical joint at rest."""
PROBE_STATES = 2**14
"""States that show where the tool goes."""
RANGE_MARGIN = 0.06
"""Of what they span, beyond it: of 10^6 states none was outside of these cells for any of nine arms."""
CELLS = {"tool.radius": 50, "tool.x": 60, "tool.y": 60, "tool.z": 60}


@dataclass(frozen=True)
class MapKind:
    """What is measured and kept, and how layers are made of it."""

    about: str
    quantities: Callable[[Robot], tuple[str, ...]]
    keep: tuple[Any, ...]
    layers: Callable[[Parts, Any], list[Layer]]
    needs_load: bool = False


@dataclass(frozen=True)
class MapSweep(Sweep):
    """A sweep whose report is a map."""

    kind: str

    def report(self, data: Any) -> WorkspaceMap:  # type: ignore[override]
        """What `run` gave, as a map."""
        kind, data = KINDS[self.kind], self._own(data)
        if not data["count"].values.any():
            cells = ", ".join(f"{x.variable} from {x.least:g} to {x.greatest:g} {x.unit}" for x in self.parts.axes)
            raise ArgumentError(f"none of the {self.states:,} states is in the cells: {cells}", key="by")
        return WorkspaceMap(self.kind, kind.about, self.parts, tuple(kind.layers(self.parts, data)), data)


def map_sweep(
    kind: str,
    robot: Robot,
    over: Mapping[Any, Any] | None = None,
    by: Mapping[str, Any] | None = None,
    draw: Draw | None = None,
    loads: Sequence[Load] = (),
) -> MapSweep:
    """The sweep of a map; `report` of its data is the map. `over` adds to, or replaces, q within its limits."""
    check_name("map", kind, KINDS)
    require_robot(robot)
    made = KINDS[kind]
    if made.needs_load and not loads:
        how = "give loads=[ToolWrench(...)], or [[load]] in a file"
        raise ArgumentError(f"a {kind} map needs a load; {how}", key="loads")
    given = dict(mapping("over", {} if over is None else over, '{"qd": box(0.5)}'))
    keys: list[Any] = [name for key in given for name in (cast("Any", key) if isinstance(key, tuple) else (key,))]
    named = set(map(str, keys))
    left = [x.name for x in robot.coordinates if f"q.{x.name}" not in named]
    if isinstance(draw, Samples) or "q" in named:
        left = []
    ranges = {**({"q": box("limits")} if len(left) == robot.n else {f"q.{x}": box("limits") for x in left}), **given}
    draw = sobol(DEFAULT_STATES) if draw is None else draw
    cells = mapping("by", {} if by is None else by, '{"r": ("tool.radius", 60)}')
    cells = cells or workspace_cells(robot, ranges, draw, loads)
    swept = sweep(robot, made.quantities(robot), ranges, draw, cells, made.keep, loads)
    if not 1 <= len(cells) <= 3:
        raise ArgumentError(f"a map has one to three axes, got {len(cells)}", key="by")
    if swept.parts.ranges.cases:
        name = swept.parts.ranges.cases[0][0]
        raise ArgumentError(f"a map is of one value of {name}; give a number instead of a list", key="over")
    return MapSweep(swept.parts, kind)


def workspace_cells(
    robot: Robot, over: Mapping[Any, Any], draw: Draw, loads: Sequence[Load] = ()
) -> dict[str, tuple[str, int, float, float]]:
    """Radius and height where the tool moves in space, else the axes of its plane; as far as it goes.

    A few thousand states show where that is; the cells go a little further, and no further than the tool can.
    """
    probe = sweep(robot, "tool", over, draw if isinstance(draw, Samples) else sobol(PROBE_STATES), loads=loads).parts
    rows = np.unique(np.linspace(0, probe.points.count - 1, PROBE_STATES).astype(np.int64))
    states = probe.points_at(rows) if isinstance(draw, Samples) else probe.values(0, PROBE_STATES)
    places = dict(zip(probe.names, evaluate_program(probe.program(0).program, (states,), "float64")[0].T, strict=True))
    spread = np.array([np.ptp(places[f"tool.{axis}"]) for axis in "xyz"])
    moving = [f"tool.{axis}" for axis, size in zip("xyz", spread, strict=True) if size > 1e-9 * (1 + spread.max())]
    if not moving:
        raise ArgumentError(f'the tool of robot "{robot.name}" does not move: there is no map of it')
    chosen = {"r": "tool.radius", "z": "tool.z"} if len(moving) == 3 else {name[-1]: name for name in moving}
    most, certain = reach(probe.robot, probe.ranges)
    cells = dict[str, tuple[str, int, float, float]]()
    for name, variable in chosen.items():
        low, high = float(places[variable].min()), float(places[variable].max())
        margin = RANGE_MARGIN * (high - low) + 1e-9 * most
        least = max(low - margin, 0.0 if variable == "tool.radius" else -most)
        cells[name] = variable, CELLS[variable], least, min(high + margin, most) if certain else high + margin
    return cells


def _of(data: Any, name: str, value: str) -> Any:
    return data[name].sel(value=value).values


def _values_and_index(data: Any, name: str, value: str, where: str) -> tuple[Any, Any]:
    return _of(data, name, value), _of(data, where, value)


def _torque_layers(parts: Parts, data: Any) -> list[Layer]:
    layers = list[Layer]()
    several = len(parts.measure.quantities) > 1
    peaks = data["peak"].values[..., : parts.robot.n]
    rounding = RELATIVE_ROUNDING * np.nanmax(peaks, initial=0.0)
    if several:
        values, index = _values_and_index(data, "peak", "worst_effort_ratio", "argpeak")
        about = "The largest |torque| of all joints over its limit."
        layers.append(Layer("torque over its limit", "%", about, 100 * values, index=index))
    for k, joint in enumerate(parts.robot.coordinates):
        value, word = parts.names[k], "torque" if joint.revolute else "force"
        values, index = _values_and_index(data, "peak", value, "argpeak")
        values = np.where(values <= rounding, 0.0, values)
        about = f"The largest |{word}| of {joint.name}."
        layers.append(Layer(f"{word} of {joint.name}", parts.units[k], about, values, index=index))
    return layers


def _payload_layers(parts: Parts, data: Any) -> list[Layer]:
    best, index = _values_and_index(data, "max", "payload", "argmax")
    least, worst = _values_and_index(data, "min", "payload", "argmin")
    joints = [name.removeprefix("payload.") for name in parts.names if name.startswith("payload.")]
    return [
        Layer("payload", "kg", "The largest payload, in the best posture.", np.maximum(best, 0.0), index=index),
        Layer("payload in every posture", "kg", "The largest payload in the worst posture.", np.maximum(least, 0.0),
              index=worst),
        Layer("limiting joint", "", "The joint that limits the payload in the best posture.",
              _limiting(parts, index, joints), tuple(joints), index),
    ]  # fmt: skip


def _limiting(parts: Parts, index: Any, joints: list[str]) -> Any:
    """The number of the joint with the least payload in every cell's state."""
    places = np.flatnonzero(index.ravel() >= 0)
    limiting: Any = np.full(index.size, np.nan)
    states = parts.points_at(index.ravel()[places])
    values = evaluate_program(parts.program(0).program, (states,), "float64")[0]
    columns = [parts.names.index(f"payload.{joint}") for joint in joints]
    limiting[places] = values[:, columns].argmin(1) + 1.0
    return limiting.reshape(index.shape)


def _reach_layers(parts: Parts, data: Any) -> list[Layer]:
    ratio, index = _values_and_index(data, "min", "worst_effort_ratio", "argmin")
    beyond = _of(data, "beyond_1", "worst_effort_ratio")
    held = np.where(np.isfinite(ratio), np.where(ratio <= 1, 1.0, 2.0), np.nan)
    return [
        Layer("torque over its limit", "%", "The least that a posture asks of its most loaded joint.", 100 * ratio,
              index=index),
        Layer("reached", "", "Whether a posture holds the load.", held, ("with the load", "not with the load"), index),
        Layer("postures that hold", "%", "The share of states that hold the load.", 100 * (1 - beyond)),
    ]  # fmt: skip


def _bearing_layers(parts: Parts, data: Any) -> list[Layer]:
    layers = list[Layer]()
    for name, unit in zip(parts.names, parts.units, strict=True):
        joint, _, word = name.rpartition(".")
        values, index = _values_and_index(data, "peak", name, "argpeak")
        what = "moment" if word == "tilting" else "force"
        layers.append(
            Layer(f"{joint}: {word} {what}", unit, f"The largest {word} {what} at {joint}.", values, index=index)
        )
    return [x for x in layers if np.nanmax(x.values, initial=0.0) > 1e-9] or layers


def _torques(robot: Robot) -> tuple[str, ...]:
    return (
        ("inverse_dynamics", "worst_effort_ratio")
        if np.isfinite(joint_limits(robot).effort).all()
        else ("inverse_dynamics",)
    )


KINDS: Mapping[str, MapKind] = {
    "torque": MapKind(
        "The largest torques of every cell of the workspace.", _torques, ("peak", "argpeak"), _torque_layers
    ),
    "payload": MapKind(
        "The largest payload, a point mass at the tool, in every cell of the workspace, and the joint that limits it.",
        lambda _: ("largest_payload",), ("max", "argmax", "min", "argmin"), _payload_layers,
    ),
    "reach": MapKind(
        "Where the robot can hold a load at its tool.", lambda _: ("worst_effort_ratio",),
        ("min", "argmin", exceeds(1.0)), _reach_layers, needs_load=True,
    ),
    "bearing": MapKind(
        "The largest loads of the bearings of every joint.", lambda _: ("bearing_load",), ("peak", "argpeak"),
        _bearing_layers,
    ),
}  # fmt: skip
"""By name."""


def _run_map(kind: str, robot: Robot, options: dict[str, Any], client: Any) -> WorkspaceMap:
    swept = map_sweep(kind, robot, **options)
    return swept.report(swept.run(client))


def torque_map(
    robot: Robot, over: Any = None, by: Any = None, draw: Draw | None = None, loads: Any = (), client: Any = None
) -> WorkspaceMap:
    """The largest torque of every joint in every cell of the workspace.

    over: what is swept besides q, or in its place; all positions within the limits, at rest, by default, and those of
        the other joints where "q.elbow" is given
    by: the cells, as in `sweep`: radius and height, or the plane of a planar robot, by default; three axes give points
    draw: two million points of Sobol's sequence by default
    loads: on the robot in every state
    client: a `dask.distributed` client, whose workers then compute; the threads of this machine by default
    """
    return _run_map("torque", robot, {"over": over, "by": by, "draw": draw, "loads": loads}, client)


def payload_map(
    robot: Robot, over: Any = None, by: Any = None, draw: Draw | None = None, loads: Any = (), client: Any = None
) -> WorkspaceMap:
    """The largest payload in every cell of the workspace, in its best and in every posture, and which joint limits it.

    The payload is a point mass at the tool; the robot must give limits of effort. Arguments as of `torque_map`: with
    `over={"qdd": box(2)}` the payload is accelerated, too.
    """
    return _run_map("payload", robot, {"over": over, "by": by, "draw": draw, "loads": loads}, client)


def reach_map(
    robot: Robot, loads: Any, over: Any = None, by: Any = None, draw: Draw | None = None, client: Any = None
) -> WorkspaceMap:
    """Where the robot can hold `loads`, such as a wrench at its tool: the least share of its limits that this takes.

    The robot must give limits of effort. Other arguments as of `torque_map`.
    """
    return _run_map("reach", robot, {"over": over, "by": by, "draw": draw, "loads": loads}, client)


def bearing_map(
    robot: Robot, over: Any = None, by: Any = None, draw: Draw | None = None, loads: Any = (), client: Any = None
) -> WorkspaceMap:
    """The largest axial and radial force and tilting moment at every joint, in every cell of the workspace.

    Arguments as of `torque_map`.
    """
    return _run_map("bearing", robot, {"over": over, "by": by, "draw": draw, "loads": loads}, client)
