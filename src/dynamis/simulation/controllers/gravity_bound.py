"""How stiff gravity is: alpha = max over all poses of ||dg/dq||, from above and from below.

With U = -sum over links m_k g.c_k the entries of dg/dq = d2U/dq2 are, for a joint i that carries joint j (or is
joint j), with z the joints' axes, h_j the first moment about joint j of what it carries and m_j its mass,

    (g x z_i).(z_j x h_j)     i revolute, j revolute
    (g x z_i).z_j m_j         i revolute, j prismatic
    0                         i prismatic, or neither carries the other

so their magnitudes are at most |g x z_i| times the largest |z_j x h_j|, or times m_j. The largest |z_j x h_j| comes
from the tips to the base: turned about its axis k, a first moment keeps its part along k, and the part across k
stays within a circle. What a joint slides is within its limits; without limits the bound is infinite where it enters.
|g x z_i| is a number where the axis keeps its direction, such as a vertical first axis in upright gravity (where it is
0), and at most |g| otherwise.

alpha is at most the norm of the matrix of these bounds (a symmetric matrix has at most the norm of a matrix that
is entry by entry above its magnitudes). From below, dg/dq is computed at random poses and climbs from the best ones.

With a gain K_P for every joint the number that counts is ||K_P^-1/2 dg/dq K_P^-1/2||, below 1: this is the condition
in the coordinates K_P^1/2 q, in which all gains are 1. For equal gains it is K_P > alpha.

Sources: P. Tomei, Adaptive PD controller for robot manipulators, IEEE Trans. Robotics and Automation 7(4), 1991,
for the condition; R. Kelly, V. Santibanez, A. Loria, Control of Robot Manipulators in Joint Space, 2005, section 4.3,
for bounds of this kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.compute.mechanics.friction import without_forces
from dynamis.compute.mechanics.kinematics.poses import poses
from dynamis.compute.mechanics.mechanism import Mechanism, mechanism, state_at
from dynamis.model.joint_limits import joint_limits
from dynamis.scalars.vectors import Vector
from dynamis.simulation.controllers.batched_ascent import ascend

if TYPE_CHECKING:
    from dynamis.robot import Robot

PARALLEL_SINE = 1e-12
"""Vectors of length 1 whose cross product is shorter are parallel."""
RANDOM_POSES, CLIMBING_POSES = 2048, 8
"""Random poses of the search for the lower bound, and how many of the best climb: by steps in random directions the
Panda's stayed 0.15 % below its top. All climb together: one by one they took five times as long and more."""


@dataclass(frozen=True)
class GravityBound:
    """alpha is between `lower`, found at the pose `q`, and `upper`; both are of the scaled dg/dq if it was scaled."""

    lower: float
    upper: float
    q: Array


def gravity_bound(robot: Robot, scale: Any = 1.0) -> GravityBound:
    """Bounds of max ||S dg/dq S|| over all poses, S = diag(scale); prismatic joints stay within their limits.

    Of gravity alone: the springs of joints make the potential of a law with gains only more convex.

    >>> import dynamis
    >>> bound = gravity_bound(dynamis.load("bar-2r"))
    >>> bound.lower <= bound.upper
    True
    """
    robot = without_forces(robot) if "stiffness" in robot.force_terms else robot
    S = np.broadcast_to(np.asarray(scale, dtype=np.float64), robot.n)
    bounds = entry_bounds(robot)
    upper = inf
    if np.isfinite(bounds).all():
        upper = _norm(bounds * np.outer(S, S)) if robot.n else 0.0
    lower, q = _climb(robot, S)
    return GravityBound(lower, upper, q)


def entry_bounds(robot: Robot) -> Array:
    """The largest |d2U/dq_i dq_j| that can be, (n, n), infinite where a prismatic joint without limits enters.

    >>> import dynamis
    >>> entry_bounds(dynamis.load("cartesian").with_values(m1=1, m2=2, g=10)).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    m = mechanism(robot, robot.floats())
    masses, moments = _carried_masses(m, _joint_travels(robot))
    across = _gravity_across(m)
    bounds = np.zeros((m.joints, m.joints))
    for b, body in enumerate(m.bodies):
        j = body.joint
        if j is None:
            continue
        reach = moments[b].across(_array(body.k)) if body.revolute else masses[b]
        on: int | None = b if body.revolute else body.parent
        while on is not None:
            carrier = m.bodies[on]
            i = carrier.joint
            if i is not None and carrier.revolute:
                bounds[i, j] = bounds[j, i] = across[i] * reach if across[i] else 0.0
            on = carrier.parent
    A = np.abs(coupling_matrix(robot)[0])
    return A.T @ bounds @ A if robot.coupled else bounds


@dataclass
class _Moment:
    """A first moment [kg m] in body axes: a vector, plus parts of a direction and a length, plus a ball."""

    fixed: Array
    radius: float = 0.0
    slides: list[tuple[Array, float]] = field(default_factory=list[tuple[Array, float]])

    def across(self, k: Array) -> float:
        """The largest length across the unit vector k."""
        parts = [(_length(np.cross(k, way)), length) for way, length in self.slides]
        return _length(np.cross(k, self.fixed)) + self.radius + sum(a * x for a, x in parts if a > PARALLEL_SINE)

    def turned(self, k: Array) -> _Moment:
        """Turned about k by any angle: what is across k is within a ball."""
        along = [(k * float(k @ way), length) for way, length in self.slides]
        return _Moment(k * float(k @ self.fixed), self.across(k), [part for part in along if np.any(part[0])])


def _carried_masses(m: Mechanism[float], travels: list[tuple[float, float]]) -> tuple[list[float], list[_Moment]]:
    """The mass of every body with all that it carries, and the first moment of that about its joint point."""
    masses = [body.mass for body in m.bodies]
    moments = [_Moment(_array(body.com) * body.mass) for body in m.bodies]
    for b in reversed(range(len(m.bodies))):
        body = m.bodies[b]
        if body.parent is None:
            continue
        k, R0 = _array(body.k), np.array([list(row) for row in body.R0])
        moment = moments[b].turned(k) if body.revolute and body.joint is not None else moments[b]
        into = moments[body.parent]
        into.fixed = into.fixed + masses[b] * _array(body.t0) + R0 @ moment.fixed
        into.radius += moment.radius
        into.slides += [(R0 @ way, length) for way, length in moment.slides]
        if body.joint is not None and not body.revolute and masses[b]:
            middle, half = travels[body.joint]
            into.fixed = into.fixed + masses[b] * middle * (R0 @ k)
            into.slides.append((R0 @ k, masses[b] * half))
        masses[body.parent] += masses[b]
    return masses, moments


def _gravity_across(m: Mechanism[float]) -> list[float]:
    """The largest |g x z| of every joint's axis z [m/s^2]."""
    still = [0.0] * m.n
    at_zero = poses(m, state_at(m, still))
    axes = [_array(pose.R @ body.k) for pose, body in zip(at_zero, m.bodies, strict=True)]
    g = _array(m.gravity)
    sizes: list[float] = []
    for b, body in enumerate(m.bodies):
        if body.joint is None:
            continue
        keeps, i = True, body.parent
        while i is not None:
            turns = m.bodies[i].revolute and m.bodies[i].joint is not None
            keeps &= not turns or _length(np.cross(axes[i], axes[b])) <= PARALLEL_SINE
            i = m.bodies[i].parent
        size = _length(np.cross(g, axes[b])) if keeps else _length(g)
        sizes.append(size if size > PARALLEL_SINE * _length(g) else 0.0)
    return sizes


def _travels(robot: Robot) -> tuple[Array, Array]:
    """The middle of every coordinate's range (0 without limits), and half its length (infinite without)."""
    limits = joint_limits(robot)
    half = np.abs(limits.upper - limits.lower) / 2
    bounded = np.isfinite(half)
    return np.where(bounded, np.minimum(limits.lower, limits.upper), 0.0) + np.where(bounded, half, 0.0), half


def _joint_travels(robot: Robot) -> list[tuple[float, float]]:
    """The same of every joint: of coupled ones by A and b, the ranges of their coordinates taken together."""
    (A, b), (middle, half) = coupling_matrix(robot), _travels(robot)
    reach = np.where(A == 0, 0.0, np.abs(A) * np.where(np.isfinite(half), half, 0.0)).sum(axis=1)
    endless = ((A != 0) & ~np.isfinite(half)).any(axis=1)
    return list(zip((A @ middle + b).tolist(), np.where(endless, inf, reach).tolist(), strict=True))


def _climb(robot: Robot, S: Array) -> tuple[float, Array]:
    """The largest norm that was found, and where."""
    if not robot.n:
        return 0.0, np.zeros(0)
    rng = np.random.default_rng(0)
    turns = np.array([joint.revolute for joint in robot.coordinates])
    middle, half = _travels(robot)
    middle, half = np.where(turns, 0.0, middle), np.where(turns, np.pi, np.where(np.isfinite(half), half, 1.0))

    def norms(q: Array) -> Array:
        G = robot.inverse_dynamics_derivatives(q).dtau_dq * np.outer(S, S)
        return np.abs(np.linalg.eigvalsh((G + np.swapaxes(G, -1, -2)) / 2)).max(axis=-1)

    q = middle + half * rng.uniform(-1, 1, (RANDOM_POSES, robot.n))
    best = norms(q)
    order = np.argsort(-best, kind="stable")[:CLIMBING_POSES]
    low, high = np.where(turns, -np.inf, middle - half), np.where(turns, np.inf, middle + half)
    climbed = ascend(norms, q[order], low, high)
    q = np.concatenate([q[order], climbed])
    best = norms(q)
    at = int(best.argmax())
    return float(best[at]), q[at]


def _norm(A: Array) -> float:
    return float(np.abs(np.linalg.eigvalsh(A)).max())


def _length(v: Array) -> float:
    return float(np.linalg.norm(v))


def _array(v: Vector[float]) -> Array:
    return np.array([v.x, v.y, v.z], dtype=np.float64)
