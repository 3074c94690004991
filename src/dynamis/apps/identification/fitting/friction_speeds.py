"""The speeds of friction, which a linear fit cannot find: of the sigmoid tanh(qd / v) and of a Stribeck term.

For a joint by itself every v makes one column c(v) beside the others of its torque. With c' the part of c that these do
not explain, and r what they leave of the torque, the column takes

    (c'.r)^2 / c'.c'

off the sum of squares: a function of v alone, looked at on a grid and refined about its best point. Columns of dry
friction are filtered as the torques were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module

import numpy as np

from dynamis.apps.identification.fitting.linear_model import Drive, LinearModel, friction_column, with_base_columns
from dynamis.apps.identification.logs.samples import Samples
from dynamis.base.arrays import Array

LOOKED_AT = 20_000
"""Samples that the search computes with."""
GRID = np.geomspace(1e-3, 1.0, 31)
"""Speeds that are tried, relative to the highest one of the joint."""


def with_friction_speeds(model: LinearModel, runs: Sequence[Samples], kind: str) -> LinearModel:
    """The model with the best speed of every joint for its terms of a kind, "coulomb" or "stribeck"."""
    step = max(1, sum(map(len, runs)) // LOOKED_AT)
    some = [run.part(slice(None, None, step)) for run in runs]
    q, qd, qdd, tau = (np.concatenate([getattr(run, key) for run in some]) for key in ("q", "qd", "qdd", "tau"))
    dry = np.concatenate([run.filtered(model.dry_columns) for run in some])
    columns = model.columns(q, qd, qdd, dry)
    drives = list(model.drives)
    for k, drive in enumerate(drives):
        if drive.kind == kind:
            j = int(np.abs(model.A[drive.joint]).argmax())
            others = [i for i in model.base if i != model.inertial + k]
            A = model.A[drive.joint]

            def column(speed: float, drive: Drive = drive, A: Array = A) -> Array:
                one = replace(drive, speed=speed)
                return np.concatenate([run.filtered(lambda qd: friction_column(one, qd @ A)[:, None]) for run in some])

            highest = float(np.abs(qd @ A).max(initial=0.0))
            drives[k] = replace(drive, speed=_best(drive, highest, column, columns[:, j, others], tau[:, j]))
    return with_base_columns(replace(model, drives=tuple(drives)))


def _best(drive: Drive, highest: float, column: Callable[[float], Array], others: Array, tau: Array) -> float:
    """The speed whose column explains most of what the others leave; 0, the sign, where no sigmoid is better."""
    if not highest:
        return drive.speed
    present = others[:, np.linalg.norm(others, axis=0) > 0]
    Q = np.linalg.qr(present / np.linalg.norm(present, axis=0))[0]
    left = tau - Q @ (Q.T @ tau)

    def explained(speed: float) -> float:
        c = column(speed)[:, 0]
        c = c - Q @ (Q.T @ c)
        size = float(c @ c)
        # Friction brakes: a column that would drive the joint stands for something else.
        return max(float(c @ left), 0.0) ** 2 / size if size > 1e-12 * len(c) else 0.0

    def lost(log_speed: float) -> float:
        return -explained(float(np.exp(log_speed)))

    grid = highest * GRID
    gains = [explained(speed) for speed in grid]
    k = int(np.argmax(gains))
    if drive.kind == "coulomb" and explained(0.0) >= gains[k]:
        return 0.0
    low, high = grid[max(k - 1, 0)], grid[min(k + 1, len(grid) - 1)]
    optimize = import_module("scipy.optimize")
    found = optimize.minimize_scalar(lost, bounds=(np.log(low), np.log(high)), method="bounded")
    return float(np.exp(found.x))
