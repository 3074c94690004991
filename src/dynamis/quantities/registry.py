"""What can be asked of a robot in a state: every quantity by its name, over any scalar.

A quantity is computed from an `Evaluation`, in the scalars of its mechanism: floats give the plain
reference, traced scalars a program for the engine. Where two algorithms give the same, `fast` chooses
the one with fewer operations; the other one is the reference that it is tested against.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dynamis.mechanics.dynamics import mass_matrix
from dynamis.mechanics.dynamics.applied_loads import applied_wrench_rates, applied_wrenches
from dynamis.mechanics.dynamics.energy import potential_energy, twice_kinetic_energy
from dynamis.mechanics.dynamics.newton_euler import InverseDynamics, newton_euler
from dynamis.mechanics.dynamics.parameter_torques import parameter_torques
from dynamis.mechanics.dynamics.reactions import bearing_loads
from dynamis.mechanics.dynamics.regressor import regressor
from dynamis.mechanics.efficient import articulated_body, composite_body, forward_dynamics
from dynamis.mechanics.efficient.bias_acceleration import bias_acceleration, com_place
from dynamis.mechanics.efficient.coriolis_matrix import coriolis_matrix
from dynamis.mechanics.efficient.derivatives import inverse_dynamics_derivatives
from dynamis.mechanics.efficient.factor import cholesky, dense_factor, factor
from dynamis.mechanics.efficient.gravity_torque import gravity_torque
from dynamis.mechanics.efficient.inverse_dynamics import inverse_dynamics
from dynamis.mechanics.efficient.operational_space import operational_space_inertia
from dynamis.mechanics.efficient.torque_components import torque_components
from dynamis.mechanics.kinematics.motion import outward, point_motion, velocities
from dynamis.mechanics.kinematics.poses import Pose, com_position, frame_pose, jacobian, poses, relative_pose
from dynamis.mechanics.mechanism import Mechanism, Place, State, Wrench, at_rest, body_of_link, place
from dynamis.model.loads import Load
from dynamis.model.missing_masses import MassNeed
from dynamis.model.robot import RobotModel
from dynamis.quantities.reactions import reactions_of
from dynamis.scalars.vectors import Vector


@dataclass(frozen=True)
class Evaluation:
    """A robot in a state, ready to be asked for quantities; `tau` are the motors' torques, for forward dynamics.

    `gravity` is None for the robot's own; `fast` asks for the fewest operations.
    """

    robot: RobotModel
    m: Mechanism[Any]
    state: State[Any]
    tau: Sequence[Any] = ()
    gravity: Vector[Any] | None = None
    loads: Sequence[Load] = ()
    fast: bool = False

    @cached_property
    def at_rest(self) -> State[Any]:
        return at_rest(self.m, self.state)

    @cached_property
    def poses(self) -> list[Pose[Any]]:
        return poses(self.m, self.state)

    def place(self, frame: str) -> Place[Any]:
        return place(self.robot, self.m, self.robot.frame(frame))

    def index(self, link: str) -> int:
        return body_of_link(self.robot, self.m, link)

    def wrenches(self) -> list[Wrench[Any] | None]:
        return applied_wrenches(self.robot, self.m, self.state, self.loads)

    def newton_euler(self) -> InverseDynamics[Any]:
        return newton_euler(self.m, self.state, self.gravity, self.wrenches())

    def torques(self) -> list[Any]:
        """Inverse dynamics, under the loads if there are any."""
        if self.fast:
            return inverse_dynamics(self.m, self.state, self.gravity, self.wrenches())
        return self.newton_euler().tau

    def mass_matrix(self) -> list[list[Any]]:
        return (
            composite_body.mass_matrix(self.m, self.state) if self.fast else mass_matrix.mass_matrix(self.m, self.state)
        )

    def acceleration(self) -> list[Any]:
        """Forward dynamics: by a factored M for short or coupled robots, by articulated bodies for long ones."""
        if self.m.coupling is not None:
            return self._coupled_acceleration()
        short = self.m.n <= MOST_JOINTS_TO_FACTOR
        method = forward_dynamics if short == self.fast else articulated_body
        return method.forward_dynamics(self.m, self.state, self.tau, self.gravity, self.wrenches())

    def accelerated(self, qdd: Sequence[Any]) -> Evaluation:
        """The same state with these accelerations of the coordinates."""
        coupling = self.m.coupling
        return replace(self, state=replace(self.state, qdd=qdd if coupling is None else coupling.rates(qdd)))

    def _coupled_acceleration(self) -> list[Any]:
        if self.fast:
            return forward_dynamics.forward_dynamics(self.m, self.state, self.tau, self.gravity, self.wrenches())
        bias = replace(self, state=replace(self.state, qdd=self.at_rest.qdd)).torques()
        left = [a - b for a, b in zip(self.tau, bias, strict=True)]
        return dense_factor(self.mass_matrix(), self.m.zero, self.m.one).solve(left)


MOST_JOINTS_TO_FACTOR = 12


@dataclass(frozen=True)
class Quantity:
    """A quantity: its inputs (of q, qd, qdd, tau), the names of its outputs, and how it is computed.

    `compute(evaluation, **options)` gives one nested list per output. `options` are the names that it
    takes beyond the state, such as a frame. `mass` is which masses it cannot do without. `units` has one text per
    output: an SI unit of all entries; "tau" for the units of tau along the first axis; "tau/qdd" for those over the
    units of qdd along the second; "twist" is three m/s and three rad/s; "" where entries have other units.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    compute: Callable[..., tuple[Any, ...]]
    options: tuple[str, ...] = ()
    mass: MassNeed = "none"
    units: tuple[str, ...] = ()


def _inverse_dynamics(x: Evaluation) -> tuple[Any, ...]:
    return (x.torques(),)


def _forward_dynamics(x: Evaluation) -> tuple[Any, ...]:
    return (x.acceleration(),)


def _bias_torque(x: Evaluation) -> tuple[Any, ...]:
    return (replace(x, state=replace(x.state, qdd=x.at_rest.qdd)).torques(),)


def _coriolis_torque(x: Evaluation) -> tuple[Any, ...]:
    """c(q, qd) alone: no gravity, no friction, no loads."""
    zero = x.m.zero
    bodies = tuple(replace(body, damping=zero, coulomb=zero) for body in x.m.bodies)
    moving = replace(x.state, qdd=x.at_rest.qdd)
    return (replace(x, m=replace(x.m, bodies=bodies), state=moving, gravity=x.m.null, loads=()).torques(),)


def _gravity_torque(x: Evaluation) -> tuple[Any, ...]:
    if x.fast:
        return (gravity_torque(x.m, x.state, x.gravity),)
    return (replace(x, state=x.at_rest, loads=()).torques(),)


def _mass_matrix(x: Evaluation) -> tuple[Any, ...]:
    return (x.mass_matrix(),)


def _inverse_mass_matrix(x: Evaluation) -> tuple[Any, ...]:
    return (factor(x.m, x.mass_matrix()).inverse(),)


def _cholesky(x: Evaluation) -> tuple[Any, ...]:
    return (cholesky(x.mass_matrix(), x.m.scalars),)


def _coriolis_matrix(x: Evaluation) -> tuple[Any, ...]:
    return (coriolis_matrix(x.m, x.state),)


def _inverse_derivatives(x: Evaluation) -> tuple[Any, ...]:
    rates = applied_wrench_rates(x.robot, x.m, x.state, x.loads)
    return inverse_dynamics_derivatives(x.m, x.state, x.gravity, x.wrenches(), rates)


def _forward_derivatives(x: Evaluation) -> tuple[Any, ...]:
    x = x.accelerated(x.acceleration())
    rates = applied_wrench_rates(x.robot, x.m, x.state, x.loads)
    return forward_dynamics.forward_dynamics_derivatives(x.m, x.state, x.gravity, x.wrenches(), rates)


def _operational_inertia(x: Evaluation, frame: str, rows: str) -> tuple[Any, ...]:
    return (operational_space_inertia(x.m, x.state, x.place(frame), rows),)


def _bias_acceleration(x: Evaluation, frame: str) -> tuple[Any, ...]:
    linear, angular = bias_acceleration(x.m, x.state, x.place(frame))
    return ([*linear, *angular],)


def _com_bias_acceleration(x: Evaluation, link: str) -> tuple[Any, ...]:
    linear, angular = bias_acceleration(x.m, x.state, com_place(x.m, x.index(link)))
    return ([*linear, *angular],)


def _reactions(x: Evaluation, convention: str) -> tuple[Any, ...]:
    return reactions_of(x.m, x.state, x.newton_euler(), convention)


def _recursion(x: Evaluation) -> tuple[Any, ...]:
    found = x.newton_euler()
    per_link = (
        [(k.w, k.wd, k.a, k.a_com) for k in x.m.of_links(found.motions)],
        [(k.force, k.moment) for k in x.m.of_links(found.net)],
        [(k.force, k.moment) for k in x.m.of_links(found.wrenches)],
    )
    columns = [[list(row[k]) for row in rows] for rows in per_link for k in range(len(rows[0]))]
    return found.tau, *columns


def _link_motions(x: Evaluation) -> tuple[Any, ...]:
    m, where = x.m, x.poses
    coms = [com_position(m, where, i) for i in range(len(where))]
    per_body = zip(where, coms, velocities(m, x.state), outward(m, x.state, m.null), strict=True)
    rows = [(at.p, com, fast, motion) for at, com, fast, motion in m.of_links(list(per_body))]
    vectors = [
        (p, com, motion.w, motion.wd, fast.v, motion.a, fast.v_com, motion.a_com) for p, com, fast, motion in rows
    ]
    return tuple([list(row[k]) for row in vectors] for k in range(len(_LINK_MOTIONS)))


def _forward_kinematics(x: Evaluation, frame: str, relative_to: str) -> tuple[Any, ...]:
    where = x.poses
    on = frame_pose(where, x.place(frame))
    if relative_to == x.robot.base:
        return (_homogeneous(on, x.m),)
    return (_homogeneous(relative_pose(frame_pose(where, x.place(relative_to)), on), x.m),)


def _frame_motion(x: Evaluation, frame: str) -> tuple[Any, ...]:
    found = point_motion(x.m, x.state, x.place(frame))
    return tuple(list(v) for v in (found.p, found.v, found.a, found.w, found.wd))


def _com_pose(x: Evaluation, link: str) -> tuple[Any, ...]:
    where, i = x.poses, x.index(link)
    return (_homogeneous(Pose(where[i].R, com_position(x.m, where, i)), x.m),)


def _jacobian(x: Evaluation, frame: str) -> tuple[Any, ...]:
    where, on = x.poses, x.place(frame)
    return (_rows(jacobian(x.m, where, on.body, frame_pose(where, on).p)),)


def _com_jacobian(x: Evaluation, link: str) -> tuple[Any, ...]:
    where, i = x.poses, x.index(link)
    return (_rows(jacobian(x.m, where, i, com_position(x.m, where, i))),)


def _kinetic_energy(x: Evaluation) -> tuple[Any, ...]:
    return (_total(twice_kinetic_energy(x.m, x.state), x.m) / (x.m.one + x.m.one),)


def _potential_energy(x: Evaluation) -> tuple[Any, ...]:
    return (_total(potential_energy(x.m, x.state, x.gravity), x.m),)


def _regressor(x: Evaluation) -> tuple[Any, ...]:
    return (regressor(x.m, x.state, x.gravity),)


def _torque_components(x: Evaluation) -> tuple[Any, ...]:
    return torque_components(x.m, x.state, x.gravity, x.wrenches())


def _parameter_torques(x: Evaluation) -> tuple[Any, ...]:
    one_by_one = [applied_wrenches(x.robot, x.m, x.state, [load]) for load in x.loads]
    return (parameter_torques(x.m, x.state, x.gravity, one_by_one),)


def _bearing_loads(x: Evaluation) -> tuple[Any, ...]:
    return (bearing_loads(x.m, x.newton_euler().wrenches),)


def _total(terms: Sequence[Any], m: Mechanism[Any]) -> Any:
    return sum(terms, m.zero)


def _homogeneous(pose: Pose[Any], m: Mechanism[Any]) -> list[list[Any]]:
    rows = [[*row, p] for row, p in zip(pose.R, pose.p, strict=True)]
    return [*rows, [m.zero, m.zero, m.zero, m.one]]


def _rows(columns: tuple[list[Any], list[Any]]) -> list[list[Any]]:
    linear, angular = columns
    return [[getattr(column, axis) for column in part] for part in (linear, angular) for axis in "xyz"]


_Q, _QD, _QDD, _TAU = ("q",), ("q", "qd"), ("q", "qd", "qdd"), ("q", "qd", "tau")
_LINK_MOTIONS = (
    "point_position", "com_position", "w", "wd",
    "point_velocity", "point_acceleration", "com_velocity", "com_acceleration",
)  # fmt: skip

QUANTITIES: dict[str, Quantity] = {
    "inverse_dynamics": Quantity(_QDD, ("tau",), _inverse_dynamics, mass="some", units=("tau",)),
    "forward_dynamics": Quantity(_TAU, ("qdd",), _forward_dynamics, mass="every joint", units=("qdd",)),
    "mass_matrix": Quantity(_Q, ("M",), _mass_matrix, mass="some", units=("tau/qdd",)),
    "inverse_mass_matrix": Quantity(_Q, ("M_inverse",), _inverse_mass_matrix, mass="every joint", units=("qdd/tau",)),
    "cholesky": Quantity(_Q, ("L",), _cholesky, mass="every joint"),
    "coriolis_matrix": Quantity(_QD, ("C",), _coriolis_matrix, mass="some", units=("tau/qd",)),
    "coriolis_torque": Quantity(_QD, ("c",), _coriolis_torque, mass="some", units=("tau",)),
    "gravity_torque": Quantity(_Q, ("g",), _gravity_torque, mass="some", units=("tau",)),
    "bias_torque": Quantity(_QD, ("tau",), _bias_torque, mass="some", units=("tau",)),
    "inverse_dynamics_derivatives": Quantity(
        _QDD, ("dtau_dq", "dtau_dqd"), _inverse_derivatives, mass="some", units=("tau/q", "tau/qd")
    ),
    "forward_dynamics_derivatives": Quantity(
        _TAU,
        ("dqdd_dq", "dqdd_dqd", "dqdd_dtau"),
        _forward_derivatives,
        mass="every joint",
        units=("qdd/q", "qdd/qd", "qdd/tau"),
    ),
    "torque_components": Quantity(
        _QDD,
        ("parts", "centrifugal", "coriolis", "total"),
        _torque_components,
        mass="some",
        units=("tau", "tau", "tau", "tau"),
    ),
    "parameter_torques": Quantity(_QDD, ("parts",), _parameter_torques, mass="some", units=("tau",)),
    "bearing_loads": Quantity(_QDD, ("loads",), _bearing_loads, mass="some"),
    "regressor": Quantity(_QDD, ("Y",), _regressor),
    "kinetic_energy": Quantity(_QD, ("T",), _kinetic_energy, mass="some", units=("J",)),
    "potential_energy": Quantity(_Q, ("U",), _potential_energy, mass="some", units=("J",)),
    "reactions": Quantity(
        _QDD, ("tau", "force", "moment"), _reactions, ("convention",), "some", units=("tau", "N", "N m")
    ),
    "recursion": Quantity(
        _QDD,
        ("tau", "w", "wd", "vd", "vdc", "F", "N", "f", "n"),
        _recursion,
        mass="some",
        units=("tau", "rad/s", "rad/s^2", "m/s^2", "m/s^2", "N", "N m", "N", "N m"),
    ),
    "link_motions": Quantity(
        _QDD, _LINK_MOTIONS, _link_motions, units=("m", "m", "rad/s", "rad/s^2", "m/s", "m/s^2", "m/s", "m/s^2")
    ),
    "forward_kinematics": Quantity(_Q, ("pose",), _forward_kinematics, ("frame", "relative_to")),
    "frame_motion": Quantity(
        _QDD,
        ("position", "velocity", "acceleration", "w", "wd"),
        _frame_motion,
        ("frame",),
        units=("m", "m/s", "m/s^2", "rad/s", "rad/s^2"),
    ),
    "jacobian": Quantity(_Q, ("J",), _jacobian, ("frame",), units=("twist/qd",)),
    "bias_acceleration": Quantity(_QD, ("a",), _bias_acceleration, ("frame",)),
    "operational_inertia": Quantity(_Q, ("Lambda",), _operational_inertia, ("frame", "rows"), "every joint"),
    "com_pose": Quantity(_Q, ("pose",), _com_pose, ("link",)),
    "com_jacobian": Quantity(_Q, ("J",), _com_jacobian, ("link",), units=("twist/qd",)),
    "com_bias_acceleration": Quantity(_QD, ("a",), _com_bias_acceleration, ("link",)),
}
