"""The operational-space inertia: how heavy a robot is at its tool.

    Lambda = (J M^-1 J^T)^-1

A force and moment F at the frame, with the robot at rest and free to move, accelerate it by Lambda^-1 F. With
M = L^T D L along the tree (`factor`) and the columns y_i of J L^-1, J M^-1 J^T = sum y_i y_i^T / D_i. Where J
has not full rank (a singular posture) Lambda does not exist: a division by 0, or by what rounding leaves of it.

Source: O. Khatib, A unified approach for motion and force control of robot manipulators: the operational space
formulation, IEEE J. Robotics and Automation 3(1), 1987, section III.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynamis.algorithms.composite_body import mass_matrix
from dynamis.algorithms.factor import Factor, dense_factor, factor
from dynamis.algorithms.kinematics import Pose
from dynamis.algorithms.mechanism import Mechanism, Place, State
from dynamis.algorithms.passages import Passage, passages
from dynamis.errors import ArgumentError
from dynamis.model.vectors import S, Vector


def operational_space_inertia(
    m: Mechanism[S], state: State[S], place: Place[S], *, position_only: bool = False
) -> list[list[S]]:
    """Lambda of a frame, symmetric, (6, 6): force before moment, in base axes, at the frame's origin.

    `position_only` leaves the frame free to turn: (3, 3) [kg].

    Two sliders that carry 1 and 2 kg, their tool in a plane; the third direction has no Lambda:

    >>> from dynamis import load
    >>> from dynamis.algorithms.mechanism import float_state, mechanism
    >>> from dynamis.model.vectors import diagonal
    >>> arm = load("cartesian").with_values(m1=1, m2=2)
    >>> m, state = mechanism(arm, arm.world()), float_state([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
    >>> operational_space_inertia(m, state, Place(1, diagonal(1.0, 0.0), m.null), position_only=True)
    Traceback (most recent call last):
    dynamis.errors.ArgumentError: the frame is carried by 2 joints; its operational-space inertia needs at least 3
    """
    rows = 3 if position_only else 6
    joints = passages(m, state)
    J = _jacobian(m, joints, place)
    carrying = sum(column is not None for column in J)
    if carrying < rows:
        known = "1 joint" if carrying == 1 else f"{carrying} joints"
        raise ArgumentError(
            f"the frame is carried by {known}; its operational-space inertia needs at least {rows}", key="frame"
        )
    columns = [[m.zero] * rows if column is None else column[:rows] for column in J]
    mobility = _mobility(columns, factor(m, mass_matrix(m, state)))
    return dense_factor(mobility, m.zero, m.one).inverse()


def _mobility(J: Sequence[Sequence[S]], M: Factor[S]) -> list[list[Any]]:
    """J M^-1 J^T of the columns of J: the acceleration of the frame per force on it."""
    size = len(J[0])
    y = [M.half_solve([column[a] for column in J]) for a in range(size)]
    scaled = [[value * per_D for value, per_D in zip(row, M.per_D, strict=True)] for row in y]
    found: list[list[Any]] = [[M.zero] * size for _ in range(size)]
    for a in range(size):
        for b in range(a + 1):
            total: Any = M.zero
            for left, right in zip(scaled[a], y[b], strict=True):
                total = total + left * right
            found[a][b] = found[b][a] = total
    return found


def _jacobian(m: Mechanism[S], joints: Sequence[Passage[S]], place: Place[S]) -> list[list[S] | None]:
    """Columns (z x (x - P), z) or (z, 0) of the joints that carry the frame, in base axes; None of the others."""
    found: list[list[S] | None] = [None] * m.n
    if place.body is None:
        return found
    where: list[Pose[S]] = []
    for body, joint in zip(m.bodies, joints, strict=True):
        on = None if body.parent is None else where[body.parent]
        where.append(Pose(joint.R, joint.r) if on is None else Pose(on.R.times(joint.R), on.p + on.R @ joint.r))
    lean, i = joints[place.body].lean, place.body
    x = where[i].p + where[i].R @ (place.p if lean is None else lean.vector(place.p))
    carrier: int | None = i
    while carrier is not None:
        body, pose = m.bodies[carrier], where[carrier]
        if body.coordinate is not None:
            z: Vector[S] = pose.R @ body.k
            found[body.coordinate] = [*z.cross(x - pose.p), *z] if body.turns else [*z, *m.null]
        carrier = body.parent
    return found
