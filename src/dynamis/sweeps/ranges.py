"""What a sweep goes over: boxes and distributions of coordinates and parameters, and values to run through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

import numpy as np

from dynamis.arguments import number, real_values
from dynamis.arrays import Array
from dynamis.errors import ArgumentError, UnknownNameError, literal
from dynamis.model.joint_limits import joint_limits
from dynamis.model.robot import RobotModel
from dynamis.program.quantity_program import STATE_UNITS, parameter_operand, state_operand

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

    def values(self, u: Array) -> Array:
        """The quantiles for u from 0 to 1."""
        if self.kind == "given":
            return u
        if self.kind == "normal":
            special: Any = import_module("scipy.special")
            return self.numbers[0] + self.numbers[1] * special.ndtri(np.clip(u, 2.0**-53, 1 - 2.0**-53))
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

    >>> box(0.5)
    Box(least=(-0.5,), greatest=(0.5,))
    """
    if bounds == ("limits",):
        return Box(None, None)
    if len(bounds) not in (1, 2) or any(isinstance(x, str) for x in bounds):
        raise ArgumentError('a box is box("limits"), box(half width) or box(least, greatest)', key="box")
    rows = [np.atleast_1d(real_values("a bound of a box", x)) for x in bounds]
    least, greatest = np.broadcast_arrays(*(rows if len(rows) == 2 else (-rows[0], rows[0])))
    if not least.size or least.ndim != 1 or not (np.isfinite(least) & np.isfinite(greatest)).all():
        raise ArgumentError(f"the bounds of a box must be finite numbers, got {literal(bounds)}", key="box")
    if (empty := np.flatnonzero(least > greatest)).size:
        k = int(empty[0])
        raise ArgumentError(f"this box is empty: its least value {least[k]:g} is above its greatest {greatest[k]:g}")
    return Box(tuple(least.tolist()), tuple(greatest.tolist()))


def normal(mean: float, deviation: float) -> Spread:
    """A normal distribution by its mean and standard deviation."""
    return Spread("normal", (number("mean", mean), number("deviation", deviation, least=0)))


def triangular(least: float, likely: float, greatest: float) -> Spread:
    """A triangular distribution: `likely` is its peak."""
    a, c, b = number("least", least), number("likely", likely), number("greatest", greatest)
    if not a <= c <= b or a == b:
        raise ArgumentError(f"a triangular distribution needs least <= likely <= greatest, got {a:g}, {c:g}, {b:g}")
    return Spread("triangular", (a, c, b))


def correlated(mean: Sequence[float], covariance: Any) -> Correlated:
    """Normally distributed values that depend on each other, for a key of several names."""
    means, matrix = real_values("mean", mean), real_values("covariance", covariance)
    if means.ndim != 1 or matrix.shape != (len(means), len(means)) or not np.allclose(matrix, matrix.T):
        raise ArgumentError("covariance must be a symmetric matrix with one row per mean", key="covariance")
    try:
        factor = np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise ArgumentError("covariance must be positive definite", key="covariance") from None
    return Correlated(tuple(means.tolist()), tuple(map(tuple, factor.tolist())))


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

    @property
    def is_box(self) -> bool:
        """Whether every value is as likely as any other."""
        return not self.groups and all(x.spread is None for x in self.dimensions)

    def values(self, points: Array) -> Array:
        """Points of the unit cube, (..., d), as values of the dimensions."""
        columns = [
            x.least + (x.greatest - x.least) * points[..., k] if x.spread is None else x.spread.values(points[..., k])
            for k, x in enumerate(self.dimensions)
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
    for key, value in over.items():
        if isinstance(value, Correlated):
            names = [key] if isinstance(key, str) else list(key)
            if len(names) != len(value.mean):
                raise ArgumentError(f"over has {len(names)} names for {len(value.mean)} correlated values", key="over")
            groups.append((len(dimensions), value))
            standard = Spread("normal", (0.0, 1.0))
            dimensions += [Dimension(name, name, _unit(robot, name), spread=standard) for name in names]
            parameters += names
            continue
        entries = _state_entries(robot, key)
        if entries is None:
            parameters.append(key)
            unit = _unit(robot, key)
            if isinstance(value, Spread):
                dimensions.append(Dimension(key, key, unit, spread=value))
            elif isinstance(value, Box):
                dimensions += _dimensions(robot, key, value, [(key, key, unit)])
            elif isinstance(value, int | float):
                fixed[key] = number(key, value)
            else:
                cases[key] = tuple(real_values(key, value).ravel().tolist())
                if not cases[key]:
                    raise ArgumentError(f"{key} needs a box, a distribution or a list of values", key="over")
        elif isinstance(value, Box):
            dimensions += _dimensions(robot, key, value, entries)
        elif isinstance(value, Spread):
            dimensions += [Dimension(name, label, unit, spread=value) for name, label, unit in entries]
        else:
            numbers = np.broadcast_to(real_values(key, value), len(entries))
            fixed |= {name: float(x) for (name, *_), x in zip(entries, numbers, strict=True)}
    names = [x.name for x in dimensions]
    if twice := next((x for x in [*names, *fixed, *cases] if [*names, *fixed, *cases].count(x) > 1), None):
        raise ArgumentError(f'"{twice}" is swept twice', key="over")
    return Ranges(tuple(dimensions), tuple(fixed.items()), tuple(cases.items()), tuple(parameters), tuple(groups))


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


def _unit(robot: RobotModel, name: str) -> str:
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
        raise ArgumentError(f'robot "{robot.name}" gives no limits of {label}; give a box of numbers', key="over")
    return low, high
