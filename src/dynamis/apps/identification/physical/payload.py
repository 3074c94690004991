"""A payload, from two experiments: logs of the arm with and without it.

The payload is one more body on the last link, whose ten parameters p act on the torques through the same base columns,
Y_payload = Y_b K_p. With the factors A0 b0 of the bare arm and A1 b1 of the loaded one, weighted by joint,

    | A0      0     | (beta)   | b0 |
    | A1   A1 K_p   | ( p  ) = | b1 |

in the sense of least squares: geometry, friction and the bodies of the arm are the same in both. An arm with three axes
or more before its last links tells all ten.

Source: W. Khalil, M. Gautier, P. Lemoine, Identification of the payload inertial parameters of industrial manipulators,
IEEE ICRA 2007.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dynamis.apps.identification.fitting.estimators import inverse_information, sandwich, solve
from dynamis.apps.identification.fitting.factor import Factor, combine_factors
from dynamis.apps.identification.fitting.folds import Fold
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.fitting.statistics import excitation
from dynamis.apps.identification.physical.nearest_bodies import available, nearest_bodies
from dynamis.apps.identification.physical.pseudo_inertia import TEN, pseudo_inertia
from dynamis.base.arguments import positive
from dynamis.base.arrays import Array
from dynamis.model.inertia import Inertia
from dynamis.model.inertial_parameters import STANDARD
from dynamis.model.payload import Payload

if TYPE_CHECKING:
    from dynamis.robot import Robot

KnownPayload = Payload | float
"""A payload that was weighed: all of it, or its mass [kg] alone."""


@dataclass(frozen=True)
class PayloadFit:
    """The ten parameters of a payload about the origin of the tool frame, and what they explain."""

    ten: Array
    standard_errors: Array
    """Zero for what was known, infinite for what the motion does not tell."""
    physical: bool
    """Whether a body can have them."""
    without: Array
    """RMS error of the loaded logs per coordinate, predicted by the bare arm [N m or N]."""
    held_out: Array
    """The same with the payload, each stretch predicted by a fit to the others."""

    @property
    def untold(self) -> list[str]:
        """The parameters that the motion does not tell."""
        return [name for name, error in zip(STANDARD, self.standard_errors, strict=True) if not np.isfinite(error)]

    @property
    def payload(self) -> Payload:
        """As a payload that a robot can hold: mass, CoM, and inertia about the CoM."""
        m, h = float(self.ten[0]), self.ten[1:4]
        c = h / m
        xx, yy, zz, xy, xz, yz = self.ten[4:]
        about_origin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        I = about_origin - m * (c @ c * np.eye(3) - np.outer(c, c))  # noqa: E741
        inertia = Inertia.of(
            xx=float(I[0, 0]), yy=float(I[1, 1]), zz=float(I[2, 2]),
            xy=float(I[0, 1]), xz=float(I[0, 2]), yz=float(I[1, 2]), allow_unphysical=not self.physical,
        )  # fmt: skip
        return Payload(m, (float(c[0]), float(c[1]), float(c[2])), inertia)


def payload_columns(robot: Robot, model: LinearModel) -> Array:
    """K_p (rank, 10) with Y_payload = Y_b K_p, of a body in the tool frame of the robot."""
    loaded: Robot = Payload(1.0).held_by(robot)
    rng = np.random.default_rng(1)
    q, qd, qdd = rng.uniform(-3, 3, (3, 3 * len(model.base) // max(robot.n, 1) + 20, robot.n))
    Y = model.columns(q, qd, qdd)[..., list(model.base)].reshape(-1, len(model.base))
    body = loaded.regressor(q, qd, qdd)[..., -TEN:].reshape(-1, TEN)
    sizes = np.linalg.norm(Y, axis=0)
    columns = [solve(Y / sizes, column, np.zeros(len(sizes))) / sizes for column in body.T]
    K: Array = np.column_stack(columns)
    return np.where(np.abs(K) < 1e-9, 0.0, K)


def known_entries(robot: Robot, payload: KnownPayload | None) -> dict[int, float]:
    """What is known of the ten parameters."""
    if payload is None:
        return {}
    if not isinstance(payload, Payload):
        return {0: positive("payload", payload, "kg")}
    loaded: Robot = payload.held_by(robot)
    return {k: float(x) for k, x in enumerate(loaded.inertial_parameters()[-TEN:])}


def payload_fit(
    K: Array,
    bare: Factor,
    folds: Sequence[Fold],
    weights: Array,
    beta: Array,
    memory: Array,
    known: dict[int, float],
    physical: bool,
) -> PayloadFit:
    """The payload of the folds of the loaded logs.

    K: `payload_columns`; bare: the factor of the logs without it, weights and beta of its estimate
    memory: of the residuals per coordinate, in samples
    known: entries of the ten that are known
    """
    loaded = combine_factors([fold.factor for fold in folds])
    p, A, arm = _solve_payload(K, bare, loaded, weights, beta, known)
    unknown = [k for k in range(TEN) if k not in known]
    squares = bare.squares(arm) + loaded.squares(arm + K @ p)
    scatter = np.sqrt(squares / max(bare.samples + loaded.samples - len(beta) // bare.n, 1) * memory)
    parts = _stack_system(K[:, unknown], bare, loaded, weights**2 * scatter)[0]
    covariance = sandwich(inverse_information(A), parts)[len(beta) :, len(beta) :]
    errors = np.zeros(TEN)
    errors[unknown] = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    free = [unknown[k - len(beta)] for k in excitation(A).free if k >= len(beta)]
    errors[free] = np.inf
    left = np.zeros(bare.n)
    for k, fold in enumerate(folds):
        others = [other.factor for i, other in enumerate(folds) if i != k] or [fold.factor]
        blind, _, of_arm = _solve_payload(K, bare, combine_factors(others), weights, beta, known)
        left += fold.factor.squares(of_arm + K @ blind)
    if physical and available() and unknown and np.linalg.eigvalsh(pseudo_inertia(p)).min() <= 0:
        body = _nearest_body(p, np.where(errors < np.inf, errors, abs(p[0])), unknown, covariance)
        least, most, bare_arm = (float(weights**2 @ loaded.squares(arm + K @ x)) for x in (p, body, 0 * p))
        # A body that leaves far more of the torques than p is not what the logs tell: then there is none.
        p = body if most <= 2 * least + 1e-4 * bare_arm else p
    consistent = bool(np.linalg.eigvalsh(pseudo_inertia(p)).min() > 0)
    count = max(loaded.samples, 1)
    return PayloadFit(p, errors, consistent, loaded.rms(beta), np.sqrt(left / count))


def _stack_system(K: Array, bare: Factor, loaded: Factor, weights: Array) -> tuple[Array, Array]:
    A0, b0 = bare.stacked(weights)
    A1, b1 = loaded.stacked(weights)
    return np.block([[A0, np.zeros((len(A0), K.shape[1]))], [A1, A1 @ K]]), np.concatenate([b0, b1])


def _solve_payload(
    K: Array, bare: Factor, loaded: Factor, weights: Array, beta: Array, known: dict[int, float]
) -> tuple[Array, Array, Array]:
    """p, the matrix of the fit, and beta of the arm."""
    unknown = [k for k in range(TEN) if k not in known]
    p = np.array([known.get(k, 0.0) for k in range(TEN)])
    A, b = _stack_system(K[:, unknown], bare, loaded, weights)
    b[-len(loaded.stacked(weights)[1]) :] -= loaded.stacked(weights)[0] @ (K @ p)
    x = solve(A, b, np.concatenate([beta, np.zeros(len(unknown))]))
    p[unknown] = x[len(beta) :]
    return p, A, x[: len(beta)]


def _nearest_body(p: Array, errors: Array, unknown: Sequence[int], covariance: Array) -> Array:
    """The parameters that a body can have and that are nearest to p by their covariance; what is known stays.

    What the motion does not tell has an error as large as the mass (in SI units), and may take any value that suits.
    """
    told = np.zeros((TEN, TEN))
    told[np.ix_(unknown, unknown)] = covariance
    mass = max(float(abs(p[0])), 1e-3)
    # What is known, and what rounding leaves of a covariance, must not make it singular.
    free = np.diag(told) < 1e-6 * errors**2
    C = told + np.diag(np.where(free, errors**2, 0.0) + 1e-14 * mass**2)
    H = np.asarray(np.linalg.inv(C), dtype=np.float64)
    prior = np.diag([mass * 0.1**2 / 3] * 3 + [mass])
    return nearest_bodies(H, -H @ p, [prior], np.zeros((0, TEN)))
