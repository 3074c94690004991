"""Which physical parameter causes which part of a torque: mass at its CoM, inertia about the CoM, drive, load.

The torques are linear in the mass of a link, its CoM kept, and in its inertia I about the CoM. With v_j, w_j the
velocities of the CoM and of the link for qd = e_j, and a the acceleration of the CoM minus gravity (`regressor`, for a
link frame in the CoM, where the first moments vanish),

    tau_j = sum over links ( m v_j.a + w_j.(I wd + w x I w) ) + rotor qdd + damping qd + coulomb sign(qd) + ... - loads

so each of the seven parameters of a link has its own part, and the parts add up to the torque.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import mul
from typing import Any

from dynamis.compute.mechanics.coupling import project_to_coordinates
from dynamis.compute.mechanics.dynamics.mass_matrix import unit_velocities
from dynamis.compute.mechanics.dynamics.regressor import entries
from dynamis.compute.mechanics.friction import columns, parameters
from dynamis.compute.mechanics.kinematics.motion import outward
from dynamis.compute.mechanics.mechanism import Mechanism, State, Wrench
from dynamis.model.joint_forces import FORCE_NAMES
from dynamis.scalars.vectors import S, Vector

OF_LINK = ("mass", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
"""The parameters of a link in their order; the inertia is about its CoM, in link axes."""


def of_drive(terms: Sequence[str]) -> tuple[str, ...]:
    """The parameters of a drive, of a robot whose joints have forces of these terms (`JointForces.terms`)."""
    return ("rotor inertia", *(FORCE_NAMES[term] for term in terms))


def parameter_torques(
    m: Mechanism[S],
    state: State[S],
    gravity: Vector[S] | None = None,
    loads: Sequence[Sequence[Wrench[S] | None]] = (),
) -> list[list[S]]:
    """(n, 7 links + 3 + loads) [N m or N]: `OF_LINK` of every link, then `of_drive`, then every load.

    `loads`: of every load one wrench per body or None, in link axes about the joint point.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> torques = parameter_torques(m, state_at(m, [0.0, 0.0], [0.0, 0.0], [0.0, 3.0]))
    >>> torques[0][0], torques[0][7], torques[1][7]
    (10.0, 20.0, 6.0)
    """
    motions = outward(m, state, -(m.gravity if gravity is None else gravity))
    rows: list[list[Any]] = []
    of_drives = [
        [x.rotor * a, *map(mul, parameters(x, m), columns(x, state, m))]
        for x, a in zip(m.moving, state.qdd, strict=True)
    ]
    for j, drive in enumerate(project_to_coordinates(m.coupling, of_drives)):
        units = unit_velocities(m, state, j)
        row: list[Any] = []
        for body, motion, unit in m.of_links(list(zip(m.bodies, motions, units, strict=True))):
            of_mass, _, _, _, *of_inertia = entries(replace(body, origin=body.com), motion, unit)
            I = body.inertia  # noqa: E741
            six = (I.a.x, I.b.y, I.c.z, I.a.y, I.a.z, I.b.z)
            row += [body.mass * of_mass, *(x * y for x, y in zip(six, of_inertia, strict=True))]
        row += drive
        for wrenches in loads:
            felt = [-(u.v.dot(x.force) + u.w.dot(x.moment)) for u, x in zip(units, wrenches, strict=True) if x]  # type: ignore[operator]
            row.append(sum(felt, m.zero))
        rows.append(row)
    return rows
