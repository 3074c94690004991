"""Whether the robots of a sweep can exist: each parameter at the ends of its range, by the checks of every robot."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from dynamis.apps.sweeps.ranges import Ranges
from dynamis.base.errors import ModelError, UnphysicalWarning
from dynamis.base.expressions.parser import as_expression
from dynamis.compute.program.quantity_program import link_field
from dynamis.model.map_expressions import changed_fields
from dynamis.robot import Robot

Ends = Callable[[int], tuple[float, float]]
"""(number of a dimension) -> the least and the greatest value of it."""


def check_physical(robot: Robot, swept: Ranges, given: Ends | None = None) -> None:
    """Raise a ModelError where a parameter makes a robot that cannot exist, such as one of negative mass.

    Inertias that no body has are warned about: tolerances of single entries soon break the triangle inequality.

    given: the ends of values that are samples
    """
    if not swept.parameters:
        return
    links = (replace(x, inertia=replace(x.inertia, allow_unphysical=True)) for x in robot.links)
    with warnings.catch_warnings(record=True) as before:
        warnings.simplefilter("always", UnphysicalWarning)
        robot = replace(robot, links=tuple(links))
    known = {str(x.message) for x in before}
    said = list[str]()
    for name, value in _ends(swept, given):
        with warnings.catch_warnings(record=True) as now:
            warnings.simplefilter("always", UnphysicalWarning)
            try:
                _ = _with_value(robot, name, value)
            except ModelError as error:
                raise ModelError(f"over takes {name} to {value:g}: {error.message}", key="over") from None
        said += [f"over takes {name} to {value:g}: {x.message}" for x in now if str(x.message) not in known]
    if said:
        warnings.warn(said[0], UnphysicalWarning, stacklevel=4)


def _with_value(robot: Robot, name: str, value: float) -> Robot:
    if name in robot.parameters:
        return robot.with_values({name: value})
    place, number = link_field(robot, name), as_expression(value, name)
    return replace(robot, **changed_fields(robot, lambda x: number if x.inertial == place else x.expression))


def _ends(swept: Ranges, given: Ends | None) -> Iterator[tuple[str, float]]:
    """(parameter, an end of its range)."""
    for k, x in enumerate(swept.dimensions):
        if x.name not in swept.parameters:
            continue
        if x.spread is None:
            ends = x.least, x.greatest
        elif given is not None:
            ends = given(k)
        else:
            ends = x.spread.values(np.array([0.0, 1.0]), swept.tail)
        for start, group in swept.groups:
            if start <= k < start + len(group.mean):
                deviation = float(np.linalg.norm(group.factor[k - start]))
                ends = [group.mean[k - start] + deviation * end for end in ends]
        yield from ((x.name, float(end)) for end in ends)
    yield from ((name, value) for name, value in swept.fixed if name in swept.parameters)
    yield from ((name, end) for name, values in swept.cases for end in (min(values), max(values)))
