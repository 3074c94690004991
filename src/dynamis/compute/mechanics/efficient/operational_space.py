"""The dynamics of a robot as its tool feels them: the operational space.

    F = Lambda xdd + mu + p,   Lambda = (J M^-1 J^T)^-1,   Jbar = M^-1 J^T Lambda
    mu = Jbar^T c - Lambda Jd qd,   p = Jbar^T g

x are the chosen directions of a frame, J their rows of its Jacobian, F the force and moment at the frame, which the
torques J^T F give. A force F at the frame of a robot at rest accelerates it by Lambda^-1 F; of any torques, Jbar^T tau
is the F that acts in the chosen directions. With M = L^T D L along the tree (`factor`) and the columns y_i of J L^-1,
J M^-1 J^T = sum y_i y_i^T / D_i. Where the rows of J depend on each other (a singular posture) Lambda does not exist:
a division by 0, or by what rounding leaves of it.

Source: O. Khatib, A unified approach for motion and force control of robot manipulators: the operational space
formulation, IEEE J. Robotics and Automation 3(1), 1987, sections III and IV.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.base.faces import option, option_name
from dynamis.compute.mechanics.coupling import project_to_coordinates
from dynamis.compute.mechanics.efficient.composite_body import mass_matrix
from dynamis.compute.mechanics.efficient.factor import Factor, dense_factor, factor
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform, joint_transforms
from dynamis.compute.mechanics.kinematics.poses import Pose
from dynamis.compute.mechanics.mechanism import Mechanism, Place, State
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
        problem = f"{option_name('rows')} is empty" if twice is None else f'row "{twice}" is named twice'
        raise ArgumentError(f"{problem}; choose of {', '.join(ROWS)}", key="rows")
    return sorted(ROWS.index(name) for name in names)


@dataclass(frozen=True)
class OperationalSpace(Generic[S]):
    """The chosen rows of J at a state, by columns, with M and J M^-1 J^T factored."""

    J: list[list[S]]
    M: Factor[S]
    mobility: Factor[S]

    def inertia(self) -> list[list[S]]:
        """Lambda, symmetric: force before moment, in base axes, at the frame's origin."""
        return self.mobility.inverse()

    def force(self, tau: Sequence[S], acceleration: Sequence[S] | None = None) -> list[Any]:
        """Lambda (J M^-1 tau - acceleration): with no acceleration Jbar^T tau."""
        qdd = self.M.solve(tau)
        rows: list[Any] = [_sum_of_products(row, qdd, self.M.zero) for row in zip(*self.J, strict=True)]
        if acceleration is not None:
            rows = [a - b for a, b in zip(rows, acceleration, strict=True)]
        return self.mobility.solve(rows)

    def consistent_inverse(self) -> list[list[Any]]:
        """Jbar (n, rows), the inverse of J that moves the robot with the least kinetic energy: J Jbar = 1."""
        columns = [self.M.solve(row) for row in zip(*self.J, strict=True)]
        return [self.mobility.solve(row) for row in zip(*columns, strict=True)]


def operational_space(
    m: Mechanism[S], state: State[S], place: Place[S], rows: str = " ".join(ROWS)
) -> OperationalSpace[S]:
    """The operational space of a frame in the directions `rows`; in the others the frame is free.

    "x y z" leaves the frame free to turn. An arm has a Lambda for at most as many rows as it has joints.

    Two sliders with 1 and 2 kg; the first moves along z and carries both:

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> from dynamis.scalars.vectors import diagonal
    >>> arm = load("cartesian").with_values(m1=1, m2=2)
    >>> m = mechanism(arm, arm.floats())
    >>> state = state_at(m, [0.0, 0.0])
    >>> operational_space(m, state, Place(1, diagonal(1.0, 0.0), m.null), "x z").inertia()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    chosen = chosen_rows(rows)
    joints = joint_transforms(m, state)
    J = _jacobian(m, joints, place)
    moved = {j for j, column in enumerate(J) if column is not None}
    carrying = len(moved if m.coupling is None else {k for j in moved for k, _ in m.coupling.rows[j]})
    if carrying < len(chosen):
        chosen_names = [ROWS[k] for k in chosen]
        known = "1 joint" if carrying == 1 else f"{carrying} joints"
        example = option("rows", f'"{" ".join(chosen_names[:carrying])}"')
        advice = f"; choose at most {carrying}, such as {example}" if carrying else ""
        raise ArgumentError(
            f"the frame is carried by {known}, too few for the operational-space inertia of {len(chosen)} rows "
            f"({', '.join(chosen_names)}){advice}",
            key="rows",
        )
    columns = project_to_coordinates(
        m.coupling, [[m.zero if column is None else column[k] for k in chosen] for column in J]
    )
    M = factor(m, mass_matrix(m, state))
    return OperationalSpace(columns, M, dense_factor(_mobility(columns, M), m.zero, m.one))


def _mobility(J: Sequence[Sequence[S]], M: Factor[S]) -> list[list[Any]]:
    """J M^-1 J^T of the columns of J: the acceleration of the frame per force on it."""
    size = len(J[0])
    y = [M.half_solve([column[a] for column in J]) for a in range(size)]
    scaled = [[value * per_D for value, per_D in zip(row, M.per_D, strict=True)] for row in y]
    mobility: list[list[Any]] = [[M.zero] * size for _ in range(size)]
    for a in range(size):
        for b in range(a + 1):
            mobility[a][b] = mobility[b][a] = _sum_of_products(scaled[a], y[b], M.zero)
    return mobility


def _sum_of_products(a: Sequence[S], b: Sequence[S], zero: S) -> Any:
    total: Any = zero
    for left, right in zip(a, b, strict=True):
        total = total + left * right
    return total


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
