"""What a sweep measures in a state: quantities of the registry, and values derived from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamis.apps.sweeps.derived import DERIVED, Value
from dynamis.base.errors import ArgumentError, UnknownNameError, check_name
from dynamis.compute.program.quantity_program import flat, output_operand, shape_of
from dynamis.compute.quantities.registry import QUANTITIES, complete_options, quantity
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.model.robot import RobotModel


@dataclass(frozen=True)
class Measure:
    """Quantities of the registry, or derived ones, with their options."""

    quantities: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not self.quantities:
            raise ArgumentError("quantity must be a name or a list of names, got none", key="quantity")
        for k, name in enumerate(self.quantities):
            check_name("quantity", name, [*DERIVED, *QUANTITIES], key="quantity")
            if name in self.quantities[:k]:
                raise ArgumentError(f'quantity "{name}" is named twice', key="quantity")
        known = {option for name in self.quantities for option in self._known(name)}
        for option, _ in self.options:
            if option not in known:
                raise UnknownNameError("option", option, sorted(known), within=self.name)

    @property
    def name(self) -> str:
        return " + ".join(self.quantities)

    @staticmethod
    def _known(name: str) -> tuple[str, ...]:
        return QUANTITIES[name].options if name in QUANTITIES and name not in DERIVED else ()

    def values(self, at: RobotAtState) -> list[Value]:
        """The values in a state, in the scalars of the state; of several quantities each has its quantity's name."""
        if len(self.quantities) == 1:
            return self._values(at, self.quantities[0])
        return [
            (value if value.startswith(name) else f"{name}.{value}", unit, scalar)
            for name in self.quantities
            for value, unit, scalar in self._values(at, name)
        ]

    def _values(self, at: RobotAtState, measured: str) -> list[Value]:
        if measured in DERIVED:
            return list(DERIVED[measured](at))
        robot = at.robot
        options = complete_options(robot, measured, {k: x for k, x in self.options if k in self._known(measured)})
        entry = quantity(measured, options)
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
