"""The robot that people use: the model with its verbs, over arrays of states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.algorithms.applied import applied_wrenches
from dynamis.algorithms.energy import potential_energy, twice_kinetic_energy
from dynamis.algorithms.kinematics import (
    Pose,
    com_position,
    frame_pose,
    jacobian,
    poses,
    relative_pose,
    velocities,
)
from dynamis.algorithms.mechanism import Mechanism, Place, State, mechanism, place
from dynamis.algorithms.newton_euler import InverseDynamics, newton_euler, outward
from dynamis.algorithms.point_motion import point_motion
from dynamis.describe import describe
from dynamis.errors import MissingValuesError
from dynamis.exact.model import Model
from dynamis.exact.symbolic import symbolic
from dynamis.model.floats import Floats
from dynamis.model.loads import Load, check_loads
from dynamis.model.robot import RobotModel
from dynamis.plain import Gravity, for_every_state, gravity_vector
from dynamis.reactions import Convention, Reactions, check_convention, reactions_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LinkMotions:
    """How every link moves: (..., links, 3) arrays, positions in the base frame, the rest in link axes.

    `point` is the joint point P, `com` the centre of mass C; `w` and `wd` are the angular velocity
    [rad/s] and acceleration [rad/s^2]. Accelerations are those of the motion, without gravity.
    """

    links: tuple[str, ...]
    point_position: Array
    com_position: Array
    w: Array
    wd: Array
    point_velocity: Array
    point_acceleration: Array
    com_velocity: Array
    com_acceleration: Array


@dataclass(frozen=True)
class Recursion:
    """What Newton-Euler computes on its way (Craig's symbols): (..., links, 3) arrays in link axes.

    Outward: `w`, `wd`, and the accelerations `vd` of the joint point and `vdc` of the CoM, which
    contain -g; `F` = m vdc and `N` = I wd + w x I w. Inward: `f` and `n`, the wrench of the parent
    at the joint point. `tau` is (..., n).
    """

    links: tuple[str, ...]
    tau: Array
    w: Array
    wd: Array
    vd: Array
    vdc: Array
    F: Array
    N: Array
    f: Array
    n: Array


@dataclass(frozen=True)
class FrameMotion:
    """How a frame moves: (..., 3) arrays in base axes; position [m], velocity, acceleration, w, wd."""

    frame: str
    position: Array
    velocity: Array
    acceleration: Array
    w: Array
    wd: Array


class Robot(RobotModel):
    """A robot: links on joints, with the verbs of its dynamics.

    All verbs take lists or arrays of shape (..., n), one value a moving joint along the last
    axis, and give results with the same leading axes. Angles are in rad, lengths in m, torques
    in N m (forces in N at prismatic joints). Velocities and accelerations left out are zero, so
    leaving both out is statics.

    >>> import dynamis
    >>> robot = dynamis.load("genova-2r")
    >>> robot.inverse_dynamics([0.349066, 0.698132], [0.2, 0.15], [0.1, 0.085]).round(2)
    array([318.19,  38.67])
    """

    def __str__(self) -> str:
        return describe(self)

    @classmethod
    def from_model(cls, model: RobotModel) -> Robot:
        """The model with verbs; it has been validated already, so it is taken as it is."""
        robot = object.__new__(cls)
        robot.__dict__.update({field.name: getattr(model, field.name) for field in fields(RobotModel)})
        return robot

    @cached_property
    def _floats(self) -> tuple[Floats, Mechanism[float]]:
        world = self.world()
        return world, mechanism(self, world)

    def equations(self, numeric: bool = False, seconds: float | None = None) -> Model:
        """The closed-form model: M, Christoffel symbols, c, g, T, U, exactly.

        Parameters are letters; `numeric` puts the exact rationals of their values in their place.
        `seconds` bounds the time that the derivation may take.
        """
        if numeric and self.missing_values:
            raise MissingValuesError(self.name, self.missing_values)
        return Model(self, numeric, seconds)

    def symbolic(self, keep_zeros: bool = True) -> Robot:
        """The same robot with a letter for every mass, CoM, inertia and length.

        `keep_zeros` leaves what is zero as zero; without it all ten inertial parameters of every
        link are letters.
        """
        return symbolic(self, keep_zeros)

    def inverse_dynamics(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True,
    ) -> Array:  # fmt: skip
        """Torques tau(q, qd, qdd) [N m or N] that the motors give: (..., n).

        `gravity` is True (the robot's own), False, or a vector [m/s^2]. Friction and the rotors'
        inertia are in tau.
        """
        solve = self._inverse(loads, gravity)
        return for_every_state(self, lambda state: (solve(state).tau,), q, qd, qdd)[0]

    def reactions(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True, convention: Convention = "joint",
    ) -> Reactions:  # fmt: skip
        """The wrench of the parent on every link, fixed joints too.

        `convention` "joint": in link axes about the moving joint point, all six components.
        "parent_tip": about the tip of the parent, without the component that the drive gives.
        """
        check_convention(convention)
        solve, (_, m) = self._inverse(loads, gravity), self._floats
        tau, force, moment = for_every_state(
            self, lambda state: reactions_of(m, state, solve(state), convention), q, qd, qdd
        )
        joints = [link.joint for link in self.links]
        return Reactions(
            self.name, convention, tuple(link.name for link in self.links), tuple(j.name for j in joints),
            tuple(j.kind for j in joints), tuple(j.unit for j in joints), tau, force, moment,
        )  # fmt: skip

    def recursion(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True,
    ) -> Recursion:  # fmt: skip
        """Newton-Euler with all that it computes on its way, link by link."""
        solve = self._inverse(loads, gravity)

        def compute(state: State[float]) -> tuple[Any, ...]:
            x = solve(state)
            per_link = (
                [(k.w, k.wd, k.a, k.a_com) for k in x.motions],
                [(k.force, k.moment) for k in x.net],
                [(k.force, k.moment) for k in x.wrenches],
            )
            columns = [[list(row[k]) for row in rows] for rows in per_link for k in range(len(rows[0]))]
            return x.tau, *columns

        return Recursion(tuple(link.name for link in self.links), *for_every_state(self, compute, q, qd, qdd))

    def link_motions(self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None) -> LinkMotions:
        """Position, velocity and acceleration of every joint point and CoM, and w, wd."""
        _, m = self._floats

        def compute(state: State[float]) -> tuple[Any, ...]:
            where, fast, motions = poses(m, state), velocities(m, state), outward(m, state, m.null)
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

        return LinkMotions(tuple(link.name for link in self.links), *for_every_state(self, compute, q, qd, qdd))

    def forward_kinematics(self, q: ArrayLike, frame: str = "tool", relative_to: str | None = None) -> Array:
        """Homogeneous transform of a frame in the base frame, or in another one: (..., 4, 4)."""
        m, on = self._place(frame)
        _, seen_from = self._place(relative_to or self.base)

        def compute(state: State[float]) -> tuple[Any, ...]:
            where = poses(m, state)
            return (_homogeneous(relative_pose(frame_pose(where, seen_from), frame_pose(where, on))),)

        return for_every_state(self, compute, q)[0]

    def frame_motion(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, frame: str = "tool"
    ) -> FrameMotion:
        """Position, velocity and acceleration of a frame's origin, and w, wd, in base axes."""
        m, on = self._place(frame)

        def compute(state: State[float]) -> tuple[Any, ...]:
            x = point_motion(m, state, on)
            return list(x.p), list(x.v), list(x.a), list(x.w), list(x.wd)

        return FrameMotion(frame, *for_every_state(self, compute, q, qd, qdd))

    def com_pose(self, q: ArrayLike, link: str) -> Array:
        """The frame in a link's CoM with the link's axes, in the base frame: (..., 4, 4)."""
        (_, m), i = self._floats, self._index(link)

        def compute(state: State[float]) -> tuple[Any, ...]:
            where = poses(m, state)
            return (_homogeneous(Pose(where[i].R, com_position(m, where, i))),)

        return for_every_state(self, compute, q)[0]

    def jacobian(self, q: ArrayLike, frame: str = "tool") -> Array:
        """Geometric Jacobian of a frame's origin in base axes: (..., 6, n), linear rows first."""
        m, on = self._place(frame)

        def compute(state: State[float]) -> tuple[Any, ...]:
            where = poses(m, state)
            return (_rows(jacobian(m, where, on.body, frame_pose(where, on).p)),)

        return for_every_state(self, compute, q)[0]

    def com_jacobian(self, q: ArrayLike, link: str) -> Array:
        """Geometric Jacobian of a link's CoM in base axes: (..., 6, n), linear rows first."""
        (_, m), i = self._floats, self._index(link)

        def compute(state: State[float]) -> tuple[Any, ...]:
            where = poses(m, state)
            return (_rows(jacobian(m, where, i, com_position(m, where, i))),)

        return for_every_state(self, compute, q)[0]

    def kinetic_energy(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Kinetic energy [J], the rotors' included: (...)."""
        _, m = self._floats
        return for_every_state(self, lambda state: (sum(twice_kinetic_energy(m, state)) / 2,), q, qd)[0]

    def potential_energy(self, q: ArrayLike, *, gravity: Gravity = True) -> Array:
        """Potential energy [J] in gravity, zero at the base's origin: (...)."""
        (_, m), g = self._floats, gravity_vector(gravity)
        return for_every_state(self, lambda state: (sum(potential_energy(m, state, g)),), q)[0]

    def _index(self, link: str) -> int:
        return self.links.index(self.link(link))

    def _inverse(self, loads: Sequence[Load], gravity: Gravity) -> Callable[[State[float]], InverseDynamics[float]]:
        world, m = self._floats
        g = gravity_vector(gravity)
        check_loads(self, loads)

        def solve(state: State[float]) -> InverseDynamics[float]:
            return newton_euler(m, state, g, applied_wrenches(self, m, state, loads, world))

        return solve

    def _place(self, frame: str) -> tuple[Mechanism[float], Place[float]]:
        world, m = self._floats
        return m, place(self, m, self.frame(frame), world)


def _homogeneous(pose: Pose[float]) -> list[list[float]]:
    rows = [[*row, p] for row, p in zip(pose.R, pose.p, strict=True)]
    return [*rows, [0.0, 0.0, 0.0, 1.0]]


def _rows(columns: tuple[list[Any], list[Any]]) -> list[list[float]]:
    linear, angular = columns
    return [[getattr(column, axis) for column in part] for part in (linear, angular) for axis in "xyz"]
