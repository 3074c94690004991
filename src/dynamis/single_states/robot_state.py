"""All that can be said of a robot in a state, part by part: matrices, energies, poses, motions, torques, reactions.

Each part is a result of its own, with its name as people write it: M, C, c, g, tau, J, ... All arrays have the batch of
the states in their leading axes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.arguments import joint_array
from dynamis.arrays import Array
from dynamis.document.blocks import Block, Document, Note, Section
from dynamis.document.result import Result
from dynamis.errors import ArgumentError, MissingMassError, UnknownNameError, literal
from dynamis.library import require_robot
from dynamis.mechanics.dynamics.reactions import ReactionConvention
from dynamis.mechanics.efficient.operational_space import ROWS, chosen_rows
from dynamis.model.loads import Load, check_loads
from dynamis.quantities.arguments import Gravity, broadcast, owner
from dynamis.quantities.entries import Entries, Poses
from dynamis.quantities.results import ParameterVector, at
from dynamis.robot import ALL_ROWS, Robot
from dynamis.single_states.state_torques import StateTorques, state_torques
from dynamis.single_states.words import OVERFLOW

SINGULAR = 1e12
"""The condition number of chosen rows of J from which rounding leaves no digit of Lambda."""
_LENGTHS, _SPEEDS = "m and rad per unit of q", "m/s and rad/s per unit of q"
_NAME = re.compile(r"\s*([^\s,;\[\]()]+)(?:[\[(]([^\])]*)[\])])?\s*(?:[,;]|(?=\s)|$)")


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
        notes = (singular,) if np.any(condition > SINGULAR) else ()
        values = np.where(np.reshape(condition > SINGULAR, (*condition.shape, *[1] * (1 + bool(unit)))), np.nan, values)
        units = () if unit else tuple("N" if k < 3 else "N m" for k in chosen)
        return Entries(values, ("",) if units else names, names, unit, units, notes=notes)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of the coordinates."""
        return tuple(str(k) for k in range(1, self.robot.n + 1))


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
    names = tuple(link.name for link in x.robot.links)
    values = np.stack([of_link(name) for name in names], axis=-1 - len(axes))
    return _table(values, names, *axes, unit=unit)


def _table(values: Array, *axes: tuple[str, ...], unit: str = "") -> Entries:
    rows = tuple(map(" ".join, product(*axes[:-1])))
    return Entries(values, rows, axes[-1], unit, axes=axes)


_FORCE = "kg, kg m, kg m^2"
METHODS = {
    "tau": "inverse_dynamics", "M": "mass_matrix", "C": "coriolis_matrix", "c": "coriolis_torque",
    "g": "gravity_torque", "J": "jacobian", "Jc": "jacobian", "Jd": "jacobian_rate", "Jcd": "jacobian_rate",
    "reactions": "reactions", "recursion": "recursion", "Lambda": "operational_inertia", "mu": "operational_coriolis",
    "p": "operational_gravity", "Y": "full_regressor",
}  # fmt: skip
"""The method of a part, by its name in document/works.toml."""
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
    "poses": Part("frames and CoMs in the base frame", _poses),
    "frame": Part("motion in base axes", lambda x: x.robot.frame_motion(*x.motion, frame=x.frame), of_frame=True),
    "J": Part("Jacobian in base axes", lambda x: x.twists(x.robot.jacobian(x.q, x.frame)), of_frame=True),
    "motion": Part("forward recursion (P, C in the base frame, the rest in link axes)",
                   lambda x: x.robot.link_motions(*x.motion)),
    "reactions": Part("reactions of the joints", lambda x: x.robot.reactions(
        *x.motion, **x.forces, convention=x.convention)),
    "recursion": Part("Newton-Euler in link axes; vd and vdc contain -g", lambda x: x.robot.recursion(
        *x.motion, **x.forces), always=False),
    "components": Part("what the torques are the sum of", lambda x: x.robot.torque_components(
        *x.motion, **x.forces), always=False),
    "Jc": Part("Jacobians of the CoMs in base axes", lambda x: _of_coms(
        x, lambda link: x.robot.com_jacobian(x.q, link), ROWS, x.numbers, unit=_LENGTHS), always=False),
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


@dataclass(frozen=True)
class RobotState(Result):
    """A robot in a state, or in several: `parts` by their names, each a result with arrays (..., ...).

    An entry is a part of its own, by the name that it was asked for: "M[1,2]".
    """

    question: Question
    parts: Mapping[str, Result]
    notes: tuple[str, ...] = ()
    """Why parts are left out."""

    def __getitem__(self, name: str) -> Any:
        """A part by its name: the array of a matrix, a vector, a number or torques, else the result."""
        if name not in self.parts:
            raise UnknownNameError("part", name, self.parts)
        part = self.parts[name]
        return part.tau if isinstance(part, StateTorques) else part.values if isinstance(part, Entries) else part

    def document(self) -> Document:
        """The parts, state by state."""
        batch = self.question.q.shape[:-1]
        blocks: list[Block] = []
        for k, state in enumerate(np.ndindex(batch), 1):
            label = f"state {k}: " if batch else ""
            for name, part in self.parts.items():
                entry = PARTS[name.partition("[")[0]]
                of_frame = f" of {self.question.frame}" if entry.of_frame else ""
                unit = f" [{part.unit}]" if isinstance(part, Entries) and part.unit else ""
                title = f"{label}{name}{of_frame}: {entry.words}{unit}"
                one: Result = part if isinstance(part, ParameterVector) else at(part, state)
                notes = map(Note, _overflow(one))
                blocks.append(Section(title, (*one.document().blocks, *notes), name=f"{name}{k if batch else ''}"))
        title = f"State of {self.question.robot.name}"
        blocks.append(Section("", tuple(map(Note, self.notes))))
        methods = tuple(METHODS[part] for name in self.parts if (part := name.partition("[")[0]) in METHODS)
        return Document(title, tuple(blocks), data=self._data, methods=methods)

    def _data(self) -> dict[str, Any]:
        x, joints = self.question, self.question.robot.coordinates
        parts = {name: self[name] for name in self.parts}
        return {
            "robot": x.robot.name, "joints": [j.name for j in joints], "units": [j.unit for j in joints],
            "q": x.q, "qd": x.qd, "qdd": x.qdd,
            "gravity": x.gravity if isinstance(x.gravity, bool) else [float(g) for g in x.gravity],
            "loads": [str(load) for load in x.loads], "frame": x.frame,
            "notes": [*self.notes, *(f"{name}: {note}" for name, part in self.parts.items() for note in _notes(part))],
            **{name: part.as_dict() if isinstance(part, Result) else part for name, part in parts.items()},
        }  # fmt: skip


def _notes(part: Any) -> Iterator[str]:
    """What a reader of the numbers of a part should know."""
    if isinstance(part, Entries | StateTorques):
        yield from part.notes
    yield from _overflow(part)


def _overflow(part: Any) -> Iterator[str]:
    """A note where numbers of a part are not finite, and it does not say why itself."""
    values: list[Any] = [getattr(part, field.name) for field in fields(part)]
    told = isinstance(part, StateTorques) or (isinstance(part, Entries) and part.notes)
    if not told and not all(np.isfinite(x).all() for x in values if hasattr(x, "dtype")):
        yield OVERFLOW


def robot_state(
    robot: Robot,
    q: ArrayLike,
    qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None,
    *,
    only: str | Sequence[str] = (),
    loads: Sequence[Load] = (),
    gravity: Gravity = True,
    frame: str = "",
    rows: str = ALL_ROWS,
    convention: ReactionConvention = "joint",
) -> RobotState:
    """A robot in a state: M, C, c, g, T, U, poses, Jacobian, motions, torques, reactions; more where it is asked for.

    robot: as `load` gives it
    q, qd, qdd: positions [rad or m], velocities, accelerations, (..., n); what is left out is zero
    only: names of parts (PARTS) and entries such as "M[1,2]", a list or in one text; without it all that are printed
        unasked
    loads: forces, moments and wrenches on links
    gravity: True (the robot's own), False (none), or an acceleration in base axes [m/s^2]
    frame: whose Jacobian, motion and operational space; by default the tool
    rows: the directions of Lambda, mu and p, as in `Robot.operational_inertia`
    convention: of the reactions, "joint" or "parent_tip"

    >>> import dynamis
    >>> state = robot_state(dynamis.load("bar-2r"), [0, 1.2], only="M g")
    >>> state["M"].shape
    (2, 2)
    >>> print(state.table("M"))
    M: mass matrix [kg m^2]
            1       2
    -  ------  ------
    1  0.5073  0.1286
    2  0.1286  0.0833
    """
    require_robot(robot)
    if not isinstance(only, str | list | tuple):  # type: ignore[redundant-expr]
        raise ArgumentError(f'only must be names of parts, such as "M g", got {literal(only)}', key="only")
    check_loads(robot, loads)
    asked = [pair for text in ([only] if isinstance(only, str) else only) for pair in _names(str(text), robot.n)]
    names = list(dict.fromkeys(name for name, _ in asked))
    tool = frame or ("tool" if robot.tool else "")
    if not tool and any(PARTS[name].of_frame for name in names):
        raise ArgumentError(f'robot "{robot.name}" has no tool; name a frame or a link', key="frame")
    motion = [
        (key, joint_array(key, np.zeros(robot.n) if x is None else x, robot.n, owner(robot)).astype(np.float64))
        for key, x in (("q", q), ("qd", qd), ("qdd", qdd))
    ]
    shape = (*broadcast(motion), robot.n)
    arrays: Any = {key: np.broadcast_to(array, shape) for key, array in motion}
    x = Question(
        robot, **arrays, loads=tuple(loads), gravity=gravity, frame=tool, rows=rows, convention=convention
    )  # fmt: skip
    computed: dict[str, Result] = {}
    missing: dict[str, list[str]] = {}
    for name in names or [key for key, part in PARTS.items() if part.always and (tool or not part.of_frame)]:
        try:
            computed[name] = PARTS[name].compute(x)
        except MissingMassError as error:
            if names:
                raise
            missing.setdefault(str(error), []).append(name)
    parts = {_label(*pair): _chosen(x, computed[pair[0]], *pair) for pair in asked} if asked else computed
    return RobotState(x, parts, tuple(f"without {', '.join(left)}: {text}" for text, left in missing.items()))


def _label(name: str, indices: tuple[str, ...]) -> str:
    return f"{name}[{','.join(indices)}]" if indices else name


def _names(text: str, n: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The parts and entries that a text asks for, with their indices: M, M[1,2], g[2], M12 of less than ten joints."""
    position = 0
    while position == 0 or text[position:].strip():
        match = _NAME.match(text, position)
        if match is None:
            problem = "only is empty" if not text.strip() else f"only {literal(text)} is not a list of parts"
            raise ArgumentError(f"{problem}; choose of {', '.join(PARTS)}, or leave it out", key="only")
        position = match.end()
        name, inside = match[1], match[2]
        indices = () if inside is None else tuple(part.strip() for part in inside.split(","))
        short = re.fullmatch(r"([A-Za-z]+?)_?([1-9]+)", name)
        if name not in PARTS and inside is None and short and short[1] in PARTS and n < 10:
            name, indices = short[1], tuple(short[2])
        if name not in PARTS:
            raise UnknownNameError("part", name, PARTS, key="only", complete=True)
        yield name, indices


def _chosen(x: Question, part: Result, name: str, indices: tuple[str, ...]) -> Result:
    """A part, or an entry of it."""
    if not indices:
        return part
    part = x.torques(part.tau) if isinstance(part, StateTorques) else part
    if not isinstance(part, Entries) or part.values.ndim < x.q.ndim:  # T and U are numbers
        raise ArgumentError(f"{name} has no entries to choose; ask for {name}", key="only")
    return part.entry(name, indices)
