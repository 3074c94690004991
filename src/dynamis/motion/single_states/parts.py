"""What can be asked of a robot in a state, part by part, and how each part is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.compute.mechanics.dynamics.reactions import ReactionConvention
from dynamis.compute.mechanics.efficient.operational_space import ROWS, chosen_rows
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.compute.quantities.arguments import Gravity, gravity_vector
from dynamis.model.loads import Load
from dynamis.motion.single_states.inverse import state_torques
from dynamis.robot import Robot
from dynamis.telling.pages.entries import Entries, Poses
from dynamis.telling.result import Result

SINGULAR_CONDITION = 1e12
"""The condition number of chosen rows of J from which rounding leaves no digit of Lambda."""
_LENGTHS, _SPEEDS = "m and rad per unit of q", "m/s and rad/s per unit of q"
_TRANSFORM = ("x", "y", "z", "1"), ("x axis", "y axis", "z axis", "origin")


@dataclass(frozen=True)
class Question:
    """A robot, its state, what acts on it, and the frame and directions that are asked about."""

    robot: Robot
    q: Array
    qd: Array
    qdd: Array
    loads: tuple[Load, ...]
    gravity: Gravity
    frame: str
    rows: str
    convention: ReactionConvention

    @property
    def motion(self) -> tuple[Array, Array, Array]:
        return self.q, self.qd, self.qdd

    @property
    def forces(self) -> dict[str, Any]:
        return {"loads": self.loads, "gravity": self.gravity}

    @property
    def units(self) -> tuple[str, ...]:
        return tuple(coordinate.unit for coordinate in self.robot.coordinates)

    def square(self, values: Array, revolute: str, prismatic: str, mixed: str) -> Entries:
        """A matrix over the coordinates; its unit depends on what they are."""
        kinds = {coordinate.revolute for coordinate in self.robot.coordinates}
        unit = mixed if len(kinds) > 1 else revolute if True in kinds else prismatic
        return Entries(values, self.numbers, self.numbers, unit)

    def torques(self, values: Array) -> Entries:
        return Entries(values, ("",), self.numbers, column_units=self.units)

    def twists(self, values: Array, unit: str = _LENGTHS) -> Entries:
        return Entries(values, ROWS, self.numbers, unit)

    def of_directions(self, values: Array, unit: str = "") -> Entries:
        """A vector or a matrix over the chosen directions of the frame, with a warning where they are singular."""
        chosen = chosen_rows(self.rows)
        names = tuple(ROWS[k] for k in chosen)
        condition = np.linalg.cond(self.robot.jacobian(self.q, self.frame)[..., chosen, :])
        singular = "the chosen rows of J depend on each other here (a singular posture): Lambda does not exist"
        notes = (singular,) if np.any(condition > SINGULAR_CONDITION) else ()
        values = np.where(
            np.reshape(condition > SINGULAR_CONDITION, (*condition.shape, *[1] * (1 + bool(unit)))), np.nan, values
        )
        units = () if unit else tuple("N" if k < 3 else "N m" for k in chosen)
        return Entries(values, ("",) if units else names, names, unit, units, notes=notes)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of the coordinates."""
        return tuple(str(k) for k in range(1, self.robot.n + 1))

    @property
    def links(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.robot.links)


@dataclass(frozen=True)
class Part:
    """What a part is, in words, how it is computed, and whether it is printed unasked."""

    words: str
    compute: Callable[[Question], Result]
    always: bool = True
    of_frame: bool = False


def _poses(x: Question) -> Poses:
    robot = x.robot
    frames = [*(link.name for link in robot.links), *(frame.name for frame in robot.frames)]
    names = (*dict.fromkeys(frames), *(["tool"] if robot.tool else ()))
    poses = np.stack([robot.forward_kinematics(x.q, name) for name in names], axis=-3)
    coms = np.stack([robot.com_pose(x.q, link.name)[..., :3, 3] for link in robot.links], axis=-2)
    return Poses(names, tuple(link.name for link in robot.links), poses, coms)


def _regressor(x: Question) -> Entries:
    pi = x.robot.parameter_vector()
    Y = x.robot.full_regressor(*x.motion, gravity=x.gravity)
    torques = tuple(f"tau{k}" for k in x.numbers)
    return Entries(Y, pi.names, torques, column_units=x.units, transposed=True, axes=(x.numbers, pi.names))


def _of_coms(x: Question, of_link: Callable[[str], Array], *axes: tuple[str, ...], unit: str = "") -> Entries:
    """An array (..., *axes) per link; rows of the table are all indices but the last."""
    values = np.stack([of_link(name) for name in x.links], axis=-1 - len(axes))
    return _table(values, x.links, *axes, unit=unit)


def _table(values: Array, *axes: tuple[str, ...], unit: str = "") -> Entries:
    rows = tuple(map(" ".join, product(*axes[:-1])))
    return Entries(values, rows, axes[-1], unit, axes=axes)


def _christoffel(x: Question) -> Array:
    """c_ijk, (..., n, n, n): c(q, qd) is quadratic in qd, 2 c_ij = c(e_i + e_j) - c(e_i) - c(e_j)."""
    unit = np.eye(x.robot.n)
    pairs = x.robot.coriolis_torque(x.q[..., None, None, :], unit + unit[:, None])
    squares = np.diagonal(pairs, axis1=-3, axis2=-2).swapaxes(-1, -2) / 4  # c(2 e_i) = 4 c(e_i)
    return (pairs - squares[..., None, :] - squares[..., None, :, :]) / 2


def _link_energies(x: Question) -> tuple[Array, Array]:
    """T_i = 1/2 (m v_C.v_C + w.I w + rotor qd^2) and U_i = -m g.p_C of every link, (..., links)."""
    m, motions = mechanism(x.robot, x.robot.floats()), x.robot.link_motions(x.q, x.qd)
    gravity, rates = np.array([*(gravity_vector(x.gravity) or m.gravity)]), x.qd @ coupling_matrix(x.robot)[0].T
    kinetic = list[Array]()
    for k, bodies in enumerate(m.links):
        body, v, w = m.bodies[bodies[-1]], motions.com_velocity[..., k, :], motions.w[..., k, :]
        turning = np.sum(w * (w @ np.array([list(row) for row in body.inertia])), axis=-1)
        drives = sum(
            m.bodies[i].rotor * rates[..., joint] ** 2 for i in bodies if (joint := m.bodies[i].joint) is not None
        )
        kinetic.append((body.mass * np.sum(v * v, axis=-1) + turning + drives) / 2)
    masses = np.array(m.of_links([body.mass for body in m.bodies]))
    return np.stack(kinetic, axis=-1), -masses * (motions.com_position @ gravity)


def _transform(x: Question, a: str, b: str) -> Entries:
    for frame in (a, b):
        x.robot.frame_of_index(frame)
    return Entries(x.robot.forward_kinematics(x.q, b, relative_to=a), *_TRANSFORM)


def _position(x: Question, frame: str) -> Entries:
    x.robot.frame_of_index(frame)
    return Entries(x.robot.forward_kinematics(x.q, frame)[..., :3, 3], ("",), ROWS[:3], "m")


def _parent_transforms(x: Question) -> Entries:
    steps = [x.robot.forward_kinematics(x.q, link.name, relative_to=link.parent) for link in x.robot.links]
    return _table(np.stack(steps, axis=-3), x.links, *_TRANSFORM)


_FORCE = "kg, kg m, kg m^2"
METHODS = {
    "tau": "inverse_dynamics", "M": "mass_matrix", "C": "coriolis_matrix", "c": "coriolis_torque",
    "g": "gravity_torque", "J": "jacobian", "Jc": "jacobian", "Jd": "jacobian_rate", "Jcd": "jacobian_rate",
    "reactions": "reactions", "recursion": "recursion", "Lambda": "operational_inertia", "mu": "operational_coriolis",
    "p": "operational_gravity", "Y": "full_regressor",
}  # fmt: skip
"""The method of a part, by its name in telling/works.toml."""
PARTS: dict[str, Part] = {
    "tau": Part("torques", lambda x: state_torques(x.robot, *x.motion, **x.forces)),
    "M": Part("mass matrix", lambda x: x.square(
        x.robot.mass_matrix(x.q), "kg m^2", "kg", "kg m^2, kg m, kg")),
    "C": Part("Coriolis matrix", lambda x: x.square(
        x.robot.coriolis_matrix(x.q, x.qd), "N m s/rad", "N s/m", "N m or N per rad/s or m/s")),
    "c": Part("Coriolis and centrifugal torques", lambda x: x.torques(x.robot.coriolis_torque(x.q, x.qd))),
    "g": Part("gravity torques", lambda x: x.torques(x.robot.gravity_torque(x.q, gravity=x.gravity))),
    "T": Part("kinetic energy", lambda x: Entries(x.robot.kinetic_energy(x.q, x.qd), ("",), ("T",), "J")),
    "U": Part("potential energy, 0 at the base", lambda x: Entries(
        x.robot.potential_energy(x.q, gravity=x.gravity), ("",), ("U",), "J")),
    "L": Part("Lagrangian, T - U", lambda x: Entries(
        x.robot.kinetic_energy(x.q, x.qd) - x.robot.potential_energy(x.q, gravity=x.gravity), ("",), ("L",), "J"),
        always=False),
    "poses": Part("frames and CoMs in the base frame", _poses),
    "frame": Part("motion in base axes", lambda x: x.robot.frame_motion(*x.motion, frame=x.frame), of_frame=True),
    "J": Part("Jacobian in base axes", lambda x: x.twists(x.robot.jacobian(x.q, x.frame)), of_frame=True),
    "motion": Part("forward recursion (P, C in the base frame, the rest in link axes)",
                   lambda x: x.robot.link_motions(*x.motion)),
    "reactions": Part("reactions of the joints", lambda x: x.robot.reactions(
        *x.motion, **x.forces, convention=x.convention)),
    "A": Part("transforms of the links, each to the frame of its parent", _parent_transforms, always=False),
    "christoffel": Part("Christoffel symbols c[i,j,k]", lambda x: _table(
        _christoffel(x), x.numbers, x.numbers, x.numbers), always=False),
    "Ck": Part("Christoffel symbols of joint k as a matrix", lambda x: _table(
        np.moveaxis(_christoffel(x), -1, -3), x.numbers, x.numbers, x.numbers), always=False),
    "Q": Part("generalised forces of the loads", lambda x: x.torques(
        x.robot.inverse_dynamics(x.q) - x.robot.inverse_dynamics(x.q, loads=x.loads)), always=False),
    "recursion": Part("Newton-Euler in link axes; vd and vdc contain -g", lambda x: x.robot.recursion(
        *x.motion, **x.forces), always=False),
    "components": Part("what the torques are the sum of", lambda x: x.robot.torque_components(
        *x.motion, **x.forces), always=False),
    "Jc": Part("Jacobians of the CoMs in base axes", lambda x: _of_coms(
        x, lambda link: x.robot.com_jacobian(x.q, link), ROWS, x.numbers, unit=_LENGTHS), always=False),
    "Jv": Part("linear Jacobians of the CoMs in base axes", lambda x: _of_coms(
        x, lambda link: x.robot.com_jacobian(x.q, link)[..., :3, :], ROWS[:3], x.numbers, unit="m per unit of q"),
        always=False),
    "Jw": Part("angular Jacobians of the links in base axes", lambda x: _of_coms(
        x, lambda link: x.robot.com_jacobian(x.q, link)[..., 3:, :], ROWS[:3], x.numbers, unit="rad per unit of q"),
        always=False),
    "Ibase": Part("inertias of the links about their CoMs in base axes", lambda x: _of_coms(
        x, lambda link: x.robot.link_inertia(x.q, link), ROWS[:3], ROWS[:3], unit="kg m^2"), always=False),
    "Jd": Part("rate of the Jacobian in base axes", lambda x: x.twists(
        x.robot.jacobian_rate(x.q, x.qd, x.frame), _SPEEDS), always=False, of_frame=True),
    "Jcd": Part("rates of the Jacobians of the CoMs", lambda x: _of_coms(
        x, lambda link: x.robot.com_jacobian_rate(x.q, x.qd, link), ROWS, x.numbers, unit=_SPEEDS), always=False),
    "H": Part("Hessian, row and column of J by q_k", lambda x: _table(
        x.robot.hessian(x.q, x.frame), ROWS, x.numbers, x.numbers), always=False, of_frame=True),
    "Hc": Part("Hessians of the CoMs, row and column of Jc by q_k", lambda x: _of_coms(
        x, lambda link: x.robot.com_hessian(x.q, link), ROWS, x.numbers, x.numbers), always=False),
    "Lambda": Part("operational-space inertia", lambda x: x.of_directions(
        x.robot.operational_inertia(x.q, x.frame, x.rows), _FORCE), always=False, of_frame=True),
    "mu": Part("operational-space Coriolis force", lambda x: x.of_directions(
        x.robot.operational_coriolis(x.q, x.qd, x.frame, x.rows)), always=False, of_frame=True),
    "p": Part("operational-space gravity force", lambda x: x.of_directions(
        x.robot.operational_gravity(x.q, x.frame, x.rows, gravity=x.gravity)), always=False, of_frame=True),
    "Y": Part("regressor, one row per parameter of pi", _regressor, always=False),
    "pi": Part("parameters of the regressor", lambda x: x.robot.parameter_vector(), always=False),
}  # fmt: skip
"""The parts by their names, in the order in which they are printed."""
OF_FRAMES: dict[str, Callable[..., Entries]] = {"T": _transform, "p": _position}
"""What is asked for by the frames in its indices: T[0,c2], p[tool]."""
OF_LINKS: dict[str, Callable[[Question], Entries]] = {
    "T": lambda x: Entries(_link_energies(x)[0], ("",), x.links, "J"),
    "U": lambda x: Entries(_link_energies(x)[1], ("",), x.links, "J"),
}
"""Numbers of the whole robot that have entries of its links: T[1]."""
