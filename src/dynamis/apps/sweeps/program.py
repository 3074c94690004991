"""The program of a sweep: from a point to the values that are measured, and to the number of the cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynamis.apps.sweeps.cells import Axis, cell_number
from dynamis.apps.sweeps.measures import Measure
from dynamis.apps.sweeps.ranges import Ranges
from dynamis.apps.sweeps.traced_state import traced_state
from dynamis.base.errors import ArgumentError
from dynamis.compute.program.program import Program, program
from dynamis.compute.program.signature import Operand
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel


@dataclass(frozen=True)
class SweepProgram:
    """x -> values, cell; `names` and `units` are those of the values."""

    program: Program
    names: tuple[str, ...]
    units: tuple[str, ...]


def sweep_program(
    robot: RobotModel,
    measure: Measure,
    ranges: Ranges,
    axes: Sequence[Axis],
    case: Mapping[str, float],
    loads: Sequence[Load] = (),
) -> SweepProgram:
    """The program for one case; x are the values of the dimensions."""
    at, swept = traced_state(robot, ranges, case, loads)
    try:
        measured = measure.values(at)
    except ZeroDivisionError:
        raise ArgumentError(f"{measure.name} is divided by zero in every state of this sweep") from None
    by_label = {x.label: swept[x.name] for x in ranges.dimensions}
    cell = cell_number(at, by_label, axes) if axes else 0.0
    names, units, scalars_of = zip(*measured, strict=True)
    outputs = [(Operand("values", (len(names),), names, units), scalars_of), (Operand("cell", ()), [cell])]
    return SweepProgram(program([Operand("x", (len(ranges.dimensions),))], outputs), names, units)
