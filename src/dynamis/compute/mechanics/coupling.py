"""Coupled joints in scalars: q = A y + b, and how what is known per joint becomes what is known per coordinate.

The algorithms run over the moving joints: their motion is A yd and A ydd. What they find per joint is seen from the
coordinates by the principle of virtual work (dq = A dy), with A constant:

    tau_y = A^T tau      M_y = A^T M A      J_y = J A      Y_y = A^T Y      C_y = A^T C A      dtau_y/dy = A^T dtau/dq A

so M_y is symmetric, Mdot_y - 2 C_y is skew, and C_y is Christoffel's where C is. Without couplings A is the identity,
which is written None and costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np

from dynamis.base.arrays import Array
from dynamis.model.joint_limits import JointLimits, joint_limits
from dynamis.model.link import Joint
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.scalars.vectors import S

Row = tuple[tuple[int, S], ...]


@dataclass(frozen=True, slots=True)
class Coupling(Generic[S]):
    """q = A y + b: the entries of A that are not zero, row by row, as (coordinate, factor); b; the independent joints.

    `independent[k]` is the joint whose variable is coordinate k.
    """

    rows: tuple[Row[S], ...]
    offsets: tuple[S, ...]
    independent: tuple[int, ...]

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return len(self.independent)

    def rates(self, yd: Sequence[S]) -> list[Any]:
        """A yd: velocities or accelerations of the joints from those of the coordinates."""
        rates: list[Any] = []
        for row in self.rows:
            (first, factor), *rest = row
            total: Any = yd[first] * factor
            for k, factor in rest:
                total = total + yd[k] * factor
            rates.append(total)
        return rates

    def positions(self, y: Sequence[S]) -> list[Any]:
        """A y + b of the joints."""
        return [x + offset for x, offset in zip(self.rates(y), self.offsets, strict=True)]


def coupling(robot: RobotModel, scalars: Scalars[S]) -> Coupling[S] | None:
    """How the robot's joints are coupled, if they are."""
    if not robot.coupled:
        return None
    rows = tuple(tuple((k, evaluate(factor, scalars)) for k, factor in row.factors) for row in robot.couplings)
    offsets = tuple(evaluate(row.offset, scalars) for row in robot.couplings)
    return Coupling(rows, offsets, tuple(j for j, joint in enumerate(robot.joints) if not joint.coupling))


def coupling_matrix(robot: RobotModel) -> tuple[Array, Array]:
    """A (joints, n) and b (joints,) [rad or m] as arrays; the identity and zeros where no joint is coupled.

    >>> from dynamis import Joint, Link, Robot
    >>> fingers = Link("left", Joint("y", "prismatic")), Link("right", Joint("q", "prismatic", coupling={"y": -1}))
    >>> coupling_matrix(Robot("gripper", fingers))[0].tolist()
    [[1.0], [-1.0]]
    """
    units = np.eye(robot.n)
    joints: Coupling[Any] | None = coupling(robot, robot.floats())
    if joints is None:
        return units, np.zeros(robot.n)
    return np.array(joints.rates(list(units))), np.array(joints.offsets)


def joint_positions(robot: RobotModel, y: Array) -> Array:
    """q (..., joints) of the moving joints [rad or m] from coordinates (..., n)."""
    A, b = coupling_matrix(robot)
    return y @ A.T + b


@dataclass(frozen=True, slots=True)
class MixedJoints:
    """The joints that follow several coordinates, q = A y + b, and their limits, which no single coordinate can carry.

    A joint that follows one coordinate has its limits there: see `dynamis.model.coordinate`.
    """

    joints: tuple[Joint, ...]
    A: Array
    b: Array
    limits: JointLimits

    def positions(self, y: Array) -> Array:
        """q (..., joints) of these joints [rad or m] from coordinates (..., n)."""
        return y @ self.A.T + self.b


def mixed_joints(robot: RobotModel) -> MixedJoints:
    """The joints of a robot that follow several coordinates; of most robots none."""
    numbers = [j for j, row in enumerate(robot.couplings) if row.only is None]
    joints = tuple(robot.joints[j] for j in numbers)
    A, b = coupling_matrix(robot)
    return MixedJoints(joints, A[numbers], b[numbers], joint_limits(robot, joints))


def joint_rates(coupling: Coupling[S] | None, yd: Sequence[S]) -> Sequence[Any]:
    """Velocities or accelerations of the joints from those of the coordinates."""
    return yd if coupling is None else coupling.rates(yd)


def coordinates_of(coupling: Coupling[S] | None, joints: Sequence[S]) -> list[S]:
    """y, yd or ydd out of the same of the joints."""
    return list(joints) if coupling is None else [joints[j] for j in coupling.independent]


def project_to_coordinates(coupling: Coupling[S] | None, per_joint: list[Any]) -> list[Any]:
    """A^T x for a list with one entry per joint: scalars, vectors or rows of scalars.

    >>> gripper = Coupling((((0, 1.0),), ((0, -2.0),)), (0.0, 0.0), (0,))
    >>> project_to_coordinates(gripper, [5.0, 1.0]), project_to_coordinates(gripper, [[5.0, 1.0], [1.0, 1.0]])
    ([3.0], [[3.0, -1.0]])
    """
    if coupling is None:
        return per_joint
    totals: list[Any] = [None] * coupling.n
    for row, entry in zip(coupling.rows, per_joint, strict=True):
        for k, factor in row:
            term = [x * factor for x in entry] if isinstance(entry, list) else entry * factor  # pyright: ignore
            totals[k] = term if totals[k] is None else _add_entries(totals[k], term)
    return totals


def projected_columns(coupling: Coupling[S] | None, rows: list[list[Any]]) -> list[list[Any]]:
    """J A, for rows with one entry per joint."""
    return rows if coupling is None else [project_to_coordinates(coupling, row) for row in rows]


def projected_matrix(coupling: Coupling[S] | None, matrix: list[list[Any]], symmetric: bool = False) -> list[list[Any]]:
    """A^T X A; of a symmetric X symmetric to the last bit."""
    if coupling is None:
        return matrix
    entries = project_to_coordinates(coupling, projected_columns(coupling, matrix))
    n = range(coupling.n)
    return [[entries[max(i, j)][min(i, j)] for j in n] for i in n] if symmetric else entries


def _add_entries(a: Any, b: Any) -> Any:
    return [x + y for x, y in zip(a, b, strict=True)] if isinstance(a, list) else a + b  # pyright: ignore
