"""The plain reference: arrays in, arrays out, one state at a time on Python floats.

Slow and obvious on purpose: this is the reference that every fast path is tested against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.arguments import joint_array
from dynamis.arrays import Array, numpy_array
from dynamis.errors import ArgumentError, UnknownNameError, shown
from dynamis.mechanics.mechanism import mechanism, state_at
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel
from dynamis.quantities.registry import QUANTITIES, Evaluation, Quantity
from dynamis.scalars.vectors import Vector

Gravity = bool | Sequence[float] | Array


def quantity(name: str, options: Mapping[str, str] | None = None) -> Quantity:
    """A quantity by its name; `options`, if given, are checked to be all that it needs."""
    if not isinstance(name, str) or name not in QUANTITIES:  # type: ignore[redundant-expr]
        raise UnknownNameError("quantity", name, QUANTITIES)
    wanted = QUANTITIES[name]
    if options is not None:
        for option in options:
            if option not in wanted.options:
                raise UnknownNameError("option", option, wanted.options, within=name)
            if not isinstance(options[option], str):  # type: ignore[redundant-expr]
                raise ArgumentError(f"{option} must be a name, got {shown(options[option])}", key=option)
        if lacking := [option for option in wanted.options if option not in options]:
            raise ArgumentError(f"{name} needs a {lacking[0]}; give it as {lacking[0]}=...", key=lacking[0])
    return wanted


def owner(robot: RobotModel) -> str:
    """Whose joint values they are: how many joints the robot has, and their names."""
    kind = "independent joint" if robot.coupled else "joint"
    joints = f"{robot.n} {kind}{'s' * (robot.n != 1)}"
    return f'robot "{robot.name}" has {joints} ({", ".join(joint.name for joint in robot.coordinates[:12])})'


def gravity_vector(gravity: Gravity) -> Vector[float] | None:
    """True is the robot's own gravity (None here), False is none, a vector is itself [m/s^2]."""
    if isinstance(gravity, (bool, np.bool_)):
        return None if gravity else Vector(0.0, 0.0, 0.0)
    given = numpy_array("gravity", gravity)
    vector = given.astype(np.float64) if given is not None and given.dtype.kind in "biuf" else np.empty(0)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ArgumentError(
            f"gravity must be True, False or three finite values [m/s^2], got {shown(gravity)}", key="gravity"
        )
    return Vector(*(float(x) for x in vector))


def broadcast(arrays: Sequence[tuple[str, Array]]) -> tuple[int, ...]:
    """The shape that arrays of joint values have together."""
    try:
        return np.broadcast_shapes(*(array.shape for _, array in arrays))
    except ValueError:
        names = [name for name, _ in arrays]
        shapes = ", ".join(str(array.shape) for _, array in arrays)
        listed = f"{', '.join(names[:-1])} and {names[-1]}"
        raise ArgumentError(f"{listed} have shapes {shapes}, which do not fit together") from None


def plain(
    robot: RobotModel,
    name: str,
    *values: ArrayLike | None,
    gravity: Gravity = True,
    loads: Sequence[Load] = (),
    **options: str,
) -> tuple[Array, ...]:
    """The outputs of a quantity, computed on floats, state by state.

    >>> import dynamis
    >>> robot = dynamis.load("genova-2r")
    >>> plain(robot, "inverse_dynamics", [0.349066, 0.698132], [0.2, 0.15], [0.1, 0.085])[0].round(2)
    array([318.19,  38.67])
    """
    wanted = quantity(name)
    zeros = np.zeros(robot.n)
    given = [
        (key, joint_array(key, zeros if x is None and key != "q" else x, robot.n, owner(robot)).astype(np.float64))
        for key, x in zip(wanted.inputs, values, strict=True)
    ]
    shape = broadcast(given)
    batch = shape[:-1]
    count = int(np.prod(batch))
    m, g = mechanism(robot, robot.floats()), gravity_vector(gravity)

    def compute(*given: list[float]) -> tuple[Any, ...]:
        x = dict(zip(wanted.inputs, given, strict=True))
        state = state_at(m, x["q"], x.get("qd"), x.get("qdd"))
        return wanted.compute(Evaluation(robot, m, state, x.get("tau", ()), g, loads), **options)

    # An empty batch is one state at zero, left out again: the results' own shapes come from it.
    zero = [[0.0] * robot.n]
    rows = [np.broadcast_to(a, shape).reshape(count, robot.n).tolist() if count else zero for _, a in given]
    results = [compute(*state) for state in zip(*rows, strict=True)]
    stacked = [np.array(column, dtype=np.float64) for column in zip(*results, strict=True)]
    return tuple(column[:count].reshape((*batch, *column.shape[1:])) for column in stacked)
