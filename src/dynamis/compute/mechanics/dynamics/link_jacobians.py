"""M and g from the Jacobians of the links in base axes, as textbooks write them.

With J_v of the CoM of a link, J_w of the link, R its orientation and I its inertia about the CoM in link axes,

    M = sum over links ( m J_v^T J_v + J_w^T R I R^T J_w ) + rotors        g = -sum over links m J_v^T g0

(Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, section 6.3). `mass_matrix` takes the same sum in link axes,
where it is shortest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.dynamics.mass_matrix import unit_rates
from dynamis.compute.mechanics.kinematics.poses import Pose, com_position, jacobian, poses
from dynamis.compute.mechanics.mechanism import Mechanism, State
from dynamis.scalars.vectors import Matrix, S, Vector


@dataclass(frozen=True, slots=True)
class LinkJacobian(Generic[S]):
    """Of one body: columns of J_v (of its CoM) and of J_w, one per coordinate, and R I R^T, all in base axes."""

    linear: list[Vector[S]]
    angular: list[Vector[S]]
    inertia: Matrix[S]

    def translation(self) -> list[list[S]]:
        """J_v^T J_v, (n, n)."""
        return [[a.dot(b) for b in self.linear] for a in self.linear]

    def rotation(self) -> list[list[S]]:
        """J_w^T R I R^T J_w, (n, n)."""
        turned = [self.inertia @ b for b in self.angular]
        return [[a.dot(b) for b in turned] for a in self.angular]


def inertia_in_base_axes(m: Mechanism[S], bodies: Sequence[Pose[S]], body: int) -> Matrix[S]:
    """R I R^T: the inertia of a body about its CoM in base axes [kg m^2]."""
    R = bodies[body].R
    return R.times(m.bodies[body].inertia).times(R.T)


def link_jacobians(m: Mechanism[S], state: State[S]) -> list[LinkJacobian[S]]:
    """J_v, J_w and R I R^T of every body."""
    where = poses(m, state)
    return [
        LinkJacobian(*jacobian(m, where, k, com_position(m, where, k)), inertia_in_base_axes(m, where, k))
        for k in range(len(m.bodies))
    ]


def rotor_matrix(m: Mechanism[S]) -> list[list[S]]:
    """What the rotors add to M: A^T diag(rotors) A, diagonal where no joint is coupled."""
    rates = [unit_rates(m, k) for k in range(m.n)]
    rows: list[list[Any]] = [[m.zero] * m.n for _ in rates]
    for body in m.bodies:
        for i, first in enumerate(rates):
            for j, second in enumerate(rates):
                if body.joint is not None:
                    rows[i][j] = rows[i][j] + first[body.joint] * second[body.joint] * body.rotor
    return rows


def mass_matrix_of(m: Mechanism[S], links: Sequence[LinkJacobian[S]]) -> list[list[S]]:
    """M by the sum over the links, (n, n)."""
    rows: list[list[Any]] = rotor_matrix(m)
    for body, link in zip(m.bodies, links, strict=True):
        moved, turned = link.translation(), link.rotation()
        rows = [[rows[i][j] + moved[i][j] * body.mass + turned[i][j] for j in range(m.n)] for i in range(m.n)]
    return rows


def gravity_torques_of(m: Mechanism[S], links: Sequence[LinkJacobian[S]]) -> list[S]:
    """-sum m J_v^T g0, (n,): what the weights take of g."""
    torques: list[Any] = [m.zero] * m.n
    for body, link in zip(m.bodies, links, strict=True):
        torques = [tau - column.dot(m.gravity) * body.mass for tau, column in zip(torques, link.linear, strict=True)]
    return torques
