"""Kinetic and potential energy of every body (Koenig's theorem), with the spring of its joint."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dynamis.compute.mechanics.kinematics.motion import velocities
from dynamis.compute.mechanics.kinematics.poses import com_position, poses
from dynamis.compute.mechanics.mechanism import Mechanism, State
from dynamis.scalars.vectors import S, Vector


def twice_kinetic_energy(m: Mechanism[S], state: State[S]) -> list[S]:
    """2 T_i = m v_C.v_C + w.I w + rotor qd^2 [J], body by body (twice, so that nothing is halved)."""
    energies: list[S] = []
    for body, velocity in zip(m.bodies, velocities(m, state), strict=True):
        energy: Any = velocity.v_com.dot(velocity.v_com) * body.mass + velocity.w.dot(body.inertia @ velocity.w)
        if body.joint is not None:
            qd = state.qd[body.joint]
            energy = energy + body.rotor * qd * qd
        energies.append(energy)
    return energies


def potential_energy(m: Mechanism[S], state: State[S], gravity: Vector[S] | None = None) -> list[S]:
    """U_i = -m g.p_C + stiffness (q - rest)^2 / 2 [J], body by body; that of gravity is zero at the base's origin."""
    g = m.gravity if gravity is None else gravity
    places = poses(m, state)
    energies: list[Any] = [-(g.dot(com_position(m, places, i)) * body.mass) for i, body in enumerate(m.bodies)]
    half = m.scalars.constant(Fraction(1, 2))
    for i, body in enumerate(m.bodies):
        if body.joint is not None and body.forces.stiffness is not None:
            q: Any = state.q[body.joint]
            energies[i] = energies[i] + body.forces.spring(q, m.zero) * body.forces.deflection(q) * half
    return energies
