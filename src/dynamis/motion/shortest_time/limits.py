"""Limits of velocity, acceleration and torque along a path q(s), in the path's own terms.

With sd^2 = x and sdd = u,

    qd = q' sd,   qdd = q' u + q'' x,   tau = (M q') u + (M q'' + c(q, q')) x + g + friction - loads

so that limits of qdd and tau are linear in (u, x) and those of qd bound x. Viscous friction is linear in sd, not in x:
d q' sd is taken along its tangent at a speed known from the round before, sd ~ x / (2 sd0) + sd0 / 2. Dry friction has
one sign in a step of the grid, or, in the narrow steps around a reversal and at both ends, all from one sign to the
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.coupling import MixedJoints, mixed_joints
from dynamis.compute.mechanics.friction import coulomb, damping_matrix, dry_levels, without_forces
from dynamis.compute.quantities.arguments import Gravity
from dynamis.model.joint_forces import ALWAYS
from dynamis.model.loads import Load
from dynamis.motion.shortest_time.grid import directions
from dynamis.motion.trajectories.trajectory import Trajectory
from dynamis.robot import Robot

CHECKS_PER_STEP = 9
"""Points in every step of the grid where the limits are checked."""


@dataclass(frozen=True, eq=False)
class PathLimits:
    """A path over s from 0 to its duration, and |qd|, |qdd|, |tau| that it must keep (infinity: none).

    Joints that follow several coordinates have velocities of their own: `velocity` (n + m) has those of the coordinates
    and then theirs.
    """

    robot: Robot
    path: Trajectory
    velocity: Array
    acceleration: Array
    effort: Array
    loads: Sequence[Load] = ()
    gravity: Gravity = True

    @property
    def n(self) -> int:
        """The number of joints."""
        return self.path.n

    @property
    def names(self) -> list[str]:
        """The names of the columns of `shares`."""
        numbers = [str(j + 1) for j in range(self.path.n)]
        mixed = [f'"{joint.name}"' for joint in self.mixed.joints]
        each = {"velocity": [*numbers, *mixed], "acceleration": numbers, "torque": numbers}
        return [f"{what} of joint {name}" for what, names in each.items() for name in names]

    @cached_property
    def mixed(self) -> MixedJoints:
        """The joints that follow several coordinates."""
        return mixed_joints(self.robot)

    def velocities(self, yd: Array) -> Array:
        """Those of the coordinates (..., n), followed by those of the joints that follow several of them."""
        return np.concatenate([yd, yd @ self.mixed.A.T], axis=-1) if self.mixed.joints else yd

    @cached_property
    def damping(self) -> Array:
        """Viscous friction (n, n) [N m s/rad or N s/m]."""
        return damping_matrix(self.robot)

    @cached_property
    def coulomb(self) -> Array:
        """The most that dry friction of every joint can be, at whatever speed [N m or N]."""
        return np.maximum(coulomb(self.robot), self._coulomb_at_speed)

    @cached_property
    def _coulomb_at_speed(self) -> Array:
        return np.array(coulomb(without_forces(self.robot, ("stribeck", "stribeck_speed"))), np.float64)

    @cached_property
    def _inertial(self) -> Robot:
        """The robot whose joints have no force of their own where they stand: neither springs nor offsets."""
        return self.robot if self.robot.force_terms == ALWAYS else without_forces(self.robot)

    def largest_x(self, s: Array, margins: Array) -> Array:
        """The bound of sd^2 at the points of the grid by the velocities, times the margins of the steps."""
        speed = np.abs(self.velocities(self.path.at(s)[1]))
        n = len(self.velocity)
        around = np.minimum(np.vstack([margins[:1, :n], margins[:, :n]]), np.vstack([margins[:, :n], margins[-1:, :n]]))
        each = np.divide(self.velocity * around, speed, out=np.full(speed.shape, np.inf), where=speed > 0) ** 2
        return each.min(axis=-1)

    def rows(self, s: Array, sd: Array | None, margins: Array) -> tuple[Array, Array, Array]:
        """a, b, r of every step with a u + b x <= r, (k, m) each, at its near end and, x + 2 h u, at its far one.

        sd is the speed at the points of the grid at which viscous friction is taken; None leaves it out. `margins`
        are the shares of the limits that may be used in each step, one column per name in `names`.
        """
        h = np.diff(s)[:, None]
        near, far = s[:-1], np.nextafter(s[1:], 0.0)  # where q'' jumps, a step has its own side
        low, high = self.dry_friction(s)
        a0, b0, r0 = self._one_end(near, None if sd is None else sd[:-1], low, high, margins)
        a1, b1, r1 = self._one_end(far, None if sd is None else sd[1:], low, high, margins)
        return np.hstack([a0, a1 + 2 * h * b1]), np.hstack([b0, b1]), np.hstack([r0, r1])

    def _one_end(
        self, s: Array, sd: Array | None, low: Array, high: Array, margins: Array
    ) -> tuple[Array, Array, Array]:
        q, first, second = self.path.at(s)
        n = self.path.n
        accelerations = self.acceleration * margins[:, -2 * n : -n]
        a, b, upper, lower = [first], [second], [accelerations], [accelerations]
        if np.isfinite(self.effort).any():
            still, robot = np.zeros_like(q), self.robot
            a.append(self._inertial.inverse_dynamics(q, still, first, gravity=False))
            bent = self._inertial.inverse_dynamics(q, still, second, gravity=False)
            b.append(bent + robot.coriolis_torque(q, first))
            hold = robot.inverse_dynamics(q, loads=self.loads, gravity=self.gravity)
            if sd is not None:
                drag = first @ self.damping
                # No faster than friction alone allows.
                left = np.maximum(self.effort - np.abs(hold) - self.coulomb, 0.01 * self.effort)
                room = np.divide(left, np.abs(drag), out=np.full(q.shape, np.inf), where=drag != 0)
                speed = np.minimum(np.maximum(sd, 0.01 * sd.max()), room.min(axis=-1))[:, None]
                b[1], hold = b[1] + drag / (2 * speed), hold + drag * speed / 2
            effort = self.effort * margins[:, -n:]
            upper.append(effort - hold - high)
            lower.append(effort + hold + low)
        bounded = np.isfinite(np.concatenate(upper, axis=-1)).all(axis=0)
        a_all, b_all = (np.concatenate(x, axis=-1)[:, bounded] for x in (a, b))
        right = [np.concatenate(x, axis=-1)[:, bounded] for x in (upper, lower)]
        return np.hstack([a_all, -a_all]), np.hstack([b_all, -b_all]), np.hstack(right)

    def dry_friction(self, s: Array) -> tuple[Array, Array]:
        """The least and the largest dry friction of every joint in every step: (k, n) each."""
        sign = directions(self.path.at(s)[1])
        ends = np.stack([sign[:-1], sign[1:]])
        # No direction may be rounding's, with any sign; but at the ends of the path it is rest.
        low, high = np.where(ends == 0, -1.0, ends).min(axis=0), np.where(ends == 0, 1.0, ends).max(axis=0)
        low[[0, -1]], high[[0, -1]] = np.minimum(low[[0, -1]], 0.0), np.maximum(high[[0, -1]], 0.0)
        least = np.minimum(coulomb(self.robot), self._coulomb_at_speed)
        return np.where(low < 0, self.coulomb, least) * low, np.where(high > 0, self.coulomb, least) * high

    def shares(self, s: Array, sd: Array, sdd: Array) -> Array:
        """How much of each limit is used: (k, WITHIN, names), 1 at the limit; velocities, accelerations, torques.

        s and sd are those of the grid, sdd (k) that of its steps.
        """
        h = np.diff(s)[:, None]
        # At equal times, over which sd is linear: near rest much happens in the first bit of a step.
        time, begin, end = np.linspace(0.0, 1.0, CHECKS_PER_STEP), sd[:-1, None], sd[1:, None]
        speed = begin + (end - begin) * time
        inside = s[:-1, None] + h * time * (begin + speed) / (begin + end)
        inside[:, -1] = np.nextafter(s[1:], 0.0)
        x = speed**2
        q, first, second = self.path.at(inside)
        qd = first * speed[..., None]
        qdd = first * sdd[:, None, None] + second * x[..., None]
        tau = self.robot.inverse_dynamics(q, qd, qdd, loads=self.loads, gravity=self.gravity)
        smooth = tau - dry_levels(self.robot, qd)[..., : self.robot.n] * np.sign(qd)
        low, high = self.dry_friction(s)
        largest = np.maximum(np.abs(smooth + low[:, None]), np.abs(smooth + high[:, None]))
        speeds = np.abs(self.velocities(qd))
        shares = speeds / self.velocity, np.abs(qdd) / self.acceleration, largest / self.effort
        return np.concatenate(shares, axis=-1)

    def peaks(self, s: Array, sd: Array, sdd: Array) -> Array:
        """The largest share of each limit within every step (k, names), by parabolas through the points around it."""
        y = self.shares(s, sd, sdd)
        before, here, after = y[:, :-2], y[:, 1:-1], y[:, 2:]
        bend = 2 * here - before - after
        inner = (np.abs(after - before) <= 2 * bend) & (bend > 0)  # its top lies between the points
        top = here + np.divide((after - before) ** 2, 8 * bend, out=np.zeros_like(here), where=inner)
        return np.maximum(y.max(axis=1), top.max(axis=1))
