"""Numbers for a drawing: a parameter without a value gets one that shows the arm well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.expressions.expression import Expression, Number
from dynamis.model.loads import Load
from dynamis.model.map_expressions import expressions_in, parameters_in
from dynamis.model.placement import Step
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import Floats, number
from dynamis.scalars.vectors import Matrix, Vector

ANGLE, MASS, GRAVITY, LOAD, OTHER = Fraction(1, 2), Fraction(1), Fraction(981, 100), Fraction(10), Fraction(1, 10)
COM = (Fraction(1, 2), Fraction(-1, 2), Fraction(3, 20))
"""Where a CoM may lie, in lengths of a link: in its middle, or a little aside."""


def free_numbers(robot: RobotModel, loads: Sequence[Load] = ()) -> dict[str, Fraction]:
    """A number for every parameter that the robot or a load uses and that has no value.

    Lengths are the mean of those that are known, or 1 m; a CoM lies in the middle of its link; masses are 1 kg.
    """
    everything = (robot, *loads)
    used = {name for name in robot.missing_values if name in parameters_in(everything)}
    if not used:
        return {}
    uses: dict[str, set[str]] = {name: set() for name in used}
    lengths: list[float] = []
    for site in expressions_in(everything):
        kind = _kind(site.owner, site.path)
        for name in site.parameters & used:
            uses[name].add(kind)
        if kind == "length" and (known := number(site.expression, robot.values)):
            lengths.append(abs(known))
    unit = Fraction(float(f"{sum(lengths) / len(lengths):.2g}")).limit_denominator(10**6) if lengths else Fraction(1)
    amounts = {"length": unit, "angle": ANGLE, "com": COM[0] * unit, "mass": MASS, "gravity": GRAVITY, "load": LOAD}
    chosen = {
        name: next((amounts[kind] for kind in amounts if kind in uses[name]), OTHER)
        for name in robot.missing_values
        if name in used
    }
    for link in robot.links:
        for entry in link.com:
            for name in sorted(entry.parameters() & used):
                if "length" not in uses[name] and "angle" not in uses[name]:
                    chosen[name] = min(
                        (c * unit for c in COM), key=lambda c: _aside(robot, link.name, {**chosen, name: c})
                    )
    return chosen


def floats(robot: RobotModel, chosen: Mapping[str, Fraction]) -> Floats:
    """Floats with the values of the robot and these numbers."""
    values: dict[str, Expression] = {**robot.values, **{name: Number(value) for name, value in chosen.items()}}
    return Floats(values, robot.name)


def _kind(owner: object, path: tuple[str | int, ...]) -> str:
    if isinstance(owner, Step):
        return "length" if owner.kind == "T" else "angle"
    if isinstance(owner, Load):
        return "com" if "point" in path else "load"
    return next((word for word in ("com", "mass", "gravity") if word in path), "other")


def _aside(robot: RobotModel, name: str, chosen: Mapping[str, Fraction]) -> float:
    """How far the CoM of a link lies from the middle between its joint and its farthest end."""
    scalars = floats(robot, chosen)
    link = robot.link(name)

    def at(entries: Vector[float]) -> Array:
        return np.array([*entries])

    R, p = link.joint.after.evaluate(scalars)
    joint = -at(R.T @ p)
    children = [other.joint.before for other in robot.links if other.parent == name]
    tool = [robot.tool.placement] if robot.tool and robot.tool.link == name else []
    ends = [at(Vector(0.0, 0.0, 0.0)), *(at(placement.evaluate(scalars)[1]) for placement in (*children, *tool))]
    end = max(ends, key=lambda point: float(np.linalg.norm(point - joint)))
    com = np.array([number(entry, scalars.values, robot.name) or 0.0 for entry in link.com])
    return float(np.linalg.norm(com - (joint + end) / 2))


def array(matrix: Matrix[float]) -> Array:
    """A matrix of scalars as an array."""
    return np.array([[*row] for row in matrix])
