"""What a sweep measures in a state: any quantity of the registry, and values derived from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.model.joint_limits import joint_limits
from dynamis.model.robot import RobotModel
from dynamis.program.quantity_program import flat, output_operand, shape_of
from dynamis.quantities.registry import QUANTITIES, complete_options, quantity
from dynamis.quantities.robot_at_state import RobotAtState

Value = tuple[str, str, Any]
"""Name, unit and scalar."""


@dataclass(frozen=True)
class Measure:
    """A quantity of the registry, or a derived one, with its options."""

    name: str
    options: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.name not in DERIVED and self.name not in QUANTITIES:
            raise UnknownNameError("quantity", self.name, [*DERIVED, *QUANTITIES], key="quantity")

    def values(self, at: RobotAtState) -> list[Value]:
        """The values in a state, in the scalars of the state."""
        if self.name in DERIVED:
            return DERIVED[self.name](at)
        robot = at.robot
        options = complete_options(robot, self.name, dict(self.options))
        entry = quantity(self.name, options)
        values = list[Value]()
        units = entry.units or ("",) * len(entry.outputs)
        for name, output, unit in zip(entry.outputs, entry.of(at, **options), units, strict=True):
            operand = output_operand(robot, name, shape_of(output), unit)
            names = _names(robot, name, operand.shape, len(entry.outputs) > 1)
            entries = flat(output)
            values += list(zip(names, operand.units or ("",) * len(entries), entries, strict=True))
        return values


def _names(robot: RobotModel, name: str, shape: tuple[int, ...], many: bool) -> list[str]:
    """Names of entries: of joints where there is one per joint, else places."""
    joints = [x.name for x in robot.coordinates]
    if shape == (robot.n,):
        return [f"{name}.{x}" for x in joints] if many else joints
    return [f"{name}[{','.join(str(k + 1) for k in place)}]" if place else name for place in np.ndindex(shape)]


def _efforts(robot: RobotModel, what: str) -> list[float]:
    """The largest torque or force of every joint, all of which the robot must give."""
    efforts = joint_limits(robot).effort
    if unknown := [x.name for x, limit in zip(robot.coordinates, efforts, strict=True) if not np.isfinite(limit)]:
        raise ArgumentError(f'{what} needs limits of effort, which robot "{robot.name}" lacks for {", ".join(unknown)}')
    return efforts.tolist()


def _power(at: RobotAtState) -> list[Value]:
    rates = zip(at.robot.coordinates, at.torques(), at.state.qd, strict=True)
    return [(x.name, "W", tau * qd) for x, tau, qd in rates]


def _effort_ratio(at: RobotAtState) -> list[Value]:
    efforts = _efforts(at.robot, "effort_ratio")
    torques = zip(at.robot.coordinates, at.torques(), efforts, strict=True)
    return [(x.name, "", tau * (1.0 / effort)) for x, tau, effort in torques]


def _largest_payload(at: RobotAtState) -> list[Value]:
    """The heaviest point mass at the tool that no joint's effort forbids in this state; negative where none is.

    It pulls with g - a, so that every joint has its torque J^T (a - g) per kg and gives a bound on the mass.
    """
    scalars, efforts = at.m.scalars, _efforts(at.robot, "largest_payload")
    (J,), motion = QUANTITIES["jacobian"].of(at, frame="tool"), QUANTITIES["frame_motion"].of(at, frame="tool")
    pull = [a - g for a, g in zip(motion[2], at.m.gravity, strict=True)]
    values = list[Value]()
    for k, (x, tau, effort) in enumerate(zip(at.robot.coordinates, at.torques(), efforts, strict=True)):
        slope = sum((row[k] * f for row, f in zip(J[:3], pull, strict=True)), 0.0)
        if isinstance(slope, float) and slope == 0.0:
            continue  # a joint that feels no payload
        size = scalars.greatest(slope, -slope)
        values.append((x.name, "kg", (effort - scalars.sign(slope) * tau) / size))
    if not values:
        raise ArgumentError(f'no joint of robot "{at.robot.name}" feels a payload in any state')
    least = values[0][2]
    for _, _, value in values[1:]:
        least = scalars.least(least, value)
    return [("payload", "kg", least), *((f"payload.{name}", unit, value) for name, unit, value in values)]


def _manipulability(at: RobotAtState) -> list[Value]:
    """Yoshikawa's: the root of det(J J^T) of the tool's velocity, or of det(J^T J) with fewer joints than rows."""
    (J,) = QUANTITIES["jacobian"].of(at, frame="tool")
    rows = [row for row in J if not all(isinstance(x, float) and x == 0.0 for x in row)]
    a, b = (rows, rows) if len(rows) <= at.robot.n else (list(zip(*rows, strict=True)),) * 2
    gram = [[sum((x * y for x, y in zip(p, r, strict=True)), 0.0) for r in b] for p in a]
    scalars, product = at.m.scalars, 1.0
    for k, pivot_row in enumerate(gram):  # Gauss: the product of the pivots, which are not negative
        pivot = pivot_row[k]
        product = product * pivot
        for i in range(k + 1, len(gram)):
            factor = gram[i][k] / scalars.greatest(pivot, 1e-300)  # a pivot of 0 has zeros below it
            gram[i] = [x - factor * y for x, y in zip(gram[i], pivot_row, strict=True)]
    return [("manipulability", "", scalars.sqrt(scalars.greatest(product, 0.0)))]


DERIVED: Mapping[str, Callable[[RobotAtState], list[Value]]] = {
    "power": _power,
    "effort_ratio": _effort_ratio,
    "largest_payload": _largest_payload,
    "manipulability": _manipulability,
}
"""Values that a sweep derives from quantities."""
