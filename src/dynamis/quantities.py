"""What can be asked of a robot in a state: every quantity by its name, over any scalar.

A quantity is computed from a `Setting`, in whatever scalars it holds: floats give the plain
reference, traced scalars a program for the engine, CasADi expressions a `casadi.Function`. Where
two algorithms give the same, `fast` chooses the one with fewer operations; the other one is the
reference that it is tested against.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dynamis.algorithms import composite_body, mass_matrix
from dynamis.algorithms.applied import applied_wrenches
from dynamis.algorithms.energy import potential_energy, twice_kinetic_energy
from dynamis.algorithms.kinematics import Pose, com_position, frame_pose, jacobian, poses, relative_pose, velocities
from dynamis.algorithms.mechanism import Mechanism, Place, State, place
from dynamis.algorithms.newton_euler import InverseDynamics, newton_euler, outward
from dynamis.algorithms.point_motion import point_motion
from dynamis.algorithms.regressor import regressor
from dynamis.algorithms.regrouped import Regrouped, regroup
from dynamis.algorithms.torques import torques
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel
from dynamis.model.vectors import Vector
from dynamis.reactions import reactions_of


@dataclass(frozen=True)
class Setting:
    """A robot in a state, in the scalars of a world; `tau` are the motors' torques, for forward dynamics.

    `gravity` is None for the robot's own; `fast` asks for the fewest operations.
    """

    robot: RobotModel
    world: Any
    m: Mechanism[Any]
    state: State[Any]
    tau: Sequence[Any] = ()
    gravity: Vector[Any] | None = None
    loads: Sequence[Load] = ()
    fast: bool = False

    @cached_property
    def at_rest(self) -> State[Any]:
        zeros = [self.m.zero] * self.m.n
        return State(self.state.q, self.state.c, self.state.s, zeros, zeros, zeros)

    @cached_property
    def poses(self) -> list[Pose[Any]]:
        return poses(self.m, self.state)

    def place(self, frame: str) -> Place[Any]:
        return place(self.robot, self.m, self.robot.frame(frame), self.world)

    def index(self, link: str) -> int:
        return self.robot.links.index(self.robot.link(link))

    def regrouped(self) -> Regrouped[Any] | None:
        """The mechanism regrouped for torques, where the direction of every joint axis is known."""
        if not all(isinstance(x, float) for body in self.m.bodies for x in body.k):
            return None
        return regroup(self.m)

    def newton_euler(self, state: State[Any] | None = None) -> InverseDynamics[Any]:
        state = state or self.state
        return newton_euler(
            self.m, state, self.gravity, applied_wrenches(self.robot, self.m, state, self.loads, self.world)
        )

    def torques(self, state: State[Any], gravity: Vector[Any] | None) -> list[Any]:
        """Inverse dynamics, loads included if the setting has any."""
        regrouped = self.regrouped() if self.fast and not self.loads else None
        if regrouped is not None:
            return torques(regrouped, state, gravity)
        wrenches = applied_wrenches(self.robot, self.m, state, self.loads, self.world)
        return newton_euler(self.m, state, gravity, wrenches).tau


@dataclass(frozen=True)
class Quantity:
    """A quantity: its inputs (of q, qd, qdd, tau), the names of its outputs, and how it is computed.

    `compute(setting, **options)` gives one nested list an output. `options` are the names that it
    takes beyond the state, such as a frame.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    compute: Callable[..., tuple[Any, ...]]
    options: tuple[str, ...] = ()
    gravity: bool = False
    loads: bool = False
    meaning: str = field(default="", compare=False)


def _inverse_dynamics(x: Setting) -> tuple[Any, ...]:
    return (x.torques(x.state, x.gravity),)


def _bias_torque(x: Setting) -> tuple[Any, ...]:
    s = x.state
    return (x.torques(State(s.q, s.c, s.s, s.qd, x.at_rest.qdd, s.sign), x.gravity),)


def _coriolis_torque(x: Setting) -> tuple[Any, ...]:
    """c(q, qd) alone: no gravity, no friction, no loads."""
    s, zero = x.state, x.m.zero
    bodies = tuple(replace(body, damping=zero, coulomb=zero) for body in x.m.bodies)
    m = replace(x.m, bodies=bodies)
    moving = State(s.q, s.c, s.s, s.qd, x.at_rest.qdd, x.at_rest.sign)
    return (Setting(x.robot, x.world, m, moving, fast=x.fast).torques(moving, m.null),)


def _gravity_torque(x: Setting) -> tuple[Any, ...]:
    return (Setting(x.robot, x.world, x.m, x.at_rest, fast=x.fast).torques(x.at_rest, x.gravity),)


def _mass_matrix(x: Setting) -> tuple[Any, ...]:
    return (composite_body.mass_matrix(x.m, x.state) if x.fast else mass_matrix.mass_matrix(x.m, x.state),)


def _reactions(x: Setting, convention: str) -> tuple[Any, ...]:
    return reactions_of(x.m, x.state, x.newton_euler(), convention)


def _recursion(x: Setting) -> tuple[Any, ...]:
    found = x.newton_euler()
    per_link = (
        [(k.w, k.wd, k.a, k.a_com) for k in found.motions],
        [(k.force, k.moment) for k in found.net],
        [(k.force, k.moment) for k in found.wrenches],
    )
    columns = [[list(row[k]) for row in rows] for rows in per_link for k in range(len(rows[0]))]
    return found.tau, *columns


def _link_motions(x: Setting) -> tuple[Any, ...]:
    m, state = x.m, x.state
    where, fast, motions = x.poses, velocities(m, state), outward(m, state, m.null)
    return (
        [list(pose.p) for pose in where],
        [list(com_position(m, where, i)) for i in range(len(where))],
        [list(motion.w) for motion in motions],
        [list(motion.wd) for motion in motions],
        [list(velocity.v) for velocity in fast],
        [list(motion.a) for motion in motions],
        [list(velocity.v_com) for velocity in fast],
        [list(motion.a_com) for motion in motions],
    )


def _forward_kinematics(x: Setting, frame: str, relative_to: str) -> tuple[Any, ...]:
    where = x.poses
    on = frame_pose(where, x.place(frame))
    if relative_to == x.robot.base:
        return (_homogeneous(on, x.m),)
    return (_homogeneous(relative_pose(frame_pose(where, x.place(relative_to)), on), x.m),)


def _frame_motion(x: Setting, frame: str) -> tuple[Any, ...]:
    found = point_motion(x.m, x.state, x.place(frame))
    return tuple(list(v) for v in (found.p, found.v, found.a, found.w, found.wd))


def _com_pose(x: Setting, link: str) -> tuple[Any, ...]:
    where, i = x.poses, x.index(link)
    return (_homogeneous(Pose(where[i].R, com_position(x.m, where, i)), x.m),)


def _jacobian(x: Setting, frame: str) -> tuple[Any, ...]:
    where, on = x.poses, x.place(frame)
    return (_rows(jacobian(x.m, where, on.body, frame_pose(where, on).p)),)


def _com_jacobian(x: Setting, link: str) -> tuple[Any, ...]:
    where, i = x.poses, x.index(link)
    return (_rows(jacobian(x.m, where, i, com_position(x.m, where, i))),)


def _kinetic_energy(x: Setting) -> tuple[Any, ...]:
    return (_total(twice_kinetic_energy(x.m, x.state), x.m) / (x.m.one + x.m.one),)


def _potential_energy(x: Setting) -> tuple[Any, ...]:
    return (_total(potential_energy(x.m, x.state, x.gravity), x.m),)


def _regressor(x: Setting) -> tuple[Any, ...]:
    return (regressor(x.m, x.state, x.gravity),)


def _total(terms: Sequence[Any], m: Mechanism[Any]) -> Any:
    return sum(terms, m.zero)


def _homogeneous(pose: Pose[Any], m: Mechanism[Any]) -> list[list[Any]]:
    rows = [[*row, p] for row, p in zip(pose.R, pose.p, strict=True)]
    return [*rows, [m.zero, m.zero, m.zero, m.one]]


def _rows(columns: tuple[list[Any], list[Any]]) -> list[list[Any]]:
    linear, angular = columns
    return [[getattr(column, axis) for column in part] for part in (linear, angular) for axis in "xyz"]


_Q, _QD, _QDD = ("q",), ("q", "qd"), ("q", "qd", "qdd")
_LINK_MOTIONS = (
    "point_position", "com_position", "w", "wd",
    "point_velocity", "point_acceleration", "com_velocity", "com_acceleration",
)  # fmt: skip

QUANTITIES: dict[str, Quantity] = {
    "inverse_dynamics": Quantity(_QDD, ("tau",), _inverse_dynamics, (), True, True, "tau(q, qd, qdd)"),
    "bias_torque": Quantity(_QD, ("tau",), _bias_torque, (), True, True, "tau(q, qd, 0)"),
    "coriolis_torque": Quantity(_QD, ("c",), _coriolis_torque, meaning="c(q, qd)"),
    "gravity_torque": Quantity(_Q, ("g",), _gravity_torque, (), True, meaning="g(q)"),
    "mass_matrix": Quantity(_Q, ("M",), _mass_matrix, meaning="M(q)"),
    "reactions": Quantity(_QDD, ("tau", "force", "moment"), _reactions, ("convention",), True, True),
    "recursion": Quantity(_QDD, ("tau", "w", "wd", "vd", "vdc", "F", "N", "f", "n"), _recursion, (), True, True),
    "link_motions": Quantity(_QDD, _LINK_MOTIONS, _link_motions),
    "forward_kinematics": Quantity(_Q, ("T",), _forward_kinematics, ("frame", "relative_to")),
    "frame_motion": Quantity(_QDD, ("position", "velocity", "acceleration", "w", "wd"), _frame_motion, ("frame",)),
    "com_pose": Quantity(_Q, ("T",), _com_pose, ("link",)),
    "jacobian": Quantity(_Q, ("J",), _jacobian, ("frame",)),
    "com_jacobian": Quantity(_Q, ("J",), _com_jacobian, ("link",)),
    "kinetic_energy": Quantity(_QD, ("T",), _kinetic_energy),
    "potential_energy": Quantity(_Q, ("U",), _potential_energy, (), True),
    "regressor": Quantity(_QDD, ("Y",), _regressor, (), True),
}
