"""Standard parameters that bodies can have: the fit under linear matrix inequalities.

A rigid body has m > 0, principal moments that satisfy the triangle inequality, and a CoM inside it. All that is one
condition: its pseudo-inertia, the second moments of its mass with (x, y, z, 1), is positive definite,

    P = [ S  h ]      S = tr(I)/2 1 - I about the origin of the link frame,  h = m c
        [ h' m ]

P is linear in pi, so that the least-squares fit under P > 0 is a convex program; Clarabel solves it. What the
torques do not tell is taken near the robot as it was given: with P0 its pseudo-inertia,

    min |W Y (K pi - beta)|^2 / T + sum over links d^2 / spread^2,      d^2 = 1/2 tr[(P0^-1 (P - P0))^2]

d is a relative distance, the same in all frames and units: the second-order part of the entropic divergence of the two
mass distributions. A spread of 1 says that the given masses may be wrong by 100 %.

Source: P. M. Wensing, S. Kim, J.-J. E. Slotine, Linear matrix inequalities for physically consistent inertial parameter
identification, IEEE RA-L 3(1), 2018; T. Lee, P. M. Wensing, F. C. Park, Geometric robot dynamic identification: a
convex programming approach, IEEE Trans. Robotics 36(2), 2020.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.errors import ArgumentError
from dynamis.identification.factor import Factor
from dynamis.identification.linear_model import LinearModel
from dynamis.model.inertial_parameters import STANDARD

TEN = len(STANDARD)
NEEDS = 'physically consistent parameters need clarabel: pip install "dynamis[identify]"'
LEAST = 1e-4
"""P is at least this part of the prior's: bodies are no points, and other programs refuse singular inertias."""
GUESS = (1.0, 0.1)
"""Mass [kg] and radius of gyration [m] of a link that the robot has no mass for: the prior is then worth little."""
THIN = 0.01
"""The least radius of gyration [m] of a prior; many files have point masses."""


@dataclass(frozen=True)
class PhysicalFit:
    """(pi, drives) that bodies can have, and what that cost."""

    parameters: Array
    rms: Array
    """The error of the samples that were fitted, per coordinate [N m or N]."""
    distances: Array
    """d of every link from the robot as it was given."""
    guessed: tuple[str, ...]
    """Links whose prior is a guess, because the robot has no mass for them."""


def available() -> bool:
    """Whether Clarabel is installed."""
    return find_spec("clarabel") is not None


def physical_fit(
    model: LinearModel,
    of: Factor,
    weights: Array,
    beta: Array,
    memory: float = 1.0,
    spread: float = 1.0,
    com_regions: Mapping[int, Array] | None = None,
) -> PhysicalFit:
    """The parameters that bodies can have and whose torques are nearest to those of beta.

    weights: 1/s_j of every coordinate [1/(N m)]
    memory: of the residuals, in samples: so many count as one
    spread: how wrong the given masses may be, relative to them
    com_regions: of links by their index the half-spaces that the CoM lies in (`com_regions`)
    """
    total = model.K.shape[1]
    prior, guessed = _priors(model)
    left, _ = of.stacked(weights)
    A = left @ model.K / np.sqrt(memory)
    H, f = A.T @ A, -A.T @ (left @ beta) / np.sqrt(memory)
    for i, P0 in enumerate(prior):
        part = slice(TEN * i, TEN * (i + 1))
        metric = _metric(P0) / spread**2
        H[part, part] += metric
        f[part] -= metric @ ten_of(P0)
    # Drives that the samples do not tell stay near the given ones.
    weak = 1e-9 * max(float(np.trace(H)) / total, 1e-300)
    H[np.diag_indices(total)] += weak
    f -= weak * model.parameters()
    z = nearest_bodies(H, f, prior, _linear_rows(model, com_regions or {}, total))
    distances = np.array([
        np.sqrt(max(0.0, d @ _metric(P0) @ d))
        for i, P0 in enumerate(prior)
        for d in [z[TEN * i : TEN * (i + 1)] - ten_of(P0)]
    ])  # fmt: skip
    return PhysicalFit(z, of.rms(model.K @ z), distances, tuple(guessed))


def nearest_bodies(H: Array, f: Array, prior: Sequence[Array], linear: Array) -> Array:
    """min 1/2 z^T H z + f^T z where linear z >= 0 and z starts with the parameters of bodies, near those of `prior`."""
    if not available():
        raise ArgumentError(NEEDS, key="physical")
    clarabel: Any = import_module("clarabel")
    sparse: Any = import_module("scipy.sparse")
    total = len(f)
    # In the variables y = diag(values)^1/2 V^T z / scale the objective is |y - y0|^2, whatever the samples weigh.
    scale = 1 / np.sqrt(np.diag(H))
    values, V = np.linalg.eigh(H * np.outer(scale, scale))
    back = scale[:, None] * V / np.sqrt(np.maximum(values, 1e-14 * values[-1]))
    rows: list[Array] = []
    right: list[Array] = []
    cones: list[Any] = []
    if len(linear):
        rows.append(_one_size(-linear @ back))
        right.append(np.zeros(len(linear)))
        cones.append(clarabel.NonnegativeConeT(len(linear)))
    for i, P0 in enumerate(prior):
        block = np.zeros((TEN, total))
        # In units of the prior P is near the identity: P0^-1/2 P P0^-1/2.
        root = np.linalg.inv(np.linalg.cholesky(P0))
        block[:, TEN * i : TEN * (i + 1)] = -np.array([_svec(root @ E @ root.T) for E in _BASIS]).T
        rows.append(block @ back)
        right.append(-_svec(LEAST * np.eye(4)))
        cones.append(clarabel.PSDTriangleConeT(4))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    solver = clarabel.DefaultSolver(
        sparse.identity(total, format="csc"), back.T @ f, sparse.csc_matrix(np.vstack(rows)), np.concatenate(right),
        cones, settings,
    )  # fmt: skip
    solution = solver.solve()
    if str(solution.status) not in ("Solved", "AlmostSolved"):
        raise ArgumentError(
            f"no physically consistent parameters were found (Clarabel: {solution.status}); check com_inside",
            key="physical",
        )
    return back @ np.array(solution.x)


def nearest_parameters(model: LinearModel, beta: Array) -> Array:
    """(pi, drives) with K (pi, drives) = beta, nearest to the robot as it was given; no body need have them."""
    start = model.parameters()
    sizes = np.maximum(np.abs(start), 1e-3 * max(float(np.abs(start).max(initial=0.0)), 1.0))
    step = np.linalg.lstsq(model.K * sizes, beta - model.K @ start, rcond=None)[0]
    z = start + sizes * step
    z[np.abs(z) < 1e-12 * sizes.max()] = 0.0  # rounding, which would be a link of a few atoms
    return z


def pseudo_inertia(ten: Array) -> Array:
    """P (4, 4) of the ten parameters of a link.

    >>> pseudo_inertia(np.array([2.0, 0, 0, 0, 1, 1, 1, 0, 0, 0])).diagonal().tolist()
    [0.5, 0.5, 0.5, 2.0]
    """
    return np.einsum("k,kij->ij", ten, _BASIS)


def _basis() -> Array:
    """P of the unit vectors of pi."""
    E = np.zeros((TEN, 4, 4))
    E[0, 3, 3] = 1.0
    for axis in range(3):
        E[1 + axis, axis, 3] = E[1 + axis, 3, axis] = 1.0
        E[4 + axis, :3, :3] = 0.5 * np.eye(3)
        E[4 + axis, axis, axis] -= 1.0
    for k, (a, b) in enumerate(((0, 1), (0, 2), (1, 2)), 7):
        E[k, a, b] = E[k, b, a] = -1.0
    return E


_BASIS = _basis()


def ten_of(P: Array) -> Array:
    """pi of a pseudo-inertia."""
    S, h = P[:3, :3], P[:3, 3]
    I = np.trace(S) * np.eye(3) - S  # noqa: E741
    return np.array([P[3, 3], *h, I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])


def _metric(P0: Array) -> Array:
    """G (10, 10) with d^2 = dpi^T G dpi."""
    inverse = np.linalg.inv(P0)
    turned = np.einsum("ij,kjl->kil", inverse, _BASIS)
    return 0.5 * np.einsum("kij,lji->kl", turned, turned)


def _one_size(rows: Array) -> Array:
    """Rows of length 1."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)


def _svec(P: Array) -> Array:
    """The upper triangle column by column, off-diagonal entries times sqrt(2), as Clarabel's cone has it."""
    return np.array([P[i, j] * (1.0 if i == j else np.sqrt(2)) for j in range(4) for i in range(j + 1)])


def _priors(model: LinearModel) -> tuple[list[Array], list[str]]:
    """P0 of every link: as given, thickened where it is thin; a guess where there is no mass."""
    given = model.parameters()[: model.inertial].reshape(-1, TEN)
    guessed: list[str] = []
    priors: list[Array] = []
    for link, ten in zip(model.robot.links, given, strict=True):
        mass, radius = (float(ten[0]), THIN) if ten[0] > 0 else GUESS
        P = pseudo_inertia(ten) if ten[0] > 0 else np.diag([0.0, 0.0, 0.0, mass])  # a new array
        if ten[0] <= 0:
            guessed.append(link.name)
        # An inertia that no body has is made one: its eigenvalues about the CoM are raised.
        c = P[:3, 3] / mass
        values, axes = np.linalg.eigh(P[:3, :3] - mass * np.outer(c, c))
        core = (axes * np.maximum(values, mass * radius**2 / 3)) @ axes.T
        P[:3, :3] = core + mass * np.outer(c, c)
        priors.append(P)
    return priors, guessed


def _linear_rows(model: LinearModel, regions: Mapping[int, Array], total: int) -> Array:
    """Rows r with r z >= 0: drives that dissipate, and CoMs in their regions."""
    rows: list[Array] = []
    for k, drive in enumerate(model.drives, model.inertial):
        if drive.kind in ("rotor", "viscous", "coulomb"):
            rows.append(np.eye(total)[k])
    for i, half_spaces in regions.items():
        for half_space in half_spaces:
            row = np.zeros(total)
            row[TEN * i : TEN * i + 4] = half_space
            rows.append(row)
    return np.array(rows).reshape(-1, total)
