"""How far from the base the tool of a sweep can be: the sum of the lengths between its joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from dynamis.apps.sweeps.ranges import Dimension, Ranges
from dynamis.apps.sweeps.traced_state import traced_state
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.numpy_backend import evaluate_program
from dynamis.compute.mechanics.kinematics.poses import frame_pose
from dynamis.compute.program.program import program
from dynamis.compute.program.quantity_program import parameter_value
from dynamis.compute.program.signature import Operand
from dynamis.model.joint_limits import joint_limits
from dynamis.model.robot import RobotModel

MAX_CORNER_VALUES = 10
"""Values whose 2^10 corners are all tried; of more, as many by chance."""
TAIL_PROBABILITY = 1e-4
"""A distribution has values that are rarer than this outside of its ends."""


def reach(robot: RobotModel, ranges: Ranges) -> tuple[float, bool]:
    """A distance from the origin of the base that the tool keeps within, and whether no state can be beyond.

    From one joint to the next the distance is the same for all angles, and largest at the ends of what slides and of
    swept lengths: corners of the box are enough. Only they are, where an angle or a file of samples is swept.
    """
    dimensions, moved = ranges.dimensions, _sliding_coordinates(robot)
    sliding = [k for k, x in enumerate(dimensions) if x.name in moved]
    changing = [k for k, x in enumerate(dimensions) if x.name in ranges.parameters]
    first, second = (_corners([_ends(robot, dimensions[k]) for k in some]) for some in (sliding, changing))
    points = np.full((len(first), len(second), len(dimensions)), 0.5)
    points[..., sliding], points[..., changing] = first[:, None], second
    names = [name for name, _ in ranges.cases]
    cases = [dict(zip(names, x, strict=True)) for x in product(*({min(v), max(v)} for _, v in ranges.cases))]
    lengths = np.stack([_lengths(robot, ranges, case, ranges.values(points)) for case in cases], 1)
    spreads = [x.spread for k, x in enumerate(dimensions) if k in sliding or (k in changing and _is_given(x))]
    certain = (
        len(sliding) <= MAX_CORNER_VALUES and not any(spreads) and bool((np.ptp(lengths, axis=(1, 2)) == 0.0).all())
    )
    return float(lengths.max()) * 1.0001, certain


def _sliding_coordinates(robot: RobotModel) -> set[str]:
    """The coordinates that slide, or may make a joint that follows them slide."""
    follows = any(joint.coupling and not joint.revolute for joint in robot.joints)
    return {f"q:{k}" for k, x in enumerate(robot.coordinates) if follows or not x.revolute}


def _is_given(x: Dimension) -> bool:
    return x.spread is not None and x.spread.kind == "given"


def _ends(robot: RobotModel, x: Dimension) -> tuple[float, float]:
    """Where a dimension ends, in the unit cube; of samples, which are not read for this, what the robot says itself."""
    if x.spread is None:
        return 0.0, 1.0
    if not _is_given(x):
        return TAIL_PROBABILITY, 1 - TAIL_PROBABILITY
    kind, _, place = x.name.partition(":")
    if kind == "q" and place:
        limits = joint_limits(robot)
        ends = float(limits.lower[int(place)]), float(limits.upper[int(place)])
        if not np.isfinite(ends).all():
            raise ArgumentError(
                f'robot "{robot.name}" slides without limits: give bounds of the cells of its tool', key="by"
            )
        return ends
    own = parameter_value(robot, x.name)
    return (0.0, 0.0) if own is None else (own, own)


def _corners(ends: Sequence[tuple[float, float]]) -> Array:
    count = len(ends)
    if count <= MAX_CORNER_VALUES:
        return np.array(list(product(*ends))).reshape(2**count, count)
    return np.array(ends)[np.arange(count), np.random.default_rng(0).integers(0, 2, (2**MAX_CORNER_VALUES, count))]


def _lengths(robot: RobotModel, ranges: Ranges, case: Mapping[str, float], values: Array) -> Array:
    """The sum of the distances from the base over all joints to the tool, (...)."""
    at, _ = traced_state(robot, ranges, case)
    place = at.place("tool")
    path, body = [frame_pose(at.poses, place).p], place.body
    while body is not None:
        path.append(at.poses[body].p)
        body = at.m.bodies[body].parent
    output = Operand("p", (len(path), 3)), [entry for p in path for entry in (p.x, p.y, p.z)]
    p = evaluate_program(program([Operand("x", (len(ranges.dimensions),))], [output]), (values,), "float64")[0]
    from_base = np.concatenate([p, np.zeros_like(p[..., :1, :])], -2)
    return np.linalg.norm(np.diff(from_base, axis=-2), axis=-1).sum(-1)
