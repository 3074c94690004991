"""A robot in a state, in any kind of scalars: what quantities are computed from.

Floats give the plain reference, polynomials closed forms, traced scalars a program, CasADi expressions a
`casadi.Function`. Where two algorithms give the same, `fast` chooses the one with fewer operations; the other one is
the reference that it is tested against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dynamis.compute.mechanics.coupling import joint_rates
from dynamis.compute.mechanics.dynamics import mass_matrix
from dynamis.compute.mechanics.dynamics.applied_loads import applied_wrench_rates, applied_wrenches
from dynamis.compute.mechanics.dynamics.newton_euler import InverseDynamics, newton_euler
from dynamis.compute.mechanics.efficient import articulated_body, composite_body, forward_dynamics
from dynamis.compute.mechanics.efficient.factor import carrying_joints, dense_factor
from dynamis.compute.mechanics.efficient.inverse_dynamics import inverse_dynamics
from dynamis.compute.mechanics.kinematics.poses import Pose, poses
from dynamis.compute.mechanics.mechanism import Mechanism, Place, State, Wrench, at_rest, body_of_link, place
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel
from dynamis.scalars.vectors import Vector, diagonal

LONGEST_CHAIN_TO_FACTOR = 9
"""Joints in a row up to which forward dynamics factors M; beyond, articulated bodies are faster.

Measured on one core of a Zen 4, machine code, ns per state, factored M / articulated bodies, chains of revolute joints:

    joints          8        9        10        11        12        14
    oblique axes    66/71    94/85    115/104   129/114   151/130   231/179
    right angles    46/53    68/77    71/71     83/86     98/91     132/123

Branches do not count, as M has zeros between them: three arms of 6 joints 133/156, two of 8 140/146, two of 10 220/203,
eight legs of 3 125/181 (oblique axes; right angles likewise)."""


@dataclass(frozen=True)
class RobotAtState:
    """A robot in a state, ready to be asked for quantities.

    `tau` are the motors' torques, for forward dynamics; `gravity` is None for the robot's own; `fast` asks for the
    fewest operations.
    """

    robot: RobotModel
    m: Mechanism[Any]
    state: State[Any]
    tau: Sequence[Any] = ()
    gravity: Vector[Any] | None = None
    loads: Sequence[Load] = ()
    fast: bool = False

    @cached_property
    def poses(self) -> list[Pose[Any]]:
        return poses(self.m, self.state)

    def place(self, frame: str) -> Place[Any]:
        """Where a frame stands on its body."""
        return place(self.robot, self.m, self.robot.frame(frame))

    def com(self, link: str) -> Place[Any]:
        """The CoM of a link as a frame on its body, in link axes."""
        i = body_of_link(self.robot, self.m, link)
        return Place(i, diagonal(self.m.one, self.m.zero), self.m.bodies[i].com)

    def at_rest(self) -> RobotAtState:
        """The same positions without motion."""
        return replace(self, state=at_rest(self.m, self.state))

    def accelerated(self, qdd: Sequence[Any] | None) -> RobotAtState:
        """The same state with these accelerations of the coordinates; None is without acceleration."""
        zeros = [self.m.zero] * self.m.joints
        return replace(self, state=replace(self.state, qdd=zeros if qdd is None else joint_rates(self.m.coupling, qdd)))

    def wrenches(self) -> list[Wrench[Any] | None]:
        """The sum of the loads on every body."""
        return applied_wrenches(self.robot, self.m, self.state, self.loads)

    def wrench_rates(self) -> list[list[Wrench[Any] | None]]:
        """How the loads on every body change with the joints."""
        return applied_wrench_rates(self.robot, self.m, self.state, self.loads)

    def newton_euler(self) -> InverseDynamics[Any]:
        return newton_euler(self.m, self.state, self.gravity, self.wrenches())

    def torques(self) -> list[Any]:
        """Inverse dynamics, under the loads if there are any."""
        if self.fast:
            return inverse_dynamics(self.m, self.state, self.gravity, self.wrenches())
        return self.newton_euler().tau

    def mass_matrix(self) -> list[list[Any]]:
        method = composite_body if self.fast else mass_matrix
        return method.mass_matrix(self.m, self.state)

    def acceleration(self) -> list[Any]:
        """Forward dynamics: by a factored M for short chains or coupled robots, by articulated bodies for long chains.

        The reference takes the other one of the two; for coupled robots, which articulated bodies do not know, it
        factors the textbook's M without regard to its zeros.
        """
        coupled = self.m.coupling is not None
        short = max(map(len, carrying_joints(self.m)), default=0) < LONGEST_CHAIN_TO_FACTOR
        if coupled and not self.fast:
            bias = self.accelerated(None).torques()
            left = [a - b for a, b in zip(self.tau, bias, strict=True)]
            return dense_factor(self.mass_matrix(), self.m.zero, self.m.one).solve(left)
        if self.fast:
            method = forward_dynamics if short or coupled else articulated_body
        else:
            method = articulated_body if short else forward_dynamics
        return method.forward_dynamics(self.m, self.state, self.tau, self.gravity, self.wrenches())
