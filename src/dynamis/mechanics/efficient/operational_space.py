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

from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.mechanics.coupling import projected
from dynamis.mechanics.efficient.composite_body import mass_matrix
from dynamis.mechanics.efficient.factor import Factor, dense_factor, factor
from dynamis.mechanics.efficient.regrouping.joint_transforms import JointTransform, joint_transforms
from dynamis.mechanics.kinematics.poses import Pose
from dynamis.mechanics.mechanism import Mechanism, Place, State
from dynamis.scalars.vectors import S, Vector

ROWS = ("x", "y", "z", "rx", "ry", "rz")
"""The rows of J by name: motion of the frame's origin along the base axes, then rotation about them."""


def chosen_rows(words: str) -> list[int]:
    """Which rows of J are named, in their order in J.

    >>> chosen_rows("x y rz")
    [0, 1, 5]
    """
    names = str(words).replace(",", " ").split()
    for name in names:
        if name not in ROWS:
            raise UnknownNameError("row", name, ROWS, key="rows")
    if not names or len(set(names)) < len(names):
        twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
        problem = "rows is empty" if twice is None else f'row "{twice}" is named twice'
        raise ArgumentError(f"{problem}; choose of {', '.join(ROWS)}", key="rows")
    return sorted(ROWS.index(name) for name in names)


def operational_space_inertia(
    m: Mechanism[S], state: State[S], place: Place[S], rows: str = " ".join(ROWS)
) -> list[list[S]]:
    """Lambda of a frame, symmetric, (6, 6): force before moment, in base axes, at the frame's origin.

    `rows` are the directions that count, the others are free: "x y z" leaves the frame free to turn [kg]. An arm with
    fewer than six joints has a Lambda for as many rows as it has joints.

    Two sliders with 1 and 2 kg; the first moves along z and carries both:

    >>> from dynamis import load
    >>> from dynamis.mechanics.mechanism import mechanism, state_at
    >>> from dynamis.scalars.vectors import diagonal
    >>> arm = load("cartesian").with_values(m1=1, m2=2)
    >>> m = mechanism(arm, arm.floats())
    >>> state = state_at(m, [0.0, 0.0])
    >>> operational_space_inertia(m, state, Place(1, diagonal(1.0, 0.0), m.null), "x z")
    [[2.0, 0.0], [0.0, 3.0]]
    """
    chosen = chosen_rows(rows)
    joints = joint_transforms(m, state)
    J = _jacobian(m, joints, place)
    moved = {j for j, column in enumerate(J) if column is not None}
    carrying = len(moved if m.coupling is None else {k for j in moved for k, _ in m.coupling.rows[j]})
    if carrying < len(chosen):
        named = [ROWS[k] for k in chosen]
        known = "1 joint" if carrying == 1 else f"{carrying} joints"
        advice = f'; choose at most {carrying}, such as rows="{" ".join(named[:carrying])}"' if carrying else ""
        raise ArgumentError(
            f"the frame is carried by {known}, too few for the operational-space inertia of {len(chosen)} rows "
            f"({', '.join(named)}){advice}",
            key="rows",
        )
    columns = projected(m.coupling, [[m.zero if column is None else column[k] for k in chosen] for column in J])
    mobility = _mobility(columns, factor(m, mass_matrix(m, state)))
    return dense_factor(mobility, m.zero, m.one).inverse()


def _mobility(J: Sequence[Sequence[S]], M: Factor[S]) -> list[list[Any]]:
    """J M^-1 J^T of the columns of J: the acceleration of the frame per force on it."""
    size = len(J[0])
    y = [M.half_solve([column[a] for column in J]) for a in range(size)]
    scaled = [[value * per_D for value, per_D in zip(row, M.per_D, strict=True)] for row in y]
    mobility: list[list[Any]] = [[M.zero] * size for _ in range(size)]
    for a in range(size):
        for b in range(a + 1):
            total: Any = M.zero
            for left, right in zip(scaled[a], y[b], strict=True):
                total = total + left * right
            mobility[a][b] = mobility[b][a] = total
    return mobility


def _jacobian(m: Mechanism[S], joints: Sequence[JointTransform[S]], place: Place[S]) -> list[list[S] | None]:
    """Columns (z x (x - P), z) or (z, 0) of the joints that carry the frame, in base axes; None of the others."""
    columns: list[list[S] | None] = [None] * m.joints
    if place.body is None:
        return columns
    where: list[Pose[S]] = []
    for body, joint in zip(m.bodies, joints, strict=True):
        on = None if body.parent is None else where[body.parent]
        where.append(Pose(joint.R, joint.r) if on is None else Pose(on.R.times(joint.R), on.p + on.R @ joint.r))
    rotation, i = joints[place.body].own_rotation, place.body
    x = where[i].p + where[i].R @ (place.p if rotation is None else rotation.vector(place.p))
    carrier: int | None = i
    while carrier is not None:
        body, pose = m.bodies[carrier], where[carrier]
        if body.joint is not None:
            z: Vector[S] = pose.R @ body.k
            columns[body.joint] = [*z.cross(x - pose.p), *z] if body.revolute else [*z, *m.null]
        carrier = body.parent
    return columns
