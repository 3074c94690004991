"""Standard parameters that bodies can have: the fit under linear matrix inequalities.

A rigid body has m > 0, principal moments that satisfy the triangle inequality, and a CoM inside it. All that is one
condition: its pseudo-inertia P is positive definite (`pseudo_inertia`). P is linear in pi, so that the least-squares
fit under P > 0 is a convex program. What the torques do not tell is taken near the robot as it was given: with P0 its
pseudo-inertia,

    min |W Y (K pi - beta)|^2 / T + sum over links D(P || P0) / spread^2

D is the entropic divergence of the two mass distributions. A spread of 1 says that the given masses may be wrong by
100 %.

Source: P. M. Wensing, S. Kim, J.-J. E. Slotine, Linear matrix inequalities for physically consistent inertial parameter
identification, IEEE RA-L 3(1), 2018; T. Lee, P. M. Wensing, F. C. Park, Geometric robot dynamic identification: a
convex programming approach, IEEE Trans. Robotics 36(2), 2020.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.factor import Factor
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.physical.nearest_bodies import nearest_bodies
from dynamis.apps.identification.physical.pseudo_inertia import TEN, divergence, pseudo_inertia
from dynamis.base.arrays import Array

PRIOR_MASS_AND_RADIUS = (1.0, 0.1)
"""Mass [kg] and radius of gyration [m] of a link that the robot has no mass for: the prior is then worth little."""
MIN_GYRATION_RADIUS = 0.01
"""The least radius of gyration [m] of a prior; many files have point masses."""
RELATIVE_ROUNDING = 1e-12
"""Parameters below this part of the largest one are rounding; they are set to zero, or they would fill formulas."""


@dataclass(frozen=True)
class PhysicalFit:
    """(pi, drives) that bodies can have, and what that cost."""

    parameters: Array
    rms: Array
    """The error of the samples that were fitted, per coordinate [N m or N]."""
    distances: Array
    """sqrt(D) of every link from the robot as it was given: for small changes a relative distance."""
    guessed: tuple[str, ...]
    """Links whose prior is a guess, because the robot has no mass for them."""


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
    # Drives that the samples do not tell stay near the given ones.
    weak = 1e-9 * max(float(np.trace(H)) / total, 1e-300)
    H[np.diag_indices(total)] += weak
    f -= weak * model.parameters()
    z = nearest_bodies(H, f, prior, _linear_rows(model, com_regions or {}, total), 0.5 / spread**2)
    links = z[: model.inertial].reshape(-1, TEN)
    links[np.abs(links) < RELATIVE_ROUNDING * np.abs(links).max(axis=1, keepdims=True)] = 0.0
    bodies = [pseudo_inertia(ten) for ten in links]
    distances = np.sqrt([divergence(P, P0) for P, P0 in zip(bodies, prior, strict=True)])
    return PhysicalFit(z, of.rms(model.K @ z), distances, tuple(guessed))


def nearest_parameters(model: LinearModel, beta: Array) -> Array:
    """(pi, drives) with K (pi, drives) = beta, nearest to the robot as it was given; no body need have them."""
    start = model.parameters()
    sizes = np.maximum(np.abs(start), 1e-3 * max(float(np.abs(start).max(initial=0.0)), 1.0))
    step = np.linalg.lstsq(model.K * sizes, beta - model.K @ start, rcond=None)[0]
    z = start + sizes * step
    z[np.abs(z) < RELATIVE_ROUNDING * sizes.max()] = 0.0
    return z


def _priors(model: LinearModel) -> tuple[list[Array], list[str]]:
    """P0 of every link: as given, thickened where it is thin; a guess where there is no mass."""
    given = model.parameters()[: model.inertial].reshape(-1, TEN)
    guessed: list[str] = []
    priors: list[Array] = []
    for link, ten in zip(model.robot.links, given, strict=True):
        mass, radius = (float(ten[0]), MIN_GYRATION_RADIUS) if ten[0] > 0 else PRIOR_MASS_AND_RADIUS
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
        if drive.kind in ("rotor", "viscous", "coulomb", "spring"):
            rows.append(np.eye(total)[k])
    for i, half_spaces in regions.items():
        for half_space in half_spaces:
            row = np.zeros(total)
            row[TEN * i : TEN * i + 4] = half_space
            rows.append(row)
    return np.array(rows).reshape(-1, total)
