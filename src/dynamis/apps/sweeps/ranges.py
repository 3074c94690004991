"""What a sweep goes over: boxes and distributions of coordinates and parameters, and values to run through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, cast

import numpy as np

from dynamis.base.arguments import finite_row, mapping, number, real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.base.faces import option
from dynamis.compute.program.quantity_program import STATE_UNITS, parameter_operand, state_operand
from dynamis.model.coordinate import Coordinate
from dynamis.model.joint_limits import joint_limits
from dynamis.model.robot import RobotModel

MAX_MAGNITUDE = 1e100
"""The largest size of a number that is swept: differences and squares of such numbers are numbers."""
_LIMITS = {"q": ("lower", "upper"), "qd": ("velocity", "velocity"), "tau": ("effort", "effort")}


@dataclass(frozen=True)
class Box:
    """All values from `least` to `greatest`, each as likely; for None those of the robot's limits."""

    least: tuple[float, ...] | None
    greatest: tuple[float, ...] | None


@dataclass(frozen=True)
class Spread:
    """A distribution: "normal" (mean, standard deviation) or "triangular" (least, most likely, greatest).

    "given" values come from samples.
    """

    kind: Literal["normal", "triangular", "given"]
    numbers: tuple[float, ...]

    def values(self, u: Array, tail: float) -> Array:
        """The quantiles for u from 0 to 1; a normal distribution ends at its quantiles of `tail` and 1 - `tail`."""
        if self.kind == "given":
            return u
        if self.kind == "normal":
            special: Any = import_module("scipy.special")
            return self.numbers[0] + self.numbers[1] * special.ndtri(np.clip(u, tail, 1 - tail))
        a, c, b = self.numbers
        rising = u * (b - a) < c - a
        with np.errstate(invalid="ignore"):
            return np.where(rising, a + np.sqrt(u * (b - a) * (c - a)), b - np.sqrt((1 - u) * (b - a) * (b - c)))


GIVEN = Spread("given", ())


@dataclass(frozen=True)
class Correlated:
    """A normal distribution of several values: their means and their covariance matrix."""

    mean: tuple[float, ...]
    factor: tuple[tuple[float, ...], ...]
    """L of the covariance L L^T."""


def box(*bounds: Any) -> Box:
    """All values of a box: `box("limits")`, `box(0.5)` from -0.5 to 0.5, `box(least, greatest)`; a bound may be a list.

    Limits are those of the coordinates: a joint that follows several of them may go beyond its own range.

    >>> box(0.5)
    Box(least=(-0.5,), greatest=(0.5,))
    """
    if len(bounds) == 1 and isinstance(bounds[0], str) and bounds[0] == "limits":
        return Box(None, None)
    if len(bounds) not in (1, 2) or any(isinstance(x, str) for x in bounds):
        raise ArgumentError('a box is box("limits"), box(half width) or box(least, greatest)', key="box")
    rows = [_row("a bound of a box", x) for x in bounds]
    if len({len(x) for x in rows} - {1}) > 1:
        counts = " and ".join(str(len(x)) for x in rows)
        raise ArgumentError(f"the two bounds of a box need as many values, got {counts}", key="box")
    least, greatest = np.broadcast_arrays(*(rows if len(rows) == 2 else (-rows[0], rows[0])))
    if (empty := np.flatnonzero(least > greatest)).size:
        k = int(empty[0])
        raise ArgumentError(f"this box is empty: its least value {least[k]:g} is above its greatest {greatest[k]:g}")
    return Box(tuple(least.tolist()), tuple(greatest.tolist()))


def normal(mean: float, deviation: float) -> Spread:
    """A normal distribution by its mean and standard deviation."""
    return Spread("normal", (_number("mean", mean), number("deviation", deviation, least=0, most=MAX_MAGNITUDE)))


def triangular(least: float, likely: float, greatest: float) -> Spread:
    """A triangular distribution: `likely` is its peak."""
    a, c, b = _number("least", least), _number("likely", likely), _number("greatest", greatest)
    if not a <= c <= b or a == b:
        raise ArgumentError(f"a triangular distribution needs least <= likely <= greatest, got {a:g}, {c:g}, {b:g}")
    return Spread("triangular", (a, c, b))


def correlated(mean: Sequence[float], covariance: Any) -> Correlated:
    """Normally distributed values that depend on each other, for a key of several names."""
    means, matrix = _row("mean", mean), real_values("covariance", covariance)
    if matrix.shape != (len(means), len(means)) or not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T):
        raise ArgumentError(
            f"covariance must be a symmetric matrix of finite numbers with one row per mean ({len(means)}), "
            f"got {literal(covariance)}",
            key="covariance",
        )
    try:
        factor = np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise ArgumentError("covariance must be positive definite", key="covariance") from None
    return Correlated(tuple(means.tolist()), tuple(map(tuple, factor.tolist())))


def _number(name: str, value: Any) -> float:
    return number(name, value, least=-MAX_MAGNITUDE, most=MAX_MAGNITUDE)


def _row(name: str, values: Any) -> Array:
    row = finite_row(name, values)
    if (np.abs(row) > MAX_MAGNITUDE).any():
        raise ArgumentError(f"{name} is at most {MAX_MAGNITUDE:g} in size, got {literal(values)}", key=name)
    return row


@dataclass(frozen=True)
class Dimension:
    """One swept value: `name` is "q:0" (an entry of the state) or a parameter's."""

    name: str
    label: str
    unit: str
    least: float = 0.0
    greatest: float = 1.0
    spread: Spread | None = None


@dataclass(frozen=True)
class Ranges:
    """What is swept, what stands still, and what is run through."""

    dimensions: tuple[Dimension, ...]
    fixed: tuple[tuple[str, float], ...]
    cases: tuple[tuple[str, tuple[float, ...]], ...]
    parameters: tuple[str, ...]
    groups: tuple[tuple[int, Correlated], ...] = ()
    """Where the dimensions of a correlated distribution begin."""
    tail: float = 2.0**-53
    """Where normal distributions end: u = 0, a point of most sequences, would be 8 standard deviations away."""

    @property
    def is_box(self) -> bool:
        """Whether every value is as likely as any other."""
        return not self.groups and all(x.spread is None for x in self.dimensions)

    def values(self, points: Array) -> Array:
        """Points of the unit cube, (..., d), as values of the dimensions."""
        columns = [
            x.least + (x.greatest - x.least) * u if x.spread is None else x.spread.values(u, self.tail)
            for x, u in zip(self.dimensions, np.moveaxis(points, -1, 0), strict=True)
        ]
        result = np.stack(columns, -1) if columns else points
        for start, group in self.groups:
            size = len(group.mean)
            standard = result[..., start : start + size] @ np.array(group.factor).T
            result[..., start : start + size] = np.array(group.mean) + standard
        return result


def ranges(robot: RobotModel, over: Mapping[Any, Any]) -> Ranges:
    """The ranges of a sweep of this robot."""
    dimensions, fixed, groups = list[Dimension](), dict[str, float](), list[tuple[int, Correlated]]()
    cases, parameters = dict[str, tuple[float, ...]](), list[str]()
    for key, value in mapping("over", over, '{"q": box("limits")}').items():
        if isinstance(value, Correlated):
            places = [
                place
                for name in (cast("tuple[Any, ...]", key) if isinstance(key, tuple) else (key,))
                for place in _places(robot, name)
            ]
            if len(places) != len(value.mean):
                message = f"over has {len(places)} values for a correlated distribution of {len(value.mean)}"
                raise ArgumentError(message, key="over")
            groups.append((len(dimensions), value))
            dimensions += [Dimension(*place, spread=Spread("normal", (0.0, 1.0))) for place in places]
            parameters += [name for name, *_ in places if ":" not in name]
            continue
        entries = _state_entries(robot, key)
        if entries is None:
            parameters.append(key)
            unit = parameter_unit(robot, key)
            if isinstance(value, Spread):
                dimensions.append(Dimension(key, key, unit, spread=value))
            elif isinstance(value, Box):
                dimensions += _dimensions(robot, key, value, [(key, key, unit)])
            elif isinstance(value, int | float | np.number) and not isinstance(value, bool):
                fixed[key] = _number(key, value)
            else:
                cases[key] = tuple(_values(key, value, None).tolist())
        elif isinstance(value, Box):
            dimensions += _dimensions(robot, key, value, entries)
        elif isinstance(value, Spread):
            dimensions += [Dimension(name, label, unit, spread=value) for name, label, unit in entries]
        else:
            numbers = _values(key, value, len(entries))
            fixed |= {name: float(x) for (name, *_), x in zip(entries, numbers, strict=True)}
    for key, value in over.items():
        if isinstance(value, Box) and value.least is None:
            kind, _, joint = key.partition(".")
            joints = [x for x in robot.coordinates if joint in ("", x.name)]
            check_limits_stand(joints, parameters, _LIMITS[kind], f"a box of numbers for {key}")
    names = [*(x.name for x in dimensions), *fixed, *cases]
    if twice := next((x for k, x in enumerate(names) if x in names[:k]), None):
        raise ArgumentError(f'"{_label(robot, twice)}" is swept twice', key="over")
    return Ranges(tuple(dimensions), tuple(fixed.items()), tuple(cases.items()), tuple(parameters), tuple(groups))


def check_limits_stand(
    joints: Sequence[Coordinate], parameters: Sequence[str], kinds: Sequence[str], instead: str
) -> None:
    """Raise where such limits of a joint ("lower", "effort", ...) depend on parameters that are swept."""
    for joint in joints:
        for kind, limit in joint.limits.items():
            if kind in kinds and (moved := [x for x in parameters if x in limit.parameters()]):
                message = f"the {kind} limit of {joint.name} is {limit}, and {moved[0]} is swept; give {instead}"
                raise ArgumentError(message, key="over")


def _values(key: str, value: Any, count: int | None) -> Array:
    """Numbers that stand still, one for all or one for each of `count` joints, or that are run through."""
    numbers = real_values(key, value)
    fine = (
        numbers.ndim < 2
        and numbers.size in (1, count or numbers.size or 1)
        and (np.abs(numbers) <= MAX_MAGNITUDE).all()
    )
    if not fine:
        each = {None: ", a finite number or a list of them", 1: " or a finite number"}
        allowed = each.get(count, f", a finite number or a list of {count}")
        raise ArgumentError(
            f"over[{literal(key)}] must be a box, a distribution{allowed}, got {literal(value)}", key="over"
        )
    return np.broadcast_to(numbers, count or numbers.size)


def _label(robot: RobotModel, name: str) -> str:
    """As a user writes it: "q.elbow" for "q:2"."""
    kind, colon, place = name.partition(":")
    return f"{kind}.{robot.coordinates[int(place)].name}" if colon else name


def _places(robot: RobotModel, key: Any) -> list[tuple[str, str, str]]:
    """(name, label, unit) of all that a key names."""
    return _state_entries(robot, key) or [(key, key, parameter_unit(robot, key))]


def _state_entries(robot: RobotModel, key: Any) -> list[tuple[str, str, str]] | None:
    """(name, label, unit) of the entries of the state that a key names; None for a parameter."""
    if not isinstance(key, str):
        raise ArgumentError(f"over has names of coordinates and parameters as keys, got {literal(key)}", key="over")
    kind, _, joint = key.partition(".")
    if kind not in STATE_UNITS:
        return None
    operand = state_operand(robot, kind)
    entries = [
        (f"{kind}:{k}", f"{kind}.{name}", unit)
        for k, (name, unit) in enumerate(zip(operand.entries, operand.units, strict=True))
    ]
    if not joint:
        return entries
    if joint not in operand.entries:
        raise UnknownNameError("joint", joint, operand.entries, within=f'"{key}"', key="over")
    return [entries[operand.entries.index(joint)]]


def parameter_unit(robot: RobotModel, name: str) -> str:
    """Of a run-time parameter; empty where nobody says it."""
    if name.startswith("payload.") and not any(link.name == "payload" for link in robot.links):
        raise ArgumentError(
            f'robot "{robot.name}" has no payload, and no {name}: give it one first, with robot.with_payload(mass), '
            f"{option('payload', '...')}, or payload = ... in the file",
            key="over",
        )
    operand = parameter_operand(robot, [name])
    return operand.units[0] if operand else ""


def _dimensions(robot: RobotModel, key: str, value: Box, entries: Sequence[tuple[str, str, str]]) -> list[Dimension]:
    if value.least is None or value.greatest is None:
        bounds = [_limits(robot, key, name, label) for name, label, _ in entries]
    else:
        if len(value.least) not in (1, len(entries)):
            raise ArgumentError(f"the box of {key} has {len(value.least)} bounds for {len(entries)} values", key="over")
        pairs = list(zip(value.least, value.greatest, strict=True))
        bounds = pairs * len(entries) if len(pairs) == 1 else pairs
    return [Dimension(name, label, unit, *pair) for (name, label, unit), pair in zip(entries, bounds, strict=True)]


def _limits(robot: RobotModel, key: str, name: str, label: str) -> tuple[float, float]:
    kind, _, place = name.partition(":")
    if kind not in _LIMITS:
        raise ArgumentError(
            f'{key} has no limits in a robot; give a box of numbers instead of box("limits")', key="over"
        )
    low, high = (float(getattr(joint_limits(robot), side)[int(place)]) for side in _LIMITS[kind])
    if kind != "q":
        low = -low
    elif not np.isfinite(high - low) and robot.coordinates[int(place)].revolute:
        low, high = -np.pi, np.pi  # a joint without limits turns around
    if not np.isfinite(high - low):
        how = f'"{label}": box(0, 1), or {label} = {{ box = [0, 1] }} in a file'
        raise ArgumentError(
            f'robot "{robot.name}" gives no limits of {label}; give a box of numbers, such as {how}', key="over"
        )
    return low, high
