"""Which coordinates move masses, and which accelerations these determine: the rank of the mass matrix.

    M = A^T (sum over bodies J^T diag(m 1, I) J + diag(rotors)) A = K^T K

K stacks sqrt(m) v_C and sqrt(I) w of every body, and sqrt(rotor) of every joint, for unit rates of the coordinates.
A coordinate whose column is zero moves no mass; a combination of coordinates that K takes to zero is an acceleration
that no torque determines. Both hold at every q if they do at one that is drawn at random, for what depends on q does so
through polynomials in sines and cosines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import DynamisError
from dynamis.base.expressions.expression import Expression
from dynamis.compute.mechanics.kinematics.motion import velocities
from dynamis.compute.mechanics.mechanism import Body, Mechanism, mechanism, state_at
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import Floats
from dynamis.scalars.vectors import Vector

RELATIVE_ROUNDING = 1e-12
"""Beside what a body's distances and inertia could give: less is the rounding of a zero."""
MOMENT_ROUNDING = 1e-14
"""Beside the largest principal moment and m c^2: less is what the parallel-axis theorem leaves of a zero."""
DEPENDENT_SINGULAR_VALUE = 1e-9
"""A singular value of K, its columns of length 1: less, and M is singular to the last digit of a float."""


@dataclass(frozen=True)
class MovedMasses:
    """K (rows, n), and the twists of the links (links, 6, n) for unit velocities of the coordinates.

    `idle` are the coordinates, from 0, that move no mass, whatever q is, so that M, c and g do not feel them.
    """

    K: Array
    twists: Array
    idle: tuple[int, ...] = ()

    def undetermined(self) -> list[int]:
        """The links, from 0, whose acceleration no torque determines."""
        lengths = np.linalg.norm(self.K, axis=0)
        lengths[lengths == 0] = 1
        columns = self.K / lengths
        _, sizes, directions = np.linalg.svd(np.vstack([columns, np.zeros((columns.shape[1],) * 2)]))
        free = (directions[sizes < DEPENDENT_SINGULAR_VALUE] / lengths).T
        moved = np.abs(self.twists @ free)
        return np.flatnonzero((moved > 1e-6 * np.abs(free).max(initial=0.0)).any(axis=(1, 2))).tolist()


def moved_masses(robot: RobotModel, values: Mapping[str, Expression]) -> MovedMasses | None:
    """K and twists at a random state; None where the robot cannot be evaluated, which whoever asks of it will be told.

    Parameters without a value have a random one. A robot of 1e200 m cannot be evaluated: m c^2 overflows.
    """
    rng = np.random.default_rng(1)
    symbols = {name: float(rng.uniform(0.4, 0.9)) for name in sorted(robot.used_parameters() - values.keys())}
    try:
        with np.errstate(over="raise", invalid="raise"):
            return _find_moved_masses(mechanism(robot, Floats(values, robot.name, symbols)), rng)
    except (DynamisError, ArithmeticError):
        return None


def _find_moved_masses(m: Mechanism[float], rng: np.random.Generator) -> MovedMasses:
    q = rng.uniform(-2, 2, m.n)
    found = _at(m, q)
    still = np.flatnonzero(~found.K.any(axis=0)).tolist()
    return replace(found, idle=tuple(k for k in still if _is_felt_nowhere(m, q, k, found.K)))


def _is_felt_nowhere(m: Mechanism[float], q: Array, k: int, K: Array) -> bool:
    """Whether M stays when coordinate k moves: an inertia that no body has can turn about an axis of no inertia."""
    M, other = K.T @ K, _at(m, q + 0.7 * np.eye(m.n)[k]).K
    return bool(np.abs(other.T @ other - M).max() <= 1e-9 * np.abs(M).max())


def _at(m: Mechanism[float], q: Array) -> MovedMasses:
    """Every velocity is a row with an entry per coordinate, so that one walk gives all columns."""
    units: list[Any] = list(np.eye(m.n))
    rates = units if m.coupling is None else m.coupling.rates(units)
    moving: list[Any] = velocities(m, replace(state_at(m, q.tolist()), qd=rates))
    reach = sum(_length(body.t0) + _length(body.com) for body in m.bodies) + float(np.abs(q).sum())
    rows: list[Array] = []
    twists: list[Array] = []
    for body, velocity in zip(m.bodies, moving, strict=True):
        w, v, v_com = (_columns(x, m.n) for x in (velocity.w, velocity.v, velocity.v_com))
        twists.append(np.vstack([w, v]))
        root = float(np.sqrt(abs(body.mass)))
        error = RELATIVE_ROUNDING * root * (np.abs(w).sum(axis=0) * reach + np.abs(v).sum(axis=0))
        rows += [_cut(root * v_com, error), _turning(body, w)]
        if body.joint is not None:
            rows.append(np.sqrt(abs(body.rotor)) * np.asarray(rates[body.joint])[None])
    return MovedMasses(np.vstack(rows), np.array(m.of_links(twists)))


def _turning(body: Body[float], w: Array) -> Array:
    """sqrt(I) w: the rows sqrt(I_k) (axis k . w) over the principal axes."""
    moments, axes = np.linalg.eigh(np.array([[*row] for row in body.inertia]))
    size = np.abs(moments).max()
    moments = np.where(
        np.abs(moments) <= MOMENT_ROUNDING * (size + abs(body.mass) * _length(body.com) ** 2), 0.0, np.abs(moments)
    )
    return _cut(np.sqrt(moments)[:, None] * (axes.T @ w), RELATIVE_ROUNDING * np.sqrt(size) * np.abs(w).sum(axis=0))


def _cut(rows: Array, error: Array) -> Array:
    return np.where(np.abs(rows) <= error, 0.0, rows)


def _columns(vector: Vector[Any], n: int) -> Array:
    return np.array([np.broadcast_to(np.asarray(x, dtype=np.float64), n) for x in vector])


def _length(vector: Vector[float]) -> float:
    return float(np.linalg.norm([*vector]))
