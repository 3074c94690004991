"""The robot of a sweep in traced scalars: its state and its parameters are inputs where they are swept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dynamis.apps.sweeps.ranges import Ranges
from dynamis.base.errors import MissingValuesError
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.program.quantity_program import STATE_UNITS, with_link_parameters
from dynamis.compute.program.trace import Trace
from dynamis.compute.program.traced_scalars import TracedScalars
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import Floats


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
