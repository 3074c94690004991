"""What is identified: tau = Y x, the columns of Y that are independent, and the combinations of parameters that they
tell.

    tau = Y pi + sum over moving joints of A_j^T (rotor_j qdd_j + damping_j qd_j + coulomb_j s(qd_j)
          + stribeck_j s(qd_j) exp(-(qd_j / v_j)^2) + stiffness_j (q_j - rest_j)) + offset

pi are the ten inertial parameters of every link (`robot.regressor`), A the coupling of the joints, s the sign or
tanh(qd / v). The base columns are the first independent ones, in numbers at random states: inertial ones in the order
of `equations.base_parameters`, which proves the same set, and the drives after them. A drive whose column depends
on those of the links (the rotor of a first vertical axis on Izz1) goes into their combination.

    Y_k = sum over base columns i of K_ik Y_i,        beta = K (pi, drives)

Source: M. Gautier, Numerical calculation of the base inertial parameters of robots, J. Robotic Systems 8(4), 1991.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dynamis.apps.identification.logs.samples import Samples
from dynamis.base.arrays import Array
from dynamis.base.errors import check_name
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.compute.mechanics.dynamics.regressor import base_order
from dynamis.compute.mechanics.friction import numeric_forces
from dynamis.model.inertial_parameters import STANDARD, drive_of, parameter_names, parameter_units

if TYPE_CHECKING:
    from dynamis.robot import Robot

BLOCK_SAMPLES = 2048
"""Samples at once: the regressor of a seven-joint arm takes 8 MB, which stays in the cache of most machines."""
DEPENDENT_RESIDUAL = 1e-8
"""A column of which less is left, relative to its size: independent ones leave 1e-3 and more, dependent ones 1e-14."""
FRICTION = ("viscous", "coulomb", "offset", "stribeck", "spring")
"""Terms per joint; an offset is one per coordinate."""
TERM = {
    "rotor": "rotor", "viscous": "damping", "coulomb": "coulomb", "stribeck": "stribeck", "offset": "friction_offset",
    "spring": "stiffness",
}  # fmt: skip
"""What a robot calls the parameter of a drive (`robot.parameter_vector()`)."""
DRY = ("coulomb", "stribeck")
"""Those that jump where a joint turns back."""
STRIBECK_SPEED = 0.1
"""[rad/s or m/s], where a search for it starts."""
_NAMES = {
    "rotor": "rotor",
    "viscous": "damping",
    "coulomb": "coulomb",
    "stribeck": "stribeck",
    "offset": "offset",
    "spring": "stiffness",
}
_UNITS = {
    "rotor": ("kg m^2", "kg"), "viscous": ("N m s/rad", "N s/m"), "coulomb": ("N m", "N"), "stribeck": ("N m", "N"),
    "offset": ("N m", "N"), "spring": ("N m/rad", "N/m"),
}  # fmt: skip


@dataclass(frozen=True)
class Drive:
    """A column that is no inertia of a link: a term of the drive of joint (or, an offset, of coordinate) `joint`."""

    kind: str
    joint: int
    speed: float = 0.0
    """v of tanh(qd / v) [rad/s or m/s], 0 for the sign; of a Stribeck term that of its decay, exp(-(qd / v)^2)."""
    slack: float = 0.0
    """Of a spring: where A_j y is, y the coordinates, when it has no force [rad or m]."""


@dataclass(frozen=True)
class LinearModel:
    """tau = Y x of a robot: its columns, those that are independent, and what combinations they stand for."""

    robot: Robot
    drives: tuple[Drive, ...]
    A: Array
    """(joints, n): how the coordinates move the joints."""
    base: tuple[int, ...]
    """The independent columns, among all of them."""
    K: Array
    """(rank, columns): beta = K (pi, drives)."""
    rows: tuple[tuple[int, ...], ...]
    """For every coordinate the entries of beta that its torque contains."""

    @property
    def inertial(self) -> int:
        """The number of columns of the links."""
        return len(STANDARD) * len(self.robot.links)

    @cached_property
    def all_names(self) -> tuple[str, ...]:
        """The names of all columns."""
        drives = [f"{_NAMES[drive.kind]}{drive.joint + 1}" for drive in self.drives]
        return (*parameter_names(len(self.robot.links)), *drives)

    @cached_property
    def all_units(self) -> tuple[str, ...]:
        """The units of all columns."""
        turns = [x.revolute for x in self.robot.joints]
        of = {"offset": [x.unit == "N m" for x in self.robot.coordinates]}
        drives = [_UNITS[drive.kind][not of.get(drive.kind, turns)[drive.joint]] for drive in self.drives]
        return (*parameter_units(self.robot)[: self.inertial], *drives)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The coordinates in sentences."""
        return tuple(f"joint {j + 1} ({x.name})" for j, x in enumerate(self.robot.coordinates))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of beta."""
        return tuple(self.all_names[k] for k in self.base)

    @property
    def units(self) -> tuple[str, ...]:
        """The units of beta."""
        return tuple(self.all_units[k] for k in self.base)

    def combination(self, i: int) -> str:
        """beta_i in the parameters, with factors in numbers: `mx1 + 0.5*m2`."""
        own = self.base[i]
        text = self.all_names[own]
        for k, factor in enumerate(self.K[i].tolist()):
            if k != own and factor:
                size = "" if abs(abs(factor) - 1) < 1e-9 else f"{abs(factor):.5g}*"
                text += f" {'-' if factor < 0 else '+'} {size}{self.all_names[k]}"
        return text

    def columns(self, q: Array, qd: Array, qdd: Array, dry: Array | None = None) -> Array:
        """Y (samples, n, columns), links and drives; `dry` as in `base_columns`."""
        Y = self.robot.regressor(q, qd, qdd)
        return np.concatenate([Y, self.drive_columns(q, qd, qdd, dry)], axis=-1)

    def drive_columns(self, q: Array, qd: Array, qdd: Array, dry: Array | None = None) -> Array:
        """(samples, n, drives): what the drives' parameters are multiplied by."""
        known = {} if dry is None else dict(zip(self.dry, dry.T, strict=True))
        motion = q @ self.A.T, qd @ self.A.T, qdd @ self.A.T
        D = np.zeros((*qd.shape, len(self.drives)))
        for k, drive in enumerate(self.drives):
            if drive.kind == "offset":
                D[:, drive.joint, k] = 1.0
                continue
            values = known.get(drive)
            if values is None:
                values = drive_column(drive, *(x[:, drive.joint] for x in motion))
            for j in np.flatnonzero(self.A[drive.joint]):
                D[:, j, k] = self.A[drive.joint, j] * values
        return D

    @cached_property
    def dry(self) -> tuple[Drive, ...]:
        """The drives whose columns jump where a joint turns back."""
        return tuple(drive for drive in self.drives if drive.kind in DRY)

    def dry_columns(self, qd: Array) -> Array:
        """(samples, dry): what the parameters of dry friction are multiplied by."""
        columns = np.empty((len(qd), len(self.dry)))
        for k, drive in enumerate(self.dry):
            columns[:, k] = friction_column(drive, qd @ self.A[drive.joint])
        return columns

    @cached_property
    def dry_places(self) -> list[list[tuple[int, int, float]]]:
        """For every coordinate its dry friction: the places in its row and among `dry`, and its part of the joint."""
        place = {drive: k for k, drive in enumerate(self.dry)}
        return [
            [(at, place[x], float(self.A[x.joint, j])) for at, x in enumerate(drives, len(links)) if x in place]
            for j, (links, drives) in enumerate(self._layout)
        ]

    def base_columns(
        self, q: Array, qd: Array, qdd: Array, dry: Array | None = None, beside: Sequence[int] = ()
    ) -> list[Array]:
        """For every coordinate its row of Y_b: the columns `rows` of it, (samples, ...).

        dry: `dry_columns` where they are other than those of qd, as filtered ones are
        beside: room for so many more columns, per coordinate
        """
        Y, motion = self.robot.regressor(q, qd, qdd), (q @ self.A.T, qd @ self.A.T, qdd @ self.A.T)
        values = {} if dry is None else dict(zip(self.dry, dry.T, strict=True))
        columns: list[Array] = []
        for j, (links, drives) in enumerate(self._layout):
            rows = np.empty((len(q), len(links) + len(drives) + (beside[j] if beside else 0)))
            rows[:, : len(links)] = Y[:, j, links]
            for at, drive in enumerate(drives, len(links)):
                if drive not in values:
                    values[drive] = drive_column(drive, *(x[:, drive.joint] for x in motion))
                rows[:, at] = values[drive] if drive.kind == "offset" else self.A[drive.joint, j] * values[drive]
            columns.append(rows)
        return columns

    @cached_property
    def _layout(self) -> list[tuple[list[int], list[Drive]]]:
        """For every coordinate its columns of the links, and its drives."""
        own = [[self.base[i] for i in row] for row in self.rows]
        count = self.inertial
        return [([k for k in x if k < count], [self.drives[k - count] for k in x if k >= count]) for x in own]

    def torques(self, beta: Array, q: Array, qd: Array, qdd: Array, dry: Array | None = None) -> Array:
        """Y_b beta (samples, n); `dry` as in `base_columns`."""
        tau = np.empty_like(q)
        for start in range(0, len(q), BLOCK_SAMPLES):
            part = slice(start, start + BLOCK_SAMPLES)
            friction = None if dry is None else dry[part]
            for j, Y in enumerate(self.base_columns(q[part], qd[part], qdd[part], friction)):
                tau[part, j] = Y @ beta[list(self.rows[j])]
        return tau

    def predicted(self, beta: Array, samples: Samples) -> Array:
        """The torques of samples, filtered as these were."""
        return self.torques(beta, samples.q, samples.qd, samples.qdd, samples.filtered(self.dry_columns))

    def parameters(self) -> Array:
        """(pi, drives) of the robot as it is given; drives that it has no place for are zero."""
        return self._parameters.copy()

    @cached_property
    def _parameters(self) -> Array:
        vector, keys = self.robot.parameter_vector().values, drive_of(self.robot)
        given = dict(zip(keys, vector[self.inertial :].reshape(-1, len(keys)).T, strict=True))
        none = np.zeros(len(self.robot.joints))
        given["friction_offset"] = self.A.T @ given.get("friction_offset", none)
        return np.array([*vector[: self.inertial], *(given.get(TERM[x.kind], none)[x.joint] for x in self.drives)])


def linear_model(
    robot: Robot,
    friction: tuple[str, ...] = ("viscous", "coulomb", "offset"),
    rotor: bool = False,
    sign_speed: float = 0.0,
) -> LinearModel:
    """The model of a robot, with these terms per joint.

    friction: of `FRICTION`
    rotor: whether rotor inertias are identified
    sign_speed: v of tanh(qd / v) in Coulomb friction [rad/s or m/s]; 0 takes the sign

    Stribeck friction decays over the given speed of the joint or `STRIBECK_SPEED`, until `with_friction_speeds` finds
    that of every joint. A joint that has a spring has a term for it in any case.

    >>> import dynamis
    >>> linear_model(dynamis.load("bar-2r"), ("viscous",)).names
    ('mx1', 'my1', 'Izz1', 'mx2', 'my2', 'Izz2', 'damping1', 'damping2')
    """
    for term in friction:
        check_name("friction", term, FRICTION, key="friction")
    (A, b), forces = coupling_matrix(robot), numeric_forces(robot)
    drives: list[Drive] = []
    kinds = [*(["rotor"] if rotor else []), *(x for x in FRICTION if x in friction or x == "spring")]
    for kind in kinds:
        count = robot.n if kind == "offset" else len(robot.joints)
        for j in range(count):
            own = forces[j] if kind != "offset" else None
            given = None if own is None or kind != "stribeck" else own.stribeck_speed
            speed = (given or STRIBECK_SPEED) if kind == "stribeck" else sign_speed
            slack = (own.rest or 0.0) - b[j] if own is not None and kind == "spring" else 0.0
            if kind != "spring" or "spring" in friction or (own is not None and own.stiffness is not None):
                drives.append(Drive(kind, j, speed, slack))
    return with_base_columns(LinearModel(robot, tuple(drives), A, (), np.empty((0, 0)), ()))


def with_base_columns(model: LinearModel) -> LinearModel:
    """With its base columns and K, from the QR decomposition of Y at random states."""
    robot, links = model.robot, len(model.robot.links)
    total = model.inertial + len(model.drives)
    rng = np.random.default_rng(0)
    states = 3 * total // max(robot.n, 1) + 20
    q, qd, qdd = rng.uniform(-3, 3, (3, states, robot.n))
    # Slow states too: there a Stribeck term differs from a Coulomb term.
    qd[::2] *= 10 ** rng.uniform(-3, 0, qd[::2].shape)
    per_joint = model.columns(q, qd, qdd)
    Y = per_joint.reshape(-1, total)
    sizes = np.linalg.norm(Y, axis=0)
    order = [*base_order(links), *range(model.inertial, total)]
    order = [k for k in order if sizes[k] > DEPENDENT_RESIDUAL * max(sizes.max(initial=0.0), 1e-300)]
    R = np.linalg.qr(Y[:, order] / sizes[order], mode="r")
    left = np.abs(np.diag(R))
    base = sorted(k for k, rest in zip(order, left, strict=True) if rest > DEPENDENT_RESIDUAL)
    K = np.zeros((len(base), total))
    if base:
        K[:, order] = np.linalg.lstsq(Y[:, base] / sizes[base], Y[:, order], rcond=None)[0] / sizes[base][:, None]
    K[np.abs(K) < 1e-9 * max(np.abs(K).max(initial=1.0), 1.0)] = 0.0
    K[:, base] = np.eye(len(base))
    present = np.abs(per_joint[:, :, base]).max(axis=0, initial=0.0) > 1e-12
    rows = tuple(tuple(np.flatnonzero(present[j]).tolist()) for j in range(robot.n))
    return LinearModel(robot, model.drives, model.A, tuple(base), K, rows)


def drive_column(drive: Drive, x: Array, v: Array, a: Array) -> Array:
    """What the parameter of a drive is multiplied by, at A_j y of its joint, its velocities and accelerations."""
    if drive.kind == "spring":
        return x - drive.slack
    if drive.kind == "offset":
        return np.ones_like(v)
    return a if drive.kind == "rotor" else friction_column(drive, v)


def friction_column(drive: Drive, v: Array) -> Array:
    """What a friction parameter is multiplied by at the velocities v of its joint."""
    if drive.kind == "viscous":
        return v
    if drive.kind == "stribeck":
        return np.sign(v) * np.exp(-((v / drive.speed) ** 2))
    return np.tanh(v / drive.speed) if drive.speed else np.sign(v)
