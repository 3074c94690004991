"""A convex program over parameters of bodies: quadratic costs and entropic distances, under matrix inequalities.

    min 1/2 z^T H z + f^T z + entropy sum over bodies of D(P || P0),      P >= LEAST P0,  linear z >= 0

z starts with the ten parameters of every body; P is linear in them. The logarithm of the determinant is a cone program:
log det X >= sum over i of t_i where there is a lower triangular Z with

    [ X    Z       ]
    [ Z^T  diag(Z) ]  >= 0,      exp(t_i) <= Z_ii

(the best Z is L diag(L), with X = L L^T). Clarabel solves it by an interior-point method, to its optimum.
Source: A. Ben-Tal, A. Nemirovski, Lectures on modern convex optimization, SIAM 2001, section 4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from dynamis.apps.identification.physical.pseudo_inertia import BASIS, TEN, curvature, pseudo_inertia, ten_of
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.base.extras import install

NEEDS = f"physically consistent parameters need clarabel: {install('identify')}"
MIN_PRIOR_SHARE = 1e-4
"""P is at least this part of the prior's: bodies are no points, and other programs refuse singular inertias."""
LOWER = [(i, j) for j in range(4) for i in range(j, 4)]
"""The entries of Z."""


def available() -> bool:
    """Whether Clarabel is installed."""
    return find_spec("clarabel") is not None


def nearest_bodies(H: Array, f: Array, prior: Sequence[Array], linear: Array, entropy: float = 0.0) -> Array:
    """z of the program; without `entropy` the `prior` only sets the units of every body."""
    if not available():
        raise ArgumentError(NEEDS, key="physical")
    clarabel: Any = import_module("clarabel")
    sparse: Any = import_module("scipy.sparse")
    z0, back = _variables(H, f, prior, entropy)
    total, extra = len(f), (len(LOWER) + 4) * len(prior) * (entropy > 0)
    P, costs = back.T @ H @ back, back.T @ (H @ z0 + f)
    costs = np.concatenate([costs, np.zeros(extra)])
    rows: list[Array] = []
    right: list[Array] = []
    cones: list[Any] = []

    def member(cone: Any, value: Array, of_y: Array, of_extra: dict[int, Array] | None = None) -> None:
        """value + of_y y + of_extra w lies in the cone."""
        more = np.zeros((len(value), extra))
        for k, column in (of_extra or {}).items():
            more[:, k] = column
        rows.append(-np.hstack([of_y, more]))
        right.append(value)
        cones.append(cone)

    if len(linear):
        sizes = np.maximum(np.linalg.norm(linear @ back, axis=1), 1e-300)
        member(clarabel.NonnegativeConeT(len(linear)), linear @ z0 / sizes, linear @ back / sizes[:, None])
    for i, P0 in enumerate(prior):
        part = slice(TEN * i, TEN * (i + 1))
        root = np.linalg.inv(np.linalg.cholesky(P0))
        # In units of the prior P is near the identity.
        X0, units = root @ pseudo_inertia(z0[part]) @ root.T, root @ BASIS @ root.T
        steps = np.einsum("kij,kl->lij", units, back[part])
        member(clarabel.PSDTriangleConeT(4), _svec(X0 - MIN_PRIOR_SHARE * np.eye(4)), _svec(steps).T)
        if extra:
            costs[:total] += entropy * np.trace(steps, axis1=1, axis2=2)
            _add_log_determinant(clarabel, member, X0, steps, (len(LOWER) + 4) * i)
            costs[total + (len(LOWER) + 4) * i + len(LOWER) :][:4] = -entropy
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    quadratic = np.zeros((total + extra, total + extra))
    quadratic[:total, :total] = np.triu(P)
    solution = clarabel.DefaultSolver(
        sparse.csc_matrix(quadratic), costs, sparse.csc_matrix(np.vstack(rows)), np.concatenate(right), cones, settings
    ).solve()
    if str(solution.status) not in ("Solved", "AlmostSolved"):
        raise ArgumentError(
            f"no physically consistent parameters were found (Clarabel: {solution.status}); check com_inside",
            key="physical",
        )
    return z0 + back @ np.array(solution.x)[:total]


def _variables(H: Array, f: Array, prior: Sequence[Array], entropy: float) -> tuple[Array, Array]:
    """z0 and B of z = z0 + B y: in y the cost is near |y|^2 / 2, whatever the samples weigh."""
    whole, slope = H.copy(), f.copy()
    for i, P0 in enumerate(prior):
        part = slice(TEN * i, TEN * (i + 1))
        second = 2 * entropy * curvature(P0)
        whole[part, part] += second
        slope[part] -= second @ ten_of(P0)
    scale = 1 / np.sqrt(np.diag(whole))
    values, V = np.linalg.eigh(whole * np.outer(scale, scale))
    back = scale[:, None] * V / np.sqrt(np.maximum(values, 1e-14 * values[-1]))
    return -back @ (back.T @ slope), back


def _add_log_determinant(
    clarabel: Any, member: Callable[[Any, Array, Array, dict[int, Array]], None], X0: Array, steps: Array, first: int
) -> None:
    """The cones of log det X of one body, whose ten entries of Z and four of t are the extra variables from `first`."""

    whole = np.zeros((len(steps) + 1, 8, 8))
    whole[:, :4, :4] = [X0, *steps]
    values = _svec(whole)
    of_Z: dict[int, Array] = {}
    for k, (i, j) in enumerate(LOWER, first):
        unit = np.zeros((8, 8))
        unit[i, 4 + j] = unit[4 + j, i] = 1.0
        if i == j:
            unit[4 + i, 4 + i] = 1.0
        of_Z[k] = _svec(unit)
    member(clarabel.PSDTriangleConeT(8), values[0], values[1:].T, of_Z)
    for i in range(4):
        t, Z = first + len(LOWER) + i, first + LOWER.index((i, i))
        nothing = np.zeros((3, len(steps)))
        member(clarabel.ExponentialConeT(), np.eye(3)[1], nothing, {t: np.eye(3)[0], Z: np.eye(3)[2]})


def _svec(P: Array) -> Array:
    """Upper triangles column by column, off-diagonal entries times sqrt(2), as Clarabel's cone has them."""
    j, i = np.tril_indices(P.shape[-1])
    return P[..., i, j] * np.where(i == j, 1.0, np.sqrt(2))
