"""The closed-form model of a robot: M, Christoffel symbols, c, g, T, U, exactly.

Everything is computed when it is first asked for, and single entries on their own: M[0, 0] of a
six-joint arm costs only that. Arrays count from 0, `christoffel` from 1 as in the books.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Integral
from typing import Any

from dynamis.base.display import Displayable
from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.coupling import coordinates_of, project_to_coordinates
from dynamis.compute.mechanics.dynamics.applied_loads import applied_wrenches, load_torques
from dynamis.compute.mechanics.dynamics.energy import potential_energy, twice_kinetic_energy
from dynamis.compute.mechanics.dynamics.link_jacobians import LinkJacobian, link_jacobians
from dynamis.compute.mechanics.dynamics.mass_matrix import mass_matrix_entry, unit_velocities
from dynamis.compute.mechanics.dynamics.missing_masses import check_masses
from dynamis.compute.mechanics.dynamics.newton_euler import InverseDynamics, newton_euler
from dynamis.compute.mechanics.friction import friction, springs
from dynamis.compute.mechanics.kinematics.motion import Velocity
from dynamis.compute.mechanics.kinematics.poses import homogeneous, relative_pose
from dynamis.compute.mechanics.mechanism import Mechanism, Place, State, Wrench, mechanism, place
from dynamis.compute.quantities.registry import complete_options, quantity
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.exact.closed_form.exact_robot import exact_scalars, exact_state
from dynamis.exact.closed_form.formulas import Formulas, formula_text, formulas, jacobian_parts, latex_of
from dynamis.model.loads import Load, ToolWrench, frame_of
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.exact.limits import DEFAULT_MEMORY
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.scalars import ExactScalars
from dynamis.scalars.exact.symbols import Symbol, coordinate, joint_angle
from dynamis.scalars.scalars import ScalarsError
from dynamis.telling import symbols
from dynamis.telling.blocks import Document, Equation
from dynamis.telling.formula import Sym

HALF = Fraction(1, 2)


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """The equations of motion M qdd + c + g + friction = tau + Q of `robot`, Q the generalised forces of its `loads`.

    Parameters are symbols; `numeric` puts the exact rationals of their values in their place. The symbols of the loads
    are parameters of the robot (`with_load_symbols`). With `seconds` the derivation stops after that time with a
    TimeLimitError, and with a MemoryLimitError where it needs more than `memory` [GB]; what it has stays usable.
    """

    robot: RobotModel
    numeric: bool = False
    seconds: float | None = None
    memory: float = DEFAULT_MEMORY
    loads: tuple[Load, ...] = ()

    @cached_property
    def scalars(self) -> ExactScalars:
        """The elements of the ring, from the robot's expressions."""
        return exact_scalars(self.robot, self.numeric, self.seconds, self.memory, self.loads)

    @property
    def ring(self) -> Ring:
        """The ring of all scalars of this model."""
        return self.scalars.ring

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return self.robot.n

    @cached_property
    def qd(self) -> list[Exact]:
        """The velocities of the coordinates."""
        return coordinates_of(self.mechanism.coupling, self.state.qd)

    @cached_property
    def qdd(self) -> list[Exact]:
        """The accelerations of the coordinates."""
        return coordinates_of(self.mechanism.coupling, self.state.qdd)

    @cached_property
    def mechanism(self) -> Mechanism[Exact]:
        """The robot in scalars of the ring."""
        return mechanism(self.robot, self.scalars)

    @cached_property
    def mechanism_with_masses(self) -> Mechanism[Exact]:
        """`mechanism`, for what needs masses: an error names the links that have none."""
        check_masses(self.robot, values=self.robot.values if self.numeric else {}, loaded=bool(self.loads))
        return self.mechanism

    @cached_property
    def state(self) -> State[Exact]:
        """Coordinates, velocities and accelerations as symbols."""
        return exact_state(self.robot, self.mechanism, self.ring)

    def quantity(self, name: str, **options: str) -> Any:
        """A quantity of the registry (compute/quantities/registry.py) at the symbols q, qd and qdd, in nested lists.

        Where it has several outputs, a dictionary of them by name. What exact scalars cannot do is refused: square
        roots (bearing loads, Cholesky factors), and division by a mass matrix that is not a number. As for the verbs
        of `Robot`, the frame is the tool and the convention of reactions "joint" where `options` have none.

        >>> from dynamis import load
        >>> load("deluca-2r").equations().quantity("jacobian")[5]
        [1, 1]
        """
        options = complete_options(self.robot, name, options)
        entry = quantity(name, options)
        if "tau" in entry.inputs:
            raise ArgumentError(
                f"{name} takes torques, which an exact state does not have; ask for mass_matrix and bias_torque"
            )
        check_masses(self.robot, entry.mass, self.robot.values if self.numeric else {}, bool(self.loads))
        try:
            outputs = entry.of(RobotAtState(self.robot, self.mechanism, self.state, loads=self.loads), **options)
        except ScalarsError as error:
            numbers = f"robot.{name}({', '.join(entry.inputs)})"
            raise ArgumentError(
                f"{name} needs {error.operation}, which equations in symbols do not have; {numbers} gives its numbers"
            ) from None
        parts = [formulas(x, self.ring) for x in outputs]
        return parts[0] if len(parts) == 1 else dict(zip(entry.outputs, parts, strict=True))

    def transform(self, a: str | int | Frame, b: str | int | Frame) -> list[list[Exact]]:
        """T_ab, the 4x4 matrix that takes coordinates in frame b to those in frame a.

        Frames are numbers of links (0 is the base), "c2" for the CoM of link 2, names such as "tool" and "forearm", or
        `Frame`s. Numbers: `robot.forward_kinematics(q, b, relative_to=a)`.

        >>> from dynamis import load
        >>> load("bar-2r").equations().transform(1, 2)[0]
        [cos(q2), -sin(q2), 0, L1]
        """
        names = [self.robot.base, *(link.name for link in self.robot.links)]

        def at(x: str | int | Frame) -> Place[Exact]:
            name = names[x] if isinstance(x, int) and 0 <= x < len(names) else x
            return place(self.robot, self.mechanism, name if isinstance(name, Frame) else self.robot.frame(str(name)))

        T = homogeneous(relative_pose(self.mechanism, self.state, at(a), at(b)), self.mechanism)
        ends = [x.name if isinstance(x, Frame) else str(x) for x in (a, b)]
        return self._named(symbols.transform.at("".join(ends)), T)

    @cached_property
    def kinetic_energies(self) -> list[Exact]:
        """T_i of every body [J]; the bodies are the links, and the massless ones between the axes of a joint."""
        energies = twice_kinetic_energy(self.mechanism_with_masses, self.state)
        return self._numbered(symbols.T, [energy.times(HALF) for energy in energies])

    @cached_property
    def kinetic_energy(self) -> Exact:
        """T = sum of T_i [J]."""
        return _sum(self.kinetic_energies, self.ring)

    @cached_property
    def potential_energies(self) -> list[Exact]:
        """U_i of every body [J]."""
        return self._numbered(symbols.U, potential_energy(self.mechanism_with_masses, self.state))

    @cached_property
    def potential_energy(self) -> Exact:
        """U = sum of U_i [J]."""
        return _sum(self.potential_energies, self.ring)

    @cached_property
    def lagrangian(self) -> Exact:
        """L = T - U [J]."""
        return self.kinetic_energy - self.potential_energy

    def lagrange_torque(self, k: int) -> Exact:
        """d/dt dL/dqd_k - dL/dq_k (from 0): the torque without friction, by differentiating alone [N m or N]."""
        return self.time_derivative(self.partial_qd(self.lagrangian, k)) - self.partial_q(self.lagrangian, k)

    @cached_property
    def link_jacobians(self) -> list[LinkJacobian[Exact]]:
        """Of every body J_v of its CoM, J_w, and its inertia R I R^T, all in base axes."""
        jacobians = link_jacobians(self.mechanism_with_masses, self.state)
        parts = [part for k, J in enumerate(jacobians, 1) for part in jacobian_parts(J.linear, J.angular, k)]
        return Formulas(jacobians, self.ring, *parts)

    @cached_property
    def M(self) -> MassMatrix:
        """The mass matrix, entry by entry from the Jacobians of the links."""
        return MassMatrix(self)

    def christoffel(self, i: int, j: int, k: int) -> Exact:
        """c_ijk = (dM_kj/dq_i + dM_ki/dq_j - dM_ij/dq_k) / 2, joints from 1."""
        for joint in (i, j, k):
            if not 1 <= joint <= self.n:
                raise ArgumentError(f"there is no joint {joint}; robot {self.robot.name} has joints 1 to {self.n}")
        a, b, d = i - 1, j - 1, k - 1
        terms = self.partial_q(self.M[d, b], a) + self.partial_q(self.M[d, a], b) - self.partial_q(self.M[a, b], d)
        return terms.times(HALF)

    @cached_property
    def christoffel_matrices(self) -> list[list[list[Exact]]]:
        """C_k(q) of every joint, with the entries c_ijk: symmetric, and c_k = qd . C_k qd.

        >>> from dynamis import load
        >>> load("deluca-2r").equations().christoffel_matrices[1]
        [[sin(q2)*d2*l1*m2, 0], [0, 0]]
        """
        n, G = range(self.n), self.gradients
        matrices = [[[(G[k][j][i] + G[k][i][j] - G[i][j][k]).times(HALF) for j in n] for i in n] for k in n]
        return self._numbered(symbols.christoffel_matrix, matrices)

    @cached_property
    def gradients(self) -> list[list[list[Exact]]]:
        """dM_ij/dq_k as [i][j][k]."""
        lower = [
            [[self.partial_q(self.M[i, j], k) for k in range(self.n)] for j in range(i + 1)] for i in range(self.n)
        ]
        return [[lower[max(i, j)][min(i, j)] for j in range(self.n)] for i in range(self.n)]

    @cached_property
    def coriolis(self) -> list[Exact]:
        """c(q, qd): c_k = sum c_ijk qd_i qd_j [N m or N]."""
        qd = self.qd
        c = [_sum((self.coriolis_matrix[k][j] * qd[j] for j in range(self.n)), self.ring) for k in range(self.n)]
        return self._named(symbols.c, c)

    @cached_property
    def mass_matrix_rate(self) -> list[list[Exact]]:
        """Mdot_kj = sum dM_kj/dq_i qd_i."""
        return self._named(symbols.M.dot, self._contracted(lambda k, j, i: self.gradients[k][j][i]))

    @cached_property
    def momentum_gradient(self) -> list[list[Exact]]:
        """D_kj = d(M qd)_k/dq_j = sum dM_ki/dq_j qd_i."""
        return self._contracted(lambda k, j, i: self.gradients[k][i][j])

    @cached_property
    def coriolis_matrix(self) -> list[list[Exact]]:
        """The Christoffel factorisation C = (Mdot + K - K^T) / 2, with c = C qd."""
        rate, grad, n = self.mass_matrix_rate, self.momentum_gradient, range(self.n)
        return self._named(symbols.C, [[(rate[k][j] + grad[k][j] - grad[j][k]).times(HALF) for j in n] for k in n])

    @cached_property
    def gravity(self) -> list[Exact]:
        """g(q) = dU/dq [N m or N]."""
        return self._named(symbols.g, [self.partial_q(self.potential_energy, k) for k in range(self.n)])

    @cached_property
    def spring_torques(self) -> list[Exact]:
        """What the springs of the joints take, seen from the coordinates: their part of g [N m or N]."""
        return project_to_coordinates(self.mechanism.coupling, springs(self.mechanism, self.state))

    @cached_property
    def friction(self) -> list[Exact]:
        """What the friction of every joint takes, seen from the coordinates [N m or N]."""
        m = self.mechanism
        own = project_to_coordinates(m.coupling, [friction(body, self.state) for body in m.moving])
        return self._named(symbols.friction, own)

    @cached_property
    def load_torques(self) -> list[Exact]:
        """Q = sum of J^T w: the generalised forces of the loads, by virtual work [N m or N]."""
        return self._named(symbols.Q, load_torques(self.robot, self.mechanism, self.state, self.loads))

    @cached_property
    def torques(self) -> list[Exact]:
        """tau by Euler-Lagrange: M qdd + c + g + friction - Q."""
        if not self.loads:
            return self.unloaded_torques
        rows = zip(self.unloaded_torques, self.load_torques, strict=True)
        return self._named(symbols.tau, [tau - Q for tau, Q in rows])

    @cached_property
    def unloaded_torques(self) -> list[Exact]:
        """tau without loads: M qdd + c + g + friction."""
        inertial = [_sum((self.M[i, j] * self.qdd[j] for j in range(self.n)), self.ring) for i in range(self.n)]
        rows = zip(inertial, self.coriolis, self.gravity, self.friction, strict=True)
        return self._named(symbols.tau, [a + c + g + f for a, c, g, f in rows])

    @cached_property
    def newton_euler(self) -> InverseDynamics[Exact]:
        """tau by Newton-Euler, with w, wd, vdot, F, N, f, n of every link."""
        return newton_euler(self.mechanism_with_masses, self.state, loads=self.wrenches)

    @cached_property
    def wrenches(self) -> list[Wrench[Exact] | None]:
        """The loads on every body in link axes about the joint point, or None where it has none."""
        return applied_wrenches(self.robot, self.mechanism, self.state, self.loads)

    @cached_property
    def tool_wrench(self) -> Wrench[Exact]:
        """f_n+1, n_n+1: what the tool exerts on its surroundings, at its origin in its axes (Craig)."""
        loads = [load for load in self.loads if isinstance(load, ToolWrench)]
        m = self.mechanism
        if not loads:
            return Wrench(m.null, m.null)
        on = place(self.robot, m, frame_of(self.robot, loads[0]))
        acting = next(w for w in applied_wrenches(self.robot, m, self.state, loads) if w is not None)
        return Wrench(-(on.R.T @ acting.force), -(on.R.T @ (acting.moment - on.p.cross(acting.force))))

    def partial_q(self, scalar: Exact, k: int) -> Exact:
        """The derivative by coordinate k (from 0)."""
        total = self.ring.zero
        for symbol, slope in self.slopes[k]:
            total = total + scalar.derivative(symbol) * slope
        return total

    def partial_qd(self, scalar: Exact, k: int) -> Exact:
        """The derivative by the velocity of coordinate k (from 0)."""
        return scalar.derivative(coordinate(self.robot.coordinates[k].name, 1))

    @cached_property
    def slopes(self) -> list[list[tuple[Symbol, Exact]]]:
        """Per coordinate the symbols that depend on it, with their derivatives.

        A coupled angle that has a sine and a cosine of its own depends on all coordinates that it follows.
        """
        present, coupling = set(self.ring.symbols), self.mechanism.coupling
        slopes: list[list[tuple[Symbol, Exact]]] = [[] for _ in range(self.n)]
        for k, moving in enumerate(self.robot.coordinates):
            if coordinate(moving.name) in present:
                slopes[k].append((coordinate(moving.name), self.ring.one))
        for j, joint in enumerate(self.robot.joints):
            sine, cosine = joint_angle(joint.name)
            if sine in present:
                s, c = self.state.s[j], self.state.c[j]
                for k, factor in ((j, self.ring.one),) if coupling is None else coupling.rows[j]:
                    slopes[k] += [(sine, c * factor), (cosine, -s * factor)]
        return slopes

    @cached_property
    def coriolis_transposed(self) -> list[Exact]:
        """C^T qd with the Christoffel C, which momentum observers use: it is Mdot qd - c."""
        rates = [_sum((row[j] * self.qd[j] for j in range(self.n)), self.ring) for row in self.mass_matrix_rate]
        return [rate - c for rate, c in zip(rates, self.coriolis, strict=True)]

    def time_derivative(self, scalar: Exact) -> Exact:
        """The derivative by time along a motion: the sum of dF/dq_k qd_k + dF/dqd_k qdd_k."""
        total = self.ring.zero
        for k in range(self.n):
            total = total + self.partial_q(scalar, k) * self.qd[k] + self.partial_qd(scalar, k) * self.qdd[k]
        return total

    def _named(self, symbol: Sym, values: Any) -> Formulas:
        """A vector or a matrix by its symbol."""
        return Formulas(values, self.ring, (symbol, values))

    def _numbered(self, symbol: Sym, values: list[Any]) -> Formulas:
        """One scalar or matrix per number from 1."""
        return Formulas(values, self.ring, *((symbol.at(str(k)), value) for k, value in enumerate(values, 1)))

    def _contracted(self, entry: Callable[[int, int, int], Exact]) -> list[list[Exact]]:
        """sum over i of entry(k, j, i) qd_i."""
        n, qd = range(self.n), self.qd
        return [[_sum((entry(k, j, i) * qd[i] for i in n), self.ring) for j in n] for k in n]


class MassMatrix(Displayable):
    """M(q) of a model: M[i, j] from 0, computed entry by entry."""

    def __init__(self, model: ClosedForm) -> None:
        self.model, self.entries = model, dict[tuple[int, int], Exact]()
        self.columns: dict[int, list[Velocity[Exact]]] = {}

    def __getitem__(self, index: tuple[int, int]) -> Exact:
        pair: Any = index if isinstance(index, tuple) else ()  # type: ignore[redundant-expr]
        i, j = sorted(pair)[::-1] if [isinstance(k, int | Integral) for k in pair] == [True, True] else (-1, -1)
        if not (n := self.model.n) > i >= j >= 0:
            raise IndexError(f"M is {n} x {n}; it has no entry {index!r:.40}, and its rows are M.rows()")
        if (i, j) not in self.entries:
            columns: Any = {k: self.column(k) for k in (i, j)}
            self.entries[i, j] = mass_matrix_entry(self.model.mechanism_with_masses, columns, i, j)
        return self.entries[i, j]

    def __iter__(self) -> Iterator[list[Exact]]:
        return iter(self.rows())

    def column(self, j: int) -> list[Velocity[Exact]]:
        """The velocities of all links for a unit velocity of joint j."""
        if j not in self.columns:
            self.columns[j] = unit_velocities(self.model.mechanism, self.model.state, j)
        return self.columns[j]

    def __repr__(self) -> str:
        return f"<M of {self.model.robot.name}, {self.model.n} x {self.model.n}>"

    def __str__(self) -> str:
        return formula_text(self)

    def document(self) -> Document:
        """All entries."""
        return Document("", (Equation(symbols.M, self.rows()),), ring=self.model.ring)

    def _repr_latex_(self) -> str | None:
        return latex_of(self.model.ring, ((symbols.M, self.rows()),))

    def rows(self) -> list[list[Exact]]:
        """All entries."""
        return [[self[i, j] for j in range(self.model.n)] for i in range(self.model.n)]


def _sum(scalars: Any, ring: Ring) -> Exact:
    return sum(scalars, ring.zero)
