"""The mass matrix from the links' Jacobians, each column a unit velocity of one joint.

With v_C^j and w^j the velocities of a link, in its own axes, for qd = e_j,

    M_ij = sum over links ( m v_C^i.v_C^j + w^i.I w^j ) + rotor_i (i = j)

which is sum m Jv^T Jv + Jw^T R I R^T Jw, taken in link axes where it is shortest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dynamis.compute.mechanics.kinematics.motion import Velocity, velocities
from dynamis.compute.mechanics.mechanism import Mechanism, State
from dynamis.scalars.vectors import S


def unit_velocities(m: Mechanism[S], state: State[S], coordinate: int) -> list[Velocity[S]]:
    """The velocities of all links when only `coordinate` moves, with velocity 1: columns of their Jacobians."""
    return velocities(m, replace(state, qd=unit_rates(m, coordinate)))


def unit_rates(m: Mechanism[S], coordinate: int) -> list[S]:
    """The velocities of the joints when only `coordinate` moves, with velocity 1: a column of A."""
    unit = [m.one if k == coordinate else m.zero for k in range(m.n)]
    return unit if m.coupling is None else m.coupling.rates(unit)


def mass_matrix_entry(m: Mechanism[S], columns: list[list[Velocity[S]]], i: int, j: int) -> S:
    """M_ij from the unit velocities of coordinates i and j."""
    total: Any = m.zero
    rates = [unit_rates(m, i), unit_rates(m, j)] if m.coupling else None
    for body, a, b in zip(m.bodies, columns[i], columns[j], strict=True):
        total = total + a.v_com.dot(b.v_com) * body.mass + a.w.dot(body.inertia @ b.w)
        if rates is not None and body.joint is not None:
            total = total + rates[0][body.joint] * rates[1][body.joint] * body.rotor
        elif rates is None and i == j and body.joint == i:
            total = total + body.rotor
    return total


def mass_matrix(m: Mechanism[S], state: State[S]) -> list[list[S]]:
    """M(q), symmetric, (n, n) [kg m^2, kg m or kg].

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2)
    >>> m = mechanism(arm, arm.floats())
    >>> mass_matrix(m, state_at(m, [0.0, 0.0]))
    [[3.0, 0.0], [0.0, 2.0]]
    """
    columns = [unit_velocities(m, state, j) for j in range(m.n)]
    rows = [[mass_matrix_entry(m, columns, i, j) for j in range(i + 1)] for i in range(m.n)]
    return [[rows[max(i, j)][min(i, j)] for j in range(m.n)] for i in range(m.n)]
