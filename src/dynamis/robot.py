"""The robot that people use: the model with its verbs, over arrays of states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arguments import flag, positive
from dynamis.base.arrays import Array
from dynamis.base.errors import MissingValuesError
from dynamis.base.provenance import Provenance, Source
from dynamis.compute.backends.runnable_robot import NO_OPTIONS, RunnableRobot
from dynamis.compute.mechanics.dynamics.missing_masses import missing_masses
from dynamis.compute.mechanics.dynamics.reactions import ReactionConvention, check_convention
from dynamis.compute.mechanics.dynamics.regressor import drive_parameters, inertial_parameters
from dynamis.compute.mechanics.efficient.torque_components import component_names
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.compute.quantities.arguments import Gravity, frame_name
from dynamis.compute.quantities.registry import ALL_ROWS, complete_options
from dynamis.compute.quantities.robot_at_state import LONGEST_CHAIN_TO_FACTOR
from dynamis.model.formats.robot_formats import robot_text
from dynamis.model.inertial_parameters import drive_names, parameter_names, parameter_units, with_inertial_parameters
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel
from dynamis.telling.pages import states
from dynamis.telling.pages.reactions import Reactions
from dynamis.telling.pages.robot import RobotDescription
from dynamis.telling.references import References, references

if TYPE_CHECKING:
    from dynamis.exact.equations import Equations
    from dynamis.telling.drawing.drawing import Drawing
    from dynamis.telling.notation.notation import Notation

SINGLE = np.dtype("float32")


@dataclass(frozen=True, repr=False, eq=False)
class Robot(RunnableRobot):
    """A robot: links on joints, with the verbs of its dynamics (RNEA, CRBA, ABA, Jacobians, energies, regressor).

    All verbs take lists or arrays of shape (..., n), one value per moving joint along the last axis, and give results
    with the same leading axes. Angles are in rad, lengths in m, torques in N m (forces in N at prismatic joints).
    Velocities and accelerations left out are zero, so leaving both out is statics. Arrays of float32 give float32;
    what depends on NaN is NaN.

    `loads` are forces, moments and wrenches on links: a list of `dynamis.Force`, `Moment` and `ToolWrench`, each of
    which says in which frame its components are. `gravity` is True (the robot's own), False (none), or an
    acceleration in base axes [m/s^2]. `out` takes an array, or a tuple of arrays, for the states.

    Raises ArgumentError for arguments of a wrong shape or kind, MissingValuesError where a parameter has no value,
    UnknownNameError for frames and links that are not there, MissingMassError where a mass is needed.

    A verb starts in an interpreter and becomes machine code, kept on disk, when it has run often enough. Without
    llvmlite it runs on NumPy. `on` chooses another backend, `threads` how many cores share a large batch.

    >>> import dynamis
    >>> robot = dynamis.load("genova-2r")
    >>> robot.inverse_dynamics([0.349066, 0.698132], [0.2, 0.15], [0.1, 0.085]).round(2)
    array([318.19,  38.67])
    """

    @classmethod
    def from_model(cls, model: RobotModel, file: str = "") -> Robot:
        """The model with verbs, loaded from `file`; it has been validated already, so it is taken as it is."""
        robot = cls.__new__(cls)
        robot.__setstate__({**model.__getstate__(), "file": file or model.file})
        return robot

    def equations(
        self, numeric: bool = False, seconds: float | None = None, memory: float = 2.0, loads: Sequence[Load] = ()
    ) -> Equations:
        """The closed-form model: M, Christoffel symbols, c, g, T, U, exactly.

        Parameters are symbols; `numeric` puts the exact rationals of their values in their place. Components of
        `loads` may be symbols too: ToolWrench("exerted_by_tool", force=("fx", "fy", 0)).
        Beyond `seconds`, or `memory` [GB] of polynomials, it stops with a TimeLimitError or a MemoryLimitError.
        """
        from dynamis.exact.equations import Equations
        from dynamis.model.loads import with_load_symbols
        from dynamis.model.with_numbers import in_numbers, substitute_values

        positive("memory", memory, "GB")
        numeric = flag("numeric", numeric)
        robot = with_load_symbols(self, loads)
        if numeric and (missing := [name for name in self.missing_values if name in self.used_parameters()]):
            raise MissingValuesError(self.name, missing)
        if numeric:
            loads, robot = [substitute_values(load, robot.values) for load in loads], in_numbers(robot, robot.values)
        return Equations(robot, numeric, seconds, memory, tuple(loads))

    def cost(self, quantity: str, **options: str) -> states.Cost:
        """How many operations a quantity takes for one state, in the robot's own gravity.

        >>> import dynamis
        >>> print(dynamis.load("genova-rp").cost("gravity_torque"))
        gravity_torque: 4 multiplications, 2 additions, 2 sines and cosines
        """
        n = self.engine.function(quantity, complete_options(self, quantity, options)).program.counts()
        return states.Cost(quantity, n["*"], n["+"], n["/"], n["sqrt"], n["sin"] + n["cos"], n["sign"])

    def symbolic(self, keep_zeros: bool = True) -> Robot:
        """The same robot with a symbol for every mass, CoM, inertia and length; `keep_zeros`: zeros stay zero."""
        from dynamis.model.symbolic import symbolic

        return symbolic(self, keep_zeros)

    def with_exact_angles(self) -> Robot:
        """The same robot with pi/2 for 1.5708: rounded angles are the multiples of 15 degrees that they round."""
        from dynamis.model.exact_angles import with_exact_angles

        return with_exact_angles(self)

    def inverse_dynamics(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True, out: Array | None = None,
    ) -> Array:  # fmt: skip
        """Torques tau(q, qd, qdd) [N m or N] of the motors, friction and rotors included: (..., n). (RNEA)"""
        return self._run("inverse_dynamics", self._motion(q, qd, qdd), NO_OPTIONS, gravity, loads, out)

    def forward_dynamics(
        self, q: ArrayLike, qd: ArrayLike | None = None, tau: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True, out: Array | None = None,
    ) -> Array:  # fmt: skip
        """Accelerations qdd under motor torques, friction, rotors, gravity and loads: (..., n). (ABA if long)"""
        return self._run("forward_dynamics", self._motion(q, qd, tau), NO_OPTIONS, gravity, loads, out)

    def mass_matrix(self, q: ArrayLike, *, out: Array | None = None) -> Array:
        """M(q) [kg m^2, kg m, kg], the rotors on its diagonal: (..., n, n). (CRBA)"""
        return self._run("mass_matrix", (q,), NO_OPTIONS, True, (), out)

    def inverse_mass_matrix(self, q: ArrayLike, *, out: Array | None = None) -> Array:
        """M(q)^-1: (..., n, n)."""
        return self._run("inverse_mass_matrix", (q,), NO_OPTIONS, True, (), out)

    def cholesky(self, q: ArrayLike, *, out: Array | None = None) -> Array:
        """The lower L with M = L L^T: (..., n, n)."""
        return self._run("cholesky", (q,), NO_OPTIONS, True, (), out)

    def coriolis_matrix(self, q: ArrayLike, qd: ArrayLike, *, out: Array | None = None) -> Array:
        """C(q, qd) by Christoffel's symbols, with c = C qd and Mdot - 2 C skew: (..., n, n)."""
        return self._run("coriolis_matrix", (q, qd), NO_OPTIONS, True, (), out)

    def coriolis_torque(self, q: ArrayLike, qd: ArrayLike, *, out: Array | None = None) -> Array:
        """c(q, qd): Coriolis and centrifugal torques, without gravity and friction: (..., n)."""
        return self._run("coriolis_torque", (q, qd), NO_OPTIONS, True, (), out)

    def gravity_torque(self, q: ArrayLike, *, gravity: Gravity = True, out: Array | None = None) -> Array:
        """g(q) = dU/dq: what holds the robot at rest, against gravity and springs of joints: (..., n)."""
        return self._run("gravity_torque", (q,), NO_OPTIONS, gravity, (), out)

    def bias_torque(
        self, q: ArrayLike, qd: ArrayLike, *, loads: Sequence[Load] = (), gravity: Gravity = True,
        out: Array | None = None,
    ) -> Array:  # fmt: skip
        """tau(q, qd, 0), the nonlinear effects c + g, with friction and loads: (..., n)."""
        return self._run("bias_torque", (q, qd), NO_OPTIONS, gravity, loads, out)

    def inverse_dynamics_derivatives(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True,
    ) -> states.InverseDerivatives:  # fmt: skip
        """dtau/dq and dtau/dqd, (..., n, n) each; dtau/dqdd is the mass matrix."""
        outputs = self._run("inverse_dynamics_derivatives", self._motion(q, qd, qdd), gravity=gravity, loads=loads)
        return states.InverseDerivatives(*outputs, units=self._units)

    def forward_dynamics_derivatives(
        self, q: ArrayLike, qd: ArrayLike | None = None, tau: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True,
    ) -> states.ForwardDerivatives:  # fmt: skip
        """dqdd/dq, dqdd/dqd and dqdd/dtau = M^-1, (..., n, n) each."""
        outputs = self._run("forward_dynamics_derivatives", self._motion(q, qd, tau), gravity=gravity, loads=loads)
        return states.ForwardDerivatives(*outputs, units=self._units)

    def regressor(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        gravity: Gravity = True, out: Array | None = None,
    ) -> Array:  # fmt: skip
        """Y with tau = Y pi + rotor and friction, pi the `inertial_parameters`, ten per link: (..., n, 10 links)."""
        return self._run("regressor", self._motion(q, qd, qdd), NO_OPTIONS, gravity, (), out)

    def full_regressor(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        gravity: Gravity = True, out: Array | None = None,
    ) -> Array:  # fmt: skip
        """Y with tau = Y pi whole, pi the `parameter_vector`: (..., n, 10 links + 3 joints).

        The columns of `regressor`, and after them qdd, qd and sign(qd) of every moving joint, for its rotor inertia,
        damping and Coulomb friction; and one more for each of the other `force_terms` of the robot, such as q - rest.
        """
        return self._run("full_regressor", self._motion(q, qd, qdd), NO_OPTIONS, gravity, (), out)

    def parameter_vector(self) -> states.ParameterVector:
        """pi of tau = Y pi with names and units, Y the `full_regressor`; `pi.values` is the array.

        Ten inertial parameters per link, about the origin of the link frame and in its axes (`inertial_parameters`);
        after those of all links, three per moving joint: rotor inertia at the joint (gear_ratio^2 rotor_inertia),
        damping and Coulomb friction; and the others of `force_terms`, such as stiffness, where any joint has them.
        """
        m, joints = mechanism(self, self.floats()), tuple(joint.name for joint in self.joints)
        values = np.array([*inertial_parameters(m), *drive_parameters(m)], dtype=np.float64)
        names = (*self.inertial_parameter_names(), *drive_names(self))
        return states.ParameterVector(self._links, joints, names, tuple(parameter_units(self)), values)

    def inertial_parameters(self) -> Array:
        """pi of the regressor, (10 links,): m, m c, Ixx, Iyy, Izz, Ixy, Ixz, Iyz of every link.

        About the origin of the link frame and in its axes, c the CoM there; I_xy = -integral of x y dm. Y @ pi are the
        torques without rotors and friction. `parameter_vector` has their names and units, and the drives'.
        """
        return np.array(inertial_parameters(mechanism(self, self.floats())), dtype=np.float64)

    def with_inertial_parameters(self, parameters: ArrayLike) -> Robot:
        """The robot with these inertial parameters, the inverse of `inertial_parameters`: (10 links,).

        With those of the drives after them, as in `parameter_vector`: (10 links + 3 joints,).
        """
        return with_inertial_parameters(self, parameters)

    def inertial_parameter_names(self) -> tuple[str, ...]:
        """The names of pi in their order: m1, mx1, my1, mz1, Ixx1, Iyy1, Izz1, Ixy1, Ixz1, Iyz1, m2, ..."""
        return tuple(parameter_names(len(self.links)))

    def torque_components(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True, out: tuple[Array, Array, Array, Array] | None = None,
    ) -> states.TorqueComponents:  # fmt: skip
        """The terms of tau: inertial, gravity, friction, rotor, applied, centrifugal and Coriolis torques."""
        outputs = self._run("torque_components", self._motion(q, qd, qdd), gravity=gravity, loads=loads, out=out)
        return states.TorqueComponents(
            tuple(component_names(self.n, "stiffness" in self.force_terms)), *outputs, units=self._units
        )

    def parameter_torques(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True, out: Array | None = None,
    ) -> Array:  # fmt: skip
        """The share of tau that each parameter causes, (..., n, 7 links + 3 + loads).

        Mass and six inertias about the CoM of every link; rotor, damping and Coulomb friction; every load.
        """
        return self._run("parameter_torques", self._motion(q, qd, qdd), gravity=gravity, loads=loads, out=out)

    def bearing_loads(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True, out: Array | None = None,
    ) -> Array:  # fmt: skip
        """The reactions along and across the joint axes, fixed joints too: (..., links, 6).

        Axial, radial and whole force [N]; tilting, twisting (about the axis) and whole moment [N m].
        """
        return self._run("bearing_loads", self._motion(q, qd, qdd), gravity=gravity, loads=loads, out=out)

    def reactions(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True, convention: ReactionConvention = "joint",
    ) -> Reactions:  # fmt: skip
        """The wrench of the parent on every link, fixed joints too.

        `convention` "joint": in link axes about the moving joint point, all six components.
        "parent_tip": about the tip of the parent, without the component that the drive gives.
        """
        check_convention(convention)
        outputs = self._run("reactions", self._motion(q, qd, qdd), {"convention": convention}, gravity, loads)
        joints = [link.joint for link in self.links]
        numbers = {coordinate.name: k for k, coordinate in enumerate(self.coordinates, 1)}
        columns: Any = zip(*((j.name, numbers.get(j.name), j.kind, j.unit) for j in joints), strict=True)
        return Reactions(self.name, convention, self._links, *columns, *outputs, notes=self.warnings)

    def recursion(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True,
    ) -> states.Recursion:  # fmt: skip
        """Newton-Euler with all that it computes on its way, link by link."""
        outputs = self._run("recursion", self._motion(q, qd, qdd), NO_OPTIONS, gravity, loads)
        return states.Recursion(self._links, *outputs, units=self._units)

    def link_motions(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None
    ) -> states.LinkMotions:
        """Position, velocity and acceleration of every joint point and CoM, and w, wd."""
        return states.LinkMotions(self._links, *self._run("link_motions", self._motion(q, qd, qdd)))

    def forward_kinematics(
        self, q: ArrayLike, frame: str | int = "tool", relative_to: str | int | None = None
    ) -> Array:
        """Homogeneous transform of a frame in the base frame, or in another one: (..., 4, 4).

        Frames have names (the tool, a link, ...) or numbers: 2 is that of link 2, 0 the base, "c2" is in the CoM of 2.
        """
        frames = {"frame": frame_name(self, frame), "relative_to": frame_name(self, relative_to)}
        return self._run("forward_kinematics", (q,), frames)

    def link_poses(self, q: ArrayLike) -> Array:
        """Homogeneous transforms of all link frames in the base frame: (..., links, 4, 4); CasADi has them stacked."""
        rows = self._run("link_poses", (q,))
        return states.stack_transforms(rows, self._links) if hasattr(rows, "ndim") else rows

    def frame_motion(
        self, q: ArrayLike, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, frame: str = "tool"
    ) -> states.FrameMotion:
        """Position, velocity and acceleration of a frame's origin, and w, wd, in base axes."""
        return states.FrameMotion(frame, *self._run("frame_motion", self._motion(q, qd, qdd), {"frame": frame}))

    def com_pose(self, q: ArrayLike, link: str) -> Array:
        """The frame in a link's CoM with the link's axes, in the base frame: (..., 4, 4)."""
        return self._run("com_pose", (q,), {"link": link})

    def jacobian(self, q: ArrayLike, frame: str = "tool") -> Array:
        """Geometric Jacobian of a frame's origin in base axes: (..., 6, n), linear rows first."""
        return self._run("jacobian", (q,), {"frame": frame})

    def bias_acceleration(self, q: ArrayLike, qd: ArrayLike, frame: str = "tool") -> Array:
        """Jdot qd of a frame's origin, what it accelerates with when qdd is zero: (..., 6), linear first."""
        return self._run("bias_acceleration", (q, qd), {"frame": frame})

    def jacobian_rate(self, q: ArrayLike, qd: ArrayLike, frame: str = "tool") -> Array:
        """Jdot of a frame's origin along the motion, in base axes: (..., 6, n), linear rows first."""
        return self._run("jacobian_rate", (q, qd), {"frame": frame})

    def hessian(self, q: ArrayLike, frame: str = "tool") -> Array:
        """H[a, j, k] = dJ[a, j]/dq_k of a frame's Jacobian in base axes: (..., 6, n, n), linear rows first.

        Jdot = H qd. Linear rows are symmetric in j and k, angular ones are not. CasADi has a 6n x n matrix of it.
        """
        return self._hessian("hessian", q, {"frame": frame})

    def operational_inertia(self, q: ArrayLike, frame: str = "tool", rows: str = ALL_ROWS) -> Array:
        """Lambda = (J M^-1 J^T)^-1 of a frame, force before moment: (..., rows, rows).

        `rows` are the directions that count, as words of x, y, z, rx, ry, rz in base axes; the frame is free in all
        others. "x y z" is position alone, "x y rz" a plane: an arm has a Lambda for at most as many rows as joints.
        Rows that depend on each other in every state are refused; in a single singular posture the result is not
        finite, or as large as rounding errors make it (1e15): `np.linalg.cond(robot.jacobian(q))` tells.

        >>> import dynamis
        >>> dynamis.load("bar-2r").operational_inertia([0, 1.5], rows="x y").shape
        (2, 2)
        """
        return self._run("operational_inertia", (q,), {"frame": frame, "rows": rows})

    def operational_coriolis(self, q: ArrayLike, qd: ArrayLike, frame: str = "tool", rows: str = ALL_ROWS) -> Array:
        """mu = Jbar^T c - Lambda Jdot qd, the Coriolis and centrifugal force at a frame: (..., rows).

        With it F = Lambda xdd + mu + p, the operational-space dynamics (Khatib 1987); friction is not in it.
        `rows` as in `operational_inertia`.
        """
        return self._run("operational_coriolis", (q, qd), {"frame": frame, "rows": rows})

    def operational_gravity(
        self, q: ArrayLike, frame: str = "tool", rows: str = ALL_ROWS, *, gravity: Gravity = True
    ) -> Array:
        """p = Jbar^T g, the force at a frame that gravity asks for: (..., rows), `rows` as in `operational_inertia`."""
        return self._run("operational_gravity", (q,), {"frame": frame, "rows": rows}, gravity)

    def consistent_inverse(self, q: ArrayLike, frame: str = "tool", rows: str = ALL_ROWS) -> Array:
        """Jbar = M^-1 J^T Lambda, the dynamically consistent inverse of J: (..., n, rows); F = Jbar^T tau."""
        return self._run("consistent_inverse", (q,), {"frame": frame, "rows": rows})

    def com_bias_acceleration(self, q: ArrayLike, qd: ArrayLike, link: str) -> Array:
        """Jdot qd of a link's CoM: (..., 6), linear first."""
        return self._run("com_bias_acceleration", (q, qd), {"link": link})

    def com_jacobian(self, q: ArrayLike, link: str) -> Array:
        """Geometric Jacobian of a link's CoM in base axes: (..., 6, n), linear rows first."""
        return self._run("com_jacobian", (q,), {"link": link})

    def com_jacobian_rate(self, q: ArrayLike, qd: ArrayLike, link: str) -> Array:
        """Jdot of a link's CoM, as `jacobian_rate`: (..., 6, n)."""
        return self._run("com_jacobian_rate", (q, qd), {"link": link})

    def com_hessian(self, q: ArrayLike, link: str) -> Array:
        """H of a link's CoM, as `hessian`: (..., 6, n, n)."""
        return self._hessian("com_hessian", q, {"link": link})

    def _hessian(self, name: str, q: ArrayLike, options: dict[str, str]) -> Array:
        rows = self._run(name, (q,), options)
        return rows.reshape(*np.shape(q)[:-1], 6, self.n, self.n) if hasattr(rows, "ndim") else rows

    def link_inertia(self, q: ArrayLike, link: str) -> Array:
        """Inertia of a link about its CoM in base axes, R I R^T [kg m^2]: (..., 3, 3)."""
        return self._run("link_inertia", (q,), {"link": link})

    def kinetic_energy(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Kinetic energy [J], the rotors' included: (...)."""
        return self._run("kinetic_energy", (q, qd))

    def potential_energy(self, q: ArrayLike, *, gravity: Gravity = True) -> Array:
        """Potential energy [J] in gravity, zero at the base's origin, and that of the springs of joints: (...)."""
        return self._run("potential_energy", (q,), gravity=gravity)

    @cached_property
    def _zeros(self) -> Array:
        return np.zeros(self.n)

    @cached_property
    def _units(self) -> tuple[str, ...]:
        return tuple(coordinate.unit for coordinate in self.coordinates)

    @cached_property
    def _links(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.links)

    def _ready(self) -> Self:
        _ = self._zeros, self._units, self._links
        return super()._ready()

    def _motion(self, q: Any, qd: Any, qdd: Any) -> tuple[Any, Any, Any]:
        """q, qd, qdd with zeros for what was left out, in the precision of q."""
        if qd is not None and qdd is not None:
            return q, qd, qdd
        zeros = self._zeros if getattr(q, "dtype", None) != SINGLE else self._zeros.astype(np.float32)
        return q, zeros if qd is None else qd, zeros if qdd is None else qdd

    def draw(
        self, q: ArrayLike | None = None, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True, reactions: bool = False, frames: bool | None = None,
        dimensions: bool | None = None, notation: str | Notation = "dynamis",
    ) -> Drawing:  # fmt: skip
        """The kinematic scheme at q: flat for an arm that moves in a plane, axonometric for a spatial one.

        q: one value per joint [rad or m]; left out, a pose that shows the arm well
        qd, qdd: the motion of the reactions, at rest if left out
        loads: drawn as arrows where they act
        gravity: True, False or an acceleration in base axes [m/s^2]
        reactions: also the force and the moment of the parent on every link
        frames, dimensions: axes x, y, z of the link frames, lengths and twists; by default up to eight links
        notation: how coordinates, lengths and gravity are written, as in `Equations.latex`

        Parameters without a value are drawn with lengths of 1 m and masses of 1 kg, as the caption says.

        >>> import dynamis
        >>> print(dynamis.load("bar-2r").draw([0.5, 0.7]).svg()[:4])
        <svg
        """
        from dynamis.telling.drawing.draw import draw

        return draw(
            self, q, qd, qdd, loads=loads, gravity=gravity, reactions=reactions, frames=frames, dimensions=dimensions,
            notation=notation,
        )  # fmt: skip

    def plot(self, q: ArrayLike | None = None, *, ax: Any = None, fig: Any = None, **options: Any) -> Any:
        """`draw` with pyplot, so that a notebook and `plt.show()` show it; the Axes.

        ax, fig: the Axes, or the Figure or SubFigure, to draw in
        options: those of `draw`
        """
        return self.draw(q, **options).plot(ax=ax, fig=fig)

    def free_body(
        self, link: str, q: ArrayLike | None = None, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True,
    ) -> Drawing:  # fmt: skip
        """The free body of a link with its five groups of forces, which are in equilibrium, drawn and as a table.

        Weight, external loads reduced to the CoM, reactions of the previous and of the next links, inertia.
        """
        from dynamis.telling.drawing.free_body import free_body

        return free_body(self, link, q, qd, qdd, loads=loads, gravity=gravity)

    def __str__(self) -> str:
        return str(RobotDescription(self))

    def _repr_html_(self) -> str:
        return RobotDescription(self).page("notebook").rstrip("\n")

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of its torques must know, on every page: links that move without mass.

        >>> import dynamis
        >>> dynamis.load("bar-2r").warnings
        ()
        """
        sentence = missing_masses(self)
        return (sentence,) if sentence else ()

    def provenance(self) -> Provenance:
        """Where pages of this robot come from, for `page(provenance=...)` of a result that does not have the robot.

        Its hash is that of the .toml file that `dynamis.save` writes, so that it tells robots apart that were made or
        changed in Python too.

        >>> import dynamis
        >>> [source.name for source in dynamis.load("bar-2r").provenance().sources]
        ['bar-2r.toml']
        """
        file = f"{self.name}.toml"
        return Provenance.now(Source.of_text("robot", file, robot_text(self, Path("robot.toml"))))

    def references(self, *methods: str) -> References:
        """The works that methods follow, as text and, with `bibtex()`, as BibTeX.

        methods: names of quantities ("inverse_dynamics"), derivations ("newton-euler"), controllers ("slotine-li"),
            integrators ("rk45") and motions ("double-s"); without one, all. "forward_dynamics" is the algorithm that
            this robot takes.

        >>> import dynamis
        >>> [work.key for work in dynamis.load("puma560").references("forward_dynamics").works]
        ['walker1982', 'featherstone2008']
        """
        return references(*(forward_method(self) if str(name) == "forward_dynamics" else name for name in methods))


def forward_method(robot: RobotModel) -> str:
    """The algorithm of a robot's forward dynamics: a long chain takes articulated bodies, unless joints are coupled."""
    depth = {robot.base: 0}
    for link in robot.links:
        depth[link.name] = depth[link.parent] + link.joint.moves
    short = max(depth.values()) <= LONGEST_CHAIN_TO_FACTOR
    return "composite-bodies" if short or robot.coupled else "articulated-bodies"
