"""All that can be said of a robot in a state, part by part: matrices, energies, poses, motions, torques, reactions.

Each part is a result of its own, with its name as people write it: M, C, c, g, tau, J, ... All arrays have the batch of
the states in their leading axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.errors import ArgumentError, MissingMassError, UnknownNameError, literal
from dynamis.base.faces import request
from dynamis.compute.mechanics.dynamics.reactions import ReactionConvention
from dynamis.compute.mechanics.efficient.operational_space import ROWS
from dynamis.compute.quantities.arguments import Gravity, broadcast, joint_values
from dynamis.compute.quantities.entry_names import KINDS, EntryName, split_names
from dynamis.library import require_robot
from dynamis.model.loads import Load, check_loads
from dynamis.model.payload import acting_words, payload_words
from dynamis.motion.single_states.parts import METHODS, OF_FRAMES, OF_LINKS, PARTS, Question
from dynamis.motion.single_states.state_torques import StateTorques
from dynamis.motion.single_states.words import OVERFLOW
from dynamis.robot import ALL_ROWS, Robot
from dynamis.telling.blocks import Block, Document, Note, Section
from dynamis.telling.pages.entries import Entries
from dynamis.telling.pages.states import ParameterVector, at
from dynamis.telling.result import Result

_NAMES = ("Christoffel", "Coriolis", "Jacobian")


@dataclass(frozen=True)
class RobotState(Result):
    """A robot in a state, or in several: `parts` by their names, each a result with arrays (..., ...).

    An entry is a part of its own, by the name that it was asked for: "M[1,2]", "T[0,c2]" (a 4x4 matrix), "Jv[2]".
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
                unit = f" [{part.unit}]" if isinstance(part, Entries) and part.unit else ""
                title = f"{label}{name}{self._words(name)}{unit}"
                one: Result = part if isinstance(part, ParameterVector) else at(part, state)
                notes = map(Note, _overflow(one))
                blocks.append(Section(title, (*one.document().blocks, *notes), name=f"{name}{k if batch else ''}"))
        title = f"State of {self.question.robot.name}"
        blocks.append(Section("", tuple(map(Note, self.notes))))
        methods = tuple(METHODS[part] for name in self.parts if (part := name.partition("[")[0]) in METHODS)
        return Document(title, tuple(blocks), data=self._data, methods=methods, main_sections=("tau", "poses"))

    def _words(self, name: str) -> str:
        """What a part is, after its name: " of tool: Jacobian in base axes"."""
        (entry,) = split_names(name, self.question.robot.n, len(self.question.links), "")
        part, kind = PARTS[entry.name], KINDS[entry.name]
        of_frame = f" of {self.question.frame}" if part.of_frame and not _of_frames(entry) else ""
        if not entry.indices or len(entry.indices) not in map(len, kind.indices) or (of_frame and entry.name == "p"):
            return f"{of_frame}: {part.words}"
        title = entry.title
        return f"{of_frame}: {title if title.startswith(_NAMES) else title[0].lower() + title[1:]}"

    def _data(self) -> dict[str, Any]:
        x, joints = self.question, self.question.robot.coordinates
        parts = {name: self[name] for name in self.parts}
        return {
            "robot": x.robot.name, "joints": [j.name for j in joints], "units": [j.unit for j in joints],
            "q": x.q, "qd": x.qd, "qdd": x.qdd,
            "gravity": x.gravity if isinstance(x.gravity, bool) else [float(g) for g in x.gravity],
            "loads": acting_words(x.robot, x.loads), "frame": x.frame,
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
    M: mass matrix [kg m²]
            1       2
    -  ------  ------
    1  0.5073  0.1286
    2  0.1286  0.0833
    """
    require_robot(robot)
    if not isinstance(only, str | list | tuple):  # type: ignore[redundant-expr]
        raise ArgumentError(f'only must be names of parts, such as "M g", got {literal(only)}', key="only")
    check_loads(robot, loads)
    asked = [entry for text in ([only] if isinstance(only, str) else only) for entry in _entries(str(text), robot)]
    names = list(dict.fromkeys(entry.name for entry in asked if not (_of_frames(entry) or _of_link(entry))))
    tool = frame or ("tool" if robot.tool else "")
    if not tool and any(PARTS[name].of_frame for name in names):
        raise ArgumentError(f'robot "{robot.name}" has no tool; name a frame or a link', key="frame")
    motion = [
        (key, joint_values(key, np.zeros(robot.n) if x is None else x, robot))
        for key, x in (("q", q), ("qd", qd), ("qdd", qdd))
    ]
    shape = (*broadcast(motion), robot.n)
    arrays: Any = {key: np.broadcast_to(array, shape) for key, array in motion}
    x = Question(
        robot, **arrays, loads=tuple(loads), gravity=gravity, frame=tool, rows=rows, convention=convention
    )  # fmt: skip
    computed: dict[str, Result] = {}
    missing: dict[str, list[str]] = {}
    for name in names if asked else [key for key, part in PARTS.items() if part.always and (tool or not part.of_frame)]:
        try:
            computed[name] = PARTS[name].compute(x)
        except MissingMassError as error:
            if asked:
                raise
            missing.setdefault(str(error), []).append(name)
    parts = {str(entry): _chosen(x, computed, entry) for entry in asked} if asked else computed
    told = any(isinstance(part, StateTorques) for part in parts.values())
    held = () if told else payload_words(robot)
    return RobotState(x, parts, (*held, *(f"without {', '.join(left)}: {text}" for text, left in missing.items())))


def _entries(text: str, robot: Robot) -> Iterator[EntryName]:
    """The parts and entries that a text asks for: M, M[1,2], T[0,c2], M12 of less than ten joints."""
    allowed = f"choose of {', '.join(PARTS)}, T[0,2], p[c2], or leave it out"
    for entry in split_names(text, robot.n, len(robot.links), allowed):
        if entry.name in KINDS and entry.name not in PARTS:
            derive = request("derive", robot.argument, only=entry.name)
            raise ArgumentError(f"{entry.name} is told in symbols alone; {derive} derives it", key="only")
        if entry.name not in PARTS:
            raise UnknownNameError("part", entry.name, PARTS, key="only", complete=True)
        yield entry


def _of_frames(entry: EntryName) -> bool:
    """Whether the indices are frames: T[0,2], p[c2], and not T[1], an energy, or p[x], a force."""
    return len(entry.indices) == {"T": 2, "p": 1}.get(entry.name) and not set(entry.indices) <= set(ROWS)


def _of_link(entry: EntryName) -> bool:
    """Whether it is the entry of a link of what is else a number of the robot: T[1], U[1]."""
    return entry.name in OF_LINKS and len(entry.indices) == 1


def _chosen(x: Question, parts: Mapping[str, Result], entry: EntryName) -> Result:
    """A part, or an entry of it."""
    if _of_frames(entry):
        return OF_FRAMES[entry.name](x, *entry.indices)
    part = OF_LINKS[entry.name](x) if _of_link(entry) else parts[entry.name]
    if not entry.indices:
        return part
    part = x.torques(part.tau) if isinstance(part, StateTorques) else part
    if not isinstance(part, Entries) or part.values.ndim < x.q.ndim:  # L is a number
        raise ArgumentError(f"{entry.name} has no entries to choose; ask for {entry.name}", key="only")
    return part.entry(entry.name, entry.indices)
