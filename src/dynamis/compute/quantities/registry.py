"""What can be asked of a robot in a state: every quantity by its name, over any kind of scalars.

A new quantity is one function in mechanics, one entry here, and one method of `Robot`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.compute.mechanics.dynamics.applied_loads import applied_wrenches
from dynamis.compute.mechanics.dynamics.energy import potential_energy, twice_kinetic_energy
from dynamis.compute.mechanics.dynamics.link_jacobians import inertia_in_base_axes
from dynamis.compute.mechanics.dynamics.missing_masses import MassNeed
from dynamis.compute.mechanics.dynamics.parameter_torques import parameter_torques
from dynamis.compute.mechanics.dynamics.reactions import bearing_loads, reactions
from dynamis.compute.mechanics.dynamics.regressor import full_regressor, regressor
from dynamis.compute.mechanics.efficient.bias_acceleration import bias_acceleration
from dynamis.compute.mechanics.efficient.coriolis_matrix import coriolis_matrix
from dynamis.compute.mechanics.efficient.derivatives import inverse_dynamics_derivatives
from dynamis.compute.mechanics.efficient.factor import cholesky, factor
from dynamis.compute.mechanics.efficient.forward_dynamics import forward_dynamics_derivatives
from dynamis.compute.mechanics.efficient.gravity_torque import gravity_torque
from dynamis.compute.mechanics.efficient.operational_space import ROWS, chosen_rows, operational_space
from dynamis.compute.mechanics.efficient.torque_components import torque_components
from dynamis.compute.mechanics.kinematics.jacobian_derivatives import hessian, jacobian_rate
from dynamis.compute.mechanics.kinematics.motion import outward, point_motion, velocities
from dynamis.compute.mechanics.kinematics.poses import com_position, frame_pose, homogeneous, jacobian, relative_pose
from dynamis.compute.mechanics.mechanism import Place, body_of_link
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.model.robot import RobotModel
from dynamis.scalars.vectors import Vector

ALL_ROWS = " ".join(ROWS)

Compute = Callable[[RobotAtState], Any] | Callable[[RobotAtState, str], Any] | Callable[[RobotAtState, str, str], Any]


@dataclass(frozen=True)
class Quantity:
    """A quantity: its inputs (of q, qd, qdd, tau), the names of its outputs, and how it is computed.

    `compute` takes a robot in a state and the `options`, names beyond the state such as a frame; it gives a nested
    list, or one per output where there are several. `mass` is which masses it cannot do without. `units` has one text
    per output: an SI unit of all entries; "tau" for the units of tau along the first axis; "tau/qdd" for those over
    the units of qdd along the second; "twist" is three m/s and three rad/s; "" where entries have other units.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    compute: Compute
    options: tuple[str, ...] = ()
    mass: MassNeed = "none"
    units: tuple[str, ...] = ()

    def of(self, x: RobotAtState, **options: str) -> tuple[Any, ...]:
        """The outputs, one nested list each."""
        compute: Callable[..., Any] = self.compute
        outputs = compute(x, **options)
        return (outputs,) if len(self.outputs) == 1 else outputs


def complete_options(robot: RobotModel, name: str, options: Mapping[str, str]) -> dict[str, str]:
    """All options of a quantity: those given, and for the others what the verbs of `Robot` take."""
    defaults = {"frame": "tool", "relative_to": robot.base, "convention": "joint", "rows": ALL_ROWS}
    return {key: defaults[key] for key in quantity(name).options if key in defaults} | dict(options)


def quantity(name: str, options: Mapping[str, str] | None = None) -> Quantity:
    """A quantity by its name; `options`, if given, are checked to be all that it needs."""
    if not isinstance(name, str) or name not in QUANTITIES:  # type: ignore[redundant-expr]
        raise UnknownNameError("quantity", name, QUANTITIES)
    entry = QUANTITIES[name]
    if options is not None:
        for option in options:
            if option not in entry.options:
                raise UnknownNameError("option", option, entry.options, within=name)
            if not isinstance(options[option], str):  # type: ignore[redundant-expr]
                kind = 'names in one text, such as "x y"' if option == "rows" else "a name"
                raise ArgumentError(f"{option} must be {kind}, got {literal(options[option])}", key=option)
        if lacking := [option for option in entry.options if option not in options]:
            raise ArgumentError(f"{name} needs a {lacking[0]}; give it as {lacking[0]}=...", key=lacking[0])
    return entry


def _coriolis_torque(x: RobotAtState) -> list[Any]:
    """c(q, qd) alone: no gravity, no friction, no loads."""
    return replace(x.accelerated(None), m=x.m.without_forces(), gravity=x.m.null, loads=()).torques()


def _gravity_torque(x: RobotAtState) -> list[Any]:
    return (
        gravity_torque(x.m, x.state, x.gravity)
        if x.fast
        else replace(x.at_rest(), m=x.m.without_forces(springs=False), loads=()).torques()
    )


def _forward_derivatives(x: RobotAtState) -> tuple[Any, ...]:
    x = x.accelerated(x.acceleration())
    return forward_dynamics_derivatives(x.m, x.state, x.gravity, x.wrenches(), x.wrench_rates())


def _recursion(x: RobotAtState) -> tuple[Any, ...]:
    solved = x.newton_euler()
    rows = [
        (motion.w, motion.wd, motion.a, motion.a_com, net.force, net.moment, wrench.force, wrench.moment)
        for motion, net, wrench in zip(solved.motions, solved.net, solved.wrenches, strict=True)
    ]
    return solved.tau, *_columns(x.m.of_links(rows))


def _link_motions(x: RobotAtState) -> tuple[Any, ...]:
    m, where = x.m, x.poses
    rows = [
        (where[i].p, com_position(m, where, i), motion.w, motion.wd, fast.v, motion.a, fast.v_com, motion.a_com)
        for i, (fast, motion) in enumerate(zip(velocities(m, x.state), outward(m, x.state, m.null), strict=True))
    ]
    return _columns(m.of_links(rows))


def _link_inertia(x: RobotAtState, link: str) -> list[list[Any]]:
    return [list(row) for row in inertia_in_base_axes(x.m, x.poses, body_of_link(x.robot, x.m, link))]


def _columns(rows: list[tuple[Any, ...]]) -> tuple[list[list[Any]], ...]:
    """One list of vectors per column, of rows of vectors."""
    return tuple([list(vector) for vector in column] for column in zip(*rows, strict=True))


def _forward_kinematics(x: RobotAtState, frame: str, relative_to: str) -> list[list[Any]]:
    place = x.place(frame)
    if relative_to == x.robot.base:
        return homogeneous(frame_pose(x.poses, place), x.m)
    return homogeneous(relative_pose(x.m, x.state, x.place(relative_to), place), x.m)


def _link_poses(x: RobotAtState) -> list[list[Any]]:
    """The 4 x 4 transforms of the links under each other, as programs have matrices."""
    frames = (frame_pose(x.poses, x.place(link.name)) for link in x.robot.links)
    return [row for frame in frames for row in homogeneous(frame, x.m)]


def _frame_motion(x: RobotAtState, frame: str) -> tuple[Any, ...]:
    motion = point_motion(x.m, x.state, x.place(frame))
    return tuple(list(v) for v in (motion.p, motion.v, motion.a, motion.w, motion.wd))


def _jacobian(x: RobotAtState, on: Place[Any]) -> list[list[Any]]:
    return _rows(jacobian(x.m, x.poses, on.body, frame_pose(x.poses, on).p))


def _rows(parts: tuple[list[Vector[Any]], list[Vector[Any]]]) -> list[list[Any]]:
    """Six rows of the columns of linear and angular motion."""
    return [[getattr(column, axis) for column in part] for part in parts for axis in "xyz"]


def _hessian(x: RobotAtState, on: Place[Any]) -> list[list[Any]]:
    """dJ_aj/dq_k in row (a, j), column k: programs have matrices, so that the first two axes are one."""
    parts = hessian(x.m, x.state, on)
    return [[getattr(entry, axis) for entry in row] for part in parts for axis in "xyz" for row in part]


def _operational_coriolis(x: RobotAtState, frame: str, rows: str) -> list[Any]:
    """mu = Jbar^T c - Lambda Jd qd."""
    place = x.place(frame)
    bias = _twist(bias_acceleration(x.m, x.state, place))
    space = operational_space(x.m, x.state, place, rows)
    return space.force(_coriolis_torque(x), [bias[k] for k in chosen_rows(rows)])


def _parameter_torques(x: RobotAtState) -> list[list[Any]]:
    one_by_one = [applied_wrenches(x.robot, x.m, x.state, [load]) for load in x.loads]
    return parameter_torques(x.m, x.state, x.gravity, one_by_one)


def _twist(parts: tuple[Vector[Any], Vector[Any]]) -> list[Any]:
    linear, angular = parts
    return [*linear, *angular]


_Q, _QD, _QDD, _TAU = ("q",), ("q", "qd"), ("q", "qd", "qdd"), ("q", "qd", "tau")
QUANTITIES: dict[str, Quantity] = {
    "inverse_dynamics": Quantity(_QDD, ("tau",), RobotAtState.torques, mass="some", units=("tau",)),
    "forward_dynamics": Quantity(_TAU, ("qdd",), RobotAtState.acceleration, mass="every joint", units=("qdd",)),
    "mass_matrix": Quantity(_Q, ("M",), RobotAtState.mass_matrix, mass="some", units=("tau/qdd",)),
    "inverse_mass_matrix": Quantity(
        _Q, ("M_inverse",), lambda x: factor(x.m, x.mass_matrix()).inverse(), mass="every joint", units=("qdd/tau",)
    ),
    "cholesky": Quantity(_Q, ("L",), lambda x: cholesky(x.mass_matrix(), x.m.scalars), mass="every joint"),
    "coriolis_matrix": Quantity(
        _QD, ("C",), lambda x: coriolis_matrix(x.m, x.state), mass="some", units=("tau/qd",)
    ),
    "coriolis_torque": Quantity(_QD, ("c",), _coriolis_torque, mass="some", units=("tau",)),
    "gravity_torque": Quantity(_Q, ("g",), _gravity_torque, mass="some", units=("tau",)),
    "bias_torque": Quantity(_QD, ("tau",), lambda x: x.accelerated(None).torques(), mass="some", units=("tau",)),
    "inverse_dynamics_derivatives": Quantity(
        _QDD, ("dtau_dq", "dtau_dqd"),
        lambda x: inverse_dynamics_derivatives(x.m, x.state, x.gravity, x.wrenches(), x.wrench_rates()),
        mass="some", units=("tau/q", "tau/qd"),
    ),
    "forward_dynamics_derivatives": Quantity(
        _TAU, ("dqdd_dq", "dqdd_dqd", "dqdd_dtau"), _forward_derivatives,
        mass="every joint", units=("qdd/q", "qdd/qd", "qdd/tau"),
    ),
    "torque_components": Quantity(
        _QDD, ("parts", "centrifugal", "coriolis", "total"),
        lambda x: torque_components(x.m, x.state, x.gravity, x.wrenches()),
        mass="some", units=("tau", "tau", "tau", "tau"),
    ),
    "parameter_torques": Quantity(_QDD, ("parts",), _parameter_torques, mass="some", units=("tau",)),
    "bearing_loads": Quantity(
        _QDD, ("loads",), lambda x: bearing_loads(x.m, x.newton_euler().wrenches), mass="some"
    ),
    "regressor": Quantity(_QDD, ("Y",), lambda x: regressor(x.m, x.state, x.gravity)),
    "full_regressor": Quantity(_QDD, ("Y",), lambda x: full_regressor(x.m, x.state, x.gravity)),
    "kinetic_energy": Quantity(
        _QD, ("T",), lambda x: sum(twice_kinetic_energy(x.m, x.state), x.m.zero) / (x.m.one + x.m.one),
        mass="some", units=("J",),
    ),
    "potential_energy": Quantity(
        _Q, ("U",), lambda x: sum(potential_energy(x.m, x.state, x.gravity), x.m.zero), mass="some", units=("J",)
    ),
    "reactions": Quantity(
        _QDD, ("tau", "force", "moment"),
        lambda x, convention: reactions(x.m, x.state, x.newton_euler(), convention),
        ("convention",), mass="some", units=("tau", "N", "N m"),
    ),
    "recursion": Quantity(
        _QDD, ("tau", "w", "wd", "vd", "vdc", "F", "N", "f", "n"), _recursion,
        mass="some", units=("tau", "rad/s", "rad/s^2", "m/s^2", "m/s^2", "N", "N m", "N", "N m"),
    ),
    "link_motions": Quantity(
        _QDD,
        ("point_position", "com_position", "w", "wd",
         "point_velocity", "point_acceleration", "com_velocity", "com_acceleration"),
        _link_motions, units=("m", "m", "rad/s", "rad/s^2", "m/s", "m/s^2", "m/s", "m/s^2"),
    ),
    "forward_kinematics": Quantity(_Q, ("pose",), _forward_kinematics, ("frame", "relative_to")),
    "link_poses": Quantity(_Q, ("poses",), _link_poses),
    "frame_motion": Quantity(
        _QDD, ("position", "velocity", "acceleration", "w", "wd"), _frame_motion, ("frame",),
        units=("m", "m/s", "m/s^2", "rad/s", "rad/s^2"),
    ),
    "jacobian": Quantity(
        _Q, ("J",), lambda x, frame: _jacobian(x, x.place(frame)), ("frame",), units=("twist/qd",)
    ),
    "jacobian_rate": Quantity(
        _QD, ("Jd",), lambda x, frame: _rows(jacobian_rate(x.m, x.state, x.place(frame))), ("frame",)
    ),
    "hessian": Quantity(_Q, ("H",), lambda x, frame: _hessian(x, x.place(frame)), ("frame",)),
    "bias_acceleration": Quantity(
        _QD, ("a",), lambda x, frame: _twist(bias_acceleration(x.m, x.state, x.place(frame))), ("frame",)
    ),
    "operational_inertia": Quantity(
        _Q, ("Lambda",),
        lambda x, frame, rows: operational_space(x.m, x.state, x.place(frame), rows).inertia(),
        ("frame", "rows"), mass="every joint",
    ),
    "operational_coriolis": Quantity(
        _QD, ("mu",), _operational_coriolis, ("frame", "rows"), mass="every joint"
    ),
    "operational_gravity": Quantity(
        _Q, ("p",),
        lambda x, frame, rows: operational_space(x.m, x.state, x.place(frame), rows).force(_gravity_torque(x)),
        ("frame", "rows"), mass="every joint",
    ),
    "consistent_inverse": Quantity(
        _Q, ("J_bar",),
        lambda x, frame, rows: operational_space(x.m, x.state, x.place(frame), rows).consistent_inverse(),
        ("frame", "rows"), mass="every joint",
    ),
    "com_pose": Quantity(
        _Q, ("pose",), lambda x, link: homogeneous(frame_pose(x.poses, x.com(link)), x.m), ("link",)
    ),
    "com_jacobian": Quantity(
        _Q, ("J",), lambda x, link: _jacobian(x, x.com(link)), ("link",), units=("twist/qd",)
    ),
    "com_jacobian_rate": Quantity(
        _QD, ("Jd",), lambda x, link: _rows(jacobian_rate(x.m, x.state, x.com(link))), ("link",)
    ),
    "com_hessian": Quantity(_Q, ("H",), lambda x, link: _hessian(x, x.com(link)), ("link",)),
    "link_inertia": Quantity(_Q, ("I",), _link_inertia, ("link",), mass="some", units=("kg m^2",)),
    "com_bias_acceleration": Quantity(
        _QD, ("a",), lambda x, link: _twist(bias_acceleration(x.m, x.state, x.com(link))), ("link",)
    ),
}  # fmt: skip
"""Every quantity by its name."""
