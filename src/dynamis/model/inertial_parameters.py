"""The dynamic parameters of a robot, and robots with other ones: identified, or in error.

    pi_i = (m, m c_x, m c_y, m c_z, I_xx, I_yy, I_zz, I_xy, I_xz, I_yz)

of link i, about the origin of its frame and in its axes, c the CoM there: the standard inertial parameters. After those
of all links come, where they are asked for, three per moving joint: its rotor inertia at the joint
(gear_ratio^2 rotor_inertia), damping and Coulomb friction; and what else the force of any joint is linear in.
tau = Y pi with the regressor Y.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arguments import integer, number, real_array
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.base.expressions.expression import Expression
from dynamis.base.expressions.parser import as_expression
from dynamis.model.checks import RELATIVE_ROUNDING, warned_already
from dynamis.model.inertia import Inertia
from dynamis.model.joint_forces import force_unit
from dynamis.model.link import Joint, Link
from dynamis.model.map_expressions import Site, changed_fields
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import evaluate

M = TypeVar("M", bound=RobotModel)
STANDARD = ("m", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
"""The ten parameters of a link in their order; mx is m c_x, the first moment [kg m]."""
_UNITS = ("kg", *("kg m",) * 3, *("kg m^2",) * 6)
_ROTOR_UNITS = {True: "kg m^2", False: "kg"}


def parameter_names(links: int) -> list[str]:
    """The names of pi: m1, mx1, ..., Iyz1, m2, ..."""
    return [f"{name}{k}" for k in range(1, links + 1) for name in STANDARD]


def drive_names(robot: RobotModel) -> list[str]:
    """The names of the parameters of the drives: rotor1, damping1, coulomb1, rotor2, ..."""
    return [f"{name}{k}" for k in range(1, len(robot.joints) + 1) for name in drive_of(robot)]


def drive_of(robot: RobotModel) -> tuple[str, ...]:
    """The parameters of the drive of a moving joint in their order: three, and those that any joint has besides."""
    return ("rotor", *robot.force_terms)


def parameter_units(robot: RobotModel) -> list[str]:
    """The SI units of pi, those of the drives after it."""
    return [*_UNITS * len(robot.links), *(unit for joint in robot.joints for unit in _drive_units(joint, robot))]


def _drive_units(joint: Joint, robot: RobotModel) -> list[str]:
    return [_ROTOR_UNITS[joint.revolute], *(force_unit(key, joint.revolute) for key in robot.force_terms)]


def with_inertial_parameters(robot: M, parameters: ArrayLike) -> M:
    """The robot with these inertial parameters, (10 links,) in the order of `robot.inertial_parameters()`.

    With the drives after them, (10 links + 3 joints,) as in `robot.parameter_vector()`, rotor inertias,
    damping and Coulomb friction are set too; without, they stay. Geometry and gear ratios stay. An inertia that no body
    has is kept, with an `UnphysicalWarning`.

    >>> import dynamis
    >>> arm = dynamis.load("bar-2r")
    >>> heavy = with_inertial_parameters(arm, 2 * arm.inertial_parameters())
    >>> heavy.gravity_torque([0, 0]) / arm.gravity_torque([0, 0])
    array([2., 2.])
    """
    pi, count, drives = real_array("parameters", parameters), len(STANDARD) * len(robot.links), len(drive_names(robot))
    shapes = ((count,), (count + drives,))
    if pi is None or pi.shape not in shapes or not np.isfinite(pi).all():
        what = literal(parameters) if pi is None or pi.shape in shapes else f"an array of shape {pi.shape}"
        raise ArgumentError(
            f'parameters must be {count} finite numbers, ten per link of robot "{robot.name}" '
            f"(or {count + drives}, with {len(drive_of(robot))} per moving joint after them), got {what}",
            key="parameters",
        )
    rows = pi[:count].reshape(-1, len(STANDARD))
    links = [_with_ten(link, ten) for link, ten in zip(robot.links, rows, strict=True)]
    of_drives = iter(pi[count:].reshape(-1, len(drive_of(robot))))
    if len(pi) > count:
        links = [replace(x, joint=_with_drive(x.joint, next(of_drives), robot)) if x.joint.moves else x for x in links]
    return replace(robot, links=tuple(links))


def _with_drive(joint: Joint, numbers: Array, robot: RobotModel) -> Joint:
    rotor, *forces = numbers.tolist()
    ratio = float(evaluate(joint.gear_ratio, robot.floats()))
    fields: dict[str, Any] = {"rotor_inertia": rotor / ratio**2, **dict(zip(robot.force_terms, forces, strict=True))}
    return replace(joint, **fields)


def _with_ten(link: Link, ten: Array) -> Link:
    mass, moment = float(ten[0]), ten[1:4]
    if mass == 0 and moment.any():
        raise ArgumentError(
            f'link "{link.name}" has first moments {moment.tolist()} but mass 0; give it a mass (of base parameters, '
            "add the columns of the masses that they are regrouped with)",
            key="parameters",
        )
    com = moment / mass if mass else np.zeros(3)
    xx, yy, zz, xy, xz, yz = ten[4:]
    at_origin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    tensor = at_origin - mass * (com @ com * np.eye(3) - np.outer(com, com))
    tensor[np.abs(tensor) <= 10 * RELATIVE_ROUNDING * np.abs(at_origin).max()] = 0.0
    # A planar link may have one moment alone, which `allow_unphysical` would not ask for.
    inertia = Inertia(tensor.tolist(), allow_unphysical=bool(np.count_nonzero(tensor) > 1))
    fields: dict[str, Any] = {"mass": mass, "com": com.tolist(), "inertia": inertia}
    return replace(link, **fields)


def with_mass_error(robot: M, percent: float, seed: int | None = None) -> M:
    """The robot with all masses and inertias of its links too large by `percent` (too small, if negative).

    With a `seed` each mass and each inertia tensor is too large or too small by chance; of a tensor about the origin of
    its link, together with the mass. Rotors and friction stay as they are.

    >>> import dynamis
    >>> arm = dynamis.load("bar-2r")
    >>> with_mass_error(arm, 20).gravity_torque([0, 0]) / arm.gravity_torque([0, 0])
    array([1.2, 1.2])
    """
    scatter = seed is not None
    share = number("mass_error", percent, "%", **({"least": -99, "most": 99} if scatter else {"above": -100})) / 100
    signs = np.ones((len(robot.links), 2))
    if scatter:
        signs = np.random.default_rng(integer("seed", seed, 0)).choice([-1.0, 1.0], signs.shape)

    def scaled(site: Site) -> Expression:
        link, kind = site.inertial
        if not kind.startswith(("mass", "inertia")):
            return site.expression
        with_mass = kind == "mass" or robot.links[link].inertia.about == "origin"
        return site.expression * as_expression(1 + share * float(signs[link, 0 if with_mass else 1]), "mass_error")

    with warned_already():
        return replace(robot, **changed_fields(robot, scaled))
