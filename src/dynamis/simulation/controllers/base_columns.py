"""A smallest set of inertial parameters, found in numbers: independent columns of the regressor.

The rows of Y(q, qd, qdd) at random states are stacked. In their QR decomposition |R_kk| is what is left of column k
without its part along the columns before it, so that one with R_kk = 0 adds nothing:

    Y_k = sum over base columns i of K_ik Y_i        so        Y pi = Y_b beta,    beta_i = pi_i + sum K_ik pi_k

`equations.base_parameters` proves the same set, in the same order, with K in symbols. It is not used here
because a controller needs beta in numbers for any geometry: the exact K of a fixed angle such as 0.3 rad has its sine
and cosine as symbols, and its time grows with the digits of the geometry.

Source: M. Gautier, Numerical calculation of the base inertial parameters of robots, J. Robotic Systems 8(4), 1991.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dynamis.compute.mechanics.dynamics.regressor import base_order, inertial_parameters
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.model.inertial_parameters import STANDARD, parameter_names

if TYPE_CHECKING:
    from dynamis.robot import Robot

DEPENDENT_RESIDUAL = 1e-8
"""A column of which less is left, relative to its size. On the shipped robots
independent columns leave 0.4 and more, dependent ones 1e-15."""


@dataclass(frozen=True)
class BaseColumns:
    """Which columns of Y, and beta of the robot they were found for."""

    columns: tuple[int, ...]
    names: tuple[str, ...]
    values: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.columns)


def base_columns(robot: Robot) -> BaseColumns:
    """The base columns of a robot in its own gravity, and the values of the base parameters.

    >>> import dynamis
    >>> base_columns(dynamis.load("bar-2r")).names
    ('mx1', 'my1', 'Izz1', 'mx2', 'my2', 'Izz2')
    """
    links = len(robot.links)
    rng = np.random.default_rng(0)
    states = 3 * len(STANDARD) * links // max(robot.n, 1) + 10
    q, qd, qdd = rng.uniform(-3, 3, (3, states, robot.n))
    Y = robot.regressor(q, qd, qdd).reshape(-1, len(STANDARD) * links)
    sizes = np.linalg.norm(Y, axis=0)
    order = [k for k in base_order(links) if sizes[k] > DEPENDENT_RESIDUAL * sizes.max()]
    residuals = np.abs(np.diag(np.linalg.qr(Y[:, order] / sizes[order], mode="r")))
    columns = sorted(k for k, residual in zip(order, residuals, strict=True) if residual > DEPENDENT_RESIDUAL)
    pi = np.asarray(inertial_parameters(mechanism(robot, robot.floats())), dtype=np.float64)
    beta = np.linalg.lstsq(Y[:, columns], Y @ pi, rcond=None)[0] if columns else np.zeros(0)
    names = parameter_names(links)
    return BaseColumns(tuple(columns), tuple(names[k] for k in columns), tuple(beta.tolist()))
