"""Standard parameters that bodies can have: the fit under linear matrix inequalities.

A rigid body has m > 0, principal moments that satisfy the triangle inequality, and a CoM inside it. All that is one
condition: its pseudo-inertia, the second moments of its mass with (x, y, z, 1), is positive definite,

    P = [ S  h ]      S = tr(I)/2 1 - I about the origin of the link frame,  h = m c
        [ h' m ]

P is linear in pi, so that the least-squares fit under P > 0 is a convex program; Clarabel solves it. What the
torques do not tell is taken near the robot as it was given: with P0 its pseudo-inertia,

    min |W (Y K pi - tau)|^2 / T + sum over links d^2 / spread^2,      d^2 = 1/2 tr[(P0^-1 (P - P0))^2]

d is a relative distance, the same in all frames and units: the second-order part of the entropic divergence of the two
mass distributions. A spread of 1 says that the given masses may be wrong by 100 %.

Source: P. M. Wensing, S. Kim, J.-J. E. Slotine, Linear matrix inequalities for physically consistent inertial parameter
identification, IEEE RA-L 3(1), 2018; T. Lee, P. M. Wensing, F. C. Park, Geometric robot dynamic identification: a
convex programming approach, IEEE Trans. Robotics 36(2), 2020.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    memory: float = 1.0,
    spread: float = 1.0,
    com_boxes: Mapping[str, tuple[Array, Array]] | None = None,
) -> PhysicalFit:
    """The parameters that bodies can have and that fit best.

    weights: 1/s_j of every coordinate [1/(N m)]
    memory: of the residuals, in samples: so many count as one
    spread: how wrong the given masses may be, relative to them
    com_boxes: for links by name the lowest and highest CoM [m], in the axes of the link frame
    """
    if not available():
        raise ArgumentError(NEEDS, key="physical")
    clarabel: Any = import_module("clarabel")
    sparse: Any = import_module("scipy.sparse")
    total, links = model.K.shape[1], len(model.robot.links)
    prior, guessed = _priors(model)
    left, right_side = of.stacked(weights)
    A = left @ model.K / np.sqrt(memory)
    H, f = A.T @ A, -A.T @ right_side / np.sqrt(memory)
    for i in range(links):
        part = slice(TEN * i, TEN * (i + 1))
        metric = _metric(prior[i]) / spread**2
        H[part, part] += metric
        f[part] -= metric @ _ten(prior[i])
    # Drives that the samples do not tell stay near the given ones.
    start = model.parameters()
    weak = 1e-9 * max(float(np.trace(H)) / total, 1e-300)
    H[np.diag_indices(total)] += weak
    f -= weak * start
    # In the variables y = diag(values)^1/2 V^T z / scale the objective is |y - y0|^2, whatever the samples weigh.
    scale = 1 / np.sqrt(np.diag(H))
    values, V = np.linalg.eigh(H * np.outer(scale, scale))
    back = scale[:, None] * V / np.sqrt(np.maximum(values, 1e-14 * values[-1]))
    rows: list[Array] = []
    right: list[Array] = []
    cones: list[Any] = []
    linear = _linear_rows(model, com_boxes or {}, total)
    if len(linear):
        rows.append(_one_size(-linear @ back))
        right.append(np.zeros(len(linear)))
        cones.append(clarabel.NonnegativeConeT(len(linear)))
    for i in range(links):
        block = np.zeros((TEN, total))
        # In units of the prior P is near the identity: P0^-1/2 P P0^-1/2.
        root = np.linalg.inv(np.linalg.cholesky(prior[i]))
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
            f"no physically consistent parameters were found (Clarabel: {solution.status}); check com_boxes",
            key="physical",
        )
    z = back @ np.array(solution.x)
    distances = np.array([
        np.sqrt(max(0.0, d @ _metric(prior[i]) @ d))
        for i in range(links)
        for d in [z[TEN * i : TEN * (i + 1)] - _ten(prior[i])]
    ])  # fmt: skip
    return PhysicalFit(z, of.rms(model.K @ z), distances, tuple(guessed))


def nearest_parameters(model: LinearModel, beta: Array) -> Array:
    """(pi, drives) with K (pi, drives) = beta, nearest to the robot as it was given; no body need have them."""
    start = model.parameters()
    sizes = np.maximum(np.abs(start), 1e-3 * max(float(np.abs(start).max(initial=0.0)), 1.0))
    step = np.linalg.lstsq(model.K * sizes, beta - model.K @ start, rcond=None)[0]
    return start + sizes * step


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


def _ten(P: Array) -> Array:
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


def _linear_rows(model: LinearModel, boxes: Mapping[str, tuple[Array, Array]], total: int) -> Array:
    """Rows r with r z >= 0: drives that dissipate, and CoMs in their boxes, low m <= h <= high m."""
    rows: list[Array] = []
    for k, drive in enumerate(model.drives, model.inertial):
        if drive.kind in ("rotor", "viscous", "coulomb"):
            rows.append(np.eye(total)[k])
    for i, link in enumerate(model.robot.links):
        if link.name in boxes:
            low, high = boxes[link.name]
            for axis in range(3):
                above, below = np.zeros(total), np.zeros(total)
                above[[TEN * i, TEN * i + 1 + axis]] = -low[axis], 1.0
                below[[TEN * i, TEN * i + 1 + axis]] = high[axis], -1.0
                rows += [above, below]
    return np.array(rows).reshape(-1, total)
