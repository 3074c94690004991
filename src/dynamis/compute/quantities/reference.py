"""The plain reference: arrays in, arrays out, one state at a time on Python floats.

Slow and obvious on purpose: this is the reference that every fast path is tested against.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.quantities.arguments import Gravity, broadcast, gravity_vector, joint_values
from dynamis.compute.quantities.registry import quantity
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel


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
    entry, zeros = quantity(name), np.zeros(robot.n)
    arrays = [
        (key, joint_values(key, zeros if x is None and key != "q" else x, robot))
        for key, x in zip(entry.inputs, values, strict=True)
    ]
    batch = broadcast(arrays)
    count = int(np.prod(batch))
    m, g = mechanism(robot, robot.floats()), gravity_vector(gravity)

    def compute(*rows: list[float]) -> tuple[Any, ...]:
        x = dict(zip(entry.inputs, rows, strict=True))
        state = state_at(m, x["q"], x.get("qd"), x.get("qdd"))
        return entry.of(RobotAtState(robot, m, state, x.get("tau", ()), g, loads), **options)

    # An empty batch is one state at zero, left out again: the results' own shapes come from it.
    zero = [[0.0] * robot.n]
    shape = (*batch, robot.n)
    rows = [np.broadcast_to(a, shape).reshape(count, robot.n).tolist() if count else zero for _, a in arrays]
    results = [compute(*state) for state in zip(*rows, strict=True)]
    stacked = [np.array(column, dtype=np.float64) for column in zip(*results, strict=True)]
    return tuple(column[:count].reshape((*batch, *column.shape[1:])) for column in stacked)
