"""Moving frames (De Luca, Robotics 2): velocities and kinetic energy link by link, in link frames.

    w_i  = R^T [w_{i-1} + (1 - sigma) qd z]
    v_i  = R^T [v_{i-1} + sigma qd z] + w_i x r_i       r_i from the joint to the link frame's origin
    v_ci = v_i + w_i x r_ci                             r_ci from that origin to the CoM
    2 T_i = m v_ci.v_ci + w_i.I w_i

sigma is 0 for a revolute joint and 1 for a prismatic one; the origin is that of the user's link
frame (D-H or any other), which need not lie on the joint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from dynamis.mechanics.energy import twice_kinetic_energy
from dynamis.mechanics.kinematics import velocities
from dynamis.mechanics.mechanism import Mechanism, State
from dynamis.scalars.vectors import S, Vector


@dataclass(frozen=True, slots=True)
class MovingFrame(Generic[S]):
    """A link's w, v of its frame's origin, v of its CoM, in link axes, and twice its kinetic energy."""

    w: Vector[S]
    v: Vector[S]
    v_com: Vector[S]
    twice_energy: S


def moving_frames(m: Mechanism[S], state: State[S]) -> list[MovingFrame[S]]:
    """The recursion of velocities and energies, link by link."""
    return [
        MovingFrame(fast.w, fast.v + fast.w.cross(body.origin), fast.v_com, energy)
        for body, fast, energy in zip(m.bodies, velocities(m, state), twice_kinetic_energy(m, state), strict=True)
    ]
