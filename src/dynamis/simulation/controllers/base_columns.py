"""A smallest set of inertial parameters, found in numbers: independent columns of the regressor.

The rows of Y(q, qd, qdd) at random states are stacked; a column that depends on those before it adds nothing:

    Y_k = sum over base columns i of K_ik Y_i        so        Y pi = Y_b beta,    beta_i = pi_i + sum K_ik pi_k

The columns are taken in the order of `dynamis.equations.base_parameters` (link by link, inertias before first moments,
masses last of all), which proves the same set in letters.

Source: M. Gautier, Numerical calculation of the base inertial parameters of robots, J. Robotic Systems 8(4), 1991.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dynamis.arrays import Array
from dynamis.mechanics.mechanism import mechanism
from dynamis.mechanics.regressor import STANDARD, inertial_parameters, parameter_names

if TYPE_CHECKING:
    from dynamis.robot import Robot

DEPENDENT = 1e-8
"""A column of which less is left, relative to itself, once those before it are taken out."""


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
    columns = sorted(_independent(Y, _order(links)))
    pi = np.asarray(inertial_parameters(mechanism(robot, robot.floats())), dtype=np.float64)
    beta = np.linalg.lstsq(Y[:, columns], Y @ pi, rcond=None)[0] if columns else np.zeros(0)
    names = parameter_names(links)
    return BaseColumns(tuple(columns), tuple(names[k] for k in columns), tuple(beta.tolist()))


def _order(links: int) -> list[int]:
    """Inertias, then first moments, link by link; the masses last."""
    size = len(STANDARD)
    own = [*range(4, size), 1, 2, 3]
    return [link * size + k for link in range(links) for k in own] + [link * size for link in range(links)]


def _independent(Y: Array, order: list[int]) -> list[int]:
    """The first independent columns in this order, by orthogonalisation, each column twice."""
    chosen: list[int] = []
    basis = np.zeros((Y.shape[0], 0))
    for k in order:
        size = np.linalg.norm(Y[:, k])
        if size <= DEPENDENT * np.linalg.norm(Y) / max(1, Y.shape[1]):
            continue
        left = Y[:, k] / size
        for _ in range(2):
            left = left - basis @ (basis.T @ left)
        if (rest := np.linalg.norm(left)) > DEPENDENT:
            chosen.append(k)
            basis = np.column_stack([basis, left / rest])
    return chosen
