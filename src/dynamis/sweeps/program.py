"""The program of a sweep: from a point to the values that are measured, and to the number of the cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynamis.errors import ArgumentError, MissingValuesError
from dynamis.mechanics.mechanism import mechanism, state_at
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel
from dynamis.program.program import Program, program
from dynamis.program.quantity_program import STATE_UNITS, with_link_parameters
from dynamis.program.signature import Operand
from dynamis.program.trace import Trace
from dynamis.program.traced_scalars import TracedScalars
from dynamis.quantities.robot_at_state import RobotAtState
from dynamis.scalars.floats import Floats
from dynamis.sweeps.cells import Axis, cell_number
from dynamis.sweeps.measures import Measure
from dynamis.sweeps.ranges import Ranges


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


def traced_state(
    robot: RobotModel, ranges: Ranges, case: Mapping[str, float], loads: Sequence[Load] = ()
) -> tuple[RobotAtState, dict[str, Any]]:
    """The robot in a state of traced scalars, and what is swept in them: the inputs "x:0", "x:1", ..."""
    trace = Trace()
    swept = {dimension.name: trace.input(f"x:{k}") for k, dimension in enumerate(ranges.dimensions)}
    known = swept | dict(ranges.fixed) | dict(case)
    parameters = {name: value for name, value in known.items() if name in ranges.parameters}
    changed = with_link_parameters(robot, ranges.parameters)
    needed = changed.used_parameters()
    if missing := [x for x in changed.missing_values if x in needed and x not in parameters]:
        raise MissingValuesError(robot.name, missing)
    values = {name: value for name, value in changed.values.items() if name not in parameters}
    scalars = TracedScalars(Floats(values, robot.name), trace, parameters)
    m = mechanism(changed, scalars)
    q, qd, qdd, tau = ([known.get(f"{kind}:{k}", 0.0) for k in range(robot.n)] for kind in STATE_UNITS)
    return RobotAtState(changed, m, state_at(m, q, qd, qdd), tau, None, loads, fast=True), swept
