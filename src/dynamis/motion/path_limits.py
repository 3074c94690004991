"""Limits of velocity, acceleration and torque along a path q(s), in the path's own terms.

With sd^2 = x and sdd = u,

    qd = q' sd,   qdd = q' u + q'' x,   tau = (M q') u + (M q'' + c(q, q')) x + g + friction - loads

so that limits of qdd and tau are linear in (u, x) and those of qd bound x. Viscous friction is linear in sd, not in x:
d q' sd is taken along its tangent at a speed known from the round before, sd ~ x / (2 sd0) + sd0 / 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.model.loads import Load
from dynamis.motion.trajectory import Array, Trajectory
from dynamis.plain import Gravity
from dynamis.robot import Robot


@dataclass(frozen=True, eq=False)
class PathLimits:
    """A path over s from 0 to its duration, and |qd|, |qdd|, |tau| that it must keep (infinity: none)."""

    robot: Robot
    path: Trajectory
    velocity: Array
    acceleration: Array
    effort: Array
    loads: Sequence[Load] = ()
    gravity: Gravity = True

    @property
    def names(self) -> list[str]:
        """Of the columns of `shares`."""
        return [
            f"{what} of joint {j + 1}" for what in ("velocity", "acceleration", "torque") for j in range(self.path.n)
        ]

    def damping(self) -> Array:
        """Viscous friction of every joint [N m s or N s/m]: what doubling its speed adds."""
        zero, rate = np.zeros(self.path.n), np.eye(self.path.n)

        def friction(rate: Array) -> Array:
            return self.robot.bias_torque(zero, rate, gravity=False) - self.robot.coriolis_torque(zero, rate)

        return np.maximum(np.diag(friction(2 * rate) - friction(rate)), 0.0)

    def rows(self, s: Array, sd: Array | None) -> tuple[Array, Array, Array, Array, Array]:
        """a, b, c with |a u + b x + c| <= limit, the limits (k, m), and the bound of x (k).

        sd (k) is the speed at which viscous friction is taken; None leaves it out.
        """
        q, first, second = self.path.at(s)
        largest_x = np.full(s.shape, np.inf)
        moving = np.abs(first) > 0
        each = np.divide(self.velocity, np.abs(first), out=np.full(first.shape, np.inf), where=moving) ** 2
        largest_x = np.minimum(largest_x, each.min(axis=-1))
        a, b, c = [first], [second], [np.zeros_like(first)]
        limits = [np.broadcast_to(self.acceleration, first.shape)]
        if np.isfinite(self.effort).any():
            still = np.zeros_like(q)
            robot = self.robot
            a.append(robot.inverse_dynamics(q, still, first, gravity=False))
            c_first = robot.coriolis_torque(q, first)
            b.append(robot.inverse_dynamics(q, still, second, gravity=False) + c_first)
            # At the slowest of motions tau(q, qd, 0) is gravity, loads and Coulomb friction.
            c.append(robot.bias_torque(q, first * 1e-9, loads=self.loads, gravity=self.gravity))
            if sd is not None:
                drag = self.damping() * first
                # No faster than friction alone allows.
                room = np.divide(
                    self.effort - np.abs(c[1]), np.abs(drag), out=np.full(q.shape, np.inf), where=drag != 0
                )
                speed = np.minimum(np.maximum(sd, 0.01 * sd.max()), room.min(axis=-1))[:, None]
                b[1], c[1] = b[1] + drag / (2 * speed), c[1] + drag * speed / 2
            limits.append(np.broadcast_to(self.effort, first.shape))
        joined = [np.concatenate(x, axis=-1) for x in (a, b, c, limits)]
        bounded = np.isfinite(joined[3]).all(axis=0)
        return joined[0][:, bounded], joined[1][:, bounded], joined[2][:, bounded], joined[3][:, bounded], largest_x

    def shares(self, s: Array, sd: Array, sdd: Array) -> Array:
        """How much of each limit is used: (k, 3n), 1 at the limit; velocities, accelerations, torques."""
        q, first, second = self.path.at(s)
        # At rest the friction is that of the motion that begins or ends there.
        qd = first * np.maximum(sd, 1e-9)[:, None]
        qdd = first * sdd[:, None] + second * (sd * sd)[:, None]
        tau = self.robot.inverse_dynamics(q, qd, qdd, loads=self.loads, gravity=self.gravity)
        found = np.abs(qd) / self.velocity, np.abs(qdd) / self.acceleration, np.abs(tau) / self.effort
        return np.concatenate(found, axis=-1)
